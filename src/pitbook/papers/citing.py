"""The clause that a field of a sheet stands under, and how a margin prints it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from pitbook.sheets.clauses import is_unread
from pitbook.sheets.model import Sheet
from pitbook.sheets.values import Rule
from pitbook.text import say


def margin(clause: str) -> str:
    """The clause as the margin of a paper prints it: a dagger marks a section that was not read."""
    return say("papers.unread", clause=clause) if is_unread(clause) else clause


def clause_at(sheet: Sheet, path: Iterable[str | int]) -> str:
    """The clause of the innermost rule on the way to a field; nothing where there is none.

    What a path leaves out, as which of several streets it is, is taken for the first.
    """
    part: Any = sheet
    found = ""
    for name in path:
        steps = [*_inside(part, name)]
        rules = [one.clause for one in steps if isinstance(one, Rule)]
        part, found = steps[-1], rules[-1] if rules else found
    return found


def _inside(part: Any, name: str | int) -> Iterator[Any]:
    """What a step leads to, by way of the first of several where it does not say which."""
    if isinstance(part, tuple):
        if isinstance(name, int):
            yield part[name] if name < len(part) else None
            return
        part = part[0] if part else None
        yield part
    if isinstance(part, Mapping):
        yield part.get(name)
    else:
        yield getattr(part, "value" if name == "is" else str(name), None)
