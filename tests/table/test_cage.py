"""The counter: money in, money out, never more than there is, never from player to player."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from pitbook.errors import LedgerError, Overdrawn, RequestReused, Superseded
from pitbook.ledger.accounts import Account
from pitbook.ledger.book import Ledger
from pitbook.ledger.database import connect
from pitbook.money import Cents
from pitbook.table.cage import Cage

CASH, HOUSE = Account("usd", "cash"), Account("usd", "house")


async def _over_the_counter(ledger: Ledger) -> None:
    cage = Cage(ledger)
    await cage.open(actor="sue")
    await cage.fund(Cents(100_000), actor="sue")
    first = await cage.buy_in("ann", Cents(20_000), actor="sue", request="1")
    assert await cage.buy_in("ann", Cents(20_000), actor="sue", request="1") == first._replace(
        again=True
    )
    await cage.cash_out("ann", Cents(5_000), actor="sue")
    await cage.withdraw(Cents(40_000), actor="sue")
    assert ledger.balances("usd") == {
        CASH: 75_000,
        HOUSE: 60_000,
        Account("usd", "wallet", "ann"): 15_000,
    }
    with pytest.raises(RequestReused):
        await cage.buy_in("ann", Cents(30_000), actor="sue", request="1")
    with pytest.raises(Overdrawn, match=r"wallet:ann holds \$150 and cannot give \$150\.01"):
        await cage.cash_out("ann", Cents(15_001), actor="sue")
    with pytest.raises(Overdrawn, match=r"cash holds \$750 and cannot give \$900"):
        await cage.withdraw(Cents(90_000), actor="sue")
    for name in ("", " ann", "a\nb"):
        with pytest.raises(LedgerError, match="is no player's name"):
            await cage.buy_in(name, Cents(100), actor="sue")
    other = Cage(ledger)
    await other.open()
    with pytest.raises(Superseded):
        await cage.buy_in("ann", Cents(100), actor="sue")
    slips = [fact for entry in ledger.entries("cage") for fact in entry.facts]
    assert [slip["fact"] for slip in slips] == [
        *("claimed", "fund", "buy-in", "cash-out", "withdraw", "claimed")
    ]
    assert slips[2] == {"fact": "buy-in", "player": "ann", "amount": "200.00"}


def test_money_comes_and_goes_over_the_counter(tmp_path: Path) -> None:
    with Ledger(connect(f"sqlite:///{tmp_path / 'book.db'}", synchronous="OFF")) as ledger:
        asyncio.run(_over_the_counter(ledger))
