"""What has happened in a tournament. Money follows from these facts alone, as the state does."""

from __future__ import annotations

from datetime import datetime
from typing import Literal, NamedTuple, TypeAlias

from pitbook.house.ledger.codec import Codec, LeftOut, Row
from pitbook.house.nights.tournament.commands import ChipCounts, RoomSeat
from pitbook.house.nights.tournament.schedule import Schedule
from pitbook.money import Cents
from pitbook.rules.refusals import Refusal

Drawn: TypeAlias = tuple[int, ...]  # The numbers that were drawn, in order.
Awards: TypeAlias = tuple[tuple[str, Cents], ...]  # (player, money)
PlayerGroup: TypeAlias = tuple[str, ...]  # Players who share their places.
Sale = Literal["buy-in", "re-buy", "add-on"]
TournamentEnding = Literal["played", "clock", "chip-count", "divided"]

FACTS: Codec[Fact] = Codec("a tournament")


@FACTS.fact("tournament-was-set-up")
class WasSetUp(NamedTuple):
    """There is a tournament, by this schedule."""

    tournament: str
    schedule: Schedule


@FACTS.fact("tournament-announced")
class Announced(NamedTuple):
    """The brush told what it costs."""

    tournament: str
    brush: str
    words: str


@FACTS.fact("tournament-sold")
class Sold(NamedTuple):
    """A player paid; `fee` is the part of it that the charity keeps."""

    tournament: str
    what: Sale
    player: str
    paid: Cents
    fee: Cents
    chips: Cents


@FACTS.fact("tournament-refunded")
class Refunded(NamedTuple):
    """A player left before the first card and has everything back."""

    tournament: str
    player: str
    paid: Cents
    fee: Cents
    chips: Cents


@FACTS.fact("tournament-checked-in")
class CheckedIn(NamedTuple):
    """A player came to the door, and somebody saw to it."""

    tournament: str
    player: str
    at: datetime
    by: str


@FACTS.fact("tournament-ticket-rotated")
class TicketRotated(NamedTuple):
    """A player has a new ticket; those before it are void."""

    tournament: str
    player: str
    at: datetime
    by: str
    why: str


@FACTS.fact("tournament-ticket-revoked")
class TicketRevoked(NamedTuple):
    """A player's ticket is void, and there is no other."""

    tournament: str
    player: str
    at: datetime
    by: str
    why: str


@FACTS.fact("tournament-ticket-opened")
class TicketOpened(NamedTuple):
    """A browser took a seat by its ticket; another that had it before has it no more."""

    tournament: str
    player: str
    at: datetime
    edition: int
    opening: str


@FACTS.fact("tournament-seats-drawn")
class SeatsDrawn(NamedTuple):
    """Players got their seats by lot."""

    tournament: str
    seats: tuple[Row[RoomSeat], ...]
    drawn: Drawn


@FACTS.fact("tournament-started")
class Started(NamedTuple):
    """Play was called; the first round may begin."""

    tournament: str


@FACTS.fact("tournament-clock-started")
class ClockStarted(NamedTuple):
    """The first level began."""

    tournament: str
    at: datetime


@FACTS.fact("tournament-clock-paused")
class ClockPaused(NamedTuple):
    """The clock was stopped."""

    tournament: str
    at: datetime


@FACTS.fact("tournament-clock-resumed")
class ClockResumed(NamedTuple):
    """The clock went on."""

    tournament: str
    at: datetime


@FACTS.fact("tournament-level-begun")
class LevelBegun(NamedTuple):
    """A level was begun before its time."""

    tournament: str
    at: datetime
    level: int


@FACTS.fact("tournament-clock-adjusted")
class ClockAdjusted(NamedTuple):
    """This level or break got longer, or shorter."""

    tournament: str
    at: datetime
    seconds: int


@FACTS.fact("tournament-message")
class Messaged(NamedTuple):
    """A line hangs on the board, or none."""

    tournament: str
    at: datetime
    text: str
    minutes: int


@FACTS.fact("tournament-registered")
class Registered(NamedTuple):
    """Players are expected."""

    tournament: str
    players: PlayerGroup


@FACTS.fact("tournament-unregistered")
class Unregistered(NamedTuple):
    """A player is not expected any more."""

    tournament: str
    player: str


@FACTS.fact("tournament-break-begun")
class BreakBegun(NamedTuple):
    """A break outside the schedule."""

    tournament: str
    at: datetime
    minutes: int


@FACTS.fact("tournament-round-begun")
class RoundBegun(NamedTuple):
    """A round was dealt at a table."""

    tournament: str
    table: int


@FACTS.fact("tournament-first-card")
class FirstCard(NamedTuple):
    """A live table dealt before a round was begun there; money goes back no more."""

    tournament: str
    table: int


@FACTS.fact("tournament-chips-counted")
class ChipsCounted(NamedTuple):
    """The round of a table is over, and this is what players have."""

    tournament: str
    table: int
    counts: ChipCounts
    in_book: bool


@FACTS.fact("tournament-eliminated")
class Eliminated(NamedTuple):
    """Players are out; `place` is the best of theirs and sinks while others still enter."""

    tournament: str
    players: PlayerGroup
    place: int
    awards: Awards
    drawn: Drawn


@FACTS.fact("tournament-moved")
class Moved(NamedTuple):
    """Players changed seats; `broken` is the table that was given up."""

    tournament: str
    moves: tuple[Row[RoomSeat], ...]
    broken: int | None


@FACTS.fact("tournament-prizes-posted")
class PrizesPosted(NamedTuple):
    """What each place is paid, first place first; nothing more is sold."""

    tournament: str
    amounts: tuple[Cents, ...]
    awards: Awards
    drawn: Drawn


@FACTS.fact("tournament-finished")
class Finished(NamedTuple):
    """It is over: who was left, from the last place up, and what they are due."""

    tournament: str
    how: TournamentEnding
    clause: str | None
    groups: tuple[PlayerGroup, ...]
    awards: Awards
    drawn: Drawn
    at: datetime  # When the clock stopped.


@FACTS.fact("tournament-paid-out")
class PaidOut(NamedTuple):
    """A player was paid; this money has left."""

    tournament: str
    player: str
    amount: Cents


@FACTS.fact("tournament-interrupted")
class Interrupted(NamedTuple):
    """Something beyond control cut it short while these tables had a round on the layout."""

    tournament: str
    at: datetime
    why: str
    hands: tuple[int, ...]


@FACTS.fact("tournament-stopped")
class Stopped(NamedTuple):
    """The machine stopped while these tables had a hand; the floor is asked what becomes of it."""

    tournament: str
    at: datetime  # When play stood still, not when somebody noticed.
    why: str
    tables: tuple[int, ...]


@FACTS.fact("tournament-gone-on")
class GoneOn(NamedTuple):
    """The floor's answer: the hands are played on; `through`: the clock ran meanwhile."""

    tournament: str
    at: datetime
    through: LeftOut[bool] = False


@FACTS.fact("tournament-hand-ruled")
class HandRuled(NamedTuple):
    """An interrupted hand is to be completed, or it is dead."""

    tournament: str
    table: int
    completed: bool
    readable: bool
    agreed: PlayerGroup
    clause: str


@FACTS.fact("tournament-voided")
class Voided(NamedTuple):
    """The tournament is void: what was spent returns, the charity's part too."""

    tournament: str
    why: str
    clause: str
    returns: Awards
    fee: Cents


@FACTS.fact("tournament-undone")
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
    | ClockAdjusted
    | Messaged
    | Registered
    | Unregistered
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
FactsOrRefusal: TypeAlias = list[Fact] | Refusal  # What a command comes to.

KINDS = FACTS.kinds
dump, load = FACTS.dump, FACTS.load
