"""Output language (--language or PITBOOK_LANGUAGE) and the currency of the sheet's house."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any, NamedTuple, TypeAlias

import typer

from pitbook.text import average, in_language, languages, say, speech
from pitbook.text.catalogue import ENGLISH
from pitbook.text.documents import translated


class _Told(NamedTuple):
    """How sentences are worded from here on."""

    language: str = ENGLISH
    currency: str | None = None

    @property
    def speech(self) -> str:
        return speech(self.language, self.currency)


_TOLD = [_Told()]  # The last one holds.
_KNOWN = " or ".join(languages())


def speak(language: str) -> None:
    """From here on sentences are worded in a language."""
    if language != ENGLISH and language not in languages():
        raise typer.BadParameter(say("cli.no-language", language=language, known=list(languages())))
    _TOLD[-1] = _Told(language)


def dealt_in(currency: str | None) -> None:
    """From here on money is of the currency that a sheet's house names."""
    _TOLD[-1] = _TOLD[-1]._replace(currency=currency)


@contextmanager
def in_money_of(currency: str | None) -> Iterator[None]:
    """What is told inside is in a currency."""
    _TOLD.append(_TOLD[-1]._replace(currency=currency))
    try:
        yield
    finally:
        _TOLD.pop()


def spoken() -> str:
    """The language that sentences are worded in."""
    return _TOLD[-1].language


def worded(text: str) -> str:
    """A text as it is printed: a sentence in the language that is spoken, all else as it is."""
    told = _TOLD[-1].speech
    return text if told == ENGLISH else in_language(text, told)


def in_json(document: Any) -> Any:
    """A document as JSON tells it: in English, in the money of the sheet's house."""
    return translated(document, speech(ENGLISH, _TOLD[-1].currency))


def money_told(cents: int) -> str:
    """An amount as it is printed."""
    return worded(say("words.money", amount=cents))


def average_told(money: float, digits: int) -> str:
    """Money that need not be whole cents, as it is printed."""
    return average(money, digits, _TOLD[-1].speech)


def tell(*lines: str) -> None:
    """Print lines in the language that is spoken; nothing of them waits."""
    for line in lines:
        print(worded(line), flush=True)


Language: TypeAlias = Annotated[
    str,
    typer.Option(
        "--language",
        metavar="LANGUAGE",
        envvar="PITBOOK_LANGUAGE",
        help=f"The language of what is told: {_KNOWN}.",
    ),
]
