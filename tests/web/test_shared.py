"""A round looked at again: by whom, how much of it, and what a link shows to strangers."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime

import httpx
import pytest
from fastapi import FastAPI
from tests.table.watching import cards_in
from tests.web.conftest import Running, SignedIn, client_of
from tests.web.live import SHEETS, Json
from tests.web.test_routes_tables import STUD, Player, guest_of
from tests.web.test_socket import table_for

from pitbook.cards import Card, card
from pitbook.ledger.keys import fresh_keys
from pitbook.shoe.proof import verify
from pitbook.table.commands import By, CloseBetting, Envelope, Interrupt, Misdeal, Warn
from pitbook.table.records import find, on_layout
from pitbook.table.sight import Viewer
from pitbook.web.register import Role
from pitbook.web.server import Server
from pitbook.web.sessions import COOKIE
from pitbook.web.sharing import Link, Links

ROUND = "/api/tables/t/rounds/t-000001"
SUE = By("sue", "supervisor")
STAFF: tuple[Role, ...] = ("supervisor", "auditor", "dealer")
SHOWN_TO: tuple[tuple[Role, int], ...] = (
    ("supervisor", 200),
    ("auditor", 200),
    ("dealer", 403),
    ("brush", 403),
    ("organiser", 403),
)


@asynccontextmanager
async def table(
    server: Server, app: FastAPI, sheet: str, *names: str
) -> AsyncIterator[dict[str, Player]]:
    """A house table "t", its players at seats 1, 2, ... with every wager, betting closed."""
    tokens = await table_for(server, sheet, *names)
    players = {}
    for seat, (name, token) in enumerate(tokens.items(), start=1):
        http = client_of(app)
        http.cookies.set(COOKIE, token)
        players[name] = Player(http, "t")
        await players[name].fine({"do": "sit", "seat": seat})
        await players[name].bet(seat)
    await server.table("t").send(Envelope(By("dee", "dealer"), CloseBetting()))
    yield players
    for one in players.values():
        await one.http.aclose()


async def play_on(players: dict[str, Player], **first: str) -> None:
    """Everybody plays the last that is offered, or first what is said here."""
    for seat, (name, one) in enumerate(players.items(), start=1):
        if name in first:
            await one.fine({"do": "decide", "seat": seat, "play": first[name]})
    for _ in range(3):
        for seat, one in enumerate(players.values(), start=1):
            view = await one.look()
            if view["phase"] != "over" and view["seats"][seat - 1]["waiting"]:
                (offer,) = (o for o in view["offers"] if o["do"] == "decide" and o["seat"] == seat)
                able = [c["play"] for c in offer["choices"] if "refused" not in c]
                await one.fine({"do": "decide", "seat": seat, "play": able[-1]})


async def shared_by(player: Player, round: str) -> str:
    answer = await player.http.post(f"/api/tables/{player.table}/rounds/{round}/share")
    assert answer.status_code == 200, answer.text
    path: str = answer.json()["path"]
    assert path == f"/shared/{answer.json()['token']}"
    return path


def hands(server: Server, round: str = "t-000001") -> dict[str, set[Card]]:
    """Every hand as it was dealt, from the record."""
    over = on_layout(find(server.house.ledger, round).state)
    return {seat.player: set(seat.cards) for seat in over.seats}


# One round ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("sheet", SHEETS)
def test_a_replay_ends_where_the_table_stood(
    run: Running, client: httpx.AsyncClient, sheet: str
) -> None:
    async def play() -> None:
        guest = await guest_of(client, sheet)
        await guest.bet(1)
        await guest.fine({"do": "close-betting"})
        await guest.play(1)
        view = await guest.look()
        answer = await client.get(f"/api/tables/{guest.table}/rounds/{view['round']}")
        found = answer.json()
        assert answer.status_code == 200, answer.text
        assert (found["over"], found["replay"], found["mine"]) == (True, True, [1])
        last = found["steps"][-1]["view"]
        assert last == {key: view[key] for key in last}
        assert found["settlement"] == view["result"]
        assert found["balance"] == {"before": "1000.00", "after": view["wallet"]}
        assert [one["n"] for one in found["steps"]] == list(range(1, len(found["steps"]) + 1))
        shown = [one["card"] for step in found["steps"] for one in step["shown"]]
        assert sorted(shown) == sorted(view["seats"][0]["cards"] + view["board"]["cards"])
        whats = [one["what"] for one in found["steps"]]
        assert whats[:5] == ["round-opened", "wagers", "close", "deal", "look"]
        assert whats[-1] == "settle"
        assert whats.count("decide") == len(view["seats"][0]["plays"])
        assert whats.count("turn") == len(view["board"]["cards"])
        for step in found["steps"][1:]:
            assert step["told"], step["what"]
            assert all(one.endswith(".") for one in step["told"])

    run(play())


def test_cards_are_shown_no_sooner_than_they_were(run: Running, client: httpx.AsyncClient) -> None:
    async def play() -> None:
        guest = await guest_of(client)
        await guest.bet(1)
        await guest.fine({"do": "close-betting"})
        await guest.play(1)
        round = f"{guest.table}-000001"
        found = (await client.get(f"/api/tables/{guest.table}/rounds/{round}")).json()
        seen: set[Card] = set()
        for step in found["steps"]:
            seen |= {card(one["card"]) for one in step["shown"]}
            assert cards_in([step["view"], step["told"]]) <= seen

    run(play())


@pytest.mark.parametrize("sheet", SHEETS)
def test_each_sees_the_own_hand_and_those_that_were_opened(
    run: Running, server: Server, app: FastAPI, signed_in: SignedIn, sheet: str
) -> None:
    async def play() -> None:
        folds = {} if "hi-lo" in sheet else {"bob": "fold"}
        async with table(server, app, sheet, "ann", "bob") as players:
            before = {name: await one.http.get(ROUND) for name, one in players.items()}
            dealt = hands(server)
            for name, answer in before.items():
                assert answer.json()["over"] is False
                assert cards_in(answer.json()) == dealt[name]
            await play_on(players, **folds)
            crowd = await Player(signed_in("brush"), "t").look()
            public = cards_in([crowd["seats"], crowd["board"]])
            for name, one in players.items():
                assert cards_in((await one.http.get(ROUND)).json()) == dealt[name] | public
            for role, status in SHOWN_TO:
                answer = await signed_in(role).get(ROUND)
                assert answer.status_code == status, role
                if status == 200:
                    assert cards_in(answer.json()) == public
                    assert answer.json()["balance"] is None

    run(play())


def test_rounds_that_are_not_there_or_not_ones_own(
    run: Running, app: FastAPI, server: Server, signed_in: SignedIn
) -> None:
    async def play() -> None:
        async with table(server, app, STUD, "ann", "bob") as players:
            await play_on(players)
            ann = players["ann"].http
            for path, status in (
                ("/api/tables/t/rounds/t-000002", 404),
                ("/api/tables/t/rounds/x", 404),
                ("/api/tables/t/rounds/%00", 404),
                ("/api/tables/x/rounds/t-000001", 404),
            ):
                answer = await ann.get(path)
                assert answer.status_code == status, path
                assert answer.json()["error"]
                assert (await ann.post(f"{path}/share")).status_code == status
            cyd = client_of(app)
            server.people.add("cyd", "player", "one two three four", actor="test")
            cyd.cookies.set(
                COOKIE, server.sessions.issue(server.people.register.people["cyd"].person)
            )
            assert (await cyd.get(ROUND)).status_code == 403
            assert (await cyd.post(f"{ROUND}/share")).status_code == 403
            for role in STAFF:
                answer = await signed_in(role).post(f"{ROUND}/share")
                assert answer.status_code == 403
            guest = await guest_of(cyd)
            here = f"/api/tables/{guest.table}/rounds/t-000001"
            assert "was not played at table" in (await cyd.get(here)).json()["error"]
            await cyd.aclose()

    run(play())


def test_my_rounds_at_every_table(run: Running, signed_in: SignedIn) -> None:
    async def play() -> None:
        ann = signed_in("player")
        for sheet in (STUD, SHEETS[2]):
            player = await guest_of(ann, sheet)
            await player.bet(1)
            await player.fine({"do": "close-betting"})
            await player.play(1)
        found = (await ann.get("/api/rounds")).json()
        assert [one["sheet"]["id"] for one in found["rounds"]] == [SHEETS[2], STUD]
        for one in found["rounds"]:
            (seat,) = one["settlement"]["seats"]
            assert seat["told"]
            assert all(line["words"].endswith(".") for line in seat["lines"])
        assert len((await ann.get("/api/rounds", params={"count": 1})).json()["rounds"]) == 1
        assert (await ann.get("/api/rounds", params={"count": 101})).status_code == 422
        last = (await ann.get("/api/rounds", params={"count": 1})).json()
        assert (last["older"], last["newer"]) == (last["rounds"][0]["round"], None)
        first = (await ann.get("/api/rounds", params={"before": last["older"]})).json()
        assert first["rounds"] == found["rounds"][1:]
        back = (await ann.get("/api/rounds", params={"after": first["newer"]})).json()
        assert back["rounds"] == last["rounds"]
        both = {"before": last["older"], "after": last["older"]}
        assert (await ann.get("/api/rounds", params=both)).status_code == 400
        odd = await ann.get("/api/rounds", params={"before": "nothing-1"})
        assert (odd.status_code, "to go on from" in odd.json()["error"]) == (400, True)

    run(play())


def test_the_rules_in_force_are_at_the_table(run: Running, client: httpx.AsyncClient) -> None:
    async def play() -> None:
        for sheet in SHEETS:
            guest = await guest_of(client, sheet)
            here = (await client.get(f"/api/tables/{guest.table}/sheet")).json()
            assert here == (await client.get(f"/api/sheets/{sheet}")).json()
            assert here["hash"] == (await guest.look())["sheet"]["hash"]
            tables = {one["wager"]: one for one in here["pay_tables"]}
            assert set(tables) == {"main", *here["side"]}
            for one in tables.values():
                assert one["clause"]
                for line in one["lines"]:
                    assert line["title"][0].isupper()
                    assert line["says"] == "push" or " to " in line["says"]

    run(play())


def test_who_is_there_and_what_time_it_is(
    run: Running, server: Server, app: FastAPI, signed_in: SignedIn
) -> None:
    async def play() -> None:
        async with table(server, app, STUD, "ann", "bob") as players:
            view = await players["ann"].look()
            assert view["presence"] == {"watching": 0, "away": [1, 2]}
            assert datetime.fromisoformat(view["now"]).tzinfo is not None
            subscribers = server.table("t").subscribers
            for viewer in (("ann", "player"), ("ann", "player"), ("dee", "dealer")):
                subscribers.add(Viewer(*viewer))
            view = await players["ann"].look()
            assert view["presence"] == {"watching": 1, "away": [2]}

    run(play())


# Links --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("sheet", SHEETS)
def test_a_link_shows_what_its_sharer_saw_and_nobodys_name(
    run: Running, server: Server, app: FastAPI, client: httpx.AsyncClient, sheet: str
) -> None:
    async def play() -> None:
        folds = {} if "hi-lo" in sheet else {"roberta": "fold"}
        async with table(server, app, sheet, "annabel", "roberta") as players:
            await play_on(players, **folds)
            dealt = hands(server)
            own = {}
            for name, one in players.items():
                own[name] = cards_in((await one.http.get(ROUND)).json())
                path = await shared_by(one, "t-000001")
                answer = await client.get(f"/api{path}")
                assert answer.status_code == 200, answer.text
                found = answer.json()
                other = next(each for each in players if each != name)
                assert other not in answer.text
                assert found.pop("shared_by") == name
                assert name not in json.dumps(found)
                assert cards_in(found) == own[name]
                assert found["proof"] is None
                assert "folded hands" in found["proof_why"]
                assert "advice" not in found
                assert "balance" not in found
                numbers = [one["played_by"] for one in found["steps"][-1]["view"]["seats"][:2]]
                assert numbers == ["seat 1", "seat 2"]
                assert {one["actor"] for one in found["steps"]} <= {
                    *("seat 1", "seat 2", "the house", "the dealer"),
                }
            if folds:
                assert dealt["roberta"].isdisjoint(own["annabel"])

    run(play())


def test_a_link_of_practice_carries_its_proof(
    run: Running, client: httpx.AsyncClient, app: FastAPI
) -> None:
    async def play() -> None:
        guest = await guest_of(client)
        await guest.bet(1)
        await guest.fine({"do": "close-betting"})
        round = f"{guest.table}-000001"
        early = await client.post(f"/api/tables/{guest.table}/rounds/{round}/share")
        assert early.status_code == 409
        assert early.json()["error"].startswith("the round is not over")
        await guest.play(1)
        path = await shared_by(guest, round)
        assert path == await shared_by(guest, round)
        async with client_of(app, "10.0.0.9") as stranger:
            found = (await stranger.get(f"/api{path}")).json()
            assert found["proof_why"] is None
            assert not verify(found["proof"]).differences
            assert found["shared_by"].startswith("guest-")
            await guest.fine({"do": "retire"})
            gone = await stranger.get(f"/api{path}")
            assert gone.status_code == 404
            assert "no longer on record" in gone.json()["error"]

    run(play())


def test_who_sat_alone_shares_the_proof_of_a_house_table(
    run: Running, server: Server, app: FastAPI, client: httpx.AsyncClient
) -> None:
    async def play() -> None:
        async with table(server, app, STUD, "ann") as players:
            await play_on(players)
            found = (await client.get(f"/api{await shared_by(players['ann'], 't-000001')}")).json()
            assert not verify(found["proof"]).differences

    run(play())


def test_what_the_floor_wrote_is_not_shared(
    run: Running, server: Server, app: FastAPI, client: httpx.AsyncClient
) -> None:
    async def play() -> None:
        async with table(server, app, STUD, "ann", "bob") as players:
            floor = server.table("t")
            said = "roberta was told"
            await floor.send(Envelope(SUE, Warn(2, said)))
            await floor.send(Envelope(SUE, Interrupt(said)))
            await floor.send(Envelope(SUE, Misdeal(said)))
            own = await players["ann"].http.get(ROUND)
            assert own.text.count(said) > 3
            answer = await client.get(f"/api{await shared_by(players['ann'], 't-000001')}")
            assert answer.status_code == 200
            assert said not in answer.text
            found = answer.json()
            assert found["settlement"]["result"] == "misdeal"
            assert found["proof"] is None

    run(play())


def test_a_link_that_is_not_ours(run: Running, client: httpx.AsyncClient, server: Server) -> None:
    links = Links(server.house.folder.keys.sealing)
    good = links.token(Link("t", "t-000001", "ann"))
    assert links.read(good) == Link("t", "t-000001", "ann")
    payload, _, mac = good.partition(".")
    others = Links(fresh_keys().sealing).token(Link("t", "t-000001", "ann"))
    bad = [others, payload, f".{mac}", f"{payload}.", f"{payload}x.{mac}", f"{payload}.{mac}x"]
    bad += [payload[:-1] + "A." + mac, good.swapcase(), "x", "ü.ü", "a.b.c", "x" * 900]
    for token in bad:
        assert links.read(token) is None
        answer = run(client.get(f"/api/shared/{token}"))
        assert answer.status_code == 404, token
        assert answer.json() == {"error": "this link is not one that this house gave out"}
    gone = run(client.get(f"/api/shared/{good}"))
    assert gone.status_code == 404
    assert "no longer on record" in gone.json()["error"]
    assert run(client.get(f"/api/shared/{'x' * 2000}")).status_code == 422


def test_sessions_are_no_links(server: Server) -> None:
    """The same secret, another purpose: a cookie opens nothing here, nor a link there."""
    token = server.sessions.guest()[1]
    assert Links(server.house.folder.keys.sealing).read(token) is None
    link = Links(server.house.folder.keys.sealing).token(Link("t", "t-000001", "ann"))
    assert server.sessions.read(link) is None


def test_many_looks_at_once_do_not_disturb_play(
    run: Running, client: httpx.AsyncClient, app: FastAPI
) -> None:
    async def play() -> None:
        guest = await guest_of(client)
        await guest.bet(1)
        await guest.fine({"do": "close-betting"})
        await guest.play(1)
        path = await shared_by(guest, f"{guest.table}-000001")
        async with client_of(app) as stranger:
            answers = await asyncio.gather(*(stranger.get(f"/api{path}") for _ in range(8)))
        texts: set[Json | str] = {one.text for one in answers}
        assert len(texts) == 1

    run(play())
