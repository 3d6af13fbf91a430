"""A night in a real ledger, with a manual clock and scripted rounds."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from tests.house.web.conftest import fast_folder

from pitbook import load as load_sheet
from pitbook.house.ledger.accounts import Account, Transfer, move
from pitbook.house.nights import commands as do
from pitbook.house.nights.decide import Command
from pitbook.house.nights.house_rules import HouseRules, load, stored_rules
from pitbook.house.nights.state import NightState
from pitbook.house.nights.statement import Statement, statement
from pitbook.house.nights.store import Accepted, Answer, Night
from pitbook.house.table.stored_sheets import dump_sheet
from pitbook.money import dollars, money
from pitbook.rules.refusals import Refusal
from pitbook.sheets.field_types import choice
from pitbook.sheets.model import Sheet

EVENT, ZONE = "gala", "America/New_York"
DAY = "2026-11-21"
EIGHT = datetime(2026, 11, 22, 1, 0, tzinfo=UTC)  # Eight in the evening of that day, over there.
RULES = load("oceanfront")
OMS = load_sheet("oceanfront/mississippi-stud")
CMS = load_sheet("catfish-bend/mississippi-stud")
MHL = load_sheet("catfish-bend/matchem-hi-lo")


def make_command(**changed: Any) -> do.Make:
    rules = changed.pop("rules", RULES)
    fields = {
        "event": EVENT,
        "charity": "Seacoast Shelter",
        "licence": "NH-2026-117",
        "gaming_date": DAY,
        "zone": ZONE,
        "house": stored_rules(rules),
    }
    return do.Make(**{**fields, **changed})


def rules_until_midnight() -> HouseRules:
    """Oceanfront's rules with a gaming day that ends at midnight."""
    ends = choice("midnight", "OMS-17")
    return RULES.model_copy(update={"chips": RULES.chips.model_copy(update={"day_ends": ends})})


class Evening:
    """One night, operated by kim at the cage."""

    def __init__(self, path: Path, *, rules: HouseRules = RULES, opened: bool = True) -> None:
        path.mkdir(parents=True, exist_ok=True)
        self.folder = fast_folder(path)
        self.ledger = self.folder.ledger
        self.now = EIGHT
        self.night = self.another()
        self.must(make_command(rules=rules))
        if opened:
            self.must(do.Open())

    def another(self) -> Night:
        """The same night as another process reads it."""
        return Night(self.ledger, EVENT, clock=lambda: self.now, draw=lambda n: n - 1)

    @property
    def state(self) -> NightState:
        return self.night.state

    def ask(self, command: Command, request: str | None = None, by: str = "kim") -> Answer:
        return self.night.give(command, actor=by, request=request)

    def must(self, command: Command, **how: Any) -> Accepted:
        answer = self.ask(command, **how)
        assert isinstance(answer, Accepted), answer
        return answer

    def no(self, command: Command, **how: Any) -> Refusal:
        before = self.ledger.balances(), self.state
        answer = self.ask(command, **how)
        assert isinstance(answer, Refusal), answer
        assert (self.ledger.balances(), self.state) == before
        return answer

    def sell(self, player: str, amount: str) -> int:
        return self.must(do.Sell(player, dollars(amount))).slip

    def redeem(self, player: str, amount: str) -> int:
        return self.must(do.Redeem(player, dollars(amount))).slip

    def chips(self, player: str) -> str:
        return money(self.ledger.balance(self.state.accounts.wallet(player)))

    def holds(self, account: Account) -> str:
        return money(self.ledger.balance(account))

    def later(self, **time: int) -> None:
        self.now += timedelta(**time)

    def admit(self, table: str = "stud-1", sheet: Sheet = OMS, **how: Any) -> Answer:
        return self.ask(do.AdmitTable(table, dump_sheet(sheet), **how))

    def round(self, table: str, nets: Mapping[str, int], result: str = "settled") -> None:
        """Book a round as a live table would, from each player's win or loss in cents."""
        till, stream = self.state.accounts, f"table/{table}"
        rack = Account(till.unit, "rack", table)
        transfers: list[Transfer] = []
        fill = sum(net for net in nets.values() if net > 0)
        if fill:
            transfers.append(move(till.house, rack, fill, "fill"))
        for seat, (player, net) in enumerate(nets.items(), start=1):
            held = Account(till.unit, "held", f"{table}/{seat}")
            if net > 0:
                transfers.append(move(rack, till.wallet(player), net, "win"))
            elif net < 0:
                transfers.append(move(till.wallet(player), held, -net, "put"))
                transfers.append(move(held, rack, -net, "lose"))
        report = {"result": result, "seats": [], "house_net": money(-sum(nets.values()))}
        self._append(
            stream, {"fact": "settled", "round": f"{table}-000001", "report": report}, transfers
        )

    def retire(self, table: str) -> None:
        """Retire a table: its rack returns to the house."""
        till = self.state.accounts
        rack = Account(till.unit, "rack", table)
        rack_balance = self.ledger.balance(rack)
        transfers = [move(rack, till.house, rack_balance, "retired")] if rack_balance else []
        self._append(f"table/{table}", {"fact": "retired", "rack": money(rack_balance)}, transfers)

    def statement(self) -> Statement:
        return statement(self.night, at=self.now.isoformat())

    def _append(self, stream: str, fact: dict[str, Any], transfers: list[Transfer]) -> None:
        self.ledger.append(stream, self.ledger.claim(stream), [fact], transfers)

    def close(self) -> None:
        self.folder.close()
