"""Answers print as the commands print them, and draw as figures or files."""

from __future__ import annotations

import io
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from pitbook.errors import PitbookError
from pitbook.extras import require_extra
from pitbook.text import say

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from rich.console import Console, RenderableType

    from pitbook.sheets.model import Sheet


WIDTH = 100
HASH_SHOWN = 12
FRAME = '<pre style="line-height: 1.25; overflow-x: auto">{code}</pre>'


class Answer(ABC):
    """An answer that reads as the command prints it; in a notebook it keeps its colours."""

    @abstractmethod
    def _parts(self) -> Iterable[RenderableType]:
        """What the command prints, part by part."""

    def _game(self) -> Sheet | None:
        """The sheet whose house says what money is."""
        return getattr(self, "_rules", None)

    def __str__(self) -> str:
        paper = io.StringIO()
        self._printed(paper, color_system=None)
        return "\n".join(line.rstrip() for line in paper.getvalue().splitlines())

    def _repr_html_(self) -> str:
        console = self._printed(io.StringIO(), record=True)
        return console.export_html(inline_styles=True, code_format=FRAME)

    def _printed(self, paper: io.StringIO, **more: Any) -> Console:
        from pitbook.cli.language import in_money_of  # noqa: PLC0415  It brings Typer.

        sheet = self._game()
        with in_money_of(None if sheet is None else sheet.house.currency):
            return _console(paper, print_parts=self._marked(), **more)

    def _marked(self) -> Iterator[RenderableType]:
        """The answer, and whose it is: a changed sheet has another hash."""
        from pitbook.cli.render import plain  # noqa: PLC0415  It brings Rich.

        yield from self._parts()
        if mark := getattr(self, "hash", None):
            sheet = getattr(self, "sheet", "")
            yield plain(say("cli.show.hash", sheet=sheet, hash=mark[:HASH_SHOWN]), "dim")


def _console(paper: io.StringIO, *, print_parts: Iterable[RenderableType], **more: Any) -> Console:
    from rich.console import Console  # noqa: PLC0415  It waits until somebody reads.

    console = Console(
        file=paper,
        width=WIDTH,
        force_jupyter=False,
        markup=False,
        highlight=False,
        emoji=False,
        **more,
    )
    for part in print_parts:
        console.print(part)
    return console


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
