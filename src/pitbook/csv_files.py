"""CSV files for spreadsheets. All exports use this module, so that no cell runs as a formula."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable
from typing import TextIO

# Spreadsheets skip leading white space and quotes, and some accept full-width signs.
_FORMULA = re.compile(r"""[\t\r\n]|[\s"']*[=+\-@＝＋－＠]""")
_SPECIAL = re.compile(r'[",\r\n]')
_NUMBER = re.compile(r"[+-]?[0-9]+(?:\.[0-9]+)?(?:e[+-]?[0-9]+|%)?")


def csv_text(rows: Iterable[Iterable[object]], *, newline: str = "\r\n") -> str:
    """Rows as comma-separated values."""
    buffer = io.StringIO()
    write_rows(buffer, rows, newline=newline)
    return buffer.getvalue()


def write_rows(out: TextIO, rows: Iterable[Iterable[object]], *, newline: str = "\r\n") -> None:
    """Write rows as comma-separated values."""
    # If lines end in LF, the csv module leaves a CR unquoted, which would start a new row.
    out.writelines(",".join(map(_quote_cell, map(safe_cell, row))) + newline for row in rows)


def safe_cell(value: object) -> str:
    """A cell as text. A cell that a spreadsheet would run as a formula is prefixed with an
    apostrophe.

    >>> safe_cell("=1+1"), safe_cell(" +A1"), safe_cell("-2.50"), safe_cell(None)
    ("'=1+1", "' +A1", '-2.50', '')
    """
    text = "" if value is None else str(value)
    return f"'{text}" if is_formula(text) else text


def _quote_cell(text: str) -> str:
    return '"' + text.replace('"', '""') + '"' if _SPECIAL.search(text) else text


def is_formula(text: str) -> bool:
    """Whether a spreadsheet might run a cell instead of showing it. Numbers are not formulas."""
    return _FORMULA.match(text) is not None and not _NUMBER.fullmatch(text)
