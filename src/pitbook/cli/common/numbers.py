"""Numbers as a person reads them: shares in percent, values in antes, short fractions whole."""

from __future__ import annotations

from fractions import Fraction

from rich.table import Table

from pitbook.cli.common.fitting import Fitting

FRACTION_MAX = 34  # A longer fraction tells a reader less than its decimals do.


def percent(value: Fraction | float, digits: int = 4) -> str:
    """A share in percent.

    >>> percent(Fraction(53223, 1082900))
    '4.9149%'
    """
    return f"{float(value) * 100:.{digits}f}%"


def points(value: Fraction | float, digits: int = 4) -> str:
    """A difference of shares in percentage points, with its sign."""
    return f"{_unsigned_zero(float(value) * 100, digits, '+')} points"


def signed(value: Fraction | float, digits: int = 4) -> str:
    """A number with its sign, also where it is gained.

    >>> signed(Fraction(1, 3)), signed(Fraction(-1, 3)), signed(0)
    ('+0.3333', '-0.3333', '0.0000')
    """
    return _unsigned_zero(float(value), digits, "+")


def _unsigned_zero(value: float, digits: int, plus: str) -> str:
    text = f"{value:{plus},.{digits}f}"
    return text[1:] if not text.strip("+-0.") else text


def exactly(value: Fraction) -> str:
    """The fraction, and its decimals; the decimals alone where the fraction is long.

    >>> exactly(Fraction(-402, 5525))
    '-0.072760 (-402/5525)'
    """
    decimals = f"{float(value):,.6f}"
    if value.denominator == 1:
        return f"{value.numerator:,}"
    return f"{decimals} ({value})" if len(str(value)) <= FRACTION_MAX else decimals


def units(value: str | int) -> str:
    """A number of antes: whole where it is whole."""
    number = Fraction(value)
    return f"{number.numerator:,}" if number.denominator == 1 else f"{float(number):,.2f}"


def counted(number: Fraction | int, one: str, more: str) -> str:
    """A number and what is counted: 1 ante, 2 antes."""
    return f"{units(str(number))} {one if number == 1 else more}"


def plain_table(*columns: str, right: tuple[str, ...] = ()) -> Table:
    """A table without lines, indented, its head dim; columns in `right` end flush."""
    table = Fitting(box=None, padding=(0, 2, 0, 0), header_style="dim", pad_edge=False)
    for place, title in enumerate(columns):
        text = f"  {title}" if place == 0 else title
        table.add_column(text, justify="right" if title in right else "left", no_wrap=place > 0)
    return table
