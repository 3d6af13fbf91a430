"""Facts of a tournament. Its state and its money follow from them alone."""

from __future__ import annotations

from datetime import datetime
from typing import Literal, NamedTuple, TypeAlias

from pitbook.house.ledger.fact_codec import Codec, OmitDefault, Row
from pitbook.house.nights.tournament.commands import ChipCounts, RoomSeat
from pitbook.house.nights.tournament.schedule import Schedule
from pitbook.money import Cents
from pitbook.rules.refusals import Refusal

Drawn: TypeAlias = tuple[int, ...]  # The numbers drawn, in order.
Awards: TypeAlias = tuple[tuple[str, Cents], ...]  # (player, money)
PlayerGroup: TypeAlias = tuple[str, ...]  # Players who share their places.
Sale = Literal["buy-in", "re-buy", "add-on"]
TournamentEnding = Literal["played", "clock", "chip-count", "divided"]

FACTS: Codec[Fact] = Codec("a tournament")


@FACTS.fact("tournament-was-set-up")
class TournamentCreated(NamedTuple):
    """A tournament was created with a schedule."""

    tournament: str
    schedule: Schedule


@FACTS.fact("tournament-announced")
class Announced(NamedTuple):
    """The brush announced the cost."""

    tournament: str
    brush: str
    words: str


@FACTS.fact("tournament-sold")
class Sold(NamedTuple):
    """A player paid; `fee` is the charity's part of it."""

    tournament: str
    what: Sale
    player: str
    paid: Cents
    fee: Cents
    chips: Cents


@FACTS.fact("tournament-refunded")
class Refunded(NamedTuple):
    """A player left before the first card and was refunded everything."""

    tournament: str
    player: str
    paid: Cents
    fee: Cents
    chips: Cents


@FACTS.fact("tournament-checked-in")
class CheckedIn(NamedTuple):
    """A player was checked in."""

    tournament: str
    player: str
    at: datetime
    by: str


@FACTS.fact("tournament-ticket-rotated")
class TicketRotated(NamedTuple):
    """A player got a new ticket; earlier ones are void."""

    tournament: str
    player: str
    at: datetime
    by: str
    why: str


@FACTS.fact("tournament-ticket-revoked")
class TicketRevoked(NamedTuple):
    """A player's ticket was revoked without a new one."""

    tournament: str
    player: str
    at: datetime
    by: str
    why: str


@FACTS.fact("tournament-ticket-opened")
class TicketOpened(NamedTuple):
    """A browser took a seat by its ticket; the previous browser lost it."""

    tournament: str
    player: str
    at: datetime
    edition: int
    opening: str


@FACTS.fact("tournament-seats-drawn")
class SeatsDrawn(NamedTuple):
    """Seats were drawn by lot."""

    tournament: str
    seats: tuple[Row[RoomSeat], ...]
    drawn: Drawn


@FACTS.fact("tournament-started")
class Started(NamedTuple):
    """Play was started; the first round may begin."""

    tournament: str


@FACTS.fact("tournament-clock-started")
class ClockStarted(NamedTuple):
    """The clock was started at the first level."""

    tournament: str
    at: datetime


@FACTS.fact("tournament-clock-paused")
class ClockPaused(NamedTuple):
    """The clock was paused."""

    tournament: str
    at: datetime


@FACTS.fact("tournament-clock-resumed")
class ClockResumed(NamedTuple):
    """The clock was resumed."""

    tournament: str
    at: datetime


@FACTS.fact("tournament-level-begun")
class LevelBegun(NamedTuple):
    """A level was started out of turn."""

    tournament: str
    at: datetime
    level: int


@FACTS.fact("tournament-clock-adjusted")
class ClockAdjusted(NamedTuple):
    """Time was added to a level or break, or removed."""

    tournament: str
    at: datetime
    seconds: int


@FACTS.fact("tournament-message")
class MessagePosted(NamedTuple):
    """A message was posted on the board or removed."""

    tournament: str
    at: datetime
    text: str
    minutes: int


@FACTS.fact("tournament-registered")
class Registered(NamedTuple):
    """Expected players were registered."""

    tournament: str
    players: PlayerGroup


@FACTS.fact("tournament-unregistered")
class Unregistered(NamedTuple):
    """A player was removed from the list of expected players."""

    tournament: str
    player: str


@FACTS.fact("tournament-break-begun")
class BreakBegun(NamedTuple):
    """A break outside the schedule was started."""

    tournament: str
    at: datetime
    minutes: int


@FACTS.fact("tournament-round-begun")
class RoundBegun(NamedTuple):
    """A round was begun at a table."""

    tournament: str
    table: int


@FACTS.fact("tournament-first-card")
class FirstCard(NamedTuple):
    """A live table dealt before the floor began a round; refunds end."""

    tournament: str
    table: int


@FACTS.fact("tournament-chips-counted")
class ChipsCounted(NamedTuple):
    """A table's round is over, and its chips were counted."""

    tournament: str
    table: int
    counts: ChipCounts
    in_book: bool


@FACTS.fact("tournament-eliminated")
class Eliminated(NamedTuple):
    """Players were eliminated. `place` is their best place and drops while others enter."""

    tournament: str
    players: PlayerGroup
    place: int
    awards: Awards
    drawn: Drawn


@FACTS.fact("tournament-moved")
class Moved(NamedTuple):
    """Players changed seats; `broken` is the table that was broken."""

    tournament: str
    moves: tuple[Row[RoomSeat], ...]
    broken: int | None


@FACTS.fact("tournament-prizes-posted")
class PrizesPosted(NamedTuple):
    """The payouts were posted, first place first; sales end."""

    tournament: str
    amounts: tuple[Cents, ...]
    awards: Awards
    drawn: Drawn


@FACTS.fact("tournament-finished")
class Finished(NamedTuple):
    """The tournament is over: who was left, from the last place up, and what they are due."""

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
    """The tournament was interrupted while these tables had a round on the layout."""

    tournament: str
    at: datetime
    why: str
    hands: tuple[int, ...]


@FACTS.fact("tournament-stopped")
class Stopped(NamedTuple):
    """The server stopped while these tables had a hand; the floor must decide."""

    tournament: str
    at: datetime  # When play stopped, not when somebody noticed.
    why: str
    tables: tuple[int, ...]


@FACTS.fact("tournament-gone-on")
class Resumed(NamedTuple):
    """The floor resumed the hands; `through`: the clock ran during the stop."""

    tournament: str
    at: datetime
    through: OmitDefault[bool] = False


@FACTS.fact("tournament-hand-ruled")
class HandRuled(NamedTuple):
    """An interrupted hand is to be completed, or is dead."""

    tournament: str
    table: int
    completed: bool
    readable: bool
    agreed: PlayerGroup
    clause: str


@FACTS.fact("tournament-voided")
class Voided(NamedTuple):
    """The tournament is void: all spending is refunded, including the charity's part."""

    tournament: str
    why: str
    clause: str
    returns: Awards
    fee: Cents


@FACTS.fact("tournament-undone")
class Undone(NamedTuple):
    """A fact of the tournament was undone together with its transfers."""

    tournament: str
    of: int
    why: str


Fact: TypeAlias = (
    TournamentCreated
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
    | MessagePosted
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
    | Resumed
    | HandRuled
    | Voided
    | Undone
)
FactsOrRefusal: TypeAlias = list[Fact] | Refusal  # The result of a command.

KINDS = FACTS.kinds
dump, load = FACTS.dump, FACTS.load
