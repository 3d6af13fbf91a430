"""Hi-lo points; an ace counts differently in the low and the high hand."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from pitbook.cards import DECK, RANKS, Card, rank
from pitbook.errors import CardError
from pitbook.text import say
from pitbook.text.english import count_noun

SharedCard = Literal["ace-then-highest", "highest", "none"]
EqualPoints = Literal["two-to-ace", "ace-to-king", "ace-to-two", "king-to-ace"]

_ACE = RANKS.index("A")
_LOW_ACE = (*range(1, _ACE + 1), 0)  # The position of each rank, two to ace, if the ace is lowest.
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
    """The dealer's cards as arranged; the shared card belongs to both hands."""

    low: tuple[Card, ...]
    shared: Card | None
    high: tuple[Card, ...]
    low_total: int
    high_total: int


def total(cards: Iterable[Card], values: Sequence[int]) -> int:
    """The points of cards in one column of a table: `total(hand, points.low)`."""
    return sum([values[rank(card)] for card in cards])


def arrange(
    cards: Sequence[Card],
    points: PointTable,
    low_size: int = 3,
    shared: SharedCard = "ace-then-highest",
    equal: EqualPoints = "two-to-ace",
) -> Arrangement:
    """The dealer's low hand, shared card and high hand (MHL-8, MHL-9).

    Cards of equal points are ordered by rank as `equal` says, then from clubs to spades.
    """
    if not 1 <= low_size <= len(cards):
        raise CardError(
            say("cards.points.low", size=low_size, cards=count_noun(len(cards), "card"))
        )
    ordered = sorted(cards, key=_positions(points, equal).__getitem__)
    low, others = tuple(ordered[:low_size]), tuple(ordered[low_size:])
    shared_card = _shared_card(low, shared)
    high = others if shared_card is None else (shared_card, *others)
    return Arrangement(low, shared_card, high, total(low, points.low), total(high, points.high))


@lru_cache(maxsize=64)
def _positions(points: PointTable, equal: EqualPoints) -> tuple[int, ...]:
    """The position of every card of a deck in the dealer's order."""
    places = PLACES[equal]
    ordered = sorted(DECK, key=lambda card: (points.low[rank(card)], places[rank(card)], card))
    return tuple(ordered.index(card) for card in DECK)


def matches(player: Iterable[Card], dealer: Iterable[Card]) -> int:
    """Number of the dealer's cards whose rank the player holds (MHL-11)."""
    player_ranks = {rank(card) for card in player}
    return sum(rank(card) in player_ranks for card in dealer)


def _shared_card(low: tuple[Card, ...], rule: SharedCard) -> Card | None:
    if rule == "none":
        return None
    # MHL-8: an ace among the lowest is the shared card.
    aces = [card for card in low if rank(card) == _ACE] if rule == "ace-then-highest" else []
    return (aces or low)[-1]
