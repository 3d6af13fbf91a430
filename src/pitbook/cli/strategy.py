"""`pitbook strategy`: best play or a named strategy, and the cost of simpler strategies."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pitbook.cli.commands import command
from pitbook.cli.options import Ante, Folders, Json, SheetName, ante_of, load_sheet
from pitbook.cli.output import emit, examples
from pitbook.cli.plots import PictureKind, Plot, draw_plot, picture_of
from pitbook.errors import PitbookError
from pitbook.money import Cents, money
from pitbook.rules.actions import bets
from pitbook.rules.game import compile_game
from pitbook.sheets.digest import digest
from pitbook.sheets.findings import did_you_mean
from pitbook.sheets.model import Sheet
from pitbook.sheets.words import figures_shoe_note
from pitbook.text import say

if TYPE_CHECKING:
    from pitbook.exact.methods.method import SheetStrategy
    from pitbook.exact.methods.plain.method import PlainStrategy
    from pitbook.exact.methods.points.strategies import PointsStrategy


app = command()


@app.command(
    epilog=examples(
        "pitbook strategy catfish-bend/mississippi-stud",
        "pitbook strategy oceanfront/mississippi-stud --ante 2 --street 5th-street",
        "pitbook strategy louisiana-stud/standard --name never-3x",
        "pitbook strategy catfish-bend/matchem-hi-lo --plot points.png",
    )
)
def strategy(
    sheet: SheetName,
    *,
    ante: Ante = None,
    street: Annotated[str | None, typer.Option(metavar="ID", help="Only this street.")] = None,
    name: Annotated[
        str,
        typer.Option(
            metavar="NAME", help="Strategy: best, never-fold, always-1x, ... or a rule file."
        ),
    ] = "best",
    plot: Plot = None,
    folder: Folders = None,
    json: Json = False,
) -> None:
    """Show a strategy as tables, and the cost of simpler play.

    A strategy is best, never-PLAY, always-PLAY, or a rule file whose name ends in .toml. With
    --json the output is the whole strategy: every class of hands with every bet.
    """
    rules = load_sheet(sheet, folder)
    picture, ante_cents = picture_of(plot), ante_of(ante)
    require_valid(rules, ante_cents, street)
    from pitbook.exact.strategies import follow, simpler_strategies  # noqa: PLC0415  Imports NumPy.

    chosen, best = follow(rules, name, ante_cents), follow(rules, "best", ante_cents)
    costs = dict(simpler_strategies(rules, ante_cents))
    document = document_of(rules, chosen, best.expected, costs, ante_cents)
    if picture is not None:
        plot_path = draw_plot(rules, picture, PictureKind.GRID, ante=ante_cents, strategy=name)
        document["plot"] = str(plot_path)
    if json:
        emit({**document, "streets": list(spots_of(chosen, street))})
    else:
        _print(rules, chosen, document, street)


def require_valid(sheet: Sheet, ante: Cents | None, street: str | None) -> None:
    """Raise PitbookError if there is no such ante or street."""
    from pitbook.exact.spots import Spot, check_stakes  # noqa: PLC0415

    check_stakes(sheet, Spot((), ante=ante))
    street_ids = [stage.id for stage in compile_game(sheet).stages if stage.plays]
    if street is not None and street not in street_ids:
        single_decision = say("cli.strategy.one-decision", stage=street_ids[0])
        remedy = single_decision if len(street_ids) == 1 else did_you_mean(street, street_ids)
        raise PitbookError(say("cli.no-street", street=street, remedy=remedy))


def document_of(
    sheet: Sheet,
    chosen: SheetStrategy,
    best: Fraction,
    costs: dict[str, Fraction],
    ante: Cents | None,
) -> dict[str, Any]:
    """A strategy's figures as JSON."""
    shoe = figures_shoe_note(sheet)
    return {
        "sheet": sheet.id,
        "hash": digest(sheet),
        "assumptions": {
            "ante": None if ante is None else money(ante),
            "limits": ante is not None,
            "ties": sheet.best_play.ties.value.replace("-", " "),
            "play": chosen.name,
            **({} if shoe is None else {"shoe": shoe}),
        },
        "expected": str(chosen.expected),
        "house_edge": float(-chosen.expected),
        "cost": str(best - chosen.expected),
        "simpler": {strategy_name: str(cost) for strategy_name, cost in costs.items()},
    }


def spots_of(chosen: SheetStrategy, only: str | None) -> Iterator[dict[str, Any]]:
    """Every spot with its play and EV, street by street and stake by stake."""
    from pitbook.exact.methods.ladder.strategies import LadderStrategy, class_name  # noqa: PLC0415
    from pitbook.exact.methods.plain.method import PlainStrategy  # noqa: PLC0415
    from pitbook.exact.methods.points.strategies import PointsStrategy  # noqa: PLC0415

    if isinstance(chosen, PointsStrategy):
        yield _points_spots(chosen)
    elif isinstance(chosen, PlainStrategy):
        yield from _plain_spots(chosen, only)
    if not isinstance(chosen, LadderStrategy):
        return
    terms = chosen.solution.terms
    stages = compile_game(terms.sheet).stages
    for number, stage in enumerate(stages):
        if only not in (None, stage.id):
            continue
        for purse in chosen.purses(number):
            spots = list(chosen.spots(number, purse))
            bets_made = [bets(stage.id, times) for stage, times in zip(stages, purse, strict=False)]
            yield {
                "street": stage.id,
                "units": terms.units(purse),
                **({"bets": bets_made} if terms.separates_bets else {}),
                "plays": {class_name(spot.hand): spot.play for spot in spots},
                "worth": {class_name(spot.hand): str(spot.worth) for spot in spots},
            }


def _points_spots(strategy_followed: PointsStrategy) -> dict[str, Any]:
    from pitbook.exact.methods.points.strategies import hand_name  # noqa: PLC0415

    (stage,), chosen = (
        compile_game(strategy_followed.solution.sheet).stages,
        strategy_followed.plays,
    )
    hands = {hand_name(spot.ranks): spot for spot in strategy_followed.solution.spots}
    plays = {hand: chosen[spot.ranks] for hand, spot in hands.items()}
    worth = {hand: str(spot.worth[chosen[spot.ranks]]) for hand, spot in hands.items()}
    return {"street": stage.id, "units": 1, "plays": plays, "worth": worth}


def _plain_spots(chosen: PlainStrategy, only: str | None) -> Iterator[dict[str, Any]]:
    spots_by_street: dict[tuple[str, int], dict[str, Any]] = {}
    for entry in chosen.entries():
        spots = spots_by_street.setdefault(
            (entry.street, entry.units),
            {"street": entry.street, "units": entry.units, "plays": {}, "worth": {}},
        )
        spots["plays"][entry.cards], spots["worth"][entry.cards] = entry.play, str(entry.worth)
    return (
        street_spots
        for street_spots in spots_by_street.values()
        if only in (None, street_spots["street"])
    )


def _print(
    sheet: Sheet, chosen: SheetStrategy, document: dict[str, Any], street: str | None
) -> None:
    from pitbook.cli.render import console, show  # noqa: PLC0415
    from pitbook.cli.strategy_tables import answer_parts  # noqa: PLC0415  Imports Rich.

    show(console(), answer_parts(sheet, chosen, document, street))
