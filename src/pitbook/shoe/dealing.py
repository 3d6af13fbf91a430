"""Deals cards in an order that one key decides, or the seats' seeds by a public rule."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from hashlib import sha256
from itertools import islice
from typing import NamedTuple

from pitbook.cards import DECK, Card, name
from pitbook.errors import CardError
from pitbook.shoe.crypto import below, deal_key, hkdf, numbers
from pitbook.text import say

# Cards that come first; None stands for a shuffled card between them.
ChosenCards = tuple[Card | None, ...]


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


# Seeded shoes -------------------------------------------------------------------------------------


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


# Positions chosen by the seats' seeds -------------------------------------------------------------


PURPOSE = b"pitbook order 2"
PAST = b"\x03"

Seeds = tuple[tuple[int, str], ...]  # By seat.


class Past(NamedTuple):
    """One deal of a shoe: the number of cards, and the seeds that selected them."""

    cards: int
    seeds: Seeds


def seeds_of(seeds: Mapping[int, str]) -> Seeds:
    """Seeds sorted by seat."""
    return tuple(sorted(seeds.items()))


@lru_cache(maxsize=1024)
def history(commitment: str, past: tuple[Past, ...] = ()) -> str:
    """A hash over the deck and all past deals; the commitment itself before the first deal."""
    digest = bytes.fromhex(commitment)
    for deal in past:
        digest = _add_deal(digest, deal)
    return digest.hex()


def positions(
    commitment: str, seeds: Seeds, *, size: int, past: tuple[Past, ...] = ()
) -> Iterator[int]:
    """Every position of a deck in dealing order, from the shoe's first card."""
    remaining: Sequence[int] = range(size)
    digest = bytes.fromhex(commitment)
    for deal in past:
        dealt = list(islice(_select_positions(remaining, deal.seeds, digest), deal.cards))
        yield from dealt
        remaining, digest = sorted({*remaining}.difference(dealt)), _add_deal(digest, deal)
    yield from _select_positions(remaining, seeds, digest)


def _add_deal(digest: bytes, deal: Past) -> bytes:
    """The history hash with one more deal."""
    return sha256(
        PAST + digest + deal.cards.to_bytes(2, "big") + _encode_seeds(deal.seeds)
    ).digest()


def _select_positions(remaining: Sequence[int], seeds: Seeds, digest: bytes) -> Iterator[int]:
    """The remaining positions in uniformly random order; the last one fills the gap."""
    drawn = numbers(hkdf(_encode_seeds(seeds), salt=digest, info=PURPOSE))
    open_ = list(remaining)
    while open_:
        place = below(drawn, len(open_))
        open_[place], open_[-1] = open_[-1], open_[place]
        yield open_.pop()


def _encode_seeds(seeds: Seeds) -> bytes:
    return _ENCODER.encode(seeds).encode()


_ENCODER = json.JSONEncoder(separators=(",", ":"), ensure_ascii=True)  # Slow to create.
