"""Sentences: English text that keeps its key and fields, so that documents can be translated."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache, partial
from typing import Any, TypeVar, cast

from pitbook.text.catalog import ENGLISH, Catalog, SentenceFields, areas, languages, load_catalog
from pitbook.text.formats import CHIPS, DOLLAR, average_text

_NONE: dict[str, Any] = {}
_IN_CURRENCY = "form.in-currency"


class Sentence(str):
    """English text that can be used like any string; its key gives other languages."""

    __slots__ = ("fields", "key")

    key: str
    fields: SentenceFields

    def __new__(cls, text: str, key: str = "", fields: SentenceFields = _NONE) -> Sentence:
        """A sentence from a text, its key and its fields."""
        sentence = super().__new__(cls, text)
        sentence.key, sentence.fields = key, fields
        return sentence


def say(key: str, /, **fields: Any) -> Sentence:
    """Build a sentence from its key and fields: amounts in cents, cards, names, sentences.

    >>> say("engine.wagers.nobody-there", seat=3)
    'Seat 3 is empty.'
    """
    if not fields:
        return _constant_sentence(key)
    words = _english()
    formatter = words.plain_formatters.get(key)
    text = words.text(key, fields) if formatter is None else formatter(fields)
    sentence = _text(Sentence, text)
    sentence.key, sentence.fields = key, fields
    return sentence


_text = str.__new__  # Half the time of a call of the class, and sentences are frequent.


@cache
def _english() -> Catalog:
    return load_catalog(ENGLISH)


@cache
def _constant_sentence(key: str) -> Sentence:
    return Sentence(_english().text(key, _NONE), key)


def subkeys(key: str) -> tuple[str, ...]:
    """The names directly below a key, such as label, subject and statement of a rule."""
    return _subkeys(key.partition(".")[0]).get(key, ())


@cache
def _subkeys(area: str) -> dict[str, tuple[str, ...]]:
    names_by_key: dict[str, tuple[str, ...]] = {}
    for key in _english().area(area):
        above, _, name = key.rpartition(".")
        names_by_key[above] = (*names_by_key.get(above, ()), name)
    return names_by_key


def capital(text: str) -> str:
    """The text with a capital first letter; a sentence remains a sentence."""
    if isinstance(text, Sentence) and text.key:
        return say("form.capital", text=text)
    return text[:1].upper() + text[1:]


def sentence_of(error: BaseException) -> str:
    """The message of an error as a sentence, which `str` would turn into plain text."""
    message = error.args[0] if error.args else None
    return message if isinstance(message, Sentence) else str(error)


def locale_of(language: str, currency: str | None = None) -> str:
    """A language together with a currency; dollars need no currency.

    >>> in_language(say("words.exactly", amount=500), locale_of("es", "EUR"))
    'exactamente €5'
    """
    plain = language.partition("/")[0]
    return f"{plain}/{currency}" if currency not in (None, DOLLAR) else plain


def in_language(text: str, language: str) -> str:
    """Translate a sentence into a locale (see `locale_of`).

    Other text, and sentences without a translation, are returned unchanged.

    >>> in_language(say("engine.wagers.nobody-there", seat=3), "es")
    'El puesto 3 está vacío.'
    """
    if not isinstance(text, Sentence) or not text.key:
        return str(text)
    words = _catalog_for(_locale_within(text, language))
    return words.text(text.key, text.fields) if text.key in words else str(text)


def average(money: float, digits: int, language: str = ENGLISH) -> str:
    """An average amount with this many decimals, in a language and its currency.

    >>> average(1234.5, 2), average(-0.31256, 4), average(1234.6, 0, locale_of("es", "EUR"))
    ('$1,234.50', '-$0.3126', '€1,235')
    """
    return average_text(money, digits, _catalog_for(language).conventions)


def in_currency(text: str, currency: str | None) -> str:
    """A sentence whose money keeps its currency inside a text in another currency.

    >>> in_language(in_currency(say("words.exactly", amount=500), "EUR"), locale_of("es", "GBP"))
    'exactamente €5'
    """
    if not isinstance(text, Sentence) or not text.key:
        return text
    currency_code = currency or DOLLAR
    in_currency = say("form.in-currency", text=text, currency=currency_code)
    return Sentence(
        in_language(text, locale_of(ENGLISH, currency_code)), in_currency.key, in_currency.fields
    )


def _locale_within(sentence: Sentence, language: str) -> str:
    """The locale for the parts of a sentence; a fixed currency overrides the given one."""
    if sentence.key != _IN_CURRENCY:
        return language
    return locale_of(language, sentence.fields["currency"])


@cache
def _catalog_for(locale: str) -> Catalog:
    language, _, currency = locale.partition("/")
    if language not in languages():
        raise ValueError(f'there is no catalog of "{language}"; there are {languages()}')
    return load_catalog(language, partial(_format_value, language=locale), currency or DOLLAR)


def _format_value(value: Any, language: str) -> str:
    if not isinstance(value, Sentence) or not value.key:
        return str(value)
    words = _catalog_for(_locale_within(value, language))
    return words.part(value.key, value.fields) if value.key in words else str(value)


def sentences_in(texts: Iterable[str]) -> list[Sentence]:
    """All sentences in some texts, each before its parts.

    A field that a sentence has but does not show is not included.
    >>> from pitbook.text import say
    >>> said = say("form.capital", text=say("engine.wagers.nobody-there", seat=3))
    >>> [one.key for one in sentences_in([said, "as somebody wrote it"])]
    ['form.capital', 'engine.wagers.nobody-there']
    """
    sentences: list[Sentence] = []

    def record_sentence(value: Any) -> str:
        if not isinstance(value, Sentence) or not value.key:
            return str(value)
        sentences.append(value)
        return words.part(value.key, value.fields) if value.key in words else str(value)

    # Formatting a text reveals which parts it shows.
    words = Catalog(areas(ENGLISH), record_sentence)
    for text in texts:
        record_sentence(text)
    return sentences


# Documents ----------------------------------------------------------------------------------------


Told = TypeVar("Told")
_PLAIN = (str, int, float, type(None))


def translate_document(document: Any, language: str) -> Any:
    """A document of dicts and lists with every sentence translated; other values are unchanged.

    >>> from pitbook.text import say
    >>> translate_document({"told": [say("engine.words.no-more-bets")], "seat": 1}, "es")
    {'told': ['No va más.'], 'seat': 1}
    """
    return (
        document
        if language == ENGLISH
        else _map_sentences(document, partial(in_language, language=language))
    )


def fix_currency(document: Any, currency: str | None) -> Any:
    """A document whose money keeps its currency inside an answer in another currency.

    >>> from pitbook.text import say
    >>> fix_currency({"told": [say("words.exactly", amount=500)], "amount": "5.00"}, "GBP")
    {'told': ['exactly £5'], 'amount': '5.00'}
    """
    return _map_sentences(document, partial(in_currency, currency=currency))


def _map_sentences(document: Any, convert: Callable[[Sentence], str]) -> Any:
    """A document with a function applied to each of its sentences."""
    if isinstance(document, Sentence):
        return convert(document)
    if isinstance(document, dict):
        return {key: _map_sentences(value, convert) for key, value in document.items()}
    if isinstance(document, list | tuple):
        return [_map_sentences(part, convert) for part in document]
    return document


def fix_foreign_currency(document: Told, currency: str | None) -> Told:
    """Like `fix_currency`, except that dollars need no marking."""
    return (
        document if currency in (None, DOLLAR) else cast("Told", fix_currency(document, currency))
    )


def common_currency(currencies: Iterable[str | None]) -> str | None:
    """The currency of sums over several sheets; amounts in different currencies are plain counts.

    >>> common_currency(["EUR", "EUR"]), common_currency(["EUR", None]), common_currency([None])
    ('EUR', 'CHIPS', None)
    """
    distinct = {currency or DOLLAR for currency in currencies}
    if len(distinct) > 1:
        return CHIPS
    return next((currency for currency in distinct if currency != DOLLAR), None)


def sentence_json(text: str, language: str = ENGLISH) -> dict[str, Any]:
    """A sentence's key and fields as JSON; empty for plain text.

    A sentence with a fixed currency gives the key of the sentence inside.
    >>> from pitbook.text import say
    >>> sentence_json(say("engine.wagers.nobody-there", seat=3))
    {'key': 'engine.wagers.nobody-there', 'fields': {'seat': 3}}
    """
    if not isinstance(text, Sentence) or not text.key:
        return {}
    if text.key == "form.in-currency":
        return sentence_json(text.fields["text"], locale_of(language, text.fields["currency"]))
    fields = {name: _plain(value, language) for name, value in text.fields.items()}
    return {"key": text.key, "fields": fields}


def _plain(value: Any, language: str) -> Any:
    if isinstance(value, Sentence):
        return in_language(value, language)
    if isinstance(value, list | tuple):
        return [_plain(element, language) for element in value]
    return value if isinstance(value, _PLAIN) else str(value)
