"""A data folder: ledger, keys and checkpoints; opened to write or only to read."""

from __future__ import annotations

import json
import logging
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple
from zipfile import ZIP_DEFLATED, ZipFile

from sqlalchemy import URL

from pitbook.errors import LedgerError
from pitbook.house.ledger import file_modes
from pitbook.house.ledger.anchors import Anchor, AnchoredCheckpoint, anchor_at, key_of
from pitbook.house.ledger.audit import BookVerdict, verify
from pitbook.house.ledger.audit_checkpoints import BookFinding
from pitbook.house.ledger.backup import (
    Manifest,
    check_members,
    check_room,
    read_manifest,
    read_member,
    restore,
    write_backup,
)
from pitbook.house.ledger.batch import ANCHORS
from pitbook.house.ledger.chain import digest
from pitbook.house.ledger.checkpoints import (
    Checkpoint,
    CheckpointFile,
    CheckpointPlace,
    checkpoint_notes,
    latest_note,
    note_checkpoint,
    read_checkpoints,
    replaced_file,
    sign_checkpoint,
)
from pitbook.house.ledger.database import parsed
from pitbook.house.ledger.journal import Ledger, Stream
from pitbook.house.ledger.keys import Keys, fresh_keys, read_keys, write_keys
from pitbook.house.ledger.locks import LedgerLock, is_served, signing_lock
from pitbook.house.ledger.writer import utc_now
from pitbook.text import say, sentence_of

BOOK, KEYS, CHECKPOINTS = "pitbook.db", "keys.json", "checkpoints.jsonl"
SIGN_SECONDS = 60.0  # At most so long nothing is signed,
SIGN_ENTRIES = 10_000  # or so many entries.
log = logging.getLogger("pitbook.ledger")


def log_failure(event: str, error: Exception) -> None:
    """Log an error under a name that operators can alert on."""
    log.error("%s: %s", event, error, extra={"event": event, "fields": {"reason": str(error)}})


class Folder:
    """An open data folder; the book may lie on a server, keys and checkpoints never do."""

    def __init__(
        self, path: Path, keys: Keys, ledger: Ledger, lock: LedgerLock | None = None
    ) -> None:
        self.path, self.keys, self.ledger = path, keys, ledger
        self.anchor: Anchor | None = None
        self.signs = False  # When it is closed: for commands, which come and go.
        self._file = CheckpointFile(path / CHECKPOINTS)
        self._signed_up_to = 0
        self._lock = lock  # None: PostgreSQL has a lock for each table.

    @property
    def shared(self) -> bool:
        """Whether other processes may write to the same book, each in a folder of its own."""
        return self.ledger.engine.dialect.name != "sqlite"

    @property
    def is_closed(self) -> bool:
        """Whether nobody serves the house now, as far as anybody can know."""
        is_taken = self._lock is not None and self._lock.is_taken()
        return not self.shared and not is_served(self.path) and not is_taken

    def lock_ledger(self) -> None:
        """Lock the ledger against other servers; raises LedgerError if one has it open."""
        if self._lock is not None and not self._lock.take():
            raise LedgerError(say("ledger.folder.ledger-in-use", ledger=self.book))

    def check_key(self) -> None:
        """Raise LedgerError if another key signed this ledger: checkpoints cannot be withdrawn."""
        signed = latest_note(self.ledger)
        if signed is not None and signed.key not in (None, self.keys.public):
            keys = {"keys": self.path / KEYS, "theirs": signed.key, "ours": self.keys.public}
            raise LedgerError(say("ledger.folder.other-key", **keys))

    def anchored_at(self, where: str | None) -> Folder:
        """The same, with an anchor outside: a file elsewhere, or the URL of a database."""
        if where and "://" in where and _named(parsed(where)) == _named(self.ledger.engine.url):
            raise LedgerError(say("ledger.folder.anchor-in-book"))
        self.anchor = anchor_at(where, self.path) if where else None
        return self

    @classmethod
    def make(cls, path: Path, url: str | None = None, *, alone: bool = False) -> Folder:
        """Open a data folder; a new one gets keys and an empty book.

        Pass `alone` to serve it. Raises LedgerError if the ledger is served from another folder.
        """
        file_modes.make_folder(path)
        file_modes.check(path, book_file(url))
        if not (path / KEYS).exists():
            if (path / BOOK).exists():
                raise LedgerError(say("ledger.folder.no-keys", path=path, keys=KEYS))
            write_keys(path / KEYS, fresh_keys())
        keys, lock = read_keys(path / KEYS), _ledger_lock(path, book_url(path, url), alone=alone)
        try:
            return cls(path, keys, Ledger.open(book_url(path, url)), lock)
        except BaseException:
            if lock is not None:
                lock.close()
            raise

    @classmethod
    def open(cls, path: Path, url: str | None = None) -> Folder:
        """Open a data folder that is there."""
        if not path.is_dir():
            raise LedgerError(say("ledger.folder.none", path=path))
        if not (path / KEYS).exists():
            raise LedgerError(say("ledger.folder.not-one", path=path, keys=KEYS))
        if url is None and not (path / BOOK).exists():
            raise LedgerError(say("ledger.folder.no-book", path=path))
        return cls.make(path, url)

    @property
    def book(self) -> Path | None:
        """The book's own file, where it is not on a server."""
        return None if self.shared else Path(str(self.ledger.engine.url.database))

    @property
    def checkpoints(self) -> tuple[Checkpoint, ...]:
        """Every checkpoint that was signed, oldest first."""
        file = self.path / CHECKPOINTS
        return read_checkpoints(file) if file.exists() else ()

    def sign(self, *, closed: bool = False) -> Checkpoint:
        """Sign the heads of all streams as they stand, and note it in the book and outside.

        `closed`: nothing is to come, so that the anchor outside can tell what was added since.
        """
        return self._signed(closed=closed)[0]

    def _signed(self, *, closed: bool = False) -> tuple[Checkpoint, CheckpointPlace]:
        self.check_key()
        with signing_lock(self._file.path):
            instead = replaced_file(self.ledger, self._file.last)
            checkpoint, place = self._file.add(self.ledger.streams(), self.keys, at=_now())
            note_checkpoint(self.ledger, place, self.keys.public, instead)
        self._signed_up_to = self.ledger.entries_written
        self.anchor_now(closed=closed)
        return checkpoint, place

    def anchor_now(self, *, closed: bool = False) -> AnchoredCheckpoint | None:
        """Tell the anchor outside, where there is one, of the last checkpoint as the book has it.

        What cannot be told now is told with the next one: tables do not wait for it.
        """
        if self.anchor is None or (place := self._file.last) is None:
            return None
        if (said := latest_note(self.ledger)) is None:
            return None
        one = AnchoredCheckpoint(self.keys.public, *place, said.entry.seq, said.entry.hash, closed)
        try:
            self.anchor.add(one)
        except LedgerError as error:
            log_failure("checkpoint_anchor_failed", error)
            return None
        return one

    def is_due(self, seconds: float = SIGN_SECONDS) -> bool:
        """Whether there is anything new, and the last checkpoint is that old."""
        last = self._file.last
        return (last is None or age_of(last.at) >= seconds) and self.has_news

    @property
    def has_news(self) -> bool:
        """Whether anything was written since the last checkpoint, but for the note of it."""
        signed = {name: seq for name, seq, _ in self._file.heads} if self._file.last else {}
        streams = (one for one in self.ledger.streams() if one.name != ANCHORS)
        return any(one.seq != signed.get(one.name, 0) for one in streams)

    @property
    def was_left(self) -> bool:
        """Whether anything lies unsigned that an earlier life of the house wrote.

        An anchor outside is told of a house from its first day on.
        """
        entries = sum(one.seq for one in self.ledger.streams())
        is_young = self.anchor is None and entries == self.ledger.entries_written
        return not is_young and self.is_due()

    def verify(self, checkpoint: Path | None = None, **how: Any) -> BookVerdict:
        """The book checked against its own checkpoints, or those of another file.

        `how` is for `verify.verify`: what facts imply, and who hears how far it has come.
        """
        return verified(self.ledger, self.path, checkpoint, **{"key": self.keys.public, **how})

    def back_up(self, file: Path, *, with_keys: bool = False) -> Manifest:
        """Sign the heads and write the backup; the keys stay behind unless asked for.

        Nothing in it is unsigned, whoever plays meanwhile.
        """
        if file.exists():
            raise LedgerError(say("ledger.file-is-there", file=file))
        signed, place = self._signed()
        draft = file.with_name(f".{file.name}.draft")
        try:
            draft.unlink(missing_ok=True)
            keys = {KEYS: self.path / KEYS} if with_keys else {}
            made = write_backup(self.ledger, draft, keys, at=_now())
            _put_beside(draft, CHECKPOINTS, self._sealed(draft, made.at, signed, place))
            draft.rename(file)
        finally:
            draft.unlink(missing_ok=True)
        return made

    def _sealed(self, draft: Path, at: str, signed: Checkpoint, place: CheckpointPlace) -> bytes:
        """The checkpoints of a backup; what was played since the last is signed in it alone."""
        streams = [
            Stream._make(json.loads(line)[1:])
            for line in (read_member(draft, "streams.jsonl") or b"").splitlines()
        ]
        ends = {one.name: one.seq for one in streams}
        covered = {name: seq for name, seq, _ in signed.heads}
        before = covered.get(ANCHORS, 0)
        lines = self._noted(place, before, ends[ANCHORS])
        if ends != covered | {ANCHORS: before + 1}:  # More than the checkpoint and its own note.
            last = digest(lines[-1].decode(errors="replace"))
            lines.append(sign_checkpoint(streams, self.keys, at=at, previous=last).line.encode())
        return b"\n".join(lines) + b"\n"

    def _noted(self, place: CheckpointPlace, before: int, end: int) -> list[bytes]:
        """Checkpoints up to the last that a backup's book notes; a server signs on meanwhile."""
        numbers = [
            note.number
            for entry in self.ledger.entries(ANCHORS, after=before)
            for note in checkpoint_notes(entry)
            if entry.seq <= end and note.chain == place.chain
        ]
        lines = (self.path / CHECKPOINTS).read_bytes().split(b"\n")
        return lines[: max([place.number, *numbers])]

    def close(self) -> None:
        """Let go of the book; what a command wrote is signed first, where that is due."""
        try:
            wrote = self.ledger.entries_written > self._signed_up_to
            if self.signs and wrote and (self.anchor or self.is_due()):
                self.sign(closed=self.is_closed)
        except (LedgerError, OSError) as error:  # The next one to sign covers it.
            log_failure("checkpoint_sign_failed", error)
        finally:
            self.ledger.close()
            if self._lock is not None:
                self._lock.close()

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
        raise LedgerError(say("ledger.folder.not-empty", path=path))
    read_manifest(file)
    check_members(file, (KEYS, CHECKPOINTS))
    book = path if url is None else book_file(url)
    if book is not None:  # Not on a database server.
        check_room(file, book)
    kept = keys.read_bytes() if keys else read_member(file, KEYS)
    if kept is None:
        raise LedgerError(say("ledger.folder.backup-without-keys", file=file, keys=KEYS))
    file_modes.make_folder(path)
    file_modes.check(path, book_file(url))
    try:
        _put(path / KEYS, kept)
        read_keys(path / KEYS)
        _put(path / CHECKPOINTS, read_member(file, CHECKPOINTS) or b"")
        with Ledger.open(book_url(path, url)) as ledger:
            return restore(ledger, file)
    except BaseException:
        for name in path.iterdir():
            name.unlink()
        raise


def verified(ledger: Ledger, path: Path, checkpoint: Path | None = None, **how: Any) -> BookVerdict:
    """A book checked against the checkpoints of its folder, or those of another file.

    Where there are no keys, the house's is the one that is known outside.
    """
    if checkpoint is not None:
        signed = read_checkpoints(checkpoint)
        return verify(ledger, signed, **_by_key(signed, how))
    try:
        signed = _read(path)
        return verify(ledger, signed, whole=lambda: _read(path), **_by_key(signed, how))
    except LedgerError as error:  # Who damaged them may have damaged the book.
        found = verify(ledger, **how)
        damage = BookFinding(say("ledger.place.checkpoints"), sentence_of(error))
        return found._replace(findings=(damage, *found.findings))


def _ledger_lock(path: Path, url: str, *, alone: bool) -> LedgerLock | None:
    """The lock of a SQLite ledger, taken before SQLite opens the file.

    A hard link has its own write-ahead log, so even reading through one beside a server is wrong.
    """
    if (file := book_file(url)) is None or not file.parent.is_dir():
        return None
    lock = LedgerLock(file)
    if alone and not lock.take():
        lock.close()
        raise LedgerError(say("ledger.folder.ledger-in-use", ledger=file))
    if not is_served(path) and lock.is_taken():
        lock.close()
        raise LedgerError(say("ledger.folder.served-elsewhere", ledger=file, folder=path))
    return lock


def _named(url: URL) -> tuple[object, ...]:
    """Which database it is, whoever asks and however."""
    return url.get_backend_name(), url.host, url.port, url.database


def _by_key(signed: tuple[Checkpoint, ...], how: dict[str, Any]) -> dict[str, Any]:
    return {**how, "key": how.get("key") or key_of(how.get("anchored"), signed)}


def _read(path: Path) -> tuple[Checkpoint, ...]:
    file = path / CHECKPOINTS
    return read_checkpoints(file) if file.exists() else ()


def age_of(at: str) -> float:
    """Seconds since a time on record; one that cannot be read, or is yet to come, was long ago."""
    try:
        age = (utc_now() - datetime.fromisoformat(at)).total_seconds()
    except (TypeError, ValueError):
        return float("inf")
    return age if age >= 0 else float("inf")  # A clock was ahead, and nobody waits for years.


def book_url(path: Path, url: str | None) -> str:
    """The database of a data folder, unless another is named."""
    return url or f"sqlite:///{(path / BOOK).resolve()}"


def book_file(url: str | None) -> Path | None:
    """The file of a book elsewhere; None where none is named, or one on a server."""
    found = None if url is None else parsed(url)
    if found is None or found.get_backend_name() != "sqlite":
        return None
    return Path(str(found.database))


def _put_beside(archive: Path, name: str, content: bytes) -> None:
    """Add a file to a backup, durably."""
    with archive.open("r+b") as file:
        with ZipFile(file, "a", ZIP_DEFLATED) as opened:
            opened.writestr(name, content)
        file.flush()
        os.fsync(file.fileno())


def _put(path: Path, content: bytes) -> None:
    with file_modes.created(path, "wb", kept=True) as file:
        file.write(content)


def _now() -> str:
    return utc_now().isoformat(timespec="microseconds")


# Read-only access, to a live folder or a copy.


BESIDE = ("-wal", "-journal")


class ReadOnlyFolder(NamedTuple):
    """A data folder as an auditor has it: its keys may be missing, and its modes not ours."""

    path: Path
    ledger: Ledger
    key: str | None  # The house's, as far as its keys are here.
    loose: tuple[Path, ...] = ()

    @property
    def checkpoints(self) -> tuple[Checkpoint, ...]:
        """Every checkpoint that was signed, oldest first."""
        file = self.path / CHECKPOINTS
        return read_checkpoints(file) if file.exists() else ()

    def verify(self, checkpoint: Path | None = None, **how: Any) -> BookVerdict:
        """The book checked against its own checkpoints, or those of another file."""
        return verified(self.ledger, self.path, checkpoint, **{"key": self.key, **how})


@contextmanager
def open_read_only(
    path: Path, url: str | None = None, key: str | None = None
) -> Iterator[ReadOnlyFolder]:
    """Open a data folder to read it; one that is read-only stays as it is, to the last file.

    Whoever knows the house's public key needs no keys in the folder.
    """
    if not path.is_dir():
        raise LedgerError(say("ledger.folder.none", path=path))
    elsewhere = book_file(url)
    if _is_copy(path, url):
        with _copy(path, url) as ledger:
            yield ReadOnlyFolder(path, ledger, _key(path), tuple(file_modes.loose(path, elsewhere)))
    elif key is None or (path / KEYS).exists():
        with Folder.open(path, url) as folder:
            yield ReadOnlyFolder(path, folder.ledger, folder.keys.public)
    else:
        file_modes.check(path, elsewhere)
        with Ledger.open(book_url(path, url)) as ledger:
            yield ReadOnlyFolder(path, ledger, None)


def _is_copy(path: Path, url: str | None) -> bool:
    """Whether a book is a file that cannot be written to, or beside which nothing can be put."""
    if (book := _file(path, url)) is None or not book.exists():
        return False
    # A book that is named lives on, whatever becomes of a folder with keys and checkpoints.
    return file_modes.is_read_only(*(() if url else (path,)), book.parent, book)


@contextmanager
def _copy(path: Path, url: str | None) -> Iterator[Ledger]:
    """Where SQLite left something beside the book it must be taken in, which is done elsewhere."""
    book = _file(path, url)
    left = [end for end in BESIDE if (one := Path(f"{book}{end}")).exists() and one.stat().st_size]
    if not left:
        with Ledger.read_only(book_url(path, url)) as ledger:
            yield ledger
        return
    with file_modes.passing_folder() as place:
        for end in ("", *left):
            file_modes.touch(place / f"{BOOK}{end}")
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
