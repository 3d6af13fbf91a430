"""Names hands slowly from their text, independently of the code under test."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import combinations

RISING = {
    2: "high-card flush straight pair straight-flush",
    3: "high-card pair flush straight three-of-a-kind straight-flush mini-royal",
    4: "high-card pair two-pair straight flush three-of-a-kind straight-flush four-of-a-kind "
    "four-aces",
    5: "high-card pair two-pair three-of-a-kind straight flush full-house four-of-a-kind "
    "straight-flush royal-flush",
}
SAME_RANK = {
    "2": "pair",
    "21": "pair",
    "211": "pair",
    "2111": "pair",
    "22": "two-pair",
    "221": "two-pair",
    "3": "three-of-a-kind",
    "31": "three-of-a-kind",
    "311": "three-of-a-kind",
    "32": "full-house",
    "4": "four-of-a-kind",
    "41": "four-of-a-kind",
}


def hand_name(hand: Sequence[str], *, ace_low: bool = True, many_decks: bool = False) -> str:
    """The name of a hand such as ("As", "Kd", "7c"), a pair without its rank."""
    shape = _plain_name("".join(sorted(card[0] for card in hand)), _one_suit(hand), ace_low)
    twins = max(Counter(hand).values())
    if many_decks and shape == "three-of-a-kind" and twins == 3:
        return "suited-three-of-a-kind"
    if many_decks and shape == "pair" and twins == 2:
        return "suited-pair-flush" if _one_suit(hand) else "suited-pair"
    return shape


def shape_of(kind: str) -> str:
    """A kind without the rank of its pair or of its highest card."""
    if kind.startswith("suited-pair"):
        return "suited-pair-flush" if kind.endswith("-flush") else "suited-pair"
    return next((name for name in ("pair", "high-card") if kind.startswith(f"{name}-")), kind)


@cache
def all_called(size: int, *, ace_low: bool) -> list[str]:
    """The names of all hands of this many cards of one deck, in order of combinations."""
    deck = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]
    return [hand_name(hand, ace_low=ace_low) for hand in combinations(deck, size)]


def strength(hand: Sequence[str], *, ace_low: bool = True) -> tuple[int, ...]:
    """Numbers that order hands of one deck and one size."""
    return _strength("".join(sorted(card[0] for card in hand)), _one_suit(hand), ace_low)


@cache
def _plain_name(ranks: str, one_suit: bool, ace_low: bool) -> str:
    groups = "".join(sorted((str(n) for n in Counter(ranks).values()), reverse=True))
    if ranks == "AAAA":
        return "four-aces"
    if groups in SAME_RANK:
        return SAME_RANK[groups]
    if ranks in ("AJKQT", "AKQ") and one_suit:
        return "mini-royal" if ranks == "AKQ" else "royal-flush"
    straight = _top(ranks, ace_low) >= 0
    if straight and one_suit:
        return "straight-flush"
    return "straight" if straight else "flush" if one_suit else "high-card"


@cache
def _strength(ranks: str, one_suit: bool, ace_low: bool) -> tuple[int, ...]:
    shape = _plain_name(ranks, one_suit, ace_low)
    place = RISING[len(ranks)].split().index(shape)
    if "straight" in shape or "royal" in shape:
        return place, _top(ranks, ace_low)
    order = sorted(ranks, key=lambda r: (ranks.count(r), "23456789TJQKA".index(r)), reverse=True)
    return place, *("23456789TJQKA".index(rank) for rank in order)


def _top(ranks: str, ace_low: bool) -> int:
    line = "A23456789TJQKA" if ace_low else "23456789TJQKA"
    windows = ["".join(sorted(line[i : i + len(ranks)])) for i in range(len(line))]
    return windows.index(ranks) if ranks in windows else -1


def _one_suit(hand: Sequence[str]) -> bool:
    return len({card[1] for card in hand}) == 1
