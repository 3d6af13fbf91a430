"""Quote what a user wrote, suggest the word that was meant, and check titles and names."""

from __future__ import annotations

import datetime
import difflib
import json
import re
from collections.abc import Iterable
from typing import Any

from pitbook.csv_files import is_formula
from pitbook.text import Sentence, say


def show_value(value: Any) -> str:
    """A value roughly as TOML writes it, shortened if long.

    >>> show_value(True), show_value("x")
    ('true', '"x"')
    """
    if isinstance(value, datetime.date | datetime.time):
        return str(value)
    try:
        text = json.dumps(value, ensure_ascii=False, default=str)
    except (TypeError, ValueError, RecursionError):  # An extreme number or nesting.
        return "(too long to print)"
    return text if len(text) <= 60 else text[:57] + "..."


def printable(text: str) -> str:
    r"""The text in one line, with control characters escaped.

    >>> printable("a\tb")
    'a\\tb'
    """
    if text.isprintable():
        return text
    plain = "".join(
        character if character.isprintable() else ascii(character)[1:-1] for character in text
    )
    if not isinstance(text, Sentence):
        return plain
    return Sentence(
        plain,
        text.key,
        {name: _printable_field(field_value) for name, field_value in text.fields.items()},
    )


def _printable_field(field: Any) -> Any:
    if isinstance(field, tuple):
        return tuple(map(_printable_field, field))
    return printable(field) if isinstance(field, str) else field


def did_you_mean(word: str, choices: Iterable[str]) -> Sentence:
    """A remedy for a misspelled word: the nearest choice or the only one, else a list."""
    names = list(choices)
    near = difflib.get_close_matches(word, names, n=1, cutoff=0.6)
    if near or len(names) == 1:
        return say("findings.did-you-mean", word=[*near, *names][0])
    if len(names) > 12:
        return say("findings.known-and-more", words=tuple(names[:12]))
    return say("findings.known", words=tuple(names))


# Invisible letters and marks; unprintable characters are refused anyway.
HIDDEN = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
TEMPLATE = re.compile(r"\{[{%#]|[$#]\{|<%")  # Start of a template expression.
QUOTED_MAX = 60  # Characters of a refused title that the message quotes.


def title_error(field: str, title: str) -> Sentence | None:
    """Why a title, or the name of anything, is refused; None if it is fine.

    A title is one line with a letter or a digit in it, and neither a formula nor a template.
    """
    if not title.strip():
        return say("identity.titles.empty", field=field)
    if not title.isprintable():
        return say("identity.titles.one-line", field=field)
    if not any(map(str.isalnum, HIDDEN.sub("", title))):
        return say("identity.titles.no-letter", field=field, title=printable(title[:QUOTED_MAX]))
    if TEMPLATE.search(title):
        return say("identity.titles.template", field=field, title=printable(title[:QUOTED_MAX]))
    if is_formula(title):
        return say("identity.titles.formula", field=field, title=printable(title[:QUOTED_MAX]))
    return None
