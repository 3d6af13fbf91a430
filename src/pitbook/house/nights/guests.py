"""Import of guest lists."""

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
# A picture or a workbook, or letters of an encoding that was not read as what it is.
NO_TEXT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffd]")


class ListedName(NamedTuple):
    """A line of the list, counted from one, and the name in it."""

    line: int
    name: str


def why_no_list(text: str) -> Sentence | None:
    """Why a file as a whole is no list of players; its remedy with it."""
    if len(text) > TEXT_MAX:
        return say("nights.imported.too-long", most=TEXT_MAX)
    if NO_TEXT.search(text):
        return say("nights.imported.no-text")
    heads = next(iter(_cells(text)), (0, [""]))[1]
    if len(heads) > 1 and _columns(heads) is None:
        told = ", ".join(f'"{display_name(one)}"' for one in heads[:HEADS_MAX])
        return say("nights.imported.no-column", heads=told)
    if (count := len(found := rows(text))) > REGISTERED_MAX:
        return say("nights.imported.too-many", count=count, most=REGISTERED_MAX)
    return None if found else say("nights.imported.no-names")


def rows(text: str) -> list[ListedName]:
    """The names of a list, each person once; columns by their heads, else the first one."""
    return list(_listed(text))


@lru_cache(maxsize=1)  # A list is checked first and then read.
def _listed(text: str) -> tuple[ListedName, ...]:
    found: dict[str, ListedName] = {}
    cells = list(_cells(text))
    columns = _columns(cells[0][1]) if cells else None
    for line, row in cells[1:] if columns else cells:
        name = " ".join(row[at] for at in columns or (0,) if at < len(row) and row[at])
        if name:
            found.setdefault(name_key(name), ListedName(line, name))
    return tuple(found.values())


def _cells(text: str) -> Iterator[tuple[int, list[str]]]:
    """Each line that says anything; commas, semicolons or tabs stand between cells."""
    text = text.removeprefix("\ufeff")
    head = text.partition("\n")[0]
    mark = max((",", ";", "\t"), key=head.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=mark)
    while True:
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error:  # A cell of a size that no name has.
            continue
        # A cell of several lines has lost its quotation mark: its name is none, and is shown so.
        told = [" ".join(cell.split()) if "\n" not in cell.strip() else cell for cell in row]
        if any(told):
            yield reader.line_num, told


def _columns(heads: list[str]) -> tuple[int, ...] | None:
    """Where the names stand, if the first line says so."""
    named = [head.casefold() for head in heads]
    found = {
        of: next((at for at, one in enumerate(named) if one in _called(of)), None)
        for of in ("first", "last", "whole")
    }
    if found["first"] is not None and found["last"] is not None:
        return found["first"], found["last"]
    return None if found["whole"] is None else (found["whole"],)


@cache
def _called(of: str) -> frozenset[str]:
    """How a column of names may be called, in every language that there is."""
    said = say("nights.imported.columns", of=of)
    return frozenset(one for each in languages() for one in in_language(said, each).split("|"))
