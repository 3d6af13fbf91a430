"""Translates whole documents, and converts a sentence's fields to JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, TypeVar, cast

from pitbook.text.catalogue import ENGLISH
from pitbook.text.formats import CHIPS, DOLLAR
from pitbook.text.sentences import Sentence, in_currency, in_language, locale_of

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
    """The key and the fields of a sentence as JSON; empty for other text.

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
