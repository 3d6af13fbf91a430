"""Money queries by kind, account and time."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import text
from tests.house.ledger.kit import ANN, BOB, CASH, GUEST, ISSUED, RACK, ManualClock, buy_in

from pitbook.errors import LedgerError
from pitbook.house.ledger.accounts import Account, move
from pitbook.house.ledger.database import connect
from pitbook.house.ledger.ledger import Ledger
from pitbook.house.ledger.money_queries import (
    AccountHistory,
    NamedAccounts,
    balance_before,
    balances_of_kind,
    change_of_kind,
    streams_moving,
    totals_by_kind,
)
from pitbook.house.ledger.queries import ALL_TIME, Streams, format_time

HELD = Account("usd", "held", "one/1")
ANN_AT_ONE = Account("usd", "wallet", "one/ann")
TABLES, EVERYWHERE = Streams(prefixes=("table/",)), Streams(excluded_prefixes=("nothing",))
MINUTE = 60


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def ledger(tmp_path: Path, clock: ManualClock) -> Iterator[Ledger]:
    """Ann buys in, bets twice and loses once; a guest of the same name plays too."""
    with Ledger(connect(f"sqlite:///{tmp_path / 'book.db'}"), clock=clock) as ledger:
        cage, table = ledger.claim("cage"), ledger.claim("table/one")
        for number, (stream, epoch, moved) in enumerate(
            [
                ("cage", cage, buy_in(ANN, 10_000)),
                ("table/one", table, move(ANN, HELD, 500, "wager")),
                ("table/one", table, move(HELD, RACK, 500, "lost")),
                ("table/one", table, move(ANN, HELD, 300, "wager")),
                ("cage", cage, buy_in(ANN_AT_ONE, 100)),
                ("cage", cage, buy_in(ANN, 7)),
            ]
        ):
            clock.now += timedelta(seconds=MINUTE)
            ledger.append(stream, epoch, [{"fact": "noted", "number": number}], [moved])
        epoch = ledger.claim("practice/1")
        ledger.append("practice/1", epoch, [], [move(ISSUED, GUEST, 100, "given")])
        yield ledger


def at(clock: ManualClock, minute: int) -> str:
    """The time of a move, counted from 1."""
    return format_time(clock.now - timedelta(seconds=(6 - minute) * MINUTE))


def test_totals_by_kind_of_account(ledger: Ledger) -> None:
    with ledger.snapshot() as book:
        (span,) = book.spans(ALL_TIME, TABLES)
        assert totals_by_kind(book, span) == {("wallet", "held"): 800, ("held", "rack"): 500}


def test_balances_of_a_kind_at_a_time(ledger: Ledger, clock: ManualClock) -> None:
    rack = ("table-1", "usd")
    with ledger.snapshot() as book:
        assert balances_of_kind(book, "rack", None, TABLES) == {rack: 500}
        assert balances_of_kind(book, "rack", at(clock, 4), TABLES) == {rack: 500}
        assert balances_of_kind(book, "rack", at(clock, 3), TABLES) == {rack: 0}


def test_change_by_a_stream_between_two_entries(ledger: Ledger) -> None:
    with ledger.snapshot() as book:
        (span,) = book.spans(ALL_TIME, TABLES)
        sums = [change_of_kind(book, "held", span, first=1, before=end) for end in range(1, 6)]
        assert sums == [0, 0, 500, 0, 300]
        assert change_of_kind(book, "held", span, first=3, before=4) == -500


def test_balance_before_an_entry(ledger: Ledger, clock: ManualClock) -> None:
    with ledger.snapshot() as book:

        def balance_at(before: int, minute: int) -> int:
            return balance_before(book, ANN, "table/one", before=before, at=at(clock, minute))

        assert [balance_at(2, 2), balance_at(3, 2), balance_at(5, 4), balance_at(5, 6)] == [
            10_000,
            9_500,
            9_200,
            9_207,
        ]
        assert balance_before(book, BOB, "table/one", before=9, at=at(clock, 6)) == 0


def test_streams_that_moved_a_players_money(ledger: Ledger) -> None:
    ann = NamedAccounts("wallet", "ann")
    with ledger.snapshot() as book:
        assert streams_moving(book, ann) == {"cage", "table/one"}
        assert streams_moving(book, NamedAccounts("wallet", "one/ann")) == {"cage"}
        assert streams_moving(book, NamedAccounts("wallet", "nn")) == set()
        assert streams_moving(book, ann, stream="table/one", after=3) == {"table/one"}
        assert streams_moving(book, ann, stream="table/one", after=4) == set()


@pytest.mark.parametrize(("first", "last"), [(1, 1), (2, 4), (4, 6), (6, 6), (1, 6)])
def test_purse_between_two_times(ledger: Ledger, clock: ManualClock, first: int, last: int) -> None:
    """The balance is the same whether summed from the start or back from today."""
    amounts = {1: 10_000, 2: -500, 4: -300, 6: 7}
    with ledger.snapshot() as book:
        base, moves = AccountHistory(book, ANN, EVERYWHERE).between(
            at(clock, first), at(clock, last)
        )
    amount_by_time = {move.at: move.amount for move in moves}
    assert base == sum(cents for minute, cents in amounts.items() if minute < first)
    within = {minute: cents for minute, cents in amounts.items() if first <= minute <= last}
    assert {
        at(clock, minute): cents for minute, cents in within.items()
    }.items() <= amount_by_time.items()


@pytest.mark.long
def test_purse_is_computed_from_the_nearer_end(tmp_path: Path, clock: ManualClock) -> None:
    with Ledger(connect(f"sqlite:///{tmp_path / 'long.db'}"), clock=clock) as ledger:
        cage = ledger.claim("cage")
        for _ in range(120):
            clock.now += timedelta(seconds=MINUTE)
            ledger.append("cage", cage, [], [buy_in(ANN, 100)])
        for minutes in (1, 60, 119):
            moment = format_time(clock.now - timedelta(seconds=minutes * MINUTE))
            with ledger.snapshot() as book:
                base, moves = AccountHistory(book, ANN, EVERYWHERE).between(moment, moment)
            assert (base, moves[0].at) == ((119 - minutes) * 100, moment)


def test_account_names_of_a_kind(ledger: Ledger) -> None:
    with ledger.snapshot() as book:
        assert book.account_names("wallet", apart_from="play") == ["ann", "one/ann"]
        assert book.balances()[CASH] == 10_107


def test_impossible_account_is_not_read(ledger: Ledger) -> None:
    with ledger.engine.begin() as connection:
        connection.execute(text("UPDATE account SET kind = 'purse' WHERE name = 'ann'"))
    with (
        ledger.snapshot() as book,
        pytest.raises(LedgerError, match="Run pitbook audit verify to see what was changed"),
    ):
        book.balances()
