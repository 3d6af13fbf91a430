"""Signing in links a guest's rounds and decisions once, by the guest's own cookie."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI
from tests.house.web.coach_rounds import play_rounds
from tests.house.web.conftest import (
    NAMES,
    PASSWORD,
    LoopRunner,
    SignedIn,
    client_of,
    open_house,
    people_of,
)
from tests.house.web.live_server import SHEETS, Json
from tests.house.web.test_routes_tables import ANTE, STUD, Player, guest_of

from pitbook.house.people.sessions import SESSION_COOKIE
from pitbook.house.settings import Settings
from pitbook.house.table import practice
from pitbook.house.web.app import create_app
from pitbook.house.web.server import Server
from pitbook.house.web.services import Services

ANN = {"name": NAMES["player"], "password": PASSWORD}
SUE = {"name": NAMES["supervisor"], "password": PASSWORD}


async def sign_in(http: httpx.AsyncClient, who: Json = ANN) -> None:
    answer = await http.post("/api/sign-in", json=who)
    assert answer.status_code == 200, answer.text


async def fetch(http: httpx.AsyncClient, path: str) -> Json:
    answer = await http.get(path)
    assert answer.status_code == 200, answer.text
    document: Json = answer.json()
    return document


async def practice_history(http: httpx.AsyncClient) -> tuple[list[str], list[Json], Json]:
    """Rounds, decisions and accuracy as the server reports them."""
    coach = await fetch(http, "/api/coach?count=1000")
    listed = (await fetch(http, "/api/rounds?count=100"))["rounds"]
    return [round_["round"] for round_ in listed], coach["decisions"], coach["all"]


@pytest.mark.long
def test_sign_in_takes_rounds_decisions_and_accuracy_along(
    run: LoopRunner, client: httpx.AsyncClient, signed_in: SignedIn
) -> None:
    async def play() -> None:
        ann = signed_in("player")
        own_table = await guest_of(ann)
        await play_rounds(own_table, 1)
        guest = await guest_of(client)
        await play_rounds(guest, 2)
        mine, decisions, score = await practice_history(client)
        before = await practice_history(ann)
        assert (len(mine), len(before[0])) == (2, 1)
        await sign_in(client)
        after = await practice_history(client)
        assert set(after[0]) == {*mine, *before[0]}
        assert len(after[1]) == len(decisions) + len(before[1])
        assert after[2]["decisions"] == score["decisions"] + before[2]["decisions"]
        assert after[2]["mistakes"] == score["mistakes"] + before[2]["mistakes"]
        assert after == await practice_history(ann), "it is the account's, wherever it signs in"

    run(play())


@pytest.mark.long
def test_sign_in_during_a_hand_keeps_the_table(run: LoopRunner, client: httpx.AsyncClient) -> None:
    async def play() -> None:
        guest = await guest_of(client)
        await guest.accept(ANTE)
        await guest.accept({"do": "close-betting"})
        await sign_in(client)
        view = await guest.look()
        (own_seat,) = (seat for seat in view["seats"] if seat["player"] == view["you"])
        assert None not in own_seat["cards"]
        await guest.accept({"do": "decide", "seat": 1, "play": "fold"})
        tables = (await fetch(client, "/api/tables"))["tables"]
        (own_table,) = (table for table in tables if table["table"] == guest.table)
        assert own_table["players"] == [ANN["name"]]
        (round_,) = (await fetch(client, f"/api/tables/{guest.table}/rounds"))["rounds"]
        path = f"/api/tables/{guest.table}/rounds/{round_['round']}"
        assert (await fetch(client, path))["mine"] == [1]
        assert (await fetch(client, f"{path}/proof"))["round_id"] == round_["round"]
        link = await client.post(f"{path}/share")
        assert link.status_code == 200, link.text
        shared = await fetch(client, f"/api{link.json()['path']}")
        assert (shared["mine"], shared["shared_by"]) == ([1], ANN["name"])
        spot = {"round": round_["round"], "stage": 0, "request": "again"}
        answer = await client.post(f"/api/tables/{guest.table}/spots", json=spot)
        assert answer.status_code == 200, answer.text
        retire = await guest.do({"do": "retire"}, "bye")
        assert (await guest.do({"do": "retire"}, "bye")).json() == retire.json()

    run(play())


@pytest.mark.long
def test_invitation_takes_guest_rounds_along(
    run: LoopRunner, client: httpx.AsyncClient, server: Server
) -> None:
    async def play() -> None:
        await play_rounds(await guest_of(client), 1)
        mine = await practice_history(client)
        token = server.people.invite("player", actor="sue")
        body = {"name": "newcomer", "password": PASSWORD}
        answer = await client.post(f"/api/invitations/{token}", json=body)
        assert answer.status_code == 201, answer.text
        assert await practice_history(client) == mine

    run(play())


@pytest.mark.long
def test_guest_is_linked_once_and_the_guest_cookie_ends(
    run: LoopRunner, app: FastAPI, client: httpx.AsyncClient, server: Server
) -> None:
    async def play() -> None:
        guest = await guest_of(client)
        await play_rounds(guest, 1)
        token = str(client.cookies[SESSION_COOKIE])
        await sign_in(client)
        mine = await practice_history(client)
        async with client_of(app) as thief:
            thief.cookies.set(SESSION_COOKIE, token)
            assert (await thief.get(f"/api/tables/{guest.table}")).status_code == 401
            await sign_in(thief, SUE)
            assert await practice_history(thief) == ([], [], (await practice_history(thief))[2])
        assert await practice_history(client) == mine
        facts = [fact for entry in server.house.ledger.entries("persons") for fact in entry.facts]
        assert [fact["name"] for fact in facts if fact["fact"] == "joined"] == [ANN["name"]]

    run(play())


@pytest.mark.long
@pytest.mark.parametrize("bend", ["name", "mac", "player"])
def test_guest_of_another_person_cannot_be_taken(
    run: LoopRunner, app: FastAPI, client: httpx.AsyncClient, server: Server, bend: str
) -> None:
    """Not with an altered cookie, nor with a player's."""

    async def play() -> None:
        await play_rounds(await guest_of(client), 1)
        mine, token = await practice_history(client), str(client.cookies[SESSION_COOKIE])
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
            assert (await practice_history(thief))[0] == []
        assert await practice_history(client) == mine
        assert server.people.persons.catch_up().joined == {}

    run(play())


@pytest.mark.long
def test_wrong_password_links_no_guest(
    run: LoopRunner, client: httpx.AsyncClient, server: Server
) -> None:
    async def play() -> None:
        await play_rounds(await guest_of(client), 1)
        mine = await practice_history(client)
        wrong = await client.post("/api/sign-in", json={**ANN, "password": "not this one"})
        assert wrong.status_code == 401
        assert await practice_history(client) == mine
        assert server.people.persons.catch_up().joined == {}

    run(play())


def test_guest_without_play_is_not_linked(
    run: LoopRunner, app: FastAPI, server: Server, signed_in: SignedIn
) -> None:
    async def play() -> None:
        await sign_in(signed_in("guest"))
        assert server.people.persons.catch_up().joined == {}

    run(play())


def test_excluded_person_cannot_play_at_a_former_guest_table(
    run: LoopRunner, client: httpx.AsyncClient, server: Server, app: FastAPI
) -> None:
    async def play() -> None:
        guest = await guest_of(client)
        await sign_in(client)
        persons = server.people.persons
        persons.exclude(ANN["name"], until=None, why="asked for it", actor="sue")
        refused = await guest.do(ANTE)
        assert refused.json()["refused"]["code"] == "excluded"
        offers = (await guest.look())["offers"]
        (ante,) = (offer for offer in offers if offer.get("wager") == "ante")
        assert ante["refused"]["code"] == "excluded"
        persons.readmit(ANN["name"], why="the time is over", actor="sue")
        await guest.accept(ANTE)

    run(play())


def test_exclusion_of_a_guest_covers_the_account(
    run: LoopRunner, client: httpx.AsyncClient, server: Server
) -> None:
    async def play() -> None:
        guest = await guest_of(client)
        name = (await fetch(client, "/api/me"))["name"]
        server.people.persons.exclude(name, until=None, why="asked for it", actor="sue")
        await sign_in(client)
        assert (await guest.do(ANTE)).json()["refused"]["code"] == "excluded"
        again = await client.post("/api/practice", json={"sheet": STUD})
        assert again.json()["refused"]["code"] == "excluded"

    run(play())


def test_disabled_player_cannot_play_at_a_former_guest_table(
    run: LoopRunner, client: httpx.AsyncClient, app: FastAPI
) -> None:
    async def play() -> None:
        guest = await guest_of(client)
        await sign_in(client)
        services: Services = app.state.services
        await services.pit.disable("player", ANN["name"], why="a debt", actor="sue")
        assert "ann is suspended" in (await guest.do(ANTE)).text

    run(play())


@asynccontextmanager
async def app_at(path: Path, settings: Settings) -> AsyncIterator[FastAPI]:
    async with open_house(path) as house:
        people = people_of(house, settings)
        if not people.all():
            people.add(ANN["name"], "player", PASSWORD, actor="test")
        yield create_app(house, people, settings)


@pytest.mark.long
def test_linked_rounds_survive_a_restart(
    run: LoopRunner, tmp_path: Path, settings: Settings
) -> None:
    async def play() -> None:
        async with app_at(tmp_path, settings) as app, client_of(app) as http:
            guest = await guest_of(http)
            await play_rounds(guest, 2)
            await sign_in(http)
            mine = await practice_history(http)
            assert len(mine[0]) == 2
        async with app_at(tmp_path, settings) as app, client_of(app) as http:
            await sign_in(http)
            assert await practice_history(http) == mine
            again = Player(http, guest.table)
            again.number = guest.number
            await play_rounds(again, 1)
            assert len((await practice_history(http))[0]) == 3

    run(play())


@pytest.mark.long
def test_practice_of_an_account_is_kept_longer_than_a_guests(
    run: LoopRunner, app: FastAPI, client: httpx.AsyncClient, server: Server
) -> None:
    async def play() -> None:
        played_table = await guest_of(client)
        await play_rounds(played_table, 1)
        await sign_in(client)
        unused = await guest_of(client, SHEETS[1])
        async with client_of(app) as stranger:
            lost = await guest_of(stranger)
            await play_rounds(lost, 1)
        mine = await practice_history(client)
        services: Services = app.state.services
        now = [0.0]
        services.practice._clock, services.practice._swept_at = (lambda: now[0]), 0.0
        for later in (practice.SWEEP_SECONDS, practice.SWEEP_SECONDS + practice.IDLE_SECONDS + 1):
            now[0] = later
            await services.practice.sweep()
        assert set(server.house.tables) == {played_table.table}
        assert unused.table not in server.house.tables
        assert await practice_history(client) == mine
        server.limiter.guest_tables.per_key_max = 2
        await guest_of(client, SHEETS[1])
        full = await client.post("/api/practice", json={"sheet": SHEETS[2]})
        assert (full.status_code, "already have 2 practice tables" in full.text) == (429, True)
        async with client_of(app) as neighbor:  # Its idle tables take no other guest's place.
            await guest_of(neighbor)
        now[0] += practice.MEMBER_IDLE_SECONDS + practice.SWEEP_SECONDS
        await services.practice.sweep()
        assert played_table.table not in server.house.tables

    run(play())
