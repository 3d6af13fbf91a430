"""Cards leave a shoe one by one: which comes next is settled when it is drawn, by the key alone."""

from __future__ import annotations

from collections.abc import Sequence

from pitbook.cards import DECK, Card, name
from pitbook.errors import CardError
from pitbook.shoe.stream import below, numbers
from pitbook.text import say

ChosenCards = tuple[
    Card | None, ...
]  # Cards that come first; None is a shuffled card between them.


class Dealing:
    """A full, shuffled shoe; without a key it is one that a person deals from and we only count.

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
    def left(self) -> int:
        """How many cards have not been dealt."""
        return self._size - self.drawn

    def draw(self) -> Card:
        """The next card: any of those left, each as likely, or the one that was chosen for here."""
        if self._numbers is None:
            raise CardError(say("shoe.dealing.by-hand"))
        if not self.left:
            raise CardError(say("shoe.dealing.empty"))
        here = self._chosen[self.drawn] if self.drawn < len(self._chosen) else None
        self.drawn += 1
        if here is not None:
            return here
        place = below(self._numbers, len(self._shuffled))
        self._shuffled[place], self._shuffled[-1] = self._shuffled[-1], self._shuffled[place]
        return self._shuffled.pop()

    def skip(self, count: int) -> Dealing:
        """The shoe after that many more cards, as when it is taken up again; gives itself."""
        if not 0 <= count <= self.left:
            raise CardError(say("shoe.dealing.no-skip", count=count, left=self.left))
        if self._numbers is None:
            self.drawn += count
        else:
            for _ in range(count):
                self.draw()
        return self


def without(chosen: Sequence[Card | None], *, decks: int) -> list[Card]:
    """The decks in order, less the chosen cards; raises CardError where they do not hold them."""
    if len(chosen) > len(DECK) * decks:
        raise CardError(say("shoe.dealing.too-many", chosen=len(chosen), held=len(DECK) * decks))
    left = list(DECK * decks)
    for card in chosen:
        if card is None:
            continue
        if card not in left:
            raise CardError(say("shoe.dealing.too-often", card=name(card), decks=decks))
        left.remove(card)
    return left
