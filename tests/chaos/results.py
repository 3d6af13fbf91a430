"""Results of the fault tests, and their Markdown table."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TypedDict

RESULTS_VARIABLE = "PITBOOK_RELIABILITY"
HEADER = "| check | on | tried | what | acknowledged | wrong | seed |"


class Result(TypedDict):
    """One check: what ran, how often, on which database, and how many errors it found."""

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
    """A result, also appended to the file that PITBOOK_RELIABILITY names."""
    errors = list(wrong)
    row = Result(
        check=check,
        on=on,
        count=count,
        what=what,
        acknowledged=acknowledged,
        wrong=len(errors),
        first=errors[0] if errors else "",
        control=control,
        seed=str(seed),
    )
    if path := os.environ.get(RESULTS_VARIABLE):
        with Path(path).open("a") as file:
            file.write(json.dumps(row) + "\n")  # One write, so that workers do not mix lines.
    return row


def read_results(path: Path) -> list[Result]:
    """The results in a file: the largest run of each check, sorted by name."""
    best: dict[tuple[str, str, str], Result] = {}
    for line in path.read_text().splitlines():
        row: Result = json.loads(line)
        key = (row["check"], row["on"], row["what"])
        if key not in best or row["count"] >= best[key]["count"]:
            best[key] = row
    return [best[key] for key in sorted(best)]


def markdown_table(results: Iterable[Result]) -> str:
    """The results as a Markdown table."""
    rows = [
        f"| {row['check']} | {row['on']} | {row['count']:,} | {row['what']} "
        f"| {row['acknowledged']:,} | {row['wrong']:,}{', as it must' if row['control'] else ''} "
        f"| {row['seed']} |"
        for row in results
    ]
    return "\n".join([HEADER, "|---|---|--:|---|--:|--:|---|", *rows]) + "\n"


if __name__ == "__main__":
    sys.stdout.write(markdown_table(read_results(Path(sys.argv[1]))))
