"""Rich output: styled text, numbers, and tables that fit narrow terminals."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.measure import Measurement
from rich.padding import Padding
from rich.style import StyleType
from rich.table import Column, Table
from rich.text import Text

from pitbook.cli.language import localize
from pitbook.text.user_input import printable

WIDTH_MAX = 120  # A wider line would put the clause too far from its rule.


def console() -> Console:
    """Standard output; without color if it is not a terminal or NO_COLOR is set."""
    terminal = Console(markup=False, highlight=False, emoji=False)
    terminal.width = min(terminal.width, WIDTH_MAX)
    return terminal


def show(terminal: Console, parts: Iterable[RenderableType]) -> None:
    """Print the parts; trailing blanks are removed in a file."""
    if terminal.is_terminal:
        for part in parts:
            terminal.print(part)
        return
    with terminal.capture() as captured:
        for part in parts:
            terminal.print(part)
    print("\n".join(line.rstrip() for line in captured.get().splitlines()))


def plain(text: str, style: str = "") -> Text:
    """The text in the output language and one style."""
    return Text(printable(localize(text)), style=style)


UNDER = 4


class FittingTable(Table):
    """A table in columns if names fit; otherwise each row is its name with the figures below."""

    def add_row(self, *cells: RenderableType | None, **settings: Any) -> None:
        """Add a row; an indented name keeps its indent when it wraps."""
        first, *others = cells or ("",)
        super().add_row(_keep_indent(_text(first)), *others, **settings)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Render columns; in less room figures go below names, or into sentences."""
        if (full_widths := self._full_widths(options.max_width)) is not None:
            for line in self._lines(full_widths):
                yield from line.render(console, end="\n")  # It fits, so rich need not wrap it.
            return
        widths = [_width_min(column, console, options) for column in self.columns]
        gap = self._gap
        if sum(widths) + gap * len(widths) <= options.max_width:
            for column, width in zip(self.columns, widths, strict=True):
                column.min_width = width
            yield from super().__rich_console__(console, options)
        elif UNDER + sum(widths[1:]) + gap * (len(widths) - 1) <= options.max_width:
            yield from self._figures_below(widths[1:], gap)
        else:
            yield from self._as_sentences()

    def _full_widths(self, room: int) -> list[int] | None:
        """The widths of the columns if every cell fits on one line, which is quick to render."""
        columns = ((column.header, *column.cells) for column in self.columns)
        widths = [max(_text(cell).cell_len for cell in cells) for cells in columns]
        return widths if sum(widths) + self._gap * (len(widths) - 1) <= room else None

    @property
    def _gap(self) -> int:
        return sum(self.padding[1::2])

    def _lines(self, widths: list[int]) -> Iterator[Text]:
        heads = [_text(column.header) for column in self.columns]
        yield self._line(heads, widths, self.header_style)
        for style, name, figures in self._rows():
            yield self._line([name, *figures], widths, style)

    def _line(self, cells: list[Text], widths: list[int], style: StyleType) -> Text:
        line = Text("", style)
        for column, cell, width in zip(self.columns, cells, widths, strict=True):
            room = width - cell.cell_len
            before = room if column.justify == "right" else 0
            line.append(" " * before).append_text(cell)
            line.append(" " * (room - before + self._gap))
        line.right_crop(self._gap)
        return line

    def _rows(self) -> Iterator[tuple[StyleType, Text, list[Text]]]:
        cells = zip(*(column.cells for column in self.columns), strict=True)
        for row, of_row in zip(self.rows, cells, strict=True):
            name, *figures = (_text(cell) for cell in of_row)
            yield row.style or "", name, figures

    def _figures_below(self, widths: list[int], gap: int) -> Iterator[Text]:
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

    def _as_sentences(self) -> Iterator[Text | Padding]:
        titles = [str(column.header).strip() for column in self.columns[1:]]
        for style, name, figures in self._rows():
            if name.plain.strip():
                yield Text("", style).append_text(name)
            pairs = zip(titles, figures, strict=True)
            figure_texts = [
                f"{title} {figure.plain}".strip() for title, figure in pairs if figure.plain.strip()
            ]
            yield Padding(Text(", ".join(figure_texts), style), (0, 0, 0, UNDER))


def _width_min(column: Column, console: Console, options: ConsoleOptions) -> int:
    """The width below which a column's words or figures would be cut."""
    parts = [_text(column.header), *(_text(cell) for cell in column.cells)]
    if column.no_wrap:
        return max(Measurement.get(console, options, part).maximum for part in parts)
    return max(_longest_word(part, console, options) for part in parts)


def _longest_word(text: Text, console: Console, options: ConsoleOptions) -> int:
    indent = len(text.plain) - len(text.plain.lstrip())
    return indent + Measurement.get(console, options, text).minimum


def _keep_indent(name: Text) -> RenderableType:
    indent = len(name.plain) - len(name.plain.lstrip())
    return Padding(name[indent:], (0, 0, 0, indent)) if indent else name


def _text(cell: object) -> Text:
    if isinstance(cell, Padding):
        return Text(" " * cell.left).append_text(_text(cell.renderable))
    return cell.copy() if isinstance(cell, Text) else Text(str(cell or ""))


FRACTION_MAX = 34  # A longer fraction is less readable than its decimals.


def percent(value: Fraction | float, digits: int = 4) -> str:
    """A share in percent.

    >>> percent(Fraction(53223, 1082900))
    '4.9149%'
    """
    return f"{float(value) * 100:.{digits}f}%"


def points(value: Fraction | float, digits: int = 4) -> str:
    """A difference of shares in percentage points, with its sign."""
    return f"{_unsigned_zero(float(value) * 100, digits, '+')} points"


def format_signed(value: Fraction | float, digits: int = 4) -> str:
    """A number with its sign, also if it is positive.

    >>> format_signed(Fraction(1, 3)), format_signed(Fraction(-1, 3)), format_signed(0)
    ('+0.3333', '-0.3333', '0.0000')
    """
    return _unsigned_zero(float(value), digits, "+")


def _unsigned_zero(value: float, digits: int, plus: str) -> str:
    text = f"{value:{plus},.{digits}f}"
    return text[1:] if not text.strip("+-0.") else text


def format_exactly(value: Fraction) -> str:
    """The decimals and the fraction; only the decimals if the fraction is long.

    >>> format_exactly(Fraction(-402, 5525))
    '-0.072760 (-402/5525)'
    """
    decimals = f"{float(value):,.6f}"
    if value.denominator == 1:
        return f"{value.numerator:,}"
    return f"{decimals} ({value})" if len(str(value)) <= FRACTION_MAX else decimals


def format_units(number: Fraction | int) -> str:
    """A number of antes, without decimals if it is whole."""
    return f"{number.numerator:,}" if number.denominator == 1 else f"{float(number):,.2f}"


def count_units(number: Fraction | int, singular: str, plural: str) -> str:
    """A number with its unit: 1 ante, 2 antes."""
    return f"{format_units(number)} {singular if number == 1 else plural}"


def plain_table(*columns: str, right: tuple[str, ...] = ()) -> Table:
    """A table without lines, indented, with dim headings; columns in `right` are right-aligned."""
    table = FittingTable(box=None, padding=(0, 2, 0, 0), header_style="dim", pad_edge=False)
    for index, title in enumerate(columns):
        text = f"  {title}" if index == 0 else title
        table.add_column(text, justify="right" if title in right else "left", no_wrap=index > 0)
    return table
