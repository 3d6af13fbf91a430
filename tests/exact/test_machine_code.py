"""Machine code is kept on disk; damaged files are replaced and never end a computation."""

from __future__ import annotations

from pathlib import Path

import pytest

from pitbook.exact.jit import compile_function


def doubled(number: int) -> int:
    return 2 * number


@pytest.mark.long
@pytest.mark.parametrize("suffix", ["nbi", "nbc"])
@pytest.mark.parametrize("length", [0, 10, 60, 500])
def test_machine_code_that_was_cut_short_is_compiled_again(
    tmp_path: Path, suffix: str, length: int
) -> None:
    assert compile_function(doubled, tmp_path)(4) == 8
    (path,) = tmp_path.rglob(f"*.{suffix}")
    whole = path.read_bytes()
    assert len(whole) > length
    path.write_bytes(whole[:length])
    assert compile_function(doubled, tmp_path)(5) == 10
    kept = compile_function(doubled, tmp_path)
    assert kept(6) == 12
    assert [*kept.stats.cache_hits.values()] == [1]  # type: ignore[attr-defined]
