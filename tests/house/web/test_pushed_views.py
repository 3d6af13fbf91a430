"""Sockets with pushed views: one frame for each change, and only what its reader may see."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from fastapi import FastAPI
from tests.house.table.visible_cards import cards_in
from tests.house.web.conftest import LoopRunner, token_of
from tests.house.web.live_server import SHEETS, Socket, serving, socket
from tests.house.web.seated_players import STUD, place_bets, play_on, table_for
from websockets.exceptions import ConnectionClosed

from pitbook.cards import Card, card
from pitbook.house.table import actor
from pitbook.house.table.socket import SIGNED_OUT
from pitbook.house.web.server import Server

Json = dict[str, Any]


def own_cards(view: Json, seat: int) -> set[Card]:
    return {card(name) for name in view["seats"][seat - 1]["cards"] if name}


async def read_to(watcher: Socket, version: int) -> Json:
    """Read frames until a view of this version; returns the view."""
    while not watcher.views or watcher.views[-1]["version"] < version:
        await watcher.next()
    return watcher.views[-1]


@pytest.mark.slow_cases("louisiana-stud/standard")
@pytest.mark.parametrize("sheet", SHEETS)
def test_pushed_views_hide_others_cards_and_money(
    run: LoopRunner, app: FastAPI, server: Server, sheet: str
) -> None:
    async def play() -> None:
        tokens = await table_for(server, sheet, "ann", "bob")
        async with (
            serving(app) as base,
            socket(base, tokens["ann"], "t", views=True) as ann,
            socket(base, tokens["bob"], "t", views=True) as bob,
            socket(base, token_of(server, "brush"), "t", views=True) as ben,
            socket(base, token_of(server, "dealer"), "t", views=True) as dee,
        ):
            await place_bets({1: ann, 2: bob})
            assert "accepted" in await dee.do(do="close-betting")
            table = server.house.tables["t"]
            version = table.state.version
            views = {
                name: await read_to(watcher, version)
                for name, watcher in {"ann": ann, "bob": bob, "ben": ben}.items()
            }
            hands = {seat: own_cards(views[name], seat) for seat, name in ((1, "ann"), (2, "bob"))}
            assert all(hands.values())
            # Before any decision each sees only their own hand.
            assert cards_in(ann.frames) == hands[1]
            assert cards_in(bob.frames) == hands[2]
            assert not cards_in(ben.frames)
            assert not cards_in(dee.frames)
            # A wallet and the offers of a seat are for its player.
            assert {view.get("you") for view in ann.views} == {"ann"}
            assert "wallet" not in views["ben"]
            assert views["ben"]["offers"] == []
            assert 2 not in {offer.get("seat") for offer in views["ann"]["offers"]}
            folds = await play_on({1: ann, 2: bob})
            for watcher in (ann, bob, ben, dee):
                await read_to(watcher, table.state.version)
            for other in (bob, ben, dee) if folds else ():  # GEN-14: a folded hand stays closed.
                assert not hands[1] & cards_in(other.frames)
            for other in (ann, ben, dee):  # A settled hand is opened for all.
                assert hands[2] <= cards_in(other.frames)

    run(play())


def test_each_change_is_one_frame_with_events_view_and_receipt(
    run: LoopRunner, app: FastAPI, server: Server
) -> None:
    async def play() -> None:
        tokens = await table_for(server, STUD, "ann", "bob")
        async with (
            serving(app) as base,
            socket(base, tokens["ann"], "t", views=True) as ann,
            socket(base, tokens["bob"], "t", views=True) as bob,
        ):
            assert set(await ann.next()) == set(await bob.next()) == {"view"}
            sit = {"request": "sit", "command": {"do": "sit", "seat": 1}}
            await ann.send(sit)
            mine, other = await ann.next_change(), await bob.next_change()
            assert set(mine) == {"events", "view", "answer"}
            assert set(other) == {"events", "view"}
            assert mine["answer"]["request"] == "sit"
            assert "accepted" in mine["answer"]
            for frame in (mine, other):
                assert frame["view"]["version"] == frame["events"][-1]["version"]
            # A refusal changes nothing, so the others hear nothing.
            await ann.send({"request": "deal", "command": {"do": "close-betting"}})
            assert set(await ann.next_change()) == {"answer"}
            await ann.send({"request": "up", "command": {"do": "leave", "seat": 1}})
            assert {"events", "view", "answer"} == set(await ann.next_change())
            assert (await bob.next_change())["events"][0]["what"] == "left"

    run(play())


def test_spectators_get_the_same_bytes(run: LoopRunner, app: FastAPI, server: Server) -> None:
    async def play() -> None:
        tokens = await table_for(server, STUD, "ann")
        async with (
            serving(app) as base,
            socket(base, tokens["ann"], "t", views=True) as ann,
            socket(base, token_of(server, "auditor"), "t", views=True) as abe,
            socket(base, token_of(server, "brush"), "t", views=True) as ben,
        ):
            await abe.next()
            await ben.next()
            await ann.do(do="sit", seat=1)
            await abe.next_change()
            await ben.next_change()
            assert abe.texts[-1] == ben.texts[-1]
            assert '"you"' not in abe.texts[-1]

    run(play())


def test_reconnecting_socket_gets_missed_events_and_the_view_in_one_frame(
    run: LoopRunner, app: FastAPI, server: Server
) -> None:
    async def play() -> None:
        tokens = await table_for(server, STUD, "ann", "bob")
        async with serving(app) as base:
            async with socket(base, tokens["ann"], "t", views=True) as ann:
                await ann.do(do="sit", seat=1)
                last = ann.views[-1]["version"]
            async with socket(base, tokens["bob"], "t") as bob:
                await bob.do(do="sit", seat=2)
                await bob.do(do="put-wager", seat=2, wager="ante", amount="10")
                missed = [event["version"] for event in bob.events if event["version"] > last]
            for since, versions in ((last, missed), (missed[-1], [])):
                async with socket(base, tokens["ann"], "t", since, views=True) as ann:
                    first = await ann.next_change()
                    assert [event["version"] for event in first.get("events", [])] == versions
                    assert first["view"]["version"] == missed[-1]
            async with socket(base, tokens["ann"], "t", 9_999, views=True) as ann:  # Unknown.
                assert set(await ann.next_change()) == {"view"}

    run(play())


def test_no_frame_follows_the_end_of_a_session(
    run: LoopRunner, app: FastAPI, server: Server
) -> None:
    async def play() -> None:
        tokens = await table_for(server, STUD, "ann", "bob")
        async with (
            serving(app) as base,
            socket(base, tokens["ann"], "t") as ann,
            socket(base, tokens["bob"], "t", views=True) as bob,
        ):
            await bob.next()
            session = server.sessions.read(tokens["bob"])
            assert session is not None
            server.sessions.end(session)
            await ann.do(do="sit", seat=1)
            with pytest.raises(ConnectionClosed):
                await bob.until("events")
            assert bob.connection.close_code == SIGNED_OUT[0]
            assert not bob.events

    run(play())


def test_pushed_views_do_not_wait_for_the_budget_of_requested_ones(
    run: LoopRunner, app: FastAPI, server: Server
) -> None:
    """Else a receipt would wait where many players share an address."""

    async def play() -> None:
        tokens = await table_for(server, STUD, "ann")
        async with serving(app) as base, socket(base, tokens["ann"], "t", views=True) as ann:
            await ann.until("view")
            for budget in (server.limiter.views.per_client, server.limiter.views.per_address):
                budget.rate, budget.burst = 0.001, 0
            await ann.send({"request": "sit", "command": {"do": "sit", "seat": 1}})
            frame = await asyncio.wait_for(ann.next_change(), 20)
            assert set(frame) == {"events", "view", "answer"}

    run(play())


def test_connected_players_are_pushed_without_an_event(
    run: LoopRunner, app: FastAPI, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(actor, "PRESENCE_SECONDS", 0.01)

    async def play() -> None:
        tokens = await table_for(server, STUD, "ann", "bob")
        async with serving(app) as base, socket(base, tokens["bob"], "t", views=True) as bob:
            async with socket(base, tokens["ann"], "t") as ann:
                await ann.do(do="sit", seat=1)
            while (presence := await bob.until("presence"))["away"] != [1]:
                pass
            assert presence == {"watching": 1, "away": [1]}
            async with socket(base, tokens["ann"], "t") as ann:
                while (await bob.until("presence"))["away"]:
                    pass
                assert "presence" not in await ann.next()  # It did not ask for pushed views.

    run(play())


def test_commands_of_several_players_at_once_lose_no_event_and_no_receipt(
    run: LoopRunner, app: FastAPI, server: Server
) -> None:
    async def play() -> None:
        names = [f"player{number}" for number in range(1, 7)]
        tokens = await table_for(server, STUD, *names)
        async with serving(app) as base:
            players = [socket(base, tokens[name], "t", views=True) for name in names]
            sockets = [await player.__aenter__() for player in players]
            try:
                await asyncio.gather(
                    *(_bet_often(seat_socket, seat) for seat, seat_socket in enumerate(sockets, 1))
                )
                version = server.house.tables["t"].state.version
                for seat_socket in sockets:
                    await read_to(seat_socket, version)
                    first = seat_socket.frames[0]["view"]["version"]
                    versions = [event["version"] for event in seat_socket.events]
                    assert versions == list(range(first + 1, version + 1))
                    seen = [view["version"] for view in seat_socket.views]
                    assert seen == sorted(seen)
            finally:
                for player in players:
                    await player.__aexit__(None, None, None)

    run(play())


async def _bet_often(seat_socket: Socket, seat: int) -> None:
    await seat_socket.do(do="sit", seat=seat)
    for amount in ("10", "15", "20"):
        answer = await seat_socket.do(do="put-wager", seat=seat, wager="ante", amount=amount)
        assert "accepted" in answer, json.dumps(answer)
