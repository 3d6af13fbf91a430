"""The writer's SQL statements, sent to the database driver directly."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import cache
from typing import Any, NamedTuple

from sqlalchemy import Connection

SqlRows = Sequence[tuple[Any, ...]]
PREPARED = "pitbook_prepared"


class Batch(NamedTuple):
    """The rows that a batch writes, each in the order of its columns below."""

    entries: SqlRows
    postings: SqlRows
    snapshots: SqlRows
    heads: SqlRows
    balances: SqlRows


class Statements(NamedTuple):
    """The writer's statements in one SQL dialect, and how rows are passed."""

    streams: str
    receipts: str
    accounts: str
    add_stream: str
    add_account: str
    load: Callable[[Driver, SqlRows, SqlRows, SqlRows], tuple[SqlRows, SqlRows, SqlRows]]
    parameters: Callable[[SqlRows], Sequence[Any]]
    rows: Callable[[Any], SqlRows]
    write: Callable[[Any, Batch], None]
    prepare: Sequence[str] = ()  # Run once on each connection.


class Driver:
    """The database driver's cursor, within the caller's transaction."""

    def __init__(self, connection: Connection) -> None:
        self._statements = _SQLITE if connection.dialect.name == "sqlite" else _POSTGRESQL
        if not connection.in_transaction():
            connection.begin()  # SQLAlchemy does not see these statements.
        self._connection: Any = connection.connection
        self._cursor: Any = self._connection.cursor()
        if self._statements.prepare and not connection.info.get(PREPARED):
            for statement in self._statements.prepare:
                self._cursor.execute(statement)
            connection.info[PREPARED] = True

    def load(
        self, names: SqlRows, requests: SqlRows, accounts: SqlRows
    ) -> tuple[SqlRows, SqlRows, SqlRows]:
        """The rows of these streams, recorded requests and accounts."""
        return self._statements.load(self, names, requests, accounts)

    def load_in_one_query(
        self, names: SqlRows, requests: SqlRows, accounts: SqlRows
    ) -> tuple[SqlRows, SqlRows, SqlRows]:
        """Load all three with one query."""
        parameters = [json.dumps(rows) for rows in (names, requests, accounts)]
        ((document,),) = self._cursor.execute(_SQLITE_KNOWN, parameters).fetchall()
        streams, receipts, account_rows = json.loads(document)
        return _to_tuples(streams), _to_tuples(receipts), _to_tuples(account_rows)

    def load_in_pipeline(
        self, names: SqlRows, requests: SqlRows, accounts: SqlRows
    ) -> tuple[SqlRows, SqlRows, SqlRows]:
        """Run all three queries in lock order; in a pipeline that takes one round trip."""
        queries = (
            (self._statements.streams, names),
            (self._statements.receipts, requests),
            (self._statements.accounts, accounts),
        )
        cursors = [self._execute(query, rows) for query, rows in queries]
        streams, answers, accounts_found = (
            self._statements.rows(cursor) if cursor else [] for cursor in cursors
        )
        return streams, answers, accounts_found

    def _execute(self, query: str, rows: SqlRows) -> Any:
        """A new cursor that has run the query; None if there are no rows to ask for."""
        if not rows:
            return None
        cursor = self._connection.cursor()
        cursor.execute(query, self._statements.parameters(rows))
        return cursor

    def streams(self, names: SqlRows) -> SqlRows:
        """Name, id, epoch, seq, head and prunable of the streams that exist, locked."""
        return self._fetch(self._statements.streams, names)

    def receipts(self, requests: SqlRows) -> SqlRows:
        """Request, body and receipt of the recorded requests."""
        return self._fetch(self._statements.receipts, requests)

    def accounts(self, accounts: SqlRows) -> SqlRows:
        """Unit, kind, name, id and balance of the accounts that exist, locked."""
        return self._fetch(self._statements.accounts, accounts)

    def add_streams(self, rows: SqlRows) -> None:
        """Insert streams; one that another process inserted first stays."""
        self._cursor.executemany(self._statements.add_stream, rows)

    def add_accounts(self, rows: SqlRows) -> None:
        """Insert empty accounts; one that another process inserted first stays."""
        self._cursor.executemany(self._statements.add_account, rows)

    def write(self, batch: Batch) -> None:
        self._statements.write(self._cursor, batch)

    def _fetch(self, query: str, keys: SqlRows) -> SqlRows:
        if not keys:
            return []
        self._cursor.execute(query, self._statements.parameters(keys))
        return self._statements.rows(self._cursor)


def open_pipeline(connection: Connection) -> AbstractContextManager[object]:
    """Send statements to PostgreSQL without waiting for each answer, as far as libpq can.

    A transaction then takes two round trips: what it reads, and what it writes with the commit.
    """
    driver: Any = connection.connection.dbapi_connection
    if connection.dialect.name == "sqlite" or not _can_pipeline():
        return nullcontext()
    pipeline: AbstractContextManager[object] = driver.pipeline()
    return pipeline


@cache
def _can_pipeline() -> bool:
    from psycopg import capabilities  # noqa: PLC0415  SQLite does without it.

    return capabilities.has_pipeline()


def balance_query(dialect: str) -> str:
    """The query for one account's balance, by unit, kind and name."""
    return _BALANCE if dialect == "sqlite" else _BALANCE.replace("?", "%s")


_BALANCE = "SELECT balance FROM account WHERE unit = ? AND kind = ? AND name = ?"


def _to_json(rows: SqlRows) -> tuple[str]:
    return (json.dumps(rows),)


def _to_arrays(rows: SqlRows) -> list[list[Any]]:
    return [list(column) for column in zip(*rows, strict=True)]


def _fetch_rows(cursor: Any) -> SqlRows:
    rows: SqlRows = cursor.fetchall()
    return rows


def _fetch_json(cursor: Any) -> SqlRows:
    """Rows from one JSON document: SQLite releases the GIL while it works, not for each row."""
    ((document,),) = cursor.fetchall()
    return _to_tuples(json.loads(document))


def _to_tuples(rows: list[list[Any]]) -> SqlRows:
    return [tuple(row) for row in rows]


def _write_by_trigger(cursor: Any, batch: Batch) -> None:
    """Write in one statement, so that other threads run while SQLite works."""
    cursor.execute(_SQLITE_WRITE, [json.dumps(rows) for rows in batch])


def _write_in_one_statement(cursor: Any, batch: Batch) -> None:
    """Write in one statement, because each round trip takes time."""
    documents = [json.dumps(rows) for rows in (batch.entries, batch.postings, batch.snapshots)]
    arrays = _to_arrays(batch.heads) + (_to_arrays(batch.balances) or [[], []])
    cursor.execute(_POSTGRESQL_WRITE, documents + arrays)


# Inserts into the view go to the tables; both last as long as the connection.
_SQLITE_PREPARE = (
    "CREATE TEMP VIEW batch AS"
    " SELECT NULL entries, NULL postings, NULL snapshots, NULL heads, NULL balances",
    """
    CREATE TEMP TRIGGER batch_written INSTEAD OF INSERT ON batch BEGIN
        INSERT INTO entry
            (stream, seq, at, epoch, actor, request, body, content, previous, hash)
        SELECT value->>0, value->>1, value->>2, value->>3, value->>4,
            value->>5, value->>6, value->>7, value->>8, value->>9
        FROM json_each(NEW.entries);
        INSERT INTO posting (stream, seq, number, account, amount)
        SELECT value->>0, value->>1, value->>2, value->>3, value->>4 FROM json_each(NEW.postings);
        INSERT INTO snapshot (stream, seq, state)
        SELECT value->>0, value->>1, value->>2 FROM json_each(NEW.snapshots) WHERE true
        ON CONFLICT (stream) DO UPDATE SET seq = excluded.seq, state = excluded.state;
        UPDATE stream SET epoch = now.epoch, seq = now.seq, head = now.head
        FROM (
            SELECT value->>0 epoch, value->>1 seq, value->>2 head, value->>3 id
            FROM json_each(NEW.heads)
        ) now
        WHERE stream.id = now.id;
        UPDATE account SET balance = now.balance
        FROM (SELECT value->>0 balance, value->>1 id FROM json_each(NEW.balances)) now
        WHERE account.id = now.id;
    END
    """,
)
_SQLITE_WRITE = "INSERT INTO batch VALUES (?, ?, ?, ?, ?)"
_SQLITE = Statements(
    streams="SELECT json_group_array(json_array(name, id, epoch, seq, head, prunable)) FROM stream"
    " WHERE name IN (SELECT value->>0 FROM json_each(?))",
    receipts="SELECT json_group_array("
    "json_array(e.request, e.body, s.name, e.seq, e.epoch, e.hash, e.at))"
    " FROM entry e JOIN stream s ON s.id = e.stream"
    " WHERE e.request IN (SELECT value->>0 FROM json_each(?))",
    accounts="SELECT json_group_array(json_array(unit, kind, name, id, balance)) FROM account"
    " WHERE (unit, kind, name) IN (SELECT value->>0, value->>1, value->>2 FROM json_each(?))",
    add_stream="INSERT INTO stream (name, epoch, seq, head, prunable)"
    " VALUES (?, 0, 0, ?, ?) ON CONFLICT DO NOTHING",
    add_account="INSERT INTO account (unit, kind, name, balance)"
    " VALUES (?, ?, ?, 0) ON CONFLICT DO NOTHING",
    load=Driver.load_in_one_query,
    parameters=_to_json,
    rows=_fetch_json,
    write=_write_by_trigger,
    prepare=_SQLITE_PREPARE,
)
_SQLITE_KNOWN = (
    f"SELECT json_array(json(({_SQLITE.streams})),"
    f" json(({_SQLITE.receipts})), json(({_SQLITE.accounts})))"
)

# Rows are locked in one order everywhere, so that no two processes wait for each other.
_POSTGRESQL = Statements(
    streams="SELECT name, id, epoch, seq, head, prunable FROM stream"
    " WHERE name = ANY(%s) ORDER BY id FOR UPDATE",
    receipts="SELECT e.request, e.body, s.name, e.seq, e.epoch, e.hash, e.at"
    " FROM entry e JOIN stream s ON s.id = e.stream WHERE e.request = ANY(%s)",
    accounts="SELECT unit, kind, name, id, balance FROM account WHERE (unit, kind, name) IN"
    " (SELECT * FROM unnest(%s::text[], %s::text[], %s::text[])) ORDER BY id FOR UPDATE OF account",
    add_stream=_SQLITE.add_stream.replace("?", "%s"),
    add_account=_SQLITE.add_account.replace("?", "%s"),
    load=Driver.load_in_pipeline,
    parameters=_to_arrays,
    rows=_fetch_rows,
    write=_write_in_one_statement,
)
_POSTGRESQL_WRITE = """
    WITH entries AS (
        INSERT INTO entry
            (stream, seq, at, epoch, actor, request, body, content, previous, hash)
        SELECT (row->>0)::bigint, (row->>1)::bigint, row->>2, (row->>3)::bigint, row->>4,
            row->>5, row->>6, row->>7, row->>8, row->>9
        FROM jsonb_array_elements(%s::jsonb) row
    ), postings AS (
        INSERT INTO posting (stream, seq, number, account, amount)
        SELECT (row->>0)::bigint, (row->>1)::bigint, (row->>2)::integer, (row->>3)::bigint,
            (row->>4)::bigint
        FROM jsonb_array_elements(%s::jsonb) row
    ), snapshots AS (
        INSERT INTO snapshot (stream, seq, state)
        SELECT (row->>0)::bigint, (row->>1)::bigint, row->>2
        FROM jsonb_array_elements(%s::jsonb) row
        ON CONFLICT (stream) DO UPDATE SET seq = excluded.seq, state = excluded.state
    ), heads AS (
        UPDATE stream SET epoch = now.epoch, seq = now.seq, head = now.head
        FROM unnest(%s::bigint[], %s::bigint[], %s::text[], %s::bigint[])
            AS now (epoch, seq, head, id)
        WHERE stream.id = now.id
    )
    UPDATE account SET balance = now.balance
    FROM unnest(%s::bigint[], %s::bigint[]) AS now (balance, id)
    WHERE account.id = now.id
"""
