"""A deal that a word determines: the same seed deals the same cards, for ever and everywhere."""

from __future__ import annotations

import secrets

from pitbook.shoe.dealing import Dealing
from pitbook.shoe.stream import deal_key


def fresh_seed() -> str:
    """A seed that nobody can guess and that can still be typed."""
    return secrets.token_hex(8)


def seeded(seed: str, *, shoe: str, decks: int) -> Dealing:
    """The shoe of that id in an evening of that seed.

    >>> from pitbook.cards import names
    >>> shoe = seeded("seven", shoe="round 1", decks=1)
    >>> names(shoe.draw() for _ in range(5))
    '8s 2s 5d Td 6d'
    """
    return Dealing(deal_key(seed_bytes(seed), shoe=shoe, seat_seeds={}), decks=decks)


def seed_bytes(seed: str) -> bytes:
    """The seed as the key is made from it: any text that a command line can hand over."""
    return seed.encode("utf-8", "surrogatepass")
