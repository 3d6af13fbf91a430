"""What stands in a picture, in the language of who asked for it and in the money of the house."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from pitbook.sheets.model import Sheet
from pitbook.text import average, in_language, say, speech
from pitbook.text.catalogue import ENGLISH

__all__ = ["axis_money", "labelled", "told_in", "worded"]

_WORDS: ContextVar[str] = ContextVar("words", default=ENGLISH)


@contextmanager
def told_in(language: str, sheet: Sheet) -> Iterator[None]:
    """Pictures that are drawn inside speak a language, with money of the sheet's house."""
    before = _WORDS.set(speech(language, sheet.house.currency))
    try:
        yield
    finally:
        _WORDS.reset(before)


def labelled(key: str, **fields: Any) -> str:
    """A label by its key."""
    return worded(say(key, **fields))


def axis_money() -> Callable[[float, object], str]:
    """How whole amounts are written beside an axis, where the picture is drawn later."""
    spoken = _WORDS.get()
    return lambda dollars, _: average(dollars, 0, spoken)


def worded(text: str) -> str:
    """A text as it is drawn."""
    return in_language(text, _WORDS.get())
