"""Formats numbers for papers: percent to four decimals, grouped counts, odds, times."""

from __future__ import annotations

from datetime import UTC, datetime
from fractions import Fraction

GUEST_DIGITS = 2  # Of an edge on a card for guests.


def percent(value: Fraction | float, digits: int = 4) -> str:
    """A share in percent, to four decimals.

    >>> percent(Fraction(53223, 1082900)), percent(Fraction(53223, 1082900), GUEST_DIGITS)
    ('4.9149%', '4.91%')
    """
    return f"{float(value) * 100:.{digits}f}%"


def points(value: Fraction | float) -> str:
    """A change of a share in percentage points, with its sign.

    >>> points(Fraction(-1, 400)), points(0)
    ('-0.2500', '0.0000')
    """
    text = f"{float(value) * 100:+.4f}"
    return text if float(text) else "0.0000"


def count(value: int) -> str:
    """A whole number in groups of three digits.

    >>> count(155937600)
    '155,937,600'
    """
    return f"{value:,}"


def decimal(value: Fraction | float, digits: int = 6) -> str:
    """A number with this many decimals."""
    return f"{float(value):,.{digits}f}"


def format_time(at: str) -> str:
    """A time of the ledger, to the second.

    >>> format_time("2026-11-17T18:46:35.446158+00:00")
    '2026-11-17 18:46:35 UTC'
    """
    return f"{datetime.fromisoformat(at).astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC"


def odds_against(probability: Fraction) -> str:
    """The true odds against an event, to one.

    >>> odds_against(Fraction(1, 649740)), odds_against(Fraction(2, 5))
    ('649,739.00', '1.50')
    """
    if not probability:
        return ""
    return f"{float((1 - probability) / probability):,.2f}"
