"""Random words and the cards dealt from them, in batches."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pitbook.simulation.kernels.jit import compile_kernel, inline_kernel
from pitbook.simulation.kernels.table_positions import ALONE, KEPT

RandomWords = NDArray[np.uint32]

BATCH = 256  # Rounds per batch: their data stay in the near cache.
ZERO, ONE, TWO, THREE, FOUR = (np.uint64(number) for number in range(5))
FIFTEEN, TWENTY = np.uint64(15), np.uint64(20)
LOW = np.uint64(0xFFFFFFFF)
HALF = np.uint64(32)
_FACTOR_0, _FACTOR_1 = np.uint64(0xD2511F53), np.uint64(0xCD9E8D57)
_STEP_0, _STEP_1 = np.uint64(0x9E3779B9), np.uint64(0xBB67AE85)


@inline_kernel
def philox(number: Any, attempt: Any, purpose: Any, key: Any) -> Any:
    """The four words of a counter."""
    word0, word1 = number & LOW, number >> HALF
    word2, word3 = attempt, purpose
    low, high = key & LOW, key >> HALF
    for _ in range(10):
        first, second = _FACTOR_0 * word0, _FACTOR_1 * word2
        word0, word1 = (second >> HALF) ^ word1 ^ low, second & LOW
        word2, word3 = (first >> HALF) ^ word3 ^ high, first & LOW
        low, high = (low + _STEP_0) & LOW, (high + _STEP_1) & LOW
    return word0, word1, word2, word3


@compile_kernel
def philox_many(number: Any, key: Any, words: RandomWords) -> None:
    """Write the words of counters from `number` on as [word, counter], so that lanes run in
    parallel.
    """
    for index in range(words.shape[1]):
        word0, word1, word2, word3 = philox(number + np.uint64(index), ZERO, ZERO, key)
        words[0, index], words[1, index] = word0, word1
        words[2, index], words[3, index] = word2, word3


@compile_kernel
def lane(place: int, words: Any) -> Any:
    """One of four words."""
    if place < 2:
        return words[0] if place == 0 else words[1]
    return words[2] if place == 2 else words[3]


@compile_kernel
def play_or_mistake(decision: Any, key: Any, best: Any, plays: int, rate: Any) -> Any:
    """The play made: the best one, or another at the given mistake rate.

    A decision is a round's number and its index among the round's decisions.
    """
    number, place = decision
    mistakes, out_of = rate
    others = np.uint64(plays - 1)
    if others == ZERO:
        return best
    size = np.uint64(out_of) * others
    left_over = (LOW + ONE) % size
    attempt, purpose = ZERO, np.uint64(1 + place // 4)
    scaled = ZERO
    while True:
        scaled = lane(place % 4, philox(np.uint64(number), attempt, purpose, key)) * size
        if (scaled & LOW) >= left_over:
            break
        attempt += ONE
    drawn = scaled >> HALF
    if drawn >= np.uint64(mistakes) * others:
        return best
    other = drawn % others
    return other if other < best else other + ONE


def _suit_table() -> NDArray[np.uint8]:
    """[suits of a rank already dealt, as bits; suit shared by all dealt cards, 4: none; index]."""
    table = np.zeros((16, 5, 4), np.uint8)
    for held in range(16):
        for shared in range(5):
            left = [suit for suit in range(4) if not held >> suit & 1]
            left.sort(key=lambda suit: suit != shared)
            table[held, shared, : len(left)] = left
    return table.ravel()


SUIT_AT = _suit_table()


@compile_kernel
def deal_rounds(number: int, key: Any, table: Any, luck: Any, cards: Any) -> None:
    """Deal rounds from `number` on, one row each."""
    first = number * table.numbers[KEPT] // 4
    philox_many(np.uint64(first), key, luck)
    _deck_positions(number, key, table, luck, cards)
    if table.numbers[ALONE]:
        _deal_by_class(cards)
    else:
        _deal_from_decks(cards, table.fresh)


@compile_kernel
def _deck_positions(number: int, key: Any, table: Any, luck: Any, cards: Any) -> None:
    """For each card dealt, its position among the cards left in the deck."""
    reserved, words, sizes = table.numbers[KEPT], table.words, table.sizes
    first = number * reserved // 4
    for row in range(cards.shape[0]):
        for word in range(words.shape[0]):
            at = (number + row) * reserved + word
            left = np.uint64(luck[at & 3, at // 4 - first])
            attempt = ZERO
            while True:
                for card in range(words[word, 0], words[word, 1]):
                    scaled = left * np.uint64(sizes[card])
                    cards[row, card] = scaled >> HALF
                    left = scaled & LOW
                if left >= np.uint64(words[word, 2]):
                    break
                attempt += ONE
                left = lane(at & 3, philox(np.uint64(at // 4), attempt, ZERO, key))


@compile_kernel
def _deal_from_decks(cards: Any, fresh: Any) -> None:
    """Deal from ordered decks. The first card left moves to the position of the card dealt."""
    deck = np.zeros(fresh.size, np.uint8)
    for row in range(cards.shape[0]):
        for index in range(fresh.size):
            deck[index] = fresh[index]
        for index in range(cards.shape[1]):
            target = np.uint64(index) + np.uint64(cards[row, index])
            cards[row, index] = deck[target]
            deck[target] = deck[index]


@compile_kernel
def _deal_by_class(cards: Any) -> None:
    """Within each rank, the suit shared by all dealt cards comes first."""
    rising = np.zeros(8, np.uint64)
    for row in range(cards.shape[0]):
        suits, held = FIFTEEN, ZERO
        for position in range(cards.shape[1]):
            card = np.uint64(cards[row, position])
            for index in range(position):
                card += np.uint64(card >= rising[index])
            # Now the card has the right rank, with suits in their own order.
            is_dealt = held >> (card & ~THREE) & FIFTEEN
            before = (ONE << (card & THREE)) - ONE
            place_in_rank = (card & THREE) - _suit_bits(is_dealt & before)
            shared = FOUR if position == 0 else _single_suit(suits)
            suit = np.uint64(SUIT_AT[is_dealt * TWENTY + shared * FOUR + place_in_rank])
            card = (card & ~THREE) | suit
            cards[row, position] = card
            suits &= ONE << suit
            held |= ONE << card
            index = position
            while index > 0 and rising[index - 1] > card:
                rising[index] = rising[index - 1]
                index -= 1
            rising[index] = card


@compile_kernel
def _suit_bits(suits: Any) -> Any:
    return (suits & ONE) + (suits >> ONE & ONE) + (suits >> TWO & ONE) + (suits >> THREE & ONE)


@compile_kernel
def _single_suit(suits: Any) -> Any:
    """The suit as bits if the set has at most one suit; 4 if the set is empty."""
    if suits == ZERO:
        return FOUR
    return (suits >> ONE) - (suits >> THREE)
