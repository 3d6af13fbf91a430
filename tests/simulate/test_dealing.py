"""The cards of a round: each order as likely as any other, the same cards whoever asks."""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from math import prod

import numpy as np
import pytest
from tests.sheets.samples import CMS, MHL, OMS
from tests.simulate.plans import SEED, bundled, unusual

from pitbook.cards import DECK, Card, rank, suit
from pitbook.rules.game import compile_game
from pitbook.simulate import dealing
from pitbook.simulate.dealing import PARTS_MAX, deal, left_in_order, shape_of, words_for
from pitbook.simulate.job import Job
from pitbook.simulate.kernels import cards as cards_kernel
from pitbook.simulate.kernels import layout
from pitbook.simulate.plan import plan
from pitbook.simulate.prepare import ready
from pitbook.simulate.tables import KernelTable


def test_places_of_one_seat_lead_to_every_order_of_cards_once() -> None:
    """For every order of three cards there is one row of places, so each is equally likely."""
    found: Counter[tuple[Card, ...]] = Counter()
    for first in range(52):
        for second in range(51):
            held = [left_in_order([])[first]]
            held.append(left_in_order(held)[second])
            found[tuple(held)] += 1
            if first < 4:
                left = left_in_order(held)
                assert sorted(left) == [card for card in DECK if card not in held]
    assert set(found) == set(permutations(DECK, 2))
    assert set(found.values()) == {1}


def test_which_class_a_place_leads_to_follows_from_the_class_alone() -> None:
    """Ranks rise; within a rank the shared suit comes first: no card needs to be named."""
    hands = {
        (Card(0), Card(4)),  # Twos and threes of one suit,
        (Card(3), Card(7)),
        (Card(1), Card(5)),
    }
    patterns = {
        tuple((rank(card), suit(card) == suit(hand[0])) for card in left_in_order(hand))
        for hand in hands
    }
    assert len(patterns) == 1


def test_the_shoe_gives_every_order_of_a_small_one_once() -> None:
    rows = [
        tuple(dealing._from_the_shoe(iter(places), 4))
        for places in np.ndindex(4, 3, 2, 1)  # Which of the cards left, card by card.
    ]
    assert sorted(rows) == sorted(permutations(range(4)))


@pytest.mark.parametrize(("cards", "shoe"), [(5, 52), (15, 52), (23, 312), (49, 52), (117, 624)])
def test_words_are_seldom_drawn_again_and_deal_every_card(cards: int, shoe: int) -> None:
    words = words_for(cards, shoe)
    assert [size for word in words for size in word] == list(range(shoe, shoe - cards, -1))
    assert all(2**32 % prod(word) < PARTS_MAX for word in words)
    assert all(prod(word) <= PARTS_MAX for word in words)


@pytest.mark.parametrize("name", [CMS, OMS, MHL])
@pytest.mark.parametrize("seats", [1, 2, 6])
def test_no_card_is_dealt_more_often_than_the_decks_hold_it(name: str, seats: int) -> None:
    sheet = bundled(name)
    game = compile_game(sheet)
    shape = shape_of(game, seats)
    for number in range(200):
        dealt = deal(game, SEED, number, seats)
        cards = [card for hand in dealt.hands for card in hand] + list(dealt.board)
        assert len(cards) == shape.cards
        assert [len(hand) for hand in dealt.hands] == [shape.hand] * seats
        assert max(Counter(cards).values()) <= sheet.deck.decks


def test_another_seed_or_number_deals_other_cards() -> None:
    game = compile_game(bundled(CMS))
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
    """In batches that begin anywhere, with words that are drawn again: row by row the same."""
    sheet = bundled(name) if "/" in name else unusual(name)
    made = ready(plan(sheet, seats=seats, seed=SEED), without=("alone",))
    assert isinstance(made.job, Job)
    assert isinstance(made.job.tables, KernelTable)
    arrays = made.job.tables.arrays
    shape = shape_of(made.plan.game, seats)
    start, rounds = 2**33 + 7, 30 if python else 2_000
    kept = int(arrays.numbers[layout.KEPT])
    luck = np.zeros((4, rounds * kept // 4 + 2), np.uint32)
    rows = np.zeros((rounds, shape.cards), np.uint16)
    if python:
        _plain_dealt(start, arrays, luck, rows)
    else:
        cards_kernel.dealt(start, np.uint64(SEED), arrays, luck, rows)
    for row, cards in enumerate(rows.tolist()):
        dealt = deal(made.plan.game, SEED, start + row, seats)
        assert cards == [card for hand in dealt.hands for card in hand] + list(dealt.board)


def _plain_dealt(start: int, arrays: object, luck: object, rows: object) -> None:
    """The kernels as Python runs them, so that each of their lines is seen to do its work."""
    from unittest import mock

    names = ("_places", "_by_class", "_from_the_shoe", "_bits", "_only")
    plain = {name: getattr(cards_kernel, name).py_func for name in names}
    with mock.patch.multiple(cards_kernel, **plain):
        cards_kernel.dealt.py_func(start, np.uint64(SEED), arrays, luck, rows)  # type: ignore[attr-defined]


def test_a_word_that_is_drawn_again_is_among_those_dealt() -> None:
    """The sample above is long enough to meet one: six decks draw one word in 143 again."""
    left_over = 2**32 % prod(words_for(23, 312)[0])
    assert 2_000 * 8 * left_over / 2**32 > 5
