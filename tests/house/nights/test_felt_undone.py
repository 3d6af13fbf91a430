"""What was dealt is not undone: the record catches up with the book, and no table waits for it."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from typing import Any

import pytest
from tests.house.nights.dealt import DEALER, Room, T, bet, entered, one_round, play, said
from tests.house.nights.stopped import at

from pitbook.house.ledger.audit import verify
from pitbook.house.nights import (
    interruptions as cut_hands,
)
from pitbook.house.nights import (
    live_tables as floor_commands,
)
from pitbook.house.nights import (
    tournament_tables as tournament_rounds,
)
from pitbook.house.nights.store import Accepted, Answer
from pitbook.house.nights.tournament import commands as floor
from pitbook.house.table import commands as at_table
from pitbook.house.table.commands import By
from pitbook.money import Cents
from pitbook.rules.refusals import Code, Refusal
from pitbook.text.documents import said_by

FOUR = ("ann", "bob", "cal", "dee")


async def undo(room: Room) -> Answer:
    last = room.t().last
    assert last is not None
    return await floor_commands.ask(room.tables(), floor.Undo(T, last[0]))


def recorded(room: Room) -> dict[str, Cents]:
    return {name: one.chips for name, one in room.t().players.items()}


def held(room: Room) -> dict[str, Cents]:
    return {name: room.tables().chips(name) for name in room.t().players}


async def dealt_unasked(room: Room) -> None:
    """A round that players and dealer played before the floor began one."""
    table = await room.table()
    await bet(table)
    await said(table, DEALER, at_table.CloseBetting())
    await play(table, room.whims)


@pytest.mark.parametrize("begun", [True, False])
def test_an_undone_count_is_made_good_before_the_next_step(tmp_path: Path, begun: bool) -> None:
    async def work(room: Room) -> None:
        await entered(room, FOUR, ends="clock")
        if begun:
            await one_round(room, 1)
        else:
            await dealt_unasked(room)
            assert isinstance(await tournament_rounds.count(room.tables(), 1), Accepted)
        after = held(room)
        assert recorded(room) == after
        for _ in range(1 + begun):
            assert isinstance(await undo(room), Accepted)
        assert (room.t().in_hand, recorded(room) == after) == ((), False)
        room.later(minutes=60)
        assert isinstance(await tournament_rounds.give(room.tables(), floor.Finish(T)), Accepted)
        room.must(*(floor.PayOut(T, name) for name, one in room.t().players.items() if one.owed))
        assert isinstance(await retired(room), type(None))
        room.gone_home()
        assert verify(room.ledger).findings == ()

    at(tmp_path, work)


async def retired(room: Room) -> Refusal | None:
    return await tournament_rounds.retire(room.tables(), "over")


def test_an_interruption_counts_what_nobody_counted(tmp_path: Path) -> None:
    async def work(room: Room) -> None:
        await entered(room, FOUR[:3])
        await dealt_unasked(room)
        after = held(room)
        assert isinstance(await cut_hands.interrupt(room.tables(), "storm"), Accepted)
        assert room.t().status == "finished"  # OMS-14: three are left, and chips place them.
        best = max(after.values())
        winners = {name for name, chips in after.items() if chips == best}
        owed = {name: one.owed for name, one in room.t().players.items() if one.owed}
        assert max(owed, key=lambda name: owed[name]) in winners
        assert await retired(room) is None
        room.gone_home()

    at(tmp_path, work)


def test_a_start_is_not_taken_back_after_a_card(tmp_path: Path) -> None:
    async def work(room: Room) -> None:
        await entered(room, FOUR)
        assert isinstance(await undo(room), Accepted)  # The clock.
        await dealt_unasked(room)
        refused = await undo(room)
        assert isinstance(refused, Refusal)
        assert (refused.code, refused.clause) == (Code.OVER, "OMS-13")
        assert room.t().started

    at(tmp_path, work)


def test_a_start_is_taken_back_before_the_first_card(tmp_path: Path) -> None:
    async def work(room: Room) -> None:
        await entered(room, FOUR)
        assert isinstance(await undo(room), Accepted)
        assert isinstance(await undo(room), Accepted)
        assert not room.t().started

    at(tmp_path, work)


@pytest.mark.long
def test_tables_play_on_while_the_night_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work(room: Room) -> None:
        await entered(room, FOUR, seats=2)
        table, written, give = await room.table(2), threading.Event(), room.night.give

        def slowly(*given: Any, **how: Any) -> Answer:
            assert written.wait(60), "the loop waits for the night"
            return give(*given, **how)

        monkeypatch.setattr(room.night, "give", slowly)
        begun = asyncio.create_task(tournament_rounds.begin(room.tables(), 1))
        seat, player = next(iter(table.state.seats.items()))
        await said(table, By(player, "player"), at_table.PutWager(seat, "ante", Cents(2_500)))
        written.set()
        assert isinstance(await begun, Accepted)

    at(tmp_path, work)


def test_a_request_that_comes_again_begins_and_counts_once(tmp_path: Path) -> None:
    async def work(room: Room) -> None:
        await entered(room, FOUR)
        begun = await tournament_rounds.begin(room.tables(), 1, request="b")
        await dealt_unasked(room)
        counted = await tournament_rounds.count(room.tables(), 1, request="c")
        assert isinstance(begun, Accepted)
        assert isinstance(counted, Accepted)
        number = (await room.table()).state.number
        assert await tournament_rounds.begin(room.tables(), 1, request="b") == begun
        assert await tournament_rounds.count(room.tables(), 1, request="c") == counted
        assert (await room.table()).state.number == number
        for other in (
            tournament_rounds.begin(room.tables(), 1, request="c"),
            tournament_rounds.count(room.tables(), 2, request="c"),
        ):
            reused = await other
            assert isinstance(reused, Refusal)
            assert reused.code is Code.REQUEST_REUSED
            assert said_by(reused.message)["key"] == "ledger.request-reused"
        assert room.t().in_hand == ()

    at(tmp_path, work)
