"""Compile kernels with Numba and cache the machine code on disk."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

from pitbook.exact.jit import cache_folder, compile_function
from pitbook.extras import load_extra

Kernel = TypeVar("Kernel", bound=Callable[..., Any])


def compiled(function: Kernel) -> Kernel:
    """The function in machine code; it runs beside other threads."""
    return compile_function(function, kept_in())


def woven(function: Kernel) -> Kernel:
    """The function written into every kernel that calls it, so that lanes can run side by side."""
    return cast(Kernel, load_extra("numba").njit(inline="always")(function))


@cache
def kept_in() -> Path | None:
    """The folder for machine code; None where none can be written to.

    Numba looks at the file of a kernel alone and not at the kernels that it calls, and keeps the
    types that it was handed by name: all these files are in the folder's name.
    """
    simulate = Path(__file__).parents[1]
    sources = (*sorted(Path(__file__).parent.glob("*.py")), simulate / "tables.py")
    return cache_folder("kernels", simulate, sources)
