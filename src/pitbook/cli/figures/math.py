"""`pitbook math`: the exact figures of every wager of a sheet."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from pitbook.cli.common.arguments import Folders, Json, SheetName, sheet_named
from pitbook.cli.common.lazy import command
from pitbook.cli.common.output import emit, examples
from pitbook.cli.common.pictures import PictureKind, Plot, PlotKind, draw, picture_of
from pitbook.cli.common.stakes import Ante, Sides, ante_of, sides_of
from pitbook.errors import PitbookError
from pitbook.exact.spots import ante_or_minimum
from pitbook.money import Cents
from pitbook.sheets.model import Sheet
from pitbook.text import say

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
    from pitbook.cli.common.terminal import console, show  # noqa: PLC0415
    from pitbook.cli.figures.math_tables import parts  # noqa: PLC0415  It brings Rich.

    show(console(), parts(sheet, document))
