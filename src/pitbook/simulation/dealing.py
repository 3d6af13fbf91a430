"""The cards of a round, computed from the seed and the round number alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import islice
from math import prod
from typing import NamedTuple

from pitbook.cards import DECK, Card, rank, suit
from pitbook.exact.methods.ladder.structure import ladder_of
from pitbook.rules.game import Game

CARDS = 0  # Last word of the counter: words that deal cards.
MISTAKES = 1  # From here on: words that decide mistakes.
SEED_MAX = 2**64 - 1

_FACTORS = (0xD2511F53, 0xCD9E8D57)
_KEY_STEPS = (0x9E3779B9, 0xBB67AE85)
_MASK = 0xFFFFFFFF
_TURNS = 10


def block(
    seed: int, number: int, *, attempt: int = 0, purpose: int = CARDS
) -> tuple[int, int, int, int]:
    """Four words for the counter (number low, number high, attempt, purpose), keyed by the seed.

    >>> [f"{word:08x}" for word in block(0, 0)]
    ['6627e8d5', 'e169c58d', 'bc57ac4c', '9b00dbd8']
    """
    word0, word1, word2, word3 = number & _MASK, number >> 32, attempt, purpose
    low, high = seed & _MASK, seed >> 32
    for _ in range(_TURNS):
        first, second = _FACTORS[0] * word0, _FACTORS[1] * word2
        word0, word1 = second >> 32 ^ word1 ^ low, second & _MASK
        word2, word3 = first >> 32 ^ word3 ^ high, first & _MASK
        low, high = low + _KEY_STEPS[0] & _MASK, high + _KEY_STEPS[1] & _MASK
    return word0, word1, word2, word3


def random_below(size: int, word: Callable[[int], int]) -> int:
    """A uniform number below `size`; `word(attempt)` supplies random words.

    The word is scaled to `size` equal parts of 2^32; a word in the remainder is drawn again.
    """
    left_over = 2**32 % size
    attempt = 0
    while (scaled := word(attempt) * size) & _MASK < left_over:
        attempt += 1
    return scaled >> 32


def mixed_radix_digits(number: int, sizes: Sequence[int]) -> list[int]:
    """Split a number below the product of the sizes into one digit per size, most significant
    first.
    """
    digits_reversed = []
    for size in reversed(sizes):
        number, digit = divmod(number, size)
        digits_reversed.append(digit)
    return digits_reversed[::-1]


PARTS_MAX = 2**25  # Maximum orders per word: fewer than one word in 128 is drawn again.


class DealShape(NamedTuple):
    """Number of cards in the shoe and at each place of a round."""

    shoe: int
    seats: int
    hand: int
    common: tuple[int, ...]  # Number of community cards at each place.
    alone: bool  # A single seat of a ladder game: cards are counted by class, see `left_in_order`.

    @property
    def board(self) -> int:
        """Number of community cards."""
        return sum(self.common)

    @property
    def cards(self) -> int:
        """Number of cards in a whole round."""
        return self.seats * self.hand + self.board


class DealtRound(NamedTuple):
    """The hands, seat 1 first, and the community cards by place."""

    hands: tuple[tuple[Card, ...], ...]
    common: tuple[tuple[Card, ...], ...]

    @property
    def board(self) -> tuple[Card, ...]:
        """All community cards."""
        return tuple(card for place in self.common for card in place)


@lru_cache(maxsize=64)
def shape_of(game: Game, seats: int) -> DealShape:
    """Shape of a game's round with this many seats, including cards dealt later."""
    hand, *common = (place.cards for place in game.places)
    deals_one_hand = seats == 1 and ladder_of(game) is not None
    return DealShape(len(DECK) * game.sheet.deck.decks, seats, hand, tuple(common), deals_one_hand)


@cache
def words_for(cards: int, shoe: int) -> tuple[tuple[int, ...], ...]:
    """The sizes to which each random word of a round is scaled, one per card it deals.

    >>> words_for(5, 52), len(words_for(15, 52))
    (((52, 51, 50, 49), (48,)), 4)
    """
    words: list[tuple[int, ...]] = [()]
    for dealt in range(cards):
        size = shoe - dealt
        if prod(words[-1]) * size > PARTS_MAX:
            words.append(())
        words[-1] = (*words[-1], size)
    return tuple(words)


def reserved_words(words: int) -> int:
    """Words reserved per round: 1, 2 or whole blocks of 4, so that blocks divide evenly."""
    return words if words < 3 else -(-words // 4) * 4


def deal(game: Game, seed: int, number: int, seats: int = 1) -> DealtRound:
    """Deal round `number`: seat by seat, then the community cards in the order they are turned.

    Cards that are revealed later are dealt from the start.
    """
    shape = shape_of(game, seats)
    places = _deck_positions(shape, seed, number)
    cards = _deal_by_class(places) if shape.alone else _deal_from_decks(places, shape.shoe)
    hands = tuple(tuple(islice(cards, shape.hand)) for _ in range(seats))
    return DealtRound(hands, tuple(tuple(islice(cards, size)) for size in shape.common))


def _deck_positions(shape: DealShape, seed: int, number: int) -> Iterator[int]:
    """For each card, its index among the cards left."""
    words = words_for(shape.cards, shape.shoe)
    first = number * reserved_words(len(words))
    for index, sizes in enumerate(words, start=first):

        def word(attempt: int, index: int = index) -> int:
            return block(seed, index // 4, attempt=attempt)[index % 4]

        yield from mixed_radix_digits(random_below(prod(sizes), word), sizes)


def _deal_from_decks(places: Iterator[int], shoe: int) -> Iterator[Card]:
    """Deal from ordered decks; the first card left takes the place of the card dealt."""
    cards = [Card(number % 52) for number in range(shoe)]
    for dealt, place in enumerate(places):
        yield cards[dealt + place]
        cards[dealt + place] = cards[dealt]


def _deal_by_class(places: Iterator[int]) -> Iterator[Card]:
    dealt: list[Card] = []
    for place in places:
        dealt.append(left_in_order(dealt)[place])
        yield dealt[-1]


def left_in_order(dealt: Sequence[Card]) -> list[Card]:
    """The cards left, deuce to ace; within a rank, the suit shared by all held cards comes first.

    The class of the held cards alone then decides which class each index leads to, so one seat can
    be played without knowing the actual cards.
    """
    suits = {suit(card) for card in dealt}
    shared = suits.pop() if len(suits) == 1 else None
    left = [card for card in DECK if card not in dealt]
    return sorted(left, key=lambda card: (rank(card), suit(card) != shared, suit(card)))
