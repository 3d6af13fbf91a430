"""Every route is listed, every role is tried at each, and pages of other sites can do nothing."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from fastapi import APIRouter, FastAPI
from fastapi.routing import APIRoute, APIWebSocketRoute
from tests.house.web.conftest import (
    BASE,
    NAMES,
    PASSWORD,
    LoopRunner,
    SignedIn,
    client_of,
    token_of,
)

from pitbook.house.people.account_register import MEMBERS, ROLES, Role
from pitbook.house.people.accounts import People
from pitbook.house.people.sessions import SESSION_COOKIE
from pitbook.house.settings import Settings
from pitbook.house.table.live_tables import LiveTables
from pitbook.house.web.access import (
    ANYONE,
    ROUTE_DEFAULTS,
    ROUTE_ROLES,
    SIGNED_IN,
    STRANGER,
    allow_routes,
)
from pitbook.house.web.app import ROUTERS, create_app
from pitbook.house.web.server import Server
from pitbook.text import say

Route = APIRoute | APIWebSocketRoute
CALLERS: list[Any] = [STRANGER, *ROLES]


def routes() -> list[Route]:
    all_routes = [route for router in ROUTERS for route in router.routes]
    assert all(isinstance(route, Route) for route in all_routes)
    return [route for route in all_routes if isinstance(route, Route)]


def test_every_route_of_the_app_checks_access(
    app: FastAPI,
) -> None:
    assert app.routes == [route for router in ROUTERS for route in router.routes]
    assert [
        route.name
        for route in routes()
        if ROUTE_DEFAULTS["dependencies"][0] not in route.dependencies
    ] == []


def test_routes_are_built_once_per_process(
    app: FastAPI, house: LiveTables, people: People, settings: Settings
) -> None:
    another = create_app(house, people, settings)
    assert all(
        route is other_route for route, other_route in zip(app.routes, another.routes, strict=True)
    )
    assert another.state.server is not app.state.server


def test_catalog_lists_exactly_the_routes() -> None:
    names = [route.name for route in routes()]
    assert sorted(names) == sorted(ROUTE_ROLES)
    assert len(set(names)) == len(names)


def test_catalog_names_only_known_roles() -> None:
    assert set(ROLES) == {"guest", *MEMBERS}
    for name, askers in ROUTE_ROLES.items():
        assert askers, name
        assert askers <= ANYONE, name


def test_route_cannot_be_listed_twice() -> None:
    with pytest.raises(AssertionError, match="route health is listed twice"):
        allow_routes({"health": ANYONE})


def test_routes_for_strangers_are_a_short_list() -> None:
    """Think twice before adding to this list."""
    ours = {"health", "ready", "metrics", "openapi", "docs"}
    ours |= {"show_clause", "sign_in", "sign_out", "invitation", "accept_invitation"}
    ours |= {"reset", "use_reset"}  # Links are as good as an invitation's.
    theirs = {"practice"} | {name for name in ROUTE_ROLES if "sheet" in name or "math" in name}
    theirs |= {"advise", "compare", "shared_round"}
    theirs |= {"drill_kinds", "drill_ask", "drill_packet"}  # A stranger who drills becomes a guest.
    theirs |= {"certificate", "certificate_pdf"}  # Anyone shown a certificate may verify it.
    theirs |= {"list_papers", "read_paper", "paper_pdf"}  # Rules that are posted and handed out.
    theirs |= {"paper_figures", "redline", "checklist"}  # About sheets that everyone may read.
    theirs |= {"lesson", "glossary"}
    theirs |= {"daily", "begin_daily"}  # No card is shown without a name; starting makes a guest.
    theirs |= {"night_clock", "night_clock_events"}  # A board on the wall is for the whole room.
    # A signed code, which shows a player's phone the seat and lets it play there.
    theirs |= {"check_in", "ticket_play"}
    # The page itself, not what it shows.
    theirs |= {name for name in ROUTE_ROLES if name.startswith("page")}
    assert {name for name, askers in ROUTE_ROLES.items() if STRANGER in askers} <= ours | theirs


def fill_path(path: str) -> str:
    return re.sub(r"\{[^}]*\}", "x", path)


HTTP = [route for route in routes() if isinstance(route, APIRoute)]
SOCKETS = [route for route in routes() if isinstance(route, APIWebSocketRoute)]


def answer_errors(route: APIRoute, asker: Any, answer: httpx.Response) -> Iterator[str]:
    """The problems with a caller's answer at a route."""
    status, message = answer.status_code, answer.text
    if status >= 500:
        yield "a bug in Pitbook"
    if asker in ROUTE_ROLES[route.name] and route.name != "metrics":
        if status == 403 or (status == 401 and asker != STRANGER):
            yield "listed, and not let in"
    elif asker == STRANGER:
        if (status, answer.json()["error"]) != (401, say("web.access.nobody")):
            yield "a stranger is let in, or not told why not"
    elif asker not in ROUTE_ROLES[route.name]:
        message = answer.json()["error"] if status == 403 else message
        if status != 403 or not message.startswith("Only a"):
            yield "not listed, and let in, or not told why not"
        elif not message.endswith(f"You are {say('web.access.role', role=asker, one=asker)}."):
            yield "told wrongly who may not"


HTTP_ROUTERS = [
    router for router in ROUTERS if any(isinstance(route, APIRoute) for route in router.routes)
]


@pytest.mark.long
@pytest.mark.parametrize("router", HTTP_ROUTERS, ids=lambda router: router.routes[0].name)
def test_every_role_at_every_route(
    run: LoopRunner, app: FastAPI, server: Server, router: APIRouter
) -> None:
    async def ask(asker: Any, method: str, path: str) -> httpx.Response:
        async with client_of(app, "10.0.0.7") as client:
            if asker != STRANGER:
                client.cookies.set(SESSION_COOKIE, token_of(server, asker))
            return await client.request(method, path, json={})

    wrong = []
    for route in (route for route in HTTP if route in router.routes):
        before = server.house.ledger.streams()
        for method in sorted(route.methods or ()):
            for asker in CALLERS:
                answer = run(ask(asker, method, fill_path(route.path)))
                where = f"{asker}: {method} {route.path} {answer.status_code} {answer.text[:200]}"
                wrong += [f"{where}: {error}" for error in answer_errors(route, asker, answer)]
        writes = not ROUTE_ROLES[route.name] <= SIGNED_IN or route.name in ("add_person", "invite")
        if not writes and server.house.ledger.streams() != before:
            wrong.append(f"{route.path}: an empty body changed something")
    assert wrong == []


async def handshake(app: FastAPI, path: str, headers: dict[str, str]) -> tuple[str, int]:
    """The result of a socket handshake: accepted, or a status."""
    sent: list[dict[str, Any]] = []
    messages = [{"type": "websocket.connect"}, {"type": "websocket.disconnect", "code": 1000}]

    async def receive() -> Any:
        return messages.pop(0) if messages else {"type": "websocket.disconnect", "code": 1000}

    async def send(message: Any) -> None:
        sent.append(message)

    raw = [(k.encode(), v.encode()) for k, v in {"host": "127.0.0.1:8710", **headers}.items()]
    scope = {
        "type": "websocket",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "headers": raw,
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 8710),
        "scheme": "ws",
        "subprotocols": [],
        "extensions": {"websocket.http.response": {}},
    }
    await app(scope, receive, send)
    return sent[0]["type"], sent[0].get("status", 0)


REFUSED = "websocket.http.response.start"


@pytest.mark.parametrize("route", SOCKETS, ids=lambda route: route.name)
def test_every_role_at_every_socket(
    run: LoopRunner, app: FastAPI, server: Server, route: APIWebSocketRoute
) -> None:
    for asker in CALLERS:
        token = token_of(server, asker) if asker != STRANGER else "none"
        answer = run(handshake(app, fill_path(route.path), {"cookie": f"{SESSION_COOKIE}={token}"}))
        if asker == STRANGER and STRANGER not in ROUTE_ROLES[route.name]:
            assert answer == (REFUSED, 401)
        elif asker not in ROUTE_ROLES[route.name]:
            assert answer == (REFUSED, 403), asker
        else:
            assert answer not in ((REFUSED, 401), (REFUSED, 403)), asker


@pytest.mark.parametrize("route", SOCKETS, ids=lambda route: route.name)
def test_a_socket_from_another_site_is_refused(
    run: LoopRunner, app: FastAPI, server: Server, route: APIWebSocketRoute
) -> None:
    cookie = {"cookie": f"{SESSION_COOKIE}={token_of(server, 'supervisor')}"}
    path = fill_path(route.path)
    for origin in ("http://evil.example", "null", "https://127.0.0.1:8710", ""):
        assert run(handshake(app, path, cookie | {"origin": origin})) == (REFUSED, 403), origin
    fine = run(handshake(app, path, cookie | {"origin": BASE}))
    assert fine != (REFUSED, 403)


def test_unlisted_route_is_refused_for_everyone(
    run: LoopRunner, app: FastAPI, server: Server
) -> None:
    @app.get("/api/forgotten", name="forgotten")
    def forgotten() -> str:
        raise AssertionError("it was let in")

    async def ask(asker: Any) -> int:
        async with client_of(app) as client:
            if asker != STRANGER:
                client.cookies.set(SESSION_COOKIE, token_of(server, asker))
            return (await client.get("/api/forgotten")).status_code

    assert [run(ask(asker)) for asker in CALLERS] == [401, *[403] * len(ROLES)]


# Other sites --------------------------------------------------------------------------------------

CREDENTIALS = {"name": "ann", "password": PASSWORD}


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"origin": BASE}, 200),
        ({"origin": BASE, "sec-fetch-site": "same-origin"}, 200),
        ({"sec-fetch-site": "none"}, 200),
        ({"origin": "http://evil.example"}, 403),
        ({"origin": "null"}, 403),
        ({"origin": ""}, 403),
        ({"origin": "https://127.0.0.1:8710"}, 403),
        ({"origin": "http://127.0.0.1:8711"}, 403),
        ({"origin": "http://127.0.0.1:8710.evil.example"}, 403),
        ({"sec-fetch-site": "cross-site"}, 403),
        ({"sec-fetch-site": "same-site"}, 403),
    ],
)
def test_only_our_own_pages_may_write(
    run: LoopRunner, client: httpx.AsyncClient, headers: dict[str, str], status: int
) -> None:
    answer = run(client.post("/api/sign-in", json=CREDENTIALS, headers=headers))
    assert answer.status_code == status
    assert ("set-cookie" in answer.headers) is (status == 200)


def test_origin_is_checked_for_every_unsafe_method(run: LoopRunner, signed_in: SignedIn) -> None:
    sue = signed_in("supervisor")
    evil = {"origin": "http://evil.example"}
    message = (
        'Pages of http://evil.example may not do this. Add the site to "origins" in the settings.'
    )
    for method, path in [("POST", "/api/people"), ("PATCH", "/api/people")]:
        answer = run(sue.request(method, path, json={"name": "ann"}, headers=evil))
        assert (answer.status_code, answer.json()["error"]) == (403, message)
    assert run(sue.get("/api/people", headers=evil)).status_code == 200


def with_settings(house: LiveTables, people: People, settings: Settings, **changed: Any) -> FastAPI:
    return create_app(house, people, settings.model_copy(update=changed))


def test_configured_origin_is_allowed(
    run: LoopRunner, house: LiveTables, people: People, settings: Settings
) -> None:
    app = with_settings(house, people, settings, origins=("https://play.example",))

    async def ask(**headers: str) -> int:
        async with client_of(app) as client:
            return (
                await client.post("/api/sign-in", json=CREDENTIALS, headers=headers)
            ).status_code

    assert run(ask(origin="https://play.example")) == 200
    assert run(ask(origin="https://play.example", host="play.example")) == 200
    assert run(ask(origin="http://play.example")) == 403


def test_behind_tls_our_own_origin_is_https(
    run: LoopRunner, house: LiveTables, people: People, settings: Settings
) -> None:
    app = with_settings(house, people, settings, https=True, host="0.0.0.0")

    async def ask(origin: str) -> int:
        async with client_of(app) as client:
            headers = {"origin": origin, "host": "play.example"}
            return (
                await client.post("/api/sign-in", json=CREDENTIALS, headers=headers)
            ).status_code

    assert run(ask("https://play.example")) == 200
    assert run(ask("http://play.example")) == 403


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("127.0.0.1:8710", 200),
        ("localhost:8710", 200),
        ("[::1]:8710", 200),
        ("evil.example", 403),
        ("evil.example:8710", 403),
        ("127.0.0.1.evil.example", 403),
        ("[evil", 403),
        ("", 403),
    ],
)
def test_rebound_host_name_is_refused(
    run: LoopRunner, client: httpx.AsyncClient, host: str, status: int
) -> None:
    answer = run(client.get("/api/health", headers={"host": host}))
    assert answer.status_code == status
    assert json.loads(answer.text)


def test_public_server_accepts_any_host_name(
    run: LoopRunner, house: LiveTables, people: People, settings: Settings
) -> None:
    app = with_settings(house, people, settings, host="0.0.0.0")

    async def ask() -> int:
        async with client_of(app) as client:
            answer = await client.get("/api/health", headers={"host": "anything.example"})
            return answer.status_code

    assert run(ask()) == 200


def test_invalid_cookie_is_no_session(run: LoopRunner, client: httpx.AsyncClient) -> None:
    for text in ("x", "a.b", '"', "\x7f", "%00"):
        answer = run(client.get("/api/me", headers={"cookie": f"{SESSION_COOKIE}={text}"}))
        assert answer.status_code == 401, text


@pytest.mark.parametrize("role", [role for role in NAMES if role != "supervisor"])
def test_a_role_cannot_be_claimed(run: LoopRunner, signed_in: SignedIn, role: Role) -> None:
    answer = run(signed_in(role).post("/api/people", json={"role": "supervisor"}))
    assert answer.status_code == 403
