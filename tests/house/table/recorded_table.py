"""A live test table on a real ledger."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.house.table.kit import DEALER, Live
from tests.sheets.samples import modified_text

from pitbook.house.ledger.accounts import Account, Transfer, move
from pitbook.house.ledger.ledger import Ledger
from pitbook.house.table import commands as c
from pitbook.house.table.commands import By, Command
from pitbook.house.table.decide import Decision
from pitbook.house.table.facts import FACTS
from pitbook.money import dollars
from pitbook.sheets.load import load
from pitbook.sheets.model import Sheet


class OnRecord(Live):
    """A live table whose facts and transfers are written to a real ledger."""

    def __init__(self, ledger: Ledger, sheet: Sheet, kind: Any = "house", **settings: Any) -> None:
        self.ledger, self.actor = ledger, "sam"
        cage = ledger.stream("cage")
        self.cage = cage.epoch if cage else ledger.claim("cage", actor="kim")
        self.epoch = ledger.claim(f"table/{settings.get('table', 't1')}", actor="sam")
        super().__init__(sheet, kind, **settings)

    def do(self, by: By | str, *commands: Command) -> Live:
        self.actor = by if isinstance(by, str) else by.name
        return super().do(by, *commands)

    def take(self, decided: Decision) -> None:
        name = f"table/{self.till.table}"
        if decided.facts:
            stored = FACTS.dump_all(decided.facts)
            self.ledger.append(name, self.epoch, stored, decided.transfers, actor=self.actor)
        super().take(decided)

    def buy_in(self, player: str, amount: str) -> Live:
        cash, wallet = Account(self.till.unit, "cash"), self.till.wallet(player)
        moved: Transfer = move(cash, wallet, dollars(amount), "buy-in")
        self.ledger.append("cage", self.cage, [{"fact": "buy-in"}], [moved], actor="kim")
        self.pay(moved)
        return self

    def one_round(self, *plays: tuple[int, str]) -> Live:
        """Close betting and let the seats decide."""
        self.do(DEALER, c.CloseBetting())
        for seat, play in plays:
            player = self.state.seats[seat]
            self.do(player, c.Decide(seat, play))
        return self


def sheet_of(tmp_path: Path, name: str, *changes: tuple[str, str]) -> Sheet:
    path = tmp_path / "sheet.toml"
    path.write_text(modified_text(name, *changes), encoding="utf-8")
    return load(path)
