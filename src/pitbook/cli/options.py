"""Options shared by many commands: sheets, stakes, cards and files."""

from __future__ import annotations

import datetime
import os
import sys
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from pitbook import private_files
from pitbook.cli.language import localize, set_currency
from pitbook.errors import PitbookError, RoundError
from pitbook.exact.plot_files import SUFFIXES
from pitbook.extras import require_extra
from pitbook.money import Cents
from pitbook.sheets.arguments import (
    BYTES_MAX,
    decode_document,
    dollars_of,
    read_document,
    reason_of,
)
from pitbook.sheets.library import BUNDLED, Library
from pitbook.sheets.model import Sheet
from pitbook.text import say

VARIABLE = "PITBOOK_SHEETS"


def library(folders: Sequence[str] | None = None) -> Library:
    """The bundled sheets, and those in PITBOOK_SHEETS and the given folders."""
    configured = os.environ.get(VARIABLE, "").split(os.pathsep)
    return Library(
        _without_nested([Path(name) for name in (*configured, *(folders or ())) if name])
    )


def load_sheet(name: str, folders: Sequence[str] | None = None) -> Sheet:
    """Load a sheet as in force today, and set the output currency to its casino's."""
    sheet = library(folders).load(name, today())
    set_currency(sheet.house.currency)
    return sheet


def _without_nested(folders: list[Path]) -> list[Path]:
    """Each folder once, without folders inside others, so that no file is read twice."""
    places = {folder: folder.resolve() for folder in folders}
    by_place: dict[Path, Path] = {}
    for folder, place in places.items():
        is_nested = any(other in place.parents for other in places.values())
        if not is_nested and place not in by_place:
            by_place[place] = folder
    return list(by_place.values())


def today() -> datetime.date:
    """Today's local date; other modules take the date as an argument."""
    return datetime.datetime.now(datetime.UTC).astimezone().date()


def _sheet_ids(incomplete: str) -> list[str]:
    ids = {entry.sheet.id for entry in library().entries() if entry.sheet}
    return sorted(name for name in ids if name.startswith(incomplete))


Json: TypeAlias = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
Folders: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--folder",
        metavar="DIR",
        help=f"Also look for sheets in this folder; {VARIABLE} does so for all commands.",
    ),
]
_SHEET = typer.Argument(
    metavar="SHEET",
    show_default=False,
    autocompletion=_sheet_ids,
    help="Sheet id, id@YYYY-MM-DD for that day's rules, or a TOML file.",
)
SheetName: TypeAlias = Annotated[str, _SHEET]
SheetNames: TypeAlias = Annotated[list[str], _SHEET]


Ante: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--ante",
        metavar="D",
        help="Ante or Bet; payout limits apply. Without it, no limits apply.",
    ),
]
StakedAnte: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--ante",
        metavar="D",
        help="Ante or Bet; the table minimum by default.",
    ),
]
Strategy: TypeAlias = Annotated[
    str,
    typer.Option(
        "--strategy",
        metavar="NAME",
        help="best, never-3x, always-1x, ... or a rule file; best:0.05 errs 5% of the time.",
    ),
]
Sides: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--side", metavar="W=D", help="Side wager and its amount; may be repeated."),
]
Purse: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--purse",
        metavar="D",
        help="Money that the player has left, apart from wagers made; unlimited by default.",
    ),
]


def ante_of(text: str | None) -> Cents | None:
    """The ante in cents, or None."""
    return None if text is None else dollars_of(text, "--ante")


def purse_of(text: str | None) -> Cents | None:
    """The player's remaining money in cents, or None."""
    return None if text is None else dollars_of(text, "--purse")


def sides_of(texts: Sequence[str] | None) -> dict[str, Cents]:
    """Stakes by side wager, from texts like "stax=5"."""
    stakes: dict[str, Cents] = {}
    for text in texts or ():
        wager, equals, amount = text.partition("=")
        if not equals:
            no_stake = localize(say("cli.no-stake", text=text))
            raise typer.BadParameter(no_stake, param_hint="--side")
        if wager in stakes:
            raise PitbookError(say("cli.side-twice", wager=wager))
        stakes[wager] = dollars_of(amount, f"--side {wager}")
    return stakes


def read_text(name: str) -> str:
    """The text of a file, or of standard input for "-"; raises RoundError."""
    if name == "-":
        standard_input = sys.stdin.buffer.read(BYTES_MAX + 1)
        return decode_document(standard_input, say("cli.file.standard-input"))
    return read_document(name)


def write_text(path: Path, text: str) -> None:
    """Write a file atomically."""
    partial = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        partial.unlink(missing_ok=True)
        with private_files.create(partial, encoding="utf-8") as file:
            file.write(text)
        partial.replace(path)
    except OSError as error:
        partial.unlink(missing_ok=True)
        details = {"path": str(path), "why": reason_of(error)}
        raise RoundError(say("cli.file.unwritable", **details)) from None


def label(path: Path) -> str:
    """A bundled sheet's file relative to its venue; any other path unchanged."""
    return path.relative_to(BUNDLED).as_posix() if path.is_relative_to(BUNDLED) else str(path)


class PictureKind(StrEnum):
    """The kinds of plot."""

    OUTCOMES = "outcomes"
    GRID = "grid"
    EDGE = "edge"


Plot: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--plot", metavar="FILE", help="Also draw a plot: FILE.svg, FILE.png or FILE.pdf."
    ),
]
PlotKind: TypeAlias = Annotated[
    PictureKind,
    typer.Option(
        "--plot-kind",
        help="Outcomes, starting hands, or house edge by ante.",
    ),
]


def picture_of(name: str | None) -> Path | None:
    """The file to draw, or None; raises an error if it cannot be drawn."""
    if name is None:
        return None
    path = Path(name)
    if path.suffix.lower() not in SUFFIXES:
        raise typer.BadParameter(
            localize(say("cli.plots.no-picture", name=name)), param_hint="--plot"
        )
    require_extra("matplotlib")
    if not path.parent.is_dir():
        raise PitbookError(say("cli.plots.no-folder", folder=str(path.parent)))
    return path
