"""Every shipped schedule is sold, dealt, played and paid to the last prize."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.house.nights.kit import EVENT, RULES
from tests.house.nights.random_night import Size, WholeNight

from pitbook import load as load_sheet
from pitbook.house.nights import table_commands as chance_tables
from pitbook.house.nights import (
    tournament_tables as tournament_rounds,
)
from pitbook.house.nights.schedule_files import check_on_sheet, read_schedule, samples
from pitbook.house.nights.store import Accepted
from pitbook.house.nights.tournament import commands as floor
from pitbook.house.nights.tournament.clock import reading
from pitbook.house.nights.tournament.prizes import preview_prizes, prize_amounts

T = f"{EVENT}.t1"


class ShippedTournament(WholeNight):
    def __init__(self, path: Path, name: str, entrants: int) -> None:
        size = Size(players=entrants, tables=0, tournaments=1, steps=0, kill_every=1)
        super().__init__(path, size, seed=entrants)
        self.schedule = read_schedule(samples()[name])
        self.sheet = load_sheet(self.schedule.sheet)

    async def _open_tournament(self, name: str, number: int) -> None:
        room = self.room
        room.must(floor.SetUp(name, self.schedule))
        room.must(*(floor.Enter(name, player) for player in self.players))
        room.must(floor.Announce(name), floor.DrawSeats(name))
        room.must(floor.Start(name), floor.StartClock(name))
        assert await tournament_rounds.open_tables(room.tables(name), self.sheet) is None

    async def _turn(self, name: str, number: int, decisions: int) -> None:
        clock = reading(self.schedule, self.room.t(name).clock, self.room.now)
        if clock.on_break:
            self.room.later(seconds=clock.left.total_seconds())
        await super()._turn(name, number, decisions)

    async def run(self) -> list[int]:
        """Play to the end, close the night, and return the prizes, largest first."""
        await self._doors()
        await self._to_the_end(T)
        self.end = self.room.t(T)
        prizes = sorted((player.owed for player in self.end.players.values()), reverse=True)
        await self._pay_all()
        self.check_balances()
        closed = await chance_tables.close(self.room.house, self.room.night, actor="olga")
        assert isinstance(closed, Accepted), closed
        assert self.room.statement().findings == ()
        self.room.check_no_chips(T)
        await self.room.close()
        return [prize for prize in prizes if prize]


def entrants_to_try(name: str) -> Sequence[int]:
    """The fewest entrants for each row of the prize table, and one more than a table seats."""
    schedule = read_schedule(samples()[name])
    rows = [row.entrants for row in schedule.prizes]
    return sorted({*rows, schedule.seats + 1, 2 * schedule.seats + 1})


def play_through(path: Path, name: str, entrants: int) -> None:
    tournament = ShippedTournament(path, name, entrants)
    prizes = asyncio.run(tournament.run())
    schedule, end = tournament.schedule, tournament.end
    price = schedule.re_buy
    bought = tournament.seen["re-buy"] * (price.costs - price.charity_fee) if price else 0
    assert sum(prizes) == end.prize_money == sum(preview_prizes(schedule, entrants)) + bought
    # Players eliminated in the same hand share places, so there may be more winners than places.
    assert len(prizes) >= len(schedule.shares(entrants))
    if schedule.ends == "one-left" and all(len(group) == 1 for group in end.out):
        assert prizes == sorted(prize_amounts(end), reverse=True)


@pytest.mark.parametrize("name", sorted(samples()))
def test_shipped_schedule_can_be_played_on_its_sheet(name: str) -> None:
    assert check_on_sheet(read_schedule(samples()[name]), load_sheet, RULES) == []


@pytest.mark.long
@pytest.mark.parametrize("name", sorted(samples()))
def test_shipped_schedule_with_two_tables_is_played_through_to_its_prizes(
    name: str, tmp_path: Path
) -> None:
    play_through(tmp_path, name, read_schedule(samples()[name]).seats + 1)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "entrants"), [(name, count) for name in samples() for count in entrants_to_try(name)]
)
def test_shipped_schedule_is_played_through_at_every_size_of_its_prize_table(
    name: str, entrants: int, tmp_path: Path
) -> None:
    play_through(tmp_path, name, entrants)
