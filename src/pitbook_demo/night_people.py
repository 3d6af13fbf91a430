"""The staff and the people of the night that is played by script: seeded shoes, simple players."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from typing import TypeVar

from pitbook.house.ledger.folder import Folder
from pitbook.house.nights.decide import Command
from pitbook.house.nights.store import Night
from pitbook.house.table import commands as at_table
from pitbook.house.table.actor import LiveTable
from pitbook.house.table.commands import By, Envelope
from pitbook.house.table.env import LiveEnv
from pitbook.house.table.payouts import table_accounts
from pitbook.house.table.tables import LiveTables
from pitbook.money import Cents
from pitbook.rules.plays import Play
from pitbook.rules.refusals import Refusal
from pitbook.rules.round import Round

CASHIER, DEALER, FLOOR = "kim", By("dana", "dealer"), By("sam", "supervisor")
FOLDS, ONCE = 2, 5  # How often players do so who would do anything else once.
T = TypeVar("T")


class DemoNight:
    """A night with its tables, on a clock that the script moves on."""

    def __init__(self, folder: Folder, event: str, seed: str, start: datetime) -> None:
        self.folder, self.now = folder, start
        self.whims = random.Random(f"{seed} {event}")  # noqa: S311  Whims, not cards.
        self.house: LiveTables = _Seeded(folder, self.clock, seed)
        self.night = Night(folder.ledger, event, clock=self.clock, draw=self.whims.randrange)

    def clock(self) -> datetime:
        """The time of the script."""
        return self.now

    def later(self, minutes: int) -> None:
        """Time passes between two rounds."""
        self.now += timedelta(minutes=minutes)

    def give(self, *many: Command) -> None:
        """Commands to the night, which takes them all."""
        for command in many:
            must(self.night.give(command, actor=CASHIER))

    async def seated(self, name: str, players: Iterable[str]) -> None:
        """Players take the first seats of a table."""
        for seat, player in enumerate(players, start=1):
            await sent(self.house.tables[name], By(player, "player"), at_table.Sit(seat))

    async def dealt(self, table: LiveTable) -> bool:
        """Everybody who can pay it puts the smallest wager; whether cards were dealt."""
        main, stake = table.state.game.main
        sides = table.state.game.sheet.side.items()
        wanted = {main: stake.min} | {
            name: side.stake.min for name, side in sides if side.stake.required
        }
        till = table_accounts(table.state)
        able = [
            (seat, player)
            for seat, player in sorted(table.state.seats.items())
            if self.folder.ledger.balance(till.wallet(player)) >= sum(wanted.values())
        ]
        for seat, player in able:
            for wager, amount in wanted.items():
                await sent(table, By(player, "player"), at_table.PutWager(seat, wager, amount))
        if able:
            await sent(table, DEALER, at_table.CloseBetting())
        return bool(able)

    async def played(self, table: LiveTable) -> None:
        """The hand to its end, by whims."""
        while table.state.live and (waiting := _layout(table).waiting):
            seat = waiting[0]
            plays = _layout(table).game.plays(_layout(table).stage)
            chosen = self.whims.choices(plays, [weight(one) for one in plays])[0]
            player = By(table.state.seats[seat], "player")
            answer = await table.send(Envelope(player, at_table.Decide(seat, chosen)))
            if isinstance(answer, Refusal):  # More than the player has left.
                await sent(table, player, at_table.Decide(seat, plays[0]))


def weight(play: Play) -> int:
    """How often simple players make a play: they like the smallest bet, and give up sometimes."""
    if play.folds:
        return FOLDS
    return ONCE if play.times == 1 and not play.said else 1


def must(answer: T | Refusal) -> T:
    """An answer that the script relies on."""
    assert not isinstance(answer, Refusal), answer
    return answer


async def sent(table: LiveTable, by: By, command: at_table.Command) -> None:
    """A command that the table takes."""
    answer = await table.send(Envelope(by, command))
    assert not isinstance(answer, Refusal), f"{by.name} {command}: {answer}"


def _layout(table: LiveTable) -> Round:
    assert table.state.round is not None
    return table.state.round


class _Seeded(LiveTables):
    """A house whose shoes follow from a seed: to be looked at, not to be trusted."""

    def __init__(self, folder: Folder, clock: Callable[[], datetime], seed: str) -> None:
        super().__init__(folder, clock=clock)
        self._seed = seed

    def _table(self, stream: str) -> LiveTable:
        def wallet(player: str) -> Cents:
            return self.ledger.balance(table_accounts(table.state).wallet(player))

        luck = LiveEnv(self._vault, wallet=wallet, now=self._clock, kind="seeded", seed=self._seed)
        table = LiveTable(self.ledger, stream, luck)
        return table
