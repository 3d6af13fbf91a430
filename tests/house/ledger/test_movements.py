"""What the book answers about money: by kind, by account, by time."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import text
from tests.house.ledger.kit import ANN, BOB, CASH, GUEST, ISSUED, RACK, Hands, buy_in

from pitbook.errors import LedgerError
from pitbook.house.ledger.accounts import Account, move
from pitbook.house.ledger.database import connect
from pitbook.house.ledger.journal import Ledger
from pitbook.house.ledger.movements import (
    AccountsOf,
    MovedAccount,
    held_by,
    held_in,
    held_of,
    moved_in,
    passed,
)
from pitbook.house.ledger.queries import ALWAYS, Streams, format_time

HELD = Account("usd", "held", "one/1")
ANN_AT_ONE = Account("usd", "wallet", "one/ann")
TABLES, EVERYWHERE = Streams(beginning=("table/",)), Streams(apart_from=("nothing",))
MINUTE = 60


@pytest.fixture
def clock() -> Hands:
    return Hands()


@pytest.fixture
def ledger(tmp_path: Path, clock: Hands) -> Iterator[Ledger]:
    """Ann buys in, wagers twice and loses once, a minute apart; somebody of her name plays too."""
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


def at(clock: Hands, minute: int) -> str:
    """When a move was on record, the first being 1."""
    return format_time(clock.now - timedelta(seconds=(6 - minute) * MINUTE))


def test_what_passed_between_kinds_of_accounts(ledger: Ledger) -> None:
    with ledger.moment() as book:
        (span,) = book.spans(ALWAYS, TABLES)
        assert passed(book, span) == {("wallet", "held"): 800, ("held", "rack"): 500}


def test_what_accounts_of_a_kind_held_at_a_time(ledger: Ledger, clock: Hands) -> None:
    rack = ("table-1", "usd")
    with ledger.moment() as book:
        assert held_of(book, "rack", None, TABLES) == {rack: 500}
        assert held_of(book, "rack", at(clock, 4), TABLES) == {rack: 500}
        assert held_of(book, "rack", at(clock, 3), TABLES) == {rack: 0}


def test_what_a_stream_moved_from_an_entry_on_and_before_another(ledger: Ledger) -> None:
    with ledger.moment() as book:
        (span,) = book.spans(ALWAYS, TABLES)
        sums = [held_in(book, "held", span, first=1, before=one) for one in range(1, 6)]
        assert sums == [0, 0, 500, 0, 300]
        assert held_in(book, "held", span, first=3, before=4) == -500


def test_what_an_account_held_before_an_entry(ledger: Ledger, clock: Hands) -> None:
    with ledger.moment() as book:

        def held(before: int, minute: int) -> int:
            return held_by(book, ANN, "table/one", before=before, at=at(clock, minute))

        assert [held(2, 2), held(3, 2), held(5, 4), held(5, 6)] == [10_000, 9_500, 9_200, 9_207]
        assert held_by(book, BOB, "table/one", before=9, at=at(clock, 6)) == 0


def test_where_money_of_somebody_has_moved(ledger: Ledger) -> None:
    ann = AccountsOf("wallet", "ann")
    with ledger.moment() as book:
        assert moved_in(book, ann) == {"cage", "table/one"}
        assert moved_in(book, AccountsOf("wallet", "one/ann")) == {"cage"}
        assert moved_in(book, AccountsOf("wallet", "nn")) == set()
        assert moved_in(book, ann, stream="table/one", after=3) == {"table/one"}
        assert moved_in(book, ann, stream="table/one", after=4) == set()


@pytest.mark.parametrize(("first", "last"), [(1, 1), (2, 4), (4, 6), (6, 6), (1, 6)])
def test_a_purse_between_two_times(ledger: Ledger, clock: Hands, first: int, last: int) -> None:
    """Whether reckoned from the beginning or back from today, the sum is the same."""
    amounts = {1: 10_000, 2: -500, 4: -300, 6: 7}
    with ledger.moment() as book:
        base, moves = MovedAccount(book, ANN, EVERYWHERE).between(at(clock, first), at(clock, last))
    known = {one.at: one.amount for one in moves}
    assert base == sum(cents for minute, cents in amounts.items() if minute < first)
    within = {minute: cents for minute, cents in amounts.items() if first <= minute <= last}
    assert {at(clock, minute): cents for minute, cents in within.items()}.items() <= known.items()


@pytest.mark.long
def test_a_purse_is_reckoned_from_the_nearer_end(tmp_path: Path, clock: Hands) -> None:
    with Ledger(connect(f"sqlite:///{tmp_path / 'long.db'}"), clock=clock) as ledger:
        cage = ledger.claim("cage")
        for _ in range(120):
            clock.now += timedelta(seconds=MINUTE)
            ledger.append("cage", cage, [], [buy_in(ANN, 100)])
        for minutes in (1, 60, 119):
            moment = format_time(clock.now - timedelta(seconds=minutes * MINUTE))
            with ledger.moment() as book:
                base, moves = MovedAccount(book, ANN, EVERYWHERE).between(moment, moment)
            assert (base, moves[0].at) == ((119 - minutes) * 100, moment)


def test_whose_accounts_there_are(ledger: Ledger) -> None:
    with ledger.moment() as book:
        assert book.named("wallet", apart_from="play") == ["ann", "one/ann"]
        assert book.balances()[CASH] == 10_107


def test_an_account_that_no_entry_can_have_made_is_not_read(ledger: Ledger) -> None:
    with ledger.engine.begin() as connection:
        connection.execute(text("UPDATE account SET kind = 'purse' WHERE name = 'ann'"))
    with ledger.moment() as book, pytest.raises(LedgerError, match="cannot be read; pitbook"):
        book.balances()
