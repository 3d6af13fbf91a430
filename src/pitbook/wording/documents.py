"""Whole documents in another language, and the fields of a sentence as JSON: for who sends them."""

from __future__ import annotations

from typing import Any

from pitbook.wording.catalogue import ENGLISH
from pitbook.wording.sentences import Sentence, in_language

__all__ = ["said_by", "translated"]

_PLAIN = (str, int, float, type(None))


def translated(document: Any, language: str) -> Any:
    """A document of dicts and lists with every sentence in a language; all else stays as it is.

    >>> from pitbook.wording import say
    >>> translated({"told": [say("engine.words.no-more-bets")], "seat": 1}, "es")
    {'told': ['No va más.'], 'seat': 1}
    """
    if language == ENGLISH:
        return document
    if isinstance(document, Sentence):
        return in_language(document, language)
    if isinstance(document, dict):
        return {key: translated(value, language) for key, value in document.items()}
    if isinstance(document, list | tuple):
        return [translated(one, language) for one in document]
    return document


def said_by(text: str, language: str = ENGLISH) -> dict[str, Any]:
    """The key and the fields of a sentence, as JSON; nothing where a text is no sentence.

    >>> from pitbook.wording import say
    >>> said_by(say("engine.wagers.nobody-there", seat=3))
    {'key': 'engine.wagers.nobody-there', 'fields': {'seat': 3}}
    """
    if not isinstance(text, Sentence) or not text.key:
        return {}
    fields = {name: _plain(value, language) for name, value in text.fields.items()}
    return {"key": text.key, "fields": fields}


def _plain(value: Any, language: str) -> Any:
    if isinstance(value, Sentence):
        return in_language(value, language)
    if isinstance(value, list | tuple):
        return [_plain(one, language) for one in value]
    return value if isinstance(value, _PLAIN) else str(value)
