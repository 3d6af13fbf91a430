"""A process with a night and live tables, simulated players and a manual clock."""

from __future__ import annotations

import random
from collections.abc import Iterable
from datetime import timedelta
from pathlib import Path
from typing import Any

from tests.house.nights.kit import EIGHT, EVENT, OMS, make_command
from tests.house.nights.tournament.step_lines import schedule
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
from pitbook.house.table.live_tables import LiveTables
from pitbook.house.table.state import TableKind
from pitbook.money import Cents
from pitbook.rules.actions import Play
from pitbook.rules.refusals import Refusal
from pitbook.rules.round import Round

T = "gala.t1"
DEALER, SUE = By("dee", "dealer"), By("sue", "supervisor")
WEIGHTS = {"fold": 2, "1x": 5, "2x": 1, "3x": 1}


class Room:
    """A process that holds the night's tables; `again` replaces it with a new process."""

    def __init__(self, path: Path, *, whims: random.Random | None = None, **night: Any) -> None:
        path.mkdir(parents=True, exist_ok=True)
        self.path, self.now = path, EIGHT
        self.whims = whims or random.Random(52)
        self._taken_up()
        if self.night.state.phase == "none":
            self.must(make_command(**night))
            self.must(do.Open())

    def _taken_up(self) -> None:
        self.folder = fast_folder(self.path, lambda: self.now)
        self.ledger = self.folder.ledger
        self.house = LiveTables(self.folder, clock=lambda: self.now)
        self.night = Night(self.ledger, EVENT, clock=lambda: self.now, draw=self.whims.randrange)

    async def again(self) -> list[str]:
        """Stop the process and start another; returns the tournaments it finds interrupted."""
        await self.close()
        self._taken_up()
        await self.house.load_tables()
        return await cut_hands.resume_after_restart(self.house, self.night, actor="olga")

    async def close(self) -> None:
        """Close the tables as they are."""
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
        table = await tournament_rounds.load_table(self.tables(name), number)
        assert table is not None
        return table

    def later(self, **time: float) -> None:
        self.now += timedelta(**time)

    def statement(self) -> Statement:
        return statement(self.night, at=self.now.isoformat())

    def chips(self, name: str = T) -> dict[str, Cents]:
        """Nonzero balances of a tournament's unit, by account."""
        balances = self.ledger.balances(f"tournament:{name}")
        return {str(account): cents for account, cents in balances.items() if cents}

    def check_conserved(self, name: str = T) -> None:
        """Check that all issued chips are in wallets, on layouts, in racks or with the house."""
        unit = f"tournament:{name}"
        balances = self.ledger.balances(unit)
        issued = balances.pop(Account(unit, "issued"), Cents(0))
        assert issued == sum(balances.values()), balances

    def check_no_chips(self, name: str = T) -> None:
        """Check that no account holds chips."""
        balances = self.ledger.balances(f"tournament:{name}")
        assert not [account for account, cents in balances.items() if cents], balances


async def enter_players(
    room: Room, players: Iterable[str], *, name: str = T, at: TableKind = "house", **changed: Any
) -> None:
    """Start a tournament with its players seated and its clock running."""
    room.must(floor.SetUp(name, schedule(**changed)), floor.Announce(name))
    room.must(*(floor.Enter(name, player) for player in players))
    room.must(floor.DrawSeats(name), floor.Start(name), floor.StartClock(name))
    assert await tournament_rounds.open_tables(room.tables(name), OMS, kind=at) is None


async def send_command(
    table: LiveTable, by: By, command: at_table.Command, request: str = ""
) -> None:
    answer = await table.send(Envelope(by, command, request or None))
    assert not isinstance(answer, Refusal), f"{by.name} {command}: {answer}"


def layout(table: LiveTable) -> Round:
    assert table.state.round is not None
    return table.state.round


async def bet(table: LiveTable, seats: Iterable[int] | None = None) -> None:
    """Place the smallest main bet at the seats given, or at all."""
    main, stake = table.state.game.main
    for seat in seats or sorted(table.state.seats):
        player = By(table.state.seats[seat], "player")
        await send_command(table, player, at_table.PutWager(seat, main, stake.min))


async def play(table: LiveTable, whims: random.Random, most: int = 99) -> None:
    """Make some random decisions, or all that the round waits for."""
    while table.state.has_live_wagers and layout(table).waiting and most > 0:
        seat = layout(table).waiting[0]
        plays = list(layout(table).game.plays(layout(table).stage))
        chosen = whims.choices(plays, [WEIGHTS.get(play_name, 1) for play_name in plays])[0]
        player = By(_who(table, seat), "player")
        answer = await table.send(Envelope(player, at_table.Decide(seat, chosen)))
        if isinstance(answer, Refusal) and seat in layout(table).waiting:
            # It was not covered.
            await send_command(table, player, at_table.Decide(seat, _cheap(plays)))
        most -= 1


def _who(table: LiveTable, seat: int) -> str:
    played = layout(table).seat(seat)
    assert played is not None
    return played.player


def _cheap(plays: list[Play]) -> Play:
    return next(candidate for candidate in plays if not candidate.times)


async def one_round(room: Room, number: int, name: str = T) -> None:
    """Play a round from the first bet to the count."""
    begin_answer = await tournament_rounds.begin_round(room.tables(name), number)
    assert isinstance(begin_answer, Accepted), begin_answer
    table = await room.table(number, name)
    await bet(table)
    await send_command(table, DEALER, at_table.CloseBetting())
    await play(table, room.whims)
    count_answer = await tournament_rounds.count_chips(room.tables(name), number)
    assert isinstance(count_answer, Accepted), count_answer
