"""A tournament in a real ledger: every transfer is accepted and the record matches the state."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.house.nights.tournament.step_lines import EVENT, Evening, T, counts, out, start_play

from pitbook.errors import Overdrawn
from pitbook.house.ledger.ledger import Ledger
from pitbook.house.nights.decision_types import Decision
from pitbook.house.nights.tournament import commands as do
from pitbook.house.nights.tournament import facts
from pitbook.house.nights.tournament.decide import TournamentAccounts
from pitbook.house.nights.tournament.state import replay

STREAM = f"night/{EVENT}"


class LedgerEvening(Evening):
    """A tournament harness that also writes to a ledger."""

    def __init__(self, ledger: Ledger) -> None:
        super().__init__()
        self.ledger, self.epoch = ledger, ledger.claim(STREAM)

    def take(self, decision: Decision) -> None:
        super().take(decision)
        documents = [facts.dump(fact) for fact in decision.facts]
        self.ledger.append(STREAM, self.epoch, documents, list(decision.transfers))


def start_in_ledger(ledger: Ledger) -> LedgerEvening:
    """Four players in a started tournament, recorded in the ledger."""
    evening = LedgerEvening(ledger)
    plan = start_play("ann", "bob", "cal", "dee").facts[0]
    assert isinstance(plan, facts.TournamentCreated)
    evening.do(do.SetUp(T, plan.schedule), *(do.Enter(T, name) for name in ("ann", "bob", "cal")))
    return evening.do(do.Enter(T, "dee"), do.Announce(T), do.DrawSeats(T), do.Start(T))


def test_ledger_balances_match_the_record(tmp_path: Path) -> None:
    with Ledger.open(f"sqlite:///{tmp_path / 'book.db'}") as ledger:
        evening = start_in_ledger(ledger)
        evening.do(do.ReBuy(T, "ann"), do.CountChips(T, 1, counts(ann="9000", bob="10")))
        evening.do(do.Undo(T, evening.t.version), do.PostPrizes(T))
        out(evening, "dee", "cal").do(do.PayOut(T, "cal"))
        out(evening, "bob").do(do.Finish(T)).pay()
        documents = [fact for entry in ledger.entries(STREAM) for fact in entry.facts]
        events = [facts.load(fact) for fact in documents if fact["fact"].startswith("tournament-")]
        assert replay(events) == evening.t
        balances = {account: int(amount) for account, amount in ledger.balances().items() if amount}
        assert balances == {
            account: balance for account, balance in evening.balances.items() if balance
        }
        assert balances == {TournamentAccounts(T).cash: 4_000, TournamentAccounts(T).fees: 4_000}


def test_ledger_refuses_a_prize_paid_twice(tmp_path: Path) -> None:
    with Ledger.open(f"sqlite:///{tmp_path / 'book.db'}") as ledger:
        evening = start_in_ledger(ledger)
        out(evening, "dee", "cal", "bob").do(do.Finish(T))
        decision = evening.ask(do.PayOut(T, "ann"))
        assert isinstance(decision, Decision)
        evening.pay()
        with pytest.raises(Overdrawn):
            ledger.append(STREAM, evening.epoch, [], list(decision.transfers))
