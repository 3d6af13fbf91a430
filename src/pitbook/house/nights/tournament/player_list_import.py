"""Import a tournament's player list: the names in a text or CSV file, or why it is refused."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import NamedTuple

from pitbook.house.nights.tournament.entry import REGISTERED_MAX
from pitbook.house.people.names import display_name, name_key
from pitbook.text import Sentence, in_language, languages, say

TEXT_MAX = 100_000
HEADS_MAX = 6
# A picture or a workbook, or text in another encoding.
NO_TEXT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffd]")


class ListedName(NamedTuple):
    """A name in the list, and its line number from 1."""

    line: int
    name: str


def list_error(text: str) -> Sentence | None:
    """Why a whole file is not a list of players, with the remedy."""
    if len(text) > TEXT_MAX:
        return say("nights.imported.too-long", most=TEXT_MAX)
    if NO_TEXT.search(text):
        return say("nights.imported.no-text")
    heads = next(iter(_cells(text)), (0, [""]))[1]
    if len(heads) > 1 and _name_columns(heads) is None:
        quoted_heads = ", ".join(f'"{display_name(head)}"' for head in heads[:HEADS_MAX])
        return say("nights.imported.no-column", heads=quoted_heads)
    if (count := len(names := listed_names(text))) > REGISTERED_MAX:
        return say("nights.imported.too-many", count=count, most=REGISTERED_MAX)
    return None if names else say("nights.imported.no-names")


def listed_names(text: str) -> list[ListedName]:
    """The names in a list, each person once. Columns are found by their headings, else the first is
    used.
    """
    return list(_parse_names(text))


@lru_cache(maxsize=1)  # The list is checked first and then read.
def _parse_names(text: str) -> tuple[ListedName, ...]:
    names: dict[str, ListedName] = {}
    cells = list(_cells(text))
    columns = _name_columns(cells[0][1]) if cells else None
    for line, row in cells[1:] if columns else cells:
        name = " ".join(
            row[column] for column in columns or (0,) if column < len(row) and row[column]
        )
        if name:
            names.setdefault(name_key(name), ListedName(line, name))
    return tuple(names.values())


def _cells(text: str) -> Iterator[tuple[int, list[str]]]:
    """The cells of each nonempty line, separated by commas, semicolons or tabs."""
    text = text.removeprefix("\ufeff")
    head = text.partition("\n")[0]
    delimiter = max((",", ";", "\t"), key=head.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    while True:
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error:  # A cell longer than any name.
            continue
        # An unclosed quote joins lines: the cell is kept as read and shown as an error.
        cells = [" ".join(cell.split()) if "\n" not in cell.strip() else cell for cell in row]
        if any(cells):
            yield reader.line_num, cells


def _name_columns(heads: list[str]) -> tuple[int, ...] | None:
    """The columns with the names, according to the headings."""
    headings = [head.casefold() for head in heads]
    columns = {
        name_part: next(
            (column for column, heading in enumerate(headings) if heading in _headings(name_part)),
            None,
        )
        for name_part in ("first", "last", "whole")
    }
    if columns["first"] is not None and columns["last"] is not None:
        return columns["first"], columns["last"]
    return None if columns["whole"] is None else (columns["whole"],)


@cache
def _headings(part: str) -> frozenset[str]:
    """The headings for a column of names, in every language."""
    headings = say("nights.imported.columns", of=part)
    return frozenset(
        heading
        for language in languages()
        for heading in in_language(headings, language).split("|")
    )
