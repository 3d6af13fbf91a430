"""A tree of hashes over salted cards: one opens by itself, and tells nothing of its neighbours.

Leaf, node and root are hashed under different first bytes, a leaf with its place and the root with
the number of leaves and the shoe's id. So no node passes for a leaf, no tree for a smaller one, and
no path for one of another shoe.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256

from pitbook.cards import DECK, Card, name

SALT_BYTES = 32
DECKS_MAX = 12
LEAF, NODE, ROOT = b"\x00", b"\x01", b"\x02"


_NAMES = tuple(name(card).encode() for card in DECK)
_HEADS = tuple(LEAF + position.to_bytes(2, "big") for position in range(DECKS_MAX * len(DECK)))


def leaf(position: int, salt: bytes, card: Card) -> bytes:
    """The hash of a card at its place in the deck; without the salt nobody can try all cards."""
    return sha256(LEAF + position.to_bytes(2, "big") + salt + _NAMES[card]).digest()


def leaves(salts: Sequence[bytes], cards: Sequence[Card]) -> list[bytes]:
    """The leaves of a whole deck (a tight loop: every shoe is committed to before its bets)."""
    placed = zip(_HEADS[: len(cards)], salts, cards, strict=True)
    return [sha256(head + salt + _NAMES[card]).digest() for head, salt, card in placed]


def levels(leaves: Sequence[bytes]) -> list[Sequence[bytes]]:
    """The tree from its leaves up to the root; the last of an odd number goes up as it is."""
    found = [leaves]
    while (size := len(below := found[-1])) > 1:
        above = [sha256(NODE + below[n] + below[n + 1]).digest() for n in range(0, size - 1, 2)]
        found.append([*above, *below[size & ~1 :]])
    return found


def path(tree: Sequence[Sequence[bytes]], position: int) -> list[bytes]:
    """The neighbours by which a leaf leads up to the root."""
    pairs = ((level, position >> height) for height, level in enumerate(tree))
    return [level[place ^ 1] for level, place in pairs if place ^ 1 < len(level)]


def root(start: bytes, path: Sequence[bytes], *, position: int, size: int) -> bytes | None:
    """Where a leaf leads by its path in a tree of that size; None where it is of another length."""
    turns = list(_turns(position, size))
    if not 0 <= position < size or len(turns) != len(path):
        return None
    for is_right, other in zip(turns, path, strict=True):
        start = sha256(NODE + (other + start if is_right else start + other)).digest()
    return start


def _turns(position: int, size: int) -> Iterator[bool]:
    """Whether one comes from the right, at each level where there is a neighbour."""
    while size > 1:
        if position ^ 1 < size:
            yield bool(position & 1)
        position, size = position >> 1, (size + 1) >> 1


def commitment(root: bytes, *, size: int, shoe: str) -> str:
    """What is published before wagers open: one hash over a shoe's whole deck."""
    return sha256(ROOT + size.to_bytes(2, "big") + root + shoe.encode()).hexdigest()
