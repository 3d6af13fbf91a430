"""Two published edges, counted from the rules with nothing of the product but the sheet's file."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, combinations_with_replacement
from math import comb, prod
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from pitbook.exact.sheet_figures import wager_figures
from pitbook.sheets.library import BUNDLED, Library

Ints = NDArray[np.int64]
WHEEL = {12, 0, 1, 2, 3}  # Ranks count from 0, the deuce, to 12, the ace.


def sheet_file(name: str) -> dict[str, Any]:
    return tomllib.loads((BUNDLED / f"{name}.toml").read_text(encoding="utf-8"))


def product_edge(name: str, wager: str) -> Fraction:
    sheet = next(
        entry.sheet for entry in Library().entries() if entry.path == BUNDLED / f"{name}.toml"
    )
    assert sheet is not None
    return wager_figures(sheet, wager).house_edge


# Six Card Bonus: the best five of six cards.


def straight_high(ranks: set[int]) -> int | None:
    """The highest card of a straight in these ranks; 3 for five high."""
    for high in range(12, 3, -1):
        if set(range(high - 4, high + 1)) <= ranks:
            return high
    return 3 if ranks >= WHEEL else None


def unsuited_hand(counts: Counter[int]) -> str:
    """The best hand of six cards without a flush."""
    times = sorted(counts.values(), reverse=True)
    if times[0] == 4:
        return "four-of-a-kind"
    if times[0] == 3 and times[1] >= 2:
        return "full-house"
    if straight_high(set(counts)) is not None:
        return "straight"
    return "three-of-a-kind" if times[0] == 3 else "nothing"


def suited_ranks(counts: Counter[int]) -> Iterator[tuple[set[int], int]]:
    """The ranks of one suit, if at least five are in it, and in how many ways."""
    for size in (5, 6):
        for ranks in combinations(sorted(counts), size):
            ways = prod(
                comb(3, times - 1) if rank in ranks else comb(3, times)
                for rank, times in counts.items()
            )
            yield set(ranks), 4 * ways


def six_card_hands() -> Counter[str]:
    """Sets of six cards by their best hand."""
    hands: Counter[str] = Counter()
    for ranks in combinations_with_replacement(range(13), 6):
        counts = Counter(ranks)
        if max(counts.values()) > 4:
            continue
        left = prod(comb(4, times) for times in counts.values())
        for suited, ways in suited_ranks(counts):
            high = straight_high(suited)
            flush = {None: "flush", 12: "royal-flush"}.get(high, "straight-flush")
            hands[flush] += ways
            left -= ways
        hands[unsuited_hand(counts)] += left
    return hands


def odds(text: str) -> Fraction:
    to, stake_units = text.split(":")
    return Fraction(int(to), int(stake_units))


def test_six_card_bonus_edge_is_10_2248_percent() -> None:
    pays = sheet_file("pennsylvania/three-card-poker")["side"]["six-card-bonus"]["pays"]
    hands = six_card_hands()
    assert sum(hands.values()) == comb(52, 6)
    won = sum(ways * odds(pays[hand]) for hand, ways in hands.items() if hand in pays)
    lost = sum(ways for hand, ways in hands.items() if hand not in pays)
    edge = (lost - won) / comb(52, 6)
    assert f"{float(edge):.4%}" == "10.2248%"
    assert product_edge("pennsylvania/three-card-poker", "six-card-bonus") == edge


# Ultimate Three Card Poker: three cards each, one of the dealer's face up.

HIGH, PAIR, FLUSH, STRAIGHT, TRIPS, STRAIGHT_FLUSH = range(6)
SETS = np.array(list(combinations(range(52), 3)))
NAMES = {
    FLUSH: "flush",
    STRAIGHT: "straight",
    TRIPS: "three-of-a-kind",
    STRAIGHT_FLUSH: "straight-flush",
}


def three_card_strength() -> Ints:
    """By set, its category and then its ranks in order of importance, as one number."""
    strengths = []
    for cards in SETS.tolist():
        ranks = sorted((card // 4 for card in cards), reverse=True)
        suited = len({card % 4 for card in cards}) == 1
        if ranks == [12, 1, 0]:
            ranks = [1, 0, -1]  # Three high.
        straight = ranks[0] - ranks[1] == ranks[1] - ranks[2] == 1
        times = Counter(ranks)
        category = HIGH
        if straight and suited:
            category = STRAIGHT_FLUSH
        elif len(times) == 1:
            category = TRIPS
        elif straight or suited:
            category = STRAIGHT if straight else FLUSH
        elif len(times) == 2:
            category = PAIR
        ranks.sort(key=lambda rank, times=times: (-times[rank], -rank))  # type: ignore[misc]
        strengths.append(
            category * 10_000
            + sum((rank + 1) * 15**p for rank, p in zip(ranks, (2, 1, 0), strict=True))
        )
    return np.array(strengths)


def distinct_hands() -> dict[int, int]:
    """A set for each pattern of ranks and suits, and how many sets have the pattern."""
    patterns: dict[tuple[tuple[int, int], ...], list[int]] = {}
    for number, cards in enumerate(SETS.tolist()):
        suits = list(dict.fromkeys(card % 4 for card in cards))
        pattern = tuple((card // 4, suits.index(card % 4)) for card in cards)
        patterns.setdefault(pattern, []).append(number)
    return {numbers[0]: len(numbers) for numbers in patterns.values()}


def _by_upcard(dealer_cards: Ints, results: Ints) -> Ints:
    """By card, the sum of results over the dealer's hands that may show it."""
    sums = np.zeros(52, np.int64)
    for place in range(3):
        np.add.at(sums, dealer_cards[:, place], results)
    return sums


@pytest.mark.long
def test_ultimate_three_card_poker_edge_is_3_8807_percent() -> None:
    rules = sheet_file("classic/ultimate-three-card-poker")
    assert rules["dealer"]["qualifies"] == "high-card-Q"
    (need,) = rules["decisions"][0]["needs"]
    assert (need["times"], need["hand"]) == (3, "pair")
    pays = {name: odds(text) for name, text in rules["main"]["pays"].items()}
    strength = three_card_strength()
    categories = strength // 10_000
    qualifies = strength >= 11 * 15**2  # A queen or better.
    members = np.zeros((len(SETS), 52), np.bool_)
    np.put_along_axis(members, SETS, True, axis=1)
    total, deals = Fraction(0), 0
    for number, ways in distinct_hands().items():
        cards = SETS[number]
        free = ~members[:, cards].any(axis=1)
        dealer, dealer_cards = strength[free], SETS[free]
        result = np.sign(strength[number] - dealer)
        category = int(categories[number])
        line = NAMES.get(category, "")
        if category == STRAIGHT_FLUSH and {10, 11, 12} == set((cards // 4).tolist()):
            line = "mini-royal"
        half = int(2 * pays.get(line, Fraction(0)))  # In halves of an ante: a straight pays 3 to 2.
        ante = np.where(qualifies[free], 2 * result, 0)
        blinds = np.where(result > 0, half, 2 * np.minimum(result, 0))
        bets = [1, 3] if category >= PAIR else [1]
        by_upcard = [_by_upcard(dealer_cards, ante + blinds + 2 * bet * result) for bet in bets]
        seen = _by_upcard(dealer_cards, np.ones(len(dealer), np.int64))
        best = np.maximum.reduce([*by_upcard, -4 * seen])  # A fold loses Ante and Blind.
        total += ways * int(best.sum())
        deals += ways * int(seen.sum())
    edge = -total / deals / 2
    assert deals == 3 * comb(52, 3) * comb(49, 3)
    assert f"{float(edge):.4%}" == "3.8807%"
    assert product_edge("classic/ultimate-three-card-poker", "main") == edge
