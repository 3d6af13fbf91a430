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

from pitbook.errors import LedgerError
from pitbook.house.ledger import file_modes, schema
from pitbook.house.ledger.accounts import Account, changes
from pitbook.house.ledger.chain import canonical, parse_transfers
from pitbook.house.ledger.database import cause, reading, writing
from pitbook.house.ledger.journal import Ledger
from pitbook.text import say, sentence_of

FORMAT = 1
PAGE = 5_000
SMALL = 64 * 1024**2  # Bytes that any file of a backup may have, however tightly it is packed,
PACKED_MAX = 200  # and for a larger one the most bytes in each byte of the archive.
ROW_MAX = SMALL
ON_DISK = 2  # Bytes of a SQLite book, with its indexes and its log, for each byte of its rows.
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
    """What a backup says of itself."""

    format: int
    pitbook: str
    at: str
    heads: dict[str, list[Any]]
    entries: int


def write_backup(ledger: Ledger, path: Path, beside: Mapping[str, Path], *, at: str) -> Manifest:
    """Write the book, as it stands at one moment, with some files; never over another file."""
    if path.exists():
        raise LedgerError(say("ledger.file-is-there", file=path))
    part = path.with_name(f".{path.name}.part")
    try:
        part.unlink(missing_ok=True)
        with (
            file_modes.created(part, "wb") as file,
            reading(ledger.engine).connect() as connection,
        ):
            made = _written(connection, file, beside, at)
            file.flush()
            os.fsync(file.fileno())
        part.rename(path)
    except SQLAlchemyError as error:
        raise LedgerError(say("ledger.book.unreadable", why=cause(error))) from error
    finally:
        part.unlink(missing_ok=True)
    return made


def read_manifest(path: Path) -> Manifest:
    """What a backup says of itself; raises LedgerError for what is no backup."""
    with _intact(lambda why: say("ledger.backup.none", path=path, why=why)):
        with _opened(path) as archive:
            document = json.loads(archive.read(MANIFEST))
        if document.get("format") != FORMAT:
            raise LedgerError(
                say("ledger.backup.format", path=path, found=document.get("format"), ours=FORMAT)
            )
        return Manifest(**document)


def check_members(path: Path, beside: Iterable[str]) -> None:
    """Raise LedgerError if a backup contains an unknown file, or the same file twice."""
    expected = {MANIFEST, *_TABLES, *beside}
    with (
        _intact(lambda why: say("ledger.backup.none", path=path, why=why)),
        _opened(path) as archive,
    ):
        names = archive.namelist()
    odd = [name for name in names if name not in expected]
    odd += [name for name in expected if names.count(name) > 1]
    if odd:
        unexpected = ", ".join(repr(name) for name in sorted(odd))
        raise LedgerError(say("ledger.backup.strange-member", path=path, names=unexpected))


def check_room(path: Path, folder: Path) -> None:
    """Raise LedgerError for a backup whose book would not fit on the disk of a folder."""
    there = next(one for one in (folder.absolute(), *folder.absolute().parents) if one.exists())
    free = shutil.disk_usage(there).free
    with (
        _intact(lambda why: say("ledger.backup.none", path=path, why=why)),
        _opened(path) as archive,
    ):
        needed = ON_DISK * sum(member.file_size for member in archive.infolist())
    if needed > free:
        raise LedgerError(
            say("ledger.backup.no-room", path=path, folder=there, needed=needed, free=free)
        )


def restore(ledger: Ledger, path: Path) -> Manifest:
    """Fill an empty book from a backup, all of it or nothing."""
    made = read_manifest(path)
    if ledger.streams():
        raise LedgerError(say("ledger.book.not-empty"))
    try:
        with (
            _intact(lambda why: say("ledger.backup.damaged", path=path, why=why)),
            _opened(path) as archive,
            writing(ledger.engine).begin() as connection,
        ):
            _filled(connection, archive, made)
    except SQLAlchemyError as error:
        raise LedgerError(say("ledger.backup.not-restored", path=path, why=cause(error))) from error
    return made


def read_member(path: Path, name: str) -> bytes | None:
    """A file that was put beside the book in a backup, if it was."""

    def damaged(why: str) -> str:
        return say("ledger.backup.part-damaged", path=path, name=name, why=why)

    with _intact(damaged), _opened(path) as archive:
        return archive.read(name) if name in archive.namelist() else None


@contextmanager
def _opened(path: Path) -> Iterator[ZipFile]:
    """A backup, once its directory shows that unpacking it cannot exhaust memory or the disk.

    No more of a file is unpacked than the directory says, so its sizes can be relied on.
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
def _intact(otherwise: Callable[[str], str]) -> Iterator[None]:
    """What a damaged archive raises is one sentence; that there is no file is another matter."""
    try:
        yield
    except (*_DAMAGE, OSError) as error:
        if isinstance(error, OSError) and error.filename is not None:
            raise
        raise LedgerError(otherwise(sentence_of(error))) from None


def _written(
    connection: Connection, file: IO[bytes], beside: Mapping[str, Path], at: str
) -> Manifest:
    made = Manifest(FORMAT, version("pitbook"), at, *_counted(connection))
    with ZipFile(file, "w", ZIP_DEFLATED) as archive:
        archive.writestr(MANIFEST, canonical(made._asdict()) + "\n")
        for name, table in _TABLES.items():
            with archive.open(name, "w", force_zip64=True) as lines:
                for row in _rows(connection, table):
                    lines.write(f"{canonical(row)}\n".encode())
        for name, path in beside.items():
            archive.writestr(name, path.read_bytes())
    return made


def _rows(connection: Connection, table: Table) -> Iterator[list[Any]]:
    asked = select(table).order_by(*table.primary_key.columns)
    for row in connection.execute(asked.execution_options(yield_per=PAGE)):
        yield list(row)


def _counted(connection: Connection) -> tuple[dict[str, list[Any]], int]:
    """Every head, and how many entries there are."""
    streams = connection.execute(select(schema.stream).order_by(schema.stream.c.id))
    heads = {row.name: [row.seq, row.head] for row in streams}
    entries = connection.execute(select(func.count()).select_from(schema.entry)).scalar_one()
    return heads, entries


def _filled(connection: Connection, archive: ZipFile, made: Manifest) -> None:
    """All rows again; ids are the new database's own, balances and postings are worked out."""
    ids = _streams(connection, _lines(archive, schema.stream))
    restored = _Money(connection)
    for page in _pages(_lines(archive, schema.entry)):
        rows = [row | {"stream": ids[row["stream"]]} for row in page]
        connection.execute(insert(schema.entry), rows)
        restored.post(rows)
    restored.balance()
    for page in _pages(_lines(archive, schema.snapshot)):
        rows = [row | {"stream": ids[row["stream"]]} for row in page]
        connection.execute(insert(schema.snapshot), rows)
    if _counted(connection) != (made.heads, made.entries):
        raise ValueError(say("ledger.backup.not-as-said"))


def _lines(archive: ZipFile, table: Table) -> Iterator[dict[str, Any]]:
    name = next(name for name, one in _TABLES.items() if one is table)
    with archive.open(name) as lines:
        while line := lines.readline(ROW_MAX + 1):
            if len(line) > ROW_MAX:
                raise ValueError(say("ledger.backup.long-row", name=name, most=ROW_MAX))
            yield dict(zip(table.c.keys(), json.loads(line), strict=True))


def _streams(connection: Connection, rows: Iterable[dict[str, Any]]) -> dict[int, int]:
    """Insert the streams; from the ids they had to those they have now."""
    kept = list(rows)
    if kept:
        new = [{key: value for key, value in row.items() if key != "id"} for row in kept]
        connection.execute(insert(schema.stream), new)
    found = {row.name: row.id for row in connection.execute(select(schema.stream))}
    return {row["id"]: found[row["name"]] for row in kept}


class _Money:
    """Accounts and postings, made again from the transfers of the entries."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._ids: dict[Account, int] = {}
        self._balances: dict[Account, int] = defaultdict(int)

    def post(self, entries: Sequence[dict[str, Any]]) -> None:
        """The postings of some entries."""
        moved = [
            (row["stream"], row["seq"], number, account, change)
            for row in entries
            for number, (account, change) in enumerate(
                each for one in parse_transfers(row["content"]) for each in changes(one)
            )
        ]
        for *_, account, change in moved:
            self._balances[account] += change
        self._named({account for *_, account, _ in moved} - set(self._ids))
        columns = schema.posting.c.keys()
        rows = [
            dict(zip(columns, (*key, self._ids[account], change), strict=True))
            for *key, account, change in moved
        ]
        if rows:
            self._connection.execute(insert(schema.posting), rows)

    def balance(self) -> None:
        """What every account holds in the end."""
        rows = [
            {"this": self._ids[account], "balance": balance}
            for account, balance in self._balances.items()
        ]
        held = update(schema.account).values(balance=bindparam("balance"))
        if rows:
            self._connection.execute(held.where(schema.account.c.id == bindparam("this")), rows)

    def _named(self, accounts: Iterable[Account]) -> None:
        made = insert(schema.account).returning(schema.account.c.id)
        for account in sorted(accounts):
            row = account._asdict() | {"balance": 0}
            self._ids[account] = self._connection.execute(made, row).scalar_one()


def _pages(rows: Iterable[Any]) -> Iterator[list[Any]]:
    turning = iter(rows)
    while page := list(islice(turning, PAGE)):
        yield page
