"""Locks on a house's files: its data folder, its ledger and its checkpoints.

The system releases a lock when the process that holds it ends, even after a crash.
"""

from __future__ import annotations

import errno
import os
import struct
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from pitbook.errors import LedgerError
from pitbook.house.ledger import private
from pitbook.text import say

LOCK = "serve.lock"
TRIES, MOMENT = 5, 0.01
SIGN_SECONDS = 10.0  # Signing takes milliseconds.
LEDGER_BYTE = 1 << 62  # Past the end of any database; SQLite locks bytes near 2**30.
# Windows also keeps other processes from reading a locked byte.
FOLDER_BYTE, SIGN_BYTE = 1_000, 1 << 30


class FolderLock:
    """Lock that keeps a data folder to one server at a time."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / LOCK
        self._file: IO[str] | None = None

    def __enter__(self) -> FolderLock:
        """Take the folder; raises LedgerError when another server has it."""
        private.touch(self._path)
        file = self._path.open("a+", encoding="utf-8")
        if not _acquire(MOMENT * TRIES, _lock, file, FOLDER_BYTE):  # A command may be looking.
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


class LedgerLock:
    """Lock that keeps a SQLite ledger to one server at a time, no matter by which path.

    On Linux the file itself is locked, so links, bind mounts and containers share the lock. On
    other systems it is a file beside the ledger. Close this lock after the ledger: closing any
    descriptor of a database drops the locks that SQLite holds in the same process.
    """

    def __init__(self, ledger: Path) -> None:
        real = ledger.resolve()
        self._on_file = private.POSIX and _ofd_command() is not None
        path = real if self._on_file else real.with_name(f"{real.name}.lock")
        private.touch(path)
        self._file = path.open("r+b", buffering=0)
        self._is_ours = False

    def take(self) -> bool:
        """Take the lock; returns whether this process now holds it."""
        self._is_ours = self._is_ours or _acquire(MOMENT * TRIES, self._set, True)
        return self._is_ours

    def is_taken(self) -> bool:
        """Whether another process holds the lock."""
        if self._is_ours:
            return False
        try:
            self._set(True)
        except OSError:
            return True
        self._set(False)
        return False

    def close(self) -> None:
        """Release the lock."""
        self._file.close()

    def _set(self, locked: bool) -> None:
        """Lock or unlock; raises OSError if another process has the lock."""
        if self._on_file:
            _lock_byte(self._file, locked)
        elif locked:
            _lock(self._file, FOLDER_BYTE)
        else:
            _unlock(self._file, FOLDER_BYTE)


@contextmanager
def signing_lock(checkpoints: Path) -> Iterator[None]:
    """Hold the lock for signing, because each checkpoint depends on the one before it.

    Raises LedgerError if another process holds it for too long.
    """
    private.touch(checkpoints)
    with checkpoints.open("rb+") as file:
        if not _acquire(SIGN_SECONDS, _lock, file, SIGN_BYTE):
            raise LedgerError(say("ledger.folder.signing", file=checkpoints))
        yield


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


def _acquire(seconds: float, lock: Callable[..., None], *args: Any) -> bool:
    """Try to take a lock until the time is up; returns whether it worked."""
    until = time.monotonic() + seconds
    while True:
        try:
            lock(*args)
        except OSError:
            if time.monotonic() >= until:
                return False
            time.sleep(MOMENT)
        else:
            return True


def _lock(file: IO[Any], byte: int) -> None:
    """Lock a file, or on Windows a byte of it; raises OSError if it is taken."""
    if not private.POSIX:
        import msvcrt  # noqa: PLC0415

        lock: Any = msvcrt
        file.seek(byte)
        lock.locking(file.fileno(), lock.LK_NBLCK, 1)
    else:
        import fcntl  # noqa: PLC0415

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _unlock(file: IO[Any], byte: int) -> None:
    if not private.POSIX:
        import msvcrt  # noqa: PLC0415

        lock: Any = msvcrt
        file.seek(byte)
        lock.locking(file.fileno(), lock.LK_UNLCK, 1)
    else:
        import fcntl  # noqa: PLC0415

        fcntl.flock(file, fcntl.LOCK_UN)


def _ofd_command() -> int | None:
    """The fcntl command that locks an open file, not a process; None except on Linux."""
    import fcntl  # noqa: PLC0415

    return getattr(fcntl, "F_OFD_SETLK", None)


def _lock_byte(file: IO[Any], locked: bool) -> None:
    import fcntl  # noqa: PLC0415

    kind, command = fcntl.F_WRLCK if locked else fcntl.F_UNLCK, _ofd_command()
    assert command is not None
    flock = struct.pack("hhqqi4x", kind, os.SEEK_SET, LEDGER_BYTE, 1, 0)  # C's struct flock.
    try:
        fcntl.fcntl(file, command, flock)
    except OSError as error:
        if error.errno in (errno.EACCES, errno.EAGAIN):
            raise
        # This disk has no such locks. A superseded server still notices by the stream's epoch.
