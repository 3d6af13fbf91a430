"""Anchors: checkpoints recorded outside the house, in a file or another database."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Engine,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    insert,
    inspect,
    select,
)
from sqlalchemy.exc import SQLAlchemyError

from pitbook import private_files
from pitbook.errors import LedgerError
from pitbook.house.ledger.checkpoints import Checkpoint, last_place
from pitbook.house.ledger.database import connect, error_text, for_writing, parse_url
from pitbook.house.ledger.hash_chain import canonical, sha256
from pitbook.text import say

FORMAT = 1


class AnchoredCheckpoint(NamedTuple):
    """A checkpoint recorded outside the server, with the ledger entry that notes it."""

    key: str
    chain: str
    number: int
    hash: str
    at: str
    seq: int  # Of the ledger's note, with its hash.
    head: str
    closed: bool = False  # Whether the server was stopped, with no entries to follow.


class Anchor(Protocol):
    """A place outside the server that records checkpoints."""

    def add(self, checkpoint: AnchoredCheckpoint) -> None:
        """Record a checkpoint; raises LedgerError if that fails."""

    def read(self) -> list[AnchoredCheckpoint]:
        """Recorded checkpoints, oldest first."""


def anchor_at(address: str, folder: Path) -> Anchor:
    """The anchor at a file path or a database URL."""
    url = parse_url(address) if "://" in address else None
    path = Path(address if url is None else str(url.database))
    if url is not None and url.get_backend_name() != "sqlite":
        return DatabaseAnchor(address)
    if folder.resolve() in path.resolve().parents:
        raise LedgerError(say("ledger.anchor.in-folder", path=path))
    return FileAnchor(path) if url is None else DatabaseAnchor(address)


class FileAnchor:
    """A file outside the data folder, one line per checkpoint."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def add(self, checkpoint: AnchoredCheckpoint) -> None:
        """Append a line and sync it to disk."""
        try:
            private_files.touch(self._path)
            line = canonical({"format": FORMAT, **checkpoint._asdict()})
            with self._path.open("ab") as file:
                file.write(f"{'' if _ends_with_newline(self._path) else chr(10)}{line}\n".encode())
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise LedgerError(
                say("ledger.anchor.not-written", path=self._path, why=error.strerror)
            ) from None

    def read(self) -> list[AnchoredCheckpoint]:
        """Every valid line; a line cut short by a crash is skipped."""
        try:
            lines = self._path.read_text(encoding="utf-8", errors="replace").split("\n")
        except FileNotFoundError:
            raise LedgerError(say("ledger.anchor.none", path=self._path)) from None
        except OSError as error:
            raise LedgerError(
                say("ledger.anchor.not-read", path=self._path, why=error.strerror)
            ) from None
        return [checkpoint for line in lines if (checkpoint := _parse_line(line)) is not None]


class DatabaseAnchor:
    """A table in another database."""

    def __init__(self, url: str) -> None:
        self._engine: Engine = connect(url)

    def add(self, checkpoint: AnchoredCheckpoint) -> None:
        try:
            _METADATA.create_all(self._engine)
            with for_writing(self._engine).begin() as connection:
                connection.execute(insert(_TABLE), checkpoint._asdict())
        except SQLAlchemyError as error:
            raise LedgerError(
                say("ledger.anchor.not-written-there", why=error_text(error))
            ) from None
        finally:
            self._engine.dispose()  # Used once a minute at most.

    def read(self) -> list[AnchoredCheckpoint]:
        try:
            with self._engine.connect() as connection:
                if not inspect(connection).has_table(_TABLE.name):
                    raise LedgerError(say("ledger.anchor.none-there"))
                rows = connection.execute(select(_TABLE).order_by(_TABLE.c.id))
                return [
                    checkpoint for row in rows if (checkpoint := _parse_fields(row[1:])) is not None
                ]
        except SQLAlchemyError as error:
            raise LedgerError(say("ledger.anchor.not-read-there", why=error_text(error))) from None
        finally:
            self._engine.dispose()


def anchored_key(
    anchored: Sequence[AnchoredCheckpoint] | None, signed: Sequence[Checkpoint]
) -> str | None:
    """The server's public key as the anchor records it; several servers may share an anchor."""
    if not anchored:
        return None
    return (_of_this_file(anchored, signed) or anchored)[-1].key


def anchor_findings(
    anchored: Sequence[AnchoredCheckpoint],
    signed: Sequence[Checkpoint],
    notes: dict[int, str],
    key: str | None,
) -> Iterator[str]:
    """Yield differences between the anchor and the checkpoints and notes here."""
    with_key = [checkpoint for checkpoint in anchored if key in (None, checkpoint.key)]
    if not with_key:
        yield say("ledger.anchor.knows-nothing")
        return
    of_file, highest = (
        _of_this_file(with_key, signed),
        max(with_key, key=lambda checkpoint: checkpoint.number),
    )
    if highest.number > len(signed) and (not of_file or highest in of_file):
        yield say("ledger.anchor.knows", number=highest.number, at=highest.at, signed=len(signed))
    elif not of_file:
        yield say("ledger.anchor.others", at=highest.at)
    for checkpoint in of_file:
        if (
            checkpoint.number <= len(signed)
            and sha256(signed[checkpoint.number - 1].line) != checkpoint.hash
        ):
            yield say("ledger.anchor.another", number=checkpoint.number, at=checkpoint.at)
        if notes.get(checkpoint.seq) != checkpoint.head:
            yield say("ledger.anchor.another-note", number=checkpoint.number)


def closing_anchor(
    anchored: Sequence[AnchoredCheckpoint], signed: Sequence[Checkpoint]
) -> AnchoredCheckpoint | None:
    """The last anchored checkpoint if the server was closed then: no entry may follow it."""
    of_file = _of_this_file(anchored, signed)
    return of_file[-1] if of_file and of_file[-1].closed else None


def _of_this_file(
    anchored: Sequence[AnchoredCheckpoint], signed: Sequence[Checkpoint]
) -> list[AnchoredCheckpoint]:
    """The anchored checkpoints of this checkpoint file."""
    last = last_place(signed)
    return [
        checkpoint for checkpoint in anchored if last is not None and checkpoint.chain == last.chain
    ]


def _ends_with_newline(path: Path) -> bool:
    """Whether the last line is complete; a crash may have cut it short."""
    with path.open("rb") as file:
        if not file.seek(0, os.SEEK_END):
            return True
        file.seek(-1, os.SEEK_END)
        return file.read() == b"\n"


_KINDS = (str, str, int, str, str, int, str, bool)


def _parse_line(line: str) -> AnchoredCheckpoint | None:
    """The checkpoint in a line; None if the line is not valid."""
    try:
        document: dict[str, Any] = json.loads(line)
        values = [document[name] for name in AnchoredCheckpoint._fields]
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    return _parse_fields(values)


def _parse_fields(values: Sequence[Any]) -> AnchoredCheckpoint | None:
    return AnchoredCheckpoint(*values) if tuple(map(type, values)) == _KINDS else None


_METADATA = MetaData()
_TABLE = Table(
    "pitbook_anchor",
    _METADATA,
    Column("id", BigInteger().with_variant(Integer, "sqlite"), primary_key=True),
    Column("key", String(64), nullable=False),
    Column("chain", String(64), nullable=False),
    Column("number", BigInteger, nullable=False),
    Column("hash", String(64), nullable=False),
    Column("at", Text, nullable=False),
    Column("seq", BigInteger, nullable=False),
    Column("head", String(64), nullable=False),
    Column("closed", Boolean, nullable=False),
)
