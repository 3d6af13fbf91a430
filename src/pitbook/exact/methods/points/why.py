"""One sentence that explains a declaration, and that is true."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction

from pitbook.exact.wording import sentence
from pitbook.rules.plays import Play
from pitbook.text import Sentence, say

__all__ = ["why_declare"]


def why_declare(
    low: int,
    high: int,
    counted: Mapping[str, tuple[int, int, int]],
    values: Mapping[Play, Fraction],
    best: Play,
) -> Sentence:
    """The hand's points, how often it wins each way, and what doubling is worth."""
    declared = best.said
    ahead, level, behind = counted[declared]
    share = _percent(Fraction(ahead + level, ahead + level + behind))
    points = {"low": low, "high": high, "apart": low != high}
    single, double = (_declaring(declared, values, raised=one) for one in (False, True))
    assert single is not None
    doubled = values[double] - values[single] if double else Fraction(0)
    if double is None:
        tail = "better"
    elif doubled > 0:
        tail = "wins"
    elif doubled < 0:
        tail = "loses"
    else:
        tail = "even"
    told = say("exact.why.declared", declared=declared, share=share, **points)
    return sentence([told, say("exact.why.double", worth=tail)])


def _declaring(said: str, plays: Iterable[Play], *, raised: bool) -> Play | None:
    return next((one for one in plays if one.said == said and bool(one.puts) == raised), None)


def _percent(value: Fraction) -> str:
    return f"{float(value) * 100:.2f}%"
