"""Counts on disk, by the structure that they were made for: the next process reads them."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from pitbook.exact.methods.duels.machine import folder

__all__ = ["is_kept", "kept"]

Arrays = Mapping[str, NDArray[Any]]


def kept(structure: object, make: Callable[[], Arrays]) -> Arrays:
    """What was made for a structure before, or is now; where no disk takes it, it is made anew."""
    path = _path(structure)
    if path is None:
        return make()
    found = _read(path)
    if found is None:
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


def _read(path: Path) -> Arrays | None:
    try:
        with path.open("rb") as raw, np.load(raw, allow_pickle=False) as file:
            return {name: file[name] for name in file.files}
    except (OSError, ValueError, KeyError, EOFError, BadZipFile):
        return None


def _write(path: Path, arrays: Arrays) -> None:
    """Whole or not at all."""
    part = path.with_name(f".{path.stem}.{os.getpid()}.npz")
    try:
        np.savez(part, allow_pickle=False, **arrays)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
