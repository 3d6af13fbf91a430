"""The result of verifying a proof: the cards it deals, and every difference."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, Protocol

from pitbook.cards import Card
from pitbook.rules.actions import BOARD, PlaceNumber


class Shoe(Protocol):
    """The shoe data in every proof."""

    @property
    def id(self) -> str:
        """The shoe's id."""

    @property
    def kind(self) -> str:
        """The kind of shoe."""

    @property
    def decks(self) -> int:
        """Number of decks."""

    @property
    def commitment(self) -> str | None:
        """The published hash, or None."""

    @property
    def seat_seeds(self) -> Mapping[int, str]:
        """The seats' seeds."""


class DealtHand(NamedTuple):
    """The cards at a place: those turned, and the number never turned (GEN-14).

    None is a card that another person has seen and that this proof keeps closed.
    """

    place: str
    turned: tuple[Card | None, ...]
    unturned: int
    seat: int | None = None  # None for community cards and the dealer's.


def seat_at(place: PlaceNumber) -> int | None:
    """The seat whose cards are at a place, or None for a shared place."""
    return place if place > BOARD else None


class DealDifference(NamedTuple):
    """A difference between the record and the shoe; the last four fields describe a card."""

    code: str
    message: str
    clause: str | None = None
    place: str | None = None
    number: int | None = None
    recorded: str | None = None
    dealt: str | None = None


class DealVerdict(NamedTuple):
    """The result of dealing a round again; without differences the record agrees with the shoe."""

    shoe: Shoe
    drawn: int
    hands: tuple[DealtHand, ...]
    differences: tuple[DealDifference, ...]
    round_id: str
    whole: bool = True  # Whether the proof opens every card of the shoe.
    cardwise: bool = False  # Whether the shoe opens card by card instead of by its seed.
    deals: int = 0  # Earlier deals of this shoe, if each deal has its own seeds.
    history: str | None = None  # The hash to which those seeds apply.

    @property
    def closed(self) -> int:
        """Number of cards that were seen by another person and stay closed here."""
        return sum(hand.turned.count(None) for hand in self.hands)
