"""Check the titles and names that people give for papers, events and houses."""

from __future__ import annotations

import re

from pitbook.csv_files import is_formula
from pitbook.text import Sentence, say
from pitbook.text.user_input import printable

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
