"""One server to a data folder, where the book is a file: the lock goes with the process."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import IO, Any

from pitbook.errors import LedgerError
from pitbook.ledger import private
from pitbook.wording import say

__all__ = ["FolderLock", "is_served"]

LOCK = "serve.lock"
TRIES, MOMENT = 5, 0.01


class FolderLock:
    """A data folder for one server at a time; the lock goes with the process, however that ends."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / LOCK
        self._file: IO[str] | None = None

    def __enter__(self) -> FolderLock:
        """Take the folder; raises LedgerError when another server has it."""
        private.touch(self._path)
        file = self._path.open("a+", encoding="utf-8")
        try:
            _lock_soon(file)
        except OSError:
            file.seek(0)
            holder = file.read(20).strip() or "unknown"
            file.close()
            raise LedgerError(
                say("ledger.folder.in-use", folder=self._path.parent, holder=holder)
            ) from None
        file.truncate(0)
        file.write(f"{os.getpid()}\n")
        file.flush()
        self._file = file
        return self

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            self._file.close()


def _lock_soon(file: IO[str]) -> None:
    """Take the lock, or raise OSError: a command that asks who has it holds it for a moment."""
    for _ in range(TRIES - 1):
        try:
            return _lock(file)
        except OSError:
            time.sleep(MOMENT)
    return _lock(file)


def _lock(file: IO[str]) -> None:
    if not private.POSIX:
        import msvcrt  # noqa: PLC0415

        lock: Any = msvcrt
        file.seek(1_000)  # Far behind the text, which others may read.
        lock.locking(file.fileno(), lock.LK_NBLCK, 1)
    else:
        import fcntl  # noqa: PLC0415

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def is_served(folder: Path) -> bool:
    """Whether a server runs on a folder; where nobody can tell, one might."""
    path = folder / LOCK
    if not private.POSIX:
        return True
    if not path.exists():
        return False
    import fcntl  # noqa: PLC0415

    with path.open("rb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except OSError:
            return True
    return False
