"""`pitbook papers list`: the packet in a folder, and every version that it superseded."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from pitbook.cli.common.arguments import Json
from pitbook.cli.common.language import worded
from pitbook.cli.common.lazy import command
from pitbook.cli.common.output import emit, examples
from pitbook.errors import PitbookError
from pitbook.text import say

app = command()


@app.command(name="list", epilog=examples("pitbook papers list packet"))
def list_(
    folder: Annotated[str, typer.Argument(metavar="DIR", help="A folder of papers.")] = ".",
    *,
    json: Json = False,
) -> None:
    """The papers in a folder with their dates, the version in force first."""
    from pitbook.papers.filing import kept_as, listed  # noqa: PLC0415  It brings NumPy.

    if not Path(folder).is_dir():
        raise PitbookError(say("papers.filing.no-folder", folder=folder))
    index = listed(Path(folder))
    if json:
        emit({"folder": folder, **index})
        return
    if not index["current"]:
        print(worded(say("papers.filing.nothing", folder=folder)))
    else:
        _print(index["current"], kept_as(Path(folder), index["current"]))
    for one in index["superseded"]:
        _print(one, kept_as(Path(folder), one))


def _print(entry: dict[str, Any], files: dict[str, str]) -> None:
    until = entry.get("superseded", "")
    told = say(
        "papers.filing.entry",
        sheet=entry["sheet"],
        version=entry["version"],
        effective=entry["effective"] or "-",
        approved=entry["approved"] or "-",
        hash=entry["hash"][:12],
        paper=entry["paper"][:12],
        old=bool(until),
        until=until,
    )
    print(worded(told))
    stand = (say("papers.filing.file", file=name, how=how) for name, how in files.items())
    print(f"  {', '.join(map(worded, stand))}")
