"""Fixtures for tests of people: ledgers on both databases, and a server called over HTTP."""

from tests.house.ledger.conftest import empty_book, ledger_url, postgres_url, sqlite_url
from tests.house.web.conftest import (
    app,
    client,
    house,
    lines,
    people,
    run,
    server,
    settings,
    signed_in,
)
from tests.memory_folders import copied_ledger, folder_in_memory

__all__ = [
    "app",
    "client",
    "copied_ledger",
    "empty_book",
    "folder_in_memory",
    "house",
    "ledger_url",
    "lines",
    "people",
    "postgres_url",
    "run",
    "server",
    "settings",
    "signed_in",
    "sqlite_url",
]
