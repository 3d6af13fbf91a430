"""Kernels are compiled when they are first called, and kept on disk where the disk allows it."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar, cast

import numba

__all__ = ["compiled", "kept_in", "woven"]

Kernel = TypeVar("Kernel", bound=Callable[..., Any])


def compiled(function: Kernel) -> Kernel:
    """The function in machine code; it runs beside other threads."""
    dispatcher = numba.njit(nogil=True)(function)
    if folder := kept_in():
        settings: Any = numba.config
        before, settings.CACHE_DIR = settings.CACHE_DIR, str(folder)
        try:
            dispatcher.enable_caching()
        finally:
            settings.CACHE_DIR = before
    return cast(Kernel, dispatcher)


def woven(function: Kernel) -> Kernel:
    """The function written into every kernel that calls it, so that lanes can run side by side."""
    return cast(Kernel, numba.njit(inline="always")(function))


@cache
def kept_in() -> Path | None:
    """The folder for machine code; None where none can be written to.

    Numba looks at the file of a kernel alone and not at the kernels that it calls, and keeps the
    types that it was handed by name. So the folder has the hash of all these files and of where
    they lie in its name, and code that is out of date is never found.
    """
    simulate = Path(__file__).parents[1]
    sources = (*sorted(Path(__file__).parent.glob("*.py")), simulate / "plans" / "tables.py")
    text = ((path.relative_to(simulate).as_posix().encode(), path.read_bytes()) for path in sources)
    name = sha256(b"".join(part for pair in text for part in pair)).hexdigest()[:16]
    for place in _places():
        folder = place / "pitbook" / f"kernels-{name}"
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError:
            continue
        if os.access(folder, os.W_OK):
            return folder
    return None


def _places() -> list[Path]:
    """Where this user keeps what can be made anew."""
    named = [os.environ.get(name) for name in ("NUMBA_CACHE_DIR", "XDG_CACHE_HOME", "LOCALAPPDATA")]
    places = [Path(one) for one in named if one]
    with suppress(RuntimeError):  # Nobody's home.
        places.append(Path.home() / ".cache")
    return places
