"""Side wagers by plain counting: every set of deciding cards, or a short sum of ways."""

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
from tests.hands.reference_ranking import hand_name
from tests.rules.oracle import apply_caps, pay, pay_table, price_wager

Json = dict[str, Any]
Ends = list[tuple[list[str], int, int]]  # Cards, matches, ways.


def returns(sheet: Json, wager: str, stake: int | None = None) -> dict[str, tuple[int, Fraction]]:
    """By outcome: ways, and the net result per unit staked; with a stake in cents, caps apply."""
    at_stake = stake or 100 * prod(_odds_denominators(sheet, wager))
    returns_by_outcome: dict[str, tuple[int, Fraction]] = {}
    for cards, matched, ways in ends(sheet, wager):
        line = price_wager(sheet, wager, at_stake, pay(sheet, wager, cards, matched), "")
        if stake:
            apply_caps(sheet, {1: [line]})
        net = Fraction(line["wins"] - (at_stake if line["result"] == "lose" else 0), at_stake)
        ways_before, known_net = returns_by_outcome.get(line["outcome"], (0, net))
        assert net == known_net
        returns_by_outcome[line["outcome"]] = (ways_before + ways, net)
    return returns_by_outcome


def ends(sheet: Json, wager: str) -> Ends:
    """Every result of a side wager, by example."""
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
    """All sets of `size` cards of one deck."""
    ways: Counter[int] = Counter()
    example: dict[int, list[str]] = {}
    for card_sets in _sets(size):
        codes, first, counts = np.unique(
            shapes(card_sets, ace_low=ace_low), return_index=True, return_counts=True
        )
        for code, place, count in zip(codes.tolist(), first, counts.tolist(), strict=True):
            ways[code] += count
            example.setdefault(code, [DECK[card] for card in card_sets[place]])
    assert ways.total() == comb(52, size)
    return [(example[code], 0, count) for code, count in ways.items()]


def _sets(size: int) -> Iterator[Ints]:
    """In batches by lowest card, to limit the size of the arrays."""
    for lowest in range(52 - size + 1):
        higher_cards = sets(51 - lowest, size - 1) + lowest + 1
        yield np.concatenate(
            [np.full((len(higher_cards), 1), lowest), higher_cards], axis=1
        ).astype(np.int64)


@cache
def three_of_many_decks(decks: int, ace_low: bool) -> Ends:
    """Three cards drawn one after the other, by face; each order counts."""
    ways: Counter[tuple[int, ...]] = Counter()
    for first, second, third in product(range(52), repeat=3):
        draw_count = (
            decks * (decks - (second == first)) * (decks - (third == first) - (third == second))
        )
        ways[tuple(sorted((first, second, third)))] += draw_count
    assert ways.total() == 52 * decks * (52 * decks - 1) * (52 * decks - 2)
    examples: dict[tuple[str, int], tuple[list[str], int]] = {}
    for faces, draw_count in ways.items():
        cards = [DECK[face] for face in faces]
        name = hand_name(cards, ace_low=ace_low, many_decks=True)
        ranks = [face // 4 for face in faces]
        high = max(ranks) if name == "high-card" else -1
        key = (name, next((card_rank for card_rank in ranks if ranks.count(card_rank) == 2), high))
        example, ways_before = examples.get(key, (cards, 0))
        if draw_count:
            examples[key] = (example, ways_before + draw_count)
    return [(cards, 0, draw_count) for cards, draw_count in examples.values()]


@cache
def matches(player: int, dealer: int, decks: int) -> Ends:
    """The dealer's cards either match the player's ranks or not: two binomials."""
    ways_by_matches: Counter[int] = Counter()
    copies = 4 * decks
    for ranks in combinations_with_replacement(range(13), player):
        counts = Counter(ranks)
        player_ways = prod(comb(copies, count) for count in counts.values())
        if not player_ways:
            continue
        matching = copies * len(counts) - player
        others = 13 * copies - player - matching
        for matched in range(dealer + 1):
            ways_by_matches[matched] += (
                player_ways * comb(matching, matched) * comb(others, dealer - matched)
            )
    return [([], matched, ways) for matched, ways in ways_by_matches.items() if ways]


def _odds_denominators(sheet: Json, wager: str) -> set[int]:
    odds = [odds_text for odds_text in pay_table(sheet, wager).values() if odds_text != "push"]
    return {int(odds_text.split(":")[1]) for odds_text in odds}
