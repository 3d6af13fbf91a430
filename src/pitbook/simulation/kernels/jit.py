"""Compile kernels with Numba and cache the machine code on disk."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

from pitbook.exact.jit import cache_folder, compile_function
from pitbook.extras import load_extra

Kernel = TypeVar("Kernel", bound=Callable[..., Any])


def compile_kernel(function: Kernel) -> Kernel:
    """Compile a function to machine code that releases the GIL."""
    return compile_function(function, kernel_folder())


def inline_kernel(function: Kernel) -> Kernel:
    """Inline a function into every kernel that calls it, so that lanes can run in parallel."""
    return cast(Kernel, load_extra("numba").njit(inline="always")(function))


@cache
def kernel_folder() -> Path | None:
    """The cache folder for machine code, or None if none is writable.

    Numba checks only the file of the kernel itself, not the kernels it calls or the types it
    takes, so the folder's name covers all these files.
    """
    package = Path(__file__).parents[1]
    sources = (*sorted(Path(__file__).parent.glob("*.py")), package / "kernel_tables.py")
    return cache_folder("kernels", package, sources)
