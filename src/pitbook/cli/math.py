"""`pitbook math`: the exact figures of every wager of a sheet."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import RenderableType
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from pitbook.cli.language import localize, output_language
from pitbook.cli.lazy_commands import command
from pitbook.cli.options import (
    Ante,
    Folders,
    Json,
    PictureKind,
    Plot,
    PlotKind,
    SheetName,
    Sides,
    ante_of,
    load_sheet,
    picture_of,
    sides_of,
)
from pitbook.cli.plain_output import emit, examples
from pitbook.cli.rich_output import (
    console,
    format_exactly,
    format_signed,
    format_units,
    percent,
    plain,
    plain_table,
    show,
)
from pitbook.errors import PitbookError
from pitbook.exact.spots import ante_or_minimum
from pitbook.money import Cents
from pitbook.sheets.assumptions import assumed_pays, legend, mark_assumption
from pitbook.sheets.model import Sheet
from pitbook.sheets.pay_tables import FOLD, NO_PAYING_HAND
from pitbook.sheets.phrases import figures_shoe_note, game_and_venue, outcome
from pitbook.sheets.provenance import OursShare, combine
from pitbook.text import Sentence, say

if TYPE_CHECKING:
    from pitbook.exact.sheet_figures import GameFigures, OutcomeRow, WagerFigures


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
    seats: Annotated[int, typer.Option(metavar="N", help="Number of seats in play.")] = 1,
    wager: Annotated[
        str | None, typer.Option(metavar="W", help='Only this wager: "main" or a side wager.')
    ] = None,
    side: Sides = None,
    strategy: Annotated[
        str, typer.Option(metavar="NAME", help="Strategy: best, never-3x, ... or a rule file.")
    ] = "best",
    plot: Plot = None,
    plot_kind: PlotKind = PictureKind.OUTCOMES,
    folder: Folders = None,
    json: Json = False,
) -> None:
    """Compute the exact house edge, risk and outcomes of every wager.

    Figures are per unit of the ante. Without --ante no payout limit applies; with --ante the
    sheet's limits apply at that bet. --side adds figures for the whole round: the main game and
    the named side wagers on the same cards, at the table minimum unless --ante is given.
    """
    rules = load_sheet(sheet, folder)
    picture = picture_of(plot)
    sides = sides_of(side)
    ante_cents = ante_or_minimum(rules, ante_of(ante), sides)
    if strategy != "best" and picture is not None and plot_kind is PictureKind.EDGE:
        raise PitbookError(say("cli.plots.best-play-only"))  # Before anything is computed.
    from pitbook.exact.sheet_figures import game_figures  # noqa: PLC0415  Imports NumPy.

    figures = game_figures(
        rules, ante=ante_cents, wager=wager, side=sides, seats=seats, strategy=strategy
    )
    if picture is not None:
        figures.plot(
            picture, kind=plot_kind.value, wager=wager or "main", language=output_language()
        )
    if json:
        emit({**figures.document(), **({} if picture is None else {"plot": str(picture)})})
    else:
        show(console(), answer_parts(rules, figures, picture))


INDENT = (0, 0, 0, 2)


def answer_parts(
    sheet: Sheet, figures: GameFigures, picture: Path | None = None
) -> Iterator[RenderableType]:
    """The parts of the printed answer."""
    yield plain(sheet_title(sheet), "bold")
    assumptions = describe_assumptions(sheet, figures.ante, figures.strategy)
    notes = (assumptions, *_side_stakes(figures))
    yield plain(say("cli.math.told", told=notes), "dim")
    for wager, wager_figures in figures.wagers.items():
        yield heading(_title(sheet, wager))
        unit = sheet.unit if wager == "main" else None
        assumed = assumed_pays(sheet, wager)
        yield Padding(_figures(sheet, wager_figures, unit, assumed), INDENT)
        yield Text()
        yield _outcomes(wager_figures.outcomes, declared=sheet.compares_hands and wager == "main")
    if figures.round is not None:
        yield heading(_whole_round(sheet, figures))
        assumed = combine(assumed_pays(sheet, wager) for wager in ("main", *figures.side))
        yield Padding(_figures(sheet, figures.round, sheet.unit, assumed), INDENT)
        outcome_count = len(figures.round.outcomes)
        yield Padding(plain(say("cli.math.endings", many=outcome_count)), INDENT)
    yield from _next_commands(sheet, figures, picture)
    if any(assumed_pays(sheet, wager) != "none" for wager in figures.wagers):
        yield Text()
        yield plain(legend(), "dim")


def head(sheet: Sheet) -> Iterator[Text]:
    """The title, and a note if pay tables are assumed."""
    yield plain(sheet_title(sheet), "bold")
    yield from assumed_tables(sheet)


def assumed_tables(sheet: Sheet) -> Iterator[Text]:
    """The assumed pay tables on which the figures are based, and what the dagger means."""
    shares = {wager: assumed_pays(sheet, wager) for wager in ("main", *sheet.side)}
    notes = tuple(
        mark_assumption(_title(sheet, wager), share)
        for wager, share in shares.items()
        if share != "none"
    )
    if notes:
        yield plain(say("cli.math.ours", wagers=notes, many=len(notes)), "dim")
        yield plain(legend(), "dim")


def sheet_title(sheet: Sheet) -> str:
    """The title of the game with its venue."""
    return game_and_venue(sheet.title, sheet.house.venue)


def heading(title: str) -> Rule:
    """The heading of a section."""
    return Rule(plain(localize(title).upper(), "bold cyan"), align="left", style="dim")


def describe_assumptions(sheet: Sheet, ante: Cents | None, play: str) -> str:
    """The assumptions of the figures, in a few sentences."""
    stakes_and_play = _stakes_and_play(sheet, ante, play)
    notes = tuple(note for note in (*stakes_and_play, figures_shoe_note(sheet)) if note)
    return say("cli.math.told", told=notes)


def _stakes_and_play(sheet: Sheet, ante: Cents | None, play: str) -> Iterator[Sentence]:
    unit, _ = sheet.unit
    largest = sheet.best_play.ties.value == "largest-bet"
    yield say("cli.math.play", play=play, largest=largest)
    if ante is None:
        yield say("cli.math.units", unit=unit, caps=bool(sheet.limits))
        return
    yield say("cli.math.staked", unit=_stake(unit, ante))
    if any(limit.per == "round" for limit in sheet.limits):
        yield say("cli.math.other-seats")


def _stake(unit: str, stake: int) -> Sentence:
    """For example "an ante of $5" or "a Bet of $5"."""
    return say("cli.math.stake", vowel=unit[0].lower() in "aeiou", unit=unit, stake=stake)


def _side_stakes(figures: GameFigures) -> Iterator[Sentence]:
    others = [name for name in figures.wagers if name != "main" and name not in figures.side]
    if figures.ante is not None and others:
        yield say("cli.math.side-stakes")


def _title(sheet: Sheet, wager: str) -> str:
    return say("cli.math.main") if wager == "main" else sheet.side[wager].title


def _whole_round(sheet: Sheet, figures: GameFigures) -> Sentence:
    named = tuple(
        say("cli.math.side", title=sheet.side[name].title, stake=stake)
        for name, stake in figures.side.items()
    )
    if figures.ante:
        return say("cli.math.whole-round", sides=named)
    return say("cli.math.whole-round-beside", sides=named, unit=_stake(sheet.unit[0], 100))


def _figures(
    sheet: Sheet, figures: WagerFigures, unit: tuple[str, str] | None, assumed: OursShare
) -> Table:
    unit_name, units_name = unit or (say("cli.math.wager"), say("cli.math.many-units"))
    grid = Table.grid(padding=(0, 3, 0, 0))
    grid.add_column(no_wrap=True, style="bold")
    grid.add_column(overflow="fold")
    edge = mark_assumption(percent(figures.house_edge), assumed)
    rows: list[tuple[str, str]] = [
        ("edge", say("cli.math.edge", edge=edge, wager=unit_name)),
        ("expected", _in_units(units_name, format_exactly(figures.expected), "a-round")),
    ]
    if figures.average_wager != 1:
        risk = percent(figures.element_of_risk)
        rows += [
            ("average", _in_units(units_name, format_exactly(figures.average_wager))),
            ("risk", say("cli.math.risk", risk=risk)),
        ]
    shares = (figures.win, figures.push, figures.lose)
    rows += [
        ("deviation", _in_units(units_name, f"{figures.standard_deviation:,.6f}")),
        ("volatility", _in_units(units_name, f"{figures.volatility_index:,.4f}", "for-most")),
        ("results", ", ".join(map(percent, shares))),
        ("hits", say("cli.math.hits", share=percent(figures.hit_frequency))),
    ]
    if figures.cost is not None:
        rows.insert(1, ("cost", _in_units(units_name, format_exactly(figures.cost), "costs")))
    if figures.fold_rate:
        rows.append(("folds", _fold_rates_text(sheet, figures.fold_rate)))
    for name, text in rows:
        grid.add_row(localize(say("cli.math.figure", figure=name)), plain(text))
    return grid


def _in_units(unit: str, value: str, style: str = "plain") -> Sentence:
    return say("cli.math.in-units", value=value, unit=unit, how=style)


def _fold_rates_text(sheet: Sheet, rates: Mapping[str, Fraction]) -> str:
    titles = {bet.id: bet.title for bet in sheet.named_bets()}
    rates_by_stage = tuple(
        f"{titles.get(name, name)} {percent(rate, 2)}" for name, rate in rates.items()
    )
    together = percent(sum(rates.values(), Fraction(0)), 2)
    return say("cli.math.folds", each=rates_by_stage, together=together)


def _outcomes(outcomes: Sequence[OutcomeRow], *, declared: bool) -> Table:
    """Outcomes in groups; an outcome with several stakes has a line for each below its total."""
    varied = any(row.units != 1 for row in outcomes)
    stakes = ("units",) if varied else ()
    names = ("outcome", *stakes, "net", "count", "probability", "contribution")
    columns = tuple(localize(say("cli.math.column", column=column)) for column in names)
    table = plain_table(*columns, right=columns[1:])
    for name, rows in _group_rows(outcomes, declared=declared):
        total = _totals(rows)
        single = len(rows) == 1
        cells = [
            _name(name),
            *([format_units(rows[0].units) if single else ""] if varied else []),
        ]
        table.add_row(
            plain(f"  {cells[0]}"),
            *cells[1:],
            _net_text(rows[0]) if single else "",
            *total,
            style="" if single else "bold",
        )
        for row in rows if not single else ():
            units_cell = [format_units(row.units)] if varied else []
            table.add_row("", *units_cell, _net_text(row), *_totals([row]), style="dim")
    name, totals = f"  {localize(say('cli.math.all'))}", _totals(outcomes)
    table.add_row(name, *([""] if varied else []), "", *totals, style="bold")
    return table


def _group_rows(
    rows: Sequence[OutcomeRow], *, declared: bool
) -> Iterator[tuple[str, list[OutcomeRow]]]:
    """Rows grouped by outcome, in the order of their pay."""

    def key(row: OutcomeRow) -> str:
        return f"{row.outcome} {row.result}" if declared else row.outcome

    order = list(dict.fromkeys(key(row) for row in rows))
    last = [NO_PAYING_HAND, FOLD]
    order.sort(key=lambda name: last.index(name) if name in last else -1)
    for name, group in groupby(sorted(rows, key=lambda row: order.index(key(row))), key=key):
        yield name, sorted(group, key=lambda row: row.units)


def _name(key: str) -> str:
    declaration, _, result = key.rpartition(" ")  # A declaration and its result.
    if declaration and result in ("win", "push", "lose"):
        return localize(say("cli.math.declared", outcome=declaration, result=result))
    if declaration:
        return key
    return localize(say("cli.math.nothing") if key == NO_PAYING_HAND else outcome(key))


def _net_text(row: OutcomeRow) -> str:
    net = row.net
    sign = "+" if net > 0 else ""
    return f"{sign}{net.numerator:,}" if net.denominator == 1 else format_signed(net, 2)


def _totals(rows: Sequence[OutcomeRow]) -> tuple[str, str, str]:
    count = sum(row.count for row in rows)
    share = float(sum(row.probability for row in rows))
    value = sum((row.contribution for row in rows), Fraction(0))
    rare = f"{share:.2e}" if 0 < share < 0.00005 else f"{share:.6f}"
    return f"{count:,}", rare, format_signed(value, 6)


def _next_commands(
    sheet: Sheet, figures: GameFigures, picture: Path | None
) -> Iterator[RenderableType]:
    required = [wager for wager, side in sheet.side.items() if side.stake.required]
    if required and figures.round is None:
        titles = tuple(sheet.side[wager].title for wager in required)
        option_text = " ".join(f"--side {wager}=D" for wager in required)
        yield Text()
        yield plain(say("cli.math.needs", sides=titles, asked=option_text), "dim")
    if picture is not None:
        yield Text()
        yield plain(say("cli.strategy.plot", file=str(picture)))
