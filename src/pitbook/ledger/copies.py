"""A book that is only looked at: in a live house, or a copy that cannot be written to."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from pitbook.errors import LedgerError
from pitbook.ledger import checkpoints, private
from pitbook.ledger.book import Ledger
from pitbook.ledger.checkpoints import Checkpoint
from pitbook.ledger.folder import BOOK, CHECKPOINTS, KEYS, Folder, book_file, book_url, verified
from pitbook.ledger.keys import read_keys
from pitbook.ledger.verify import Verdict

__all__ = ["Seen", "looked_at"]

BESIDE = ("-wal", "-journal")


class Seen(NamedTuple):
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

    def verify(self, checkpoint: Path | None = None, **how: Any) -> Verdict:
        """The book checked against its own checkpoints, or those of another file."""
        return verified(self.ledger, self.path, checkpoint, **{"key": self.key, **how})


@contextmanager
def looked_at(path: Path, url: str | None = None, key: str | None = None) -> Iterator[Seen]:
    """Open a data folder to read it; one that is read-only stays as it is, to the last file.

    Whoever knows the house's public key needs no keys in the folder.
    """
    book = path / BOOK
    if not path.is_dir():
        raise LedgerError(f"{path}: there is no such data folder; --data names another")
    if url is None and book.exists() and private.is_read_only(path, book):
        with _copy(path) as ledger:
            yield Seen(path, ledger, _key(path), tuple(private.loose(path)))
    elif key is None or (path / KEYS).exists():
        with Folder.open(path, url) as folder:
            yield Seen(path, folder.ledger, folder.keys.public)
    else:
        private.check(path, book_file(url))
        with Ledger.open(book_url(path, url)) as ledger:
            yield Seen(path, ledger, None)


@contextmanager
def _copy(path: Path) -> Iterator[Ledger]:
    """Where SQLite left something beside the book it must be taken in, which is done elsewhere."""
    beside = [path / f"{BOOK}{end}" for end in BESIDE]
    left = [one for one in beside if one.exists() and one.stat().st_size]
    if not left:
        with Ledger.read_only(book_url(path, None)) as ledger:
            yield ledger
        return
    with TemporaryDirectory(prefix="pitbook-") as place:
        for file in (path / BOOK, *left):
            private.touch(Path(place, file.name))
            shutil.copyfile(file, Path(place, file.name))
        with Ledger.open(book_url(Path(place), None)) as ledger:
            yield ledger


def _key(path: Path) -> str | None:
    """A copy that others may read is told of, and read all the same: nobody can mend it."""
    file = path / KEYS
    try:
        return read_keys(file, anyhow=True).public if file.exists() else None
    except PermissionError:  # An auditor was given everything but the keys.
        return None
