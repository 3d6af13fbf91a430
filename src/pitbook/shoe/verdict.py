"""What became of a proof: the cards that it deals, and every way in which it does not agree."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, Protocol

from pitbook.cards import Card
from pitbook.rules.actions import BOARD, PlaceNumber


class Shoe(Protocol):
    """What every proof says of its shoe."""

    @property
    def id(self) -> str:
        """Its name."""

    @property
    def kind(self) -> str:
        """What kind of shoe it is."""

    @property
    def decks(self) -> int:
        """How many decks it holds."""

    @property
    def commitment(self) -> str | None:
        """The hash that was published, if one was."""

    @property
    def seat_seeds(self) -> Mapping[int, str]:
        """The seats' own seeds."""


class LaidHand(NamedTuple):
    """What lies at a place: the cards that were turned, and how many never were (GEN-14).

    None is a card that somebody has seen, and that this proof keeps closed.
    """

    place: str
    turned: tuple[Card | None, ...]
    unturned: int
    seat: int | None = None  # Cards in common and the dealer's are nobody's.


def seat_at(place: PlaceNumber) -> int | None:
    """The seat whose cards lie at a place, where they are anybody's."""
    return place if place > BOARD else None


class DealDifference(NamedTuple):
    """Where the record and the shoe disagree; the last four are for a card."""

    code: str
    message: str
    clause: str | None = None
    place: str | None = None
    number: int | None = None
    recorded: str | None = None
    dealt: str | None = None


class DealVerdict(NamedTuple):
    """A round dealt again; it agrees where there is no difference."""

    shoe: Shoe
    drawn: int
    hands: tuple[LaidHand, ...]
    differences: tuple[DealDifference, ...]
    round_id: str
    whole: bool = True  # Whether it opens every card of the shoe.
    cardwise: bool = False  # Whether the shoe opens card by card, or by its seed.
    deals: int = 0  # Of this shoe before this one, where each has seeds of its own.
    history: str | None = None  # The hash that such seeds are made for.

    @property
    def closed(self) -> int:
        """How many cards were seen by somebody else, and stay closed here."""
        return sum(hand.turned.count(None) for hand in self.hands)
