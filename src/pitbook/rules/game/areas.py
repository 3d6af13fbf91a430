"""Areas of a layout: what is printed for hands and cards in common, and how they lie there."""

from __future__ import annotations

from typing import NamedTuple

from pitbook.cards import Card

__all__ = ["Area", "Areas", "Box", "Printed"]


class Area(NamedTuple):
    """An area of the layout: its name, its cards, and what they count."""

    title: str
    cards: tuple[Card, ...]
    points: int | None = None


class Areas(NamedTuple):
    """A dealer's cards as they lie: a low and a high hand, and the card that stands in both."""

    low: Area
    shared: Area | None
    high: Area
    row: tuple[Card, ...]  # From the players' left to their right, the shared card once.
    shared_at: int | None
    in_row: tuple[Area, ...]  # The areas in the same order, as they are printed.


class Printed(NamedTuple):
    """An area that is printed for cards in common: its name, and how many of them lie there.

    The cards of one that is shared stand in the hands on both sides of it.
    """

    title: str
    cards: int
    shared: bool = False


class Box(NamedTuple):
    """Where a hand is laid by what it says: what is printed there, and how the hand lies."""

    says: str
    title: str
    laid: str
    across: bool = False
