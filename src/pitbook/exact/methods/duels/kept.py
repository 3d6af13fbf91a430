"""Counts on disk, by the structure that they were made for: the next process reads them."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from time import time
from typing import Any
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from pitbook.exact.methods.duels.machine import folder, needed
from pitbook.exact.working import left_to_others

__all__ = ["is_kept", "kept"]

LEFT_SECONDS = 3600.0
NamedArrays = Mapping[str, NDArray[Any]]


def kept(
    structure: tuple[object, ...], make: Callable[[], NamedArrays], seconds: float
) -> NamedArrays:
    """What was made for a structure before, or is now, in about so many seconds.

    Where no disk takes it, it is made anew.
    """
    path = _path(structure)
    if path is None:
        return make()
    found = _read(path)
    if found is None:
        needed()
        left_to_others(structure, seconds)
        found = make()
        with suppress(OSError):  # A full disk costs time, not figures.
            _write(path, found)
    return found


def is_kept(structure: object) -> bool:
    """Whether something was made for a structure before."""
    path = _path(structure)
    return path is not None and path.exists()


def _path(structure: object) -> Path | None:
    place = folder("counts")
    return place and place / f"{sha256(repr(structure).encode()).hexdigest()[:24]}.npz"


def _read(path: Path) -> NamedArrays | None:
    try:
        with path.open("rb") as raw, np.load(raw, allow_pickle=False) as file:
            return {name: file[name] for name in file.files}
    except (OSError, ValueError, KeyError, EOFError, BadZipFile):
        return None


def _write(path: Path, arrays: NamedArrays) -> None:
    """Whole or not at all; what a process left that was killed is thrown away."""
    for old in path.parent.glob(".*.npz"):
        with suppress(OSError):
            if time() - old.stat().st_mtime > LEFT_SECONDS:
                old.unlink()
    part = path.with_name(f".{path.stem}.{os.getpid()}.npz")
    try:
        np.savez(part, allow_pickle=False, **arrays)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
