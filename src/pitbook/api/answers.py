"""Answers print as the commands print them, and can be plotted."""

from __future__ import annotations

import io
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from os import PathLike
from typing import TYPE_CHECKING, Any, TypeAlias

from pitbook.text import say

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

    from pitbook.sheets.model import Sheet


WIDTH = 100
HASH_SHOWN = 12
FRAME = '<pre style="line-height: 1.25; overflow-x: auto">{code}</pre>'


class Answer(ABC):
    """A result that prints like the command's output; in a notebook it keeps its colors."""

    @abstractmethod
    def _parts(self) -> Iterable[RenderableType]:
        """The parts that the command prints."""

    def _currency_sheet(self) -> Sheet | None:
        """The sheet whose casino sets the currency."""
        return getattr(self, "_rules", None)

    def __str__(self) -> str:
        buffer = io.StringIO()
        self._print(buffer, color_system=None)
        return "\n".join(line.rstrip() for line in buffer.getvalue().splitlines())

    def _repr_html_(self) -> str:
        console = self._print(io.StringIO(), record=True)
        return console.export_html(inline_styles=True, code_format=FRAME)

    def _print(self, buffer: io.StringIO, **options: Any) -> Console:
        from pitbook.cli.language import using_currency  # noqa: PLC0415  Imports Typer.

        sheet = self._currency_sheet()
        with using_currency(None if sheet is None else sheet.house.currency):
            return _console(buffer, print_parts=self._parts_with_hash(), **options)

    def _parts_with_hash(self) -> Iterator[RenderableType]:
        """The parts, with the sheet's hash below."""
        from pitbook.cli.render import plain  # noqa: PLC0415  Imports Rich.

        yield from self._parts()
        if sheet_hash := getattr(self, "hash", None):
            sheet = getattr(self, "sheet", "")
            yield plain(say("cli.show.hash", sheet=sheet, hash=sheet_hash[:HASH_SHOWN]), "dim")


def _console(
    buffer: io.StringIO, *, print_parts: Iterable[RenderableType], **options: Any
) -> Console:
    from rich.console import Console  # noqa: PLC0415  Only needed for printing.

    console = Console(
        file=buffer,
        width=WIDTH,
        force_jupyter=False,
        markup=False,
        highlight=False,
        emoji=False,
        **options,
    )
    for part in print_parts:
        console.print(part)
    return console


PictureFile: TypeAlias = str | PathLike[str] | None
