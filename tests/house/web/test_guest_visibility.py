"""Guests learn nothing of others' tables and rounds: existing or not, the answer is the same."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx
import pytest
from fastapi import FastAPI
from fastapi.routing import APIRoute
from tests.house.web.conftest import LoopRunner, client_of
from tests.house.web.live_server import SHEETS
from tests.house.web.test_access import REFUSED, handshake
from tests.house.web.test_access_tables import AT_TABLES, BODIES, path_of
from tests.house.web.test_routes_tables import STUD, Player, guest_of

from pitbook import load
from pitbook.house.people.sessions import SESSION_COOKIE
from pitbook.house.web.access import ROUTE_ROLES
from pitbook.house.web.server import Server

HELD, RETIRED, TYPED, ABSENT = "stud-1", "stud-2", "stud-3", "stud-4"
OTHERS = (HELD, RETIRED, TYPED, ABSENT)


@asynccontextmanager
async def open_other_tables(app: FastAPI, server: Server) -> AsyncIterator[tuple[Player, str]]:
    """Tables of every kind; a guest, and another guest's practice table with a played round."""
    house, sheet = server.house, load(SHEETS[0])
    for name in (HELD, RETIRED):
        await house.open_table(name, "house", unit="usd", sheet=sheet)
    await house.open_table(TYPED, "typed", unit="usd", sheet=sheet)
    await house.unload(RETIRED)  # As if another process held it, or it were retired.
    async with client_of(app) as http, client_of(app) as other_http:
        other = await guest_after_round(http)
        yield await guest_after_round(other_http), other.table


async def guest_after_round(http: httpx.AsyncClient) -> Player:
    """A guest who has played a round."""
    guest = await guest_of(http, STUD)
    await guest.bet(1)
    await guest.accept({"do": "close-betting"})
    await guest.play(1)
    return guest


def redacted_answer(answer: httpx.Response, *names: str) -> tuple[int, str]:
    """An answer without the requested names."""
    text = answer.text
    for name in names:
        text = text.replace(name, "*")
    return answer.status_code, text


@pytest.mark.long
def test_routes_answer_alike_for_existing_and_missing_tables(
    run: LoopRunner, app: FastAPI, server: Server
) -> None:
    async def ask(guest: Player, route: APIRoute, table: str) -> tuple[int, str]:
        body, method = BODIES.get(route.name), min(route.methods or {"GET"})
        path = path_of(route, table)
        return redacted_answer(await guest.http.request(method, path, json=body), table)

    async def look() -> list[str]:
        wrong = []
        async with open_other_tables(app, server) as (guest, other):
            unknown = f"practice-{'0' * (len(other) - len('practice-'))}"
            for route in AT_TABLES:
                if "guest" not in ROUTE_ROLES[route.name]:
                    continue
                for tables in (OTHERS, (other, unknown)):
                    answers = {table: await ask(guest, route, table) for table in tables}
                    if len(set(answers.values())) > 1:
                        wrong.append(f"{route.name}: {answers}")
                    if any(status < 400 for status, _ in answers.values()):
                        wrong.append(f"{route.name} lets in: {answers}")
        return wrong

    assert run(look()) == []


@pytest.mark.long
def test_routes_answer_alike_for_others_and_missing_rounds(
    run: LoopRunner, app: FastAPI, server: Server
) -> None:
    async def look() -> None:
        async with open_other_tables(app, server) as (guest, other):
            rounds_path = f"/api/tables/{guest.table}/rounds"
            round_ids = (
                f"{other}-000001",
                f"{other}-000009",
                f"{HELD}-000001",
                "practice-0-000001",
            )
            for method, path in (("GET", ""), ("POST", "/share"), ("GET", "/proof")):
                answers = {
                    redacted_answer(
                        await guest.http.request(method, f"{rounds_path}/{round_id}{path}"),
                        round_id,
                    )
                    for round_id in round_ids
                }
                assert len(answers) == 1, answers
                ((status, text),) = answers
                assert status == 404
                assert "practice-" not in text.replace(guest.table, "")
                assert "stud" not in text
            for end in ("before", "after"):
                for path in ("/api/rounds", rounds_path):
                    answers = {
                        redacted_answer(
                            await guest.http.get(path, params={end: round_id}), round_id
                        )
                        for round_id in round_ids
                    }
                    assert len(answers) == 1, answers
                    assert next(iter(answers))[0] == 400

    run(look())


def test_own_table_and_rounds_are_visible(run: LoopRunner, app: FastAPI, server: Server) -> None:
    async def look() -> None:
        async with open_other_tables(app, server) as (guest, _):
            listed = (await guest.http.get("/api/tables")).json()["tables"]
            assert [table["table"] for table in listed] == [guest.table]
            mine = (await guest.http.get("/api/rounds")).json()["rounds"]
            assert [round_["round"] for round_ in mine] == [f"{guest.table}-000001"]
            first = {"before": mine[0]["round"]}
            assert (await guest.http.get("/api/rounds", params=first)).json()["rounds"] == []
            round = f"/api/tables/{guest.table}/rounds/{mine[0]['round']}"
            assert (await guest.http.get(round)).status_code == 200
            # Another process holds the table now, so it must be requested there.
            await server.house.unload(guest.table)
            assert (await guest.http.get(f"/api/tables/{guest.table}")).status_code == 421

    run(look())


def test_socket_reveals_no_more(run: LoopRunner, app: FastAPI, server: Server) -> None:
    async def look() -> None:
        async with open_other_tables(app, server) as (guest, other):
            cookie = {"cookie": f"{SESSION_COOKIE}={guest.http.cookies[SESSION_COOKIE]}"}
            for table in (*OTHERS, other, "practice-0"):
                answer = await handshake(app, f"/api/tables/{table}/socket", cookie)
                assert answer == (REFUSED, 404), table

    run(look())


@pytest.mark.long
def test_table_count_is_only_for_this_machine_and_staff(
    run: LoopRunner, app: FastAPI, server: Server
) -> None:
    async def look() -> None:
        async with open_other_tables(app, server) as (guest, _), client_of(app, "10.0.0.1") as far:
            assert (await guest.http.get("/api/ready")).json()["tables"] == 4
            assert (await far.get("/api/ready")).json() == {"status": "ready", "tables": None}
            far.cookies.set(SESSION_COOKIE, guest.http.cookies[SESSION_COOKIE])
            assert (await far.get("/api/ready")).json() == {"status": "ready", "tables": None}

    run(look())
