"""How two sheets differ, in words that a manager reads aloud."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pitbook.sheets.families import Sheet
from pitbook.sheets.findings import Path

LEFT_OUT = ("clause", "note", "source", "format")
_MONEY = re.compile(r"[0-9]+\.[0-9]{2}")


@dataclass(frozen=True)
class Difference:
    """One field that differs; None where a sheet does not have it."""

    path: Path
    a: str | None
    b: str | None
    words: str


def diff(a: Sheet, b: Sheet) -> list[Difference]:
    """Every rule that differs between two sheets; clauses and notes are not rules."""
    return list(_tables(_plain(a), _plain(b), ()))


def _plain(sheet: Sheet) -> dict[str, Any]:
    return sheet.model_dump(mode="json", by_alias=True)


def _tables(a: dict[str, Any], b: dict[str, Any], path: Path) -> Iterator[Difference]:
    for name in [*a, *(one for one in b if one not in a)]:
        if name not in LEFT_OUT:
            yield from _values(a.get(name), b.get(name), (*path, name))


def _values(a: Any, b: Any, path: Path) -> Iterator[Difference]:
    if a == b:
        return
    if isinstance(a, dict) and isinstance(b, dict):
        yield from _tables(a, b, path)
    elif _tables_in(a) and _tables_in(b):
        for number in range(max(len(a), len(b))):
            yield from _values(_at(a, number), _at(b, number), (*path, number))
    elif isinstance(a, dict) or isinstance(b, dict):
        yield _only_one(a, b, path)
    else:
        yield _difference(_said(a), _said(b), path)


def _tables_in(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(one, dict) for one in value)


def _at(values: list[Any], number: int) -> Any:
    return values[number] if number < len(values) else None


def _only_one(a: Any, b: Any, path: Path) -> Difference:
    has, table = ("the first", a) if a is not None else ("the second", b)
    summary = _summary(table)
    words = f"only {has} has {_label(path)}" + (f": {summary}" if summary else "")
    return Difference(path, _summary(a), _summary(b), words)


def _summary(table: Any) -> str | None:
    """A table in one line: its simple fields, or its value where it is a choice."""
    if table is None:
        return None
    if not isinstance(table, dict):
        return _said(table)
    if "is" in table:
        return _said(table["is"])
    parts = []
    for name, value in table.items():
        if name in LEFT_OUT or value is None:
            continue
        inner = _summary(value) if isinstance(value, dict) else _said(value)
        if inner:
            parts.append(f"{_word(name)} {inner}")
    return ", ".join(parts)


def _difference(a: str | None, b: str | None, path: Path) -> Difference:
    if len(path) > 1 and path[-2] == "pays":
        words = f"{_label(path[:-2])}: {_word(path[-1])} {_pays(a)} against {_pays(b)}"
    else:
        words = f"{_label(path)}: {a or 'nothing'} against {b or 'nothing'}"
    return Difference(path, a, b, words)


def _pays(pay: str | None) -> str:
    if pay is None:
        return "loses"
    return "pushes" if pay == "push" else f"pays {pay}"


def _said(value: Any) -> str | None:
    if value is None:
        return None
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(f"({_said(one)})" if isinstance(one, list) else f"{one}" for one in value)
    text = str(value)
    return f"${text.removesuffix('.00')}" if _MONEY.fullmatch(text) else text


def _label(path: Path) -> str:
    words = [f"{step + 1}" if isinstance(step, int) else _word(step) for step in path]
    return " ".join(word for word in words if word not in ("is", "side", ""))


def _word(step: str | int) -> str:
    return str(step).replace("_", " ") if "-" not in str(step) else str(step)
