"""The days of a report as options name them."""

from __future__ import annotations

from datetime import datetime

import typer

from pitbook.errors import LedgerError
from pitbook.ledger.interval import Interval, moment, stamp

__all__ = ["Interval", "interval", "stamp"]


def interval(start: str | None, end: str | None) -> Interval:
    """What --from and --to name; misuse where they name nothing, or no time at all."""
    first = None if start is None else _moment(start, "--from", days=0)
    last = None if end is None else _moment(end, "--to", days=1)
    if first is not None and last is not None and first >= last:
        raise typer.BadParameter(
            f"{start} is not before {end}; exchange --from and --to", param_hint="--from"
        )
    return Interval(stamp(first) if first else None, stamp(last) if last else None)


def _moment(text: str, option: str, *, days: int) -> datetime:
    try:
        return moment(text, days=days)
    except LedgerError as error:
        raise typer.BadParameter(str(error), param_hint=option) from None
