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

from pitbook import private_files
from pitbook.errors import LedgerError
from pitbook.house.ledger.database import error_text, failures
from pitbook.house.ledger.ledger import Ledger
from pitbook.text import say

# File locks. The system releases them when the process ends, even after a crash.


LOCK = "serve.lock"
TRIES, RETRY_SECONDS = 5, 0.01
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
        private_files.touch(self._path)
        file = self._path.open("a+", encoding="utf-8")
        # A command may be checking.
        if not _acquire(RETRY_SECONDS * TRIES, _lock, file, FOLDER_BYTE):
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
    """Lock that keeps a SQLite ledger to one server at a time, whichever path it is opened by.

    On Linux the file itself is locked, so links, bind mounts and containers share the lock. On
    other systems it is a file beside the ledger. Close this lock after the ledger: closing any
    descriptor of a database drops the locks that SQLite holds in the same process.
    """

    def __init__(self, ledger: Path) -> None:
        real = ledger.resolve()
        self._on_file = private_files.POSIX and _ofd_command() is not None
        path = real if self._on_file else real.with_name(f"{real.name}.lock")
        private_files.touch(path)
        self._file = path.open("r+b", buffering=0)
        self._is_ours = False

    def take(self) -> bool:
        """Take the lock; returns whether this process now holds it."""
        self._is_ours = self._is_ours or _acquire(RETRY_SECONDS * TRIES, self._set_locked, True)
        return self._is_ours

    def is_taken(self) -> bool:
        """Whether another process holds the lock."""
        if self._is_ours:
            return False
        try:
            self._set_locked(True)
        except OSError:
            return True
        self._set_locked(False)
        return False

    def close(self) -> None:
        """Release the lock."""
        self._file.close()

    def _set_locked(self, locked: bool) -> None:
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
    private_files.touch(checkpoints)
    with checkpoints.open("rb+") as file:
        if not _acquire(SIGN_SECONDS, _lock, file, SIGN_BYTE):
            raise LedgerError(say("ledger.folder.signing", file=checkpoints))
        yield


def is_served(folder: Path) -> bool:
    """Whether a server is using the folder; always True where that cannot be checked."""
    path = folder / LOCK
    if not private_files.POSIX:
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
            time.sleep(RETRY_SECONDS)
        else:
            return True


def _lock(file: IO[Any], byte: int) -> None:
    """Lock a file, or on Windows a byte of it; raises OSError if it is taken."""
    if not private_files.POSIX:
        import msvcrt  # noqa: PLC0415

        lock: Any = msvcrt
        file.seek(byte)
        lock.locking(file.fileno(), lock.LK_NBLCK, 1)
    else:
        import fcntl  # noqa: PLC0415

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _unlock(file: IO[Any], byte: int) -> None:
    if not private_files.POSIX:
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


# A machine that disappears is noticed after about 11 seconds.
_KEEPALIVES = (
    "SET tcp_keepalives_idle = 5; SET tcp_keepalives_interval = 2; SET tcp_keepalives_count = 3"
)
# A process that hangs keeps its connections, locks and rows. PostgreSQL closes them then.
# (From version 14 on; before that only an administrator can.)
_SET_TIMEOUTS = text(
    "SELECT set_config(name, :after, false) FROM pg_settings WHERE name IN "
    "('idle_session_timeout', 'idle_in_transaction_session_timeout')"
)
_SET_WRITER_TIMEOUT = "SET idle_in_transaction_session_timeout = '{}ms'"
_TAKE = text(
    "SELECT key FROM unnest(CAST(:keys AS bigint[])) AS key WHERE pg_try_advisory_lock(key)"
)
_RELEASE_ALL = text("SELECT pg_advisory_unlock_all()")
_RELEASE = text("SELECT pg_advisory_unlock(:key)")


class Locks:
    """PostgreSQL's advisory locks on one connection of their own, by a stream's number.

    Streams with the same number share a lock, so one process holds them all.
    """

    def __init__(
        self, ledger: Ledger, key_of: Callable[[str], int], timeout_seconds: Callable[[], float]
    ) -> None:
        self._engine, self._key_of, self._timeout_seconds = ledger.engine, key_of, timeout_seconds
        self._failures = failures(ledger.engine)
        self._connection: Connection | None = None
        self._mutex = threading.Lock()
        self.held: set[str] = set()
        self._limit_transactions()

    def _limit_transactions(self) -> None:
        """Set a timeout so that a writer that hangs in a transaction releases a table's rows."""

        @event.listens_for(self._engine, "connect")
        def _set_timeout(raw: Any, _: Any) -> None:
            raw.execute(_SET_WRITER_TIMEOUT.format(f"{self._timeout_seconds() * 1_000:.0f}"))
            raw.commit()

        self._engine.dispose()  # Earlier connections have no timeout.

    def take(self, streams: Iterable[str]) -> list[str]:
        """Take free locks and return their streams; raises LedgerError if all locks are lost."""
        with self._mutex:  # Otherwise a lock could be taken twice.
            missing = [stream for stream in streams if stream not in self.held]
            held_keys = {self._key_of(stream) for stream in self.held}
            try:
                taken_keys = self._take_free(
                    {self._key_of(stream) for stream in missing} - held_keys
                )
            except self._failures as error:
                self._disconnect()
                raise LedgerError(say("ledger.locks-lost", error=error_text(error))) from error
            taken_streams = [
                stream for stream in missing if self._key_of(stream) in held_keys | taken_keys
            ]
            self.held.update(taken_streams)
        return taken_streams

    def _take_free(self, keys: set[int]) -> set[int]:
        """Take these locks and return those obtained; with no keys it checks the connection."""
        rows = self._connect().execute(_TAKE, {"keys": sorted(keys)}).all()
        return {row.key for row in rows}

    def release(self, stream: str) -> None:
        """Release the lock of a stream."""
        with self._mutex:
            if stream in self.held and self._connection is not None:
                self.held.discard(stream)
                key = self._key_of(stream)
                if key in map(self._key_of, self.held):
                    return
                with suppress(*self._failures):  # All locks are lost: the next check reports it.
                    self._connection.execute(_RELEASE, {"key": key})

    def close(self) -> None:
        """Release all locks explicitly: PostgreSQL notices a closed connection with a delay."""
        with self._mutex:
            if self._connection is not None:
                with suppress(*self._failures):
                    self._connection.execute(_RELEASE_ALL)
            self._disconnect()

    def _connect(self) -> Connection:
        if self._connection is None:
            connection = self._engine.connect().execution_options(isolation_level="AUTOCOMMIT")
            connection.detach()  # Detached, so no other user of the pool can end this session.
            self._connection = connection
            connection.exec_driver_sql(_KEEPALIVES)
            connection.execute(_SET_TIMEOUTS, {"after": f"{self._timeout_seconds() * 1_000:.0f}ms"})
        return self._connection

    def _disconnect(self) -> None:
        self.held = set()
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(*self._failures):
                connection.close()
