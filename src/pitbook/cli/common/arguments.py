"""What many commands take: a sheet, folders of sheets, and whether to answer in JSON."""

from __future__ import annotations

import datetime
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from pitbook.cli.common.language import dealt_in
from pitbook.sheets.library import Library
from pitbook.sheets.model import Sheet

VARIABLE = "PITBOOK_SHEETS"


def library(folders: Sequence[str] | None = None) -> Library:
    """The bundled sheets, and those in the folders of PITBOOK_SHEETS and in the folders given."""
    known = os.environ.get(VARIABLE, "").split(os.pathsep)
    return Library(_apart([Path(name) for name in (*known, *(folders or ())) if name]))


def sheet_named(name: str, folders: Sequence[str] | None = None) -> Sheet:
    """A sheet as it holds today; what is told from here on is in the money of its house."""
    found = library(folders).load(name, today())
    dealt_in(found.house.currency)
    return found


def _apart(folders: list[Path]) -> list[Path]:
    """Each folder once, and none that lies in another: a file read twice would be two versions."""
    places = {folder: folder.resolve() for folder in folders}
    kept: dict[Path, Path] = {}
    for folder, place in places.items():
        inside = any(other in place.parents for other in places.values())
        if not inside and place not in kept:
            kept[place] = folder
    return list(kept.values())


def today() -> datetime.date:
    """The day on the wall; from the sheets on down it is an argument."""
    return datetime.datetime.now(datetime.UTC).astimezone().date()


def _ids(incomplete: str) -> list[str]:
    found = {one.sheet.id for one in library().entries() if one.sheet}
    return sorted(name for name in found if name.startswith(incomplete))


Json: TypeAlias = Annotated[bool, typer.Option("--json", help="Answer with one JSON document.")]
Folders: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--folder",
        metavar="DIR",
        help=f"Look for sheets in this folder too; {VARIABLE} names such folders for all commands.",
    ),
]
_SHEET = typer.Argument(
    metavar="SHEET",
    show_default=False,
    autocompletion=_ids,
    help="A sheet's id, its id@YYYY-MM-DD for another day's rules, or a TOML file.",
)
SheetName: TypeAlias = Annotated[str, _SHEET]
SheetNames: TypeAlias = Annotated[list[str], _SHEET]
