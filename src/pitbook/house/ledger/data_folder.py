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

from pitbook import private_files
from pitbook.errors import LedgerError
from pitbook.house.ledger.anchors import Anchor, AnchoredCheckpoint, anchor_at, anchored_key
from pitbook.house.ledger.append_batch import ANCHORS
from pitbook.house.ledger.audit import LedgerVerdict, verify
from pitbook.house.ledger.audit_checkpoints import LedgerFinding
from pitbook.house.ledger.backup import (
    Manifest,
    check_members,
    check_room,
    read_manifest,
    read_member,
    restore,
    write_backup,
)
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
from pitbook.house.ledger.database import parse_url
from pitbook.house.ledger.hash_chain import sha256
from pitbook.house.ledger.keys import Keys, generate_keys, read_keys, write_keys
from pitbook.house.ledger.ledger import Ledger, Stream
from pitbook.house.ledger.locks import LedgerLock, is_served, signing_lock
from pitbook.house.ledger.writer import utc_now
from pitbook.text import say, sentence_of

LEDGER_FILE, KEYS_FILE, CHECKPOINTS_FILE = "pitbook.db", "keys.json", "checkpoints.jsonl"
SIGN_SECONDS = 60.0  # Sign at most this often,
SIGN_ENTRIES = 10_000  # or after so many entries.
log = logging.getLogger("pitbook.ledger")


def log_failure(event: str, error: Exception) -> None:
    """Log an error under a name that operators can alert on."""
    log.error("%s: %s", event, error, extra={"event": event, "fields": {"reason": str(error)}})


class Folder:
    """An open data folder; the ledger may be on a server, keys and checkpoints never are."""

    def __init__(
        self, path: Path, keys: Keys, ledger: Ledger, lock: LedgerLock | None = None
    ) -> None:
        self.path, self.keys, self.ledger = path, keys, ledger
        self.anchor: Anchor | None = None
        self.signs_on_close = False  # For commands, which sign when they close the folder.
        self._file = CheckpointFile(path / CHECKPOINTS_FILE)
        self._signed_up_to = 0
        self._lock = lock  # None: PostgreSQL has a lock for each table.

    @property
    def shared(self) -> bool:
        """Whether other processes may write to the same ledger, each from its own folder."""
        return self.ledger.engine.dialect.name != "sqlite"

    @property
    def is_closed(self) -> bool:
        """Whether no server runs on the folder, as far as this process can tell."""
        is_taken = self._lock is not None and self._lock.is_taken()
        return not self.shared and not is_served(self.path) and not is_taken

    def lock_ledger(self) -> None:
        """Lock the ledger against other servers; raises LedgerError if one has it open."""
        if self._lock is not None and not self._lock.take():
            raise LedgerError(say("ledger.folder.ledger-in-use", ledger=self.ledger_path))

    def check_key(self) -> None:
        """Raise LedgerError if another key signed this ledger: checkpoints cannot be withdrawn."""
        signed = latest_note(self.ledger)
        if signed is not None and signed.key not in (None, self.keys.public):
            details = {
                "keys": self.path / KEYS_FILE,
                "theirs": signed.key,
                "ours": self.keys.public,
            }
            raise LedgerError(say("ledger.folder.other-key", **details))

    def use_anchor(self, address: str | None) -> Folder:
        """Set the outside anchor, a file elsewhere or the URL of a database; returns the folder."""
        if (
            address
            and "://" in address
            and _database_identity(parse_url(address)) == _database_identity(self.ledger.engine.url)
        ):
            raise LedgerError(say("ledger.folder.anchor-in-book"))
        self.anchor = anchor_at(address, self.path) if address else None
        return self

    @classmethod
    def make(cls, path: Path, url: str | None = None, *, exclusive: bool = False) -> Folder:
        """Open a data folder; a new one gets keys and an empty ledger.

        Pass `exclusive` to serve it. Raises LedgerError if the ledger is served from another
        folder.
        """
        private_files.make_folder(path)
        private_files.check_private(path, ledger_file(url))
        if not (path / KEYS_FILE).exists():
            if (path / LEDGER_FILE).exists():
                raise LedgerError(say("ledger.folder.no-keys", path=path, keys=KEYS_FILE))
            write_keys(path / KEYS_FILE, generate_keys())
        keys, lock = (
            read_keys(path / KEYS_FILE),
            _ledger_lock(path, ledger_url(path, url), exclusive=exclusive),
        )
        try:
            return cls(path, keys, Ledger.open(ledger_url(path, url)), lock)
        except BaseException:
            if lock is not None:
                lock.close()
            raise

    @classmethod
    def open(cls, path: Path, url: str | None = None) -> Folder:
        """Open a data folder that exists."""
        if not path.is_dir():
            raise LedgerError(say("ledger.folder.none", path=path))
        if not (path / KEYS_FILE).exists():
            raise LedgerError(say("ledger.folder.not-one", path=path, keys=KEYS_FILE))
        if url is None and not (path / LEDGER_FILE).exists():
            raise LedgerError(say("ledger.folder.no-book", path=path))
        return cls.make(path, url)

    @property
    def ledger_path(self) -> Path | None:
        """The ledger's file, or None if it is on a server."""
        return None if self.shared else Path(str(self.ledger.engine.url.database))

    @property
    def checkpoints(self) -> tuple[Checkpoint, ...]:
        """Every signed checkpoint, oldest first."""
        file = self.path / CHECKPOINTS_FILE
        return read_checkpoints(file) if file.exists() else ()

    def sign(self, *, closed: bool = False) -> Checkpoint:
        """Sign the heads of all streams, and record the checkpoint in the ledger and the anchor.

        `closed` means that no entries will follow, so the anchor can reveal later additions.
        """
        return self._sign(closed=closed)[0]

    def _sign(self, *, closed: bool = False) -> tuple[Checkpoint, CheckpointPlace]:
        self.check_key()
        with signing_lock(self._file.path):
            replaced = replaced_file(self.ledger, self._file.last)
            checkpoint, place = self._file.add(self.ledger.streams(), self.keys, at=_now())
            note_checkpoint(self.ledger, place, self.keys.public, replaced)
        self._signed_up_to = self.ledger.entries_written
        self.anchor_now(closed=closed)
        return checkpoint, place

    def anchor_now(self, *, closed: bool = False) -> AnchoredCheckpoint | None:
        """Send the last checkpoint to the anchor, if there is one.

        After a failure the next checkpoint is sent instead: tables do not wait.
        """
        if self.anchor is None or (place := self._file.last) is None:
            return None
        if (note := latest_note(self.ledger)) is None:
            return None
        anchored = AnchoredCheckpoint(
            self.keys.public, *place, note.entry.seq, note.entry.hash, closed
        )
        try:
            self.anchor.add(anchored)
        except LedgerError as error:
            log_failure("checkpoint_anchor_failed", error)
            return None
        return anchored

    def is_due(self, seconds: float = SIGN_SECONDS) -> bool:
        """Whether there are unsigned entries and the last checkpoint is that old."""
        last = self._file.last
        return (last is None or age_seconds(last.at) >= seconds) and self.has_unsigned

    @property
    def has_unsigned(self) -> bool:
        """Whether anything but the checkpoint's own note was written since it."""
        signed = {name: seq for name, seq, _ in self._file.heads} if self._file.last else {}
        streams = (stream for stream in self.ledger.streams() if stream.name != ANCHORS)
        return any(stream.seq != signed.get(stream.name, 0) for stream in streams)

    @property
    def has_old_unsigned(self) -> bool:
        """Whether an earlier run of the server left entries unsigned.

        With an anchor, entries of a new server count too.
        """
        entries = sum(stream.seq for stream in self.ledger.streams())
        is_young = self.anchor is None and entries == self.ledger.entries_written
        return not is_young and self.is_due()

    def verify(self, checkpoint: Path | None = None, **options: Any) -> LedgerVerdict:
        """Check the ledger against its own checkpoints, or those in another file.

        `options` go to `audit.verify`.
        """
        return verify_folder(
            self.ledger, self.path, checkpoint, **{"key": self.keys.public, **options}
        )

    def back_up(self, file: Path, *, with_keys: bool = False) -> Manifest:
        """Sign the heads and write the backup; keys are included only on request.

        Every entry in the backup is signed, even if play continues.
        """
        if file.exists():
            raise LedgerError(say("ledger.file-is-there", file=file))
        signed, place = self._sign()
        draft = file.with_name(f".{file.name}.draft")
        try:
            draft.unlink(missing_ok=True)
            keys = {KEYS_FILE: self.path / KEYS_FILE} if with_keys else {}
            manifest = write_backup(self.ledger, draft, keys, at=_now())
            _add_member(
                draft, CHECKPOINTS_FILE, self._backup_checkpoints(draft, manifest.at, signed, place)
            )
            draft.rename(file)
        finally:
            draft.unlink(missing_ok=True)
        return manifest

    def _backup_checkpoints(
        self, draft: Path, at: str, signed: Checkpoint, place: CheckpointPlace
    ) -> bytes:
        """The backup's checkpoints, with one more for entries after the last."""
        streams = [
            Stream._make(json.loads(line)[1:])
            for line in (read_member(draft, "streams.jsonl") or b"").splitlines()
        ]
        ends = {stream.name: stream.seq for stream in streams}
        covered = {name: seq for name, seq, _ in signed.heads}
        noted_seq = covered.get(ANCHORS, 0)
        lines = self._noted_lines(place, noted_seq, ends[ANCHORS])
        if ends != covered | {ANCHORS: noted_seq + 1}:  # More than the checkpoint and its own note.
            last = sha256(lines[-1].decode(errors="replace"))
            lines.append(sign_checkpoint(streams, self.keys, at=at, previous=last).line.encode())
        return b"\n".join(lines) + b"\n"

    def _noted_lines(self, place: CheckpointPlace, before: int, end: int) -> list[bytes]:
        """Checkpoint lines up to the last that the backup's ledger notes; others may sign
        meanwhile.
        """
        numbers = [
            note.number
            for entry in self.ledger.entries(ANCHORS, after=before)
            for note in checkpoint_notes(entry)
            if entry.seq <= end and note.chain == place.chain
        ]
        lines = (self.path / CHECKPOINTS_FILE).read_bytes().split(b"\n")
        return lines[: max([place.number, *numbers])]

    def close(self) -> None:
        """Close the ledger, after signing what a command wrote if that is due."""
        try:
            wrote = self.ledger.entries_written > self._signed_up_to
            if self.signs_on_close and wrote and (self.anchor or self.is_due()):
                self.sign(closed=self.is_closed)
        except (LedgerError, OSError) as error:  # The next checkpoint covers it.
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


def restore_folder(
    file: Path, path: Path, url: str | None = None, keys: Path | None = None
) -> Manifest:
    """Create a data folder from a backup; keys come from it or from the operator's copy."""
    if path.exists() and any(path.iterdir()):
        raise LedgerError(say("ledger.folder.not-empty", path=path))
    read_manifest(file)
    check_members(file, (KEYS_FILE, CHECKPOINTS_FILE))
    target = path if url is None else ledger_file(url)
    if target is not None:  # Not on a database server.
        check_room(file, target)
    keys_json = keys.read_bytes() if keys else read_member(file, KEYS_FILE)
    if keys_json is None:
        raise LedgerError(say("ledger.folder.backup-without-keys", file=file, keys=KEYS_FILE))
    private_files.make_folder(path)
    private_files.check_private(path, ledger_file(url))
    try:
        _write_file(path / KEYS_FILE, keys_json)
        read_keys(path / KEYS_FILE)
        _write_file(path / CHECKPOINTS_FILE, read_member(file, CHECKPOINTS_FILE) or b"")
        with Ledger.open(ledger_url(path, url)) as ledger:
            return restore(ledger, file)
    except BaseException:
        for leftover in path.iterdir():
            leftover.unlink()
        raise


def verify_folder(
    ledger: Ledger, path: Path, checkpoint: Path | None = None, **options: Any
) -> LedgerVerdict:
    """Check a ledger against its folder's checkpoints, or those in another file.

    Without keys, the anchored public key is used.
    """
    if checkpoint is not None:
        signed = read_checkpoints(checkpoint)
        return verify(ledger, signed, **_with_key(signed, options))
    try:
        signed = _read_checkpoints(path)
        return verify(
            ledger, signed, read_again=lambda: _read_checkpoints(path), **_with_key(signed, options)
        )
    except LedgerError as error:  # The ledger may be damaged too.
        verdict = verify(ledger, **options)
        damage = LedgerFinding(say("ledger.place.checkpoints"), sentence_of(error))
        return verdict._replace(findings=(damage, *verdict.findings))


def _ledger_lock(path: Path, url: str, *, exclusive: bool) -> LedgerLock | None:
    """The lock of a SQLite ledger, taken before SQLite opens the file.

    A hard link has its own write-ahead log, so even reading through one beside a server is wrong.
    """
    if (file := ledger_file(url)) is None or not file.parent.is_dir():
        return None
    lock = LedgerLock(file)
    if exclusive and not lock.take():
        lock.close()
        raise LedgerError(say("ledger.folder.ledger-in-use", ledger=file))
    if not is_served(path) and lock.is_taken():
        lock.close()
        raise LedgerError(say("ledger.folder.served-elsewhere", ledger=file, folder=path))
    return lock


def _database_identity(url: URL) -> tuple[object, ...]:
    """What identifies a database, apart from user and password."""
    return url.get_backend_name(), url.host, url.port, url.database


def _with_key(signed: tuple[Checkpoint, ...], options: dict[str, Any]) -> dict[str, Any]:
    return {**options, "key": options.get("key") or anchored_key(options.get("anchored"), signed)}


def _read_checkpoints(path: Path) -> tuple[Checkpoint, ...]:
    file = path / CHECKPOINTS_FILE
    return read_checkpoints(file) if file.exists() else ()


def age_seconds(at: str) -> float:
    """Seconds since a recorded time; infinite if it is unreadable or in the future."""
    try:
        age = (utc_now() - datetime.fromisoformat(at)).total_seconds()
    except (TypeError, ValueError):
        return float("inf")
    return age if age >= 0 else float("inf")  # A clock was ahead; do not wait for years.


def ledger_url(path: Path, url: str | None) -> str:
    """The database URL of a data folder, unless another is given."""
    return url or f"sqlite:///{(path / LEDGER_FILE).resolve()}"


def ledger_file(url: str | None) -> Path | None:
    """The SQLite file of a ledger elsewhere; None without a URL or for a server."""
    parsed_url = None if url is None else parse_url(url)
    if parsed_url is None or parsed_url.get_backend_name() != "sqlite":
        return None
    return Path(str(parsed_url.database))


def _add_member(archive: Path, name: str, content: bytes) -> None:
    """Add a file to a backup and sync it to disk."""
    with archive.open("r+b") as file:
        with ZipFile(file, "a", ZIP_DEFLATED) as zipped:
            zipped.writestr(name, content)
        file.flush()
        os.fsync(file.fileno())


def _write_file(path: Path, content: bytes) -> None:
    with private_files.create(path, "wb", in_folder=True) as file:
        file.write(content)


def _now() -> str:
    return utc_now().isoformat(timespec="microseconds")


# Read-only access, to a live folder or a copy.


SQLITE_SUFFIXES = ("-wal", "-journal")


class ReadOnlyFolder(NamedTuple):
    """A data folder for an auditor: keys may be missing and modes may differ."""

    path: Path
    ledger: Ledger
    key: str | None  # The server's, if its keys are here.
    loose_files: tuple[Path, ...] = ()

    @property
    def checkpoints(self) -> tuple[Checkpoint, ...]:
        """Every signed checkpoint, oldest first."""
        file = self.path / CHECKPOINTS_FILE
        return read_checkpoints(file) if file.exists() else ()

    def verify(self, checkpoint: Path | None = None, **options: Any) -> LedgerVerdict:
        """Check the ledger against its own checkpoints, or those in another file."""
        return verify_folder(self.ledger, self.path, checkpoint, **{"key": self.key, **options})


@contextmanager
def open_read_only(
    path: Path, url: str | None = None, key: str | None = None
) -> Iterator[ReadOnlyFolder]:
    """Open a data folder for reading; a read-only folder is not changed in any way.

    With the server's public key, the folder needs no keys.
    """
    if not path.is_dir():
        raise LedgerError(say("ledger.folder.none", path=path))
    elsewhere = ledger_file(url)
    if _needs_copy(path, url):
        with _open_copy(path, url) as ledger:
            yield ReadOnlyFolder(
                path, ledger, _public_key(path), tuple(private_files.loose_files(path, elsewhere))
            )
    elif key is None or (path / KEYS_FILE).exists():
        with Folder.open(path, url) as folder:
            yield ReadOnlyFolder(path, folder.ledger, folder.keys.public)
    else:
        private_files.check_private(path, elsewhere)
        with Ledger.open(ledger_url(path, url)) as ledger:
            yield ReadOnlyFolder(path, ledger, None)


def _needs_copy(path: Path, url: str | None) -> bool:
    """Whether the ledger file or its folder is read-only."""
    if (file := _resolved_file(path, url)) is None or not file.exists():
        return False
    # A ledger given by URL does not depend on the folder's modes.
    return private_files.is_read_only(*(() if url else (path,)), file.parent, file)


@contextmanager
def _open_copy(path: Path, url: str | None) -> Iterator[Ledger]:
    """Open the ledger read-only; if SQLite left a log next to it, open a copy instead."""
    file = _resolved_file(path, url)
    suffixes = [
        suffix
        for suffix in SQLITE_SUFFIXES
        if (path_ := Path(f"{file}{suffix}")).exists() and path_.stat().st_size
    ]
    if not suffixes:
        with Ledger.read_only(ledger_url(path, url)) as ledger:
            yield ledger
        return
    with private_files.temporary_folder() as folder:
        for suffix in ("", *suffixes):
            private_files.touch(folder / f"{LEDGER_FILE}{suffix}")
            shutil.copyfile(f"{file}{suffix}", folder / f"{LEDGER_FILE}{suffix}")
        with Ledger.open(ledger_url(folder, None)) as ledger:
            yield ledger


def _resolved_file(path: Path, url: str | None) -> Path | None:
    """The ledger's real file: SQLite's files are next to it, not next to a link."""
    file = path / LEDGER_FILE if url is None else ledger_file(url)
    return None if file is None else file.resolve()


def _public_key(path: Path) -> str | None:
    """The public key if it can be read; a copy that others can read is accepted."""
    file = path / KEYS_FILE
    try:
        return read_keys(file, allow_shared=True).public if file.exists() else None
    except PermissionError:  # An auditor was given everything but the keys.
        return None
