"""`pitbook strategy`: best play or a named strategy, and what simpler play costs."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pitbook.cli.commands import command
from pitbook.cli.options import Ante, Folders, Json, SheetName, ante_of, sheet_named
from pitbook.cli.output import emit, examples
from pitbook.cli.plots import PictureKind, Plot, draw, picture_of
from pitbook.errors import PitbookError
from pitbook.money import Cents, money
from pitbook.rules.game import compile_game
from pitbook.rules.plays import bets
from pitbook.sheets.digest import digest
from pitbook.sheets.findings import did_you_mean
from pitbook.sheets.model import Sheet
from pitbook.sheets.prose.words import figures_shoe_note
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
    street: Annotated[str | None, typer.Option(metavar="ID", help="One street only.")] = None,
    name: Annotated[
        str,
        typer.Option(metavar="NAME", help="best, never-fold, always-1x, ... or a rule file."),
    ] = "best",
    plot: Plot = None,
    folder: Folders = None,
    json: Json = False,
) -> None:
    """Best play, or another strategy, in tables, and what simpler play costs.

    A strategy is named best, never-PLAY or always-PLAY, or is a rule file in TOML whose name ends
    in .toml. With --json the whole strategy is given, every class of cards with every stake.
    """
    rules = sheet_named(sheet, folder)
    picture, at = picture_of(plot), ante_of(ante)
    checked(rules, at, street)
    from pitbook.exact.strategies import follow, simpler_strategies  # noqa: PLC0415  It brings NumPy.

    followed, best = follow(rules, name, at), follow(rules, "best", at)
    costs = dict(simpler_strategies(rules, at))
    document = document_of(rules, followed, best.expected, costs, at)
    if picture is not None:
        drawn = draw(rules, picture, PictureKind.GRID, ante=at, strategy=name)
        document["plot"] = str(drawn)
    if json:
        emit({**document, "streets": list(spots_of(followed, street))})
    else:
        _print(rules, followed, document, street)


def checked(sheet: Sheet, ante: Cents | None, street: str | None) -> None:
    """Raise where there is no such ante or street."""
    from pitbook.exact.spots import Spot, check_stakes  # noqa: PLC0415

    check_stakes(sheet, Spot((), ante=ante))
    known = [stage.id for stage in compile_game(sheet).stages if stage.plays]
    if street is not None and street not in known:
        one = say("cli.strategy.one-decision", stage=known[0])
        remedy = one if len(known) == 1 else did_you_mean(street, known)
        raise PitbookError(say("cli.no-street", street=street, remedy=remedy))


def document_of(
    sheet: Sheet,
    followed: SheetStrategy,
    best: Fraction,
    costs: dict[str, Fraction],
    ante: Cents | None,
) -> dict[str, Any]:
    """A strategy's figures as JSON carries them."""
    shoe = figures_shoe_note(sheet)
    return {
        "sheet": sheet.id,
        "hash": digest(sheet),
        "assumptions": {
            "ante": None if ante is None else money(ante),
            "limits": ante is not None,
            "ties": sheet.best_play.ties.value.replace("-", " "),
            "play": followed.name,
            **({} if shoe is None else {"shoe": shoe}),
        },
        "expected": str(followed.expected),
        "house_edge": float(-followed.expected),
        "cost": str(best - followed.expected),
        "simpler": {one: str(cost) for one, cost in costs.items()},
    }


def spots_of(followed: SheetStrategy, only: str | None) -> Iterator[dict[str, Any]]:
    """Every spot with its play and its worth, street by street and stake by stake."""
    from pitbook.exact.methods.ladder.strategies import LadderStrategy, class_name  # noqa: PLC0415
    from pitbook.exact.methods.plain.method import PlainStrategy  # noqa: PLC0415
    from pitbook.exact.methods.points.strategies import PointsStrategy  # noqa: PLC0415

    if isinstance(followed, PointsStrategy):
        yield _declared(followed)
    elif isinstance(followed, PlainStrategy):
        yield from _gone_through(followed, only)
    if not isinstance(followed, LadderStrategy):
        return
    terms = followed.solution.terms
    stages = compile_game(terms.sheet).stages
    for number, stage in enumerate(stages):
        if only not in (None, stage.id):
            continue
        for purse in followed.purses(number):
            spots = list(followed.spots(number, purse))
            made = [bets(one.id, times) for one, times in zip(stages, purse, strict=False)]
            yield {
                "street": stage.id,
                "units": terms.units(purse),
                **({"bets": made} if terms.keeps_bets_apart else {}),
                "plays": {class_name(spot.hand): spot.play for spot in spots},
                "worth": {class_name(spot.hand): str(spot.worth) for spot in spots},
            }


def _declared(followed: PointsStrategy) -> dict[str, Any]:
    from pitbook.exact.methods.points.strategies import hand_name  # noqa: PLC0415

    (stage,), chosen = compile_game(followed.solution.sheet).stages, followed.plays
    hands = {hand_name(spot.ranks): spot for spot in followed.solution.spots}
    plays = {hand: chosen[spot.ranks] for hand, spot in hands.items()}
    worth = {hand: str(spot.worth[chosen[spot.ranks]]) for hand, spot in hands.items()}
    return {"street": stage.id, "units": 1, "plays": plays, "worth": worth}


def _gone_through(followed: PlainStrategy, only: str | None) -> Iterator[dict[str, Any]]:
    found: dict[tuple[str, int], dict[str, Any]] = {}
    for one in followed.entries():
        spots = found.setdefault(
            (one.street, one.units),
            {"street": one.street, "units": one.units, "plays": {}, "worth": {}},
        )
        spots["plays"][one.cards], spots["worth"][one.cards] = one.play, str(one.worth)
    return (one for one in found.values() if only in (None, one["street"]))


def _print(
    sheet: Sheet, followed: SheetStrategy, document: dict[str, Any], street: str | None
) -> None:
    from pitbook.cli.render import console, show  # noqa: PLC0415
    from pitbook.cli.strategy_tables import parts  # noqa: PLC0415  It brings Rich.

    show(console(), parts(sheet, followed, document, street))
