"""Output language (--language or PITBOOK_LANGUAGE) and the currency of the sheet's casino."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal
from typing import Annotated, Any, NamedTuple, TypeAlias

import typer

from pitbook.text import average, in_language, languages, locale_of, say
from pitbook.text.catalog import ENGLISH
from pitbook.text.sentences import translate_document


class _OutputSettings(NamedTuple):
    """The language and currency of the output."""

    language: str = ENGLISH
    currency: str | None = None

    @property
    def speech(self) -> str:
        return locale_of(self.language, self.currency)


_SETTINGS = [_OutputSettings()]  # A stack; the last one is in force.
_LANGUAGE_NAMES = " or ".join(languages())


def set_language(language: str) -> None:
    """Set the output language."""
    if language != ENGLISH and language not in languages():
        raise typer.BadParameter(say("cli.no-language", language=language, known=list(languages())))
    _SETTINGS[-1] = _OutputSettings(language)


def set_currency(currency: str | None) -> None:
    """Set the output currency to that of the sheet's casino."""
    _SETTINGS[-1] = _SETTINGS[-1]._replace(currency=currency)


@contextmanager
def using_currency(currency: str | None) -> Iterator[None]:
    """Use another currency within the context."""
    _SETTINGS.append(_SETTINGS[-1]._replace(currency=currency))
    try:
        yield
    finally:
        _SETTINGS.pop()


def output_language() -> str:
    """The current output language."""
    return _SETTINGS[-1].language


def localize(text: str) -> str:
    """A sentence in the output language; other text is returned unchanged."""
    target = _SETTINGS[-1].speech
    return text if target == ENGLISH else in_language(text, target)


def localize_json(document: Any) -> Any:
    """A JSON document with its sentences in English and money in the sheet's currency."""
    return translate_document(document, locale_of(ENGLISH, _SETTINGS[-1].currency))


def format_money(cents: int) -> str:
    """An amount as printed."""
    return localize(say("words.money", amount=cents))


def format_dollars(amount: Decimal) -> str:
    """An amount in dollars as printed; it may be negative."""
    sign = "-" if amount < 0 else ""
    return f"{sign}{format_money(int(abs(amount).scaleb(2)))}"


def format_average(money: float, digits: int) -> str:
    """An average amount, which need not be whole cents, as printed."""
    return average(money, digits, _SETTINGS[-1].speech)


def print_lines(*lines: str) -> None:
    """Print lines in the output language and flush them."""
    for line in lines:
        print(localize(line), flush=True)


Language: TypeAlias = Annotated[
    str,
    typer.Option(
        "--language",
        metavar="LANGUAGE",
        envvar="PITBOOK_LANGUAGE",
        help=f"Output language: {_LANGUAGE_NAMES}.",
    ),
]
