"""Count the showdowns of one spot with NumPy: all dealer hands against a known player's hand.

It takes a fraction of a second and compiles nothing, so it answers at once on a new machine.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitbook.exact.methods.dealer.strength import KEYS, Strength
from pitbook.exact.methods.dealer.structure import EVENTS

Ints = NDArray[np.int64]
RANKS, SUITS = 13, 4
BATCH = 2**17  # Hands ranked at a time.

KEY_OF_CARD = np.repeat(np.array(KEYS, np.int32), SUITS)
BIT_OF_CARD = np.array([1 << (card % SUITS * RANKS + card // SUITS) for card in range(52)])


class CardSets(NamedTuple):
    """Sets of cards: the sum of their rank keys, and their ranks by suit as 52 bits."""

    keys: NDArray[np.int32]
    bits: Ints


def card_sets(cards: Sequence[int], size: int) -> Iterator[CardSets]:
    """Every set of `size` cards, in batches."""
    deck = np.array(cards, np.int64)
    keys, bits = KEY_OF_CARD[deck], BIT_OF_CARD[deck]
    sets, last = CardSets(np.zeros(1, np.int32), np.zeros(1, np.int64)), np.array([-1])
    for _ in range(size - 1):
        parents, added = extend_sets(last, len(deck))
        sets, last = (
            CardSets(sets.keys[parents] + keys[added], sets.bits[parents] | bits[added]),
            added,
        )
    step = max(1, BATCH // len(deck))
    for start in range(0, len(last), step):
        batch = slice(start, start + step)
        parents, added = extend_sets(last[batch], len(deck))
        yield CardSets(
            sets.keys[batch][parents] + keys[added], sets.bits[batch][parents] | bits[added]
        )


def extend_sets(last: Ints, count: int) -> tuple[Ints, Ints]:
    """The sets with another card after their last: the number of each set, and the card's."""
    ways = count - 1 - last
    parents = np.repeat(np.arange(len(last)), ways)
    before = np.repeat(np.cumsum(ways) - ways, ways)
    return parents, np.arange(len(parents)) - before + last[parents] + 1


def rank_sets(sets: CardSets, strength: Strength) -> NDArray[np.int16]:
    """The class of the best hand in each set."""
    classes = strength.by_ranks[sets.keys]
    for suit in range(SUITS):
        of_suit = (sets.bits >> (RANKS * suit)) & (2**RANKS - 1)
        np.maximum(classes, strength.by_suit[of_suit], out=classes)
    return classes


def single_set(cards: Sequence[int]) -> CardSets:
    """One set of all these cards."""
    deck = np.array(cards, np.int64)
    return CardSets(
        np.array([KEY_OF_CARD[deck].sum()], np.int32), np.array([BIT_OF_CARD[deck].sum()])
    )


def rank_hand(cards: Sequence[int], strength: Strength) -> int:
    """The class of the best hand in these cards."""
    return int(rank_sets(single_set(cards), strength)[0])


def _join_sets(first: CardSets, second: CardSets) -> CardSets:
    return CardSets(first.keys + second.keys, first.bits | second.bits)


def _events(player: NDArray[np.int16] | int, dealer: NDArray[np.int16], least: int) -> Ints:
    """The number of the event of each showdown; the dealer qualifies from the class `least`."""
    difference = np.sign(player - dealer.astype(np.int64))
    numbers: Ints = 1 + difference + 3 * (dealer < least)
    return numbers


def count_events(
    player_class: int,
    unseen: Sequence[int],
    up: Sequence[int],
    size: int,
    rule: tuple[Strength, int],
) -> list[int]:
    """How many dealer hands lead to each event: the open cards and `size` unseen ones.

    `rule` has the strengths of the dealer's hands and the first class that qualifies.
    """
    strength, least = rule
    open_cards, counts = single_set(up), np.zeros(len(EVENTS), np.int64)
    for closed in card_sets(unseen, size):
        dealer = rank_sets(_join_sets(closed, open_cards), strength)
        counts += np.bincount(_events(player_class, dealer, least), minlength=len(EVENTS))
    counted: list[int] = counts.tolist()
    return counted


def count_board_events(
    hole: Sequence[int], board: Sequence[int], unseen: Sequence[int], rule: tuple[Strength, int]
) -> tuple[NDArray[np.int16], Ints]:
    """By full board: the player's class, and how many dealer pairs lead to each event.

    `board` has the flop or all five cards; `rule` is that of `count_events`.
    """
    strength, least = rule
    board_mask = single_set(board)
    (pairs,) = card_sets(unseen, 2)
    rest = pairs if len(board) == 3 else CardSets(np.zeros(1, np.int32), np.zeros(1, np.int64))
    boards = _join_sets(rest, board_mask)
    player = rank_sets(_join_sets(boards, single_set(hole)), strength)
    counts = np.empty((len(player), len(EVENTS)), np.int64)
    step = max(1, BATCH // len(pairs.keys))
    for start in range(0, len(player), step):
        batch = slice(start, start + step)
        number, pair = np.nonzero((rest.bits[batch, None] & pairs.bits) == 0)
        dealer_cards = CardSets(pairs.keys[pair], pairs.bits[pair])
        full = CardSets(boards.keys[batch][number], boards.bits[batch][number])
        dealer = rank_sets(_join_sets(full, dealer_cards), strength)
        event = _events(player[batch][number], dealer, least)
        rows = len(player[batch])
        counts[batch] = np.bincount(
            number * len(EVENTS) + event, minlength=rows * len(EVENTS)
        ).reshape(rows, -1)
    return player, counts
