"""`pitbook sheets diff`: how two sheets differ, in words that a manager reads aloud."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from rich.console import RenderableType
from rich.padding import Padding
from rich.text import Text

from pitbook.cli.common.arguments import Folders, Json, SheetName, library, today
from pitbook.cli.common.language import dealt_in, tell
from pitbook.cli.common.lazy import command
from pitbook.cli.common.output import emit, examples
from pitbook.cli.common.terminal import console, plain, show
from pitbook.sheets.diff import Difference
from pitbook.sheets.diff import diff as differences
from pitbook.text import say

app = command()


@app.command(
    epilog=examples(
        "pitbook sheets diff louisiana-stud/standard louisiana-stud/stax-required",
        "pitbook sheets diff oceanfront/mississippi-stud my-sheets/stud.toml",
    )
)
def diff(a: SheetName, b: SheetName, *, folder: Folders = None, json: Json = False) -> None:
    """How two sheets differ, in words.

    Ids, clauses and notes are not rules and are left out. The exit code is 0 either way.
    """
    shelf, day = library(folder), today()
    first, second = shelf.load(a, day), shelf.load(b, day)
    dealt_in(first.house.currency)
    found = differences(first, second)
    if json:
        documents = [one.document() for one in found]
        emit({"a": first.id, "b": second.id, "differences": documents})
    elif found:
        show(console(), _grouped(found))
    else:
        tell(say("cli.diff.none"))


def _grouped(found: list[Difference]) -> Iterator[RenderableType]:
    for number, (heading, group) in enumerate(groupby(found, key=lambda one: one.heading)):
        if number:
            yield Text()
        yield plain(heading, "bold cyan")
        for one in group:
            yield Padding(plain(one.words), (0, 0, 0, 2))
