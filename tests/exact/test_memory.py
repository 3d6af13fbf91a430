"""Large results are cached only while there is room, and recomputed after a release."""

from __future__ import annotations

import mmap
import sys
from pathlib import Path

import numpy as np
import pytest

from pitbook import load
from pitbook.exact import long_computations
from pitbook.exact.long_computations import (
    MemoryBound,
    anonymous_bytes,
    drop_pages,
    releasable_cache,
)
from pitbook.exact.sheet_figures import whole_round

LARGE = long_computations.GROWTH_MAX

linux = pytest.mark.skipif(sys.platform != "linux", reason="the memory is read from /proc")


@pytest.fixture
def caches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Caches of this test alone."""
    monkeypatch.setattr(long_computations, "_CACHES", [])


@linux
@pytest.mark.usefixtures("caches")
def test_caches_are_emptied_once_they_have_grown_too_large() -> None:
    @releasable_cache(maxsize=8)
    def ones(size: int) -> np.ndarray:
        return np.ones(size, np.int8)

    bound = MemoryBound()
    small = ones(1_000)
    bound.settle()
    assert ones(1_000) is small
    for number in range(4):
        ones(LARGE + number)
        bound.settle()
        assert anonymous_bytes() is not None
        assert (anonymous_bytes() or 0) < (bound._level or 0) + LARGE
    assert ones(1_000) is not small


@linux
@pytest.mark.usefixtures("caches")
def test_memory_that_stays_in_use_does_not_empty_caches_repeatedly() -> None:
    @releasable_cache(maxsize=8)
    def small(number: int) -> np.ndarray:
        return np.full(1_000, number)

    bound, library = MemoryBound(), np.ones(2 * LARGE, np.int8)
    bound.settle()
    result = small(1)
    for _ in range(3):
        bound.settle()
    assert small(1) is result
    assert library.all()


def test_caches_are_kept_if_memory_cannot_be_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(long_computations, "anonymous_bytes", lambda: None)
    monkeypatch.setattr(
        long_computations, "release_memory", lambda: pytest.fail("nobody knows how much it is")
    )
    MemoryBound().settle()


def test_pages_of_a_mapped_file_come_back(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(bytes(range(256)) * 1_024)
    with path.open("rb") as file:
        mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY)
    long_computations.track_map(mapped)
    read = np.frombuffer(mapped, np.uint8)
    before = read.sum()
    drop_pages()
    assert read.sum() == before


@pytest.mark.slow
def test_figures_are_the_same_after_a_release() -> None:
    sheet = load("louisiana-stud/stax-required")
    side = {wager: rule.stake.min for wager, rule in sheet.side.items()}
    ante = sheet.main_wager.min
    first = whole_round(sheet, ante, side)
    long_computations.release_memory()
    assert whole_round(sheet, ante, side) == first
