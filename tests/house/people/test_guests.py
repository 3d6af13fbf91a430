"""Signing in takes a guest's rounds and decisions along: once, with the guest's own cookie."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI
from tests.house.web.coached import rounds
from tests.house.web.conftest import (
    NAMES,
    PASSWORD,
    Running,
    SignedIn,
    client_of,
    opened,
    people_of,
)
from tests.house.web.live import SHEETS, Json
from tests.house.web.test_routes_tables import ANTE, STUD, Player, guest_of

from pitbook.house.people.sessions import SESSION_COOKIE
from pitbook.house.table import practice
from pitbook.house.web.app import create_app
from pitbook.house.web.server import Server
from pitbook.house.web.services import Services
from pitbook.house.web.settings import Settings

ANN = {"name": NAMES["player"], "password": PASSWORD}
SUE = {"name": NAMES["supervisor"], "password": PASSWORD}


async def sign_in(http: httpx.AsyncClient, who: Json = ANN) -> None:
    answer = await http.post("/api/sign-in", json=who)
    assert answer.status_code == 200, answer.text


async def told(http: httpx.AsyncClient, path: str) -> Json:
    answer = await http.get(path)
    assert answer.status_code == 200, answer.text
    found: Json = answer.json()
    return found


async def past(http: httpx.AsyncClient) -> tuple[list[str], list[Json], Json]:
    """Rounds, decisions and accuracy, as somebody is told of them."""
    coach = await told(http, "/api/coach?count=1000")
    listed = (await told(http, "/api/rounds?count=100"))["rounds"]
    return [one["round"] for one in listed], coach["decisions"], coach["all"]


@pytest.mark.long
def test_rounds_decisions_and_accuracy_go_along(
    run: Running, client: httpx.AsyncClient, signed_in: SignedIn
) -> None:
    async def play() -> None:
        ann = signed_in("player")
        own = await guest_of(ann)
        await rounds(own, 1)
        guest = await guest_of(client)
        await rounds(guest, 2)
        mine, decisions, score = await past(client)
        before = await past(ann)
        assert (len(mine), len(before[0])) == (2, 1)
        await sign_in(client)
        after = await past(client)
        assert set(after[0]) == {*mine, *before[0]}
        assert len(after[1]) == len(decisions) + len(before[1])
        assert after[2]["decisions"] == score["decisions"] + before[2]["decisions"]
        assert after[2]["mistakes"] == score["mistakes"] + before[2]["mistakes"]
        assert after == await past(ann), "it is the account's, wherever it signs in"

    run(play())


@pytest.mark.long
def test_the_table_goes_along_in_the_midst_of_a_hand(
    run: Running, client: httpx.AsyncClient
) -> None:
    async def play() -> None:
        guest = await guest_of(client)
        await guest.fine(ANTE)
        await guest.fine({"do": "close-betting"})
        await sign_in(client)
        view = await guest.look()
        (mine,) = (one for one in view["seats"] if one["player"] == view["you"])
        assert None not in mine["cards"]
        await guest.fine({"do": "decide", "seat": 1, "play": "fold"})
        tables = (await told(client, "/api/tables"))["tables"]
        (found,) = (one for one in tables if one["table"] == guest.table)
        assert found["players"] == [ANN["name"]]
        (one,) = (await told(client, f"/api/tables/{guest.table}/rounds"))["rounds"]
        path = f"/api/tables/{guest.table}/rounds/{one['round']}"
        assert (await told(client, path))["mine"] == [1]
        assert (await told(client, f"{path}/proof"))["round_id"] == one["round"]
        link = await client.post(f"{path}/share")
        assert link.status_code == 200, link.text
        shared = await told(client, f"/api{link.json()['path']}")
        assert (shared["mine"], shared["shared_by"]) == ([1], ANN["name"])
        spot = {"round": one["round"], "stage": 0, "request": "again"}
        answer = await client.post(f"/api/tables/{guest.table}/spots", json=spot)
        assert answer.status_code == 200, answer.text
        retire = await guest.do({"do": "retire"}, "bye")
        assert (await guest.do({"do": "retire"}, "bye")).json() == retire.json()

    run(play())


@pytest.mark.long
def test_an_invitation_takes_them_along_too(
    run: Running, client: httpx.AsyncClient, server: Server
) -> None:
    async def play() -> None:
        await rounds(await guest_of(client), 1)
        mine = await past(client)
        token = server.people.invite("player", actor="sue")
        body = {"name": "newcomer", "password": PASSWORD}
        answer = await client.post(f"/api/invitations/{token}", json=body)
        assert answer.status_code == 201, answer.text
        assert await past(client) == mine

    run(play())


@pytest.mark.long
def test_a_guest_goes_along_once_and_the_cookie_ends(
    run: Running, app: FastAPI, client: httpx.AsyncClient, server: Server
) -> None:
    async def play() -> None:
        guest = await guest_of(client)
        await rounds(guest, 1)
        token = str(client.cookies[SESSION_COOKIE])
        await sign_in(client)
        mine = await past(client)
        async with client_of(app) as thief:
            thief.cookies.set(SESSION_COOKIE, token)
            assert (await thief.get(f"/api/tables/{guest.table}")).status_code == 401
            await sign_in(thief, SUE)
            assert await past(thief) == ([], [], (await past(thief))[2])
        assert await past(client) == mine
        facts = [fact for entry in server.house.ledger.entries("persons") for fact in entry.facts]
        assert [one["name"] for one in facts if one["fact"] == "joined"] == [ANN["name"]]

    run(play())


@pytest.mark.long
@pytest.mark.parametrize("bend", ["name", "mac", "player"])
def test_nobody_takes_somebody_elses_guest(
    run: Running, app: FastAPI, client: httpx.AsyncClient, server: Server, bend: str
) -> None:
    """Not by a cookie that is bent, nor by one of a player."""

    async def play() -> None:
        await rounds(await guest_of(client), 1)
        mine, token = await past(client), str(client.cookies[SESSION_COOKIE])
        async with client_of(app) as thief:
            if bend == "player":
                await sign_in(thief, SUE)
            else:
                payload, _, mac = token.partition(".")
                bent = (
                    f"{payload[:-2]}AA.{mac}" if bend == "name" else f"{payload}.{mac.swapcase()}"
                )
                thief.cookies.set(SESSION_COOKIE, bent)
            await sign_in(thief)
            assert (await past(thief))[0] == []
        assert await past(client) == mine
        assert server.people.persons.catch_up().joined == {}

    run(play())


@pytest.mark.long
def test_a_wrong_password_takes_nothing(
    run: Running, client: httpx.AsyncClient, server: Server
) -> None:
    async def play() -> None:
        await rounds(await guest_of(client), 1)
        mine = await past(client)
        wrong = await client.post("/api/sign-in", json={**ANN, "password": "not this one"})
        assert wrong.status_code == 401
        assert await past(client) == mine
        assert server.people.persons.catch_up().joined == {}

    run(play())


def test_a_guest_who_has_nothing_leaves_no_fact(
    run: Running, app: FastAPI, server: Server, signed_in: SignedIn
) -> None:
    async def play() -> None:
        await sign_in(signed_in("guest"))
        assert server.people.persons.catch_up().joined == {}

    run(play())


def test_whoever_is_excluded_plays_at_no_table_that_went_along(
    run: Running, client: httpx.AsyncClient, server: Server, app: FastAPI
) -> None:
    async def play() -> None:
        guest = await guest_of(client)
        await sign_in(client)
        persons = server.people.persons
        persons.exclude(ANN["name"], until=None, why="asked for it", actor="sue")
        refused = await guest.do(ANTE)
        assert refused.json()["refused"]["code"] == "excluded"
        offers = (await guest.look())["offers"]
        (ante,) = (one for one in offers if one.get("wager") == "ante")
        assert ante["refused"]["code"] == "excluded"
        persons.readmit(ANN["name"], why="the time is over", actor="sue")
        await guest.fine(ANTE)

    run(play())


def test_an_excluded_guest_is_excluded_under_any_name(
    run: Running, client: httpx.AsyncClient, server: Server
) -> None:
    async def play() -> None:
        guest = await guest_of(client)
        name = (await told(client, "/api/me"))["name"]
        server.people.persons.exclude(name, until=None, why="asked for it", actor="sue")
        await sign_in(client)
        assert (await guest.do(ANTE)).json()["refused"]["code"] == "excluded"
        again = await client.post("/api/practice", json={"sheet": STUD})
        assert again.json()["refused"]["code"] == "excluded"

    run(play())


def test_whom_the_pit_has_disabled_plays_at_no_table_that_went_along(
    run: Running, client: httpx.AsyncClient, app: FastAPI
) -> None:
    async def play() -> None:
        guest = await guest_of(client)
        await sign_in(client)
        services: Services = app.state.services
        await services.pit.shut("player", ANN["name"], why="a debt", actor="sue")
        assert "the pit has disabled ann" in (await guest.do(ANTE)).text

    run(play())


@asynccontextmanager
async def house_at(path: Path, settings: Settings) -> AsyncIterator[FastAPI]:
    async with opened(path) as house:
        people = people_of(house, settings)
        if not people.all():
            people.add(ANN["name"], "player", PASSWORD, actor="test")
        yield create_app(house, people, settings)


@pytest.mark.long
def test_it_is_still_the_accounts_after_a_restart(
    run: Running, tmp_path: Path, settings: Settings
) -> None:
    async def play() -> None:
        async with house_at(tmp_path, settings) as app, client_of(app) as http:
            guest = await guest_of(http)
            await rounds(guest, 2)
            await sign_in(http)
            mine = await past(http)
            assert len(mine[0]) == 2
        async with house_at(tmp_path, settings) as app, client_of(app) as http:
            await sign_in(http)
            assert await past(http) == mine
            again = Player(http, guest.table)
            again.number = guest.number
            await rounds(again, 1)
            assert len((await past(http))[0]) == 3

    run(play())


@pytest.mark.long
def test_what_an_account_has_practised_is_not_cleared_away_in_half_an_hour(
    run: Running, app: FastAPI, client: httpx.AsyncClient, server: Server
) -> None:
    async def play() -> None:
        kept = await guest_of(client)
        await rounds(kept, 1)
        await sign_in(client)
        unused = await guest_of(client, SHEETS[1])
        async with client_of(app) as stranger:
            lost = await guest_of(stranger)
            await rounds(lost, 1)
        mine = await past(client)
        services: Services = app.state.services
        now = [0.0]
        services.practice._clock, services.practice._swept = (lambda: now[0]), 0.0
        for later in (practice.SWEEP_SECONDS, practice.SWEEP_SECONDS + practice.IDLE_SECONDS + 1):
            now[0] = later
            await services.practice.sweep()
        assert set(server.house.tables) == {kept.table}
        assert unused.table not in server.house.tables
        assert await past(client) == mine
        server.limiter.guest_tables.most = 2
        await guest_of(client, SHEETS[1])
        full = await client.post("/api/practice", json={"sheet": SHEETS[2]})
        assert (full.status_code, "you have 2 practice tables" in full.text) == (429, True)
        async with client_of(app) as neighbour:  # Its idle tables take nobody else's place.
            await guest_of(neighbour)
        now[0] += practice.MEMBER_IDLE_SECONDS + practice.SWEEP_SECONDS
        await services.practice.sweep()
        assert kept.table not in server.house.tables

    run(play())
