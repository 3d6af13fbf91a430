"""One process over a house: a night, its live tables, people who play, a clock moved by hand."""

from __future__ import annotations

import random
from collections.abc import Iterable
from datetime import timedelta
from pathlib import Path
from typing import Any

from tests.house.nights.kit import EIGHT, EVENT, OMS, making
from tests.house.nights.tournament.evening import schedule
from tests.house.web.conftest import fast_folder

from pitbook.house.ledger.accounts import Account
from pitbook.house.nights import commands as do
from pitbook.house.nights import interruptions as cut_hands
from pitbook.house.nights import tournament_tables as tournament_rounds
from pitbook.house.nights.decide import Command
from pitbook.house.nights.statement import Statement, statement
from pitbook.house.nights.store import Accepted, Answer, Night
from pitbook.house.nights.tournament import commands as floor
from pitbook.house.nights.tournament.state import Tournament
from pitbook.house.nights.tournament_tables import TournamentTables
from pitbook.house.table import commands as at_table
from pitbook.house.table.actor import LiveTable
from pitbook.house.table.commands import By, Envelope
from pitbook.house.table.state import TableKind
from pitbook.house.table.tables import LiveTables
from pitbook.money import Cents
from pitbook.rules.plays import Play
from pitbook.rules.refusals import Refusal
from pitbook.rules.round import Round

T = "gala.t1"
DEALER, SUE = By("dee", "dealer"), By("sue", "supervisor")
WEIGHTS = {"fold": 2, "1x": 5, "2x": 1, "3x": 1}


class Room:
    """A process that holds the night's tables; `again` is the next one, after this has gone."""

    def __init__(self, path: Path, *, whims: random.Random | None = None, **night: Any) -> None:
        path.mkdir(parents=True, exist_ok=True)
        self.path, self.now = path, EIGHT
        self.whims = whims or random.Random(52)
        self._taken_up()
        if self.night.state.phase == "none":
            self.must(making(**night))
            self.must(do.Open())

    def _taken_up(self) -> None:
        self.folder = fast_folder(self.path, lambda: self.now)
        self.ledger = self.folder.ledger
        self.house = LiveTables(self.folder, clock=lambda: self.now)
        self.night = Night(self.ledger, EVENT, clock=lambda: self.now, draw=self.whims.randrange)

    async def again(self) -> list[str]:
        """The process is gone and another takes over: what it finds interrupted."""
        await self.gone()
        self._taken_up()
        await self.house.take_up()
        return await cut_hands.take_up(self.house, self.night, actor="olga")

    async def gone(self) -> None:
        """Tables stop as they stand."""
        await self.house.close()
        self.folder.close()

    def ask(self, command: Command, request: str | None = None) -> Answer:
        return self.night.give(command, actor="olga", request=request)

    def must(self, *many: Command) -> None:
        for command in many:
            answer = self.ask(command)
            assert isinstance(answer, Accepted), f"{command}: {answer}"

    def tables(self, name: str = T) -> TournamentTables:
        return TournamentTables(self.house, self.night, name, "olga")

    def t(self, name: str = T) -> Tournament:
        return self.night.state.tournaments[name]

    async def table(self, number: int = 1, name: str = T) -> LiveTable:
        found = await tournament_rounds.table_at(self.tables(name), number)
        assert found is not None
        return found

    def later(self, **time: float) -> None:
        self.now += timedelta(**time)

    def statement(self) -> Statement:
        return statement(self.night, at=self.now.isoformat())

    def chips(self, name: str = T) -> dict[str, Cents]:
        """Every balance of a tournament's unit that is not nothing, wallets by their names."""
        found = self.ledger.balances(f"tournament:{name}")
        return {str(account): cents for account, cents in found.items() if cents}

    def conserved(self, name: str = T) -> None:
        """Chips that were given out are in wallets, on layouts, in racks or with the house."""
        unit = f"tournament:{name}"
        found = self.ledger.balances(unit)
        issued = found.pop(Account(unit, "issued"), Cents(0))
        assert issued == sum(found.values()), found

    def gone_home(self, name: str = T) -> None:
        """After the end nobody has a chip, the house itself not either."""
        found = self.ledger.balances(f"tournament:{name}")
        assert not [one for one, cents in found.items() if cents], found


async def entered(
    room: Room, players: Iterable[str], *, name: str = T, at: TableKind = "house", **changed: Any
) -> None:
    """A tournament that has started, its players in real seats and its clock running."""
    room.must(floor.SetUp(name, schedule(**changed)), floor.Announce(name))
    room.must(*(floor.Enter(name, player) for player in players))
    room.must(floor.DrawSeats(name), floor.Start(name), floor.StartClock(name))
    assert await tournament_rounds.lay_out(room.tables(name), OMS, kind=at) is None


async def said(table: LiveTable, by: By, command: at_table.Command, request: str = "") -> None:
    answer = await table.send(Envelope(by, command, request or None))
    assert not isinstance(answer, Refusal), f"{by.name} {command}: {answer}"


def layout(table: LiveTable) -> Round:
    assert table.state.round is not None
    return table.state.round


async def bet(table: LiveTable, seats: Iterable[int] | None = None) -> None:
    """The seats named, or all, put the smallest main wager that the sheet takes."""
    main, stake = table.state.game.main
    for seat in seats or sorted(table.state.seats):
        player = By(table.state.seats[seat], "player")
        await said(table, player, at_table.PutWager(seat, main, stake.min))


async def play(table: LiveTable, whims: random.Random, most: int = 99) -> None:
    """So many decisions, by whims, or as many as the round waits for."""
    while table.state.live and layout(table).waiting and most > 0:
        seat = layout(table).waiting[0]
        plays = list(layout(table).game.plays(layout(table).stage))
        chosen = whims.choices(plays, [WEIGHTS.get(one, 1) for one in plays])[0]
        player = By(_who(table, seat), "player")
        answer = await table.send(Envelope(player, at_table.Decide(seat, chosen)))
        if isinstance(answer, Refusal) and seat in layout(table).waiting:
            await said(table, player, at_table.Decide(seat, _cheap(plays)))  # It was not covered.
        most -= 1


def _who(table: LiveTable, seat: int) -> str:
    played = layout(table).seat(seat)
    assert played is not None
    return played.player


def _cheap(plays: list[Play]) -> Play:
    """The play that costs nothing."""
    return next(one for one in plays if not one.times)


async def one_round(room: Room, number: int, name: str = T) -> None:
    """A round from the first wager to the count."""
    begun = await tournament_rounds.begin(room.tables(name), number)
    assert isinstance(begun, Accepted), begun
    table = await room.table(number, name)
    await bet(table)
    await said(table, DEALER, at_table.CloseBetting())
    await play(table, room.whims)
    counted = await tournament_rounds.count(room.tables(name), number)
    assert isinstance(counted, Accepted), counted
