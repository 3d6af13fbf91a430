"""`pitbook compare`: what each difference between two sheets is worth."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from pitbook.cli.commands import command
from pitbook.cli.language import dealt_in, worded
from pitbook.cli.options import Ante, Folders, Json, SheetName, ante_of, library, today
from pitbook.cli.output import emit, examples
from pitbook.errors import PitbookError
from pitbook.money import Cents
from pitbook.sheets.model import Sheet
from pitbook.sheets.prose.words import figures_shoe_note
from pitbook.sheets.provenance import describe_provenance, pay_table_marks
from pitbook.text import say, sentence_of

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

    from pitbook.exact.compare import WagerComparison


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
    """What the differences of two sheets are worth in house edge.

    Hands that the sheets pay differently are put into the first sheet alone as the second pays
    them, with best play anew. What they do to each other, and rules other than the pay table, make
    up the rest.
    """
    shelf, day = library(folder), today()
    first, second = shelf.load(a, day), shelf.load(b, day)
    dealt_in(first.house.currency)
    at = ante_of(ante)
    checked(first, at)
    checked(second, at)
    from pitbook.exact.compare import compare as compared  # noqa: PLC0415  It brings NumPy.

    found = compared(first, second, at)
    if json:
        emit(document_of(first, second, at, found))
    else:
        _print(first, second, at, found)


def checked(sheet: Sheet, ante: Cents | None) -> None:
    """Raise where a sheet does not take the ante."""
    from pitbook.exact.spots import Spot, SpotError, check_stakes  # noqa: PLC0415

    try:
        check_stakes(sheet, Spot((), ante=ante))
    except SpotError as error:
        raise PitbookError(
            say("nights.sheets.of-sheet", sheet=sheet.id, why=sentence_of(error))
        ) from None


def document_of(
    a: Sheet, b: Sheet, ante: Cents | None, found: Sequence[WagerComparison]
) -> dict[str, Any]:
    """A comparison as JSON carries it."""
    from pitbook.exact.compare import assumptions  # noqa: PLC0415

    return {
        "a": a.id,
        "b": b.id,
        "assumptions": assumptions(a, b, ante),
        "wagers": [{**one.document(), "ours": pay_table_marks(a, b, one.wager)} for one in found],
    }


def _print(a: Sheet, b: Sheet, ante: Cents | None, found: list[WagerComparison]) -> None:
    from pitbook.cli.render import console, show  # noqa: PLC0415  It brings Rich.

    show(console(), parts(a, b, ante, found))


def parts(
    a: Sheet, b: Sheet, ante: Cents | None, found: Sequence[WagerComparison]
) -> Iterator[RenderableType]:
    """The whole answer, part by part."""
    from pitbook.cli.math import heading, titled  # noqa: PLC0415
    from pitbook.cli.render import plain  # noqa: PLC0415

    yield plain(f"A  {a.id}: {titled(a)}", "bold")
    yield plain(f"B  {b.id}: {titled(b)}", "bold")
    if ante is None:
        yield plain(say("cli.compare.free"), "dim")
    else:
        yield plain(say("cli.compare.capped", ante=ante), "dim")
        yield plain(say("cli.compare.sides"), "dim")
    for name, sheet in (("A", a), ("B", b)):
        if shoe := figures_shoe_note(sheet):
            yield plain(f"{name}: {shoe[0].lower()}{shoe[1:]}", "dim")
    for one in found:
        yield heading(_title(a, b, one.wager))
        yield from _wager(a, b, one)


def _title(a: Sheet, b: Sheet, wager: str) -> str:
    if wager == "main":
        return say("cli.math.main")
    return (a if wager in a.side else b).side[wager].title


def _wager(a: Sheet, b: Sheet, one: WagerComparison) -> Iterator[RenderableType]:
    from pitbook.cli.render import (  # noqa: PLC0415
        percent,
        plain,
        points,
    )

    if one.together is None:
        name, edge = ("A", one.a) if one.a is not None else ("B", one.b)
        assert edge is not None
        only = say("cli.compare.only", sheet=name, edge=percent(edge))
        yield plain(f"  {worded(only)}")
        yield from _ours(a, b, one.wager)
        return
    assert one.a is not None
    assert one.b is not None
    yield plain(f"  A {percent(one.a)}, B {percent(one.b)}: {points(one.together)}", "bold")
    yield from _ours(a, b, one.wager)
    if one.lines:
        yield plain("")
        yield _lines(one)
    elif a.family != b.family:
        yield plain(f"  {worded(say('cli.compare.families'))}")
    else:
        same = say("cli.compare.same", differs=bool(one.together))
        yield plain(f"  {worded(same)}")


def _ours(a: Sheet, b: Sheet, wager: str) -> Iterator[RenderableType]:
    """Which of the two edges rests on a pay table of ours."""
    from pitbook.cli.render import plain  # noqa: PLC0415

    for name, sheet in (("A", a), ("B", b)):
        if (wager == "main" or wager in sheet.side) and (told := describe_provenance(sheet, wager)):
            yield plain(f"  {name} {worded(told)}.", "dim")


def _lines(one: WagerComparison) -> Table:
    from pitbook.cli.render import (  # noqa: PLC0415
        percent,
        plain,
        plain_table,
        points,
    )
    from pitbook.sheets.prose.words import outcome  # noqa: PLC0415

    names = ("hand", "first", "second", "often", "worth")
    first, *heads = (worded(say("cli.compare.column", column=name)) for name in names)
    table = plain_table(first, *heads, right=tuple(heads))
    none = worded(say("cli.compare.not-listed"))
    for line in one.lines:
        pays = (line.a or none, line.b or none)
        name = plain(f"  {worded(outcome(line.line))}")
        table.add_row(name, *pays, percent(line.probability), points(line.edge))
    assert one.together is not None
    rest, rules, difference = (
        f"  {worded(say('cli.compare.row', row=name))}" for name in ("rest", "rules", "difference")
    )
    table.add_row(plain(rest, "dim"), "", "", "", points(one.interplay))
    if one.other_rules:
        table.add_row(plain(rules, "dim"), "", "", "", points(one.other_rules))
    table.add_row(difference, "", "", "", points(one.together), style="bold")
    return table
