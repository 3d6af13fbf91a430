"""Words that every reason for a play is made of: the play, by how much it is better, its parts."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from pitbook.text import Sentence, say

__all__ = ["more_told", "play_told", "sentence"]


def sentence(parts: Sequence[str]) -> Sentence:
    """The parts as one sentence.

    >>> sentence(["two are dealt", "one is played"])
    'Two are dealt; one is played.'
    """
    return say("exact.why.sentence", text=say("exact.why.parts", parts=tuple(parts)))


def play_told(play: str) -> Sentence:
    """A play as it stands in a sentence."""
    return say("exact.why.play", play=str(play))


def more_told(gained: Fraction, unit: str, best: str, other: Sentence) -> Sentence:
    """By how much a play is worth more than another."""
    both = {"best": play_told(best), "other": other}
    if not gained:
        return say("exact.why.as-much", **both)
    return say("exact.why.more", gained=f"{float(gained):.4f}", unit=unit, **both)
