"""Luck that a word determines: the same seed asks the same question, for ever and everywhere."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from typing import TypeVar

One = TypeVar("One")
SIZE = 64  # Bytes that a block of the stream has.
WORD = 4


class Draws:
    """Fair draws, one after another, from a text."""

    def __init__(self, seed: str) -> None:
        self._seed = seed.encode("utf-8", "surrogatepass")
        self._block, self._left, self._number = b"", 0, 0

    def below(self, limit: int) -> int:
        """A number from 0 on and below a limit, each as likely.

        >>> luck = Draws("seven")
        >>> [luck.below(10) for _ in range(6)]
        [1, 3, 6, 2, 5, 8]
        """
        fair = (1 << 8 * WORD) // limit * limit
        while (drawn := self._word()) >= fair:
            pass
        return drawn % limit

    def one_of(self, many: Sequence[One]) -> One:
        """One of many, each as likely."""
        return many[self.below(len(many))]

    def is_one_in(self, number: int) -> bool:
        """True once in so many times."""
        return self.below(number) == 0

    def shuffled(self, many: Sequence[One]) -> list[One]:
        """All of them in an order, each as likely."""
        left = list(many)
        for last in range(len(left) - 1, 0, -1):
            other = self.below(last + 1)
            left[last], left[other] = left[other], left[last]
        return left

    def some_of(self, many: Sequence[One], count: int) -> list[One]:
        """So many of them, each set as likely."""
        return self.shuffled(many)[:count]

    def _word(self) -> int:
        if not self._left:
            number = self._number.to_bytes(8, "big")
            self._block = blake2b(self._seed, salt=number, digest_size=SIZE).digest()
            self._left, self._number = SIZE, self._number + 1
        self._left -= WORD
        return int.from_bytes(self._block[self._left : self._left + WORD], "big")
