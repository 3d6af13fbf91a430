"""Dealt rounds cannot be undone: the record catches up with the ledger."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from typing import Any

import pytest
from tests.house.nights.live_night import (
    DEALER,
    Room,
    T,
    bet,
    enter_players,
    one_round,
    play,
    send_command,
)
from tests.house.nights.stopped_hands import at

from pitbook.house.ledger.audit import verify
from pitbook.house.nights import (
    interruptions as cut_hands,
)
from pitbook.house.nights import table_commands as floor_commands
from pitbook.house.nights import (
    tournament_tables as tournament_rounds,
)
from pitbook.house.nights.store import Accepted, Answer
from pitbook.house.nights.tournament import commands as floor
from pitbook.house.table import commands as at_table
from pitbook.house.table.commands import By
from pitbook.money import Cents
from pitbook.rules.refusals import Code, Refusal
from pitbook.text.sentences import sentence_json

FOUR = ("ann", "bob", "cal", "dee")


async def undo(room: Room) -> Answer:
    last = room.t().last
    assert last is not None
    return await floor_commands.ask(room.tables(), floor.Undo(T, last[0]))


def recorded_chips(room: Room) -> dict[str, Cents]:
    return {name: player.chips for name, player in room.t().players.items()}


def ledger_chips(room: Room) -> dict[str, Cents]:
    return {name: room.tables().chips(name) for name in room.t().players}


async def deal_unbegun_round(room: Room) -> None:
    """Play a round before the floor began one."""
    table = await room.table()
    await bet(table)
    await send_command(table, DEALER, at_table.CloseBetting())
    await play(table, room.whims)


@pytest.mark.parametrize("begun", [True, False])
def test_undone_count_is_repeated_before_the_next_step(tmp_path: Path, begun: bool) -> None:
    async def work(room: Room) -> None:
        await enter_players(room, FOUR, ends="clock")
        if begun:
            await one_round(room, 1)
        else:
            await deal_unbegun_round(room)
            assert isinstance(await tournament_rounds.count_chips(room.tables(), 1), Accepted)
        after = ledger_chips(room)
        assert recorded_chips(room) == after
        for _ in range(1 + begun):
            assert isinstance(await undo(room), Accepted)
        assert (room.t().in_hand, recorded_chips(room) == after) == ((), False)
        room.later(minutes=60)
        assert isinstance(await tournament_rounds.give(room.tables(), floor.Finish(T)), Accepted)
        room.must(
            *(floor.PayOut(T, name) for name, player in room.t().players.items() if player.owed)
        )
        assert isinstance(await retire_tables(room), type(None))
        room.check_no_chips()
        assert verify(room.ledger).findings == ()

    at(tmp_path, work)


async def retire_tables(room: Room) -> Refusal | None:
    return await tournament_rounds.retire(room.tables(), "over")


def test_interruption_counts_uncounted_rounds(tmp_path: Path) -> None:
    async def work(room: Room) -> None:
        await enter_players(room, FOUR[:3])
        await deal_unbegun_round(room)
        after = ledger_chips(room)
        assert isinstance(await cut_hands.interrupt(room.tables(), "storm"), Accepted)
        assert room.t().status == "finished"  # OMS-14: three are left, and chips place them.
        best = max(after.values())
        winners = {name for name, chips in after.items() if chips == best}
        owed = {name: player.owed for name, player in room.t().players.items() if player.owed}
        assert max(owed, key=lambda name: owed[name]) in winners
        assert await retire_tables(room) is None
        room.check_no_chips()

    at(tmp_path, work)


def test_start_cannot_be_undone_after_a_card(tmp_path: Path) -> None:
    async def work(room: Room) -> None:
        await enter_players(room, FOUR)
        assert isinstance(await undo(room), Accepted)  # The clock.
        await deal_unbegun_round(room)
        refusal = await undo(room)
        assert isinstance(refusal, Refusal)
        assert (refusal.code, refusal.clause) == (Code.OVER, "OMS-13")
        assert room.t().started

    at(tmp_path, work)


def test_start_can_be_undone_before_the_first_card(tmp_path: Path) -> None:
    async def work(room: Room) -> None:
        await enter_players(room, FOUR)
        assert isinstance(await undo(room), Accepted)
        assert isinstance(await undo(room), Accepted)
        assert not room.t().started

    at(tmp_path, work)


@pytest.mark.long
def test_tables_continue_while_the_night_is_saved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work(room: Room) -> None:
        await enter_players(room, FOUR, seats=2)
        table, may_write, give = await room.table(2), threading.Event(), room.night.give

        def give_later(*arguments: Any, **options: Any) -> Answer:
            assert may_write.wait(60), "the loop waits for the night"
            return give(*arguments, **options)

        monkeypatch.setattr(room.night, "give", give_later)
        begin_task = asyncio.create_task(tournament_rounds.begin_round(room.tables(), 1))
        seat, player = next(iter(table.state.seats.items()))
        await send_command(
            table, By(player, "player"), at_table.PutWager(seat, "ante", Cents(2_500))
        )
        may_write.set()
        assert isinstance(await begin_task, Accepted)

    at(tmp_path, work)


def test_repeated_request_starts_and_counts_once(tmp_path: Path) -> None:
    async def work(room: Room) -> None:
        await enter_players(room, FOUR)
        begin_answer = await tournament_rounds.begin_round(room.tables(), 1, request="b")
        await deal_unbegun_round(room)
        count_answer = await tournament_rounds.count_chips(room.tables(), 1, request="c")
        assert isinstance(begin_answer, Accepted)
        assert isinstance(count_answer, Accepted)
        number = (await room.table()).state.number
        assert await tournament_rounds.begin_round(room.tables(), 1, request="b") == begin_answer
        assert await tournament_rounds.count_chips(room.tables(), 1, request="c") == count_answer
        assert (await room.table()).state.number == number
        for other in (
            tournament_rounds.begin_round(room.tables(), 1, request="c"),
            tournament_rounds.count_chips(room.tables(), 2, request="c"),
        ):
            reused = await other
            assert isinstance(reused, Refusal)
            assert reused.code is Code.REQUEST_REUSED
            assert sentence_json(reused.message)["key"] == "ledger.request-reused"
        assert room.t().in_hand == ()

    at(tmp_path, work)
