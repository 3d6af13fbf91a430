"""Names that read right to left, in sentences that read left to right."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from pitbook.text import Sentence

# Hebrew and Arabic, and what is written as they are.
_LEFTWARDS = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_ISOLATED = "\u2066{}\u2069"


def set_apart(said: str, text: str) -> str:
    """What a sentence says, such names isolated: an amount after one would else stand before it."""
    if not isinstance(said, Sentence) or not _LEFTWARDS.search(text):
        return text
    names = sorted(set(_names(said)), key=len, reverse=True)
    if not names:
        return text
    return re.sub("|".join(map(re.escape, names)), lambda one: _ISOLATED.format(one[0]), text)


def _names(part: Any) -> Iterator[str]:
    """The names that a sentence was made of, and the sentences in it."""
    if isinstance(part, Sentence) and part.fields:
        part = tuple(part.fields.values())
    if isinstance(part, tuple | list):
        for one in part:
            yield from _names(one)
    elif isinstance(part, str) and _LEFTWARDS.search(part):
        yield part
