"""Seats over sockets: a whole round, no gap, no cards of others, no effect twice."""

from __future__ import annotations

import pytest
from fastapi import FastAPI
from tests.house.table.visible_cards import cards_in
from tests.house.web.conftest import LoopRunner, token_of
from tests.house.web.live_server import SHEETS, Socket, serving, socket
from tests.house.web.seated_players import (
    STUD,
    assert_refused,
    place_bets,
    play_on,
    play_round,
    table_for,
)

from pitbook import load
from pitbook.cards import Card, card
from pitbook.house.table import watchers
from pitbook.house.table.live_tables import LiveTables
from pitbook.house.web.server import Server


@pytest.mark.slow_cases("louisiana-stud/standard")
@pytest.mark.parametrize("sheet", SHEETS)
def test_round_over_sockets_hides_others_cards(
    run: LoopRunner, app: FastAPI, server: Server, sheet: str
) -> None:
    async def play() -> None:
        tokens = await table_for(server, sheet, "ann", "bob")
        async with (
            serving(app) as base,
            socket(base, tokens["ann"], "t") as ann,
            socket(base, tokens["bob"], "t") as bob,
            socket(base, token_of(server, "brush"), "t") as ben,
            socket(base, token_of(server, "dealer"), "t") as dee,
        ):
            seats = {1: ann, 2: bob}
            await place_bets(seats)
            assert "accepted" in await dee.do(do="close-betting")
            for seat_socket in (ann, bob, ben, dee):
                await seat_socket.look()
            hands = {
                number: own_cards(seat_socket, number) for number, seat_socket in seats.items()
            }
            assert all(hands.values())
            # Before any decision each sees only their own hand.
            assert cards_in(ann.frames) == hands[1]
            assert cards_in(bob.frames) == hands[2]
            assert not cards_in(ben.frames)
            assert not cards_in(dee.frames)
            folds = await play_on(seats)
            for seat_socket in (ann, bob, ben, dee):
                view = await seat_socket.look()
                assert view["phase"] == "over"
                assert view["result"]["result"] == "settled"
            for other in (bob, ben, dee) if folds else ():  # GEN-14: a folded hand stays closed.
                assert not hands[1] & cards_in(other.frames)
            for other in (ann, ben, dee):  # A settled hand is opened for all.
                assert hands[2] <= cards_in(other.frames)

    run(play())


def own_cards(seat_socket: Socket, seat: int) -> set[Card]:
    view = [frame["view"] for frame in seat_socket.frames if "view" in frame][-1]
    return {card(name) for name in view["seats"][seat - 1]["cards"] if name}


def test_events_arrive_in_order_and_before_the_view(
    run: LoopRunner, app: FastAPI, server: Server
) -> None:
    async def play() -> None:
        tokens = await table_for(server, STUD, "ann")
        async with serving(app) as base, socket(base, tokens["ann"], "t") as ann:
            await play_round(ann)
            first, *later_frames = ann.frames
            assert set(first) == {"view"}
            versions = [event["version"] for event in ann.events]
            assert versions == list(range(first["view"]["version"] + 1, versions[-1] + 1))
            assert versions[-1] == server.house.tables["t"].state.version
            at = 0
            for frame in later_frames:
                at = frame["events"][-1]["version"] if "events" in frame else at
                if "view" in frame:
                    assert frame["view"]["version"] == at

    run(play())


def test_repeated_request_has_one_effect(run: LoopRunner, app: FastAPI, server: Server) -> None:
    async def play() -> None:
        tokens = await table_for(server, STUD, "ann")
        ante = {"do": "put-wager", "seat": 1, "wager": "ante", "amount": "10"}
        async with serving(app) as base:
            async with socket(base, tokens["ann"], "t") as ann:
                await ann.do(do="sit", seat=1)
                for _ in range(3):
                    await ann.send({"request": "a", "command": ante})
                answers = [await ann.until("answer") for _ in range(3)]
                assert answers[0] == answers[1] == answers[2]
                reused = await ann.do("a", do="undo", seat=1)
                assert reused["refused"]["code"] == "request-reused"
            async with socket(base, tokens["ann"], "t") as again:
                assert await again.do("a", **ante) == {"accepted": answers[0]["accepted"]}
        assert _wallet(server.house, "ann") == 1_000_000 - 1_000

    run(play())


def _wallet(house: LiveTables, player: str) -> int:
    return house.ledger.balance(house.cage.wallet(player))


def test_reconnecting_socket_gets_missed_events(
    run: LoopRunner, app: FastAPI, server: Server
) -> None:
    async def play() -> None:
        tokens = await table_for(server, STUD, "ann", "bob")
        async with serving(app) as base, socket(base, tokens["bob"], "t") as bob:
            async with socket(base, tokens["ann"], "t") as ann:
                await ann.do(do="sit", seat=1)
                last = ann.events[-1]["version"]
            await bob.do(do="sit", seat=2)
            await bob.do(do="put-wager", seat=2, wager="ante", amount="10")
            assert "accepted" in await bob.do(do="close-betting")
            async with socket(base, tokens["ann"], "t", last) as ann:
                await ann.send({"ping": 7})
                assert await ann.until("pong") == 7
                assert not [frame for frame in ann.frames if "view" in frame]
                own_events, bob_events = (
                    ann.events,
                    [event for event in bob.events if event["version"] > last],
                )
                assert [event["version"] for event in own_events] == [
                    event["version"] for event in bob_events
                ]
                assert not cards_in(own_events)  # Only bob was dealt cards.
                assert len(cards_in(bob_events)) == 2
            now = server.house.tables["t"].state.version
            async with socket(base, tokens["ann"], "t", now) as ann:
                await ann.send({"ping": 1})
                assert await ann.next_without_ping() == {"pong": 1}

    run(play())


@pytest.mark.parametrize("version", [0, 10_000])
def test_socket_away_too_long_gets_a_new_view(
    run: LoopRunner,
    app: FastAPI,
    server: Server,
    monkeypatch: pytest.MonkeyPatch,
    version: int,
) -> None:
    monkeypatch.setattr(watchers, "LOG_MAX", 3)

    async def play() -> None:
        tokens = await table_for(server, STUD, "ann")
        async with serving(app) as base:
            async with socket(base, tokens["ann"], "t") as ann:
                await play_round(ann)
            async with socket(base, tokens["ann"], "t", version) as ann:
                first = await ann.next_without_ping()
                assert first["view"]["version"] == server.house.tables["t"].state.version

    run(play())


def test_sockets_of_strangers_and_others_are_refused(
    run: LoopRunner, app: FastAPI, server: Server
) -> None:
    async def play() -> None:
        tokens = await table_for(server, STUD, "ann")
        practice_table = await server.house.open_table(
            "p", "practice", unit="play", sheet=load(STUD), owner="guest-1"
        )
        assert practice_table.state.owner == "guest-1"
        async with serving(app) as base:
            await assert_refused(401, base, "", "t")
            await assert_refused(401, base, "forged", "t")
            await assert_refused(404, base, tokens["ann"], "nowhere")
            await assert_refused(403, base, tokens["ann"], "p")
            await assert_refused(404, base, token_of(server, "guest"), "t")
            await assert_refused(404, base, token_of(server, "guest"), "p")
            await assert_refused(403, base, tokens["ann"], "t", Origin="https://elsewhere.example")
            async with socket(base, token_of(server, "auditor"), "t") as abe:
                answer = await abe.do(do="sit", seat=1)
                message = "abe is watching this table. Only seated players can act."
                assert answer["error"] == message

    run(play())
