"""File locks on a data folder and its ledger; PostgreSQL locks on streams."""

from __future__ import annotations

import errno
import os
import struct
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

from sqlalchemy import Connection, event, text

from pitbook.errors import LedgerError
from pitbook.house.ledger import file_modes
from pitbook.house.ledger.database import cause, failures
from pitbook.house.ledger.journal import Ledger
from pitbook.text import say

# File locks. The system releases them when the process ends, even after a crash.


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
        file_modes.touch(self._path)
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
        self._on_file = file_modes.POSIX and _ofd_command() is not None
        path = real if self._on_file else real.with_name(f"{real.name}.lock")
        file_modes.touch(path)
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
    file_modes.touch(checkpoints)
    with checkpoints.open("rb+") as file:
        if not _acquire(SIGN_SECONDS, _lock, file, SIGN_BYTE):
            raise LedgerError(say("ledger.folder.signing", file=checkpoints))
        yield


def is_served(folder: Path) -> bool:
    """Whether a server runs on a folder; where nobody can tell, one might."""
    path = folder / LOCK
    if not file_modes.POSIX:
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
    if not file_modes.POSIX:
        import msvcrt  # noqa: PLC0415

        lock: Any = msvcrt
        file.seek(byte)
        lock.locking(file.fileno(), lock.LK_NBLCK, 1)
    else:
        import fcntl  # noqa: PLC0415

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _unlock(file: IO[Any], byte: int) -> None:
    if not file_modes.POSIX:
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


# PostgreSQL locks. A lock says who may try to write; the epoch in the ledger decides who can.
# A process that lost its locks without noticing is fenced off by the next claim.


# A machine that vanished without a word is noticed after some eleven seconds.
_ALIVE = (
    "SET tcp_keepalives_idle = 5; SET tcp_keepalives_interval = 2; SET tcp_keepalives_count = 3"
)
# A process that hangs keeps its lines, and with them locks and rows: PostgreSQL cuts them then.
# (From version 14 on; before that only an administrator can.)
_CUT = text(
    "SELECT set_config(name, :after, false) FROM pg_settings WHERE name IN "
    "('idle_session_timeout', 'idle_in_transaction_session_timeout')"
)
_CUT_WRITER = "SET idle_in_transaction_session_timeout = '{}ms'"
_TAKE = text(
    "SELECT key FROM unnest(CAST(:keys AS bigint[])) AS key WHERE pg_try_advisory_lock(key)"
)
_RELEASE_ALL = text("SELECT pg_advisory_unlock_all()")
_RELEASE = text("SELECT pg_advisory_unlock(:key)")


class Locks:
    """PostgreSQL's advisory locks, all on a connection of their own, by the number of a stream.

    Streams of one number share a lock, so that one process has them all.
    """

    def __init__(
        self, ledger: Ledger, key_of: Callable[[str], int], silent: Callable[[], float]
    ) -> None:
        self._engine, self._key_of, self._silent = ledger.engine, key_of, silent
        self._failures = failures(ledger.engine)
        self._connection: Connection | None = None
        self._mutex = threading.Lock()
        self.held: set[str] = set()
        self._cut_when_silent()

    def _cut_when_silent(self) -> None:
        """A writer that hangs in mid-transaction must not hold a table's rows for ever."""

        @event.listens_for(self._engine, "connect")
        def _bounded(raw: Any, _: Any) -> None:
            raw.execute(_CUT_WRITER.format(f"{self._silent() * 1_000:.0f}"))
            raw.commit()

        self._engine.dispose()  # Connections that were made before know nothing of it.

    def take(self, streams: Iterable[str]) -> list[str]:
        """Those that were free and are ours now; raises LedgerError when all of ours are lost."""
        with self._mutex:  # One of ours would be given to us once more.
            wanted = [one for one in streams if one not in self.held]
            ours = {self._key_of(one) for one in self.held}
            try:
                free = self._free({self._key_of(one) for one in wanted} - ours)
            except self._failures as error:
                self._drop()
                raise LedgerError(say("ledger.locks-lost", error=cause(error))) from error
            got = [one for one in wanted if self._key_of(one) in ours | free]
            self.held.update(got)
        return got

    def _free(self, keys: set[int]) -> set[int]:
        """Those that are ours now; asked with none it is a sign of life."""
        rows = self._connected().execute(_TAKE, {"keys": sorted(keys)}).all()
        return {row.key for row in rows}

    def release(self, stream: str) -> None:
        """Let others have it."""
        with self._mutex:
            if stream in self.held and self._connection is not None:
                self.held.discard(stream)
                key = self._key_of(stream)
                if key in map(self._key_of, self.held):
                    return
                with suppress(*self._failures):  # Lost with all others: the next look tells.
                    self._connection.execute(_RELEASE, {"key": key})

    def close(self) -> None:
        """Let go of all, at once: a closed connection is noticed a moment later."""
        with self._mutex:
            if self._connection is not None:
                with suppress(*self._failures):
                    self._connection.execute(_RELEASE_ALL)
            self._drop()

    def _connected(self) -> Connection:
        if self._connection is None:
            made = self._engine.connect().execution_options(isolation_level="AUTOCOMMIT")
            made.detach()  # Not one of the pool's: nobody else may end this session.
            self._connection = made
            made.exec_driver_sql(_ALIVE)
            made.execute(_CUT, {"after": f"{self._silent() * 1_000:.0f}ms"})
        return self._connection

    def _drop(self) -> None:
        self.held = set()
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(*self._failures):
                connection.close()
