"""The interval options of a report."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, TypeAlias

import typer

from pitbook.cli.language import localize
from pitbook.errors import LedgerError
from pitbook.house.ledger.queries import Interval, format_time, parse_time
from pitbook.text import say, sentence_of

From: TypeAlias = Annotated[
    str | None,
    typer.Option("--from", metavar="WHEN", help="The first day, or a time in UTC."),
]
To: TypeAlias = Annotated[
    str | None,
    typer.Option("--to", metavar="WHEN", help="The last day, or the time before which."),
]


def interval(start: str | None, end: str | None) -> Interval:
    """Read --from and --to; raises BadParameter for an invalid time or an empty interval."""
    first = None if start is None else _parse_option(start, "--from", days=0)
    last = None if end is None else _parse_option(end, "--to", days=1)
    if first is not None and last is not None and first >= last:
        raise typer.BadParameter(
            localize(say("cli.audit.order", start=start, end=end)), param_hint="--from"
        )
    return Interval(format_time(first) if first else None, format_time(last) if last else None)


def _parse_option(text: str, option: str, *, days: int) -> datetime:
    try:
        return parse_time(text, days=days)
    except LedgerError as error:
        raise typer.BadParameter(localize(sentence_of(error)), param_hint=option) from None
