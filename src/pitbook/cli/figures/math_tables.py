"""Figures as a person reads them: what was assumed, a block for each wager, its outcomes."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import groupby
from typing import Any

from rich.console import RenderableType
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from pitbook.cli.common.language import worded
from pitbook.cli.common.numbers import exactly, percent, plain_table, signed, units
from pitbook.cli.common.terminal import plain
from pitbook.game.pricing import FOLDED, NOTHING
from pitbook.games import bind
from pitbook.money import dollars, spoken
from pitbook.sheets.aloud.shoe import figured_shoe
from pitbook.sheets.aloud.words import called, listed, outcome
from pitbook.sheets.model import Sheet
from pitbook.sheets.ours import of_wager, rests

__all__ = ["assumed", "head", "heading", "our_tables", "parts", "titled"]

INDENT = (0, 0, 0, 2)


def parts(sheet: Sheet, document: dict[str, Any]) -> Iterator[RenderableType]:
    """The whole answer, part by part."""
    yield plain(titled(sheet), "bold")
    yield plain(f"{assumed(sheet, document['assumptions'])}{_side_stakes(document)}", "dim")
    declared = bool(bind(sheet).duels)
    for wager, figures in document["wagers"].items():
        yield heading(_title(sheet, wager))
        unit = sheet.unit if wager == "main" else ("unit", "units")
        yield Padding(_figures(sheet, figures, unit, rests(sheet, wager)), INDENT)
        yield Text()
        yield _outcomes(figures, declared=declared and wager == "main")
    if "round" in document:
        yield heading(f"Whole round with {_sides(sheet, document)}")
        told = _rests_on(sheet, ["main", *document["assumptions"]["side"]])
        yield Padding(_figures(sheet, document["round"], sheet.unit, told), INDENT)
        many = len(document["round"]["outcomes"])
        yield Padding(plain(f"Its {many:,} different endings are in the answer to --json."), INDENT)
    yield from _hints(sheet, document)


def head(sheet: Sheet) -> Iterator[Text]:
    """Which game this is about."""
    yield plain(titled(sheet), "bold")
    yield from our_tables(sheet)


def our_tables(sheet: Sheet) -> Iterator[Text]:
    """A line that names the pay tables of ours; whatever is worked out here rests on them."""
    shares = {wager: of_wager(sheet, wager) for wager in ("main", *sheet.side)}
    named = [
        _title(sheet, wager) + (" (in part)" if found == "part" else "")
        for wager, found in shares.items()
        if found != "none"
    ]
    if named:
        which = "Pay table" if len(named) == 1 else "Pay tables"
        said = f"{which} of our choice, not printed in the document: {listed(named)}."
        yield plain(said, "dim")


def titled(sheet: Sheet) -> str:
    """The game and where it is dealt."""
    return called(sheet.title, sheet.house.venue)


def heading(title: str) -> Rule:
    """A line that opens a part."""
    return Rule(plain(worded(title).upper(), "bold cyan"), align="left", style="dim")


def assumed(sheet: Sheet, assumptions: dict[str, Any]) -> str:
    """What the figures rest on, in a few sentences."""
    shoe = figured_shoe(sheet)
    return _stakes_and_play(sheet, assumptions) + (f" {shoe}" if shoe else "")


def _stakes_and_play(sheet: Sheet, assumptions: dict[str, Any]) -> str:
    play = assumptions.get("play", "best")
    said = "Best play at every decision" if play == "best" else f'Strategy "{play}"'
    said += f"; equal values go to the {assumptions['ties']} (GEN-16)." if play == "best" else "."
    one, _ = sheet.unit
    if assumptions["ante"] is None:
        capped = ", no cap applied" if sheet.limits else ""
        return f"{said} Values in units of the {one}{capped}."
    staked = spoken(dollars(assumptions["ante"]))
    text = f"{said} At {_article(one)} {one} of {staked}, with every cap of the sheet."
    if any(limit.per == "round" for limit in sheet.limits):
        text += " What other seats win under a round cap is left out."
    return text


def _side_stakes(document: dict[str, Any]) -> str:
    given = document["assumptions"].get("side", {})
    others = [name for name in document["wagers"] if name != "main" and name not in given]
    if document["assumptions"]["ante"] is None or not others:
        return ""
    return " Side wagers that are not named are taken at their smallest stake."


def _article(word: str) -> str:
    return "an" if word[0].lower() in "aeiou" else "a"


def _title(sheet: Sheet, wager: str) -> str:
    return "Main game" if wager == "main" else sheet.side[wager].title


def _sides(sheet: Sheet, document: dict[str, Any]) -> str:
    stakes = document["assumptions"]["side"].items()
    one, _ = sheet.unit
    beside = "" if document["assumptions"]["ante"] else f" beside {_article(one)} {one} of $1"
    named = [f"{sheet.side[name].title} {spoken(dollars(stake))}" for name, stake in stakes]
    return listed(named) + beside


def _figures(sheet: Sheet, figures: dict[str, Any], unit: tuple[str, str], rests_on: str) -> Table:
    one, more = unit
    grid = Table.grid(padding=(0, 3, 0, 0))
    grid.add_column(no_wrap=True, style="bold")
    grid.add_column(overflow="fold")
    average = Fraction(figures["average_wager"])
    rows = [
        ("House edge", f"{percent(figures['house_edge'])} of the {_wager(one)}"),
        *([("", rests_on)] if rests_on else []),
        ("Expected value", f"{exactly(Fraction(figures['expected']))} {more} a round"),
    ]
    if average != 1:
        risk = percent(figures["element_of_risk"])
        rows += [
            ("Average wager", f"{exactly(average)} {more}"),
            ("Element of risk", f"{risk} of all that is wagered"),
        ]
    rows += [
        ("Standard deviation", f"{figures['standard_deviation']:,.6f} {more}"),
        ("Volatility index", f"{figures['volatility_index']:,.4f} {more}, for 90%"),
        ("Win, push, lose", ", ".join(percent(figures[name]) for name in ("win", "push", "lose"))),
        ("Hit frequency", f"{percent(figures['hit_frequency'])}; a push does not count"),
    ]
    if "cost" in figures:
        rows.insert(1, ("Against best play", f"costs {exactly(Fraction(figures['cost']))} {more}"))
    if figures.get("fold_rate"):
        rows.append(("Folds", _folds(sheet, figures["fold_rate"])))
    for name, text in rows:
        grid.add_row(name, plain(text))
    return grid


def _rests_on(sheet: Sheet, wagers: list[str]) -> str:
    """What a round of several wagers rests on; said once where it is the same."""
    told = dict.fromkeys(said for said in (rests(sheet, one) for one in wagers) if said)
    return "; ".join(told)


def _wager(one: str) -> str:
    return "wager" if one == "unit" else one


def _folds(sheet: Sheet, rates: dict[str, float]) -> str:
    titles = {stage.id: stage.title for stage in bind(sheet).stages}
    each = ", ".join(f"{titles[name]} {percent(rate, 2)}" for name, rate in rates.items())
    return f"{each}; together {percent(sum(rates.values()), 2)}"


def _outcomes(figures: dict[str, Any], *, declared: bool) -> Table:
    """Outcomes in groups; where one comes with several stakes, a line for each below its sum."""
    varied = any(one["units"] != 1 for one in figures["outcomes"])
    stakes = ("Units",) if varied else ()
    columns = ("Outcome", *stakes, "Net", "Count", "Probability", "Contribution")
    table = plain_table(*columns, right=columns[1:])
    for name, rows in _grouped(figures["outcomes"], declared=declared):
        total = _summed(rows)
        single = len(rows) == 1
        cells = [_name(name), *([units(rows[0]["units"]) if single else ""] if varied else [])]
        table.add_row(
            plain(f"  {cells[0]}"),
            *cells[1:],
            _net(rows[0]) if single else "",
            *total,
            style="" if single else "bold",
        )
        for row in rows if not single else ():
            at = [units(row["units"])] if varied else []
            table.add_row("", *at, _net(row), *_summed([row]), style="dim")
    every = _summed(figures["outcomes"])
    table.add_row("  all", *([""] if varied else []), "", *every, style="bold")
    return table


def _grouped(
    rows: list[dict[str, Any]], *, declared: bool
) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Rows of one outcome together, in the order in which they pay."""

    def key(row: dict[str, Any]) -> str:
        return f"{row['outcome']} {_ENDS[row['result']]}" if declared else str(row["outcome"])

    order = list(dict.fromkeys(key(row) for row in rows))
    last = [NOTHING.outcome, FOLDED.outcome]
    order.sort(key=lambda name: last.index(name) if name in last else -1)
    for name, group in groupby(sorted(rows, key=lambda row: order.index(key(row))), key=key):
        yield name, sorted(group, key=lambda row: Fraction(row["units"]))


_ENDS = {"win": "wins", "push": "pushes", "lose": "loses"}


def _name(key: str) -> str:
    if " " in key:  # A declaration and what became of it.
        return "loses" if key == "nothing loses" else key
    return "no paying hand" if key == NOTHING.outcome else outcome(key)


def _net(row: dict[str, Any]) -> str:
    net = Fraction(row["net"])
    sign = "+" if net > 0 else ""
    return f"{sign}{net.numerator:,}" if net.denominator == 1 else signed(net, 2)


def _summed(rows: list[dict[str, Any]]) -> tuple[str, str, str]:
    count = sum(row["count"] for row in rows)
    share = float(sum(Fraction(row["probability"]) for row in rows))
    worth = sum(Fraction(row["contribution"]) for row in rows)
    rare = f"{share:.2e}" if 0 < share < 0.00005 else f"{share:.6f}"
    return f"{count:,}", rare, signed(worth, 6)


def _hints(sheet: Sheet, document: dict[str, Any]) -> Iterator[RenderableType]:
    required = [one for one, side in sheet.side.items() if side.stake.required]
    if required and "round" not in document:
        titles = listed([sheet.side[one].title for one in required])
        asked = " ".join(f"--side {one}=D" for one in required)
        yield Text()
        yield plain(f"A round here needs {titles}; {asked} counts both on the same cards.", "dim")
    if "plot" in document:
        yield Text()
        yield plain(f"The plot is in {document['plot']}.")
