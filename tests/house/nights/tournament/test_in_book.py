"""A tournament in a real book: the ledger takes every transfer, and the record is the state."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.house.nights.tournament.evening import EVENT, Evening, T, counts, out, started

from pitbook.errors import Overdrawn
from pitbook.house.ledger.journal import Ledger
from pitbook.house.nights.facts import Decided
from pitbook.house.nights.tournament import commands as do
from pitbook.house.nights.tournament import facts
from pitbook.house.nights.tournament.decide import TournamentTill
from pitbook.house.nights.tournament.state import folded

STREAM = f"night/{EVENT}"


class Booked(Evening):
    """An evening whose decisions are written as well."""

    def __init__(self, ledger: Ledger) -> None:
        super().__init__()
        self.ledger, self.epoch = ledger, ledger.claim(STREAM)

    def take(self, decided: Decided) -> None:
        super().take(decided)
        kept = [facts.dump(fact) for fact in decided.facts]
        self.ledger.append(STREAM, self.epoch, kept, list(decided.transfers))


def booked(ledger: Ledger) -> Booked:
    """Four players who have started, written down."""
    evening = Booked(ledger)
    plan = started("ann", "bob", "cal", "dee").facts[0]
    assert isinstance(plan, facts.WasSetUp)
    evening.do(do.SetUp(T, plan.schedule), *(do.Enter(T, one) for one in ("ann", "bob", "cal")))
    return evening.do(do.Enter(T, "dee"), do.Announce(T), do.DrawSeats(T), do.Start(T))


def test_the_book_and_the_record_agree(tmp_path: Path) -> None:
    with Ledger.open(f"sqlite:///{tmp_path / 'book.db'}") as ledger:
        evening = booked(ledger)
        evening.do(do.ReBuy(T, "ann"), do.CountChips(T, 1, counts(ann="9000", bob="10")))
        evening.do(do.Undo(T, evening.t.version), do.PostPrizes(T))
        out(evening, "dee", "cal").do(do.PayOut(T, "cal"))
        out(evening, "bob").do(do.Finish(T)).pay()
        kept = [fact for entry in ledger.entries(STREAM) for fact in entry.facts]
        told = [facts.load(fact) for fact in kept if fact["fact"].startswith("tournament-")]
        assert folded(told) == evening.t
        held = {account: int(amount) for account, amount in ledger.balances().items() if amount}
        assert held == {account: one for account, one in evening.balances.items() if one}
        assert held == {TournamentTill(T).cash: 4_000, TournamentTill(T).fees: 4_000}


def test_the_book_refuses_a_prize_that_is_paid_twice(tmp_path: Path) -> None:
    with Ledger.open(f"sqlite:///{tmp_path / 'book.db'}") as ledger:
        evening = booked(ledger)
        out(evening, "dee", "cal", "bob").do(do.Finish(T))
        decided = evening.ask(do.PayOut(T, "ann"))
        assert isinstance(decided, Decided)
        evening.pay()
        with pytest.raises(Overdrawn):
            ledger.append(STREAM, evening.epoch, [], list(decided.transfers))
