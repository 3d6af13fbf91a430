"""The paragraphs of a rules paper that change, with deletions struck and insertions underlined."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import NamedTuple

from pitbook.printing.content import Block, Paragraph, Table, numbered_blocks, plain
from pitbook.printing.rules import rules
from pitbook.sheets.model import Sheet
from pitbook.text import say

Edit = tuple[str, str]  # "same", "deleted" or "inserted", and the text.
WORD = re.compile(r"\S+\s*")


class _Passage(NamedTuple):
    """A paragraph or a row of a table as it is printed."""

    number: str
    section: str
    text: str
    clauses: tuple[str, ...]


def amended_rules(a: Sheet, b: Sheet, languages: list[str]) -> Iterator[Block]:
    """Every passage that differs, in the order of the new paper; deleted ones end their section."""
    before, after = (
        dict(_find_passages(sheet, language))
        for sheet, language in zip((a, b), languages, strict=True)
    )
    sections = dict.fromkeys(passage.section for passage in (*after.values(), *before.values()))
    for section in sections:
        keys = [key for key, passage in after.items() if passage.section == section]
        keys += [key for key in before if key not in after and before[key].section == section]
        for key in keys:
            old, new = before.get(key), after.get(key)
            if (old and old.text) != (new and new.text):
                yield _marked_paragraph(key, old, new)


def _marked_paragraph(key: str, old: _Passage | None, new: _Passage | None) -> Paragraph:
    passage = new or old
    assert passage is not None
    edits = tuple(compare_words(old.text if old else "", new.text if new else ""))
    return Paragraph(
        new.text if new else "",
        f"amended {key}",
        passage.clauses,
        lead=say("papers.redline.paragraph", number=passage.number, deleted=new is None),
        verbatim=True,
        edits=edits,
    )


def compare_words(old: str, new: str) -> Iterator[Edit]:
    """The edits that turn one text into the other, word by word.

    >>> list(compare_words("pays 6 to 1", "pays 7 to 1"))
    [('same', 'pays '), ('deleted', '6 '), ('inserted', '7 '), ('same', 'to 1')]
    """
    a, b = WORD.findall(old), WORD.findall(new)
    for kind, first, last, start, end in SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        if kind == "equal":
            yield "same", "".join(b[start:end])
            continue
        if last > first:
            yield "deleted", "".join(a[first:last])
        if end > start:
            yield "inserted", "".join(b[start:end])


def _find_passages(sheet: Sheet, language: str) -> Iterator[tuple[str, _Passage]]:
    for entry in numbered_blocks(rules(sheet)):
        block = entry.block
        if isinstance(block, Paragraph):
            printed = plain(block, language)
            text = " ".join(filter(None, (printed["lead"], printed["text"])))
            yield block.key, _Passage(entry.number, entry.section, text, block.clauses)
        elif isinstance(block, Table):
            yield from _rows(block, entry.number, entry.section, language)


def _rows(table: Table, number: str, section: str, language: str) -> Iterator[tuple[str, _Passage]]:
    printed = plain(table, language)
    named = 2 if len(table.align) > len("lrr") else 1  # A long row opens with a seat and a wager.
    for row in printed["rows"]:
        text = ": ".join(filter(None, (printed["title"], ", ".join(filter(None, row)))))
        key = " ".join((table.key, *row[:named]))
        yield key, _Passage(number, section, text, table.clauses)
