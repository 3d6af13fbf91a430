"""The writer's SQL: one statement per batch."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from tests.house.ledger.kit import ANN, AT, BOB, CASH, NOTED, buy_in, rows

from pitbook.house.ledger import sql
from pitbook.house.ledger.append_batch import Append, write_batch
from pitbook.house.ledger.database import connect, for_writing
from pitbook.house.ledger.hash_chain import GENESIS
from pitbook.house.ledger.ledger import Ledger
from pitbook.house.ledger.sql import Batch, Driver

ENTRY = (1, 2, AT, 1, "ann", None, "body", "{}", "0" * 64, "f" * 64)
NAMES = 33_000
POSTINGS = [(1, 2, 0, 7, -5), (1, 2, 1, 8, 5)]


class Cursor:
    """A cursor that records statements and answers each with its number."""

    def __init__(self, heard: list[tuple[str, str, Any]] | None = None) -> None:
        self.heard = [] if heard is None else heard
        self.number = 0

    def execute(self, statement: str, parameters: Any) -> None:
        self.heard.append(("execute", statement, parameters))
        self.number = len(self.heard)

    def fetchall(self) -> list[tuple[Any, ...]]:
        return [("found", self.number)]

    def executemany(self, statement: str, parameters: Any) -> None:
        self.heard.append(("executemany", statement, parameters))


def test_postgresql_batch_is_one_statement() -> None:
    cursor = Cursor()
    batch = Batch([ENTRY], POSTINGS, [(1, 2, "{}")], [(1, 2, "f" * 64, 1)], [(5, 7), (6, 8)])
    sql._POSTGRESQL.write(cursor, batch)
    ((how, statement, parameters),) = cursor.heard
    assert (how, statement) == ("execute", sql._POSTGRESQL_WRITE)
    entries, postings, snapshots, *changed = parameters
    assert json.loads(entries) == [list(ENTRY)]
    assert json.loads(postings) == [list(posting) for posting in POSTINGS]
    assert json.loads(snapshots) == [[1, 2, "{}"]]
    assert changed == [[1], [2], ["f" * 64], [1], [5, 6], [7, 8]]
    assert statement.count("%s") == len(parameters)


def test_postgresql_statement_handles_empty_tables() -> None:
    cursor = Cursor()
    sql._POSTGRESQL.write(cursor, Batch([ENTRY], [], [], [(1, 2, "f", 1)], []))
    assert cursor.heard[0][2][1:] == ["[]", "[]", [1], [2], ["f"], [1], [], []]


def test_postgresql_rows_are_locked_in_order() -> None:
    cursor = Cursor()
    loaded = server(cursor).load([("table-1",)], [("ann/1",)], [("usd", "cash", "")])
    assert loaded == ([("found", 1)], [("found", 2)], [("found", 3)])
    statements = sql._POSTGRESQL
    assert cursor.heard == [
        ("execute", statements.streams, [["table-1"]]),
        ("execute", statements.receipts, [["ann/1"]]),
        ("execute", statements.accounts, [["usd"], ["cash"], [""]]),
    ]


def server(cursor: Cursor) -> Driver:
    """A PostgreSQL driver of which only the cursor exists."""
    line: Any = SimpleNamespace(
        dialect=SimpleNamespace(name="postgresql"),
        connection=SimpleNamespace(cursor=lambda: Cursor(cursor.heard)),
        in_transaction=lambda: True,
        info={},
    )
    return Driver(line)


def test_sqlite_batch_is_one_statement() -> None:
    cursor = Cursor()
    sql._SQLITE.write(cursor, Batch([ENTRY], [], [], [(1, 2, "f", 1)], []))
    ((how, statement, parameters),) = cursor.heard
    assert (how, statement) == ("execute", sql._SQLITE_WRITE)
    documents = [json.loads(rows) for rows in parameters]
    assert documents == [[list(ENTRY)], [], [], [[1, 2, "f", 1]], []]


def test_statement_is_prepared_once(tmp_path: Path) -> None:
    ledger = Ledger(connect(f"sqlite:///{tmp_path / 'book.db'}"))
    with for_writing(ledger.engine).begin() as connection:
        Driver(connection)
        Driver(connection)
        temp_objects = connection.exec_driver_sql("SELECT type, name FROM sqlite_temp_master").all()
    ledger.close()
    assert temp_objects == [("view", "batch"), ("trigger", "batch_written")]


def test_list_parameters_are_bound_per_database() -> None:
    named = [("usd", "cash", ""), ("usd", "wallet", "é")]
    assert sql._SQLITE.parameters(named) == ('[["usd", "cash", ""], ["usd", "wallet", "\\u00e9"]]',)
    assert sql._POSTGRESQL.parameters(named) == [["usd", "usd"], ["cash", "wallet"], ["", "é"]]


def test_balance_query_is_written_per_database() -> None:
    query = "SELECT balance FROM account WHERE unit = {0} AND kind = {0} AND name = {0}"
    assert sql.balance_query("sqlite") == query.format("?")
    assert sql.balance_query("postgresql") == query.format("%s")


@pytest.mark.parametrize("question", ["streams", "receipts", "accounts"])
def test_empty_lists_run_no_query(sqlite_ledger: Ledger, question: str) -> None:
    with for_writing(sqlite_ledger.engine).begin() as connection:
        assert getattr(Driver(connection), question)([]) == []


def test_transaction_is_started_if_none_is_open(ledger: Ledger) -> None:
    with for_writing(ledger.engine).connect() as connection:
        assert not connection.in_transaction()
        Driver(connection)
        assert connection.in_transaction()
        begun = connection.get_transaction()
        Driver(connection)
        assert connection.get_transaction() is begun


def test_existing_rows_are_not_inserted_again(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    statements: list[Any] = []
    for name in ("add_streams", "add_accounts"):
        inner = getattr(Driver, name)

        def heard(driver: Driver, new: Any, name: str = name, inner: Any = inner) -> None:
            statements.append((name, [row[:3] for row in new]))
            inner(driver, new)

        monkeypatch.setattr(Driver, name, heard)
    epoch = ledger.claim("table-1")
    assert statements.pop() == ("add_streams", [("table-1", GENESIS, False)])
    ledger.append("table-1", epoch, [NOTED], [buy_in(ANN, 5)])
    assert statements.pop() == ("add_accounts", [CASH, ANN])
    ledger.append("table-1", epoch, [NOTED], [buy_in(BOB, 5)])
    assert statements.pop() == ("add_accounts", [BOB])
    ledger.append("table-1", ledger.claim("table-1"), [NOTED], [buy_in(ANN, 5), buy_in(BOB, 5)])
    assert statements == []


@pytest.mark.slow_cases("postgresql")
@pytest.mark.long
def test_long_name_lists_exceed_no_parameter_limit(ledger: Ledger) -> None:
    """More accounts than SQLite's parameter limit, and half of PostgreSQL's."""
    many = [buy_in(ANN._replace(name=str(number)), 1) for number in range(NAMES)]
    with for_writing(ledger.engine).begin() as connection:
        (receipt,) = write_batch(connection, [Append("table-1", None, [NOTED], many)], AT)
    assert not isinstance(receipt, Exception)
    assert ledger.balance(CASH) == NAMES
    assert rows(ledger, "SELECT count(*) FROM account WHERE balance = 1") == [(NAMES,)]
