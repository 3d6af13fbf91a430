"""What deciding a command needs besides the state: time, balances, names and random numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import NamedTuple

from pitbook.house.ledger.accounts import Account
from pitbook.house.nights.tournament.schedule import TournamentRules
from pitbook.house.people.roster import OPEN_TO_ALL, AccessList
from pitbook.money import Cents


class Circumstances(NamedTuple):
    """The surroundings of a command; the same facts follow from the same answers."""

    now: datetime
    actor: str
    balance: Callable[[Account], Cents]
    balances: Callable[[str], Mapping[Account, Cents]]  # Of one unit.
    draw: Callable[[int], int]  # A fair number below n; whatever it decides is in the fact.
    door: AccessList = OPEN_TO_ALL  # Who is known by which name, and who is excluded.
    large_elsewhere: str | None = None  # Of another night of the licensed event: OMS-12.

    @property
    def at(self) -> str:
        """The time as facts write it."""
        return self.now.isoformat(timespec="seconds")


class Floor(NamedTuple):
    """The surroundings of a command."""

    event: str
    rules: TournamentRules
    now: datetime
    draw: Callable[[int], int]  # A fair number below n; whatever it decides is in the fact.
    spent: Callable[[str, str], Cents]  # (tournament, player), as the night's books have it.
    large_used: str | None  # The tournament of this event that has the higher limit.
    actor: str
