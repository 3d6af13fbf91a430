"""What has happened to a day's deal: how it was opened, and every play that somebody made."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import NamedTuple, TypeAlias

from pitbook.house.ledger.codec import Codec
from pitbook.house.ledger.stream_kinds import moves_no_money, register

STREAM = register("daily/", moves_no_money, module=__name__)  # A stream for each day.
FORMAT = 2
# Once guests had the house's own hands, and could look at them for somebody else.
SHARED = {("daily-opened", 1): lambda kept: {**kept, "format": FORMAT, "guests_apart": False}}
FACTS: Codec[Fact] = Codec("the daily deal", upcasts=SHARED)


@FACTS.fact("daily-opened", in_format=FORMAT)
class Opened(NamedTuple):
    """The rules of the day, and its seed, sealed; what is told of it before is a hash."""

    day: str
    sheet: str  # As text: the order of a pay table is part of its hash.
    sealed: str
    commitment: str
    guests_apart: bool
    """Whether each guest has hands of their own."""


@FACTS.fact("daily-played")
class Played(NamedTuple):
    """One decision: what was played, what was best, and what that gave away, in cents."""

    player: str
    hand: int
    play: str
    best: str
    cost: str
    at: str


Fact: TypeAlias = Opened | Played


class Day(NamedTuple):
    """A day's deal: as it was opened, and who has played what, in order."""

    opened: Opened | None = None
    played: Mapping[str, tuple[Played, ...]] = {}

    def of(self, names: Iterable[str]) -> tuple[Played, ...]:
        """What somebody has played, under whichever of their names came first."""
        tries = [self.played[name] for name in names if name in self.played]
        return min(tries, key=lambda one: one[0].at) if tries else ()


def evolve(day: Day, facts: Iterable[Fact]) -> Day:
    """The day after some facts."""
    opened, played = day.opened, dict(day.played)
    for fact in facts:
        if isinstance(fact, Opened):
            opened = opened or fact
        else:
            played[fact.player] = (*played.get(fact.player, ()), fact)
    return Day(opened, played)


def cost_of(plays: Iterable[Played]) -> Fraction:
    """What plays gave away together, in cents."""
    return sum((Fraction(one.cost) for one in plays), Fraction(0))
