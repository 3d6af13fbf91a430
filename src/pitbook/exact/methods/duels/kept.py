"""Counts on disk, keyed by the structure they belong to. All processes map the same file.

A file is written under a temporary name and renamed, so that it is whole or not there. It has a
line that says what it is, the length of its index, the index as JSON, and the arrays. The index has
the size and the checksum of the arrays, and a checksum of its own. Nothing in a file changes once
it has its name: two processes that count the same thing at once write equal files, and the later
one stays.
"""

from __future__ import annotations

import json
import mmap
import os
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from math import prod
from pathlib import Path
from time import time
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from pitbook.exact.memory import track_map
from pitbook.exact.methods.duels.machine import folder, needed
from pitbook.exact.working import defer_long_count

__all__ = ["code_structure", "defer_compiling", "is_kept", "kept"]

COMPILE_SECONDS = 1.0  # At the least.
LEFT_SECONDS = 3600.0  # An unfinished file this old belongs to a process that was killed.
DISK_MAX = 4 * 2**30  # Bytes of all files; the least recently used are removed first.
SUFFIX = ".counts"
MAGIC = b"pitbook counts 1\n"
ALIGNED = 64
NamedArrays = Mapping[str, NDArray[Any]]


def kept(
    structure: tuple[object, ...], make: Callable[[], NamedArrays], seconds: float
) -> NamedArrays:
    """The counts of a structure, mapped from disk; counted first if they are not there.

    Counting takes about so many seconds. If no disk takes the counts, they stay in memory.
    """
    path = _path(structure)
    if path is None:
        return make()
    counts = _read(path)
    if counts is None:
        defer_long_count(structure, seconds)
        counts = make()
        with suppress(OSError):  # A full disk costs time and memory, but no figures.
            _write(path, counts)
            counts = _read(path) or counts
    return counts


@cache
def code_structure(method: str) -> tuple[str, ...]:
    """The key of the note that a method's machine code has been compiled."""
    return "code", method, version("numba"), sys.version


def defer_compiling(method: str) -> None:
    """Raise LongCount if another process should compile: a compiler never frees its memory.

    Code that was compiled before is read from disk.
    """
    needed()
    if method not in _COMPILED and folder("counts") is not None:
        if not is_kept(code_structure(method)):
            defer_long_count(code_structure(method), COMPILE_SECONDS)
        _COMPILED.add(method)


_COMPILED: set[str] = set()


def is_kept(structure: object) -> bool:
    """Whether the counts of a structure are on disk."""
    path = _path(structure)
    return path is not None and path.exists()


def _path(structure: object) -> Path | None:
    place = folder("counts")
    return place and place / f"{sha256(repr(structure).encode()).hexdigest()[:24]}{SUFFIX}"


def _read(path: Path) -> NamedArrays | None:
    """The arrays of a file, mapped; None if there is no such file or it is damaged."""
    try:
        with path.open("rb") as file:
            if file.readline(len(MAGIC)) != MAGIC:
                return None
            size = os.fstat(file.fileno()).st_size
            index = json.loads(file.read(min(size, int(file.readline(20)))))
            start = _aligned(file.tell())
            if index["own"] != _own_checksum(index) or size != start + index["size"]:
                return None
            # Nothing writes to the map; compiled code accepts it like any writable array.
            mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY)
        with memoryview(mapped) as view, view[start:] as body:
            if crc32(body) != index["checksum"]:
                return None
        arrays = {name: _array(mapped, start, *place) for name, *place in index["arrays"]}
    except (OSError, ValueError, KeyError, TypeError):
        return None
    with suppress(OSError):  # The time of its last use.
        os.utime(path)
    track_map(mapped)
    return arrays


def _array(
    mapped: mmap.mmap, start: int, dtype: str, shape: list[int], offset: int
) -> NDArray[Any]:
    flat = np.frombuffer(mapped, dtype, prod(shape), start + offset)
    return flat.reshape(shape)


def _write(path: Path, arrays: NamedArrays) -> None:
    """Write a file atomically, after making room for it."""
    offset, index, checksum = 0, [], 0
    for name, array in arrays.items():
        index.append((name, array.dtype.str, array.shape, offset))
        padded = _padded(array)
        checksum = crc32(padded[1], crc32(padded[0], checksum))
        offset = _aligned(offset + array.nbytes)
    whole = {"size": offset, "checksum": checksum, "arrays": index}
    text = json.dumps({**whole, "own": _own_checksum(whole)}).encode()
    head = MAGIC + b"%d\n" % len(text) + text
    _make_room(path.parent, len(head) + offset)
    part = path.with_name(f".{path.stem}.{os.getpid()}{SUFFIX}")
    try:
        with part.open("wb") as file:
            file.write(head.ljust(_aligned(len(head)), b"\0"))
            for array in arrays.values():
                for data in _padded(array):
                    file.write(data)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def _own_checksum(index: Mapping[str, Any]) -> int:
    """The checksum of an index; a wrong shape or type would turn right counts into wrong ones."""
    return crc32(json.dumps([index[name] for name in ("size", "checksum", "arrays")]).encode())


def _padded(array: NDArray[Any]) -> tuple[Any, bytes]:
    """The bytes of an array, and the padding up to the next one."""
    raw = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
    return raw.data, bytes(_aligned(raw.nbytes) - raw.nbytes)


def _aligned(size: int) -> int:
    return -(-size // ALIGNED) * ALIGNED


def _make_room(place: Path, size: int) -> None:
    """Remove leftovers of killed processes and older versions, then the least recently used."""
    used: list[tuple[float, int, Path]] = []
    for path in place.iterdir():
        with suppress(OSError):
            stat = path.stat()
            unfinished = path.name.startswith(".")
            if path.suffix != SUFFIX or (unfinished and time() - stat.st_mtime > LEFT_SECONDS):
                path.unlink()
            elif not unfinished:
                used.append((stat.st_mtime, stat.st_size, path))
    free = DISK_MAX - size - sum(bytes_ for _, bytes_, _ in used)
    for _, bytes_, path in sorted(used):
        if free >= 0:
            break
        with suppress(OSError):  # Windows does not remove a mapped file.
            path.unlink()
            free += bytes_
