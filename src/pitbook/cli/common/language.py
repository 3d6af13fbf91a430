"""The language of a command's own sentences: --language, or PITBOOK_LANGUAGE; else English.

JSON stays English, for whoever reads it with a program: a message's key and fields stand beside it.
"""

from __future__ import annotations

from typing import Annotated, TypeAlias

import typer

from pitbook.wording import in_language, languages, say
from pitbook.wording.catalogue import ENGLISH

__all__ = ["Language", "speak", "spoken", "tell", "worded"]

_SPOKEN = {"language": ENGLISH}
_KNOWN = " or ".join(languages())


def speak(language: str) -> None:
    """From here on sentences are worded in a language."""
    if language != ENGLISH and language not in languages():
        raise typer.BadParameter(say("cli.no-language", language=language, known=list(languages())))
    _SPOKEN["language"] = language


def spoken() -> str:
    """The language that sentences are worded in."""
    return _SPOKEN["language"]


def worded(text: str) -> str:
    """A text as it is printed: a sentence in the language that is spoken, all else as it is."""
    return text if spoken() == ENGLISH else in_language(text, spoken())


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
