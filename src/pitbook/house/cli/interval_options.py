"""The options --from and --to, and the interval that they give."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from pitbook.cli.language import localize
from pitbook.errors import LedgerError
from pitbook.text import say, sentence_of

if TYPE_CHECKING:
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
