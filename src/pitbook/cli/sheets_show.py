"""`pitbook sheets show`: a sheet as a rack card, with clauses at the right of each line."""

from __future__ import annotations

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

from pitbook.cli.language import localize
from pitbook.cli.lazy_commands import command
from pitbook.cli.options import Folders, Json, SheetName, load_sheet
from pitbook.cli.plain_output import emit, examples
from pitbook.cli.rich_output import console, plain
from pitbook.cli.rich_output import show as print_parts
from pitbook.sheets.assumptions import (
    MARK,
    assumed_of_rule,
    assumed_pays,
    assumed_share,
    legend,
    mark_assumption,
    marked_text,
)
from pitbook.sheets.display_documents import pay_tables as sheet_pay_tables
from pitbook.sheets.findings import FieldPath, format_path
from pitbook.sheets.hashes import digest
from pitbook.sheets.model import Sheet
from pitbook.sheets.prose import RuleText, rule_texts_in_force
from pitbook.text import say

app = command()

NARROW = 60  # Below this width, a label is in its line instead of a separate column.
LABEL_MAX, CLAUSE_MAX = 20, 24
HASH_SHOWN = 12
INDENT = (0, 0, 0, 2)

HEADINGS = (
    *("Seats", "Cards", "Wagers", "Play", "Pay table", "Fold", "Limits", "Settlement"),
    *("Payouts", "Irregularities", "House", "Best play"),
)


Notes = Annotated[
    bool, typer.Option("--notes", help="Add our notes on points that the document leaves open.")
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
    """Show a sheet as a rack card.

    Lists wagers, bets, pay tables, limits, procedure and irregularities, each with its clause.
    """
    rules = load_sheet(sheet, folder)
    if json:
        emit({**rules.model_dump(mode="json", by_alias=True), "hash": digest(rules)})
        return
    terminal = console()
    print_parts(terminal, rack_card_parts(rules, width=terminal.width, notes=notes))


def rack_card_parts(sheet: Sheet, *, width: int, notes: bool) -> Iterator[RenderableType]:
    """The parts of the card for a terminal of this width."""
    yield _card_header(sheet)
    texts = [text for text in rule_texts_in_force(sheet) if text.label is not None]
    label_width = min(LABEL_MAX, max(len(localize(text.label or "")) for text in texts))
    for heading in HEADINGS:
        lines = [text for text in texts if text.heading == heading]
        if lines or heading == "Pay table":
            yield _rule(heading)
        if heading == "Pay table":
            yield pay_tables(sheet, width)
            yield from [Text()] if lines else []
        if lines:
            grid = (
                _narrow_table(lines, notes)
                if width < NARROW
                else _wide_table(lines, label_width, notes)
            )
            yield Padding(grid, INDENT)
    if notes:
        yield from _other_notes(sheet, {note for text in texts for note in text.notes}, width)
    yield from _card_footer(sheet)
    shares = [
        assumed_of_rule(sheet.seats, "count"),
        *(assumed_share(text, short_form=True) for text in texts),
        *(assumed_pays(sheet, wager) for wager in ("main", *sheet.side)),
    ]
    if any(share != "none" for share in shares):
        yield Padding(plain(legend(), "dim"), INDENT)


def _rule(heading: str) -> Rule:
    title = localize(say("aloud.heading", part=heading.lower().replace(" ", "-"), heading=heading))
    return Rule(plain(title.upper(), "bold cyan"), align="left", style="dim")


def _card_header(sheet: Sheet) -> Panel:
    house = sheet.house
    place = [] if sheet.title.startswith(house.venue) else [house.venue]
    place += [] if house.jurisdiction == "any" else [house.jurisdiction]
    undated = say("cli.show.undated")
    since = say("cli.show.since", day=sheet.effective) if sheet.effective else undated
    seats = mark_assumption(
        say("cli.show.seats", count=sheet.seats.count), assumed_of_rule(sheet.seats, "count")
    )
    head = say("cli.show.head", seats=seats, decks=sheet.deck.decks, since=since)
    lines = [plain(sheet.title.upper(), "bold")]
    lines += [plain(", ".join(place))] if place else []
    lines += [plain(head, "dim")]
    return Panel(Text("\n", justify="center").join(lines), style="", border_style="dim")


def _wide_table(lines: list[RuleText], labels: int, notes: bool) -> Table:
    grid = Table.grid(padding=(0, 2), expand=True)
    grid.add_column(width=labels)
    grid.add_column(ratio=1)
    grid.add_column(justify="right", max_width=CLAUSE_MAX)
    for line in lines:
        text, clauses = plain(marked_text(line)), plain(", ".join(line.clauses), "dim")
        grid.add_row(plain(line.label or ""), text, clauses)
        for note in line.notes if notes else ():
            grid.add_row("", plain(say("cli.show.note", note=note), "italic dim"), "")
    return grid


def _narrow_table(lines: list[RuleText], notes: bool) -> Table:
    grid = Table.grid(padding=(0, 1), expand=True)
    grid.add_column(ratio=1)
    grid.add_column(justify="right", max_width=CLAUSE_MAX)
    for line in lines:
        text = plain(f"{localize(line.label)}: " if line.label else "", "bold")
        text.append_text(plain(marked_text(line)))
        grid.add_row(text, plain(", ".join(line.clauses), "dim"))
        for note in line.notes if notes else ():
            grid.add_row(plain(say("cli.show.note", note=note), "italic dim"), "")
    return grid


def _other_notes(sheet: Sheet, shown_notes: set[str], width: int) -> Iterator[RenderableType]:
    """The notes of rules that have no line on the card."""
    all_notes = _notes(sheet.model_dump(mode="json", by_alias=True), ())
    other_notes = [
        (path, clause, note) for path, clause, note in all_notes if note not in shown_notes
    ]
    if other_notes:
        yield _rule("Notes")
        grid = Table.grid(padding=(0, 2), expand=True)
        grid.add_column(ratio=1)
        grid.add_column(justify="right", max_width=CLAUSE_MAX)
        for path, clause, note in other_notes:
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


def _card_footer(sheet: Sheet) -> Iterator[RenderableType]:
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
    description: str
    clause: str
    lines: list[tuple[str, str]]

    @property
    def width(self) -> int:
        """The number of columns it needs."""
        lines = (cell_len(name) + DOTS_MIN + 2 + len(pay) for name, pay in self.lines)
        head = cell_len(self.title) + 2 + cell_len(self.clause)
        return max(WIDTH_MIN, head, cell_len(self.description), *lines)

    def text(self, width: int) -> Text:
        """The table as lines, each filled to the width with dots."""
        head = _spread(plain(self.title, "bold"), plain(self.clause, "dim"), width, " ")
        rows = [_spread(plain(name), plain(pay, "bold"), width, ".") for name, pay in self.lines]
        return Text("\n").join([head, plain(self.description, "dim"), *rows])


def pay_tables(sheet: Sheet, width: int) -> Padding:
    """The main pay table, then the side tables, in as many columns as fit."""
    blocks = list(_blocks(sheet))
    space = width - TABLES_INDENT
    needed = max(block.width for block in blocks)
    columns = max(1, min(len(blocks), (space + GAP) // (needed + GAP)))
    column_width = min(WIDTH_MAX, (space - GAP * (columns - 1)) // columns)
    grid = Table.grid(padding=(0, GAP, 0, 0))
    for _ in range(columns):
        grid.add_column(width=column_width)
    grid.add_row(*(_stack(column, column_width) for column in _pack_columns(blocks, columns)))
    return Padding(grid, (0, 0, 0, TABLES_INDENT))


def _pack_columns(blocks: list[_Block], columns: int) -> list[list[_Block]]:
    """Distribute the blocks, each to the shortest column so far."""
    columns_filled: list[list[_Block]] = [[] for _ in range(columns)]
    for block in blocks:
        min(
            columns_filled, key=lambda column: sum(len(block.lines) + 3 for block in column)
        ).append(block)
    return columns_filled


def _stack(column: list[_Block], width: int) -> Text:
    return Text("\n\n").join(block.text(width) for block in column)


def _blocks(sheet: Sheet) -> Iterator[_Block]:
    for table in sheet_pay_tables(sheet):
        lines = [(localize(line["title"]), localize(line["says"])) for line in table["lines"]]
        title = f"{localize(table['title'])}{MARK if table['ours'] else ''}"
        yield _Block(title, localize(table["about"]), table["clause"], lines)


def _spread(left: Text, right: Text, width: int, fill: str) -> Text:
    """Place two texts at both ends of a line."""
    space = max(2, width - left.cell_len - right.cell_len)
    filler = plain(" " + fill * (space - 2) + " ", "dim")
    return Text.assemble(left, filler, right)
