"""Clauses, reasons and sources that change though no rule does: they are printed, so told."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pitbook.papers.content import Paragraph
from pitbook.sheets.diff import PAPERS_ALONE
from pitbook.sheets.model import Sheet
from pitbook.text import say

TITLED = ("side", "wagers", "streets", "decisions", "variants")
WORDS = ("clause", "note", "document", "dated", "departs")


def changed_words(a: Sheet, b: Sheet) -> Iterator[Paragraph]:
    """Every clause, reason and source of something that both sheets have and that reads otherwise.

    Sheets of two documents have clauses and reasons of their own throughout: that is told as one.
    """
    if a.id != b.id and a.source.document != b.source.document:
        told = {"a": a.source.document, "b": b.source.document}
        yield Paragraph(say("papers.redline.two-documents", **told), "words", verbatim=True)
        return
    before, after = (one.model_dump(mode="json", by_alias=True) for one in (a, b))
    for path, old, new in _pairs(before, after, ()):
        place = _placed(b, path[:-1])
        told = {"place": place, "what": path[-1], "a": old or "", "b": new or ""}
        how = "changed" if old and new else "put-in" if new else "taken-out"
        text = say("papers.redline.worded", how=how, **told)
        yield Paragraph(text, f"words {' '.join(path)}", verbatim=True)


def _placed(sheet: Sheet, path: tuple[str, ...]) -> str:
    """Where something stands, as a reader finds it: a wager by its title and not by its id."""
    named = _title(sheet, path)
    rest = path[2:] if named else path
    return " ".join([*filter(None, [named]), *(one.replace("_", " ") for one in rest)])


def _title(sheet: Sheet, path: tuple[str, ...]) -> str:
    """The title of the wager, street or other pay table that a path leads through, if any."""
    if len(path) < 2 or path[0] not in TITLED:
        return ""
    some = getattr(sheet, path[0])
    found = some[path[1]] if isinstance(some, Mapping) else some[int(path[1]) - 1]
    return str(found.title)


def _pairs(a: Any, b: Any, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Any, Any]]:
    """What both have at a place, all the way down; what one of them lacks is told by the rules."""
    if isinstance(a, dict) and isinstance(b, dict):
        for name in a:
            old, new = a[name], b.get(name)
            if name in PAPERS_ALONE and not path:
                continue
            if name in WORDS and old != new:
                yield (*path, name), old, new
            elif name not in WORDS:
                yield from _pairs(old, new, (*path, name))
    elif isinstance(a, list) and isinstance(b, list) and len(a) == len(b):
        for number, (old, new) in enumerate(zip(a, b, strict=True), start=1):
            yield from _pairs(old, new, (*path, str(number)))
