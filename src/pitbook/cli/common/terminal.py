"""The terminal as Rich sees it: no markup, so that no sheet can paint or forge a line."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console, RenderableType
from rich.text import Text

from pitbook.cli.common.language import worded
from pitbook.sheets.findings import printable

WIDTH_MAX = 120  # Wider than this, a clause is too far from its rule.


def console() -> Console:
    """Standard output; without colour where it is no terminal or NO_COLOR is set."""
    made = Console(markup=False, highlight=False, emoji=False)
    made.width = min(made.width, WIDTH_MAX)
    return made


def show(terminal: Console, parts: Iterable[RenderableType]) -> None:
    """Print the parts one under the other; a file gets no blanks at the ends of its lines."""
    if terminal.is_terminal:
        for part in parts:
            terminal.print(part)
        return
    with terminal.capture() as captured:
        for part in parts:
            terminal.print(part)
    print("\n".join(line.rstrip() for line in captured.get().splitlines()))


def plain(text: str, style: str = "") -> Text:
    """The text as it is, in the language that is spoken and in one style."""
    return Text(printable(worded(text)), style=style)
