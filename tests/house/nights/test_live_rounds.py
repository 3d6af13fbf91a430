"""Tournament rounds at live tables: seats, levels, counts and moves."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from tests.house.nights.kit import CMS, MHL, OMS, RULES
from tests.house.nights.live_night import (
    DEALER,
    Room,
    T,
    bet,
    enter_players,
    layout,
    one_round,
    play,
    send_command,
)
from tests.house.nights.tournament.step_lines import schedule

from pitbook import load as load_sheet
from pitbook.errors import LedgerError
from pitbook.house.ledger.audit import verify
from pitbook.house.nights import table_commands as chance_tables
from pitbook.house.nights import table_commands as floor_commands
from pitbook.house.nights import (
    tournament_tables as tournament_rounds,
)
from pitbook.house.nights.sheets import level_sheet, smallest_stake
from pitbook.house.nights.store import Accepted
from pitbook.house.nights.tournament import commands as floor
from pitbook.house.table import commands as at_table
from pitbook.house.table.commands import By, Envelope
from pitbook.house.table.limits import limits_of
from pitbook.money import Cents, dollars
from pitbook.rules.refusals import Code, Refusal
from pitbook.sheets.model import Sheet

FOUR = ("ann", "bob", "cal", "dee")
STAX = load_sheet("louisiana-stud/stax-required")


def at(path: Path, work: Callable[[Room], Awaitable[None]]) -> None:
    async def run() -> None:
        room = Room(path)
        try:
            await work(room)
        finally:
            await room.close()

    asyncio.run(run())


@pytest.mark.long
def test_players_sit_at_their_drawn_seats(tmp_path: Path) -> None:
    async def work(room: Room) -> None:
        await enter_players(room, FOUR, seats=2)
        assert tournament_rounds.table_numbers(room.tables()) == [1, 2]
        for number in (1, 2):
            seats = (await room.table(number)).state.seats
            assert {name: (number, seat) for seat, name in seats.items()} == {
                name: (player.table, player.seat)
                for name, player in room.t().players.items()
                if player.table == number
            }
        assert tournament_rounds.base_sheet(room.tables()) == OMS

    at(tmp_path, work)


@pytest.mark.long
def test_rounds_are_dealt_and_counted_from_the_ledger(tmp_path: Path) -> None:
    async def work(room: Room) -> None:
        await enter_players(room, FOUR)
        for _ in range(3):
            await one_round(room, 1)
            chips = {name: player.chips for name, player in room.t().players.items()}
            assert chips == {name: room.tables().chips(name) for name in FOUR}
            room.check_conserved()
        assert room.t().in_hand == ()
        assert verify(room.ledger).findings == ()

    at(tmp_path, work)


@pytest.mark.long
def test_oms_10_a_level_has_its_own_stakes_and_no_flat_limit(tmp_path: Path) -> None:
    async def work(room: Room) -> None:
        await enter_players(room, FOUR)
        table = await room.table()
        assert (
            table.state.sheet["hash"] != table.state.upcoming_sheet["hash"]
            or not table.state.number
        )
        await one_round(room, 1)
        assert limits_of(layout(table).game.sheet)["ante"]["min"] == "25.00"
        first = table.state.sheet["hash"]
        room.later(minutes=21)
        refusal = await tournament_rounds.begin_round(room.tables(), 1)
        assert isinstance(refusal, Refusal)
        assert "break" in refusal.message
        room.later(minutes=5)
        await one_round(room, 1)
        assert limits_of(layout(table).game.sheet)["ante"] == {
            "min": "50.00",
            "max": "200.00",
            "step": "1.00",
        }
        assert table.state.sheet["hash"] != first
        assert layout(table).game.sheet.single_bet_max is None

    at(tmp_path, work)


def test_new_tournament_table_uses_house_rules_before_its_first_round(tmp_path: Path) -> None:
    async def work(room: Room) -> None:
        await enter_players(room, FOUR)
        sheet = (await room.table()).state.game.sheet
        assert (sheet.house.venue, sheet.house.chips.clause) == (RULES.house.name, "OMS-10")
        assert limits_of(sheet)["ante"]["min"] == "25.00"
        # As the table was opened, before any level.
        assert tournament_rounds.base_sheet(room.tables()) == OMS

    at(tmp_path, work)


@pytest.mark.long
def test_limits_change_between_rounds_and_not_within_one(tmp_path: Path) -> None:
    async def work(room: Room) -> None:
        await enter_players(room, FOUR)
        await tournament_rounds.begin_round(room.tables(), 1)
        table = await room.table()
        await bet(table)
        room.must(floor.NextLevel(T))
        await send_command(table, DEALER, at_table.CloseBetting())
        await play(table, room.whims)
        assert limits_of(layout(table).game.sheet)["ante"]["min"] == "25.00"
        await tournament_rounds.count_chips(room.tables(), 1)
        await tournament_rounds.begin_round(room.tables(), 1)
        assert limits_of(layout(table).game.sheet)["ante"]["min"] == "50.00"

    at(tmp_path, work)


@pytest.mark.long
def test_player_short_of_the_smallest_stake_is_proposed_for_elimination(tmp_path: Path) -> None:
    prices: dict[str, Any] = {
        "buy_in": {"costs": "50", "chips": "60"},
        "re_buy": None,
        "add_on": None,
    }
    levels = [
        {"minutes": 20, "limits": {"ante": {"min": "25", "max": "60"}}},
        {"minutes": 20, "limits": {"ante": {"min": "60", "max": "60"}}},
        {"minutes": 20, "limits": {"ante": {"min": "61", "max": "61"}}},
    ]

    async def work(room: Room) -> None:
        await enter_players(room, FOUR, **prices, levels=levels)
        assert tournament_rounds.players_to_eliminate(room.tables()) == ()
        await tournament_rounds.begin_round(room.tables(), 1)
        table = await room.table()
        seat = next(seat for seat, name in table.state.seats.items() if name == "bob")
        await bet(table, [seat])
        await send_command(table, DEALER, at_table.CloseBetting())
        # A round lies on the layout.
        assert tournament_rounds.players_to_eliminate(room.tables()) == ()
        await send_command(table, By("bob", "player"), at_table.Decide(seat, "fold"))
        await tournament_rounds.count_chips(room.tables(), 1)
        assert tournament_rounds.players_to_eliminate(room.tables()) == ()
        room.must(floor.NextLevel(T))
        assert tournament_rounds.players_to_eliminate(room.tables()) == (("bob",),)
        room.must(floor.NextLevel(T))
        poorest, others = tournament_rounds.players_to_eliminate(room.tables())
        assert (poorest, sorted(others)) == (("bob",), ["ann", "cal", "dee"])
        answer = await tournament_rounds.give(room.tables(), floor.Eliminate(T, ("bob",)))
        assert isinstance(answer, Accepted)
        assert "bob" not in table.state.seats.values()
        assert room.tables().chips("bob") == 0
        room.check_conserved()

    at(tmp_path, work)


@pytest.mark.parametrize(("sheet", "least"), [(OMS, 200), (CMS, 500), (MHL, 500), (STAX, 600)])
def test_smallest_stake_counts_every_wager_that_is_required(sheet: Sheet, least: int) -> None:
    assert smallest_stake(sheet) == least


@pytest.mark.long
def test_seat_moves_are_made_at_the_live_tables(tmp_path: Path) -> None:
    async def work(room: Room) -> None:
        await enter_players(room, (*FOUR, "eli", "fay"), seats=3)
        first, second = await room.table(1), await room.table(2)
        leaving = sorted(second.state.seats.values())[0]
        await tournament_rounds.give(
            room.tables(), floor.Eliminate(T, tuple(first.state.seats.values())[:2])
        )
        move_answer = await tournament_rounds.give(room.tables(), floor.Balance(T))
        assert isinstance(move_answer, Accepted)
        assert sorted(map(len, (first.state.seats, second.state.seats))) == [2, 2]
        await one_round(room, 1)
        await tournament_rounds.give(room.tables(), floor.Eliminate(T, (leaving,)))
        break_answer = await tournament_rounds.give(room.tables(), floor.BreakTable(T, 2))
        assert isinstance(break_answer, Accepted)
        assert second.state.seats == {}
        assert sorted(first.state.seats.values()) == sorted(room.t().still_in)
        await one_round(room, 1)
        undo_answer = await tournament_rounds.give(
            room.tables(), floor.Undo(T, room.t().past[-1][0])
        )
        assert isinstance(undo_answer, Accepted)
        room.check_conserved()

    at(tmp_path, work)


def test_an_undone_elimination_brings_the_player_back(tmp_path: Path) -> None:
    async def work(room: Room) -> None:
        await enter_players(room, FOUR)
        table = await room.table()
        before = dict(table.state.seats)
        await tournament_rounds.give(room.tables(), floor.Eliminate(T, ("cal",)))
        assert "cal" not in table.state.seats.values()
        await tournament_rounds.give(room.tables(), floor.Undo(T, room.t().past[-1][0]))
        assert table.state.seats == before
        assert room.tables().chips("cal") == dollars("1000")
        await one_round(room, 1)

    at(tmp_path, work)


def test_players_without_an_entry_are_unseated_before_a_round(tmp_path: Path) -> None:
    async def work(room: Room) -> None:
        await enter_players(room, FOUR)
        table = await room.table()
        free = next(seat for seat in table.state.numbers if seat not in table.state.seats)
        await send_command(table, By("zoe", "player"), at_table.Sit(free))
        assert await tournament_rounds.seat_players(room.tables()) is None
        assert "zoe" not in table.state.seats.values()
        assert isinstance(await tournament_rounds.count_chips(room.tables(), 1), Accepted)
        await tournament_rounds.begin_round(room.tables(), 1)
        await bet(table)
        begin_refusal, count_refusal = (
            await tournament_rounds.begin_round(room.tables(), 1),
            await tournament_rounds.count_chips(room.tables(), 1),
        )
        assert isinstance(begin_refusal, Refusal)
        assert isinstance(count_refusal, Refusal)
        assert "not over" in count_refusal.message

    at(tmp_path, work)


@pytest.mark.long
def test_a_tournament_is_played_to_its_end_and_the_night_closes(tmp_path: Path) -> None:
    async def work(room: Room) -> None:
        await enter_players(room, FOUR, ends="clock")
        for _ in range(2):
            await one_round(room, 1)
        room.later(minutes=60)
        room.must(floor.Finish(T))
        room.must(
            *(floor.PayOut(T, name) for name, player in room.t().players.items() if player.owed)
        )
        assert isinstance(await chance_tables.close(room.house, room.night, actor="olga"), Accepted)
        assert (await room.table()).state.retired
        room.check_no_chips()
        assert room.statement().findings == ()
        assert room.statement().totals.proceeds == 4 * 1_000

    at(tmp_path, work)


def test_schedule_that_does_not_fit_the_sheet_is_refused() -> None:
    refusal = level_sheet(OMS, schedule(seats=9), 1, RULES)
    assert isinstance(refusal, Refusal)
    assert (refusal.code, "has 6." in refusal.message) == (Code.NO_SEATS, True)
    crossed_limits = schedule(levels=[{"minutes": 5, "limits": {"ante": {"min": "9", "max": "8"}}}])
    limits_refusal = level_sheet(OMS, crossed_limits, 1, RULES)
    assert isinstance(limits_refusal, Refusal)
    assert "level 1" in limits_refusal.message
    unknown_wager = schedule(levels=[{"minutes": 5, "limits": {"antes": {"min": "9"}}}])
    assert isinstance(level_sheet(OMS, unknown_wager, 1, RULES), Refusal)


@pytest.mark.parametrize(
    ("bounds", "chips"),
    [
        ({"min": "25", "max": "100"}, [1, 5, 25, 100]),
        ({"min": "25", "max": "600", "step": "25"}, [25, 100, 500]),
        ({"min": "200", "max": "1000", "step": "100"}, [100, 500, 1_000]),
        ({"min": "30", "max": "90", "step": "10"}, [5, 25]),
    ],
)
def test_level_is_dealt_in_chips_of_its_size(bounds: dict[str, str], chips: list[int]) -> None:
    level = schedule(levels=[{"minutes": 5, "limits": {"ante": bounds}}])
    sheet = level_sheet(OMS, level, 1, RULES)
    assert not isinstance(sheet, Refusal)
    assert list(sheet.house.chips.values) == [100 * value for value in chips]


def test_stakes_not_payable_in_tournament_chips_use_house_chips() -> None:
    chips = OMS.house.chips.model_copy(update={"values": (50, 250)})
    house = OMS.house.model_copy(update={"chips": chips})
    halves = {"min": "2.50", "max": "10", "step": "2.50"}
    level = schedule(levels=[{"minutes": 5, "limits": {"ante": halves}}])
    sheet = level_sheet(OMS.model_copy(update={"house": house}), level, 1, RULES)
    assert not isinstance(sheet, Refusal)
    assert sheet.house.chips == chips


def test_table_that_was_not_opened_deals_nothing(tmp_path: Path) -> None:
    async def work(room: Room) -> None:
        with pytest.raises(LedgerError, match="There is no tournament"):
            await tournament_rounds.open_tables(room.tables(), OMS)
        room.must(floor.SetUp(T, schedule()))
        refusal = await tournament_rounds.begin_round(room.tables(), 1)
        assert isinstance(refusal, Refusal)
        assert "Draw seats first" in refusal.message
        sheet_refusal = await tournament_rounds.open_tables(room.tables())
        assert isinstance(sheet_refusal, Refusal)
        assert "Choose its game rules" in sheet_refusal.message
        assert tournament_rounds.players_to_eliminate(room.tables()) == ()

    at(tmp_path, work)


@pytest.mark.long
def test_excluded_player_cannot_sit_again_and_the_others_play_on(tmp_path: Path) -> None:
    async def work(room: Room) -> None:
        await enter_players(room, FOUR)
        table, name = await room.table(), FOUR[0]
        seat = next(number for number, who in table.state.seats.items() if who == name)
        room.house.persons.exclude(name, until=None, why="asked for it", actor="sue")
        refusal = await table.send(
            Envelope(By(name, "player"), at_table.PutWager(seat, "ante", dollars("25")))
        )
        assert isinstance(refusal, Refusal)
        assert refusal.code is Code.EXCLUDED
        await send_command(table, By(name, "player"), at_table.Leave(seat))
        assert isinstance(await tournament_rounds.begin_round(room.tables(), 1), Accepted)
        assert name not in table.state.seats.values()
        await bet(table, table.state.seats)
        room.check_conserved()

    at(tmp_path, work)


@pytest.mark.long
@pytest.mark.parametrize(
    "command", [floor.Refund(T, "ANN"), floor.Eliminate(T, ("bob", "ann")), floor.Finish(T)]
)
def test_player_with_a_bet_and_no_card_cannot_leave(tmp_path: Path, command: floor.Command) -> None:
    async def work(room: Room) -> None:
        await enter_players(room, FOUR)
        table = await room.table()
        seat = next(number for number, who in table.state.seats.items() if who == "ann")
        await bet(table, [seat])
        refusal = await floor_commands.ask(room.tables(), command)
        assert isinstance(refusal, Refusal)
        assert refusal.message == (
            "ann has a bet on table 1 and no card has been dealt. Remove the bet first."
        )
        main = table.state.game.main[0]
        await send_command(table, By("ann", "player"), at_table.PutWager(seat, main, Cents(0)))
        if not isinstance(command, floor.Finish):
            assert isinstance(await floor_commands.ask(room.tables(), command), Accepted)
        room.check_conserved()

    at(tmp_path, work)
