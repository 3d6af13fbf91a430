"""Per-worker caches for tests: an empty ledger, and a client's certificates.

Alembic takes 25 ms to migrate a new SQLite file, and hundreds of tests begin with one. The first is
migrated by Alembic, the others replay its statements. Creation and migration of ledgers are tested
in `ledger` and `chaos`, which do not use this.
"""

from __future__ import annotations

import ssl
from functools import cache

import pytest
from sqlalchemy import Connection

from pitbook.house.ledger import database

NOT_CACHED = ("tests/house/ledger/", "tests/chaos/")

_upgrade = database._upgrade
_statements: list[str] = []


def replay_upgrade(connection: Connection) -> None:
    """Leave an empty ledger as Alembic does; any other is left to Alembic."""
    execute = connection.exec_driver_sql
    if connection.dialect.name != "sqlite" or connection.dialect.has_table(connection, "entry"):
        _upgrade(connection)
    elif _statements:
        for statement in _statements:
            execute(statement)
    else:
        _upgrade(connection)
        schema_rows = execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY rowid")
        _statements.extend(sql for (sql,) in schema_rows)
        (version,) = execute("SELECT version_num FROM alembic_version").one()
        _statements.append(f"INSERT INTO alembic_version VALUES ('{version}')")


def pytest_configure() -> None:
    ssl.create_default_context = cache(ssl.create_default_context)  # type: ignore[assignment]


def pytest_runtest_setup(item: pytest.Item) -> None:
    database._upgrade = _upgrade if item.nodeid.startswith(NOT_CACHED) else replay_upgrade
