"""Books of tests that ask neither whether the disk keeps what it was told nor how books are made.

A book is written through to the disk at every commit, which takes longer than most tests; in
memory the same calls are made and return at once. What a disk must keep is asked in `ledger` and
`chaos`, which do not use this.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.postgres import fresh_book

MEMORY = Path("/dev/shm")
ENOUGH = 1 << 30


def where() -> Path | None:
    """A file system in memory with room for all workers; None: wherever others put such folders."""
    usable = MEMORY.is_dir() and os.access(MEMORY, os.W_OK | os.X_OK)
    return MEMORY if usable and shutil.disk_usage(MEMORY).free >= ENOUGH else None


@pytest.fixture(name="tmp_path")
def folder_in_memory() -> Iterator[Path]:
    """A folder of the test's own, gone with it."""
    with tempfile.TemporaryDirectory(prefix="pitbook-", dir=where()) as folder:
        yield Path(folder).resolve()


@pytest.fixture(name="postgres")
def copied_book() -> Iterator[str]:
    """The URL of an empty book on a real PostgreSQL: a copy of one, which no test migrates."""
    with fresh_book() as url:
        yield url
