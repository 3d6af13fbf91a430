"""Health, readiness, metrics, logs and the OpenAPI document."""

from __future__ import annotations

import io
import json
import logging
from http import HTTPStatus
from typing import Any

import httpx
import pytest
from fastapi import APIRouter, FastAPI
from tests.house.web.conftest import PASSWORD, LoopRunner, SignedIn, client_of

from pitbook.errors import InDoubt, LedgerError, Overdrawn, RequestReused, Superseded
from pitbook.house.people.accounts import People
from pitbook.house.settings import Settings
from pitbook.house.table.live_tables import LiveTables
from pitbook.house.web import logs
from pitbook.house.web.access import ANYONE, ROUTE_ROLES
from pitbook.house.web.app import _watch_register, create_app
from pitbook.house.web.errors import RefusedPlay
from pitbook.house.web.server import Server
from pitbook.rules.refusals import Code, Refusal


def test_health_needs_no_session(run: LoopRunner, client: httpx.AsyncClient) -> None:
    answer = run(client.get("/api/health"))
    assert (answer.status_code, answer.json()) == (200, {"status": "up"})


def test_ready_while_the_ledger_can_be_read(
    run: LoopRunner, client: httpx.AsyncClient, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = run(client.get("/api/ready"))
    assert (answer.status_code, answer.json()) == (200, {"status": "ready", "tables": 0})

    def fail(_: str) -> None:
        raise LedgerError("The ledger cannot be read: no disk.")

    with monkeypatch.context() as patched:
        patched.setattr(server.house.ledger, "stream", fail)
        answer = run(client.get("/api/ready"))
        assert (answer.status_code, answer.headers["retry-after"]) == (503, "5")
        assert answer.json()["error"] == "The ledger cannot be read: no disk."
    server.stopping.set()
    answer = run(client.get("/api/ready"))
    assert (answer.status_code, answer.json()["error"]) == (503, "The server is shutting down.")
    assert run(client.get("/api/health")).status_code == 200


def parse_metrics(text: str) -> dict[str, float]:
    rows = (line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#"))
    return {name: float(value) for name, value in rows}


def test_metrics_count_what_happened(
    run: LoopRunner, client: httpx.AsyncClient, server: Server
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
    metrics = parse_metrics(answer.text)
    health = 'route="/api/health"'
    assert metrics[f'pitbook_http_requests_total{{method="GET",{health},status="200"}}'] == 1
    assert metrics['pitbook_http_requests_total{method="GET",route="(none)",status="404"}'] == 1
    assert metrics[f"pitbook_http_request_seconds_count{{{health}}}"] >= 1
    assert metrics['pitbook_sign_ins_total{result="succeeded"}'] == 1
    assert metrics['pitbook_sign_ins_total{result="failed"}'] == 1
    assert metrics['pitbook_commands_refused_total{code="below-minimum"}'] == 1
    assert metrics["pitbook_commands_accepted_total"] == 1
    assert metrics["pitbook_websocket_connections"] == 1
    assert metrics["pitbook_tables"] == 0
    entries = sum(stream.seq for stream in server.house.ledger.streams())
    assert metrics["pitbook_ledger_entries"] == entries > 5
    assert "BREW" not in answer.text
    assert "ann" not in answer.text


def test_metrics_are_for_this_machine_and_staff(
    run: LoopRunner, app: FastAPI, server: Server, signed_in: SignedIn
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
def test_every_operation_is_documented(run: LoopRunner, client: httpx.AsyncClient) -> None:
    document = run(client.get("/api/openapi.json")).json()
    assert document["info"]["title"] == "Pitbook"
    routes = [(path, method) for path, methods in document["paths"].items() for method in methods]
    assert ("/api/sign-in", "post") in routes
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            assert operation["summary"], (method, path)
            assert operation["description"], (method, path)


def test_every_request_is_logged_without_secrets(
    run: LoopRunner, client: httpx.AsyncClient, server: Server, lines: io.StringIO
) -> None:
    token = server.people.invite("dealer")
    run(client.post(f"/api/invitations/{token}", json={"name": "bob", "password": PASSWORD}))
    run(client.get("/api/me?password=hunter2hunter2"))
    run(client.post("/api/sign-in", json={"name": PASSWORD, "password": "wrong"}))
    text = lines.getvalue()
    records = [json.loads(line) for line in text.splitlines()]
    requests_logged = [record for record in records if record["event"] == "http_request"]
    assert [
        (record["method"], record["route"], record["status"]) for record in requests_logged
    ] == [
        ("POST", "/api/invitations/{token}", 201),
        ("GET", "/api/me", 200),
        ("POST", "/api/sign-in", 401),
    ]
    assert set(requests_logged[0]) == {
        "time",
        "level",
        "event",
        "method",
        "route",
        "status",
        "duration_ms",
        "address",
    }
    assert requests_logged[0]["address"] == "127.0.0.1"
    assert [record["level"] for record in records if record["event"] == "sign_in_failed"] == [
        "warning"
    ]
    for secret in (token, PASSWORD, "hunter2", client.cookies["pitbook_session"], "bob"):
        assert secret not in text


def test_log_record_is_one_line(lines: io.StringIO) -> None:
    logs.log_event(logging.WARNING, "two\nlines", odd=object(), name="\ud800")
    logging.getLogger("uvicorn.error").info("started %s", "well")
    logging.getLogger("pitbook").debug("not revealed")
    first, second = (json.loads(line) for line in lines.getvalue().splitlines())
    assert (first["event"], first["name"]) == ("two\nlines", "\ud800")
    assert second["event"] == "started well"


# What goes wrong ----------------------------------------------------------------------------------


@pytest.fixture
def failing(app: FastAPI, monkeypatch: pytest.MonkeyPatch) -> dict[str, Exception]:
    """A route that raises the exception a test puts here."""
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
    ids=lambda param: type(param).__name__ if isinstance(param, Exception) else str(param),
)
def test_pitbook_errors_have_statuses_and_messages(
    run: LoopRunner,
    client: httpx.AsyncClient,
    failing: dict[str, Exception],
    raised: Exception,
    expected: tuple[int, str | None],
) -> None:
    failing["it"] = raised
    answer = run(client.get("/api/failing"))
    assert (answer.status_code, answer.headers.get("retry-after")) == expected
    assert answer.json()["error"] == " ".join(str(raised).split())


def test_refused_play_is_a_conflict_with_its_clause(
    run: LoopRunner, client: httpx.AsyncClient, server: Server, failing: dict[str, Exception]
) -> None:
    failing["it"] = RefusedPlay(Refusal(Code.BELOW_MINIMUM, "the ante is $5.00 at least", "CMS-2"))
    answer = run(client.get("/api/failing"))
    refusal = {"code": "below-minimum", "message": "the ante is $5.00 at least", "clause": "CMS-2"}
    assert (answer.status_code, answer.json()) == (409, {"refused": refusal})
    metrics = parse_metrics(server.metrics.text().decode())
    assert metrics['pitbook_commands_refused_total{code="below-minimum"}'] == 1


def test_bug_is_logged_and_not_shown(
    run: LoopRunner,
    client: httpx.AsyncClient,
    server: Server,
    failing: dict[str, Exception],
    lines: io.StringIO,
) -> None:
    failing["it"] = KeyError("the inside of things")
    answer = run(client.get("/api/failing"))
    assert answer.status_code == 500
    assert answer.json()["error"] == "Internal error. It has been logged."
    logged = [json.loads(line) for line in lines.getvalue().splitlines()]
    assert [record["status"] for record in logged if record["event"] == "http_request"] == [500]
    (record,) = (record for record in logged if record["event"] == "internal_error")
    assert "the inside of things" in record["traceback"]


def test_unknown_address_and_method_are_refused(run: LoopRunner, client: httpx.AsyncClient) -> None:
    answer = run(client.get("/api/nothing"))
    message = "There is nothing at this address. See /api/docs for the list."
    assert (answer.status_code, answer.json()["error"]) == (404, message)
    answer = run(client.delete("/api/health"))
    assert answer.status_code == HTTPStatus.METHOD_NOT_ALLOWED
    assert answer.headers["allow"] == "GET"
    assert answer.json()["error"].startswith("This address does not accept that method")


def test_invalid_field_is_named(
    run: LoopRunner, client: httpx.AsyncClient, failing: dict[str, Exception]
) -> None:
    for body, message in [
        ({}, '"name" is missing in the body.'),
        ({"name": 1, "password": "x"}, '"name" in the body: it should be a valid string.'),
        ({"name": "a", "password": "x", "b": 1}, '"b" is not a field of the body.'),
    ]:
        answer = run(client.post("/api/sign-in", json=body))
        assert (answer.status_code, answer.json()["error"]) == (422, message)
    failing["it"] = AssertionError()
    answer = run(client.get("/api/failing?number=x"))
    assert answer.status_code == 422
    assert answer.json()["error"].startswith('"number" in the query: it should be a valid integer')


def test_missing_moved_and_retired_tables(run: LoopRunner, server: Server) -> None:
    from pitbook import load
    from pitbook.house.table.commands import By, Envelope, Retire
    from pitbook.house.web.errors import Elsewhere, Problem

    house = server.house
    with pytest.raises(Problem, match=r'There is no table "x". No table is open.') as missing:
        server.table("x")
    assert missing.value.status == 404
    sheet = load("catfish-bend/mississippi-stud")
    table = run(house.open_table("stud-1", "house", unit="usd", sheet=sheet))
    assert server.table("stud-1") is table
    with pytest.raises(Problem, match=r'no table "stud-2"\. Did you mean "stud-1"\?'):
        server.table("stud-2")
    house.tables.pop("stud-1")
    with pytest.raises(Elsewhere, match='Table "stud-1" is on another server') as held:
        server.table("stud-1")
    assert (held.value.status, held.value.retry_after) == (421, 1)
    run(table.send(Envelope(By("sue", "supervisor"), Retire())))
    with pytest.raises(Problem, match='Table "stud-1" is closed') as gone:
        server.table("stud-1")
    assert gone.value.status == 410
    run(table.close())


def test_account_changes_of_other_processes_are_read(
    run: LoopRunner,
    app: FastAPI,
    server: Server,
    monkeypatch: pytest.MonkeyPatch,
    lines: io.StringIO,
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


def test_every_response_has_security_headers(
    run: LoopRunner, app: FastAPI, client: httpx.AsyncClient
) -> None:
    for path in ("/api/health", "/api/nothing", "/api/me"):
        headers = run(client.get(path)).headers
        assert headers["cache-control"] == "no-store"
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["x-frame-options"] == "DENY"
        assert headers["content-security-policy"] == "default-src 'none'; frame-ancestors 'none'"
        assert "strict-transport-security" not in headers


def test_tls_adds_strict_transport_security(
    run: LoopRunner, house: LiveTables, people: People, settings: Settings
) -> None:
    app = create_app(house, people, settings.model_copy(update={"https": True}))

    async def ask() -> str:
        async with client_of(app) as client:
            answer = await client.get("/api/health")
            return str(answer.headers["strict-transport-security"])

    assert run(ask()) == "max-age=31536000"
