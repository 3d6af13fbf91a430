"""Seats over sockets: a whole round, no gap, no card of another, and no effect twice."""

from __future__ import annotations

import pytest
from fastapi import FastAPI
from tests.house.table.watching import cards_in
from tests.house.web.conftest import Running, token_of
from tests.house.web.live import SHEETS, Socket, serving, socket
from tests.house.web.sat_down import STUD, bet, play_on, played, refused_with, table_for

from pitbook import load
from pitbook.cards import Card, card
from pitbook.house.table import watchers
from pitbook.house.table.tables import LiveTables
from pitbook.house.web.server import Server


@pytest.mark.slow_cases("louisiana-stud/standard")
@pytest.mark.parametrize("sheet", SHEETS)
def test_a_round_over_sockets_shows_nobody_the_cards_of_another(
    run: Running, app: FastAPI, server: Server, sheet: str
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
            await bet(seats)
            assert "accepted" in await dee.do(do="close-betting")
            for one in (ann, bob, ben, dee):
                await one.look()
            hands = {number: _own(one, number) for number, one in seats.items()}
            assert all(hands.values())
            # Before anything is decided each sees the own hand, and of the others nothing.
            assert cards_in(ann.frames) == hands[1]
            assert cards_in(bob.frames) == hands[2]
            assert not cards_in(ben.frames)
            assert not cards_in(dee.frames)
            folds = await play_on(seats)
            for one in (ann, bob, ben, dee):
                view = await one.look()
                assert view["phase"] == "over"
                assert view["result"]["result"] == "settled"
            for other in (bob, ben, dee) if folds else ():  # GEN-14: a folded hand stays closed.
                assert not hands[1] & cards_in(other.frames)
            for other in (ann, ben, dee):  # And one that is settled was opened for all.
                assert hands[2] <= cards_in(other.frames)

    run(play())


def _own(one: Socket, seat: int) -> set[Card]:
    view = [frame["view"] for frame in one.frames if "view" in frame][-1]
    return {card(name) for name in view["seats"][seat - 1]["cards"] if name}


def test_events_come_in_order_and_before_the_answer_that_follows_from_them(
    run: Running, app: FastAPI, server: Server
) -> None:
    async def play() -> None:
        tokens = await table_for(server, STUD, "ann")
        async with serving(app) as base, socket(base, tokens["ann"], "t") as ann:
            await played(ann)
            first, *rest = ann.frames
            assert set(first) == {"view"}
            versions = [event["version"] for event in ann.events]
            assert versions == list(range(first["view"]["version"] + 1, versions[-1] + 1))
            assert versions[-1] == server.house.tables["t"].state.version
            at = 0
            for frame in rest:
                at = frame["events"][-1]["version"] if "events" in frame else at
                if "view" in frame:
                    assert frame["view"]["version"] == at

    run(play())


def test_a_request_that_is_sent_again_has_one_effect(
    run: Running, app: FastAPI, server: Server
) -> None:
    async def play() -> None:
        tokens = await table_for(server, STUD, "ann")
        ante = {"do": "put-wager", "seat": 1, "wager": "ante", "amount": "10"}
        async with serving(app) as base:
            async with socket(base, tokens["ann"], "t") as ann:
                await ann.do(do="sit", seat=1)
                for _ in range(3):
                    await ann.put({"request": "a", "command": ante})
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


def test_who_comes_back_is_told_all_that_was_missed(
    run: Running, app: FastAPI, server: Server
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
                await ann.put({"ping": 7})
                assert await ann.until("pong") == 7
                assert not [frame for frame in ann.frames if "view" in frame]
                mine, his = ann.events, [one for one in bob.events if one["version"] > last]
                assert [one["version"] for one in mine] == [one["version"] for one in his]
                assert not cards_in(mine)  # Only bob was dealt to.
                assert len(cards_in(his)) == 2
            now = server.house.tables["t"].state.version
            async with socket(base, tokens["ann"], "t", now) as ann:
                await ann.put({"ping": 1})
                assert await ann.told() == {"pong": 1}

    run(play())


@pytest.mark.parametrize("version", [0, 10_000])
def test_who_was_away_too_long_gets_a_new_view(
    run: Running,
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
                await played(ann)
            async with socket(base, tokens["ann"], "t", version) as ann:
                first = await ann.told()
                assert first["view"]["version"] == server.house.tables["t"].state.version

    run(play())


def test_strangers_and_others_do_not_get_in(run: Running, app: FastAPI, server: Server) -> None:
    async def play() -> None:
        tokens = await table_for(server, STUD, "ann")
        own = await server.house.open_table(
            "p", "practice", unit="play", sheet=load(STUD), owner="guest-1"
        )
        assert own.state.owner == "guest-1"
        async with serving(app) as base:
            await refused_with(401, base, "", "t")
            await refused_with(401, base, "forged", "t")
            await refused_with(404, base, tokens["ann"], "nowhere")
            await refused_with(403, base, tokens["ann"], "p")
            await refused_with(404, base, token_of(server, "guest"), "t")
            await refused_with(404, base, token_of(server, "guest"), "p")
            await refused_with(403, base, tokens["ann"], "t", Origin="https://elsewhere.example")
            async with socket(base, token_of(server, "auditor"), "t") as abe:
                answer = await abe.do(do="sit", seat=1)
                told = "abe watches this table and gives no commands here; "
                assert answer["error"] == f"{told}players do, at their seats"

    run(play())
