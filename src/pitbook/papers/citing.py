"""The clause that a field of a sheet stands under."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from pitbook.sheets.model import Sheet
from pitbook.sheets.values import Rule

__all__ = ["clause_at"]


def clause_at(sheet: Sheet, path: Iterable[str | int]) -> str:
    """The clause of the innermost rule on the way to a field; nothing where there is none.

    What a path leaves out, as which of several streets it is, is taken for the first.
    """
    part: Any = sheet
    found = ""
    for name in path:
        part = _inside(part, name)
        found = part.clause if isinstance(part, Rule) else found
    return found


def _inside(part: Any, name: str | int) -> Any:
    if isinstance(part, tuple):
        if isinstance(name, int):
            return part[name] if name < len(part) else None
        part = part[0] if part else None
    if isinstance(part, Mapping):
        return part.get(name)
    return getattr(part, "value" if name == "is" else str(name), None)
