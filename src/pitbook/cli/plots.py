"""Plots of commands: the options, the file, and the plot itself."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from pitbook.cli.language import localize, output_language
from pitbook.errors import PitbookError
from pitbook.extras import require_extra
from pitbook.money import Cents
from pitbook.sheets.model import Sheet
from pitbook.text import say

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from pitbook.exact.figures import Figures


SUFFIXES = (".svg", ".png", ".pdf")


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


def draw_plot(sheet: Sheet, path: Path, kind: PictureKind, **options: Any) -> Path:
    """Draw one plot to the file; the options are those of `figure_of`."""
    return write_figure(figure_of(sheet, kind, **options), path)


def write_figure(figure: Figure, path: Path) -> Path:
    """Write a figure to the file in the format of its suffix."""
    from pitbook.exact.plots import render_plot  # noqa: PLC0415  Imports matplotlib.

    path.write_bytes(render_plot(figure, path.suffix.lower()[1:]))
    return path


def figure_of(
    sheet: Sheet,
    kind: PictureKind,
    *,
    ante: Cents | None = None,
    wager: str = "main",
    strategy: str = "best",
    main: Figures | None = None,
) -> Figure:
    """One plot: outcomes, the starting grid, or the edge against the ante."""
    from pitbook.exact import plots  # noqa: PLC0415  Imports matplotlib.
    from pitbook.exact.plots import plot_language  # noqa: PLC0415
    from pitbook.exact.sheet_figures import wager_figures  # noqa: PLC0415
    from pitbook.exact.strategies import follow  # noqa: PLC0415

    with plot_language(output_language(), sheet):
        if kind is PictureKind.GRID:
            return plots.grid_plot(sheet, follow(sheet, strategy, ante))
        if kind is PictureKind.EDGE:
            return plots.edge_plot(sheet, wager)
        return plots.outcomes_plot(sheet, wager, main or wager_figures(sheet, wager, ante))
