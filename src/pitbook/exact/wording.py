"""Parts of a sentence, put together."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["sentence"]


def sentence(parts: Sequence[str]) -> str:
    """The parts as one sentence.

    >>> sentence(["two are dealt", "one is played"])
    'Two are dealt; one is played.'
    """
    text = "; ".join(parts)
    return f"{text[:1].upper()}{text[1:]}."
