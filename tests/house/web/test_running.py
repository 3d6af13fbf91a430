"""Health, readiness, figures, logs and the description of the API."""

from __future__ import annotations

import io
import json
import logging
from http import HTTPStatus
from typing import Any

import httpx
import pytest
from fastapi import APIRouter, FastAPI
from tests.house.web.conftest import PASSWORD, Running, SignedIn, client_of

from pitbook.errors import InDoubt, LedgerError, Overdrawn, RequestReused, Superseded
from pitbook.house.people.accounts import People
from pitbook.house.table.tables import LiveTables
from pitbook.house.web import logs
from pitbook.house.web.access import ANYONE, ROUTE_ROLES
from pitbook.house.web.app import _watch_register, create_app
from pitbook.house.web.errors import RefusedPlay
from pitbook.house.web.server import Server
from pitbook.house.web.settings import Settings
from pitbook.rules.refusals import Code, Refusal


def test_health_is_for_anybody(run: Running, client: httpx.AsyncClient) -> None:
    answer = run(client.get("/api/health"))
    assert (answer.status_code, answer.json()) == (200, {"status": "up"})


def test_ready_while_the_book_can_be_read(
    run: Running, client: httpx.AsyncClient, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = run(client.get("/api/ready"))
    assert (answer.status_code, answer.json()) == (200, {"status": "ready", "tables": 0})

    def broken(_: str) -> None:
        raise LedgerError("the book cannot be read: no disk")

    with monkeypatch.context() as patched:
        patched.setattr(server.house.ledger, "stream", broken)
        answer = run(client.get("/api/ready"))
        assert (answer.status_code, answer.headers["retry-after"]) == (503, "5")
        assert answer.json()["error"] == "the book cannot be read: no disk"
    server.stopping.set()
    answer = run(client.get("/api/ready"))
    assert (answer.status_code, answer.json()["error"]) == (503, "the house is closing")
    assert run(client.get("/api/health")).status_code == 200


def figures(text: str) -> dict[str, float]:
    rows = (line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#"))
    return {name: float(value) for name, value in rows}


def test_metrics_count_what_happened(
    run: Running, client: httpx.AsyncClient, server: Server
) -> None:
    run(client.get("/api/health"))
    run(client.get("/nothing/here"))
    run(client.request("BREW", "/api/health"))
    run(client.post("/api/sign-in", json={"name": "ann", "password": PASSWORD}))
    run(client.post("/api/sign-in", json={"name": "ann", "password": "wrong one"}))
    server.metrics.count_answer(Refusal(Code.BELOW_MINIMUM, "no"))
    server.metrics.count_answer(object())
    server.metrics.sockets.inc()
    answer = run(client.get("/metrics"))
    assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
    found = figures(answer.text)
    health = 'route="/api/health"'
    assert found[f'pitbook_http_requests_total{{method="GET",{health},status="200"}}'] == 1
    assert found['pitbook_http_requests_total{method="GET",route="(none)",status="404"}'] == 1
    assert found[f"pitbook_http_request_seconds_count{{{health}}}"] >= 1
    assert found['pitbook_sign_ins_total{result="succeeded"}'] == 1
    assert found['pitbook_sign_ins_total{result="failed"}'] == 1
    assert found['pitbook_commands_refused_total{code="below-minimum"}'] == 1
    assert found["pitbook_commands_accepted_total"] == 1
    assert found["pitbook_websocket_connections"] == 1
    assert found["pitbook_tables"] == 0
    entries = sum(one.seq for one in server.house.ledger.streams())
    assert found["pitbook_ledger_entries"] == entries > 5
    assert "BREW" not in answer.text
    assert "ann" not in answer.text


def test_metrics_are_for_this_machine_and_for_those_who_look_after_it(
    run: Running, app: FastAPI, server: Server, signed_in: SignedIn
) -> None:
    async def ask(address: str, cookies: Any = None, **headers: str) -> int:
        async with client_of(app, address) as client:
            client.cookies = cookies
            return (await client.get("/metrics", headers=headers)).status_code

    assert run(ask("127.0.0.1")) == 200
    assert run(ask("::1")) == 200
    assert run(ask("10.0.0.1")) == 401
    assert run(ask("127.0.0.1", None, **{"x-forwarded-for": "1.2.3.4"})) == 401, "a proxy of ours"
    assert run(ask("127.0.0.1", None, forwarded="for=1.2.3.4")) == 401
    for role, status in [("auditor", 200), ("supervisor", 200), ("player", 403), ("guest", 403)]:
        assert run(ask("10.0.0.1", signed_in(role).cookies)) == status  # type: ignore[arg-type]


@pytest.mark.long
def test_the_api_describes_itself(run: Running, client: httpx.AsyncClient) -> None:
    document = run(client.get("/api/openapi.json")).json()
    assert document["info"]["title"] == "Pitbook"
    routes = [(path, method) for path, one in document["paths"].items() for method in one]
    assert ("/api/sign-in", "post") in routes
    for path, methods in document["paths"].items():
        for method, told in methods.items():
            assert told["summary"], (method, path)
            assert told["description"], (method, path)


def test_every_request_is_a_line_of_json_without_secrets(
    run: Running, client: httpx.AsyncClient, server: Server, lines: io.StringIO
) -> None:
    token = server.people.invite("dealer")
    run(client.post(f"/api/invitations/{token}", json={"name": "bob", "password": PASSWORD}))
    run(client.get("/api/me?password=hunter2hunter2"))
    run(client.post("/api/sign-in", json={"name": PASSWORD, "password": "wrong"}))
    text = lines.getvalue()
    read = [json.loads(line) for line in text.splitlines()]
    asked = [one for one in read if one["event"] == "http_request"]
    assert [(one["method"], one["route"], one["status"]) for one in asked] == [
        ("POST", "/api/invitations/{token}", 201),
        ("GET", "/api/me", 200),
        ("POST", "/api/sign-in", 401),
    ]
    assert set(asked[0]) == {
        "time",
        "level",
        "event",
        "method",
        "route",
        "status",
        "duration_ms",
        "address",
    }
    assert asked[0]["address"] == "127.0.0.1"
    assert [one["level"] for one in read if one["event"] == "sign_in_failed"] == ["warning"]
    for secret in (token, PASSWORD, "hunter2", client.cookies["pitbook_session"], "bob"):
        assert secret not in text


def test_a_line_of_anything_is_one_line(lines: io.StringIO) -> None:
    logs.log_event(logging.WARNING, "two\nlines", odd=object(), name="\ud800")
    logging.getLogger("uvicorn.error").info("started %s", "well")
    logging.getLogger("pitbook").debug("not told")
    first, second = (json.loads(line) for line in lines.getvalue().splitlines())
    assert (first["event"], first["name"]) == ("two\nlines", "\ud800")
    assert second["event"] == "started well"


# What goes wrong ----------------------------------------------------------------------------------


@pytest.fixture
def failing(app: FastAPI, monkeypatch: pytest.MonkeyPatch) -> dict[str, Exception]:
    """A route that raises what a test puts here."""
    monkeypatch.setitem(ROUTE_ROLES, "failing", ANYONE)
    given: dict[str, Exception] = {}
    router = APIRouter()

    @router.get("/api/failing", name="failing")
    def fail(number: int = 0) -> None:
        raise given["it"]

    app.include_router(router)
    return given


@pytest.mark.parametrize(
    ("raised", "expected"),
    [
        (LedgerError("two\nlines"), (400, None)),
        (Overdrawn("wallet:ann holds $1.00"), (409, None)),
        (RequestReused("r1"), (409, None)),
        (InDoubt("it is not known"), (503, "1")),
        (Superseded("another process"), (503, "1")),
    ],
    ids=lambda one: type(one).__name__ if isinstance(one, Exception) else str(one),
)
def test_our_errors_are_sentences(
    run: Running,
    client: httpx.AsyncClient,
    failing: dict[str, Exception],
    raised: Exception,
    expected: tuple[int, str | None],
) -> None:
    failing["it"] = raised
    answer = run(client.get("/api/failing"))
    assert (answer.status_code, answer.headers.get("retry-after")) == expected
    assert answer.json()["error"] == " ".join(str(raised).split())


def test_a_refused_play_is_a_conflict_with_its_clause(
    run: Running, client: httpx.AsyncClient, server: Server, failing: dict[str, Exception]
) -> None:
    failing["it"] = RefusedPlay(Refusal(Code.BELOW_MINIMUM, "the ante is $5.00 at least", "CMS-2"))
    answer = run(client.get("/api/failing"))
    told = {"code": "below-minimum", "message": "the ante is $5.00 at least", "clause": "CMS-2"}
    assert (answer.status_code, answer.json()) == (409, {"refused": told})
    found = figures(server.metrics.text().decode())
    assert found['pitbook_commands_refused_total{code="below-minimum"}'] == 1


def test_our_own_mistake_is_logged_and_not_shown(
    run: Running,
    client: httpx.AsyncClient,
    server: Server,
    failing: dict[str, Exception],
    lines: io.StringIO,
) -> None:
    failing["it"] = KeyError("the inside of things")
    answer = run(client.get("/api/failing"))
    assert answer.status_code == 500
    assert answer.json()["error"] == "this is our own mistake, not yours; it is logged"
    logged = [json.loads(line) for line in lines.getvalue().splitlines()]
    assert [one["status"] for one in logged if one["event"] == "http_request"] == [500]
    (told,) = (one for one in logged if one["event"] == "internal_error")
    assert "the inside of things" in told["traceback"]


def test_what_is_not_there_and_what_is_not_taken(run: Running, client: httpx.AsyncClient) -> None:
    answer = run(client.get("/api/nothing"))
    said = "there is nothing at this address; /api/docs lists what there is"
    assert (answer.status_code, answer.json()["error"]) == (404, said)
    answer = run(client.delete("/api/health"))
    assert answer.status_code == HTTPStatus.METHOD_NOT_ALLOWED
    assert answer.headers["allow"] == "GET"
    assert answer.json()["error"].startswith("this address does not take that method")


def test_a_wrong_field_is_named(
    run: Running, client: httpx.AsyncClient, failing: dict[str, Exception]
) -> None:
    for body, said in [
        ({}, '"name" is missing in the body'),
        ({"name": 1, "password": "x"}, '"name" in the body: it should be a valid string'),
        ({"name": "a", "password": "x", "b": 1}, '"b" is no field of the body'),
    ]:
        answer = run(client.post("/api/sign-in", json=body))
        assert (answer.status_code, answer.json()["error"]) == (422, said)
    failing["it"] = AssertionError()
    answer = run(client.get("/api/failing?number=x"))
    assert answer.status_code == 422
    assert answer.json()["error"].startswith('"number" in the query: it should be a valid integer')


def test_tables_that_are_not_here(run: Running, server: Server) -> None:
    from pitbook import load
    from pitbook.house.table.commands import By, Envelope, Retire
    from pitbook.house.web.errors import Elsewhere, Problem

    house = server.house
    with pytest.raises(Problem, match='there is no table "x"; none is open') as missing:
        server.table("x")
    assert missing.value.status == 404
    sheet = load("catfish-bend/mississippi-stud")
    table = run(house.open_table("stud-1", "house", unit="usd", sheet=sheet))
    assert server.table("stud-1") is table
    with pytest.raises(Problem, match=r'no table "stud-2"; did you mean "stud-1"\?'):
        server.table("stud-2")
    house.tables.pop("stud-1")
    with pytest.raises(Elsewhere, match='table "stud-1" is not held by this process') as held:
        server.table("stud-1")
    assert (held.value.status, held.value.retry_after) == (421, 1)
    run(table.send(Envelope(By("sue", "supervisor"), Retire())))
    with pytest.raises(Problem, match='table "stud-1" is retired') as gone:
        server.table("stud-1")
    assert gone.value.status == 410
    run(table.close())


def test_what_others_decide_about_people_is_heard(
    run: Running, app: FastAPI, server: Server, monkeypatch: pytest.MonkeyPatch, lines: io.StringIO
) -> None:
    import asyncio

    heard: list[int] = []

    def catch_up() -> Any:
        heard.append(1)
        if len(heard) == 1:
            raise LedgerError("no disk")
        return server.people.register

    monkeypatch.setattr("pitbook.house.web.app.REGISTER_CHECK_S", 0)
    monkeypatch.setattr(server.people, "catch_up", catch_up)

    async def live() -> None:
        async with app.router.lifespan_context(app):
            while len(heard) < 3:
                await asyncio.sleep(0)
        assert server.stopping.is_set()

    run(live())
    assert '"event": "register_read_failed", "reason": "no disk"' in lines.getvalue()
    assert _watch_register.__doc__


def test_every_answer_tells_browsers_to_keep_and_guess_nothing(
    run: Running, app: FastAPI, client: httpx.AsyncClient
) -> None:
    for path in ("/api/health", "/api/nothing", "/api/me"):
        headers = run(client.get(path)).headers
        assert headers["cache-control"] == "no-store"
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["x-frame-options"] == "DENY"
        assert headers["content-security-policy"] == "default-src 'none'; frame-ancestors 'none'"
        assert "strict-transport-security" not in headers


def test_behind_tls_it_stays_so(
    run: Running, house: LiveTables, people: People, settings: Settings
) -> None:
    app = create_app(house, people, settings.model_copy(update={"https": True}))

    async def ask() -> str:
        async with client_of(app) as client:
            answer = await client.get("/api/health")
            return str(answer.headers["strict-transport-security"])

    assert run(ask()) == "max-age=31536000"
