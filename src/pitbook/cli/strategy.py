"""`pitbook strategy`: best play or a named strategy, and the cost of simpler strategies."""

from __future__ import annotations

from typing import Annotated

import typer

from pitbook.cli.language import output_language
from pitbook.cli.lazy_commands import command
from pitbook.cli.options import Ante, Folders, Json, SheetName, ante_of, load_sheet
from pitbook.cli.plain_output import emit, examples
from pitbook.cli.plot_options import Plot, picture_of

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
    from pitbook.exact.game_strategy import game_strategy  # noqa: PLC0415  Imports NumPy.

    chosen = game_strategy(rules, name, ante=ante_cents, street=street)
    if picture is not None:
        chosen.plot(picture, language=output_language())
    if json:
        emit({**chosen.document(), **({} if picture is None else {"plot": str(picture)})})
        return
    from pitbook.cli.rich_output import console, show  # noqa: PLC0415
    from pitbook.cli.strategy_tables import answer_parts  # noqa: PLC0415  Imports Rich.

    show(console(), answer_parts(rules, chosen, picture))
