"""Balances on a separate connection that reconnects."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import column, select, table
from tests.house.ledger.kit import ANN, CASH, NOTED, buy_in

from pitbook.errors import LedgerError
from pitbook.house.ledger import ledger as ledger_module
from pitbook.house.ledger.accounts import Account
from pitbook.house.ledger.ledger import Balances, Ledger
from pitbook.money import Cents


def line_of(balances: Balances) -> Any:
    return balances._connection


@pytest.mark.long
def test_balance_is_current_after_an_append(ledger: Ledger) -> None:
    epoch = ledger.claim("t")
    assert ledger.balance(ANN) == 0
    for number in (1, 2, 3):
        ledger.append("t", epoch, [NOTED], [buy_in(ANN, 5)])
        assert (ledger.balance(ANN), ledger.balance(CASH)) == (5 * number, 5 * number)


def test_broken_connection_is_reopened(ledger: Ledger) -> None:
    balances = Balances(ledger.engine)
    assert balances.of(ANN) == 0
    broken = line_of(balances)
    broken.close()
    assert balances.of(ANN) == 0
    assert line_of(balances) is not broken
    balances.close()
    assert line_of(balances) is None
    assert balances.of(ANN) == 0
    balances.close()


def test_unreadable_ledger_raises_not_now(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    balances = Balances(ledger.engine)
    question = balances._sql.replace("account", "nowhere")
    monkeypatch.setattr(balances, "_sql", question)
    with pytest.raises(LedgerError, match=r"The ledger cannot be read"):
        balances.of(ANN)
    assert line_of(balances) is None


def test_sufficient_balance_is_cached_and_insufficient_checked_again(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    queried: list[Account] = []
    balances = ledger._balances
    of = balances.of

    def record(account: Account) -> Cents:
        queried.append(account)
        return of(account)

    monkeypatch.setattr(balances, "of", record)
    epoch = ledger.claim("t")
    assert not ledger.holds(ANN, 1)
    assert ledger.holds(ANN, 0)
    assert queried == [ANN, ANN]
    ledger.append("t", epoch, [NOTED], [buy_in(ANN, 5)])
    assert [ledger.holds(ANN, amount) for amount in (4, 5)] == [True, True]
    assert queried == [ANN, ANN]
    assert not ledger.holds(ANN, 6)
    assert queried == [ANN, ANN, ANN]


@pytest.mark.long
def test_balance_includes_other_processes_appends(ledger: Ledger) -> None:
    epoch = ledger.claim("t")
    ledger.append("t", epoch, [NOTED], [buy_in(ANN, 5)])
    url = ledger.engine.url.render_as_string(hide_password=False)
    with Ledger.open(url) as other:
        other.append("t", epoch, [NOTED], [buy_in(ANN, 5)])
    assert ledger.holds(ANN, 10)
    assert ledger.balance(ANN) == 10


def test_balance_cache_is_bounded(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ledger_module, "CACHED_MAX", 1)
    balances = Balances(ledger.engine)
    balances.update({ANN: Cents(5), CASH: Cents(5)})
    assert balances.at_least(ANN, 5)
    balances.update({CASH: Cents(7)})
    assert balances.at_least(CASH, 7)
    assert not balances.at_least(ANN, 5)
    balances.close()


def test_other_failed_queries_raise_not_now(ledger: Ledger) -> None:
    with pytest.raises(LedgerError, match=r"The ledger cannot be read"):
        ledger._rows(select(column("balance")).select_from(table("nowhere")))
