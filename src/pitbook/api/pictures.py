"""Pictures of answers: into a file, or as a figure that a notebook shows."""

from __future__ import annotations

from collections.abc import Callable
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from pitbook.errors import PitbookError
from pitbook.extras import require_extra
from pitbook.text import say

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PictureFile: TypeAlias = str | PathLike[str] | None


def drawn(draw: Callable[[], Figure], file: PictureFile) -> Figure | Path:
    """The figure, or the file that it was drawn into; raises with the command's sentences."""
    require_extra("matplotlib")
    path = None if file is None else Path(file)
    if path is not None and path.suffix.lower() not in (".svg", ".png"):
        raise PitbookError(say("api.no-picture", path=fspath(path)))
    if path is not None and not path.parent.is_dir():
        raise PitbookError(say("api.no-folder", folder=path.parent))
    figure = draw()
    if path is None:
        return figure
    from pitbook.cli.plots import written  # noqa: PLC0415  The command writes it too.

    return written(figure, path)
