"""Deals of simulated rounds: every order equally likely, and the same cards in every
implementation.
"""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from math import prod

import numpy as np
import pytest
from tests.sheets.samples import CMS, MHL, OMS
from tests.simulation.plans import SEED, bundled_sheet, unusual_sheet

from pitbook.cards import DECK, Card, rank, suit
from pitbook.rules.game import compile_game
from pitbook.simulation import dealing
from pitbook.simulation.dealing import PARTS_MAX, deal, left_in_order, shape_of, words_for
from pitbook.simulation.job import Job
from pitbook.simulation.kernel_tables import KernelTable
from pitbook.simulation.kernels import cards as cards_kernel
from pitbook.simulation.kernels import table_positions
from pitbook.simulation.plan import plan
from pitbook.simulation.prepare import prepare_job


def test_places_of_one_seat_lead_to_every_order_of_cards_once() -> None:
    """Every order of three cards has exactly one row of positions, so each is equally likely."""
    orders: Counter[tuple[Card, ...]] = Counter()
    for first in range(52):
        for second in range(51):
            dealt = [left_in_order([])[first]]
            dealt.append(left_in_order(dealt)[second])
            orders[tuple(dealt)] += 1
            if first < 4:
                remaining = left_in_order(dealt)
                assert sorted(remaining) == [card for card in DECK if card not in dealt]
    assert set(orders) == set(permutations(DECK, 2))
    assert set(orders.values()) == {1}


def test_class_of_dealt_cards_decides_the_class_of_each_next_position() -> None:
    """Ranks ascend; within a rank the shared suit comes first, so no actual card is needed."""
    hands = {
        (Card(0), Card(4)),  # Twos and threes of one suit.
        (Card(3), Card(7)),
        (Card(1), Card(5)),
    }
    patterns = {
        tuple((rank(card), suit(card) == suit(hand[0])) for card in left_in_order(hand))
        for hand in hands
    }
    assert len(patterns) == 1


def test_small_shoe_gives_every_order_once() -> None:
    rows = [
        tuple(dealing._deal_from_decks(iter(places), 4))
        for places in np.ndindex(4, 3, 2, 1)  # Index among the remaining cards, card by card.
    ]
    assert sorted(rows) == sorted(permutations(range(4)))


@pytest.mark.parametrize(("cards", "shoe"), [(5, 52), (15, 52), (23, 312), (49, 52), (117, 624)])
def test_words_are_rarely_redrawn_and_deal_every_card(cards: int, shoe: int) -> None:
    words = words_for(cards, shoe)
    assert [size for word in words for size in word] == list(range(shoe, shoe - cards, -1))
    assert all(2**32 % prod(word) < PARTS_MAX for word in words)
    assert all(prod(word) <= PARTS_MAX for word in words)


@pytest.mark.parametrize("name", [CMS, OMS, MHL])
@pytest.mark.parametrize("seats", [1, 2, 6])
def test_no_card_is_dealt_more_often_than_the_decks_hold_it(name: str, seats: int) -> None:
    sheet = bundled_sheet(name)
    game = compile_game(sheet)
    shape = shape_of(game, seats)
    for number in range(200):
        dealt = deal(game, SEED, number, seats)
        cards = [card for hand in dealt.hands for card in hand] + list(dealt.board)
        assert len(cards) == shape.cards
        assert [len(hand) for hand in dealt.hands] == [shape.hand] * seats
        assert max(Counter(cards).values()) <= sheet.deck.decks


def test_another_seed_or_number_deals_other_cards() -> None:
    game = compile_game(bundled_sheet(CMS))
    dealt = {deal(game, seed, number, 6) for seed in range(20) for number in range(20)}
    assert len(dealt) == 400
    assert deal(game, 1, 2, 6) == deal(game, 1, 2, 6)


CASES = [
    *((CMS, seats) for seats in (1, 3, 6)),
    *((MHL, seats) for seats in (1, 2, 6)),
    ("three-hole-cards", 5),
]


@pytest.mark.long
@pytest.mark.parametrize("python", [False, True], ids=["compiled", "plain"])
@pytest.mark.parametrize(("name", "seats"), CASES, ids=str)
def test_kernels_deal_the_same_cards(name: str, seats: int, python: bool) -> None:
    """The same rows in batches that start anywhere, including redrawn words."""
    sheet = bundled_sheet(name) if "/" in name else unusual_sheet(name)
    ready_plan = prepare_job(plan(sheet, seats=seats, seed=SEED), without=("alone",))
    assert isinstance(ready_plan.job, Job)
    assert isinstance(ready_plan.job.tables, KernelTable)
    arrays = ready_plan.job.tables.arrays
    shape = shape_of(ready_plan.plan.game, seats)
    start, rounds = 2**33 + 7, 30 if python else 2_000
    reserved = int(arrays.numbers[table_positions.KEPT])
    luck = np.zeros((4, rounds * reserved // 4 + 2), np.uint32)
    rows = np.zeros((rounds, shape.cards), np.uint16)
    if python:
        _deal_in_python(start, arrays, luck, rows)
    else:
        cards_kernel.deal_rounds(start, np.uint64(SEED), arrays, luck, rows)
    for row, cards in enumerate(rows.tolist()):
        dealt = deal(ready_plan.plan.game, SEED, start + row, seats)
        assert cards == [card for hand in dealt.hands for card in hand] + list(dealt.board)


def _deal_in_python(start: int, arrays: object, luck: object, rows: object) -> None:
    """Run the kernels in Python, so that coverage sees each of their lines."""
    from unittest import mock

    names = ("_deck_positions", "_deal_by_class", "_deal_from_decks", "_suit_bits", "_single_suit")
    plain = {name: getattr(cards_kernel, name).py_func for name in names}
    with mock.patch.multiple(cards_kernel, **plain):
        cards_kernel.deal_rounds.py_func(start, np.uint64(SEED), arrays, luck, rows)  # type: ignore[attr-defined]


def test_sample_contains_a_redrawn_word() -> None:
    """The sample above is long enough: six decks redraw one word in 143."""
    left_over = 2**32 % prod(words_for(23, 312)[0])
    assert 2_000 * 8 * left_over / 2**32 > 5
