"""A list of players from a spreadsheet: names line by line, and what is wrong with a line."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from typing import NamedTuple

from pitbook.identity.names import key

__all__ = ["TEXT_MAX", "Row", "rows"]

TEXT_MAX = 100_000
# How columns are called, in the languages of the page.
WHOLE = ("name", "player", "player name", "nombre", "jugador", "nombre del jugador")
FIRST = ("first name", "first", "given name", "nombre de pila")
LAST = ("last name", "last", "surname", "family name", "apellido", "apellidos")


class Row(NamedTuple):
    """A line of the list, counted from one, and the name in it."""

    line: int
    name: str


def rows(text: str) -> list[Row]:
    """The names of a list, each person once; columns by their heads, else the first one."""
    found: dict[str, Row] = {}
    cells = list(_cells(text))
    columns = _columns(cells[0][1]) if cells else None
    for line, row in cells[1:] if columns else cells:
        name = " ".join(row[at] for at in columns or (0,) if at < len(row) and row[at])
        if name:
            found.setdefault(key(name), Row(line, name))
    return list(found.values())


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
        told = [" ".join(cell.split()) for cell in row]
        if any(told):
            yield reader.line_num, told


def _columns(heads: list[str]) -> tuple[int, ...] | None:
    """Where the names stand, if the first line says so."""
    named = [head.casefold() for head in heads]
    both = [
        next((at for at, one in enumerate(named) if one in names), None) for names in (FIRST, LAST)
    ]
    if both[0] is not None and both[1] is not None:
        return both[0], both[1]
    whole = next((at for at, one in enumerate(named) if one in WHOLE), None)
    return None if whole is None else (whole,)
