"""A shoe that a seed determines: the same seed deals the same cards, for ever and everywhere."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterator

from pitbook.cards import DECK, Card
from pitbook.errors import CardError

SEED_BYTES = 32


def fresh_seed() -> str:
    """256 bits from the operating system, in hexadecimal."""
    return secrets.token_hex(SEED_BYTES)


class SeededShoe:
    """A full, freshly shuffled shoe; each card is drawn from those left when it is needed.

    >>> from pitbook.cards import names
    >>> shoe = SeededShoe("seven", decks=1)
    >>> len({shoe.draw() for _ in range(52)})
    52
    """

    def __init__(self, seed: str, *, decks: int) -> None:
        self._left: list[Card] = list(DECK * decks)
        self._bytes = _stream(seed)

    def draw(self) -> Card:
        """The next card: any of those left, each as likely."""
        if not self._left:
            raise CardError("the shoe is empty")
        place = self._below(len(self._left))
        self._left[place], self._left[-1] = self._left[-1], self._left[place]
        return self._left.pop()

    def _below(self, bound: int) -> int:
        """A number under `bound`; what would favour some numbers is thrown away."""
        fair = 2**16 - 2**16 % bound
        while True:
            number = next(self._bytes) << 8 | next(self._bytes)
            if number < fair:
                return number % bound


def _stream(seed: str) -> Iterator[int]:
    """Bytes without end: SHA-256 of the seed and a counter."""
    key = hashlib.sha256(b"pitbook shoe 1:" + seed.encode()).digest()
    counter = 0
    while True:
        yield from hashlib.sha256(key + counter.to_bytes(8, "big")).digest()
        counter += 1
