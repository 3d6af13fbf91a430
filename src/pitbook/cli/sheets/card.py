"""A sheet as a rack card: what a dealer looks up, with the clause at the right of each line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rich.console import RenderableType
from rich.padding import Padding
from rich.panel import Panel
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from pitbook.cli.common.language import worded
from pitbook.cli.common.terminal import plain
from pitbook.cli.sheets.pay_tables import pay_tables
from pitbook.sheets.aloud import Saying, sayings
from pitbook.sheets.digest import digest
from pitbook.sheets.findings import FieldPath, dotted
from pitbook.sheets.model import Sheet
from pitbook.sheets.ours import marked, share
from pitbook.text import say

NARROW = 60  # Below this a label stands in its line, not in a column of its own.
LABEL_MAX, CLAUSE_MAX = 20, 24
HASH_SHOWN = 12
INDENT = (0, 0, 0, 2)

HEADINGS = (
    *("Seats", "Cards", "Wagers", "Play", "Pay table", "Fold", "Limits", "Settlement"),
    *("Payouts", "Irregularities", "House", "Best play"),
)


def card(sheet: Sheet, *, width: int, notes: bool) -> Iterator[RenderableType]:
    """The card, part by part, for a terminal of that width."""
    yield _head(sheet)
    said = [one for one in sayings(sheet) if one.label is not None]
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
    seats = marked(say("cli.show.seats", count=sheet.seats.count), share(sheet.seats, "count"))
    head = say("cli.show.head", seats=seats, decks=sheet.deck.decks, since=since)
    lines = [plain(sheet.title.upper(), "bold")]
    lines += [plain(", ".join(place))] if place else []
    lines += [plain(head, "dim")]
    return Panel(Text("\n", justify="center").join(lines), style="", border_style="dim")


def _wide(lines: list[Saying], labels: int, notes: bool) -> Table:
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


def _narrow(lines: list[Saying], notes: bool) -> Table:
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
            text = plain(f"{dotted(path)}: ")
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
