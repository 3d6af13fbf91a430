"""A table knows no night, so whoever hands it a command asks here first whether it may begin."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from pitbook.errors import PitbookError
from pitbook.house.ledger.journal import Ledger
from pitbook.house.ledger.writer import utc_now
from pitbook.house.nights.book.night import Night
from pitbook.house.nights.book.state import REHEARSAL, NightState
from pitbook.house.nights.rules.hours import outside
from pitbook.house.nights.rules.stake_limits import departures
from pitbook.house.table import commands
from pitbook.house.table.commands import Command
from pitbook.house.table.state import TableState, game_of
from pitbook.rules.refusals import Code, Refusal
from pitbook.text import sentence_of

# Whatever brings new money into play; an undo may put back a wager that was taken off.
BEGINS = (commands.Sit, commands.PutWager, commands.Rebet, commands.Undo, commands.OpenRound)


class Hours:
    """The hours of a house's nights, as their tables ask for them."""

    def __init__(self, ledger: Ledger, *, clock: Callable[[], datetime] = utc_now) -> None:
        self._ledger, self._clock = ledger, clock
        self._kept: dict[str, NightState] = {}

    def forbidden(self, state: TableState, command: Command) -> Refusal | None:
        """OMS-17: why nothing is begun at a table now; a hand that is dealt is finished."""
        event = event_of(state.unit)
        if event is not None and isinstance(command, commands.ChangeSheet):
            return self._not_admitted(event, command)
        takes_back = isinstance(command, commands.PutWager) and not command.amount
        if event is None or takes_back or not isinstance(command, BEGINS):
            return None
        return outside(self._night(event), self._clock())

    def _not_admitted(self, event: str, command: commands.ChangeSheet) -> Refusal | None:
        """OMS-10: other rules at a night's table are within its limits, as those admitted were."""
        try:
            sheet = game_of(command.sheet).sheet
        except PitbookError as error:
            return Refusal(Code.NO_RULE, sentence_of(error))
        return next(iter(departures(sheet, self._night(event).rules)), None)

    def _night(self, event: str) -> NightState:
        """Once the doors are open the date cannot change, and memory will do."""
        kept = self._kept.get(event)
        if kept is None or kept.phase != "open":
            kept = self._kept[event] = Night(self._ledger, event).state
        return kept


def event_of(unit: str) -> str | None:
    """The night whose chips a table is played for; None: it is no night's.

    >>> event_of("event-chip:gala"), event_of("rehearsal-tournament:gala.t1"), event_of("usd")
    ('gala', 'gala', None)
    """
    kind, _, name = unit.removeprefix(f"{REHEARSAL}-").partition(":")
    return name.partition(".")[0] if kind in ("event-chip", "tournament") else None
