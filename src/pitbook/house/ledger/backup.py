"""Backup and restore the journal in a format that any database can read."""

from __future__ import annotations

import json
import os
import shutil
import struct
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.metadata import version
from itertools import islice
from pathlib import Path
from typing import IO, Any, NamedTuple
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile

from sqlalchemy import Connection, Table, bindparam, func, insert, select, update
from sqlalchemy.exc import SQLAlchemyError

from pitbook import private_files
from pitbook.errors import LedgerError
from pitbook.house.ledger import schema
from pitbook.house.ledger.accounts import Account, balance_changes
from pitbook.house.ledger.database import error_text, for_reading, for_writing
from pitbook.house.ledger.hash_chain import canonical, parse_transfers
from pitbook.house.ledger.ledger import Ledger
from pitbook.text import say, sentence_of

FORMAT = 1
PAGE = 5_000
SMALL = 64 * 1024**2  # Bytes that any file in a backup may have, however well compressed,
PACKED_MAX = 200  # and for a larger one the most bytes per byte of the archive.
ROW_MAX = SMALL
ON_DISK = 2  # Bytes of a SQLite ledger, with indexes and log, per byte of its rows.
MANIFEST = "manifest.json"
_TABLES = {
    "streams.jsonl": schema.stream,
    "entries.jsonl": schema.entry,
    "snapshots.jsonl": schema.snapshot,
}
_DAMAGE = (
    *(BadZipFile, zlib.error, struct.error, EOFError, NotImplementedError),
    *(KeyError, ValueError, TypeError, AttributeError, OverflowError, RecursionError),
)


class Manifest(NamedTuple):
    """The backup's own description."""

    format: int
    pitbook: str
    at: str
    heads: dict[str, list[Any]]
    entries: int


def write_backup(ledger: Ledger, path: Path, files: Mapping[str, Path], *, at: str) -> Manifest:
    """Write the ledger as of one moment, with some files; never overwrites a file."""
    if path.exists():
        raise LedgerError(say("ledger.file-is-there", file=path))
    part = path.with_name(f".{path.name}.part")
    try:
        part.unlink(missing_ok=True)
        with (
            private_files.create(part, "wb") as file,
            for_reading(ledger.engine).connect() as connection,
        ):
            manifest = _write_archive(connection, file, files, at)
            file.flush()
            os.fsync(file.fileno())
        part.rename(path)
    except SQLAlchemyError as error:
        raise LedgerError(say("ledger.book.unreadable", why=error_text(error))) from error
    finally:
        part.unlink(missing_ok=True)
    return manifest


def read_manifest(path: Path) -> Manifest:
    """A backup's manifest; raises LedgerError if the file is not a backup."""
    with _wrap_archive_errors(lambda why: say("ledger.backup.none", path=path, why=why)):
        with _open_archive(path) as archive:
            document = json.loads(archive.read(MANIFEST))
        if document.get("format") != FORMAT:
            raise LedgerError(
                say("ledger.backup.format", path=path, found=document.get("format"), ours=FORMAT)
            )
        return Manifest(**document)


def check_members(path: Path, optional: Iterable[str]) -> None:
    """Raise LedgerError if a backup contains an unknown file, or the same file twice."""
    known_names = {MANIFEST, *_TABLES, *optional}
    with (
        _wrap_archive_errors(lambda why: say("ledger.backup.none", path=path, why=why)),
        _open_archive(path) as archive,
    ):
        names = archive.namelist()
    unexpected_names = [name for name in names if name not in known_names]
    unexpected_names += [name for name in known_names if names.count(name) > 1]
    if unexpected_names:
        unexpected = ", ".join(repr(name) for name in sorted(unexpected_names))
        raise LedgerError(say("ledger.backup.strange-member", path=path, names=unexpected))


def check_room(path: Path, folder: Path) -> None:
    existing = next(
        path for path in (folder.absolute(), *folder.absolute().parents) if path.exists()
    )
    free = shutil.disk_usage(existing).free
    with (
        _wrap_archive_errors(lambda why: say("ledger.backup.none", path=path, why=why)),
        _open_archive(path) as archive,
    ):
        needed = ON_DISK * sum(member.file_size for member in archive.infolist())
    if needed > free:
        raise LedgerError(
            say("ledger.backup.no-room", path=path, folder=existing, needed=needed, free=free)
        )


def restore(ledger: Ledger, path: Path) -> Manifest:
    """Fill an empty ledger from a backup, in one transaction."""
    manifest = read_manifest(path)
    if ledger.streams():
        raise LedgerError(say("ledger.book.not-empty"))
    try:
        with (
            _wrap_archive_errors(lambda why: say("ledger.backup.damaged", path=path, why=why)),
            _open_archive(path) as archive,
            for_writing(ledger.engine).begin() as connection,
        ):
            _restore_rows(connection, archive, manifest)
    except SQLAlchemyError as error:
        raise LedgerError(
            say("ledger.backup.not-restored", path=path, why=error_text(error))
        ) from error
    return manifest


def read_member(path: Path, name: str) -> bytes | None:
    """A file stored next to the ledger in a backup, or None."""

    def message(why: str) -> str:
        return say("ledger.backup.part-damaged", path=path, name=name, why=why)

    with _wrap_archive_errors(message), _open_archive(path) as archive:
        return archive.read(name) if name in archive.namelist() else None


@contextmanager
def _open_archive(path: Path) -> Iterator[ZipFile]:
    """A backup whose directory shows that unpacking cannot exhaust memory or the disk.

    The sizes are reliable: no more of a file is unpacked than the directory says.
    """
    with ZipFile(path) as archive:
        members = archive.infolist()
        if sum(member.compress_size for member in members) > path.stat().st_size:
            raise BadZipFile(say("ledger.backup.overlap"))
        for member in members:
            if member.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
                raise BadZipFile(say("ledger.backup.packing", name=repr(member.filename)))
            if member.file_size > max(SMALL, PACKED_MAX * member.compress_size):
                size = {"name": repr(member.filename), "size": member.file_size}
                raise LedgerError(
                    say("ledger.backup.bomb", path=path, packed=member.compress_size, **size)
                )
        yield archive


@contextmanager
def _wrap_archive_errors(message: Callable[[str], str]) -> Iterator[None]:
    """Turn the errors of a damaged archive into one LedgerError; a missing file raises as usual."""
    try:
        yield
    except (*_DAMAGE, OSError) as error:
        if isinstance(error, OSError) and error.filename is not None:
            raise
        raise LedgerError(message(sentence_of(error))) from None


def _write_archive(
    connection: Connection, file: IO[bytes], files: Mapping[str, Path], at: str
) -> Manifest:
    manifest = Manifest(FORMAT, version("pitbook"), at, *_count_entries(connection))
    with ZipFile(file, "w", ZIP_DEFLATED) as archive:
        archive.writestr(MANIFEST, canonical(manifest._asdict()) + "\n")
        for name, table in _TABLES.items():
            with archive.open(name, "w", force_zip64=True) as lines:
                for row in _read_rows(connection, table):
                    lines.write(f"{canonical(row)}\n".encode())
        for name, path in files.items():
            archive.writestr(name, path.read_bytes())
    return manifest


def _read_rows(connection: Connection, table: Table) -> Iterator[list[Any]]:
    query = select(table).order_by(*table.primary_key.columns)
    for row in connection.execute(query.execution_options(yield_per=PAGE)):
        yield list(row)


def _count_entries(connection: Connection) -> tuple[dict[str, list[Any]], int]:
    """Every stream's head, and the number of entries."""
    streams = connection.execute(select(schema.stream).order_by(schema.stream.c.id))
    heads = {row.name: [row.seq, row.head] for row in streams}
    entries = connection.execute(select(func.count()).select_from(schema.entry)).scalar_one()
    return heads, entries


def _restore_rows(connection: Connection, archive: ZipFile, manifest: Manifest) -> None:
    """Insert all rows with new ids, and compute balances and postings."""
    ids = _restore_streams(connection, _read_lines(archive, schema.stream))
    postings = _Postings(connection)
    for page in _in_pages(_read_lines(archive, schema.entry)):
        rows = [row | {"stream": ids[row["stream"]]} for row in page]
        connection.execute(insert(schema.entry), rows)
        postings.post(rows)
    postings.write_balances()
    for page in _in_pages(_read_lines(archive, schema.snapshot)):
        rows = [row | {"stream": ids[row["stream"]]} for row in page]
        connection.execute(insert(schema.snapshot), rows)
    if _count_entries(connection) != (manifest.heads, manifest.entries):
        raise ValueError(say("ledger.backup.not-as-said"))


def _read_lines(archive: ZipFile, table: Table) -> Iterator[dict[str, Any]]:
    name = next(name for name, member_table in _TABLES.items() if member_table is table)
    with archive.open(name) as lines:
        while line := lines.readline(ROW_MAX + 1):
            if len(line) > ROW_MAX:
                raise ValueError(say("ledger.backup.long-row", name=name, most=ROW_MAX))
            yield dict(zip(table.c.keys(), json.loads(line), strict=True))


def _restore_streams(connection: Connection, rows: Iterable[dict[str, Any]]) -> dict[int, int]:
    """Insert the streams and return their new ids by the old ones."""
    stored = list(rows)
    if stored:
        without_ids = [{key: value for key, value in row.items() if key != "id"} for row in stored]
        connection.execute(insert(schema.stream), without_ids)
    ids = {row.name: row.id for row in connection.execute(select(schema.stream))}
    return {row["id"]: ids[row["name"]] for row in stored}


class _Postings:
    """Rebuilds accounts and postings from the entries' transfers."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._ids: dict[Account, int] = {}
        self._balances: dict[Account, int] = defaultdict(int)

    def post(self, entries: Sequence[dict[str, Any]]) -> None:
        """Insert the postings of some entries."""
        postings = [
            (row["stream"], row["seq"], number, account, change)
            for row in entries
            for number, (account, change) in enumerate(
                change
                for transfer in parse_transfers(row["content"])
                for change in balance_changes(transfer)
            )
        ]
        for *_, account, change in postings:
            self._balances[account] += change
        self._add_accounts({account for *_, account, _ in postings} - set(self._ids))
        columns = schema.posting.c.keys()
        rows = [
            dict(zip(columns, (*key, self._ids[account], change), strict=True))
            for *key, account, change in postings
        ]
        if rows:
            self._connection.execute(insert(schema.posting), rows)

    def write_balances(self) -> None:
        """Write every account's final balance."""
        rows = [
            {"this": self._ids[account], "balance": balance}
            for account, balance in self._balances.items()
        ]
        set_balance = update(schema.account).values(balance=bindparam("balance"))
        if rows:
            self._connection.execute(
                set_balance.where(schema.account.c.id == bindparam("this")), rows
            )

    def _add_accounts(self, accounts: Iterable[Account]) -> None:
        add_account = insert(schema.account).returning(schema.account.c.id)
        for account in sorted(accounts):
            row = account._asdict() | {"balance": 0}
            self._ids[account] = self._connection.execute(add_account, row).scalar_one()


def _in_pages(rows: Iterable[Any]) -> Iterator[list[Any]]:
    remaining = iter(rows)
    while page := list(islice(remaining, PAGE)):
        yield page
