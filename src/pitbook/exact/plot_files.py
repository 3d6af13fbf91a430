"""Saves plots; matplotlib is imported only when one is drawn."""

from __future__ import annotations

from collections.abc import Callable
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from pitbook.errors import PitbookError
from pitbook.extras import require_extra
from pitbook.text import say
from pitbook.text.catalog import ENGLISH

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from pitbook.sheets.model import Sheet

PlotFile: TypeAlias = str | PathLike[str] | None
SUFFIXES = (".svg", ".png", ".pdf")


def save_plot(
    sheet: Sheet, draw: Callable[[], Figure], file: PlotFile, *, language: str = ENGLISH
) -> Figure | Path:
    """The figure, or the path of the file that it was saved to in the format of its suffix."""
    require_extra("matplotlib")
    path = None if file is None else Path(file)
    if path is not None and path.suffix.lower() not in SUFFIXES:
        raise PitbookError(say("api.no-picture", path=fspath(path)))
    if path is not None and not path.parent.is_dir():
        raise PitbookError(say("api.no-folder", folder=path.parent))
    from pitbook.exact.plots import plot_language, render_plot  # noqa: PLC0415  Slow to import.

    with plot_language(language, sheet):
        figure = draw()
    if path is None:
        return figure
    path.write_bytes(render_plot(figure, path.suffix.lower()[1:]))
    return path
