"""Counts on disk, keyed by the structure they belong to. All processes map the same file.

A file is written under a temporary name and renamed, so it is complete or absent. It has a magic
line, the length of its index, the index as JSON, and the arrays. The index has the size and
checksum of the arrays, and a checksum of its own. A file never changes under its final name: two
processes that make the same counts at the same time write equal files, and the later one stays.
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
from importlib.util import find_spec
from math import prod
from pathlib import Path
from threading import get_ident
from time import time
from typing import Any, TypeVar
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from pitbook.exact.jit import cache_folder, compile_function
from pitbook.exact.long_computations import defer_long_count, track_map
from pitbook.extras import require_extra

COMPILE_SECONDS = 1.0  # At least.
UNFINISHED_SECONDS = 3600.0  # An unfinished file this old belongs to a process that was killed.
DISK_MAX = 4 * 2**30  # Bytes of all files; the least recently used are removed first.
SUFFIX = ".counts"
MAGIC = b"pitbook counts 1\n"
ALIGNMENT = 64
NamedArrays = Mapping[str, NDArray[Any]]


def load_or_count(
    structure: tuple[object, ...], make: Callable[[], NamedArrays], seconds: float
) -> NamedArrays:
    """The counts of a structure, mapped from disk, or made first if they are not stored.

    `seconds` is the approximate time to count. If no disk can store the counts, they stay in
    memory.
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
def code_key(method: str) -> tuple[str, ...]:
    """The key of the note that a method's machine code has been compiled."""
    return "code", method, version("numba"), sys.version


def defer_compiling(method: str) -> None:
    """Raise LongCount if a method should be compiled in another process, because Numba never
    releases the memory it compiles with.

    Already compiled code is loaded from disk. Does nothing without Numba.
    """
    if not has_numba():
        return
    if method not in _COMPILED_METHODS and counts_folder("counts") is not None:
        if not is_stored(code_key(method)):
            defer_long_count(code_key(method), COMPILE_SECONDS)
        _COMPILED_METHODS.add(method)


_COMPILED_METHODS: set[str] = set()


def is_stored(structure: object) -> bool:
    """Whether the counts of a structure are on disk."""
    path = _path(structure)
    return path is not None and path.exists()


def _path(structure: object) -> Path | None:
    folder = counts_folder("counts")
    return folder and folder / f"{sha256(repr(structure).encode()).hexdigest()[:24]}{SUFFIX}"


def _read(path: Path) -> NamedArrays | None:
    """The arrays of a file, mapped; None if there is no such file or it is damaged."""
    try:
        with path.open("rb") as file:
            if file.readline(len(MAGIC)) != MAGIC:
                return None
            size = os.fstat(file.fileno()).st_size
            index = json.loads(file.read(min(size, int(file.readline(20)))))
            start = _align(file.tell())
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
    with suppress(OSError):  # Record the time of last use.
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
        padded = _pad(array)
        checksum = crc32(padded[1], crc32(padded[0], checksum))
        offset = _align(offset + array.nbytes)
    index_body = {"size": offset, "checksum": checksum, "arrays": index}
    text = json.dumps({**index_body, "own": _own_checksum(index_body)}).encode()
    header = MAGIC + b"%d\n" % len(text) + text
    _make_room(path.parent, len(header) + offset)
    # Each thread has a file of its own: to truncate one that another has mapped is a bus error.
    temporary = path.with_name(f".{path.stem}.{os.getpid()}-{get_ident()}{SUFFIX}")
    try:
        with temporary.open("wb") as file:
            file.write(header.ljust(_align(len(header)), b"\0"))
            for array in arrays.values():
                for chunk in _pad(array):
                    file.write(chunk)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def _own_checksum(index: Mapping[str, Any]) -> int:
    """The checksum of an index: a wrong shape or type would misread correct counts."""
    return crc32(json.dumps([index[name] for name in ("size", "checksum", "arrays")]).encode())


def _pad(array: NDArray[Any]) -> tuple[Any, bytes]:
    """The bytes of an array, and the padding up to the next one."""
    raw = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
    return raw.data, bytes(_align(raw.nbytes) - raw.nbytes)


def _align(size: int) -> int:
    return -(-size // ALIGNMENT) * ALIGNMENT


def _make_room(folder: Path, size: int) -> None:
    """Remove leftovers of killed processes and older versions, then the least recently used."""
    used: list[tuple[float, int, Path]] = []
    for path in folder.iterdir():
        with suppress(OSError):
            stat = path.stat()
            unfinished = path.name.startswith(".")
            if path.suffix != SUFFIX or (
                unfinished and time() - stat.st_mtime > UNFINISHED_SECONDS
            ):
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


Kernel = TypeVar("Kernel", bound=Callable[..., Any])
FOLDER = Path(__file__).parent
COUNTING_FILES = (  # Counts are made again if one of these changes.
    "boards_kernels.py",
    "boards_sweep.py",
    "pairs_kernels.py",
    "pairs_kernels_numpy.py",
    "pairs_solve.py",
    "showdowns.py",
    "strength.py",
)


@cache
def has_numba() -> bool:
    """Whether Numba is installed."""
    return find_spec("numba") is not None


def require_numba() -> None:
    """Raise ExtraMissing without Numba: plain Python would count for days."""
    require_extra("numba")


def compile_kernel(function: Kernel) -> Kernel:
    """Compile a function to machine code."""
    return compile_function(function, counts_folder("counting"))


@cache
def counts_folder(purpose: str) -> Path | None:
    """The cache folder of these methods; None if none is writable."""
    return cache_folder(purpose, FOLDER, [FOLDER / name for name in COUNTING_FILES])
