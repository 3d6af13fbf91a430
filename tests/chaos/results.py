"""What the fault tests found, one line each, and the table that a reader gets of it."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TypedDict

COLLECT = "PITBOOK_RELIABILITY"
HEADER = "| check | on | tried | what | acknowledged | wrong | seed |"


class Result(TypedDict):
    """One check: how often what was done, on which database, and how many things were wrong.

    A control is done to something that is known to be broken: there, nothing wrong is wrong.
    """

    check: str
    on: str
    count: int
    what: str
    acknowledged: int
    wrong: int
    first: str
    control: bool
    seed: str


def result(
    check: str,
    *,
    on: str,
    count: int,
    what: str,
    seed: object,
    wrong: Iterable[str] = (),
    acknowledged: int = 0,
    control: bool = False,
) -> Result:
    """A result, also written to the file that PITBOOK_RELIABILITY names."""
    found = list(wrong)
    made = Result(
        check=check,
        on=on,
        count=count,
        what=what,
        acknowledged=acknowledged,
        wrong=len(found),
        first=found[0] if found else "",
        control=control,
        seed=str(seed),
    )
    if collected := os.environ.get(COLLECT):
        with Path(collected).open("a") as file:
            file.write(json.dumps(made) + "\n")  # One write, so that workers do not mix lines.
    return made


def read(path: Path) -> list[Result]:
    """The results in a file, the largest run of each check, in the order of their names."""
    best: dict[tuple[str, str, str], Result] = {}
    for line in path.read_text().splitlines():
        one: Result = json.loads(line)
        key = (one["check"], one["on"], one["what"])
        if key not in best or one["count"] >= best[key]["count"]:
            best[key] = one
    return [best[key] for key in sorted(best)]


def table(results: Iterable[Result]) -> str:
    """The results as a table in Markdown."""
    rows = [
        f"| {one['check']} | {one['on']} | {one['count']:,} | {one['what']} "
        f"| {one['acknowledged']:,} | {one['wrong']:,}{', as it must' if one['control'] else ''} "
        f"| {one['seed']} |"
        for one in results
    ]
    return "\n".join([HEADER, "|---|---|--:|---|--:|--:|---|", *rows]) + "\n"


if __name__ == "__main__":
    sys.stdout.write(table(read(Path(sys.argv[1]))))
