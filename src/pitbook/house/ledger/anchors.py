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

from pitbook.errors import LedgerError
from pitbook.house.ledger import file_modes
from pitbook.house.ledger.chain import canonical, digest
from pitbook.house.ledger.checkpoints import Checkpoint, last_place
from pitbook.house.ledger.database import cause, connect, parsed, writing
from pitbook.text import say

FORMAT = 1


class AnchoredCheckpoint(NamedTuple):
    """A checkpoint as somebody outside knows it, with the book's own note of it."""

    key: str
    chain: str
    number: int
    hash: str
    at: str
    seq: int  # Of the book's note, and its hash.
    head: str
    closed: bool = False  # Whether the house was closed then: nothing was to come.


class Anchor(Protocol):
    """A place outside the house."""

    def add(self, one: AnchoredCheckpoint) -> None:
        """Write a checkpoint down; raises LedgerError where that cannot be done."""

    def read(self) -> list[AnchoredCheckpoint]:
        """All that was written down, oldest first."""


def anchor_at(where: str, folder: Path) -> Anchor:
    """The anchor that a text names: a file, or the URL of a database."""
    url = parsed(where) if "://" in where else None
    path = Path(where if url is None else str(url.database))
    if url is not None and url.get_backend_name() != "sqlite":
        return DatabaseAnchor(where)
    if folder.resolve() in path.resolve().parents:
        raise LedgerError(say("ledger.anchor.in-folder", path=path))
    return FileAnchor(path) if url is None else DatabaseAnchor(where)


class FileAnchor:
    """A file elsewhere, one line for each checkpoint."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def add(self, one: AnchoredCheckpoint) -> None:
        """Add a line, durably."""
        try:
            file_modes.touch(self._path)
            line = canonical({"format": FORMAT, **one._asdict()})
            with self._path.open("ab") as file:
                file.write(f"{'' if _is_ended(self._path) else chr(10)}{line}\n".encode())
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise LedgerError(
                say("ledger.anchor.not-written", path=self._path, why=error.strerror)
            ) from None

    def read(self) -> list[AnchoredCheckpoint]:
        """Every line; one that was cut short by a crash is left out."""
        try:
            lines = self._path.read_text(encoding="utf-8", errors="replace").split("\n")
        except FileNotFoundError:
            raise LedgerError(say("ledger.anchor.none", path=self._path)) from None
        except OSError as error:
            raise LedgerError(
                say("ledger.anchor.not-read", path=self._path, why=error.strerror)
            ) from None
        return [one for line in lines if (one := _parsed(line)) is not None]


class DatabaseAnchor:
    """A table in another database."""

    def __init__(self, url: str) -> None:
        self._engine: Engine = connect(url)

    def add(self, one: AnchoredCheckpoint) -> None:
        """Add a row."""
        try:
            _METADATA.create_all(self._engine)
            with writing(self._engine).begin() as connection:
                connection.execute(insert(_TABLE), one._asdict())
        except SQLAlchemyError as error:
            raise LedgerError(say("ledger.anchor.not-written-there", why=cause(error))) from None
        finally:
            self._engine.dispose()  # It is asked once a minute at most, and far away.

    def read(self) -> list[AnchoredCheckpoint]:
        """Every row."""
        try:
            with self._engine.connect() as connection:
                if not inspect(connection).has_table(_TABLE.name):
                    raise LedgerError(say("ledger.anchor.none-there"))
                rows = connection.execute(select(_TABLE).order_by(_TABLE.c.id))
                return [one for row in rows if (one := _anchored(row[1:])) is not None]
        except SQLAlchemyError as error:
            raise LedgerError(say("ledger.anchor.not-read-there", why=cause(error))) from None
        finally:
            self._engine.dispose()


def key_of(known: Sequence[AnchoredCheckpoint] | None, signed: Sequence[Checkpoint]) -> str | None:
    """The house's key as it is known outside; several houses may share an anchor."""
    if not known:
        return None
    return (_ours(known, signed) or known)[-1].key


def anchor_findings(
    known: Sequence[AnchoredCheckpoint],
    signed: Sequence[Checkpoint],
    notes: dict[int, str],
    key: str | None,
) -> Iterator[str]:
    """Where checkpoints and the book's notes are not those that are known outside."""
    mine = [one for one in known if key in (None, one.key)]
    if not mine:
        yield say("ledger.anchor.knows-nothing")
        return
    ours, most = _ours(mine, signed), max(mine, key=lambda one: one.number)
    if most.number > len(signed) and (not ours or most in ours):
        yield say("ledger.anchor.knows", number=most.number, at=most.at, signed=len(signed))
    elif not ours:
        yield say("ledger.anchor.others", at=most.at)
    for one in ours:
        if one.number <= len(signed) and digest(signed[one.number - 1].line) != one.hash:
            yield say("ledger.anchor.another", number=one.number, at=one.at)
        if notes.get(one.seq) != one.head:
            yield say("ledger.anchor.another-note", number=one.number)


def closing_anchor(
    known: Sequence[AnchoredCheckpoint], signed: Sequence[Checkpoint]
) -> AnchoredCheckpoint | None:
    """The anchor of a house that was closed: nothing may have come after it."""
    ours = _ours(known, signed)
    return ours[-1] if ours and ours[-1].closed else None


def _ours(
    known: Sequence[AnchoredCheckpoint], signed: Sequence[Checkpoint]
) -> list[AnchoredCheckpoint]:
    """What is known of one file's checkpoints."""
    last = last_place(signed)
    return [one for one in known if last is not None and one.chain == last.chain]


def _is_ended(path: Path) -> bool:
    """Whether the last line has its end; a crash may have taken that."""
    with path.open("rb") as file:
        if not file.seek(0, os.SEEK_END):
            return True
        file.seek(-1, os.SEEK_END)
        return file.read() == b"\n"


_KINDS = (str, str, int, str, str, int, str, bool)


def _parsed(line: str) -> AnchoredCheckpoint | None:
    """What the house wrote in a line; None where that is not what it writes."""
    try:
        document: dict[str, Any] = json.loads(line)
        kept = [document[name] for name in AnchoredCheckpoint._fields]
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    return _anchored(kept)


def _anchored(kept: Sequence[Any]) -> AnchoredCheckpoint | None:
    return AnchoredCheckpoint(*kept) if tuple(map(type, kept)) == _KINDS else None


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
