"""Plots of commands: the options, the file, and the plot itself."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from pitbook.cli.language import localize
from pitbook.errors import PitbookError
from pitbook.exact.plot_files import SUFFIXES
from pitbook.extras import require_extra
from pitbook.text import say


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
