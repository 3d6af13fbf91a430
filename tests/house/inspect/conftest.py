"""Fixtures for tests of inspection: a server called over HTTP."""

from tests.house.nights.conftest import evening
from tests.house.table.conftest import _every_refusal_in_every_language
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
    "_every_refusal_in_every_language",
    "app",
    "client",
    "copied_ledger",
    "evening",
    "folder_in_memory",
    "house",
    "lines",
    "people",
    "run",
    "server",
    "settings",
    "signed_in",
]
