"""Staff and players of the scripted night, with seeded shoes."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from typing import TypeVar

from pitbook.house.ledger.data_folder import Folder
from pitbook.house.nights.decide import Command
from pitbook.house.nights.store import Night
from pitbook.house.table import commands
from pitbook.house.table.actor import LiveTable
from pitbook.house.table.commands import By, Envelope
from pitbook.house.table.environment import LiveEnv
from pitbook.house.table.live_tables import LiveTables
from pitbook.house.table.transfers import table_accounts
from pitbook.money import Cents
from pitbook.rules.actions import Play
from pitbook.rules.refusals import Refusal
from pitbook.rules.round import Round

CASHIER, DEALER, FLOOR = "kim", By("dana", "dealer"), By("sam", "supervisor")
# How often players fold or bet once, relative to any other play.
FOLD_WEIGHT, SINGLE_BET_WEIGHT = 2, 5
T = TypeVar("T")


class DemoNight:
    """A night with its tables, on a clock that the script advances."""

    def __init__(self, folder: Folder, event: str, seed: str, start: datetime) -> None:
        self.folder, self.now = folder, start
        self.rng = random.Random(f"{seed} {event}")  # noqa: S311  Whims, not cards.
        self.house: LiveTables = _SeededTables(folder, self.clock, seed)
        self.night = Night(folder.ledger, event, clock=self.clock, draw=self.rng.randrange)

    def clock(self) -> datetime:
        return self.now

    def advance_clock(self, minutes: int) -> None:
        """Advance the clock between two rounds."""
        self.now += timedelta(minutes=minutes)

    def give(self, *commands: Command) -> None:
        """Send commands that the night must accept."""
        for command in commands:
            require(self.night.give(command, actor=CASHIER))

    async def seat_players(self, name: str, players: Iterable[str]) -> None:
        """Seat players in the first seats of a table."""
        for seat, player in enumerate(players, start=1):
            await send(self.house.tables[name], By(player, "player"), commands.Sit(seat))

    async def deal_round(self, table: LiveTable) -> bool:
        """Place the minimum wagers of everyone who can pay; returns whether cards were dealt."""
        main, stake = table.state.game.main
        sides = table.state.game.sheet.side.items()
        wagers = {main: stake.min} | {
            name: side.stake.min for name, side in sides if side.stake.required
        }
        accounts = table_accounts(table.state)
        able = [
            (seat, player)
            for seat, player in sorted(table.state.seats.items())
            if self.folder.ledger.balance(accounts.wallet(player)) >= sum(wagers.values())
        ]
        for seat, player in able:
            for wager, amount in wagers.items():
                await send(table, By(player, "player"), commands.PutWager(seat, wager, amount))
        if able:
            await send(table, DEALER, commands.CloseBetting())
        return bool(able)

    async def play_round(self, table: LiveTable) -> None:
        """Play the hand to its end at random."""
        while table.state.has_live_wagers and (waiting := _current_round(table).waiting):
            seat = waiting[0]
            plays = _current_round(table).game.plays(_current_round(table).stage)
            chosen = self.rng.choices(plays, [play_weight(play) for play in plays])[0]
            player = By(table.state.seats[seat], "player")
            answer = await table.send(Envelope(player, commands.Decide(seat, chosen)))
            if isinstance(answer, Refusal):  # More than the player has left.
                await send(table, player, commands.Decide(seat, plays[0]))


def play_weight(play: Play) -> int:
    """The weight of a play: simple players prefer the smallest bet and sometimes fold."""
    if play.folds:
        return FOLD_WEIGHT
    return SINGLE_BET_WEIGHT if play.times == 1 and not play.declaration else 1


def require(answer: T | Refusal) -> T:
    """The answer; fails if it is a refusal."""
    assert not isinstance(answer, Refusal), answer
    return answer


async def send(table: LiveTable, by: By, command: commands.Command) -> None:
    """Send a command that the table must accept."""
    answer = await table.send(Envelope(by, command))
    assert not isinstance(answer, Refusal), f"{by.name} {command}: {answer}"


def _current_round(table: LiveTable) -> Round:
    assert table.state.round is not None
    return table.state.round


class _SeededTables(LiveTables):
    """Tables with seeded shoes, for demonstration only."""

    def __init__(self, folder: Folder, clock: Callable[[], datetime], seed: str) -> None:
        super().__init__(folder, clock=clock)
        self._seed = seed

    def _table(self, stream: str) -> LiveTable:
        def wallet(player: str) -> Cents:
            return self.ledger.balance(table_accounts(table.state).wallet(player))

        luck = LiveEnv(self._vault, wallet=wallet, now=self._clock, kind="seeded", seed=self._seed)
        table = LiveTable(self.ledger, stream, luck)
        return table
