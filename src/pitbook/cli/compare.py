"""`pitbook compare`: what each difference between two sheets is worth."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING

from pitbook.cli.language import localize, set_currency
from pitbook.cli.lazy_commands import command
from pitbook.cli.options import Ante, Folders, Json, SheetName, ante_of, library, today
from pitbook.cli.plain_output import emit, examples
from pitbook.sheets.assumptions import assumed_pays, describe_pays_of_both, legend, mark_assumption
from pitbook.sheets.model import Sheet
from pitbook.sheets.phrases import figures_shoe_note
from pitbook.text import say

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

    from pitbook.exact.compare import Comparison, WagerComparison


app = command()


@app.command(
    epilog=examples(
        "pitbook compare catfish-bend/mississippi-stud oceanfront/mississippi-stud",
        "pitbook compare louisiana-stud/standard my-sheets/stud.toml --ante 10",
    )
)
def compare(
    a: SheetName, b: SheetName, *, ante: Ante = None, folder: Folders = None, json: Json = False
) -> None:
    """Show how each rule difference between two sheets changes the house edge.

    Each different payout is put into the first sheet on its own, with best play recomputed. The
    rest comes from interactions between payouts and from other rules.
    """
    sheet_library, day = library(folder), today()
    first, second = sheet_library.load(a, day), sheet_library.load(b, day)
    set_currency(first.house.currency)
    from pitbook.exact.compare import compare_sheets  # noqa: PLC0415  Imports NumPy.

    comparison = compare_sheets(first, second, ante_of(ante))
    if json:
        emit(comparison.document())
        return
    from pitbook.cli.rich_output import console, show  # noqa: PLC0415  Imports Rich.

    show(console(), answer_parts(first, second, comparison))


def answer_parts(a: Sheet, b: Sheet, answer: Comparison) -> Iterator[RenderableType]:
    """The parts of the printed answer."""
    from pitbook.cli.math import heading, sheet_title  # noqa: PLC0415
    from pitbook.cli.rich_output import plain  # noqa: PLC0415

    yield plain(f"A  {a.id}: {sheet_title(a)}", "bold")
    yield plain(f"B  {b.id}: {sheet_title(b)}", "bold")
    if answer.ante is None:
        yield plain(say("cli.compare.free"), "dim")
    else:
        yield plain(say("cli.compare.capped", ante=answer.ante), "dim")
        yield plain(say("cli.compare.sides"), "dim")
    for name, sheet in (("A", a), ("B", b)):
        if shoe := figures_shoe_note(sheet):
            yield plain(f"{name}: {shoe[0].lower()}{shoe[1:]}", "dim")
    for comparison in answer.wagers:
        yield heading(_title(a, b, comparison.wager))
        yield from _wager(a, b, comparison)
    wagers = [comparison.wager for comparison in answer.wagers]
    if any(any(describe_pays_of_both(a, b, wager).values()) for wager in wagers):
        yield plain("")
        yield plain(legend(), "dim")


def _title(a: Sheet, b: Sheet, wager: str) -> str:
    if wager == "main":
        return say("cli.math.main")
    return (a if wager in a.side else b).side[wager].title


def _wager(a: Sheet, b: Sheet, comparison: WagerComparison) -> Iterator[RenderableType]:
    from pitbook.cli.rich_output import plain, points  # noqa: PLC0415

    if comparison.difference is None:
        name, edge = ("A", comparison.a) if comparison.a is not None else ("B", comparison.b)
        assert edge is not None
        marked_edge = _marked_edge(a if name == "A" else b, comparison.wager, edge)
        only = say("cli.compare.only", sheet=name, edge=marked_edge)
        yield plain(f"  {localize(only)}")
        return
    assert comparison.a is not None
    assert comparison.b is not None
    edge_a = localize(_marked_edge(a, comparison.wager, comparison.a))
    edge_b = localize(_marked_edge(b, comparison.wager, comparison.b))
    yield plain(f"  A {edge_a}, B {edge_b}: {points(comparison.difference)}", "bold")
    if comparison.lines:
        yield plain("")
        yield _lines(comparison)
    elif a.family != b.family:
        yield plain(f"  {localize(say('cli.compare.families'))}")
    else:
        same = say("cli.compare.same", differs=bool(comparison.difference))
        yield plain(f"  {localize(same)}")


def _marked_edge(sheet: Sheet, wager: str, edge: Fraction) -> str:
    """The edge, with a dagger if its pay table is assumed."""
    from pitbook.cli.rich_output import percent  # noqa: PLC0415

    return mark_assumption(percent(edge), assumed_pays(sheet, wager))


def _lines(comparison: WagerComparison) -> Table:
    from pitbook.cli.rich_output import (  # noqa: PLC0415
        percent,
        plain,
        plain_table,
        points,
    )
    from pitbook.sheets.phrases import outcome  # noqa: PLC0415

    names = ("hand", "first", "second", "often", "worth")
    first, *heads = (localize(say("cli.compare.column", column=name)) for name in names)
    table = plain_table(first, *heads, right=tuple(heads))
    none = localize(say("cli.compare.not-listed"))
    for line in comparison.lines:
        pays = (none if pay is None else str(pay) for pay in (line.a, line.b))
        name = plain(f"  {localize(outcome(line.line))}")
        table.add_row(name, *pays, percent(line.probability), points(line.edge))
    assert comparison.difference is not None
    rest, rules, difference = (
        f"  {localize(say('cli.compare.row', row=name))}"
        for name in ("rest", "rules", "difference")
    )
    table.add_row(plain(rest, "dim"), "", "", "", points(comparison.interaction))
    if comparison.other_rules:
        table.add_row(plain(rules, "dim"), "", "", "", points(comparison.other_rules))
    table.add_row(difference, "", "", "", points(comparison.difference), style="bold")
    return table
