"""Balances on a line of their own, which breaks and is mended."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import column, select, table
from tests.house.ledger.kit import ANN, CASH, NOTED, buy_in

from pitbook.errors import LedgerError
from pitbook.house.ledger import journal
from pitbook.house.ledger.accounts import Account
from pitbook.house.ledger.journal import Balances, Ledger
from pitbook.money import Cents


def line_of(balances: Balances) -> Any:
    return balances._line


@pytest.mark.long
def test_what_was_moved_is_there_at_once(ledger: Ledger) -> None:
    epoch = ledger.claim("t")
    assert ledger.balance(ANN) == 0
    for number in (1, 2, 3):
        ledger.append("t", epoch, [NOTED], [buy_in(ANN, 5)])
        assert (ledger.balance(ANN), ledger.balance(CASH)) == (5 * number, 5 * number)


def test_a_line_that_broke_is_opened_anew(ledger: Ledger) -> None:
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


def test_a_book_that_cannot_be_read_is_told(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    balances = Balances(ledger.engine)
    question = balances._question.replace("account", "nowhere")
    monkeypatch.setattr(balances, "_question", question)
    with pytest.raises(LedgerError, match=r"the book cannot be read: .*nowhere"):
        balances.of(ANN)
    assert line_of(balances) is None


def test_a_yes_may_be_remembered_and_a_no_is_asked_for(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Account] = []
    balances = ledger._balances
    of = balances.of

    def noted(account: Account) -> Cents:
        asked.append(account)
        return of(account)

    monkeypatch.setattr(balances, "of", noted)
    epoch = ledger.claim("t")
    assert not ledger.holds(ANN, 1)
    assert ledger.holds(ANN, 0)
    assert asked == [ANN, ANN]
    ledger.append("t", epoch, [NOTED], [buy_in(ANN, 5)])
    assert [ledger.holds(ANN, amount) for amount in (4, 5)] == [True, True]
    assert asked == [ANN, ANN]
    assert not ledger.holds(ANN, 6)
    assert asked == [ANN, ANN, ANN]


@pytest.mark.long
def test_what_another_process_paid_in_is_seen(ledger: Ledger) -> None:
    epoch = ledger.claim("t")
    ledger.append("t", epoch, [NOTED], [buy_in(ANN, 5)])
    url = ledger.engine.url.render_as_string(hide_password=False)
    with Ledger.open(url) as other:
        other.append("t", epoch, [NOTED], [buy_in(ANN, 5)])
    assert ledger.holds(ANN, 10)
    assert ledger.balance(ANN) == 10


def test_what_is_remembered_has_a_bound(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal, "KNOWN_MAX", 1)
    balances = Balances(ledger.engine)
    balances.learn({ANN: Cents(5), CASH: Cents(5)})
    assert balances.at_least(ANN, 5)
    balances.learn({CASH: Cents(7)})
    assert balances.at_least(CASH, 7)
    assert not balances.at_least(ANN, 5)
    balances.close()


def test_any_other_question_that_fails_is_told_too(ledger: Ledger) -> None:
    with pytest.raises(LedgerError, match=r"the book cannot be read: .*nowhere"):
        ledger._rows(select(column("balance")).select_from(table("nowhere")))
