"""A book that is only looked at: in a live house, or a copy that cannot be written to."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from pitbook.errors import LedgerError
from pitbook.house.ledger import checkpoints, private
from pitbook.house.ledger.book import Ledger
from pitbook.house.ledger.checkpoints import Checkpoint
from pitbook.house.ledger.folder import (
    BOOK,
    CHECKPOINTS,
    KEYS,
    Folder,
    book_file,
    book_url,
    verified,
)
from pitbook.house.ledger.keys import read_keys
from pitbook.house.ledger.verify import BookVerdict
from pitbook.text import say

BESIDE = ("-wal", "-journal")


class SeenFolder(NamedTuple):
    """A data folder as an auditor has it: its keys may be missing, and its modes not ours."""

    path: Path
    ledger: Ledger
    key: str | None  # The house's, as far as its keys are here.
    loose: tuple[Path, ...] = ()

    @property
    def checkpoints(self) -> tuple[Checkpoint, ...]:
        """Every checkpoint that was signed, oldest first."""
        file = self.path / CHECKPOINTS
        return checkpoints.read(file) if file.exists() else ()

    def verify(self, checkpoint: Path | None = None, **how: Any) -> BookVerdict:
        """The book checked against its own checkpoints, or those of another file."""
        return verified(self.ledger, self.path, checkpoint, **{"key": self.key, **how})


@contextmanager
def looked_at(path: Path, url: str | None = None, key: str | None = None) -> Iterator[SeenFolder]:
    """Open a data folder to read it; one that is read-only stays as it is, to the last file.

    Whoever knows the house's public key needs no keys in the folder.
    """
    if not path.is_dir():
        raise LedgerError(say("ledger.folder.none", path=path))
    elsewhere = book_file(url)
    if _is_copy(path, url):
        with _copy(path, url) as ledger:
            yield SeenFolder(path, ledger, _key(path), tuple(private.loose(path, elsewhere)))
    elif key is None or (path / KEYS).exists():
        with Folder.open(path, url) as folder:
            yield SeenFolder(path, folder.ledger, folder.keys.public)
    else:
        private.check(path, elsewhere)
        with Ledger.open(book_url(path, url)) as ledger:
            yield SeenFolder(path, ledger, None)


def _is_copy(path: Path, url: str | None) -> bool:
    """Whether a book is a file that cannot be written to, or beside which nothing can be put."""
    if (book := _file(path, url)) is None or not book.exists():
        return False
    # A book that is named lives on, whatever becomes of a folder with keys and checkpoints.
    return private.is_read_only(*(() if url else (path,)), book.parent, book)


@contextmanager
def _copy(path: Path, url: str | None) -> Iterator[Ledger]:
    """Where SQLite left something beside the book it must be taken in, which is done elsewhere."""
    book = _file(path, url)
    left = [end for end in BESIDE if (one := Path(f"{book}{end}")).exists() and one.stat().st_size]
    if not left:
        with Ledger.read_only(book_url(path, url)) as ledger:
            yield ledger
        return
    with private.passing_folder() as place:
        for end in ("", *left):
            private.touch(place / f"{BOOK}{end}")
            shutil.copyfile(f"{book}{end}", place / f"{BOOK}{end}")
        with Ledger.open(book_url(place, None)) as ledger:
            yield ledger


def _file(path: Path, url: str | None) -> Path | None:
    """The book's own file, which a link may only lead to: beside it SQLite leaves what it does."""
    found = path / BOOK if url is None else book_file(url)
    return None if found is None else found.resolve()


def _key(path: Path) -> str | None:
    """A copy that others may read is told of, and read all the same: nobody can mend it."""
    file = path / KEYS
    try:
        return read_keys(file, anyhow=True).public if file.exists() else None
    except PermissionError:  # An auditor was given everything but the keys.
        return None
