"""After a server stop the floor decides, and its undo lasts."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from pathlib import Path

import pytest
from tests.house.nights.hand_phases import IN_PLAY, KINDS, bring_to_phase
from tests.house.nights.kit import OMS
from tests.house.nights.live_night import Room, T, bet, layout, play, send_command
from tests.house.nights.stopped_hands import answer_all, at, settle_and_close, stop
from tests.house.nights.tournament.step_lines import schedule

from pitbook.errors import RoundError
from pitbook.house.nights import commands as do
from pitbook.house.nights import (
    interruptions as cut_hands,
)
from pitbook.house.nights import table_commands as floor_commands
from pitbook.house.nights import (
    tournament_tables as tournament_rounds,
)
from pitbook.house.nights.store import Accepted, Answer
from pitbook.house.nights.tournament import commands as floor
from pitbook.house.nights.tournament.clock import reading
from pitbook.house.nights.tournament.commands import decode
from pitbook.house.table import commands as at_table
from pitbook.house.table.commands import By, Envelope
from pitbook.money import Cents
from pitbook.rules.refusals import Refusal

LONG = {"hours": 3.0}


async def ask_floor(room: Room, command: floor.Command) -> Answer:
    return await floor_commands.ask(room.tables(), command)


async def must(room: Room, command: floor.Command) -> None:
    answer = await ask_floor(room, command)
    assert isinstance(answer, Accepted), answer


async def undo(room: Room) -> None:
    last = room.t().last
    assert last is not None
    await must(room, floor.Undo(T, last[0]))


async def sync_repeatedly(room: Room) -> None:
    for _ in range(3):
        await cut_hands.sync_tournament(room.tables())
        room.later(minutes=5)


@pytest.mark.slow_cases(
    "3rd-multi-table",
    "4th-half-multi-table",
    "4th-hourly",
    "5th-half-multi-table",
    "5th-hourly",
    "all-wagers-multi-table",
    "dealt-hourly",
)
@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("phase", ["all-wagers", *IN_PLAY])
def test_oms_15_hand_waits_for_the_floor_after_a_server_stop(
    tmp_path: Path, kind: str, phase: str
) -> None:
    async def work(room: Room) -> None:
        await bring_to_phase(room, kind, 4, phase)
        before = layout(await room.table())
        room.later(**LONG)
        assert await room.again() == [T]
        await sync_repeatedly(room)
        table = await room.table()
        assert (room.t().status, room.t().interrupted_tables, room.t().dealt > 0) == (
            "playing",
            (1,),
            True,
        )
        assert layout(table) == before
        assert not table.state.deadlines  # No clock folds anybody.
        seat = (before.waiting or (before.seats[0].number,))[0]
        player = By(table.state.seats[seat], "player")
        refusal = await table.send(Envelope(player, at_table.Decide(seat, "1x")))
        assert isinstance(refusal, Refusal)
        assert "The floor supervisor" in refusal.message
        room.check_conserved()

    at(tmp_path, work)


@pytest.mark.slow_cases(
    "4th-half-multi-table", "5th-hourly", "all-wagers-multi-table", "dealt-hourly"
)
@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("phase", ["all-wagers", "dealt", "4th-half", "5th"])
def test_resumed_hand_is_played_to_its_end(tmp_path: Path, kind: str, phase: str) -> None:
    async def work(room: Room) -> None:
        await bring_to_phase(room, kind, 4, phase)
        await room.again()
        await must(room, floor.GoOn(T))
        assert room.t().interrupted_tables == ()
        table = await room.table()
        if phase == "all-wagers":
            await send_command(table, By("dee", "dealer"), at_table.CloseBetting())
        await play(table, room.whims)
        await must(room, floor.CountChips(T, 1))
        assert (room.t().status, room.t().in_hand) == ("playing", ())
        await sync_repeatedly(room)
        assert room.t().status == "playing"
        refusal = await ask_floor(room, floor.GoOn(T))
        assert isinstance(refusal, Refusal)
        await stop(room)
        await settle_and_close(room)

    at(tmp_path, work)


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
def test_interruption_after_a_stop_ends_the_tournament_by_its_kind(
    tmp_path: Path, kind: str
) -> None:
    async def work(room: Room) -> None:
        await bring_to_phase(room, kind, 4, "4th-half")
        await room.again()
        await must(room, floor.Interrupt(T, "no power"))
        if kind == "multi-table":
            assert room.t().status == "interrupted"
            await answer_all(room, finish=False)
        assert room.t().status == ("finished" if kind == "multi-table" else "void")
        await settle_and_close(room)

    at(tmp_path, work)


@pytest.mark.long
def test_clock_is_paused_from_the_stop_until_the_floor_resumes(tmp_path: Path) -> None:
    async def work(room: Room) -> None:
        await bring_to_phase(room, "hourly", 4, "dealt")
        room.later(minutes=3)
        seat = layout(await room.table()).waiting[0]
        player = By((await room.table()).state.seats[seat], "player")
        await send_command(await room.table(), player, at_table.Decide(seat, "1x"))
        left = reading(room.t().schedule, room.t().clock, room.now).left
        room.later(hours=2)
        await room.again()
        clock_reading = reading(room.t().schedule, room.t().clock, room.now)
        assert (clock_reading.running, clock_reading.level, clock_reading.left) == (False, 1, left)
        room.later(hours=1)
        await must(room, floor.GoOn(T))
        room.later(minutes=1)
        clock_reading = reading(room.t().schedule, room.t().clock, room.now)
        assert (clock_reading.running, clock_reading.level, clock_reading.left) == (
            True,
            1,
            left - timedelta(minutes=1),
        )

    at(tmp_path, work)


@pytest.mark.long
def test_repeated_stops_ask_the_floor_once(tmp_path: Path) -> None:
    async def work(room: Room) -> None:
        await bring_to_phase(room, "multi-table", 3, "4th")
        assert await room.again() == [T]
        assert await room.again() == []
        assert room.t().interrupted_tables == (1,)
        await must(room, floor.GoOn(T))
        assert await room.again() == [T]  # A hand that goes on can be cut again.

    at(tmp_path, work)


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("after", ["a stop", "nothing"])
def test_undone_interruption_stays_undone(tmp_path: Path, kind: str, after: str) -> None:
    async def work(room: Room) -> None:
        await bring_to_phase(room, kind, 4, "4th-half")
        if after == "a stop":
            await room.again()
            await must(room, floor.GoOn(T))
        await must(room, floor.Interrupt(T, "pressed by mistake"))
        while room.t().status != "playing":
            await undo(room)
            await sync_repeatedly(room)
        await sync_repeatedly(room)
        assert room.t().status == "playing"
        table = await room.table()
        assert table.state.awaiting is None
        await play(table, room.whims)
        await must(room, floor.CountChips(T, 1))
        assert isinstance(await tournament_rounds.begin_round(room.tables(), 1), Accepted)
        await bet(table)
        room.check_conserved()

    at(tmp_path, work)


@pytest.mark.long
def test_nothing_happens_by_itself_after_a_ruling_is_undone(tmp_path: Path) -> None:
    async def work(room: Room) -> None:
        await bring_to_phase(room, "multi-table", 3, "4th-half")
        await must(room, floor.Interrupt(T, "storm"))
        await answer_all(room, finish=False)
        assert room.t().status == "finished"
        for expected in ("interrupted", "interrupted", "interrupted", "playing"):
            await undo(room)  # The end, the prizes, the ruling, the interruption.
            await sync_repeatedly(room)
            assert room.t().status == expected
        await must(room, floor.CountChips(T, 1))
        assert isinstance(await tournament_rounds.begin_round(room.tables(), 1), Accepted)

    at(tmp_path, work)


@pytest.mark.long
def test_undone_end_is_settled_by_the_floor(tmp_path: Path) -> None:
    async def work(room: Room) -> None:
        await bring_to_phase(room, "multi-table", 3, "4th-half")
        await must(room, floor.Interrupt(T, "storm"))
        await answer_all(room, finish=False)
        await undo(room)
        await sync_repeatedly(room)
        await must(room, floor.SettleInterruption(T))
        assert room.t().status == "finished"
        await settle_and_close(room)

    at(tmp_path, work)


@pytest.mark.long
def test_stop_keeps_pending_questions_to_players(tmp_path: Path) -> None:
    async def work(room: Room) -> None:
        await bring_to_phase(room, "multi-table", 3, "4th-half")
        await must(room, floor.Interrupt(T, "storm"))
        await room.again()
        assert (room.t().status, room.t().interrupted_tables) == ("interrupted", ())
        await answer_all(room, finish=False)
        assert room.t().status == "finished"
        await settle_and_close(room)

    at(tmp_path, work)


@pytest.mark.long
def test_stop_during_an_agreed_hand_asks_the_floor(tmp_path: Path) -> None:
    async def work(room: Room) -> None:
        await bring_to_phase(room, "multi-table", 3, "4th-half")
        await must(room, floor.Interrupt(T, "storm"))
        await answer_all(room, finish=True)
        assert room.t().to_complete == (1,)
        assert await room.again() == [T]
        await sync_repeatedly(room)
        assert (room.t().status, room.t().interrupted_tables) == ("interrupted", (1,))
        await must(room, floor.GoOn(T))
        await sync_repeatedly(room)
        assert (await room.table()).state.awaiting is None  # Nobody is asked twice.
        await play(await room.table(), room.whims)
        await cut_hands.sync_tournament(room.tables())
        assert room.t().status == "finished"
        await settle_and_close(room)

    at(tmp_path, work)


@pytest.mark.long
def test_unreadable_hand_is_dead_after_a_restart(tmp_path: Path) -> None:
    async def work(room: Room) -> None:
        await bring_to_phase(room, "multi-table", 3, "4th-half")
        await must(room, floor.Interrupt(T, "storm"))
        await answer_all(room, finish=True)
        await room.again()
        await must(room, floor.RuleHand(T, 1, readable=False))
        await cut_hands.sync_tournament(room.tables())
        assert room.t().status == "finished"
        await settle_and_close(room)

    at(tmp_path, work)


@pytest.mark.long
def test_oms_13_a_card_at_a_live_table_is_the_first_card(tmp_path: Path) -> None:
    async def work(room: Room) -> None:
        room.must(floor.SetUp(T, schedule()), floor.Announce(T))
        room.must(*(floor.Enter(T, name) for name in ("ann", "bob", "cal")))
        room.must(floor.DrawSeats(T), floor.Start(T))
        assert await tournament_rounds.open_tables(room.tables(), OMS) is None
        await must(room, floor.Refund(T, "cal"))
        table = await room.table()
        await bet(table)  # Before the floor began a round.
        await must(room, floor.Enter(T, "dan"))
        await send_command(table, By("dee", "dealer"), at_table.CloseBetting())
        for command in (floor.Refund(T, "ann"), floor.Refund(T, "dan")):
            refusal = await ask_floor(room, command)
            assert isinstance(refusal, Refusal)
            assert refusal.clause == "OMS-13"
        await undo_until_refused(room)
        assert room.t().started

    at(tmp_path, work)


async def undo_until_refused(room: Room) -> None:
    while True:
        last = room.t().last
        assert last is not None
        answer = await ask_floor(room, floor.Undo(T, last[0]))
        if isinstance(answer, Refusal):
            assert answer.clause == "OMS-13"
            return


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
def test_uncounted_rounds_are_counted_before_the_end(tmp_path: Path, kind: str) -> None:
    """Several rounds were played after one begin-round; the ledger has the chips."""

    async def work(room: Room) -> None:
        await bring_to_phase(room, kind, 4, "begun")
        table = await room.table()
        for _ in range(2):
            await bet(table)
            await send_command(table, By("dee", "dealer"), at_table.CloseBetting())
            await play(table, room.whims)
        await bet(table)
        await send_command(table, By("dee", "dealer"), at_table.CloseBetting())
        await must(room, floor.Interrupt(T, "storm"))
        if room.t().status == "interrupted":
            await answer_all(room, finish=False)
        assert room.t().status in ("finished", "void")
        await settle_and_close(room)

    at(tmp_path, work)


def test_only_live_tables_report_ledger_chips() -> None:
    with pytest.raises(RoundError, match="Only live tables may send in_book"):
        decode(T, {"do": "count-chips", "table": 1, "counts": {"ann": "5000"}, "in_book": True})


@pytest.mark.long
def test_restart_of_a_rehearsal_asks_the_floor(tmp_path: Path) -> None:
    async def work() -> None:
        room = Room(tmp_path, rehearsal=True)
        await bring_to_phase(room, "hourly", 4, "4th-half")
        assert await room.again() == [T]
        assert (room.t().status, room.t().interrupted_tables) == ("playing", (1,))
        await must(room, floor.GoOn(T))
        await room.close()

    asyncio.run(work())


@pytest.mark.long
@pytest.mark.parametrize(
    "command",
    [
        floor.Interrupt(T, "x"),
        floor.GoOn(T),
        floor.RuleHand(T, 1, readable=False),
        floor.Undo(T, 1),
    ],
)
def test_reused_request_id_changes_nothing_at_the_tables(
    tmp_path: Path, command: floor.Command
) -> None:
    async def work(room: Room) -> None:
        await bring_to_phase(room, "multi-table", 4, "5th")
        assert isinstance(room.ask(do.BringFloat(Cents(100)), request="once"), Accepted)
        await room.again()
        if isinstance(command, floor.RuleHand):
            await must(room, floor.Interrupt(T, "power"))
        before = (await room.table()).state
        answer = await floor_commands.ask(room.tables(), command, request="once")
        assert isinstance(answer, Refusal)
        assert "was already used with a different body" in answer.message
        assert (await room.table()).state == before

    at(tmp_path, work)


@pytest.mark.long
def test_repeated_interruption_after_an_undo_has_no_effect(tmp_path: Path) -> None:
    async def work(room: Room) -> None:
        await bring_to_phase(room, "multi-table", 4, "5th")
        interruption = floor.Interrupt(T, "power")
        assert isinstance(
            await floor_commands.ask(room.tables(), interruption, request="once"), Accepted
        )
        last = room.t().last
        assert last is not None
        undo_command = floor.Undo(T, last[0])
        assert isinstance(
            await floor_commands.ask(room.tables(), undo_command, request="back"), Accepted
        )
        assert isinstance(
            await floor_commands.ask(room.tables(), interruption, request="once"), Accepted
        )
        assert (room.t().status, (await room.table()).state.awaiting) == ("playing", None)
        await must(room, interruption)
        assert isinstance(
            await floor_commands.ask(room.tables(), undo_command, request="back"), Accepted
        )
        assert room.t().status == "interrupted"
        assert (await room.table()).state.awaiting is not None

    at(tmp_path, work)


@pytest.mark.long
def test_only_interrupted_hands_are_ruled_on_after_a_restart(tmp_path: Path) -> None:
    async def work(room: Room) -> None:
        await bring_to_phase(room, "hourly", 4, "5th")
        await room.again()
        answer = await ask_floor(room, floor.RuleHand(T, 1, readable=False))
        assert isinstance(answer, Refusal)
        assert "has no interrupted hand" in answer.message
        assert (await room.table()).state.has_live_wagers

    at(tmp_path, work)
