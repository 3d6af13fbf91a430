"""`pitbook sheets show`: a sheet as a rack card, with the clause at the right of each line."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any

import typer
from rich.cells import cell_len
from rich.console import RenderableType
from rich.padding import Padding
from rich.panel import Panel
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from pitbook.cli.commands import command
from pitbook.cli.language import worded
from pitbook.cli.options import Folders, Json, SheetName, sheet_named
from pitbook.cli.output import emit, examples
from pitbook.cli.render import console, plain
from pitbook.cli.render import show as show_parts
from pitbook.sheets.digest import digest
from pitbook.sheets.findings import FieldPath, format_path
from pitbook.sheets.model import Sheet
from pitbook.sheets.prose.pay_tables import pay_tables as shown
from pitbook.sheets.prose.rule_text import RuleText
from pitbook.sheets.prose.rules import rule_texts
from pitbook.sheets.provenance import add_mark, share
from pitbook.text import say

app = command()

NARROW = 60  # Below this a label stands in its line, not in a column of its own.
LABEL_MAX, CLAUSE_MAX = 20, 24
HASH_SHOWN = 12
INDENT = (0, 0, 0, 2)

HEADINGS = (
    *("Seats", "Cards", "Wagers", "Play", "Pay table", "Fold", "Limits", "Settlement"),
    *("Payouts", "Irregularities", "House", "Best play"),
)


Notes = Annotated[
    bool, typer.Option("--notes", help="Add our notes: where the document is silent or at odds.")
]


@app.command(
    epilog=examples(
        "pitbook sheets show catfish-bend/mississippi-stud",
        "pitbook sheets show oceanfront/mississippi-stud@2015-01-01 --notes",
        "pitbook sheets show my-sheets/stud.toml --json",
    ),
)
def show(
    sheet: SheetName, *, notes: Notes = False, folder: Folders = None, json: Json = False
) -> None:
    """One sheet as a rack card.

    Wagers, bets, pay tables, limits, procedure and irregularities, each line with its clause.
    """
    rules = sheet_named(sheet, folder)
    if json:
        emit({**rules.model_dump(mode="json", by_alias=True), "hash": digest(rules)})
        return
    terminal = console()
    show_parts(terminal, card(rules, width=terminal.width, notes=notes))


def card(sheet: Sheet, *, width: int, notes: bool) -> Iterator[RenderableType]:
    """The card, part by part, for a terminal of that width."""
    yield _head(sheet)
    said = [one for one in rule_texts(sheet) if one.label is not None]
    labels = min(LABEL_MAX, max(len(worded(one.label or "")) for one in said))
    for heading in HEADINGS:
        lines = [one for one in said if one.heading == heading]
        if lines or heading == "Pay table":
            yield _rule(heading)
        if heading == "Pay table":
            yield pay_tables(sheet, width)
            yield from [Text()] if lines else []
        if lines:
            grid = _narrow(lines, notes) if width < NARROW else _wide(lines, labels, notes)
            yield Padding(grid, INDENT)
    if notes:
        yield from _other_notes(sheet, {note for one in said for note in one.notes}, width)
    yield from _foot(sheet)


def _rule(heading: str) -> Rule:
    title = worded(say("aloud.heading", part=heading.lower().replace(" ", "-"), heading=heading))
    return Rule(plain(title.upper(), "bold cyan"), align="left", style="dim")


def _head(sheet: Sheet) -> Panel:
    house = sheet.house
    place = [] if sheet.title.startswith(house.venue) else [house.venue]
    place += [] if house.jurisdiction == "any" else [house.jurisdiction]
    undated = say("cli.show.undated")
    since = say("cli.show.since", day=sheet.effective) if sheet.effective else undated
    seats = add_mark(say("cli.show.seats", count=sheet.seats.count), share(sheet.seats, "count"))
    head = say("cli.show.head", seats=seats, decks=sheet.deck.decks, since=since)
    lines = [plain(sheet.title.upper(), "bold")]
    lines += [plain(", ".join(place))] if place else []
    lines += [plain(head, "dim")]
    return Panel(Text("\n", justify="center").join(lines), style="", border_style="dim")


def _wide(lines: list[RuleText], labels: int, notes: bool) -> Table:
    grid = Table.grid(padding=(0, 2), expand=True)
    grid.add_column(width=labels)
    grid.add_column(ratio=1)
    grid.add_column(justify="right", max_width=CLAUSE_MAX)
    for one in lines:
        text, clauses = plain(one.marked), plain(", ".join(one.clauses), "dim")
        grid.add_row(plain(one.label or ""), text, clauses)
        for note in one.notes if notes else ():
            grid.add_row("", plain(say("cli.show.note", note=note), "italic dim"), "")
    return grid


def _narrow(lines: list[RuleText], notes: bool) -> Table:
    grid = Table.grid(padding=(0, 1), expand=True)
    grid.add_column(ratio=1)
    grid.add_column(justify="right", max_width=CLAUSE_MAX)
    for one in lines:
        text = plain(f"{worded(one.label)}: " if one.label else "", "bold")
        text.append_text(plain(one.marked))
        grid.add_row(text, plain(", ".join(one.clauses), "dim"))
        for note in one.notes if notes else ():
            grid.add_row(plain(say("cli.show.note", note=note), "italic dim"), "")
    return grid


def _other_notes(sheet: Sheet, told: set[str], width: int) -> Iterator[RenderableType]:
    """The notes of rules that have no line of their own on the card."""
    found = _notes(sheet.model_dump(mode="json", by_alias=True), ())
    rest = [(path, clause, note) for path, clause, note in found if note not in told]
    if rest:
        yield _rule("Notes")
        grid = Table.grid(padding=(0, 2), expand=True)
        grid.add_column(ratio=1)
        grid.add_column(justify="right", max_width=CLAUSE_MAX)
        for path, clause, note in rest:
            text = plain(f"{format_path(path)}: ")
            grid.add_row(text.append_text(plain(note, "italic dim")), plain(clause, "dim"))
        yield Padding(grid, INDENT)


def _notes(part: Any, path: FieldPath) -> Iterator[tuple[FieldPath, str, str]]:
    if isinstance(part, dict):
        for field in ("note", "departs"):
            if part.get(field):
                yield path, part.get("clause") or "", part[field]
    inner = part.items() if isinstance(part, dict) else enumerate(part)
    for step, value in inner:
        if isinstance(value, dict | list):
            yield from _notes(value, (*path, step))


def _foot(sheet: Sheet) -> Iterator[RenderableType]:
    source = sheet.source
    yield Rule(style="dim")
    mark = say("cli.show.hash", sheet=sheet.id, hash=digest(sheet)[:HASH_SHOWN])
    yield Padding(plain(mark, "dim"), INDENT)
    after = (
        say("cli.show.after-dated", document=source.document, day=source.dated)
        if source.dated
        else say("cli.show.after", document=source.document)
    )
    yield Padding(plain(after, "dim"), INDENT)


TABLES_INDENT, GAP = 2, 4
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
    space = width - TABLES_INDENT
    needed = max(block.width for block in blocks)
    columns = max(1, min(len(blocks), (space + GAP) // (needed + GAP)))
    wide = min(WIDTH_MAX, (space - GAP * (columns - 1)) // columns)
    grid = Table.grid(padding=(0, GAP, 0, 0))
    for _ in range(columns):
        grid.add_column(width=wide)
    grid.add_row(*(_stack(column, wide) for column in _packed(blocks, columns)))
    return Padding(grid, (0, 0, 0, TABLES_INDENT))


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
