"""Frees memory that exact figures can rebuild: caches, and pages of mapped files."""

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
    """An `lru_cache` for large results that `release` empties."""

    def cached(function: Function) -> Function:
        cached_function = lru_cache(maxsize)(function)
        _CACHES.append(cached_function.cache_clear)
        return cast(Function, cached_function)

    return cached


def track_map(mapped: mmap.mmap) -> None:
    """Register a mapped file, so that `drop_pages` can drop its pages from memory."""
    _MAPS.add(mapped)


def drop_pages() -> None:
    """Drop the pages of mapped files from memory; the next read loads them again."""
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
    """Return freed memory to the system; the C library would keep it for later."""
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):  # A C library without it.
            ctypes.CDLL(None).malloc_trim(0)


def anonymous_bytes() -> int | None:
    """Anonymous memory of this process in bytes; None if the system does not report it."""
    try:
        status = Path("/proc/self/status").read_text(encoding="ascii")
    except OSError:
        return None
    match = re.search(r"^RssAnon:\s+(\d+) kB", status, re.MULTILINE)
    return match and int(match[1]) * 1024


class MemoryBound:
    """Empties caches once they have grown too much; call `settle` after every computation.

    Growth is measured from the level after the last release, so libraries and tables that stay
    loaded do not count again.
    """

    def __init__(self) -> None:
        self._level = anonymous_bytes()

    def settle(self) -> None:
        """Drop mapped pages, and empty the caches if memory has grown too much."""
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
