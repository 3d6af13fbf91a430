"""Many alike are one line: a restart takes over every table, and a guesser tries many passwords.

Else they would bury the one void that an inspector looks for. Asked for by kind, all are told.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from pitbook.house.table.past.exceptions import Exceptional, ExceptionKind
from pitbook.house.table.streams import TABLE

ALIKE: tuple[ExceptionKind, ...] = ("take-over", "sign-in")
GAP = timedelta(minutes=1)
NAMES_MAX = 20


def gathered(found: Iterable[Exceptional]) -> list[Exceptional]:
    """Exceptions, oldest first; those that follow on their like within a minute are one."""
    made: list[Exceptional] = []
    last: dict[str, int] = {}  # Where the last of a kind of event stands.
    for one in found:
        place = last.get(one.what)
        if one.kind not in ALIKE:
            made.append(one)
        elif place is not None and _follows(made[place], one):
            made[place] = _joined(made[place], one)
        else:
            last[one.what] = len(made)
            made.append(one)
    return made


def _follows(before: Exceptional, one: Exceptional) -> bool:
    ended = datetime.fromisoformat(before.until or before.at)
    return datetime.fromisoformat(one.at) - ended <= GAP


def _joined(before: Exceptional, one: Exceptional) -> Exceptional:
    names = dict.fromkeys((*(before.names or _named(before)), *_named(one)))
    return before._replace(
        seq=None,
        before=None,
        after=None,
        times=before.times + 1,
        until=one.at,
        names=tuple(names)[:NAMES_MAX],
    )


def _named(one: Exceptional) -> tuple[str, ...]:
    """The table that was taken over, or whose password was tried."""
    name = one.stream if one.kind == "take-over" else (one.after or {}).get("name", one.who)
    return (str(name).removeprefix(TABLE),)
