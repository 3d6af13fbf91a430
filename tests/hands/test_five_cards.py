"""All 2,598,960 five-card hands, compared with arithmetic and two independent evaluators."""

from __future__ import annotations

from functools import cache
from itertools import chain, combinations, starmap
from math import comb

import numpy as np
import phevaluator
import pytest
from eval7.cards import Card as Eval7Card
from eval7.evaluate import evaluate as eval7_evaluate
from numpy.typing import NDArray

from pitbook.cards import DECK, name
from pitbook.hands import Ace, batch, hand_kinds

COUNT = comb(52, 5)


@pytest.mark.slow_cases("11")
@pytest.mark.parametrize("each", [11, pytest.param(1, marks=pytest.mark.slow)])
def test_ranks_equal_phevaluator(each: int) -> None:
    """One hand in eleven and one of each rank; in the slow lane all of them, as eval7 always."""
    ours = batch.ranks(every_hand())
    ranks, first = np.unique(ours, return_index=True)
    assert len(ranks) == 7462
    chosen = np.union1d(first, np.arange(0, COUNT, each))
    hands = every_hand()[chosen].tolist()
    theirs = starmap(phevaluator.evaluate_cards, hands)  # 1 is the best of 7,462.
    assert (ours[chosen] == 7462 - np.fromiter(theirs, np.int16, len(hands))).all()


@pytest.mark.long
def test_ranks_equal_eval7() -> None:
    deck = [Eval7Card(name(card)) for card in DECK]
    theirs = np.fromiter(map(eval7_evaluate, combinations(deck, 5)), np.int64, COUNT)
    distinct, place = np.unique(theirs, return_inverse=True)
    assert len(distinct) == 7462
    assert (batch.ranks(every_hand()) == place).all()


def test_counts_of_every_kind() -> None:
    """Known counts, as in any book."""
    kind_counts = count_kinds("high-or-low")
    pairs = {key: kind_counts.pop(key) for key in list(kind_counts) if key.startswith("pair-")}
    loose = {key: kind_counts.pop(key) for key in list(kind_counts) if key.startswith("high-card-")}
    assert sum(loose.values()) == 1_302_540
    assert loose["high-card-A"] == (comb(12, 4) - 2) * 1_020
    assert kind_counts == {
        "two-pair": 123_552,
        "three-of-a-kind": 54_912,
        "straight": 10_200,
        "flush": 5_108,
        "full-house": 3_744,
        "four-of-a-kind": 624,
        "straight-flush": 36,
        "royal-flush": 4,
    }
    assert set(pairs.values()) == {84_480}
    assert sum(pairs[f"pair-{rank}"] for rank in "JQKA") == 337_920
    assert sum(pairs[f"pair-{rank}"] for rank in (6, 7, 8, 9, 10)) == 422_400
    assert sum(pairs[f"pair-{rank}"] for rank in (2, 3, 4, 5)) == 337_920


def test_gen_1_high_only_aces_remove_a_tenth_of_the_straights() -> None:
    kind_counts = count_kinds("high")
    assert kind_counts["straight"] == 10_200 - 1_020
    assert kind_counts["straight-flush"] == 36 - 4
    assert kind_counts["flush"] == 5_108 + 4
    assert kind_counts["high-card-A"] == (comb(12, 4) - 2) * 1_020 + 1_020


def count_kinds(ace: Ace) -> dict[str, int]:
    ways = np.bincount(batch.kinds(every_hand(), ace=ace)).tolist()
    return dict(zip((kind.name for kind in hand_kinds(5)), ways, strict=True))


@cache
def every_hand() -> NDArray[np.uint8]:
    dealt = chain.from_iterable(combinations(DECK, 5))
    return np.fromiter(dealt, np.uint8, COUNT * 5).reshape(-1, 5)
