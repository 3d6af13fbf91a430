"""Tournament rounds at live tables: seats, levels, counts and moves as the night has them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from tests.house.nights.dealt import DEALER, Room, T, bet, entered, layout, one_round, play, said
from tests.house.nights.kit import CMS, MHL, OMS, RULES
from tests.house.nights.tournament.evening import schedule

from pitbook import load as load_sheet
from pitbook.errors import LedgerError
from pitbook.house.ledger.audit import verify
from pitbook.house.nights import (
    live_tables as chance_tables,
)
from pitbook.house.nights import (
    live_tables as floor_commands,
)
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
    async def done() -> None:
        room = Room(path)
        try:
            await work(room)
        finally:
            await room.gone()

    asyncio.run(done())


@pytest.mark.long
def test_players_sit_where_the_draw_put_them(tmp_path: Path) -> None:
    async def work(room: Room) -> None:
        await entered(room, FOUR, seats=2)
        assert tournament_rounds.laid(room.tables()) == [1, 2]
        for number in (1, 2):
            seats = (await room.table(number)).state.seats
            assert {name: (number, seat) for seat, name in seats.items()} == {
                name: (one.table, one.seat)
                for name, one in room.t().players.items()
                if one.table == number
            }
        assert tournament_rounds.base_of(room.tables()) == OMS

    at(tmp_path, work)


@pytest.mark.long
def test_rounds_are_dealt_and_counted_from_the_book(tmp_path: Path) -> None:
    async def work(room: Room) -> None:
        await entered(room, FOUR)
        for _ in range(3):
            await one_round(room, 1)
            held = {name: one.chips for name, one in room.t().players.items()}
            assert held == {name: room.tables().chips(name) for name in FOUR}
            room.conserved()
        assert room.t().in_hand == ()
        assert verify(room.ledger).findings == ()

    at(tmp_path, work)


@pytest.mark.long
def test_oms_10_a_level_has_its_own_stakes_and_no_flat_limit(tmp_path: Path) -> None:
    async def work(room: Room) -> None:
        await entered(room, FOUR)
        table = await room.table()
        assert table.state.sheet["hash"] != table.state.coming["hash"] or not table.state.number
        await one_round(room, 1)
        assert limits_of(layout(table).game.sheet)["ante"]["min"] == "25.00"
        first = table.state.sheet["hash"]
        room.later(minutes=21)
        refused = await tournament_rounds.begin(room.tables(), 1)
        assert isinstance(refused, Refusal)
        assert "break" in refused.message
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


def test_a_table_laid_out_is_the_houses_before_its_first_round(tmp_path: Path) -> None:
    async def work(room: Room) -> None:
        await entered(room, FOUR)
        sheet = (await room.table()).state.game.sheet
        assert (sheet.house.venue, sheet.house.chips.clause) == (RULES.house.name, "OMS-10")
        assert limits_of(sheet)["ante"]["min"] == "25.00"
        assert (
            tournament_rounds.base_of(room.tables()) == OMS
        )  # As the table was opened, before any level.

    at(tmp_path, work)


@pytest.mark.long
def test_limits_change_between_rounds_and_not_within_one(tmp_path: Path) -> None:
    async def work(room: Room) -> None:
        await entered(room, FOUR)
        await tournament_rounds.begin(room.tables(), 1)
        table = await room.table()
        await bet(table)
        room.must(floor.NextLevel(T))
        await said(table, DEALER, at_table.CloseBetting())
        await play(table, room.whims)
        assert limits_of(layout(table).game.sheet)["ante"]["min"] == "25.00"
        await tournament_rounds.count(room.tables(), 1)
        await tournament_rounds.begin(room.tables(), 1)
        assert limits_of(layout(table).game.sheet)["ante"]["min"] == "50.00"

    at(tmp_path, work)


@pytest.mark.long
def test_who_cannot_pay_the_smallest_stake_is_proposed(tmp_path: Path) -> None:
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
        await entered(room, FOUR, **prices, levels=levels)
        assert tournament_rounds.proposed_out(room.tables()) == ()
        await tournament_rounds.begin(room.tables(), 1)
        table = await room.table()
        seat = next(seat for seat, name in table.state.seats.items() if name == "bob")
        await bet(table, [seat])
        await said(table, DEALER, at_table.CloseBetting())
        assert tournament_rounds.proposed_out(room.tables()) == ()  # A round lies on the layout.
        await said(table, By("bob", "player"), at_table.Decide(seat, "fold"))
        await tournament_rounds.count(room.tables(), 1)
        assert tournament_rounds.proposed_out(room.tables()) == ()
        room.must(floor.NextLevel(T))
        assert tournament_rounds.proposed_out(room.tables()) == (("bob",),)
        room.must(floor.NextLevel(T))
        poorest, others = tournament_rounds.proposed_out(room.tables())
        assert (poorest, sorted(others)) == (("bob",), ["ann", "cal", "dee"])
        gone = await tournament_rounds.give(room.tables(), floor.Eliminate(T, ("bob",)))
        assert isinstance(gone, Accepted)
        assert "bob" not in table.state.seats.values()
        assert room.tables().chips("bob") == 0
        room.conserved()

    at(tmp_path, work)


@pytest.mark.parametrize(("sheet", "least"), [(OMS, 200), (CMS, 500), (MHL, 500), (STAX, 600)])
def test_smallest_stake_counts_every_wager_that_is_required(sheet: Sheet, least: int) -> None:
    assert smallest_stake(sheet) == least


@pytest.mark.long
def test_moves_are_made_at_the_tables(tmp_path: Path) -> None:
    async def work(room: Room) -> None:
        await entered(room, (*FOUR, "eli", "fay"), seats=3)
        first, second = await room.table(1), await room.table(2)
        going = sorted(second.state.seats.values())[0]
        await tournament_rounds.give(
            room.tables(), floor.Eliminate(T, tuple(first.state.seats.values())[:2])
        )
        moved = await tournament_rounds.give(room.tables(), floor.Balance(T))
        assert isinstance(moved, Accepted)
        assert sorted(map(len, (first.state.seats, second.state.seats))) == [2, 2]
        await one_round(room, 1)
        await tournament_rounds.give(room.tables(), floor.Eliminate(T, (going,)))
        broken = await tournament_rounds.give(room.tables(), floor.BreakTable(T, 2))
        assert isinstance(broken, Accepted)
        assert second.state.seats == {}
        assert sorted(first.state.seats.values()) == sorted(room.t().still_in)
        await one_round(room, 1)
        undone = await tournament_rounds.give(room.tables(), floor.Undo(T, room.t().past[-1][0]))
        assert isinstance(undone, Accepted)
        room.conserved()

    at(tmp_path, work)


def test_an_undone_elimination_brings_the_player_back(tmp_path: Path) -> None:
    async def work(room: Room) -> None:
        await entered(room, FOUR)
        table = await room.table()
        before = dict(table.state.seats)
        await tournament_rounds.give(room.tables(), floor.Eliminate(T, ("cal",)))
        assert "cal" not in table.state.seats.values()
        await tournament_rounds.give(room.tables(), floor.Undo(T, room.t().past[-1][0]))
        assert table.state.seats == before
        assert room.tables().chips("cal") == dollars("1000")
        await one_round(room, 1)

    at(tmp_path, work)


def test_strangers_are_asked_to_get_up_and_wagers_wait_for_nobody(tmp_path: Path) -> None:
    async def work(room: Room) -> None:
        await entered(room, FOUR)
        table = await room.table()
        free = next(seat for seat in table.state.numbers if seat not in table.state.seats)
        await said(table, By("zoe", "player"), at_table.Sit(free))
        assert await tournament_rounds.follow(room.tables()) is None
        assert "zoe" not in table.state.seats.values()
        assert isinstance(await tournament_rounds.count(room.tables(), 1), Accepted)
        await tournament_rounds.begin(room.tables(), 1)
        await bet(table)
        again, counted = (
            await tournament_rounds.begin(room.tables(), 1),
            await tournament_rounds.count(room.tables(), 1),
        )
        assert isinstance(again, Refusal)
        assert isinstance(counted, Refusal)
        assert "not over" in counted.message

    at(tmp_path, work)


@pytest.mark.long
def test_a_tournament_is_played_to_its_end_and_the_night_closes(tmp_path: Path) -> None:
    async def work(room: Room) -> None:
        await entered(room, FOUR, ends="clock")
        for _ in range(2):
            await one_round(room, 1)
        room.later(minutes=60)
        room.must(floor.Finish(T))
        room.must(*(floor.PayOut(T, name) for name, one in room.t().players.items() if one.owed))
        assert isinstance(await chance_tables.close(room.house, room.night, actor="olga"), Accepted)
        assert (await room.table()).state.retired
        room.gone_home()
        assert room.statement().findings == ()
        assert room.statement().found.proceeds == 4 * 1_000

    at(tmp_path, work)


def test_a_schedule_that_the_sheet_cannot_carry_is_refused() -> None:
    many = level_sheet(OMS, schedule(seats=9), 1, RULES)
    assert isinstance(many, Refusal)
    assert (many.code, "has 6 seats" in many.message) == (Code.NO_SEATS, True)
    odd = schedule(levels=[{"minutes": 5, "limits": {"ante": {"min": "9", "max": "8"}}}])
    crossed = level_sheet(OMS, odd, 1, RULES)
    assert isinstance(crossed, Refusal)
    assert "level 1" in crossed.message
    unknown = schedule(levels=[{"minutes": 5, "limits": {"antes": {"min": "9"}}}])
    assert isinstance(level_sheet(OMS, unknown, 1, RULES), Refusal)


@pytest.mark.parametrize(
    ("bounds", "chips"),
    [
        ({"min": "25", "max": "100"}, [1, 5, 25, 100]),
        ({"min": "25", "max": "600", "step": "25"}, [25, 100, 500]),
        ({"min": "200", "max": "1000", "step": "100"}, [100, 500, 1_000]),
        ({"min": "30", "max": "90", "step": "10"}, [5, 25]),
    ],
)
def test_a_level_is_dealt_in_chips_of_its_size(bounds: dict[str, str], chips: list[int]) -> None:
    level = schedule(levels=[{"minutes": 5, "limits": {"ante": bounds}}])
    made = level_sheet(OMS, level, 1, RULES)
    assert not isinstance(made, Refusal)
    assert list(made.house.chips.values) == [100 * value for value in chips]


def test_stakes_that_tournament_chips_cannot_make_up_stay_in_the_house_s_own() -> None:
    chips = OMS.house.chips.model_copy(update={"values": (50, 250)})
    house = OMS.house.model_copy(update={"chips": chips})
    halves = {"min": "2.50", "max": "10", "step": "2.50"}
    level = schedule(levels=[{"minutes": 5, "limits": {"ante": halves}}])
    made = level_sheet(OMS.model_copy(update={"house": house}), level, 1, RULES)
    assert not isinstance(made, Refusal)
    assert made.house.chips == chips


def test_a_table_that_nobody_laid_out_deals_nothing(tmp_path: Path) -> None:
    async def work(room: Room) -> None:
        with pytest.raises(LedgerError, match="there is no tournament"):
            await tournament_rounds.lay_out(room.tables(), OMS)
        room.must(floor.SetUp(T, schedule()))
        refused = await tournament_rounds.begin(room.tables(), 1)
        assert isinstance(refused, Refusal)
        assert "is not laid out" in refused.message
        nameless = await tournament_rounds.lay_out(room.tables())
        assert isinstance(nameless, Refusal)
        assert "name its rule sheet" in nameless.message
        assert tournament_rounds.proposed_out(room.tables()) == ()

    at(tmp_path, work)


@pytest.mark.long
def test_whoever_is_excluded_sits_down_no_more_and_the_others_play_on(tmp_path: Path) -> None:
    async def work(room: Room) -> None:
        await entered(room, FOUR)
        table, name = await room.table(), FOUR[0]
        seat = next(one for one, who in table.state.seats.items() if who == name)
        room.house.persons.exclude(name, until=None, why="asked for it", actor="sue")
        no = await table.send(
            Envelope(By(name, "player"), at_table.PutWager(seat, "ante", dollars("25")))
        )
        assert isinstance(no, Refusal)
        assert no.code is Code.EXCLUDED
        await said(table, By(name, "player"), at_table.Leave(seat))
        assert isinstance(await tournament_rounds.begin(room.tables(), 1), Accepted)
        assert name not in table.state.seats.values()
        await bet(table, table.state.seats)
        room.conserved()

    at(tmp_path, work)


@pytest.mark.long
@pytest.mark.parametrize(
    "command", [floor.Refund(T, "ANN"), floor.Eliminate(T, ("bob", "ann")), floor.Finish(T)]
)
def test_a_wager_without_a_card_comes_off_before_its_player_goes(
    tmp_path: Path, command: floor.Command
) -> None:
    async def work(room: Room) -> None:
        await entered(room, FOUR)
        table = await room.table()
        seat = next(one for one, who in table.state.seats.items() if who == "ann")
        await bet(table, [seat])
        no = await floor_commands.ask(room.tables(), command)
        assert isinstance(no, Refusal)
        assert no.message == (
            "ann has a wager on the layout of table 1, and no card was dealt; take it off first"
        )
        main = table.state.game.main[0]
        await said(table, By("ann", "player"), at_table.PutWager(seat, main, Cents(0)))
        if not isinstance(command, floor.Finish):
            assert isinstance(await floor_commands.ask(room.tables(), command), Accepted)
        room.conserved()

    at(tmp_path, work)
