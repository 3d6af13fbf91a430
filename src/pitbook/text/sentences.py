"""A sentence is its English text, and keeps what it was made from: its key and its fields."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, partial
from typing import Any

from pitbook.text.catalogue import ENGLISH, Catalogue, SentenceFields, areas, catalogue, languages
from pitbook.text.formats import DOLLAR, averaged

_NONE: dict[str, Any] = {}
_IN_CURRENCY = "form.in-currency"


class Sentence(str):
    """Text in English, to be shown, kept and sent as any text; other languages ask for its key."""

    __slots__ = ("fields", "key")

    key: str
    fields: SentenceFields

    def __new__(cls, text: str, key: str = "", fields: SentenceFields = _NONE) -> Sentence:
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
    words = _english()
    filled = words.plain.get(key)
    text = words.text(key, fields) if filled is None else filled(fields)
    sentence = _text(Sentence, text)
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
    return _parts(key.partition(".")[0]).get(key, ())


@cache
def _parts(area: str) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for key in _english().area(area):
        above, _, name = key.rpartition(".")
        found[above] = (*found.get(above, ()), name)
    return found


def capital(text: str) -> str:
    """The text with its first letter large; a sentence stays one."""
    if isinstance(text, Sentence) and text.key:
        return say("form.capital", text=text)
    return text[:1].upper() + text[1:]


def sentence_of(error: BaseException) -> str:
    """What an error says: the sentence that it was made of, which `str` would make plain text."""
    said = error.args[0] if error.args else None
    return said if isinstance(said, Sentence) else str(error)


def speech(language: str, currency: str | None = None) -> str:
    """A language in which money is of a currency; dollars are of all languages.

    >>> in_language(say("words.exactly", amount=500), speech("es", "EUR"))
    'exactamente €5'
    """
    plain = language.partition("/")[0]
    return f"{plain}/{currency}" if currency not in (None, DOLLAR) else plain


def in_language(text: str, language: str) -> str:
    """A sentence in another language, or with money of another currency, as `speech` has it.

    What is no sentence, or not yet in that language, stays as it is.

    >>> in_language(say("engine.wagers.nobody-there", seat=3), "es")
    'nadie juega en el puesto 3'
    """
    if not isinstance(text, Sentence) or not text.key:
        return str(text)
    words = _of(_spoken(text, language))
    return words.text(text.key, text.fields) if text.key in words else str(text)


def average(money: float, digits: int, language: str = ENGLISH) -> str:
    """Money that need not be whole cents, to so many decimals, in a language and its currency.

    >>> average(1234.5, 2), average(-0.31256, 4), average(1234.6, 0, speech("es", "EUR"))
    ('$1,234.50', '-$0.3126', '€1,235')
    """
    return averaged(money, digits, _of(language).habits)


def in_currency(text: str, currency: str | None) -> str:
    """A sentence whose money stays of a currency, whatever that of the text it stands in.

    >>> in_language(in_currency(say("words.exactly", amount=500), "EUR"), speech("es", "GBP"))
    'exactamente €5'
    """
    if not isinstance(text, Sentence) or not text.key:
        return text
    of = currency or DOLLAR
    told = say("form.in-currency", text=text, currency=of)
    return Sentence(in_language(text, speech(ENGLISH, of)), told.key, told.fields)


def _spoken(sentence: Sentence, language: str) -> str:
    """The language of what a sentence holds: as it is, but for money of a currency of its own."""
    if sentence.key != _IN_CURRENCY:
        return language
    return speech(language, sentence.fields["currency"])


@cache
def _of(spoken: str) -> Catalogue:
    language, _, currency = spoken.partition("/")
    if language not in languages():
        raise ValueError(f'there is no catalogue of "{language}"; there are {languages()}')
    return catalogue(language, partial(_reworded, language=spoken), currency or DOLLAR)


def _reworded(value: Any, language: str) -> str:
    if not isinstance(value, Sentence) or not value.key:
        return str(value)
    words = _of(_spoken(value, language))
    return words.part(value.key, value.fields) if value.key in words else str(value)


def sentences_in(texts: Iterable[str]) -> list[Sentence]:
    """The sentences that texts show, whole ones before their parts; what is no sentence has none.

    A field that a sentence knows and does not show is not among them.

    >>> from pitbook.text import say
    >>> said = say("form.capital", text=say("engine.wagers.nobody-there", seat=3))
    >>> [one.key for one in sentences_in([said, "as somebody wrote it"])]
    ['form.capital', 'engine.wagers.nobody-there']
    """
    heard: list[Sentence] = []

    def listen(value: Any) -> str:
        if not isinstance(value, Sentence) or not value.key:
            return str(value)
        heard.append(value)
        return words.part(value.key, value.fields) if value.key in words else str(value)

    words = Catalogue(areas(ENGLISH), listen)  # Filling in a text tells which parts it shows.
    for text in texts:
        listen(text)
    return heard
