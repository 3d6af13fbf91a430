"""Hi-lo points, where an ace counts by the hand it lies in."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from pitbook.cards import RANKS, Card, rank
from pitbook.errors import CardError
from pitbook.text import say
from pitbook.text.english import counted

SharedCard = Literal["ace-then-highest", "highest", "none"]
EqualPoints = Literal["two-to-ace", "ace-to-king", "ace-to-two", "king-to-ace"]

_ACE = RANKS.index("A")
_LOW_ACE = (*range(1, _ACE + 1), 0)  # Where each rank, two to ace, stands if the ace is below all.
PLACES: dict[EqualPoints, tuple[int, ...]] = {
    "two-to-ace": tuple(range(_ACE + 1)),
    "ace-to-king": _LOW_ACE,
    "ace-to-two": tuple(range(_ACE, -1, -1)),
    "king-to-ace": tuple(_ACE - place for place in _LOW_ACE),
}


@dataclass(frozen=True, slots=True)
class PointTable:
    """Points by rank, two to ace, in a low and in a high hand (MHL-3)."""

    low: tuple[int, ...]
    high: tuple[int, ...]

    def __post_init__(self) -> None:
        for side, values in (("low", self.low), ("high", self.high)):
            if len(values) != len(RANKS):
                raise CardError(
                    say("cards.points.ranks", side=side, named=len(values), ranks=len(RANKS))
                )


@dataclass(frozen=True, slots=True)
class Arrangement:
    """The dealer's cards as they lie; the shared card stands in both hands."""

    low: tuple[Card, ...]
    shared: Card | None
    high: tuple[Card, ...]
    low_total: int
    high_total: int


def total(cards: Iterable[Card], values: Sequence[int]) -> int:
    """The points of cards by one side of a table: `total(hand, points.low)`."""
    return sum(values[rank(card)] for card in cards)


def arrange(
    cards: Sequence[Card],
    points: PointTable,
    low_size: int = 3,
    shared: SharedCard = "ace-then-highest",
    equal: EqualPoints = "two-to-ace",
) -> Arrangement:
    """The dealer's low hand, shared card and high hand (MHL-8, MHL-9).

    Cards of equal points rise in the order of ranks named; of one rank from clubs to spades.
    """
    if not 1 <= low_size <= len(cards):
        raise CardError(say("cards.points.low", size=low_size, cards=counted(len(cards), "card")))
    places = PLACES[equal]
    ordered = sorted(cards, key=lambda card: (points.low[rank(card)], places[rank(card)], card))
    low, rest = tuple(ordered[:low_size]), tuple(ordered[low_size:])
    both = _shared_card(low, shared)
    high = rest if both is None else (both, *rest)
    return Arrangement(low, both, high, total(low, points.low), total(high, points.high))


def matches(player: Iterable[Card], dealer: Iterable[Card]) -> int:
    """How many of the dealer's cards have a rank that the player holds (MHL-11)."""
    held = {rank(card) for card in player}
    return sum(rank(card) in held for card in dealer)


def _shared_card(low: tuple[Card, ...], rule: SharedCard) -> Card | None:
    if rule == "none":
        return None
    # MHL-8: an ace among the lowest is the shared card.
    aces = [card for card in low if rank(card) == _ACE] if rule == "ace-then-highest" else []
    return (aces or low)[-1]
