"""A house that deals alike at two tables: what the first of them is dealt, the second is too.

Run as a program it is `pitbook` but for the order of its cards, which follow from PITBOOK_ALIKE,
from the table's place among all tables, two by two, and from how many shoes it has had.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

from tests.browser.built import ROOT
from tests.browser.house import WIDE, House
from tests.house.web.served import Served, environment

from pitbook.cards import Card

SEED = "PITBOOK_ALIKE"
SHOE = "-shoe-"
PLACES: dict[str, int] = {}


class AlikeHouse(House):
    """The same house, whose tables are opened two by two."""

    def _started(self) -> Served:
        variables = WIDE | {"PYTHONPATH": str(ROOT)} | self._variables
        program = [sys.executable, "-m", "tests.browser.alike"]
        process = subprocess.Popen(
            [*program, "serve", "--port", str(self.port), "--data", str(self.folder)],
            cwd=self.folder.parent,
            env=environment(**variables),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        return Served(process)


def main() -> None:
    from pitbook.cli import main as pitbook
    from pitbook.house.table import env
    from pitbook.shoe.record import ShoeRecord
    from pitbook.shoe.seeded import seeded

    fresh = vars(env)["fresh"]

    def noted(kind: Any, *, id: str, **given: Any) -> ShoeRecord:  # noqa: A002  As the shoe has it.
        PLACES.setdefault(id.partition(SHOE)[0], len(PLACES))
        made: ShoeRecord = fresh(kind, id=id, **given)
        return made

    def drawn(record: ShoeRecord, *_others: Any) -> Iterator[Card]:
        table, _, number = record.id.partition(SHOE)
        word = f"{os.environ[SEED]} {PLACES[table] // 2}"
        shoe = seeded(word, shoe=number, decks=record.decks)
        return (shoe.draw() for _ in range(shoe.left))

    vars(env).update(fresh=noted, drawn=drawn)
    pitbook(sys.argv[1:])


if __name__ == "__main__":
    main()
