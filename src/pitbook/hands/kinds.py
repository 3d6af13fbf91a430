"""Kinds of hands: the distinctions a pay table can make."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Literal

from pitbook.errors import CardError
from pitbook.text import say

Ace = Literal["high-or-low", "high"]  # GEN-1: whether A-2-3-4-5 is a straight. K-A-2 never is.

RANK_NAMES = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")

# Shapes in ascending strength. Rarer is higher except with four cards: there a flush beats a
# straight and four of a kind a straight flush. With three cards from several decks the
# mini-royal counts as a straight flush; a pay table may rank it above the suited three.
_RISING: dict[int, tuple[str, ...]] = {
    1: ("high-card",),
    2: ("high-card", "flush", "straight", "pair", "straight-flush"),
    3: (
        *("high-card", "pair", "flush", "straight"),
        *("three-of-a-kind", "straight-flush", "mini-royal"),
    ),
    4: (
        *("high-card", "pair", "two-pair", "straight", "flush"),
        *("three-of-a-kind", "straight-flush", "four-of-a-kind", "four-aces"),
    ),
    5: (
        *("high-card", "pair", "two-pair", "three-of-a-kind", "straight", "flush"),
        *("full-house", "four-of-a-kind", "straight-flush", "royal-flush"),
    ),
}
_RISING_MANY_DECKS: dict[int, tuple[str, ...]] = {
    3: (  # MHL-12
        *("high-card", "pair", "flush", "suited-pair", "suited-pair-flush"),
        *("straight", "three-of-a-kind", "straight-flush", "mini-royal"),
        "suited-three-of-a-kind",
    ),
}
_FITS: dict[str, frozenset[str]] = {
    "straight-flush": frozenset({"straight-flush", "flush", "straight"}),
    "royal-flush": frozenset({"royal-flush", "straight-flush", "flush", "straight"}),
    "mini-royal": frozenset({"mini-royal", "straight-flush", "flush", "straight"}),
    "four-aces": frozenset({"four-aces", "four-of-a-kind"}),
    "suited-three-of-a-kind": frozenset({"suited-three-of-a-kind", "three-of-a-kind", "flush"}),
}
_NO_LINE = {"suited-pair-flush"}
_RANK = "|".join(RANK_NAMES)
_RANKED = re.compile(rf"(high-card|pair)(?:-({_RANK})(?:-({_RANK}))?)?")


@dataclass(frozen=True, slots=True)
class Kind:
    """A hand's name, and the pay-table atoms that it fits (GEN-2 picks the best)."""

    name: str
    fits: frozenset[str]


@cache
def hand_kinds(n: int, *, many_decks: bool = False) -> tuple[Kind, ...]:
    """Every kind of a hand of n cards, in ascending strength.

    >>> [kind.name for kind in hand_kinds(5)][-3:]
    ['four-of-a-kind', 'straight-flush', 'royal-flush']
    """
    shapes = _shapes(n, many_decks)
    if not shapes:
        raise CardError(say("cards.no-ranking", cards=n, decks="many" if many_decks else "one"))
    return tuple(kind for shape in shapes for kind in _kinds(shape, n))


@lru_cache(maxsize=4096)
def atoms(line: str, n: int, many_decks: bool = False) -> frozenset[str] | None:
    """The atoms of a pay-table line, to compare with `Kind.fits`; None if n cards have no such
    line.

    >>> sorted(atoms("pair-J-A", 5)), sorted(atoms("high-card-K-A", 5))
    (['pair-A', 'pair-J', 'pair-K', 'pair-Q'], ['high-card-A', 'high-card-K'])
    """
    names = line_names(n, many_decks)
    if match := _RANKED.fullmatch(line):
        return _ranked_kinds(match[1], match[2], match[3]) if match[1] in names else None
    return frozenset({line}) if line in names else None


@cache
def line_names(n: int, many_decks: bool = False) -> tuple[str, ...]:
    """The plain names that a pay table of n cards may use, ascending.

    Pairs and high cards may also name their ranks: `pair-6-10`, `high-card-A`.
    """
    return tuple(shape for shape in _shapes(n, many_decks) if shape not in _NO_LINE)


def _shapes(n: int, many_decks: bool) -> tuple[str, ...]:
    return (_RISING_MANY_DECKS if many_decks else _RISING).get(n, ())


def _kinds(shape: str, n: int) -> Iterator[Kind]:
    if shape == "high-card":
        # With n different ranks and no straight, the highest is not among the n lowest.
        yield from (_single_kind(f"{shape}-{rank}") for rank in RANK_NAMES[n if n > 1 else 0 :])
    elif shape in ("pair", "suited-pair", "suited-pair-flush"):
        yield from (_pair_kind(shape, rank) for rank in RANK_NAMES)
    else:
        yield Kind(shape, _FITS.get(shape, frozenset({shape})))


def _single_kind(name: str) -> Kind:
    return Kind(name, frozenset({name}))


def _pair_kind(shape: str, rank: str) -> Kind:
    pair = f"pair-{rank}"
    if shape == "pair":
        return _single_kind(pair)
    if shape == "suited-pair":
        return Kind(f"suited-{pair}", frozenset({"suited-pair", pair}))
    return Kind(f"suited-{pair}-flush", frozenset({"suited-pair", pair, "flush"}))


def _ranked_kinds(shape: str, low: str | None, high: str | None) -> frozenset[str] | None:
    first = RANK_NAMES.index(low) if low else 0
    last = RANK_NAMES.index(high or low or "A")
    return frozenset(f"{shape}-{rank}" for rank in RANK_NAMES[first : last + 1]) or None
