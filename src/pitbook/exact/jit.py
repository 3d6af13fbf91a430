"""Numba compilation of loops, with the machine code cached on disk."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar, cast

from pitbook.extras import load_extra

Kernel = TypeVar("Kernel", bound=Callable[..., Any])


def compile_function(function: Kernel, folder: Path | None) -> Kernel:
    """Compile a function to machine code that releases the GIL."""
    numba = load_extra("numba")
    dispatcher = numba.njit(nogil=True)(function)
    if folder:
        settings: Any = numba.config
        previous, settings.CACHE_DIR = settings.CACHE_DIR, str(folder)
        try:
            dispatcher.enable_caching()
        finally:
            settings.CACHE_DIR = previous
        _recompile_damaged_code(dispatcher)
    return cast(Kernel, dispatcher)


def _recompile_damaged_code(dispatcher: Any) -> None:
    """Recompile if the cached code cannot be read, as after a power failure.

    Numba raises many kinds of error for a damaged file.
    """
    cache = dispatcher._cache  # noqa: SLF001  Numba has no public access to it.
    load = cache.load_overload

    def load_or_forget(*arguments: Any) -> Any:
        try:
            return load(*arguments)
        except Exception:  # noqa: BLE001
            with suppress(OSError):
                cache.flush()
            return None

    cache.load_overload = load_or_forget


def cache_folder(purpose: str, below: Path, sources: Iterable[Path]) -> Path | None:
    """A cache folder for files made by our sources, or None if no folder is writable.

    Its name contains a hash of the sources and their paths, so stale files are never used.
    """
    text = (
        (source.relative_to(below).as_posix().encode(), source.read_bytes()) for source in sources
    )
    name = sha256(b"".join(part for pair in text for part in pair)).hexdigest()[:16]
    for place in cache_places():
        folder = place / "pitbook" / f"{purpose}-{name}"
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError:
            continue
        if os.access(folder, os.W_OK):
            return folder
    return None


def set_fallback_cache(place: Path) -> None:
    """Use `place` as the cache folder if this user has no writable one.

    Child processes use it, too. Call this before anything is cached.
    """
    for folder in cache_places():
        with suppress(OSError):
            (folder / "pitbook").mkdir(parents=True, exist_ok=True)
            if os.access(folder / "pitbook", os.W_OK):
                return
    os.environ["XDG_CACHE_HOME"] = str(place.absolute())


def cache_places() -> list[Path]:
    """Folders where this user may keep caches."""
    named = [os.environ.get(name) for name in ("NUMBA_CACHE_DIR", "XDG_CACHE_HOME", "LOCALAPPDATA")]
    folders = [Path(folder) for folder in named if folder]
    with suppress(RuntimeError):  # This user has no home folder.
        folders.append(Path.home() / ".cache")
    return folders
