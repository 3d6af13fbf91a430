"""Memory that exact figures can do without: caches that are emptied, pages that are read again."""

from __future__ import annotations

import ctypes
import mmap
import re
import sys
import weakref
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar, cast

__all__ = ["MemoryBound", "anonymous_bytes", "drop_pages", "release", "released_cache", "track_map"]

GROWTH_MAX = 48 * 2**20  # Bytes that computations may leave behind before caches are emptied,
TRIMMED = 12 * 2**20  # and before free memory goes back to the system.

_CACHES: list[Callable[[], None]] = []
_MAPS: weakref.WeakSet[mmap.mmap] = weakref.WeakSet()
Function = TypeVar("Function", bound=Callable[..., Any])


def released_cache(maxsize: int) -> Callable[[Function], Function]:
    """`lru_cache` for large results: `release` empties it."""

    def cached(function: Function) -> Function:
        found = lru_cache(maxsize)(function)
        _CACHES.append(found.cache_clear)
        return cast(Function, found)

    return cached


def track_map(mapped: mmap.mmap) -> None:
    """Let `drop_pages` take a map of a file out of memory while nobody reads it."""
    _MAPS.add(mapped)


def drop_pages() -> None:
    """Give back the pages of mapped files; reading them again brings them back."""
    advice = getattr(mmap, "MADV_DONTNEED", None)
    if advice is None:
        return
    for mapped in list(_MAPS):
        with suppress(OSError, ValueError):  # Closed in the meantime.
            mapped.madvise(advice)


def release() -> None:
    """Empty every large cache, and give the memory back to the system."""
    for clear in _CACHES:
        clear()
    drop_pages()
    _trim()


def _trim() -> None:
    """Give freed memory back to the system: the C library keeps it for later."""
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):  # A C library without it.
            ctypes.CDLL(None).malloc_trim(0)


def anonymous_bytes() -> int | None:
    """The memory of this process that no file stands behind; None if the system does not say."""
    try:
        status = Path("/proc/self/status").read_text(encoding="ascii")
    except OSError:
        return None
    found = re.search(r"^RssAnon:\s+(\d+) kB", status, re.MULTILINE)
    return found and int(found[1]) * 1024


class MemoryBound:
    """Empties caches when they have grown; `settle` is called after every computation.

    What the process needs besides, such as libraries and tables, is not counted twice: growth is
    measured from what was left after the last time.
    """

    def __init__(self) -> None:
        self._level = anonymous_bytes()

    def settle(self) -> None:
        """Give back mapped pages, and empty the caches if too much was left behind."""
        drop_pages()
        if self._growth() >= TRIMMED:
            _trim()
        if self._growth() >= GROWTH_MAX:
            release()
            self._level = anonymous_bytes()
        elif self._growth() < 0:
            self._level = anonymous_bytes()

    def _growth(self) -> int:
        now = anonymous_bytes()
        return 0 if now is None or self._level is None else now - self._level
