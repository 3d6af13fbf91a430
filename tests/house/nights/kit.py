"""A night over a real book, a clock moved by hand, and tables whose rounds a test makes up."""

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
from pitbook.house.nights.house_rules import HouseRules, kept_rules, load
from pitbook.house.nights.state import NightState
from pitbook.house.nights.statement import Statement, statement
from pitbook.house.nights.store import Accepted, Answer, Night
from pitbook.house.table.state import dump_sheet
from pitbook.money import dollars, money
from pitbook.rules.refusals import Refusal
from pitbook.sheets.model import Sheet
from pitbook.sheets.values import choice

EVENT, ZONE = "gala", "America/New_York"
DAY = "2026-11-21"
EIGHT = datetime(2026, 11, 22, 1, 0, tzinfo=UTC)  # Eight in the evening of that day, over there.
RULES = load("oceanfront")
OMS = load_sheet("oceanfront/mississippi-stud")
CMS = load_sheet("catfish-bend/mississippi-stud")
MHL = load_sheet("catfish-bend/matchem-hi-lo")


def making(**changed: Any) -> do.Make:
    """The command that makes the night."""
    rules = changed.pop("rules", RULES)
    given = {
        "event": EVENT,
        "charity": "Seacoast Shelter",
        "licence": "NH-2026-117",
        "gaming_date": DAY,
        "zone": ZONE,
        "house": kept_rules(rules),
    }
    return do.Make(**{**given, **changed})


def until_midnight() -> HouseRules:
    """The same house, whose gaming day ends at midnight."""
    ends = choice("midnight", "OMS-17")
    return RULES.model_copy(update={"chips": RULES.chips.model_copy(update={"day_ends": ends})})


class Evening:
    """One night, asked by kim at the cage."""

    def __init__(self, path: Path, *, rules: HouseRules = RULES, opened: bool = True) -> None:
        path.mkdir(parents=True, exist_ok=True)
        self.folder = fast_folder(path)
        self.ledger = self.folder.ledger
        self.now = EIGHT
        self.night = self.another()
        self.must(making(rules=rules))
        if opened:
            self.must(do.Open())

    def another(self) -> Night:
        """The same night as another process has it."""
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
        return money(self.ledger.balance(self.state.till.wallet(player)))

    def holds(self, account: Account) -> str:
        return money(self.ledger.balance(account))

    def later(self, **time: int) -> None:
        self.now += timedelta(**time)

    def admit(self, table: str = "stud-1", sheet: Sheet = OMS, **how: Any) -> Answer:
        return self.ask(do.AdmitTable(table, dump_sheet(sheet), **how))

    def round(self, table: str, nets: Mapping[str, int], result: str = "settled") -> None:
        """A round as a live table would write it: what each player won or lost, in cents."""
        till, stream = self.state.till, f"table/{table}"
        rack = Account(till.unit, "rack", table)
        moved: list[Transfer] = []
        needed = sum(net for net in nets.values() if net > 0)
        if needed:
            moved.append(move(till.house, rack, needed, "fill"))
        for seat, (player, net) in enumerate(nets.items(), start=1):
            held = Account(till.unit, "held", f"{table}/{seat}")
            if net > 0:
                moved.append(move(rack, till.wallet(player), net, "win"))
            elif net < 0:
                moved.append(move(till.wallet(player), held, -net, "put"))
                moved.append(move(held, rack, -net, "lose"))
        report = {"result": result, "seats": [], "house_net": money(-sum(nets.values()))}
        self._written(
            stream, {"fact": "settled", "round": f"{table}-000001", "report": report}, moved
        )

    def retire(self, table: str) -> None:
        """The rack goes back, as when a live table retires."""
        till = self.state.till
        rack = Account(till.unit, "rack", table)
        left = self.ledger.balance(rack)
        back = [move(rack, till.house, left, "retired")] if left else []
        self._written(f"table/{table}", {"fact": "retired", "rack": money(left)}, back)

    def statement(self) -> Statement:
        return statement(self.night, at=self.now.isoformat())

    def _written(self, stream: str, fact: dict[str, Any], moved: list[Transfer]) -> None:
        self.ledger.append(stream, self.ledger.claim(stream), [fact], moved)

    def close(self) -> None:
        self.folder.close()
