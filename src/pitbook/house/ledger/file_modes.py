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
BESIDE = ("-wal", "-shm", "-journal")  # What SQLite puts beside a book.
BOOK = "pitbook.db"
OURS = frozenset({"keys.json", "checkpoints.jsonl", "serve.lock"})
POSIX = os.name == "posix"


def make_folder(path: Path) -> None:
    """Make a folder that is its owner's alone; an empty one that is there is closed to others.

    Those on the way to it are made so too: who may write there could put another in its place.
    """
    try:
        if not path.is_dir():
            for one in (*(one for one in reversed(path.parents) if not one.exists()), path):
                one.mkdir(FOLDER, exist_ok=True)  # Another process may be on the same way.
                _close(one)
        elif not any(path.iterdir()):
            _close(path)
    except PermissionError as error:
        raise LedgerError(say("ledger.private.not-opened", path=path, why=error.strerror)) from None


@contextmanager
def passing_folder() -> Iterator[Path]:
    """A folder that is its owner's alone, and gone afterwards."""
    with TemporaryDirectory(prefix="pitbook-") as place:
        _close(Path(place))
        yield Path(place)


def created(path: Path, mode: str = "w", *, kept: bool = False, **how: Any) -> Any:
    """A new file, open to write to, that is its owner's alone; raises FileExistsError.

    One that is `kept` in a data folder belongs to whom the folder does.
    """
    return os.fdopen(_descriptor(path, os.O_EXCL, kept=kept), mode, **how)


def touch(path: Path) -> None:
    """Make an empty file for somebody else to fill, unless there is one."""
    if not path.exists():
        os.close(_descriptor(path, 0, kept=True))


def check(path: Path, book: Path | None = None) -> None:
    """Raise LedgerError where others may look into a data folder, with the line that mends it.

    Or into its book, where that is a file elsewhere.
    """
    if not POSIX:
        return
    kept = _all(path, book)
    owner = os.geteuid() or kept[0][1].st_uid  # An administrator looks after somebody's house.
    for one, found in kept:
        if found.st_uid not in (0, owner):
            raise LedgerError(
                say(
                    "ledger.private.anothers",
                    path=one,
                    whose=_called(found.st_uid),
                    owner=_called(owner),
                    quoted=shlex.quote(str(one)),
                )
            )
    if loose := _loose(kept):
        keys = path / "keys.json"
        key = "ledger.private.keys-read" if keys in loose else "ledger.private.data-seen"
        where = keys if loose == [keys] else path
        raise LedgerError(say(key, path=where, remedy=_mending(path, loose)))


def loose(path: Path, book: Path | None = None) -> list[Path]:
    """The folder and those of the house's files that are not their owner's alone."""
    return _loose(_all(path, book)) if POSIX else []


def is_read_only(*paths: Path) -> bool:
    """Whether any of these cannot be written to, or is marked so: root could all the same."""
    return any(
        not os.access(one, os.W_OK) or (POSIX and not one.stat().st_mode & WRITES) for one in paths
    )


KeptFile = tuple[Path, os.stat_result]


def _loose(kept: Iterable[KeptFile]) -> list[Path]:
    return [one for one, found in kept if found.st_mode & OTHERS]


def _all(path: Path, book: Path | None) -> list[KeptFile]:
    return [*_kept(path), *(() if book is None else _elsewhere(book))]


def _kept(path: Path) -> Iterator[KeptFile]:
    """The folder and the house's files in it; what SQLite leaves lies beside the book itself."""
    yield path, path.stat()
    book = path / BOOK
    beside = [Path(f"{book.resolve()}{end}") for end in BESIDE] if book.is_symlink() else []
    ours = [one for one in path.iterdir() if one.name.startswith(BOOK) or one.name in OURS]
    for one in (*sorted(ours), *beside):
        with suppress(FileNotFoundError):  # Somebody else closed the book meanwhile.
            yield one, one.stat()


def _elsewhere(book: Path) -> Iterator[KeptFile]:
    """A book outside the folder, and what SQLite leaves beside it."""
    for one in (book, *(Path(f"{book.resolve()}{end}") for end in BESIDE)):
        with suppress(FileNotFoundError):
            yield one, one.stat()


def _close(folder: Path) -> None:
    if POSIX:
        folder.chmod(FOLDER)  # A umask may have taken even the owner's part.


def _called(user: int) -> str:
    import pwd  # noqa: PLC0415  Windows has none.

    try:
        return pwd.getpwuid(user).pw_name
    except KeyError:
        return str(user)


def _descriptor(path: Path, how: int, *, kept: bool) -> int:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | how | getattr(os, "O_BINARY", 0), FILE)
    if POSIX:
        os.fchmod(descriptor, FILE)  # A umask may have taken even the owner's part.
        folder = path.parent.stat()
        if kept and not os.geteuid() and not folder.st_mode & OTHERS:
            # What an administrator makes in somebody's house must not shut that somebody out.
            os.fchown(descriptor, folder.st_uid, folder.st_gid)
    return descriptor


def _mending(path: Path, found: Iterable[Path]) -> str:
    files = [shlex.quote(str(one)) for one in found if one != path]
    folder = [f"chmod 700 {shlex.quote(str(path))}"] if path in found else []
    return "; ".join(folder + ([f"chmod 600 {' '.join(files)}"] if files else []))
