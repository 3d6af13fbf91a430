"""`pitbook sheets show`: one sheet as a rack card, or whole as JSON."""

from __future__ import annotations

from typing import Annotated

import typer

from pitbook.cli.common.arguments import Folders, Json, SheetName, sheet_named
from pitbook.cli.common.lazy import command
from pitbook.cli.common.output import emit, examples
from pitbook.cli.common.terminal import console
from pitbook.cli.common.terminal import show as show_parts
from pitbook.cli.sheets.card import card
from pitbook.sheets.digest import digest

app = command()

Notes = Annotated[
    bool, typer.Option("--notes", help="Add our notes: where the document is silent or at odds.")
]


@app.command(
    epilog=examples(
        "pitbook sheets show catfish-bend/mississippi-stud",
        "pitbook sheets show oceanfront/mississippi-stud@2015-01-01 --notes",
        "pitbook sheets show my-sheets/stud.toml --json",
    )
)
def show(
    sheet: SheetName, *, notes: Notes = False, folder: Folders = None, json: Json = False
) -> None:
    """One sheet as a rack card.

    Wagers, bets, pay tables, limits, procedure and irregularities, each line with its clause.
    """
    found = sheet_named(sheet, folder)
    if json:
        emit({**found.model_dump(mode="json", by_alias=True), "hash": digest(found)})
        return
    terminal = console()
    show_parts(terminal, card(found, width=terminal.width, notes=notes))
