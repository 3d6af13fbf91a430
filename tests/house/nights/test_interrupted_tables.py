"""Interruptions at odd moments: two tables, quick players, second stops, typed tables."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.house.nights.hand_phases import GONE, KINDS, PLAYERS, bring_to_phase
from tests.house.nights.live_night import (
    DEALER,
    SUE,
    Room,
    T,
    bet,
    enter_players,
    layout,
    one_round,
    play,
    send_command,
)
from tests.house.nights.stopped_hands import (
    answer_all,
    at,
    check_end,
    chips_held,
    pending_state,
    settle_and_close,
    stop,
)
from tests.house.nights.test_gaming_date import ANN, chance
from tests.house.nights.tournament.step_lines import schedule

from pitbook.cards import card
from pitbook.house.nights import (
    interruptions as cut_hands,
)
from pitbook.house.nights import table_commands as chance_tables
from pitbook.house.nights import (
    tournament_tables as tournament_rounds,
)
from pitbook.house.nights.night_sync import NightSync
from pitbook.house.nights.store import Accepted
from pitbook.house.nights.tournament import commands as floor
from pitbook.house.nights.tournament import facts
from pitbook.house.table import commands as at_table
from pitbook.house.table.actor import LiveTable
from pitbook.house.table.commands import By
from pitbook.money import Cents
from pitbook.rules.actions import BOARD
from pitbook.rules.refusals import Refusal


async def two_tables(room: Room) -> None:
    """A hand on each of two tables."""
    await enter_players(room, (*PLAYERS, *GONE), kind="multi-table", seats=3)
    for number in (1, 2):
        assert isinstance(await tournament_rounds.begin_round(room.tables(), number), Accepted)
        table = await room.table(number)
        await bet(table)
        await send_command(table, DEALER, at_table.CloseBetting())


@pytest.mark.long
def test_each_table_is_ruled_separately(tmp_path: Path) -> None:
    async def work(room: Room) -> None:
        await two_tables(room)
        await stop(room)
        first, second = await room.table(1), await room.table(2)
        for seat, player in first.state.seats.items():
            await send_command(first, By(player, "player"), at_table.Agree(seat, finish=True))
        await send_command(second, SUE, at_table.Unreadable("cards on the floor"))
        assert await cut_hands.sync_hands(room.tables()) is None
        assert (room.t().status, room.t().in_hand, room.t().to_complete) == (
            "interrupted",
            (1,),
            (1,),
        )
        await play(first, room.whims)
        assert await cut_hands.sync_hands(room.tables()) is None
        rulings = [fact for _, fact in room.t().past if isinstance(fact, facts.HandRuled)]
        assert [(ruling.table, ruling.completed, ruling.readable) for ruling in rulings] == [
            (1, True, True),
            (2, False, False),
        ]
        assert room.t().status == "finished"
        await settle_and_close(room)

    at(tmp_path, work)


@pytest.mark.long
def test_floor_sees_who_must_agree(tmp_path: Path) -> None:
    async def work(room: Room) -> None:
        await bring_to_phase(room, "multi-table", 2, "dealt")
        results = await chance_tables.interrupt(
            room.house, room.night, "power failure", actor="olga"
        )
        assert isinstance(results, list)
        what = results[-1].what
        assert what.startswith("Suspended. ")
        assert what.endswith(
            " must agree to finish the hand at table 1. Otherwise the hand is dead."
        )
        assert all(player in what for player in PLAYERS[:2])

    at(tmp_path, work)


@pytest.mark.long
def test_ruling_of_a_dead_hand_lists_who_agreed(tmp_path: Path) -> None:
    async def work(room: Room) -> None:
        await bring_to_phase(room, "multi-table", 3, "4th")
        await stop(room)
        table = await room.table()
        (first_seat, agreeing), (second_seat, refusing) = list(table.state.seats.items())[:2]
        await send_command(table, By(agreeing, "player"), at_table.Agree(first_seat, finish=True))
        await send_command(table, By(refusing, "player"), at_table.Agree(second_seat, finish=False))
        await cut_hands.sync_hands(room.tables())
        (ruling,) = [fact for _, fact in room.t().past if isinstance(fact, facts.HandRuled)]
        assert (ruling.completed, ruling.readable, ruling.agreed) == (False, True, (agreeing,))
        assert ruling.clause == "OMS-15"

    at(tmp_path, work)


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
def test_hand_ruled_dead_at_a_table_before_a_stop_is_still_settled(
    tmp_path: Path, kind: str
) -> None:
    """The table's hand was dead, and the process stopped before the night recorded it."""

    async def work(room: Room) -> None:
        await bring_to_phase(room, kind, 3, "4th")
        before, table = chips_held(room), await room.table()
        await send_command(table, SUE, at_table.Interrupt("power failure"))
        await send_command(table, SUE, at_table.Unreadable())
        assert await room.again() == []
        assert room.t().status == "playing"  # A table's dead hand ends no tournament.
        await stop(room)
        check_end(room, kind, 3, before)
        assert await room.again() == []
        await settle_and_close(room)

    at(tmp_path, work)


@pytest.mark.long
def test_a_second_stop_asks_only_who_has_not_answered(tmp_path: Path) -> None:
    async def work(room: Room) -> None:
        await bring_to_phase(room, "multi-table", 3, "dealt")
        await stop(room)
        table = await room.table()
        seat, player = next(iter(table.state.seats.items()))
        await send_command(table, By(player, "player"), at_table.Agree(seat, finish=True))
        pending = await cut_hands.pending_answers(room.tables())
        assert await room.again() == []
        assert await cut_hands.pending_answers(room.tables()) == pending
        assert player not in pending[1]

    at(tmp_path, work)


@pytest.mark.long
def test_bets_before_the_floor_began_a_round_do_not_block_the_end(tmp_path: Path) -> None:
    async def work(room: Room) -> None:
        await two_tables(room)
        for number in (1, 2):
            await play(await room.table(number), room.whims)
        await tournament_rounds.count_chips(room.tables(), 1)
        await bet(await room.table(1))  # The next round, before the floor has begun it.
        await stop(room)
        assert room.t().status == "finished"
        await settle_and_close(room)

    at(tmp_path, work)


@pytest.mark.long
def test_unrecorded_hand_is_also_ruled_on(tmp_path: Path) -> None:
    async def work(room: Room) -> None:
        await bring_to_phase(room, "multi-table", 2, "between")
        table = await room.table()
        await bet(table)
        await send_command(table, DEALER, at_table.CloseBetting())
        assert await room.again() == [T]
        assert (await pending_state(room))[:2] == ("playing", ())
        await stop(room)
        assert (await pending_state(room))[:2] == ("interrupted", (1,))
        await answer_all(room, finish=False)
        await settle_and_close(room)

    at(tmp_path, work)


@pytest.mark.long
def test_play_continues_after_an_undone_interruption(tmp_path: Path) -> None:
    async def work(room: Room) -> None:
        await bring_to_phase(room, "hourly", 4, "4th")
        await stop(room)
        assert room.t().status == "void"
        for _ in range(2):
            undo_answer = await tournament_rounds.give(
                room.tables(), floor.Undo(T, room.t().past[-1][0], "light")
            )
            assert isinstance(undo_answer, Accepted), undo_answer
        assert room.t().status == "playing"
        assert isinstance(await tournament_rounds.count_chips(room.tables(), 1), Accepted)
        await one_round(room, 1)
        room.check_conserved()
        assert layout(await room.table()).ending == "settled"
        begin_answer = await tournament_rounds.begin_round(room.tables(), 1)
        assert not isinstance(begin_answer, Refusal)

    at(tmp_path, work)


@pytest.mark.long
def test_wagers_at_another_table_do_not_delay_the_ruling(tmp_path: Path) -> None:
    async def work(room: Room) -> None:
        await two_tables(room)
        second = await room.table(2)
        await play(second, room.whims)
        await tournament_rounds.count_chips(room.tables(), 2)
        await stop(room)
        assert (await pending_state(room))[:2] == ("interrupted", (1,))
        await bet(second)
        await answer_all(room, finish=False)
        assert room.t().status == "finished"
        await settle_and_close(room)

    at(tmp_path, work)


@pytest.mark.long
def test_a_tournament_without_live_tables_is_ruled_by_hand(tmp_path: Path) -> None:
    async def work(room: Room) -> None:
        room.must(floor.SetUp(T, schedule(kind="multi-table")), floor.Announce(T))
        room.must(*(floor.Enter(T, player) for player in PLAYERS))
        room.must(floor.DrawSeats(T), floor.Start(T), floor.BeginRound(T, 1))
        await stop(room)
        assert (await pending_state(room)) == ("interrupted", (1,), (), {})
        assert await room.again() == []
        room.must(floor.RuleHand(T, 1, readable=False))
        await settle_and_close(room)

    at(tmp_path, work)


@pytest.mark.long
@pytest.mark.parametrize("finish", [True, False])
def test_bets_after_an_interrupted_hand_are_not_mistaken_for_it(
    tmp_path: Path, *, finish: bool
) -> None:
    """The hand is over, and a player bets before the night has recorded it."""

    async def work(room: Room) -> None:
        await bring_to_phase(room, "multi-table", 2, "5th-half")
        await stop(room)
        table = await room.table()
        for seat, player in list(table.state.seats.items()):
            if table.state.awaiting is not None:
                await send_command(table, By(player, "player"), at_table.Agree(seat, finish=finish))
        await play(table, room.whims)
        await bet(table)
        assert await cut_hands.sync_hands(room.tables()) is None
        (ruling,) = [fact for _, fact in room.t().past if isinstance(fact, facts.HandRuled)]
        assert ruling.completed is finish
        assert room.t().status == "finished"
        await settle_and_close(room)

    at(tmp_path, work)


@pytest.mark.long
def test_interruption_recorded_at_the_night_first_stops_the_table(tmp_path: Path) -> None:
    async def work(room: Room) -> None:
        await bring_to_phase(room, "multi-table", 3, "4th")
        room.must(floor.Interrupt(T, "power failure"))
        assert await cut_hands.pending_answers(room.tables()) == {}
        assert await cut_hands.sync_hands(room.tables()) is None
        assert len((await cut_hands.pending_answers(room.tables()))[1]) == 3
        refusal = await tournament_rounds.begin_round(room.tables(), 1)
        assert isinstance(refusal, Refusal)
        await answer_all(room, finish=False)
        await settle_and_close(room)

    at(tmp_path, work)


TYPED = ("laid", "looked", "one-card", "settle")


async def type_hand(room: Room, kind: str, phase: str) -> None:
    """Two players at a typed table; one folds, the other stays."""
    await enter_players(room, PLAYERS[:2], kind=kind, at="typed")
    assert isinstance(await tournament_rounds.begin_round(room.tables(), 1), Accepted)
    table = await room.table()
    await bet(table)
    await send_command(table, DEALER, at_table.CloseBetting())
    if phase == "laid":
        return
    first_seat, second_seat = sorted(table.state.seats)
    for seat, card_names in ((first_seat, "Jc Jd"), (second_seat, "2c 7d")):
        for name in card_names.split():
            await send_command(table, DEALER, at_table.TypeCard(seat, card(name)))
    if phase == "looked":
        return
    await send_command(table, DEALER, at_table.Decide(second_seat, "fold"))
    for name in ("3s", "4s", "9h")[: 1 if phase == "one-card" else 3]:
        await send_command(table, DEALER, at_table.Decide(first_seat, "1x"))
        await send_command(table, DEALER, at_table.TypeCard(BOARD, card(name)))


@pytest.mark.long
@pytest.mark.parametrize("phase", TYPED)
@pytest.mark.parametrize("kind", KINDS)
def test_hand_at_a_typed_table_is_interrupted(tmp_path: Path, kind: str, phase: str) -> None:
    async def work(room: Room) -> None:
        await type_hand(room, kind, phase)
        assert layout(await room.table()).phase == ("settle" if phase == "settle" else "play")
        assert await room.again() == [T]
        await stop(room)
        if kind == "multi-table":
            await answer_all(room, finish=False)
        # Dead: equal chips share, as even parts would be.
        assert {name: player.due for name, player in room.t().players.items()} == dict.fromkeys(
            PLAYERS[:2], 4_000
        )
        await settle_and_close(room)

    at(tmp_path, work)


def test_hand_at_a_typed_table_is_completed(tmp_path: Path) -> None:
    async def work(room: Room) -> None:
        await type_hand(room, "multi-table", "settle")
        await stop(room)
        await answer_all(room, finish=True)
        assert room.t().to_complete == (1,)
        await send_command(await room.table(), DEALER, at_table.Settle())
        assert await cut_hands.sync_hands(room.tables()) is None
        assert room.t().status == "finished"
        await settle_and_close(room)

    at(tmp_path, work)


@pytest.mark.long
@pytest.mark.parametrize("dead", [False, True])
def test_hand_dealt_after_the_interruption_is_not_interrupted(tmp_path: Path, dead: bool) -> None:
    """The server reports the interruption again when it syncs."""

    async def work(room: Room) -> None:
        table = await chance(room)
        sync = NightSync(room.house)
        await sync.sync_all()
        await one_hand(table)
        stop_results = chance_tables.interrupt(
            room.house, room.night, "storm", actor="olga", dead=dead
        )
        assert isinstance(await stop_results, list)
        if not dead:
            await send_command(table, ANN, at_table.Agree(1, finish=False))
        await one_hand(table)
        for _ in range(2):
            await sync.sync_all()
            assert (table.state.has_live_wagers, table.state.awaiting) == (True, None)

    at(tmp_path, work)


async def one_hand(table: LiveTable) -> None:
    await send_command(table, ANN, at_table.PutWager(1, "ante", Cents(200)))
    await send_command(table, DEALER, at_table.CloseBetting())
