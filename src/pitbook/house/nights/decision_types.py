"""What deciding a command needs (time, balances, names, random numbers) and what it returns."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, NamedTuple, TypeAlias

from pitbook.house.ledger.accounts import Account, Transfer
from pitbook.house.nights.tournament.schedule import TournamentRules
from pitbook.house.people.access_list import OPEN_TO_ALL, AccessList
from pitbook.money import Cents
from pitbook.rules.refusals import Refusal


class NightContext(NamedTuple):
    """What deciding a command needs from outside. Equal inputs give equal facts."""

    now: datetime
    actor: str
    balance: Callable[[Account], Cents]
    balances: Callable[[str], Mapping[Account, Cents]]  # Of one unit.
    draw: Callable[[int], int]  # A fair number below n; the fact records it.
    access_list: AccessList = OPEN_TO_ALL  # Who is known by which name, and who is excluded.
    # The large tournament of another night of the licensed event: OMS-12.
    large_elsewhere: str | None = None

    @property
    def at(self) -> str:
        """The time in the format of facts."""
        return self.now.isoformat(timespec="seconds")


class TournamentContext(NamedTuple):
    """What deciding a tournament command needs from outside."""

    event: str
    rules: TournamentRules
    now: datetime
    draw: Callable[[int], int]  # A fair number below n; the fact records it.
    spent: Callable[[str, str], Cents]  # (tournament, player), according to the night's records.
    large_used: str | None  # The tournament of this event that uses the higher limit.
    actor: str


class Decision(NamedTuple):
    """Facts for the night's stream and the transfers booked with them."""

    facts: tuple[Any, ...]
    transfers: tuple[Transfer, ...] = ()


DecisionOrRefusal: TypeAlias = Decision | Refusal
