"""The words of the tables that a paper uses, explained where it begins."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from pitbook.papers.content import Paragraph, Section, SmallTables, Table
from pitbook.wording import capital, say

__all__ = ["words"]

# A word is explained where one of its forms stands in the paper's English.
FORMS = {
    "to-one": r" to 1\b",
    "cards": r"\b[2-9tjqka][cdhs] [2-9tjqka][cdhs]\b",
    "times": r"\b\dx\b",
    "ante": r"(?s)\A(?!.*\bis called ante\.).*x the ante\b",  # Where that has another name.
    "push": r"\bpush(es)?\b",
    "fold": r"\bfold(s|ed)?\b",
    "check": r"\bchecks?\b",
    "hole": r"\bhole cards?\b",
    "community": r"\bcommunity cards?\b",
    "qualify": r"\bqualif(y|ies)\b",
    "misdeal": r"\bmisdeal\b",
    "void": r"\bvoids?\b",
    "forfeit": r"\bforfeits?\b",
    "pro-rata": r"\bpro rata\b",
    "fouled": r"\bfouled deck\b",
    "brush": r"\bbrush\b",
}


def words(sections: Iterable[Section]) -> Table | None:
    """A table of the words that stand in some sections, or none."""
    text = " ".join(_texts(sections)).lower()
    found = [word for word, form in FORMS.items() if re.search(form, text)]
    rows = tuple(
        (capital(say("papers.rules.word", word=one)), say("papers.rules.means", word=one))
        for one in found
    )
    return Table(say("papers.rules.words"), ("", ""), rows, "ll", "words") if rows else None


def _texts(sections: Iterable[Section]) -> Iterator[str]:
    for block in (one for section in sections for one in section.blocks):
        if isinstance(block, Paragraph):
            yield f"{block.lead} {block.text}"
        for table in block.tables if isinstance(block, SmallTables) else ():
            yield from (cell for row in table.rows for cell in row)
