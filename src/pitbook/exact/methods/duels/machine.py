"""Counting hands against a dealer's in machine code, and the folder for what was counted."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from pitbook.exact.machine_code import folder_for, in_machine_code
from pitbook.extras import require_extra

__all__ = ["compiled", "folder", "needed"]

Kernel = TypeVar("Kernel", bound=Callable[..., Any])
METHODS = Path(__file__).parents[1]
MADE_BY = (
    "*kernels.py",
    "counting.py",
    "sweeping.py",
    "types.py",
    "strength.py",
)  # What is made depends on these.


def needed() -> None:
    """Raise ExtraMissing without Numba: plain Python would count for days."""
    require_extra("numba")


def compiled(function: Kernel) -> Kernel:
    """The function in machine code."""
    return in_machine_code(function, folder("counting"))


@cache
def folder(what: str) -> Path | None:
    """A folder for what these methods made; None where none can be written to."""
    rooms = [METHODS / room for room in ("duels", "pairs", "boards")]
    files = [path for room in rooms for name in MADE_BY for path in sorted(room.glob(name))]
    return folder_for(what, METHODS, files)
