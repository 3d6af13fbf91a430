"""The language of a command's own sentences: --language, or PITBOOK_LANGUAGE; else English.

JSON stays English, for whoever reads it with a program: a message's key and fields stand beside it.
"""

from __future__ import annotations

from typing import Annotated, TypeAlias

import typer

from pitbook.wording import in_language, languages
from pitbook.wording.catalogue import ENGLISH

__all__ = ["Language", "speak", "spoken", "worded"]

_SPOKEN = {"language": ENGLISH}


def speak(language: str) -> None:
    """From here on sentences are worded in a language."""
    if language != ENGLISH and language not in languages():
        known = " or ".join(languages())
        raise typer.BadParameter(f'"{language}" is not spoken here; write {known}')
    _SPOKEN["language"] = language


def spoken() -> str:
    """The language that sentences are worded in."""
    return _SPOKEN["language"]


def worded(text: str) -> str:
    """A text as it is printed: a sentence in the language that is spoken, all else as it is."""
    return text if spoken() == ENGLISH else in_language(text, spoken())


Language: TypeAlias = Annotated[
    str,
    typer.Option(
        "--language",
        metavar="LANGUAGE",
        envvar="PITBOOK_LANGUAGE",
        help="The language of what is told: en, or es for Spanish.",
    ),
]
