"""Deals cards from a shoe one by one; the key alone decides the order."""

from __future__ import annotations

from collections.abc import Sequence

from pitbook.cards import DECK, Card, name
from pitbook.errors import CardError
from pitbook.shoe.stream import below, numbers
from pitbook.text import say

ChosenCards = tuple[
    Card | None, ...
]  # Cards that come first; None stands for a shuffled card between them.


class Dealing:
    """A full, shuffled shoe. Without a key, a person deals and we only count.

    >>> from pitbook.cards import names
    >>> shoe = Dealing(bytes(32), decks=1)
    >>> names(shoe.draw() for _ in range(5))
    '8c Qc 2d 9s 5d'
    """

    def __init__(
        self, key: bytes | None, *, decks: int, chosen: Sequence[Card | None] = ()
    ) -> None:
        self._numbers = None if key is None else numbers(key)
        self._shuffled = without(chosen, decks=decks)
        self._chosen = tuple(chosen)
        self._size = len(DECK) * decks
        self.drawn = 0

    @property
    def remaining(self) -> int:
        """Number of cards not dealt yet."""
        return self._size - self.drawn

    def draw(self) -> Card:
        """Deal the next card: the chosen one for this position, or any of the rest with equal
        probability.
        """
        if self._numbers is None:
            raise CardError(say("shoe.dealing.by-hand"))
        if not self.remaining:
            raise CardError(say("shoe.dealing.empty"))
        chosen = self._chosen[self.drawn] if self.drawn < len(self._chosen) else None
        self.drawn += 1
        if chosen is not None:
            return chosen
        place = below(self._numbers, len(self._shuffled))
        self._shuffled[place], self._shuffled[-1] = self._shuffled[-1], self._shuffled[place]
        return self._shuffled.pop()

    def skip(self, count: int) -> Dealing:
        """Skip this many cards, as when a shoe is resumed; returns itself."""
        if not 0 <= count <= self.remaining:
            raise CardError(say("shoe.dealing.no-skip", count=count, left=self.remaining))
        if self._numbers is None:
            self.drawn += count
        else:
            for _ in range(count):
                self.draw()
        return self


def without(chosen: Sequence[Card | None], *, decks: int) -> list[Card]:
    """The decks in order without the chosen cards; raises CardError if they do not contain them."""
    if len(chosen) > len(DECK) * decks:
        raise CardError(say("shoe.dealing.too-many", chosen=len(chosen), held=len(DECK) * decks))
    remaining = list(DECK * decks)
    for card in chosen:
        if card is None:
            continue
        if card not in remaining:
            raise CardError(say("shoe.dealing.too-often", card=name(card), decks=decks))
        remaining.remove(card)
    return remaining
