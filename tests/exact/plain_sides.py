"""Side wagers by plain counting: every set of cards that can decide one, or a short sum of ways."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, product
from math import comb, prod
from typing import Any

import numpy as np
from tests.exact.plain_cards import DECK, Ints, sets, shapes
from tests.hands.plain import called
from tests.rules.rounds.oracle import capped, pay, pay_table, priced

Json = dict[str, Any]
Ends = list[tuple[list[str], int, int]]  # Cards, matches, ways.


def returns(sheet: Json, wager: str, stake: int | None = None) -> dict[str, tuple[int, Fraction]]:
    """By outcome: ways, and what one unit staked nets; with a stake in cents the caps apply."""
    at_stake = stake or 100 * prod(_ones(sheet, wager))
    found: dict[str, tuple[int, Fraction]] = {}
    for cards, matched, ways in ends(sheet, wager):
        line = priced(sheet, wager, at_stake, pay(sheet, wager, cards, matched), "")
        if stake:
            capped(sheet, {1: [line]})
        net = Fraction(line["wins"] - (at_stake if line["result"] == "lose" else 0), at_stake)
        before, known = found.get(line["outcome"], (0, net))
        assert net == known
        found[line["outcome"]] = (before + ways, net)
    return found


def ends(sheet: Json, wager: str) -> Ends:
    """Every way a side wager can end, by example."""
    looks_at, decks = sheet["side"][wager]["looks_at"], sheet["deck"]["decks"]
    ace_low = sheet["payouts"]["ace_in_straights"]["is"] == "high-or-low"
    if looks_at == "dealer-match":
        return matches(sheet["deal"]["player"], sheet["deal"]["dealer"], decks)
    if decks > 1:
        return three_of_many_decks(decks, ace_low)
    if sheet["family"] == "hi-lo":
        return hands(sheet["deal"]["player"], ace_low)
    hole = sheet["deal"]["hole"]["is"]
    return hands({"hand": 5, "hole": hole, "community": 5 - hole}[looks_at], ace_low)


@cache
def hands(size: int, ace_low: bool) -> Ends:
    """All sets of so many cards of one deck."""
    ways: Counter[int] = Counter()
    example: dict[int, list[str]] = {}
    for some in _sets(size):
        codes, first, counts = np.unique(
            shapes(some, ace_low=ace_low), return_index=True, return_counts=True
        )
        for code, place, count in zip(codes.tolist(), first, counts.tolist(), strict=True):
            ways[code] += count
            example.setdefault(code, [DECK[card] for card in some[place]])
    assert ways.total() == comb(52, size)
    return [(example[code], 0, count) for code, count in ways.items()]


def _sets(size: int) -> Iterator[Ints]:
    """By their lowest card, so that no array gets large."""
    for lowest in range(52 - size + 1):
        more = sets(51 - lowest, size - 1) + lowest + 1
        yield np.concatenate([np.full((len(more), 1), lowest), more], axis=1).astype(np.int64)


@cache
def three_of_many_decks(decks: int, ace_low: bool) -> Ends:
    """Three cards drawn one after the other, by face; each order is a way."""
    ways: Counter[tuple[int, ...]] = Counter()
    for one, two, three in product(range(52), repeat=3):
        drawn = decks * (decks - (two == one)) * (decks - (three == one) - (three == two))
        ways[tuple(sorted((one, two, three)))] += drawn
    assert ways.total() == 52 * decks * (52 * decks - 1) * (52 * decks - 2)
    alike: dict[tuple[str, int], tuple[list[str], int]] = {}
    for faces, drawn in ways.items():
        cards = [DECK[face] for face in faces]
        name = called(cards, ace_low=ace_low, many_decks=True)
        ranks = [face // 4 for face in faces]
        high = max(ranks) if name == "high-card" else -1
        key = (name, next((one for one in ranks if ranks.count(one) == 2), high))
        example, before = alike.get(key, (cards, 0))
        if drawn:
            alike[key] = (example, before + drawn)
    return [(cards, 0, drawn) for cards, drawn in alike.values()]


@cache
def matches(player: int, dealer: int, decks: int) -> Ends:
    """The dealer's cards are either of the ranks held or not: two binomials."""
    found: Counter[int] = Counter()
    copies = 4 * decks
    for ranks in combinations_with_replacement(range(13), player):
        counts = Counter(ranks)
        own = prod(comb(copies, n) for n in counts.values())
        if not own:
            continue
        alike = copies * len(counts) - player
        others = 13 * copies - player - alike
        for matched in range(dealer + 1):
            found[matched] += own * comb(alike, matched) * comb(others, dealer - matched)
    return [([], matched, ways) for matched, ways in found.items() if ways]


def _ones(sheet: Json, wager: str) -> set[int]:
    odds = [one for one in pay_table(sheet, wager).values() if one != "push"]
    return {int(one.split(":")[1]) for one in odds}
