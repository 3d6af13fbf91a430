"""What has happened in a tournament. Money follows from these facts alone, as the state does."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Literal, NamedTuple, TypeAlias, get_args

from pitbook.money import Cents
from pitbook.nights.tournament.commands import Counts, Seat
from pitbook.nights.tournament.schedule import Schedule
from pitbook.nights.tournament.written import Json, read, written

__all__ = ["KINDS", "Ending", "Fact", "Sale", "dump", "load"]

Drawn: TypeAlias = tuple[int, ...]  # The numbers that were drawn, in order.
Awards: TypeAlias = tuple[tuple[str, Cents], ...]  # (player, money)
Group: TypeAlias = tuple[str, ...]  # Players who share their places.
Sale = Literal["buy-in", "re-buy", "add-on"]
Ending = Literal["played", "clock", "chip-count", "divided"]


class WasSetUp(NamedTuple):
    """There is a tournament, by this schedule."""

    tournament: str
    schedule: Schedule


class Announced(NamedTuple):
    """The brush told what it costs."""

    tournament: str
    brush: str
    words: str


class Sold(NamedTuple):
    """A player paid; `fee` is the part of it that the charity keeps."""

    tournament: str
    what: Sale
    player: str
    paid: Cents
    fee: Cents
    chips: Cents


class Refunded(NamedTuple):
    """A player left before the first card and has everything back."""

    tournament: str
    player: str
    paid: Cents
    fee: Cents
    chips: Cents


class CheckedIn(NamedTuple):
    """A player came to the door, and somebody saw to it."""

    tournament: str
    player: str
    at: datetime
    by: str


class TicketRotated(NamedTuple):
    """A player has a new ticket; those before it are void."""

    tournament: str
    player: str
    at: datetime
    by: str
    why: str


class TicketRevoked(NamedTuple):
    """A player's ticket is void, and there is no other."""

    tournament: str
    player: str
    at: datetime
    by: str
    why: str


class TicketOpened(NamedTuple):
    """A browser took a seat by its ticket; another that had it before has it no more."""

    tournament: str
    player: str
    at: datetime
    edition: int
    opening: str


class SeatsDrawn(NamedTuple):
    """Players got their seats by lot."""

    tournament: str
    seats: tuple[Seat, ...]
    drawn: Drawn


class Started(NamedTuple):
    """Play was called; the first round may begin."""

    tournament: str


class ClockStarted(NamedTuple):
    """The first level began."""

    tournament: str
    at: datetime


class ClockPaused(NamedTuple):
    """The clock was stopped."""

    tournament: str
    at: datetime


class ClockResumed(NamedTuple):
    """The clock went on."""

    tournament: str
    at: datetime


class LevelBegun(NamedTuple):
    """A level was begun before its time."""

    tournament: str
    at: datetime
    level: int


class BreakBegun(NamedTuple):
    """A break outside the schedule."""

    tournament: str
    at: datetime
    minutes: int


class RoundBegun(NamedTuple):
    """A round was dealt at a table."""

    tournament: str
    table: int


class FirstCard(NamedTuple):
    """A live table dealt before a round was begun there; money goes back no more."""

    tournament: str
    table: int


class ChipsCounted(NamedTuple):
    """The round of a table is over, and this is what players have."""

    tournament: str
    table: int
    counts: Counts
    in_book: bool


class Eliminated(NamedTuple):
    """Players are out; `place` is the best of theirs and sinks while others still enter."""

    tournament: str
    players: Group
    place: int
    awards: Awards
    drawn: Drawn


class Moved(NamedTuple):
    """Players changed seats; `broken` is the table that was given up."""

    tournament: str
    moves: tuple[Seat, ...]
    broken: int | None


class PrizesPosted(NamedTuple):
    """What each place is paid, first place first; nothing more is sold."""

    tournament: str
    amounts: tuple[Cents, ...]
    awards: Awards
    drawn: Drawn


class Finished(NamedTuple):
    """It is over: who was left, from the last place up, and what they are due."""

    tournament: str
    how: Ending
    clause: str | None
    groups: tuple[Group, ...]
    awards: Awards
    drawn: Drawn
    at: datetime | None = None  # When the clock stood still.


class PaidOut(NamedTuple):
    """A player was paid; this money has left."""

    tournament: str
    player: str
    amount: Cents


class Interrupted(NamedTuple):
    """Something beyond control cut it short while these tables had a round on the layout."""

    tournament: str
    at: datetime
    why: str
    hands: tuple[int, ...]


class Stopped(NamedTuple):
    """The machine stopped while these tables had a hand; the floor is asked what becomes of it."""

    tournament: str
    at: datetime  # When play stood still, not when somebody noticed.
    why: str
    tables: tuple[int, ...]


class GoneOn(NamedTuple):
    """The floor's answer: the hands are played on."""

    tournament: str
    at: datetime


class HandRuled(NamedTuple):
    """An interrupted hand is to be completed, or it is dead."""

    tournament: str
    table: int
    completed: bool
    readable: bool
    agreed: Group
    clause: str


class Voided(NamedTuple):
    """The tournament is void: what was spent returns, the charity's part too."""

    tournament: str
    why: str
    clause: str
    returns: Awards
    fee: Cents


class Undone(NamedTuple):
    """A fact of the tournament was taken back, and its transfers with it."""

    tournament: str
    of: int
    why: str


Fact: TypeAlias = (
    WasSetUp
    | Announced
    | Sold
    | Refunded
    | CheckedIn
    | TicketRotated
    | TicketRevoked
    | TicketOpened
    | SeatsDrawn
    | Started
    | ClockStarted
    | ClockPaused
    | ClockResumed
    | LevelBegun
    | BreakBegun
    | RoundBegun
    | FirstCard
    | ChipsCounted
    | Eliminated
    | Moved
    | PrizesPosted
    | Finished
    | PaidOut
    | Interrupted
    | Stopped
    | GoneOn
    | HandRuled
    | Voided
    | Undone
)

KINDS: dict[str, type[Fact]] = {
    "tournament" + re.sub("([A-Z])", r"-\1", kind.__name__).lower(): kind for kind in get_args(Fact)
}
_NAMES = {kind: name for name, kind in KINDS.items()}


def dump(fact: Fact) -> Json:
    """The fact as the ledger keeps it, its kind in "fact"."""
    return {"fact": _NAMES[type(fact)], **written(fact)}


def load(kept: Json) -> Fact:
    """The fact that was kept; raises RoundError for what is none."""
    return read(KINDS, kept)
