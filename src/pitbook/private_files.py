"""Files and folders that only their owner can read: folders 0700, files 0600."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from pitbook.errors import LedgerError
from pitbook.text import say

FOLDER, FILE, OTHERS = 0o700, 0o600, 0o077
WRITES = 0o222
SQLITE_SUFFIXES = ("-wal", "-shm", "-journal")  # Files that SQLite puts next to a ledger.
LEDGER_NAME = "pitbook.db"
SERVER_FILES = frozenset({"keys.json", "checkpoints.jsonl", "serve.lock"})
POSIX = os.name == "posix"


def make_folder(path: Path) -> None:
    """Create a private folder, with its parents; an empty one that exists is made private.

    Parents are private too: anyone who can write there could replace the folder.
    """
    try:
        if not path.is_dir():
            for folder in (
                *(folder for folder in reversed(path.parents) if not folder.exists()),
                path,
            ):
                folder.mkdir(FOLDER, exist_ok=True)  # Another process may do the same.
                _make_private(folder)
        elif not any(path.iterdir()):
            _make_private(path)
    except PermissionError as error:
        raise LedgerError(say("ledger.private.not-opened", path=path, why=error.strerror)) from None


@contextmanager
def temporary_folder() -> Iterator[Path]:
    """A private folder that is deleted afterwards."""
    with TemporaryDirectory(prefix="pitbook-") as folder:
        _make_private(Path(folder))
        yield Path(folder)


def create(path: Path, mode: str = "w", *, in_folder: bool = False, **options: Any) -> Any:
    """A new private file, open for writing; raises FileExistsError.

    With `in_folder`, the file belongs to the owner of the data folder.
    """
    return os.fdopen(_open_new(path, os.O_EXCL, in_folder=in_folder), mode, **options)


def touch(path: Path) -> None:
    """Create an empty private file if it does not exist."""
    if not path.exists():
        os.close(_open_new(path, 0, in_folder=True))


def check_private(path: Path, ledger: Path | None = None) -> None:
    """Raise LedgerError with the fixing command if others can read a data folder.

    Also checks its ledger if that is a file elsewhere.
    """
    if not POSIX:
        return
    files = _all_files(path, ledger)
    owner = os.geteuid() or files[0][1].st_uid  # root may administer another user's folder.
    for file, stat in files:
        if stat.st_uid not in (0, owner):
            raise LedgerError(
                say(
                    "ledger.private.anothers",
                    path=file,
                    whose=_user_name(stat.st_uid),
                    owner=_user_name(owner),
                    quoted=shlex.quote(str(file)),
                )
            )
    if loose := _too_open(files):
        keys = path / "keys.json"
        key = "ledger.private.keys-read" if keys in loose else "ledger.private.data-seen"
        path_to_fix = keys if loose == [keys] else path
        raise LedgerError(say(key, path=path_to_fix, remedy=_chmod_commands(path, loose)))


def loose_files(path: Path, ledger: Path | None = None) -> list[Path]:
    """The folder and those of its files that others can read."""
    return _too_open(_all_files(path, ledger)) if POSIX else []


def is_read_only(*paths: Path) -> bool:
    """Whether any path is read-only for this user, or marked so, even if root could write."""
    return any(
        not os.access(path, os.W_OK) or (POSIX and not path.stat().st_mode & WRITES)
        for path in paths
    )


FileStat = tuple[Path, os.stat_result]


def _too_open(files: Iterable[FileStat]) -> list[Path]:
    return [path for path, stat in files if stat.st_mode & OTHERS]


def _all_files(path: Path, ledger: Path | None) -> list[FileStat]:
    return [*_folder_files(path), *(() if ledger is None else _ledger_files(ledger))]


def _folder_files(path: Path) -> Iterator[FileStat]:
    """The folder and its own files; SQLite's files are next to the real ledger file."""
    yield path, path.stat()
    ledger = path / LEDGER_NAME
    sqlite_files = (
        [Path(f"{ledger.resolve()}{suffix}") for suffix in SQLITE_SUFFIXES]
        if ledger.is_symlink()
        else []
    )
    files = [
        file
        for file in path.iterdir()
        if file.name.startswith(LEDGER_NAME) or file.name in SERVER_FILES
    ]
    for file in (*sorted(files), *sqlite_files):
        with suppress(FileNotFoundError):  # Another process closed the ledger meanwhile.
            yield file, file.stat()


def _ledger_files(ledger: Path) -> Iterator[FileStat]:
    """A ledger outside the folder, and SQLite's files next to it."""
    for path in (ledger, *(Path(f"{ledger.resolve()}{suffix}") for suffix in SQLITE_SUFFIXES)):
        with suppress(FileNotFoundError):
            yield path, path.stat()


def _make_private(folder: Path) -> None:
    if POSIX:
        folder.chmod(FOLDER)  # A umask may remove even the owner's permissions.


def _user_name(user: int) -> str:
    import pwd  # noqa: PLC0415  Windows has none.

    try:
        return pwd.getpwuid(user).pw_name
    except KeyError:
        return str(user)


def _open_new(path: Path, flags: int, *, in_folder: bool) -> int:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | flags | getattr(os, "O_BINARY", 0), FILE)
    if POSIX:
        os.fchmod(descriptor, FILE)  # A umask may remove even the owner's permissions.
        folder = path.parent.stat()
        if in_folder and not os.geteuid() and not folder.st_mode & OTHERS:
            # What root creates here must stay readable for the folder's owner.
            os.fchown(descriptor, folder.st_uid, folder.st_gid)
    return descriptor


def _chmod_commands(path: Path, loose: Iterable[Path]) -> str:
    files = [shlex.quote(str(file)) for file in loose if file != path]
    folder = [f"chmod 700 {shlex.quote(str(path))}"] if path in loose else []
    return "; ".join(folder + ([f"chmod 600 {' '.join(files)}"] if files else []))
