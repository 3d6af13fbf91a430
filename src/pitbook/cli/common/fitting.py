"""A table that a narrow terminal cannot spoil: names stay whole, figures go below them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.measure import Measurement
from rich.padding import Padding
from rich.style import StyleType
from rich.table import Column, Table
from rich.text import Text

UNDER = 4


class Fitting(Table):
    """In columns where no name is cut; else each row is its name and, below it, its figures."""

    def add_row(self, *cells: RenderableType | None, **settings: Any) -> None:
        """A row whose name is indented by blanks keeps them where it takes several lines."""
        first, *others = cells or ("",)
        super().add_row(_hanging(_text(first)), *others, **settings)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """The columns; less room puts figures below names, still less puts them in sentences."""
        needed = [_least(column, console, options) for column in self.columns]
        gap = sum(self.padding[1::2])
        if sum(needed) + gap * len(needed) <= options.max_width:
            for column, least in zip(self.columns, needed, strict=True):
                column.min_width = least
            yield from super().__rich_console__(console, options)
        elif UNDER + sum(needed[1:]) + gap * (len(needed) - 1) <= options.max_width:
            yield from self._below(needed[1:], gap)
        else:
            yield from self._told()

    def _rows(self) -> Iterator[tuple[StyleType, Text, list[Text]]]:
        cells = zip(*(column.cells for column in self.columns), strict=True)
        for row, of_row in zip(self.rows, cells, strict=True):
            name, *figures = (_text(cell) for cell in of_row)
            yield row.style or "", name, figures

    def _below(self, widths: list[int], gap: int) -> Iterator[Text]:
        heads = [_text(column.header) for column in self.columns[1:]]
        yield self._in_columns(heads, widths, gap, self.header_style)
        for style, name, figures in self._rows():
            if name.plain.strip():
                yield Text("", style).append_text(name)
            yield self._in_columns(figures, widths, gap, style)

    def _in_columns(
        self, figures: list[Text], widths: list[int], gap: int, style: StyleType
    ) -> Text:
        line = Text(" " * UNDER, style)
        for column, figure, width in zip(self.columns[1:], figures, widths, strict=True):
            figure.align("right" if column.justify == "right" else "left", width)
            line.append_text(figure).append(" " * gap)
        line.rstrip()
        return line

    def _told(self) -> Iterator[Text | Padding]:
        titles = [str(column.header).strip() for column in self.columns[1:]]
        for style, name, figures in self._rows():
            if name.plain.strip():
                yield Text("", style).append_text(name)
            pairs = zip(titles, figures, strict=True)
            told = [f"{title} {one.plain}".strip() for title, one in pairs if one.plain.strip()]
            yield Padding(Text(", ".join(told), style), (0, 0, 0, UNDER))


def _least(column: Column, console: Console, options: ConsoleOptions) -> int:
    """The width below which a column's words or figures would be cut."""
    parts = [_text(column.header), *(_text(cell) for cell in column.cells)]
    if column.no_wrap:
        return max(Measurement.get(console, options, part).maximum for part in parts)
    return max(_longest_word(part, console, options) for part in parts)


def _longest_word(text: Text, console: Console, options: ConsoleOptions) -> int:
    indent = len(text.plain) - len(text.plain.lstrip())
    return indent + Measurement.get(console, options, text).minimum


def _hanging(name: Text) -> RenderableType:
    indent = len(name.plain) - len(name.plain.lstrip())
    return Padding(name[indent:], (0, 0, 0, indent)) if indent else name


def _text(cell: object) -> Text:
    if isinstance(cell, Padding):
        return Text(" " * cell.left).append_text(_text(cell.renderable))
    return cell.copy() if isinstance(cell, Text) else Text(str(cell or ""))
