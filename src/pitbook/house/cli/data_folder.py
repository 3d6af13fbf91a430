"""Options and helpers that the house's commands share to open its data folder."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from pitbook.cli.language import worded
from pitbook.errors import LedgerError
from pitbook.sheets.findings import printable
from pitbook.text import Sentence, say, sentence_of
from pitbook.text.formats import amount as plainly

if TYPE_CHECKING:
    from pitbook.house.ledger.audit import BookVerdict
    from pitbook.house.ledger.folder import Folder
    from pitbook.house.ledger.journal import Stream


HASH_SHOWN = 16
OF_THE_BOOK = "ledger.book."  # How keys begin of what is wrong with the whole of it.
ANCHOR = "PITBOOK_ANCHOR"
MANY = 100_000  # Entries that are read in some seconds.

Data: TypeAlias = Annotated[
    Path,
    typer.Option("--data", metavar="DIR", envvar="PITBOOK_DATA", help="The house's data folder."),
]
Database: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--database",
        "--db",
        metavar="URL",
        envvar="PITBOOK_DATABASE",
        show_default=False,
        help="The book's database, where it is not in the data folder.",
    ),
]


def opened(data: Path, database: str | None, anchor: str | None = None) -> Folder:
    """The data folder, which must be there; what is wrong with it names the place."""
    from pitbook.house.ledger.folder import Folder  # noqa: PLC0415  It brings the database.

    try:
        folder = Folder.open(data, database)
    except LedgerError as error:
        raise named(error, data, database) from error
    except ValueError as error:  # A time on record that is no time.
        raise LedgerError(say("cli.damaged", place=str(data), why=str(error))) from error
    try:
        folder.check_key()
    except BaseException:
        folder.close()
        raise
    folder.signs = True  # What the command writes, before it ends.
    return folder.anchored_at(anchor or os.environ.get(ANCHOR))


def named(error: LedgerError, data: Path, database: str | None) -> LedgerError:
    """The same error; one about the book as a whole says where that lies."""
    said = sentence_of(error)
    if not isinstance(said, Sentence) or not said.key.startswith(OF_THE_BOOK):
        return error
    place = _without_password(database) if database else str(data)
    return LedgerError(say("cli.book-at", place=place, why=said))


def _without_password(url: str) -> str:
    from pitbook.house.ledger.database import without_password  # noqa: PLC0415

    return without_password(url) or "--database"


def patience(streams: Iterable[Stream]) -> None:
    """Tell somebody who waits at a terminal that there is much to read."""
    entries = sum(one.seq for one in streams if type(one.seq) is int)
    if entries >= MANY and sys.stderr.isatty():
        print(worded(say("cli.book.reading", entries=entries)), file=sys.stderr)


def amount(unit: str, cents: int) -> str:
    """Money in its unit; chips are no dollars.

    >>> amount("usd", 1250), amount("play", 100000)
    ('$12.50', '1,000 play')
    """
    if unit == "usd":
        return say("words.money", amount=cents)
    return f"{plainly(cents, currency='')} {unit}"


def verdict_told(verdict: BookVerdict) -> list[str]:
    """What was read, and whether it is sound, a line each."""
    many = {"streams": verdict.streams, "entries": verdict.entries}
    read = say("cli.book.read", **many, checkpoints=verdict.checkpoints)
    totals = [
        say("cli.book.total", unit=unit, total=amount(unit, total))
        for unit, total in verdict.units.items()
    ]
    found = [
        say("cli.book.finding", finding=printable(worded(one.told))) for one in verdict.findings
    ]
    if not found:
        return [read, *totals, say("cli.book.sound")]
    return [read, *totals, *found, say("cli.book.not-sound", findings=len(found))]


def heads_told(heads: Mapping[str, Iterable[object]]) -> list[str]:
    """Every stream with its last entry and the hash that holds on to all before it."""
    width = max((len(printable(name)) for name in heads), default=0)
    return [
        f"  {printable(name):<{width}}  {seq:>7}  {str(head)[:HASH_SHOWN]}"
        for name, (seq, head) in heads.items()
    ]
