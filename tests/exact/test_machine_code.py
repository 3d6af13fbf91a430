"""Machine code is cached on disk; damaged files are replaced and never stop a computation."""

from __future__ import annotations

from pathlib import Path

import pytest

from pitbook.exact.jit import compile_function


def double(number: int) -> int:
    return 2 * number


@pytest.mark.long
@pytest.mark.parametrize("suffix", ["nbi", "nbc"])
@pytest.mark.parametrize("length", [0, 10, 60, 500])
def test_truncated_machine_code_is_compiled_again(tmp_path: Path, suffix: str, length: int) -> None:
    assert compile_function(double, tmp_path)(4) == 8
    (path,) = tmp_path.rglob(f"*.{suffix}")
    content = path.read_bytes()
    assert len(content) > length
    path.write_bytes(content[:length])
    assert compile_function(double, tmp_path)(5) == 10
    cached = compile_function(double, tmp_path)
    assert cached(6) == 12
    assert [*cached.stats.cache_hits.values()] == [1]  # type: ignore[attr-defined]
