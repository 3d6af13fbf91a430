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


def compile_function(function: Kernel, kept: Path | None) -> Kernel:
    """The function in machine code; it runs beside other threads."""
    numba = load_extra("numba")
    dispatcher = numba.njit(nogil=True)(function)
    if kept:
        settings: Any = numba.config
        before, settings.CACHE_DIR = settings.CACHE_DIR, str(kept)
        try:
            dispatcher.enable_caching()
        finally:
            settings.CACHE_DIR = before
        _recompile_damaged_code(dispatcher)
    return cast(Kernel, dispatcher)


def _recompile_damaged_code(dispatcher: Any) -> None:
    """Compile again what cannot be read from disk, such as a file that a power failure cut short.

    Numba raises whatever error its damaged file happens to cause.
    """
    cache = dispatcher._cache  # noqa: SLF001  It offers nothing else.
    load = cache.load_overload

    def load_or_forget(*asked: Any) -> Any:
        try:
            return load(*asked)
        except Exception:  # noqa: BLE001
            with suppress(OSError):
                cache.flush()
            return None

    cache.load_overload = load_or_forget


def cache_folder(what: str, below: Path, sources: Iterable[Path]) -> Path | None:
    """A folder for what is made by files of ours; None where none can be written to.

    Its name has the hash of these files and of where they lie below some folder, so that nothing
    that is out of date is ever found.
    """
    text = ((one.relative_to(below).as_posix().encode(), one.read_bytes()) for one in sources)
    name = sha256(b"".join(part for pair in text for part in pair)).hexdigest()[:16]
    for place in cache_places():
        folder = place / "pitbook" / f"{what}-{name}"
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
    """Where this user keeps what can be made anew."""
    named = [os.environ.get(name) for name in ("NUMBA_CACHE_DIR", "XDG_CACHE_HOME", "LOCALAPPDATA")]
    found = [Path(one) for one in named if one]
    with suppress(RuntimeError):  # Nobody's home.
        found.append(Path.home() / ".cache")
    return found
