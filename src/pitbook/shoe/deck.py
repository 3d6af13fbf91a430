"""A deck shuffled before the first bet and committed to card by card; every card has its salt."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from pitbook.cards import DECK, Card, name
from pitbook.shoe.stream import SPAN, hkdf, key_bytes, numbers
from pitbook.shoe.tree import SALT_BYTES, commitment, leaves, levels
from pitbook.text.english import counted

SHUFFLE = b"pitbook deck 2"
SALTS = b"pitbook salts 2"


class SaltedDeck(NamedTuple):
    """Cards and salts by position, as somebody has them who may open every one."""

    shoe: str
    cards: Sequence[Card]
    salts: Sequence[bytes]

    @property
    def tree(self) -> list[Sequence[bytes]]:
        """The hashes over it, from the leaves to the root."""
        return levels(leaves(self.salts, self.cards))

    @property
    def commitment(self) -> str:
        """One hash over all of it."""
        return self.committed(self.tree)

    def committed(self, tree: Sequence[Sequence[bytes]]) -> str:
        """The hash that a tree over this deck comes to."""
        return commitment(tree[-1][0], size=len(self.cards), shoe=self.shoe)


def deck_of(seed: bytes, *, shoe: str, decks: int) -> SaltedDeck:
    """The deck that the house's seed shuffles, and its salts; the same each time."""
    cards = shuffled(seed, shoe=shoe, decks=decks)
    return SaltedDeck(shoe, cards, tuple(_salts(seed, shoe, len(cards))))


@lru_cache(maxsize=512)  # A table commits to its shoe, and deals from it a moment later.
def shuffled(seed: bytes, *, shoe: str, decks: int) -> tuple[Card, ...]:
    """The cards by position, each order as likely as another (a tight loop: tables wait for it)."""
    drawn = numbers(hkdf(seed, salt=shoe.encode(), info=SHUFFLE))
    left, taken = list(DECK * decks), []
    for bound, number in zip(range(len(left), 0, -1), drawn, strict=False):
        while number >= SPAN - SPAN % bound:
            number = next(drawn)  # noqa: PLW2901  Thrown away: it would favour some results.
        place = number % bound
        left[place], left[-1] = left[-1], left[place]
        taken.append(left.pop())
    return tuple(taken)


def _salts(seed: bytes, shoe: str, count: int) -> Iterator[bytes]:
    """Pieces of one key stream: some of them tell nothing of the others."""
    key = hkdf(seed, salt=shoe.encode(), info=SALTS)
    stream = key_bytes(key, count * SALT_BYTES)
    return (stream[at : at + SALT_BYTES] for at in range(0, len(stream), SALT_BYTES))


def misses(cards: Sequence[Card], *, decks: int) -> str | None:
    """What a deck has too often or too seldom, in words; None for a full one."""
    held = Counter(cards)
    wrong = [card for card in DECK if held[card] != decks]
    if not wrong:
        return None
    return ", ".join(f"{name(card)} {counted(held[card], 'time')}" for card in wrong)
