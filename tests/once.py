"""What is the same each time is made once a worker: an empty book, and a client's certificates.

Alembic takes a fortieth of a second to bring a new SQLite file up to date, and hundreds of tests
begin with one: the first is made by Alembic, the others are told the statements that it came to.
How books are made and brought up to date is asked in `ledger` and `chaos`, which do not use this.
"""

from __future__ import annotations

import ssl
from functools import cache

import pytest
from sqlalchemy import Connection

from pitbook.house.ledger import database

UNTOUCHED = ("tests/house/ledger/", "tests/chaos/")

_upgrade = database._upgrade
_told: list[str] = []


def upgraded(connection: Connection) -> None:
    """As Alembic leaves an empty book; any other is left to Alembic."""
    begun = connection.exec_driver_sql
    if connection.dialect.name != "sqlite" or connection.dialect.has_table(connection, "entry"):
        _upgrade(connection)
    elif _told:
        for statement in _told:
            begun(statement)
    else:
        _upgrade(connection)
        made = begun("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY rowid")
        _told.extend(sql for (sql,) in made)
        (version,) = begun("SELECT version_num FROM alembic_version").one()
        _told.append(f"INSERT INTO alembic_version VALUES ('{version}')")


def pytest_configure() -> None:
    ssl.create_default_context = cache(ssl.create_default_context)  # type: ignore[assignment]


def pytest_runtest_setup(item: pytest.Item) -> None:
    database._upgrade = _upgrade if item.nodeid.startswith(UNTOUCHED) else upgraded
