"""Kinds of hands side by side under one name: a pair of sixes to eights, king high or better."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import groupby

_RANKED = re.compile(r"((?:suited-)?pair|high-card)-([^-]+)((?:-flush)?)")


def spans(names: Collection[str], every: Sequence[str]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The names in runs of one shape without a gap among all, which fall in strength.

    >>> list(spans({"pair-6", "pair-7", "flush"}, ["flush", "pair-8", "pair-7", "pair-6"]))
    [('flush', ('flush',)), ('pair-6-7', ('pair-7', 'pair-6'))]
    """
    for (wanted, _), run in groupby(every, key=lambda name: (name in names, stem_of(name))):
        if wanted:
            found = tuple(run)
            yield span_name(found, every), found


def span_name(run: Sequence[str], every: Sequence[str]) -> str:
    """One name for neighbours of one shape, falling; the shape alone where all of it is there."""
    high, low = _RANKED.fullmatch(run[0]), _RANKED.fullmatch(run[-1])
    if len(run) == 1 or not high or not low:
        return run[0]
    if len(run) == sum(stem_of(name) == stem_of(run[0]) for name in every):
        return stem_of(run[0])
    return f"{low[1]}-{low[2]}-{high[2]}{high[3]}"


def stem_of(name: str) -> str:
    """The shape of a kind: its name without the rank."""
    found = _RANKED.fullmatch(name)
    return f"{found[1]}{found[3]}" if found else name
