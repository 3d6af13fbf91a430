"""Whole documents in another language, and the fields of a sentence as JSON: for who sends them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, TypeVar, cast

from pitbook.text.catalogue import ENGLISH
from pitbook.text.formats import CHIPS, DOLLAR
from pitbook.text.sentences import Sentence, in_currency, in_language, speech

Told = TypeVar("Told")
_PLAIN = (str, int, float, type(None))


def translated(document: Any, language: str) -> Any:
    """A document of dicts and lists with every sentence in a language; all else stays as it is.

    >>> from pitbook.text import say
    >>> translated({"told": [say("engine.words.no-more-bets")], "seat": 1}, "es")
    {'told': ['No va más.'], 'seat': 1}
    """
    return (
        document
        if language == ENGLISH
        else _each(document, partial(in_language, language=language))
    )


def of_currency(document: Any, currency: str | None) -> Any:
    """A document whose money stays of a currency, whatever that of the answer it stands in.

    >>> from pitbook.text import say
    >>> of_currency({"told": [say("words.exactly", amount=500)], "amount": "5.00"}, "GBP")
    {'told': ['exactly £5'], 'amount': '5.00'}
    """
    return _each(document, partial(in_currency, currency=currency))


def _each(document: Any, said: Callable[[Sentence], str]) -> Any:
    """A document with each of its sentences as it is said."""
    if isinstance(document, Sentence):
        return said(document)
    if isinstance(document, dict):
        return {key: _each(value, said) for key, value in document.items()}
    if isinstance(document, list | tuple):
        return [_each(one, said) for one in document]
    return document


def in_own_currency(document: Told, currency: str | None) -> Told:
    """The same where that is no dollars; those are of every answer that says nothing else."""
    return document if currency in (None, DOLLAR) else cast("Told", of_currency(document, currency))


def currency_of_all(currencies: Iterable[str | None]) -> str | None:
    """What sums over several sheets are of; with several currencies they are counted, and no money.

    >>> currency_of_all(["EUR", "EUR"]), currency_of_all(["EUR", None]), currency_of_all([None])
    ('EUR', 'CHIPS', None)
    """
    found = {one or DOLLAR for one in currencies}
    if len(found) > 1:
        return CHIPS
    return next((one for one in found if one != DOLLAR), None)


def said_by(text: str, language: str = ENGLISH) -> dict[str, Any]:
    """The key and the fields of a sentence, as JSON; nothing where a text is no sentence.

    One whose money is of a currency tells its own, not that it is of one.

    >>> from pitbook.text import say
    >>> said_by(say("engine.wagers.nobody-there", seat=3))
    {'key': 'engine.wagers.nobody-there', 'fields': {'seat': 3}}
    """
    if not isinstance(text, Sentence) or not text.key:
        return {}
    if text.key == "form.in-currency":
        return said_by(text.fields["text"], speech(language, text.fields["currency"]))
    fields = {name: _plain(value, language) for name, value in text.fields.items()}
    return {"key": text.key, "fields": fields}


def _plain(value: Any, language: str) -> Any:
    if isinstance(value, Sentence):
        return in_language(value, language)
    if isinstance(value, list | tuple):
        return [_plain(one, language) for one in value]
    return value if isinstance(value, _PLAIN) else str(value)
