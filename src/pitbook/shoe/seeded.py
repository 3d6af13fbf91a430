"""Deals determined by a seed: the same seed always deals the same cards, on every machine."""

from __future__ import annotations

import secrets

from pitbook.shoe.dealing import Dealing
from pitbook.shoe.stream import deal_key


def fresh_seed() -> str:
    """A random seed short enough to type."""
    return secrets.token_hex(8)


def seeded_shoe(seed: str, *, shoe: str, decks: int) -> Dealing:
    """The shoe with this id under this seed.

    >>> from pitbook.cards import names
    >>> shoe = seeded_shoe("seven", shoe="round 1", decks=1)
    >>> names(shoe.draw() for _ in range(5))
    '8s 2s 5d Td 6d'
    """
    return Dealing(deal_key(seed_bytes(seed), shoe=shoe, seat_seeds={}), decks=decks)


def seed_bytes(seed: str) -> bytes:
    """The seed as bytes for the key; accepts any text that a command line can pass."""
    return seed.encode("utf-8", "surrogatepass")
