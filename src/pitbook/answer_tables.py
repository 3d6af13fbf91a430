"""The base of every public answer: rows for data frames, tables for terminals and notebooks."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from numbers import Number
from typing import Any, TypeAlias

Record: TypeAlias = dict[str, Any]

ROWS_SHOWN = 40  # More rows are in `records()`.
CELL_MAX = 60  # Characters of a cell in a terminal.
NUMBER_STYLE = "text-align: right; font-variant-numeric: tabular-nums"
TEXT_STYLE = "text-align: left; white-space: pre-line"


class Answer(ABC):
    """A frozen result. `records()` lists its rows; `print` and notebooks show them as a table."""

    __slots__ = ()

    def records(self, *, exact: bool = True) -> list[Record]:
        """The rows as flat dicts for a data frame: exact fractions, or floats if not `exact`."""
        rows = [dict(row) for row in self._rows()]
        return rows if exact else [_with_floats(row) for row in rows]

    @abstractmethod
    def _rows(self) -> Iterable[Mapping[str, Any]]:
        """The rows, with exact values."""

    @abstractmethod
    def _lines(self) -> tuple[str, ...]:
        """The sentences above the table."""

    def __repr__(self) -> str:
        return f"<{self._lines()[0]}>"

    def __str__(self) -> str:
        return "\n".join((*self._lines(), *_text_table(self.records())))

    def _repr_html_(self) -> str:
        from html import escape  # noqa: PLC0415  Only notebooks need it.

        head = "".join(f"<p>{escape(line)}</p>" for line in self._lines())
        return f"<div>{head}{_html_table(self.records())}</div>"


def _with_floats(row: Record) -> Record:
    return {name: float(cell) if isinstance(cell, Fraction) else cell for name, cell in row.items()}


def _text_table(rows: Sequence[Record]) -> list[str]:
    """The rows in columns; numbers are aligned to the right."""
    if not rows:
        return []
    visible_rows = rows[:ROWS_SHOWN]
    columns = [_column(name, [row[name] for row in visible_rows]) for name in visible_rows[0]]
    lines = ["  ".join(cells).rstrip() for cells in zip(*columns, strict=True)]
    return ["", *lines, *_rows_left_out(rows)]


def _column(name: str, cells: Sequence[Any]) -> list[str]:
    texts = [_heading(name), *map(_shorten, _cell_texts(cells))]
    width = max(map(len, texts))
    if any(map(_is_number, cells)):
        return [text.rjust(width) for text in texts]
    return [text.ljust(width) for text in texts]


def _shorten(text: str) -> str:
    text = " / ".join(text.splitlines())
    return text if len(text) <= CELL_MAX else f"{text[: CELL_MAX - 1]}…"


def _html_table(rows: Sequence[Record]) -> str:
    if not rows:
        return ""
    from html import escape  # noqa: PLC0415

    visible_rows = rows[:ROWS_SHOWN]
    head = "".join(f"<th>{escape(_heading(name))}</th>" for name in visible_rows[0])
    columns = [_html_column([row[name] for row in visible_rows]) for name in visible_rows[0]]
    body = "".join(f"<tr>{''.join(cells)}</tr>" for cells in zip(*columns, strict=True))
    note = "".join(f"<p>{line}</p>" for line in _rows_left_out(rows))
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{note}"


def _html_column(cells: Sequence[Any]) -> list[str]:
    """Cells; a fraction is shown as a decimal, with the exact value as its tooltip."""
    from html import escape  # noqa: PLC0415

    texts = map(escape, _cell_texts(cells))
    return [f"<td{_attributes(cell)}>{text}</td>" for cell, text in zip(cells, texts, strict=True)]


def _attributes(cell: Any) -> str:
    title = f' title="{cell}"' if isinstance(cell, Fraction) and cell.denominator > 1 else ""
    return f'{title} style="{NUMBER_STYLE if _is_number(cell) else TEXT_STYLE}"'


def _heading(name: str) -> str:
    return name.replace("_", " ")


def _is_number(cell: Any) -> bool:
    return isinstance(cell, Number) and not isinstance(cell, bool)


def _cell_texts(cells: Sequence[Any]) -> list[str]:
    """The cells of a column: whole numbers without decimals if all of them are whole."""
    numbers = [cell for cell in cells if isinstance(cell, int | float | Fraction)]
    whole = all(number == number // 1 for number in numbers)
    return [_cell_text(cell, whole=whole) for cell in cells]


def _cell_text(cell: Any, *, whole: bool) -> str:
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if not isinstance(cell, int | float | Fraction):
        return str(cell)
    number = float(cell)
    if whole:
        return f"{int(cell):,}"
    return f"{number:.3e}" if 0 < abs(number) < 0.00005 else f"{number:,.6f}"


def _rows_left_out(rows: Sequence[Record]) -> list[str]:
    more = len(rows) - ROWS_SHOWN
    return [f"… and {more:,} more; records() lists all {len(rows):,}."] if more > 0 else []
