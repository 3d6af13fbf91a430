"""A house's data folder: the book, its keys, and the checkpoints that stand outside the book."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType

from pitbook.errors import LedgerError
from pitbook.ledger import checkpoints, private
from pitbook.ledger.book import Ledger
from pitbook.ledger.checkpoints import Checkpoint
from pitbook.ledger.keys import Keys, fresh_keys, read_keys, write_keys
from pitbook.ledger.portable import Manifest, backup, manifest, restore, take_out
from pitbook.ledger.verify import Finding, Verdict, verify
from pitbook.ledger.writer import utc_now

BOOK, KEYS, CHECKPOINTS = "pitbook.db", "keys.json", "checkpoints.jsonl"


class Folder:
    """An open data folder; the book may lie on a server, keys and checkpoints never do."""

    def __init__(self, path: Path, keys: Keys, ledger: Ledger) -> None:
        self.path, self.keys, self.ledger = path, keys, ledger

    @classmethod
    def make(cls, path: Path, url: str | None = None) -> Folder:
        """Open a data folder; a new one gets keys and an empty book."""
        private.make_folder(path)
        private.check(path)
        if not (path / KEYS).exists():
            if (path / BOOK).exists():
                raise LedgerError(
                    f"{path}: there is a book but no {KEYS}; put back the house's keys"
                )
            write_keys(path / KEYS, fresh_keys())
        return cls(path, read_keys(path / KEYS), Ledger.open(book_url(path, url)))

    @classmethod
    def open(cls, path: Path, url: str | None = None) -> Folder:
        """Open a data folder that is there."""
        if not path.is_dir():
            raise LedgerError(f"{path}: there is no such data folder; --data names another")
        if not (path / KEYS).exists():
            raise LedgerError(f"{path}: this is no data folder, it has no {KEYS}")
        if url is None and not (path / BOOK).exists():
            raise LedgerError(f"{path}: it has no book; --database names the server it is on")
        return cls.make(path, url)

    @property
    def checkpoints(self) -> tuple[Checkpoint, ...]:
        """Every checkpoint that was signed, oldest first."""
        file = self.path / CHECKPOINTS
        return checkpoints.read(file) if file.exists() else ()

    def sign(self) -> Checkpoint:
        """Sign the heads of all streams as they stand."""
        return checkpoints.add(self.path / CHECKPOINTS, self.ledger.streams(), self.keys, at=_now())

    def verify(self, checkpoint: Path | None = None) -> Verdict:
        """The book checked against its own checkpoints, or those of another file."""
        if checkpoint is not None:
            return verify(self.ledger, checkpoints.read(checkpoint), key=self.keys.public)
        try:
            return verify(self.ledger, self.checkpoints, key=self.keys.public)
        except LedgerError as error:  # Who damaged them may have damaged the book.
            found = verify(self.ledger, key=self.keys.public)
            damage = Finding("the checkpoints", str(error))
            return found._replace(findings=(damage, *found.findings))

    def back_up(self, file: Path, *, with_keys: bool = False) -> Manifest:
        """Sign the heads and write the backup; the keys stay behind unless asked for."""
        self.sign()
        names = [CHECKPOINTS, KEYS] if with_keys else [CHECKPOINTS]
        return backup(self.ledger, file, {name: self.path / name for name in names}, at=_now())

    def close(self) -> None:
        """Let go of the book."""
        self.ledger.close()

    def __enter__(self) -> Folder:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def restored(file: Path, path: Path, url: str | None = None, keys: Path | None = None) -> Manifest:
    """A new data folder from a backup; keys come from it or from the house's own copy."""
    if path.exists() and any(path.iterdir()):
        raise LedgerError(f"{path}: the folder is not empty; restore into a new one")
    manifest(file)
    kept = keys.read_bytes() if keys else take_out(file, KEYS)
    if kept is None:
        raise LedgerError(f"{file}: the backup holds no keys; --keys names the house's {KEYS}")
    private.make_folder(path)
    private.check(path)
    try:
        _put(path / KEYS, kept)
        read_keys(path / KEYS)
        _put(path / CHECKPOINTS, take_out(file, CHECKPOINTS) or b"")
        with Ledger.open(book_url(path, url)) as ledger:
            return restore(ledger, file)
    except BaseException:
        for name in path.iterdir():
            name.unlink()
        raise


def book_url(path: Path, url: str | None) -> str:
    """The database of a data folder, unless another is named."""
    return url or f"sqlite:///{(path / BOOK).resolve()}"


def _put(path: Path, content: bytes) -> None:
    with private.created(path, "wb") as file:
        file.write(content)


def _now() -> str:
    return utc_now().isoformat(timespec="microseconds")
