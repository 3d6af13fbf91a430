"""`pitbook math`: the exact figures of every wager of a sheet."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import groupby
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import RenderableType
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from pitbook.cli.commands import command
from pitbook.cli.language import worded
from pitbook.cli.options import (
    Ante,
    Folders,
    Json,
    SheetName,
    Sides,
    ante_of,
    sheet_named,
    sides_of,
)
from pitbook.cli.output import emit, examples
from pitbook.cli.plots import PictureKind, Plot, PlotKind, draw, picture_of
from pitbook.cli.render import exactly, percent, plain, plain_table, signed, units
from pitbook.errors import PitbookError
from pitbook.exact.spots import ante_or_minimum
from pitbook.money import Cents, dollars
from pitbook.rules.game import compile_game
from pitbook.rules.pricing import FOLDED, NOTHING
from pitbook.sheets.model import Sheet
from pitbook.sheets.prose.words import figures_shoe_note, game_and_venue, outcome
from pitbook.sheets.provenance import describe_provenance, provenance_of
from pitbook.text import Sentence, say

if TYPE_CHECKING:
    from pitbook.exact.figures import Figures


app = command()


@app.command(
    epilog=examples(
        "pitbook math catfish-bend/mississippi-stud",
        "pitbook math catfish-bend/mississippi-stud --ante 50 --wager main",
        "pitbook math louisiana-stud/standard --ante 10 --side stax=5",
        "pitbook math oceanfront/mississippi-stud --plot edge.svg --plot-kind edge",
    )
)
def math(
    sheet: SheetName,
    *,
    ante: Ante = None,
    seats: Annotated[int, typer.Option(metavar="N", help="Seats in play.")] = 1,
    wager: Annotated[
        str | None, typer.Option(metavar="W", help='One wager: "main" or a side wager.')
    ] = None,
    side: Sides = None,
    strategy: Annotated[
        str, typer.Option(metavar="NAME", help="Another strategy, or a rule file in TOML.")
    ] = "best",
    plot: Plot = None,
    plot_kind: PlotKind = PictureKind.OUTCOMES,
    folder: Folders = None,
    json: Json = False,
) -> None:
    """House edge, risk and outcome table of every wager, exactly.

    Without --ante the figures are per unit of the ante and no cap applies. With --ante they are
    still per unit, with every cap of the sheet at that stake. --side adds the whole round: the
    main game and the side wagers named, counted on the same cards; without --ante it is at the
    table's smallest.
    """
    rules = sheet_named(sheet, folder)
    picture = picture_of(plot)
    sides = sides_of(side)
    at = ante_or_minimum(rules, ante_of(ante), sides)
    if strategy != "best" and picture is not None and plot_kind is PictureKind.EDGE:
        raise PitbookError(say("cli.plots.best-play-only"))
    document, main = figures_of(rules, strategy, ante=at, wager=wager, side=sides, seats=seats)
    if picture is not None:
        drawn = draw(
            rules, picture, plot_kind, ante=at, wager=wager or "main", strategy=strategy, main=main
        )
        document["plot"] = str(drawn)
    if json:
        emit(document)
    else:
        _print(rules, document)


def figures_of(
    sheet: Sheet, strategy: str, *, ante: Cents | None, **asked: Any
) -> tuple[dict[str, Any], Figures | None]:
    """The document, and the main game's figures where they are those of another strategy."""
    if strategy != "best" and (asked["side"] or asked["wager"] not in (None, "main")):
        raise PitbookError(say("cli.main-game-alone"))
    from pitbook.exact.sheet_figures import add_provenance, math_document  # noqa: PLC0415  It brings NumPy.

    document = math_document(sheet, ante=ante, **asked)
    if strategy == "best":
        return document, None
    from pitbook.exact.methods.ladder.strategies import LadderStrategy  # noqa: PLC0415
    from pitbook.exact.strategies import follow  # noqa: PLC0415

    followed = follow(sheet, strategy, ante)
    best = follow(sheet, "best", ante)
    found = followed.figures.document()
    if isinstance(followed, LadderStrategy):
        found["fold_rate"] = {name: float(rate) for name, rate in followed.fold_rates.items()}
    found["cost"] = str(best.expected - followed.expected)
    document["wagers"] = {"main": found}
    document["assumptions"]["play"] = followed.name
    return add_provenance(sheet, document), followed.figures


def _print(sheet: Sheet, document: dict[str, Any]) -> None:
    from pitbook.cli.render import console, show  # noqa: PLC0415

    show(console(), parts(sheet, document))


INDENT = (0, 0, 0, 2)


def parts(sheet: Sheet, document: dict[str, Any]) -> Iterator[RenderableType]:
    """The whole answer, part by part."""
    yield plain(titled(sheet), "bold")
    said = (assumed(sheet, document["assumptions"]), *_side_stakes(document))
    yield plain(say("cli.math.told", told=said), "dim")
    declared = bool(compile_game(sheet).duels)
    for wager, figures in document["wagers"].items():
        yield heading(_title(sheet, wager))
        unit = sheet.unit if wager == "main" else None
        yield Padding(_figures(sheet, figures, unit, describe_provenance(sheet, wager)), INDENT)
        yield Text()
        yield _outcomes(figures, declared=declared and wager == "main")
    if "round" in document:
        yield heading(_whole_round(sheet, document))
        told = _rests_on(sheet, ["main", *document["assumptions"]["side"]])
        yield Padding(_figures(sheet, document["round"], sheet.unit, told), INDENT)
        many = len(document["round"]["outcomes"])
        yield Padding(plain(say("cli.math.endings", many=many)), INDENT)
    yield from _hints(sheet, document)


def head(sheet: Sheet) -> Iterator[Text]:
    """Which game this is about."""
    yield plain(titled(sheet), "bold")
    yield from our_tables(sheet)


def our_tables(sheet: Sheet) -> Iterator[Text]:
    """A line that names the pay tables of ours; whatever is worked out here rests on them."""
    shares = {wager: provenance_of(sheet, wager) for wager in ("main", *sheet.side)}
    named = tuple(
        say("cli.math.share", wager=_title(sheet, wager), part=found == "part")
        for wager, found in shares.items()
        if found != "none"
    )
    if named:
        yield plain(say("cli.math.ours", wagers=named, many=len(named)), "dim")


def titled(sheet: Sheet) -> str:
    """The game and where it is dealt."""
    return game_and_venue(sheet.title, sheet.house.venue)


def heading(title: str) -> Rule:
    """A line that opens a part."""
    return Rule(plain(worded(title).upper(), "bold cyan"), align="left", style="dim")


def assumed(sheet: Sheet, assumptions: dict[str, Any]) -> str:
    """What the figures rest on, in a few sentences."""
    told = tuple(
        one for one in (*_stakes_and_play(sheet, assumptions), figures_shoe_note(sheet)) if one
    )
    return say("cli.math.told", told=told)


def _stakes_and_play(sheet: Sheet, assumptions: dict[str, Any]) -> Iterator[Sentence]:
    play, (one, _) = assumptions.get("play", "best"), sheet.unit
    yield say("cli.math.play", play=play, largest=assumptions["ties"] == "largest bet")
    if assumptions["ante"] is None:
        yield say("cli.math.units", unit=one, caps=bool(sheet.limits))
        return
    yield say("cli.math.staked", unit=_stake(one, dollars(assumptions["ante"])))
    if any(limit.per == "round" for limit in sheet.limits):
        yield say("cli.math.other-seats")


def _stake(unit: str, stake: int) -> Sentence:
    """An ante of $5, a Bet of $5."""
    return say("cli.math.stake", vowel=unit[0].lower() in "aeiou", unit=unit, stake=stake)


def _side_stakes(document: dict[str, Any]) -> Iterator[Sentence]:
    given = document["assumptions"].get("side", {})
    others = [name for name in document["wagers"] if name != "main" and name not in given]
    if document["assumptions"]["ante"] is not None and others:
        yield say("cli.math.side-stakes")


def _title(sheet: Sheet, wager: str) -> str:
    return say("cli.math.main") if wager == "main" else sheet.side[wager].title


def _whole_round(sheet: Sheet, document: dict[str, Any]) -> Sentence:
    stakes = document["assumptions"]["side"].items()
    named = tuple(
        say("cli.math.side", title=sheet.side[name].title, stake=dollars(stake))
        for name, stake in stakes
    )
    if document["assumptions"]["ante"]:
        return say("cli.math.whole-round", sides=named)
    return say("cli.math.whole-round-beside", sides=named, unit=_stake(sheet.unit[0], 100))


def _figures(
    sheet: Sheet, figures: dict[str, Any], unit: tuple[str, str] | None, rests_on: str
) -> Table:
    one, more = unit or (say("cli.math.wager"), say("cli.math.many-units"))
    grid = Table.grid(padding=(0, 3, 0, 0))
    grid.add_column(no_wrap=True, style="bold")
    grid.add_column(overflow="fold")
    average = Fraction(figures["average_wager"])
    rows = [
        ("edge", say("cli.math.edge", edge=percent(figures["house_edge"]), wager=one)),
        *([("", rests_on)] if rests_on else []),
        ("expected", _in(more, exactly(Fraction(figures["expected"])), "a-round")),
    ]
    if average != 1:
        risk = percent(figures["element_of_risk"])
        rows += [
            ("average", _in(more, exactly(average))),
            ("risk", say("cli.math.risk", risk=risk)),
        ]
    rows += [
        ("deviation", _in(more, f"{figures['standard_deviation']:,.6f}")),
        ("volatility", _in(more, f"{figures['volatility_index']:,.4f}", "for-most")),
        ("results", ", ".join(percent(figures[name]) for name in ("win", "push", "lose"))),
        ("hits", say("cli.math.hits", share=percent(figures["hit_frequency"]))),
    ]
    if "cost" in figures:
        rows.insert(1, ("cost", _in(more, exactly(Fraction(figures["cost"])), "costs")))
    if figures.get("fold_rate"):
        rows.append(("folds", _folds(sheet, figures["fold_rate"])))
    for name, text in rows:
        grid.add_row(worded(say("cli.math.figure", figure=name)) if name else "", plain(text))
    return grid


def _in(unit: str, value: str, how: str = "plain") -> Sentence:
    return say("cli.math.in-units", value=value, unit=unit, how=how)


def _rests_on(sheet: Sheet, wagers: list[str]) -> str:
    """What a round of several wagers rests on; said once where it is the same."""
    told = dict.fromkeys(
        said for said in (describe_provenance(sheet, one) for one in wagers) if said
    )
    return say("cli.math.rests", told=tuple(told)) if told else ""


def _folds(sheet: Sheet, rates: dict[str, float]) -> str:
    titles = {stage.id: stage.title for stage in compile_game(sheet).stages}
    each = tuple(f"{titles[name]} {percent(rate, 2)}" for name, rate in rates.items())
    return say("cli.math.folds", each=each, together=percent(sum(rates.values()), 2))


def _outcomes(figures: dict[str, Any], *, declared: bool) -> Table:
    """Outcomes in groups; where one comes with several stakes, a line for each below its sum."""
    varied = any(one["units"] != 1 for one in figures["outcomes"])
    stakes = ("units",) if varied else ()
    names = ("outcome", *stakes, "net", "count", "probability", "contribution")
    columns = tuple(worded(say("cli.math.column", column=one)) for one in names)
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
    name, every = f"  {worded(say('cli.math.all'))}", _summed(figures["outcomes"])
    table.add_row(name, *([""] if varied else []), "", *every, style="bold")
    return table


def _grouped(
    rows: list[dict[str, Any]], *, declared: bool
) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Rows of one outcome together, in the order in which they pay."""

    def key(row: dict[str, Any]) -> str:
        return f"{row['outcome']} {row['result']}" if declared else str(row["outcome"])

    order = list(dict.fromkeys(key(row) for row in rows))
    last = [NOTHING.outcome, FOLDED.outcome]
    order.sort(key=lambda name: last.index(name) if name in last else -1)
    for name, group in groupby(sorted(rows, key=lambda row: order.index(key(row))), key=key):
        yield name, sorted(group, key=lambda row: Fraction(row["units"]))


def _name(key: str) -> str:
    made, _, result = key.rpartition(" ")  # A declaration and what became of it.
    if made and result in ("win", "push", "lose"):
        return worded(say("cli.math.declared", outcome=made, result=result))
    if made:
        return key
    return worded(say("cli.math.nothing") if key == NOTHING.outcome else outcome(key))


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
        titles = tuple(sheet.side[one].title for one in required)
        asked = " ".join(f"--side {one}=D" for one in required)
        yield Text()
        yield plain(say("cli.math.needs", sides=titles, asked=asked), "dim")
    if "plot" in document:
        yield Text()
        yield plain(say("cli.strategy.plot", file=document["plot"]))
