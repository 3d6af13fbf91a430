"""The options --data, --db, --from and --to, and the folder and interval that they name."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from pitbook.cli.language import localize
from pitbook.errors import LedgerError
from pitbook.text import Sentence, say, sentence_of

if TYPE_CHECKING:
    from pitbook.house.ledger.data_folder import Folder
    from pitbook.house.ledger.ledger import Stream
    from pitbook.house.ledger.queries import Interval

From: TypeAlias = Annotated[
    str | None,
    typer.Option("--from", metavar="WHEN", help="First day, or a time in UTC."),
]

To: TypeAlias = Annotated[
    str | None,
    typer.Option("--to", metavar="WHEN", help="Last day, or the end time in UTC."),
]


def interval(start: str | None, end: str | None) -> Interval:
    """Read --from and --to; raises BadParameter for an invalid time or an empty interval."""
    from pitbook.house.ledger.queries import Interval, format_time  # noqa: PLC0415

    first = None if start is None else _parse_option(start, "--from", days=0)
    last = None if end is None else _parse_option(end, "--to", days=1)
    if first is not None and last is not None and first >= last:
        raise typer.BadParameter(
            localize(say("cli.audit.order", start=start, end=end)), param_hint="--from"
        )
    return Interval(format_time(first) if first else None, format_time(last) if last else None)


def _parse_option(text: str, option: str, *, days: int) -> datetime:
    from pitbook.house.ledger.queries import parse_time  # noqa: PLC0415  Imports the database.

    try:
        return parse_time(text, days=days)
    except LedgerError as error:
        raise typer.BadParameter(localize(sentence_of(error)), param_hint=option) from None


LEDGER_KEY_PREFIX = "ledger.book."  # Keys of messages about the ledger as a whole.
ANCHOR = "PITBOOK_ANCHOR"
LONG_READ_ENTRIES = 100_000  # Reading this many takes several seconds.

Data: TypeAlias = Annotated[
    Path,
    typer.Option("--data", metavar="DIR", envvar="PITBOOK_DATA", help="Data folder of the server."),
]
Database: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--database",
        "--db",
        metavar="URL",
        envvar="PITBOOK_DATABASE",
        show_default=False,
        help="Database of the ledger, if it is not in the data folder.",
    ),
]


def open_folder(data: Path, database: str | None, anchor: str | None = None) -> Folder:
    """Open an existing data folder; errors name the place."""
    from pitbook.house.ledger.data_folder import Folder  # noqa: PLC0415  Imports the database.

    try:
        folder = Folder.open(data, database)
    except LedgerError as error:
        raise error_with_place(error, data, database) from error
    except ValueError as error:  # A time on record that is not a time.
        raise LedgerError(say("cli.damaged", place=str(data), why=str(error))) from error
    try:
        folder.check_key()
    except BaseException:
        folder.close()
        raise
    folder.signs_on_close = True  # Sign what the command writes before it ends.
    return folder.use_anchor(anchor or os.environ.get(ANCHOR))


def error_with_place(error: LedgerError, data: Path, database: str | None) -> LedgerError:
    """The same error; if it is about the ledger as a whole, it says where that is."""
    message = sentence_of(error)
    if not isinstance(message, Sentence) or not message.key.startswith(LEDGER_KEY_PREFIX):
        return error
    place = _without_password(database) if database else str(data)
    return LedgerError(say("cli.book-at", place=place, why=message))


def _without_password(url: str) -> str:
    from pitbook.house.ledger.database import without_password  # noqa: PLC0415

    return without_password(url) or "--database"


def announce_long_read(streams: Iterable[Stream]) -> None:
    """Tell a person at a terminal that there is much to read."""
    entries = sum(stream.seq for stream in streams if type(stream.seq) is int)
    if entries >= LONG_READ_ENTRIES and sys.stderr.isatty():
        print(localize(say("cli.book.reading", entries=entries)), file=sys.stderr)
