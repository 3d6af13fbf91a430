"""The cards of a round, dealt again from seed and number alone.

Every deal of the cards is as likely as any other: a word of 32 bits is scaled to a whole number of
equal parts and drawn again where it falls beside them, and each part stands for one order of cards.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from math import prod
from typing import NamedTuple

from pitbook.cards import DECK, Card, rank, suit
from pitbook.families.street_stud.sheet import StreetStud
from pitbook.sheets.model import Sheet
from pitbook.simulate.words import below, block, digits

__all__ = ["Dealt", "Shape", "deal", "left_in_order", "shape_of", "words_for"]

PARTS_MAX = 2**25  # Orders that one word stands for: fewer than one word in 128 is drawn again.


class Shape(NamedTuple):
    """How many cards a round takes out of how many, and whose they are."""

    shoe: int
    seats: int
    hand: int
    board: int
    alone: bool  # One street-stud seat: cards are counted by class, see `left_in_order`.

    @property
    def cards(self) -> int:
        """Cards of a whole round."""
        return self.seats * self.hand + self.board


class Dealt(NamedTuple):
    """The hands from seat 1 on, and the board."""

    hands: tuple[tuple[Card, ...], ...]
    board: tuple[Card, ...]


def shape_of(sheet: Sheet, seats: int) -> Shape:
    """The shape of a sheet's round with so many seats."""
    shoe = 52 * sheet.deck.decks
    if isinstance(sheet, StreetStud):
        return Shape(shoe, seats, sheet.deal.hole.value, sheet.community, seats == 1)
    return Shape(shoe, seats, sheet.deal.player, sheet.deal.dealer, False)


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


def deal(sheet: Sheet, seed: int, number: int, seats: int = 1) -> Dealt:
    """The cards of round `number`: seat by seat, then the board in the order it is turned."""
    shape = shape_of(sheet, seats)
    places = _places(shape, seed, number)
    cards = list(_by_class(places) if shape.alone else _from_the_shoe(places, shape.shoe))
    hands, board = cards[: -shape.board], cards[-shape.board :]
    size = shape.hand
    return Dealt(
        tuple(tuple(hands[seat * size : (seat + 1) * size]) for seat in range(seats)), tuple(board)
    )


def _places(shape: Shape, seed: int, number: int) -> Iterator[int]:
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
