"""Ledgers in memory, for tests that do not check durability or migrations.

A ledger is synced to the disk at every commit, which takes longer than most tests; in memory the
same calls return immediately. Durability is tested in `ledger` and `chaos`, which do not use
this.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.postgres import fresh_ledger

MEMORY = Path("/dev/shm")
FREE_BYTES_MIN = 1 << 30


def memory_folder() -> Path | None:
    """A file system in memory with room for all workers; None for the default location."""
    usable = MEMORY.is_dir() and os.access(MEMORY, os.W_OK | os.X_OK)
    return MEMORY if usable and shutil.disk_usage(MEMORY).free >= FREE_BYTES_MIN else None


@pytest.fixture(name="tmp_path")
def folder_in_memory() -> Iterator[Path]:
    """A temporary folder for the test."""
    with tempfile.TemporaryDirectory(prefix="pitbook-", dir=memory_folder()) as folder:
        yield Path(folder).resolve()


@pytest.fixture(name="postgres")
def copied_ledger() -> Iterator[str]:
    """The URL of an empty ledger on a real PostgreSQL, copied rather than migrated."""
    with fresh_ledger() as url:
        yield url
