"""High cards, the mini-royal and four aces: every hand enumerated and named from its text."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, combinations_with_replacement
from math import comb

import numpy as np
import pytest
from tests.hands.reference_ranking import all_called, hand_name, shape_of

from pitbook.cards import DECK, name
from pitbook.hands import Ace, atoms, batch, classes, hand_kinds, kind_of
from pitbook.hands.batch import kinds_of

NAMES = [name(card) for card in DECK]
RANKS = "23456789TJQKA"


def plainly(hand: tuple[str, ...], *, ace_low: bool = True, many_decks: bool = False) -> str:
    """The name of a hand; a high card with its rank."""
    return with_rank(hand_name(hand, ace_low=ace_low, many_decks=many_decks), hand)


def with_rank(shape: str, hand: tuple[str, ...]) -> str:
    if shape != "high-card":
        return shape
    top = max(hand, key=lambda card: RANKS.index(card[0]))[0]
    return f"high-card-{'10' if top == 'T' else top}"


def without_rank(kind: str) -> str:
    """A kind without the rank of its pair."""
    return kind if kind.startswith("high-card-") else shape_of(kind)


@pytest.mark.long
@pytest.mark.parametrize(
    ("n", "ace"), [(2, "high-or-low"), (3, "high-or-low"), (3, "high"), (4, "high-or-low")]
)
def test_every_hand_of_one_deck_has_its_high_card(n: int, ace: Ace) -> None:
    dealt = np.array(list(combinations(DECK, n)), np.uint8)
    names = [without_rank(kind.name) for kind in hand_kinds(n)]
    every = zip(all_called(n, ace_low=ace == "high-or-low"), combinations(NAMES, n), strict=True)
    plain = [with_rank(shape, hand) for shape, hand in every]
    assert [names[kind] for kind in batch.kinds(dealt, ace=ace)] == plain


def test_every_hand_of_three_cards_of_several_decks() -> None:
    dealt = np.array(list(combinations_with_replacement(DECK, 3)), np.uint8)
    names = [without_rank(kind.name) for kind in hand_kinds(3, many_decks=True)]
    every = combinations_with_replacement(NAMES, 3)
    plain = [plainly(hand, many_decks=True) for hand in every]
    assert [names[kind] for kind in batch.kinds(dealt, many_decks=True)] == plain


@pytest.mark.parametrize("ace", ["high-or-low", "high"])
def test_five_card_high_card_lines_match_the_highest_card(ace: Ace) -> None:
    """The number of sets of four lower ranks that are not a straight and not suited."""
    kind_counts: Counter[str] = Counter()
    for hand in classes(5, ace):
        kind = hand_kinds(5)[hand.kind].name
        kind_counts[kind] += (4**5 - 4) if kind.startswith("high-card-") else 0
    straights = {12: 2 if ace == "high-or-low" else 1}
    for top in range(5, 13):
        sets = comb(top, 4) - straights.get(top, 1)
        rank = "10" if RANKS[top] == "T" else RANKS[top]
        assert kind_counts[f"high-card-{rank}"] == sets * 1020
    assert sum(kind_counts.values()) == 1_302_540 + (0 if ace == "high-or-low" else 1_020)


def test_one_card_hand_has_the_rank_of_its_card() -> None:
    assert [hand_kinds(1)[kind_of([card])].name for card in DECK[::4]] == [
        *(f"high-card-{'10' if rank == 'T' else rank}" for rank in RANKS),
    ]
    single_cards = np.array(DECK, np.uint8)[:, None]
    assert kinds_of(single_cards, "high").tolist() == [kind_of([card]) for card in DECK]


@pytest.mark.parametrize(
    ("line", "covers"),
    [
        ("high-card-A", {"high-card-A"}),
        ("high-card-Q-A", {"high-card-Q", "high-card-K", "high-card-A"}),
        ("high-card", {kind.name for kind in hand_kinds(3)[:10]}),
        ("mini-royal", {"mini-royal"}),
        ("straight-flush", {"straight-flush", "mini-royal"}),
        ("flush", {"flush", "straight-flush", "mini-royal"}),
    ],
)
def test_three_card_pay_line_coverage(line: str, covers: set[str]) -> None:
    wanted = atoms(line, 3) or frozenset()
    assert {kind.name for kind in hand_kinds(3) if kind.fits & wanted} == covers


@pytest.mark.parametrize(
    ("line", "sizes"),
    [
        ("mini-royal", {3}),
        ("four-aces", {4}),
        ("high-card", {1, 2, 3, 4, 5}),
        ("high-card-10-A", {1, 2, 3, 4, 5}),
        ("high-card-A-10", set()),
        ("ace-high", set()),
    ],
)
def test_pay_lines_are_limited_to_their_hand_sizes(line: str, sizes: set[int]) -> None:
    assert {n for n in range(7) if atoms(line, n) is not None} == sizes
