"""A guest is told nothing of others' tables and rounds: there or not, the answer is the same."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx
import pytest
from fastapi import FastAPI
from fastapi.routing import APIRoute
from tests.house.web.conftest import Running, client_of
from tests.house.web.live import SHEETS
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
async def others(app: FastAPI, server: Server) -> AsyncIterator[tuple[Player, str]]:
    """Tables of every kind; a guest, and another's practice table, where a round was played."""
    house, sheet = server.house, load(SHEETS[0])
    for name in (HELD, RETIRED):
        await house.open_table(name, "house", unit="usd", sheet=sheet)
    await house.open_table(TYPED, "typed", unit="usd", sheet=sheet)
    await house.unload(RETIRED)  # As one that another process holds, or that is retired.
    async with client_of(app) as one, client_of(app) as two:
        other = await played(one)
        yield await played(two), other.table


async def played(http: httpx.AsyncClient) -> Player:
    """A guest who has played a round."""
    guest = await guest_of(http, STUD)
    await guest.bet(1)
    await guest.fine({"do": "close-betting"})
    await guest.play(1)
    return guest


def told(answer: httpx.Response, *names: str) -> tuple[int, str]:
    """What was answered, but for the names that were asked for."""
    text = answer.text
    for name in names:
        text = text.replace(name, "*")
    return answer.status_code, text


@pytest.mark.long
def test_every_route_reads_alike_for_tables_that_are_there_and_that_are_not(
    run: Running, app: FastAPI, server: Server
) -> None:
    async def ask(guest: Player, route: APIRoute, table: str) -> tuple[int, str]:
        body, method = BODIES.get(route.name), min(route.methods or {"GET"})
        path = path_of(route, table)
        return told(await guest.http.request(method, path, json=body), table)

    async def look() -> list[str]:
        wrong = []
        async with others(app, server) as (guest, other):
            unknown = f"practice-{'0' * (len(other) - len('practice-'))}"
            for route in AT_TABLES:
                if "guest" not in ROUTE_ROLES[route.name]:
                    continue
                for alike in (OTHERS, (other, unknown)):
                    answers = {one: await ask(guest, route, one) for one in alike}
                    if len(set(answers.values())) > 1:
                        wrong.append(f"{route.name}: {answers}")
                    if any(status < 400 for status, _ in answers.values()):
                        wrong.append(f"{route.name} lets in: {answers}")
        return wrong

    assert run(look()) == []


@pytest.mark.long
def test_rounds_of_others_read_like_rounds_that_never_were(
    run: Running, app: FastAPI, server: Server
) -> None:
    async def look() -> None:
        async with others(app, server) as (guest, other):
            here = f"/api/tables/{guest.table}/rounds"
            asked = (f"{other}-000001", f"{other}-000009", f"{HELD}-000001", "practice-0-000001")
            for method, path in (("GET", ""), ("POST", "/share"), ("GET", "/proof")):
                answers = {
                    told(await guest.http.request(method, f"{here}/{one}{path}"), one)
                    for one in asked
                }
                assert len(answers) == 1, answers
                ((status, text),) = answers
                assert status == 404
                assert "practice-" not in text.replace(guest.table, "")
                assert "stud" not in text
            for end in ("before", "after"):
                for path in ("/api/rounds", here):
                    answers = {
                        told(await guest.http.get(path, params={end: one}), one) for one in asked
                    }
                    assert len(answers) == 1, answers
                    assert next(iter(answers))[0] == 400

    run(look())


def test_ones_own_table_and_rounds_are_seen_as_ever(
    run: Running, app: FastAPI, server: Server
) -> None:
    async def look() -> None:
        async with others(app, server) as (guest, _):
            listed = (await guest.http.get("/api/tables")).json()["tables"]
            assert [one["table"] for one in listed] == [guest.table]
            mine = (await guest.http.get("/api/rounds")).json()["rounds"]
            assert [one["round"] for one in mine] == [f"{guest.table}-000001"]
            first = {"before": mine[0]["round"]}
            assert (await guest.http.get("/api/rounds", params=first)).json()["rounds"] == []
            round = f"/api/tables/{guest.table}/rounds/{mine[0]['round']}"
            assert (await guest.http.get(round)).status_code == 200
            # A table of one's own that another process holds is to be asked for there.
            await server.house.unload(guest.table)
            assert (await guest.http.get(f"/api/tables/{guest.table}")).status_code == 421

    run(look())


def test_a_socket_says_no_more(run: Running, app: FastAPI, server: Server) -> None:
    async def look() -> None:
        async with others(app, server) as (guest, other):
            cookie = {"cookie": f"{SESSION_COOKIE}={guest.http.cookies[SESSION_COOKIE]}"}
            for table in (*OTHERS, other, "practice-0"):
                answer = await handshake(app, f"/api/tables/{table}/socket", cookie)
                assert answer == (REFUSED, 404), table

    run(look())


@pytest.mark.long
def test_how_many_tables_there_are_is_for_this_machine_and_the_staff(
    run: Running, app: FastAPI, server: Server
) -> None:
    async def look() -> None:
        async with others(app, server) as (guest, _), client_of(app, "10.0.0.1") as far:
            assert (await guest.http.get("/api/ready")).json()["tables"] == 4
            assert (await far.get("/api/ready")).json() == {"status": "ready", "tables": None}
            far.cookies.set(SESSION_COOKIE, guest.http.cookies[SESSION_COOKIE])
            assert (await far.get("/api/ready")).json() == {"status": "ready", "tables": None}

    run(look())
