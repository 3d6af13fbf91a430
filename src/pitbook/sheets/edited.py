"""A sheet's file with other pays and caps: the same text, its notes and clauses, other numbers."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from pitbook.errors import SheetError
from pitbook.money import money
from pitbook.sheets.examine import examine
from pitbook.sheets.model import Sheet
from pitbook.sheets.pays import PayTable, pays_of
from pitbook.sheets.places import Places
from pitbook.text import say

FILE = "changed.toml"
_LINE = re.compile(r"""\s*(?:"[^"]*"|'[^']*'|[A-Za-z0-9_-]+)\s*=""")
_VALUE = re.compile(r'"[^"]*"')
_ID = re.compile(r'^id\s*=\s*"[^"]*"', re.MULTILINE)


def edited(text: str, wished: Sheet, name: str) -> str:
    """The text of a sheet as it is wished, under another id; raises SheetError where it cannot be.

    What is written is read again: only a file that says what was wished is given out.
    """
    lines = text.split("\n")
    for wager in ("main", *wished.side):
        lines = _with_table(lines, _header(wager), pays_of(wished, wager))
    changed = _with_caps("\n".join(lines), wished)
    changed = _ID.sub(f'id = "{name}"', changed, count=1)
    read = examine(changed, FILE).sheet
    if read is None or not _says(read, wished, name):
        raise SheetError(say("sheets.edited.not-written", sheet=wished.id))
    return changed


def _header(wager: str) -> str:
    return "[main.pays]" if wager == "main" else f"[side.{wager}.pays]"


def _with_table(lines: Sequence[str], header: str, pays: PayTable) -> list[str]:
    """The lines below a header are those of a pay table, up to the first that is none."""
    if header not in lines:
        return list(lines)
    first = lines.index(header) + 1
    last = first
    while last < len(lines) and _LINE.match(lines[last]):
        last += 1
    table = [f'{_key(line)} = "{pay}"' for line, pay in pays.items()]
    return [*lines[:first], *table, *lines[last:]]


def _key(line: str) -> str:
    return line if re.fullmatch(r"[A-Za-z0-9_-]+", line) else f'"{line}"'


def _with_caps(text: str, wished: Sheet) -> str:
    lines, places = text.split("\n"), Places(text)
    for number, limit in enumerate(wished.limits):
        line, column = places.value(("limits", number, "pays_max"))
        before, after = lines[line - 1][: column - 1], lines[line - 1][column - 1 :]
        lines[line - 1] = before + _VALUE.sub(f'"{money(limit.pays_max)}"', after, count=1)
    return "\n".join(lines)


def _says(read: Sheet, wished: Sheet, name: str) -> bool:
    tables: Mapping[str, PayTable] = {one: pays_of(read, one) for one in ("main", *wished.side)}
    caps = [limit.pays_max for limit in read.limits]
    return (
        read.id == name
        and all(
            list(table.items()) == list(pays_of(wished, one).items())
            for one, table in tables.items()
        )
        and caps == [limit.pays_max for limit in wished.limits]
    )
