"""A house that deals the same cards at two tables, in pairs.

Run as a program it is `pitbook`, except that cards follow from PITBOOK_ALIKE, the number of the
table pair and the number of the shoe.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

from tests.browser.page_build import ROOT
from tests.browser.server import UNLIMITED, House
from tests.house.web.server_process import ServerProcess, environment

from pitbook.cards import Card

SEED_VARIABLE = "PITBOOK_ALIKE"
SHOE = "-shoe-"
TABLE_NUMBERS: dict[str, int] = {}


class AlikeHouse(House):
    """A house whose tables come in pairs."""

    def _start_server(self) -> ServerProcess:
        variables = UNLIMITED | {"PYTHONPATH": str(ROOT)} | self._variables
        program = [sys.executable, "-m", "tests.browser.identical_deals"]
        process = subprocess.Popen(
            [*program, "serve", "--port", str(self.port), "--data", str(self.folder)],
            cwd=self.folder.parent,
            env=environment(**variables),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        return ServerProcess(process)


def main() -> None:
    from pitbook.cli import main as pitbook
    from pitbook.house.table import environment as env
    from pitbook.shoe.dealing import seeded_shoe
    from pitbook.shoe.stored_shoe import ShoeRecord

    fresh = vars(env)["fresh"]

    def record_shoe(kind: Any, *, id: str, **given: Any) -> ShoeRecord:  # noqa: A002  As in the shoe module.
        TABLE_NUMBERS.setdefault(id.partition(SHOE)[0], len(TABLE_NUMBERS))
        record: ShoeRecord = fresh(kind, id=id, **given)
        return record

    def draw_cards(record: ShoeRecord, *_others: Any) -> Iterator[Card]:
        table, _, number = record.id.partition(SHOE)
        seed = f"{os.environ[SEED_VARIABLE]} {TABLE_NUMBERS[table] // 2}"
        shoe = seeded_shoe(seed, shoe=number, decks=record.decks)
        return (shoe.draw() for _ in range(shoe.remaining))

    vars(env).update(fresh=record_shoe, drawn=draw_cards)
    pitbook(sys.argv[1:])


if __name__ == "__main__":
    main()
