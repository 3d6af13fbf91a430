"""All that can happen in a round. Luck is a card in an action; time and people are not here."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

from pitbook.cards import Card
from pitbook.money import Cents

BOARD = 0  # The first place in common, as the community cards or the dealer's hand.

PlaceNumber: TypeAlias = (
    int  # A seat's number; or 0, -1, -2: places in common, in the game's order.
)
PLACES = {"board": BOARD, "board-1": -1, "board-2": -2}  # As records write those.


def place_written(place: PlaceNumber) -> str | int:
    """A place as records write it.

    >>> place_written(3), place_written(BOARD), place_written(-1)
    (3, 'board', 'board-1')
    """
    return place if place > BOARD else "board" if place == BOARD else f"board{place}"


def place_read(written: str | int) -> PlaceNumber:
    """The place that a record writes so."""
    return PLACES[written] if isinstance(written, str) else written


class Wager(NamedTuple):
    """Put a wager before the deal, or change it."""

    seat: int
    player: str
    wager: str
    amount: Cents


class Withdraw(NamedTuple):
    """Take a wager back before the deal; the main wager takes the seat with it."""

    seat: int
    wager: str


class Close(NamedTuple):
    """No more wagers."""


class Deal(NamedTuple):
    """Lay one card face down."""

    place: PlaceNumber


class Turn(NamedTuple):
    """Name a card that lies face down, at the moment somebody may see it."""

    place: PlaceNumber
    card: Card


class Decide(NamedTuple):
    """Play: fold, 1x, 2x, ... or low, high, low+double, high+double."""

    seat: int
    play: str


class Absent(NamedTuple):
    """The clock ran out for a seat; or, where it says `short`, for want of chips (GEN-10)."""

    seat: int
    short: bool | None = None


class Settle(NamedTuple):
    """Pay and take at the next seat in the sheet's order: at once, or when the round is over."""

    at_once: bool | None = None


class Misdeal(NamedTuple):
    """Something is wrong with the deal: the round is void, if it is found in time (GEN-6)."""

    reason: str
    card_count: bool = False


VoidReason = Literal["information", "supervisor"]
InformationPart = Literal["gave", "took"]


class VoidHand(NamedTuple):
    """One hand is void: for information given or taken (forfeit), or by the supervisor.

    The sheet says whose hand information costs. A hand without a part is void whatever it says.
    """

    seat: int
    reason: VoidReason
    part: InformationPart | None = None


class Expose(NamedTuple):
    """The dealer showed a card too early or to the wrong people (GEN-8)."""

    place: PlaceNumber
    card: Card


class Fouled(NamedTuple):
    """A card turned up that the decks cannot hold (GEN-9)."""

    card: Card


class Warn(NamedTuple):
    """A breach that costs nothing but is recorded, as cards taken off the table (CMS-15)."""

    seat: int
    breach: str


class Interrupted(NamedTuple):
    """Play stopped for a reason beyond the table; did all with a live wager agree to finish?"""

    agreed: bool
    why: str | None = None


Action: TypeAlias = (
    Wager
    | Withdraw
    | Close
    | Deal
    | Turn
    | Decide
    | Absent
    | Settle
    | Misdeal
    | VoidHand
    | Expose
    | Fouled
    | Warn
    | Interrupted
)
