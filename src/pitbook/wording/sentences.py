"""A sentence is its English text, and knows what it was made of: its key and its fields."""

from __future__ import annotations

from functools import cache, partial
from typing import Any

from pitbook.wording.catalogue import ENGLISH, Catalogue, Fields, catalogue, languages

__all__ = ["Sentence", "capital", "in_language", "parts_of", "say"]

_NONE: dict[str, Any] = {}


class Sentence(str):
    """Text in English, to be shown, kept and sent as any text; other languages ask for its key."""

    __slots__ = ("fields", "key")

    key: str
    fields: Fields

    def __new__(cls, text: str, key: str = "", fields: Fields = _NONE) -> Sentence:
        """A sentence of a text that was made of a key's fields."""
        sentence = super().__new__(cls, text)
        sentence.key, sentence.fields = key, fields
        return sentence


def say(key: str, /, **fields: Any) -> Sentence:
    """The sentence of a key with its fields: amounts in cents, cards, names, other sentences.

    >>> say("engine.wagers.nobody-there", seat=3)
    'nobody plays at seat 3'
    """
    if not fields:
        return _fixed(key)
    sentence = _text(Sentence, _english().text(key, fields))
    sentence.key, sentence.fields = key, fields
    return sentence


_text = str.__new__  # Half of what a call of the class takes, and sentences are many.


@cache
def _english() -> Catalogue:
    return catalogue(ENGLISH)


@cache
def _fixed(key: str) -> Sentence:
    return Sentence(_english().text(key, _NONE), key)


def parts_of(key: str) -> tuple[str, ...]:
    """The names that stand below a key: of a rule its label, its subject, and what it says."""
    return _parts().get(key, ())


@cache
def _parts() -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for key in _english().texts:
        above, _, name = key.rpartition(".")
        found[above] = (*found.get(above, ()), name)
    return found


def capital(text: str) -> str:
    """The text with its first letter large; a sentence stays one."""
    if isinstance(text, Sentence) and text.key:
        return say("form.capital", text=text)
    return text[:1].upper() + text[1:]


def in_language(text: str, language: str) -> str:
    """A sentence in another language; what is no sentence, or not yet in it, stays as it is.

    >>> in_language(say("engine.wagers.nobody-there", seat=3), "es")
    'nadie juega en el puesto 3'
    """
    if not isinstance(text, Sentence) or not text.key:
        return str(text)
    words = _of(language)
    return words.text(text.key, text.fields) if text.key in words.texts else str(text)


@cache
def _of(language: str) -> Catalogue:
    if language not in languages():
        raise ValueError(f'there is no catalogue of "{language}"; there are {languages()}')
    return catalogue(language, partial(_reworded, language=language))


def _reworded(value: Any, language: str) -> str:
    return in_language(value, language) if isinstance(value, str) else str(value)
