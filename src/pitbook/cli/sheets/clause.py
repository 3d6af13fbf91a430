"""`pitbook sheets clause`: what a clause says, where it stands, and what sheets made of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

import typer
from rich.console import RenderableType
from rich.padding import Padding

from pitbook.cli.common.arguments import Folders, Json, library, today
from pitbook.cli.common.language import worded
from pitbook.cli.common.lazy import command
from pitbook.cli.common.output import emit, examples
from pitbook.cli.common.terminal import console, plain, show
from pitbook.sheets.clauses import catalogue
from pitbook.sheets.opened import opened
from pitbook.text import say

app = command()

ClauseId = Annotated[
    str,
    typer.Argument(
        metavar="CLAUSE",
        show_default=False,
        autocompletion=lambda: list(catalogue()),
        help="As it stands beside a rule: CMS-12.",
    ),
]
OfSheet = Annotated[
    str | None,
    typer.Option("--sheet", metavar="SHEET", help="What this sheet makes of it; else, every one."),
]


@app.command(
    epilog=examples(
        "pitbook sheets clause CMS-12",
        "pitbook sheets clause LAS-8 --sheet louisiana-stud/standard",
    )
)
def clause(
    clause: ClauseId, *, sheet: OfSheet = None, folder: Folders = None, json: Json = False
) -> None:
    """What a clause says, and where it stands.

    Its wording in our own words, its place in the document, and every rule that a sheet rests on
    it: with our note, and with a word where the rule is our choice.
    """
    shelf = library(folder)
    if sheet is not None:
        sheets = [shelf.load(sheet, today())]
    else:
        sheets = [entry.sheet for entry in shelf.entries() if entry.sheet is not None]
    document = opened(clause, sheets)
    if json:
        emit(document)
    else:
        show(console(), _parts(document))


def _parts(document: dict[str, Any]) -> Iterator[RenderableType]:
    title = f": {document['title']}" if document["title"] else ""
    yield plain(f"{document['clause']}{title}", "bold")
    yield plain(document["text"])
    yield plain(f"{document['place']}.", "dim")
    if document["left_to_us"]:
        yield plain(document["left_to_us"])
    for one in document["sheets"]:
        yield plain("")
        yield plain(f"{one['sheet']}", "bold cyan")
        for rule in one["rules"]:
            mark = f" ({worded(rule['ours'])})" if rule["ours"] else ""
            yield Padding(plain(f"{worded(rule['words'])}{mark}"), (0, 0, 0, 2))
            for note in rule["notes"]:
                yield Padding(plain(say("cli.show.note", note=note), "italic dim"), (0, 0, 0, 4))
