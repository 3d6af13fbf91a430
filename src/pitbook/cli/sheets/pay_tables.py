"""Pay tables of a rack card, beside each other where the terminal is wide enough."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from dataclasses import dataclass

from rich.cells import cell_len
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from pitbook.cli.common.language import worded
from pitbook.cli.common.terminal import plain
from pitbook.sheets.aloud.pay_tables import pay_tables as shown
from pitbook.sheets.model import Sheet

INDENT, GAP = 2, 4
WIDTH_MIN, WIDTH_MAX = 26, 58
DOTS_MIN = 3


@dataclass(frozen=True)
class _Block:
    title: str
    about: str
    whose: str
    clause: str
    lines: list[tuple[str, str]]

    @property
    def width(self) -> int:
        """The columns that it needs."""
        lines = (cell_len(name) + DOTS_MIN + 2 + len(pay) for name, pay in self.lines)
        head = cell_len(self.title) + 2 + cell_len(self.clause)
        return max(WIDTH_MIN, head, cell_len(self.about), *lines)

    def text(self, width: int) -> Text:
        """The table, line by line, each filled to the width with dots."""
        head = _spread(plain(self.title, "bold"), plain(self.clause, "dim"), width, " ")
        rows = [_spread(plain(name), plain(pay, "bold"), width, ".") for name, pay in self.lines]
        whose = [plain(line) for line in textwrap.wrap(self.whose, max(1, width))]
        return Text("\n").join([head, plain(self.about, "dim"), *whose, *rows])


def pay_tables(sheet: Sheet, width: int) -> Padding:
    """The main table, then the side tables, in as many columns as fit."""
    blocks = list(_blocks(sheet))
    space = width - INDENT
    needed = max(block.width for block in blocks)
    columns = max(1, min(len(blocks), (space + GAP) // (needed + GAP)))
    wide = min(WIDTH_MAX, (space - GAP * (columns - 1)) // columns)
    grid = Table.grid(padding=(0, GAP, 0, 0))
    for _ in range(columns):
        grid.add_column(width=wide)
    grid.add_row(*(_stack(column, wide) for column in _packed(blocks, columns)))
    return Padding(grid, (0, 0, 0, INDENT))


def _packed(blocks: list[_Block], columns: int) -> list[list[_Block]]:
    """The blocks in columns, each under the shortest so far."""
    packed: list[list[_Block]] = [[] for _ in range(columns)]
    for block in blocks:
        min(packed, key=lambda column: sum(len(one.lines) + 3 for one in column)).append(block)
    return packed


def _stack(column: list[_Block], wide: int) -> Text:
    return Text("\n\n").join(block.text(wide) for block in column)


def _blocks(sheet: Sheet) -> Iterator[_Block]:
    for table in shown(sheet):
        lines = [(worded(line["title"]), worded(line["says"])) for line in table["lines"]]
        title, about, whose = (worded(table[part]) for part in ("title", "about", "whose"))
        yield _Block(title, about, whose, table["clause"], lines)


def _spread(left: Text, right: Text, width: int, fill: str) -> Text:
    """Two texts at both ends of a line."""
    space = max(2, width - left.cell_len - right.cell_len)
    filled = plain(" " + fill * (space - 2) + " ", "dim")
    return Text.assemble(left, filled, right)
