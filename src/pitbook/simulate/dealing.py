"""The cards of a round, from seed and round number alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import islice
from math import prod
from typing import NamedTuple

from pitbook.cards import DECK, Card, rank, suit
from pitbook.exact.methods.ladder.structure import ladder_of
from pitbook.rules.game import Game

CARDS = 0  # The counter's last word for the words that deal cards.
MISTAKES = 1  # And from here on for those that decide who errs.
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
    zero, one, two, three = number & _MASK, number >> 32, attempt, purpose
    low, high = seed & _MASK, seed >> 32
    for _ in range(_TURNS):
        first, second = _FACTORS[0] * zero, _FACTORS[1] * two
        zero, one = second >> 32 ^ one ^ low, second & _MASK
        two, three = first >> 32 ^ three ^ high, first & _MASK
        low, high = low + _KEY_STEPS[0] & _MASK, high + _KEY_STEPS[1] & _MASK
    return zero, one, two, three


def below(size: int, word: Callable[[int], int]) -> int:
    """A number below `size`, each as likely as any other; `word(attempt)` gives the words.

    The word is scaled to `size` equal parts of 2^32; what is left over is drawn again.
    """
    left_over = 2**32 % size
    attempt = 0
    while (scaled := word(attempt) * size) & _MASK < left_over:
        attempt += 1
    return scaled >> 32


def digits(number: int, sizes: Sequence[int]) -> list[int]:
    """A number below the product of the sizes as one digit below each, the first weighing most."""
    found = []
    for size in reversed(sizes):
        number, digit = divmod(number, size)
        found.append(digit)
    return found[::-1]


PARTS_MAX = 2**25  # Orders that one word stands for: fewer than one word in 128 is drawn again.


class DealShape(NamedTuple):
    """How many cards a round takes out of how many, and whose they are."""

    shoe: int
    seats: int
    hand: int
    common: tuple[int, ...]  # Cards of each place in common.
    alone: bool  # One seat of a ladder: cards are counted by class, see `left_in_order`.

    @property
    def board(self) -> int:
        """Cards in common."""
        return sum(self.common)

    @property
    def cards(self) -> int:
        """Cards of a whole round."""
        return self.seats * self.hand + self.board


class DealtRound(NamedTuple):
    """The hands from seat 1 on, and the cards in common, place by place."""

    hands: tuple[tuple[Card, ...], ...]
    common: tuple[tuple[Card, ...], ...]

    @property
    def board(self) -> tuple[Card, ...]:
        """All cards in common."""
        return tuple(card for place in self.common for card in place)


@lru_cache(maxsize=64)
def shape_of(game: Game, seats: int) -> DealShape:
    """The shape of a game's round with so many seats, cards that come later included."""
    hand, *common = (place.cards for place in game.places)
    alone = seats == 1 and ladder_of(game) is not None
    return DealShape(len(DECK) * game.sheet.deck.decks, seats, hand, tuple(common), alone)


@cache
def words_for(cards: int, shoe: int) -> tuple[tuple[int, ...], ...]:
    """For each word of a round the sizes that it is scaled to, one for each card it deals.

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


def words_kept(words: int) -> int:
    """Words set aside for a round: 1, 2 or whole blocks of 4, so that blocks are shared evenly."""
    return words if words < 3 else -(-words // 4) * 4


def deal(game: Game, seed: int, number: int, seats: int = 1) -> DealtRound:
    """The cards of round `number`: seat by seat, then what is in common, in the order it is turned.

    Every card lies in its place from the start; those that come later are seen later.
    """
    shape = shape_of(game, seats)
    places = _places(shape, seed, number)
    cards = _by_class(places) if shape.alone else _from_the_shoe(places, shape.shoe)
    hands = tuple(tuple(islice(cards, shape.hand)) for _ in range(seats))
    return DealtRound(hands, tuple(tuple(islice(cards, size)) for size in shape.common))


def _places(shape: DealShape, seed: int, number: int) -> Iterator[int]:
    """For each card, which of the cards left it is."""
    words = words_for(shape.cards, shape.shoe)
    first = number * words_kept(len(words))
    for place, sizes in enumerate(words, start=first):

        def word(attempt: int, place: int = place) -> int:
            return block(seed, place // 4, attempt=attempt)[place % 4]

        yield from digits(below(prod(sizes), word), sizes)


def _from_the_shoe(places: Iterator[int], shoe: int) -> Iterator[Card]:
    """Decks in order, one behind the other; the card dealt makes room for the first one left."""
    cards = [Card(place % 52) for place in range(shoe)]
    for dealt, place in enumerate(places):
        yield cards[dealt + place]
        cards[dealt + place] = cards[dealt]


def _by_class(places: Iterator[int]) -> Iterator[Card]:
    held: list[Card] = []
    for place in places:
        held.append(left_in_order(held)[place])
        yield held[-1]


def left_in_order(held: Sequence[Card]) -> list[Card]:
    """The cards left, two to ace; within a rank the suit that all held cards share comes first.

    So it follows from the class of the held cards alone which class each place leads to, and one
    seat can be played without knowing a card by name.
    """
    suits = {suit(card) for card in held}
    shared = suits.pop() if len(suits) == 1 else None
    left = [card for card in DECK if card not in held]
    return sorted(left, key=lambda card: (rank(card), suit(card) != shared, suit(card)))
