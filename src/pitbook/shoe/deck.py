"""A deck shuffled before the first bet and committed to card by card; every card has its salt."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property

from pitbook.cards import DECK, Card, name
from pitbook.english import counted
from pitbook.shoe.dealing import Dealing
from pitbook.shoe.stream import hkdf, key_bytes
from pitbook.shoe.tree import SALT_BYTES, commitment, leaf, levels, path

__all__ = ["Deck", "deck_of", "misses"]

SHUFFLE = b"pitbook deck 2"
SALTS = b"pitbook salts 2"


class Deck:
    """Cards and salts by position, as somebody has them who may open every one."""

    def __init__(self, shoe: str, cards: Sequence[Card], salts: Sequence[bytes]) -> None:
        self.shoe, self.cards, self.salts = shoe, cards, salts

    @cached_property
    def _tree(self) -> list[Sequence[bytes]]:
        sealed = enumerate(zip(self.salts, self.cards, strict=True))
        return levels([leaf(position, salt, card) for position, (salt, card) in sealed])

    @property
    def commitment(self) -> str:
        """One hash over all of it."""
        return commitment(self._tree[-1][0], size=len(self.cards), shoe=self.shoe)

    def path(self, position: int) -> list[bytes]:
        """By which the card there leads to the commitment."""
        return path(self._tree, position)


def deck_of(seed: bytes, *, shoe: str, decks: int) -> Deck:
    """The deck that the house's seed shuffles, and its salts; the same each time."""
    dealing = Dealing(hkdf(seed, salt=shoe.encode(), info=SHUFFLE), decks=decks)
    cards = tuple(dealing.draw() for _ in range(dealing.left))
    return Deck(shoe, cards, tuple(_salts(seed, shoe, len(cards))))


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
