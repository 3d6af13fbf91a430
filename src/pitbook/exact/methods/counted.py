"""Counts made in a process of their own, and kept: `python -m pitbook.exact.methods.counted`.

What is wanted comes on standard input, as `written` has it. It gives way to all other work of the
machine, and ends at once where it is told to, with nothing half written.
"""

from __future__ import annotations

import ast
import os
import signal
import sys
from types import FrameType

from pitbook.exact.methods.boards import rows as boards
from pitbook.exact.methods.boards.counting import River
from pitbook.exact.methods.duels.kept import is_kept
from pitbook.exact.methods.pairs import solving as pairs
from pitbook.exact.methods.pairs.counting import Shape

__all__ = ["make", "written"]

NICE = 10
NO_DISK = 3


def written(order: tuple[object, ...]) -> str:
    """Which counts, as text: the method's name, and the structure as plain values."""
    method, structure = order
    assert isinstance(structure, tuple)
    return repr((method, tuple(structure)))


def make(text: str) -> None:
    """Make the counts, where they are not kept yet; ends with a code where no disk takes them."""
    method, values = ast.literal_eval(text)
    if method == "boards":
        structure: object = boards.structure(River(*values))
        boards.kept_rows(River(*values))
    else:
        structure = pairs.structure(Shape(*values))
        pairs.counts_of(Shape(*values))
    if not is_kept(structure):
        raise SystemExit(NO_DISK)


def _end(number: int, frame: FrameType | None) -> None:
    raise SystemExit(128 + number)


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, _end)
    if hasattr(os, "nice"):
        os.nice(NICE)
    make(sys.stdin.read())
