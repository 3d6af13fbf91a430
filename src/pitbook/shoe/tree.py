"""A hash tree over salted cards: one card can be opened without revealing its neighbors.

Leaves, nodes and the root are hashed with different prefixes, a leaf with its position and the
root
with the number of leaves and the shoe's id. So a node cannot pass for a leaf, nor a tree for a
smaller one, nor a path for one of another shoe.
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
    """The hash of a card at its position; the salt prevents trying all cards."""
    return sha256(LEAF + position.to_bytes(2, "big") + salt + _NAMES[card]).digest()


def leaves(salts: Sequence[bytes], cards: Sequence[Card]) -> list[bytes]:
    """The leaves of a whole deck. A tight loop, because every shoe is committed to before
    its bets.
    """
    placed = zip(_HEADS[: len(cards)], salts, cards, strict=True)
    return [sha256(head + salt + _NAMES[card]).digest() for head, salt, card in placed]


def levels(leaves: Sequence[bytes]) -> list[Sequence[bytes]]:
    """The tree from its leaves to the root; the last node of an odd level moves up unchanged."""
    tree_levels = [leaves]
    while (size := len(below := tree_levels[-1])) > 1:
        above = [sha256(NODE + below[n] + below[n + 1]).digest() for n in range(0, size - 1, 2)]
        tree_levels.append([*above, *below[size & ~1 :]])
    return tree_levels


def path(tree: Sequence[Sequence[bytes]], position: int) -> list[bytes]:
    """The sibling hashes that lead from a leaf to the root."""
    pairs = ((level, position >> height) for height, level in enumerate(tree))
    return [level[place ^ 1] for level, place in pairs if place ^ 1 < len(level)]


def root(start: bytes, path: Sequence[bytes], *, position: int, size: int) -> bytes | None:
    """The root for a leaf and its path in a tree of this size; None if the path has the wrong
    length.
    """
    turns = list(_right_turns(position, size))
    if not 0 <= position < size or len(turns) != len(path):
        return None
    for is_right, other in zip(turns, path, strict=True):
        start = sha256(NODE + (other + start if is_right else start + other)).digest()
    return start


def _right_turns(position: int, size: int) -> Iterator[bool]:
    """Whether the node is a right child, at each level where it has a sibling."""
    while size > 1:
        if position ^ 1 < size:
            yield bool(position & 1)
        position, size = position >> 1, (size + 1) >> 1


def commitment(root: bytes, *, size: int, shoe: str) -> str:
    """The hash over a shoe's whole deck, published before wagers open."""
    return sha256(ROOT + size.to_bytes(2, "big") + root + shoe.encode()).hexdigest()
