"""Counts are stored on disk by structure, and disk failures do not change any figure."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import numpy as np
import pytest
from tests.exact.duels import TCP, UTH, changed_sheet

from pitbook.exact import jit, long_computations
from pitbook.exact.long_computations import LongCount, watch_work
from pitbook.exact.methods.choose import choose_method
from pitbook.exact.methods.dealer import stored_counts
from pitbook.exact.methods.dealer.pairs_solve import required_shape
from pitbook.exact.methods.dealer.stored_counts import is_stored, load_or_count
from pitbook.exact.methods.dealer.structure import Terms
from pitbook.rules.game import compile_game

KEY = ("a",)


@pytest.fixture
def counts_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(stored_counts, "counts_folder", lambda what: tmp_path)
    return tmp_path


def number_arrays(number: int) -> dict[str, np.ndarray]:
    return {"numbers": np.array([number])}


def fail_if_called() -> dict[str, np.ndarray]:
    pytest.fail("it was made again")


def count_files(folder: Path) -> list[Path]:
    return sorted(folder.glob("[!.]*.counts"))


def test_counts_are_made_once(counts_path: Path) -> None:
    assert not is_stored(KEY)
    assert load_or_count(KEY, lambda: number_arrays(7), 0)["numbers"].tolist() == [7]
    assert is_stored(KEY)
    assert load_or_count(KEY, fail_if_called, 0)["numbers"].tolist() == [7]
    assert load_or_count(("b",), lambda: number_arrays(8), 0)["numbers"].tolist() == [8]
    assert not list(counts_path.glob(".*"))


@pytest.mark.usefixtures("counts_path")
def test_arrays_are_read_back_unchanged() -> None:
    arrays = {
        "total": np.array(7),
        "none": np.zeros((0, 3), np.int16),
        "rows": np.arange(12, dtype=np.int32).reshape(3, 4),
        "turned": np.arange(12, dtype=np.uint8).reshape(3, 4).T,
        "last": np.zeros(0, np.int8),
    }
    load_or_count(KEY, lambda: arrays, 0)
    read = load_or_count(KEY, fail_if_called, 0)
    assert list(read) == list(arrays)
    for name, array in arrays.items():
        assert read[name].dtype == array.dtype, name
        assert read[name].shape == array.shape, name
        assert (read[name] == array).all(), name
        assert read[name].flags.c_contiguous, name  # Compiled code accepts no other layout.
    assert load_or_count(("nothing",), dict, 0) == {}
    assert load_or_count(("nothing",), fail_if_called, 0) == {}


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"PK\x03\x04 another file",
        stored_counts.MAGIC,
        stored_counts.MAGIC + b"x\n{}",
        stored_counts.MAGIC + b"2\n{}",
        stored_counts.MAGIC + b"-1\n{}",
        stored_counts.MAGIC + b"4\nnull",
        stored_counts.MAGIC + b"9999999999999999999\n{}",
    ],
)
def test_damaged_file_is_replaced(counts_path: Path, text: bytes) -> None:
    load_or_count(KEY, lambda: number_arrays(7), 0)
    (path,) = count_files(counts_path)
    path.write_bytes(text)
    assert load_or_count(KEY, lambda: number_arrays(9), 0)["numbers"].tolist() == [9]
    assert load_or_count(KEY, fail_if_called, 0)["numbers"].tolist() == [9]


def test_corrupt_or_truncated_file_is_replaced(counts_path: Path) -> None:
    load_or_count(KEY, lambda: number_arrays(7), 0)
    (path,) = count_files(counts_path)
    content = path.read_bytes()
    offset = content.rindex(b"\x07")
    for number, text in enumerate(
        (content[:offset] + b"\x06" + content[offset + 1 :], content[:-1]), start=10
    ):
        path.unlink()  # It is mapped, so a new file must replace it.
        path.write_bytes(text)
        assert load_or_count(KEY, lambda: number_arrays(number), 0)["numbers"].tolist() == [number]  # noqa: B023


def test_flipped_bit_never_changes_a_count(counts_path: Path) -> None:
    counts = {"numbers": np.arange(6, dtype=np.int64).reshape(2, 3), "more": np.array([7, 8])}
    load_or_count(KEY, lambda: counts, 0)
    (path,) = count_files(counts_path)
    content = path.read_bytes()
    for bit in range(8 * len(content)):
        damaged = bytearray(content)
        damaged[bit // 8] ^= 1 << bit % 8
        path.unlink()  # It is mapped, so a new file must replace it.
        path.write_bytes(damaged)
        read = stored_counts._read(path)
        assert read is None or equal_counts(read, counts), bit


def equal_counts(actual: stored_counts.NamedArrays, counts: stored_counts.NamedArrays) -> bool:
    return list(actual) == list(counts) and all(
        actual[name].dtype == array.dtype and np.array_equal(actual[name], array)
        for name, array in counts.items()
    )


def test_counts_in_use_outlive_their_file(counts_path: Path) -> None:
    first = load_or_count(KEY, lambda: number_arrays(7), 0)
    (path,) = count_files(counts_path)
    path.unlink()
    second = load_or_count(KEY, lambda: number_arrays(8), 0)
    long_computations.drop_pages()
    assert (first["numbers"].tolist(), second["numbers"].tolist()) == ([7], [8])


def test_files_left_by_killed_processes_and_older_versions_are_removed(counts_path: Path) -> None:
    old, new, other_format = (
        counts_path / ".a.1.counts",
        counts_path / ".b.2.counts",
        counts_path / "c.npz",
    )
    for path in (old, new, other_format):
        path.write_bytes(b"half")
    os.utime(old, (0, 0))
    load_or_count(KEY, lambda: number_arrays(7), 0)
    assert not old.exists()
    assert new.exists()
    assert not other_format.exists()


def test_least_recently_used_files_are_removed_first(
    counts_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Uploading one sheet after the other does not fill the disk."""
    monkeypatch.setattr(stored_counts, "DISK_MAX", 20_000)
    numbers = np.zeros(1_000, np.int64)
    for day in range(10):
        load_or_count((day,), lambda: {"numbers": numbers}, 0)
        newest = max(count_files(counts_path), key=lambda path: path.stat().st_mtime_ns)
        os.utime(newest, (day, day))
        if day:
            load_or_count((0,), fail_if_called, 0)  # Using a file keeps it from being removed.
            os.utime(stored_counts._path((0,)) or counts_path, (100, 100))
    assert len(count_files(counts_path)) == 2
    assert is_stored((0,))
    assert is_stored((9,))


def test_processes_may_write_at_once(counts_path: Path) -> None:
    """Each process reads complete counts, and no temporary file is left."""
    code = f"""
from pathlib import Path
import numpy as np
from pitbook.exact.methods.dealer import stored_counts
stored_counts.counts_folder = lambda what: Path({str(counts_path)!r})
for number in range(60):
    def make():
        return {{"numbers": np.full(50_000, number)}}
    numbers = stored_counts.load_or_count((number,), make, 0)["numbers"]
    assert (numbers == number).all() and len(numbers) == 50_000
"""
    processes = [subprocess.Popen([sys.executable, "-c", code]) for _ in range(3)]
    assert [process.wait(60) for process in processes] == [0, 0, 0]
    assert len(count_files(counts_path)) == 60
    assert not list(counts_path.glob(".*"))


@pytest.mark.skipif(sys.platform != "linux", reason="the memory is read from /proc")
def test_mapped_counts_use_no_private_memory(counts_path: Path) -> None:
    """A process that has read 64 MiB of counts keeps none of it in private memory."""
    code = f"""
from pathlib import Path
import numpy as np
from pitbook.exact import long_computations as work
from pitbook.exact.methods.dealer import stored_counts
stored_counts.counts_folder = lambda what: Path({str(counts_path)!r})
def make():
    return {{"numbers": np.arange(2**23)}}
stored_counts.load_or_count(("large",), make, 0)
before = work.anonymous_bytes()
read = stored_counts.load_or_count(("large",), None, 0)["numbers"]
assert read.sum() == 2**22 * (2**23 - 1)
work.drop_pages()
print(work.anonymous_bytes() - before)
print(Path("/proc/self/smaps_rollup").read_text())
assert read[-1] == 2**23 - 1
"""
    result = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True
    )
    assert int(result.stdout.splitlines()[0]) < 2**20
    private = re.findall(r"Private_\w+:\s+(\d+) kB", result.stdout)
    assert sum(map(int, private)) < 64 * 1024


def test_two_threads_write_the_same_counts_to_separate_files(
    counts_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One file for both would be truncated while the other thread has it mapped."""
    both_write, unfinished = Barrier(2, timeout=30), []

    def wait_for_the_other(_: int) -> None:
        both_write.wait()
        unfinished.append(len([*counts_path.glob(".*")]))
        both_write.wait()

    monkeypatch.setattr(os, "fsync", wait_for_the_other)
    with ThreadPoolExecutor(2) as threads:
        counts = [
            threads.submit(load_or_count, ("same",), lambda: {"numbers": np.arange(9)}, 0)
            for _ in range(2)
        ]
        assert [int(count.result()["numbers"].sum()) for count in counts] == [36, 36]
    assert unfinished == [2, 2]


def test_long_counts_are_deferred_unless_stored(counts_path: Path) -> None:
    with watch_work(lambda *_: None, seconds_max=2.0):
        with pytest.raises(LongCount):
            load_or_count(KEY, fail_if_called, 2.5)
        assert load_or_count(KEY, lambda: number_arrays(7), 1.5)["numbers"].tolist() == [7]
        assert load_or_count(KEY, fail_if_called, 2.5)["numbers"].tolist() == [7]


def test_counts_are_made_each_time_without_a_cache_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stored_counts, "counts_folder", lambda what: None)
    assert load_or_count(KEY, lambda: number_arrays(7), 0)["numbers"].tolist() == [7]
    assert load_or_count(KEY, lambda: number_arrays(8), 0)["numbers"].tolist() == [8]
    assert not is_stored(KEY)


def test_full_disk_does_not_prevent_figures(
    counts_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail_disk_full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail_disk_full)
    assert load_or_count(KEY, lambda: number_arrays(7), 0)["numbers"].tolist() == [7]
    assert not is_stored(KEY)
    assert not list(counts_path.iterdir())


def test_cache_folder_is_the_first_writable_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setattr(jit, "cache_places", lambda: [tmp_path / "file", tmp_path / "kept"])
    find_folder = stored_counts.counts_folder.__wrapped__
    folder = find_folder("counts")
    assert folder is not None
    assert folder.parent == tmp_path / "kept" / "pitbook"
    monkeypatch.setattr(jit, "cache_places", list)
    assert find_folder("counts") is None


@pytest.mark.usefixtures("counts_path")
def test_slow_work_is_known_in_advance() -> None:
    """First figures that take more than seconds are left to `math`."""
    for sheet_id, is_slow in ((TCP, False), (UTH, True)):
        game, method = choose_method(changed_sheet(sheet_id, ()))
        assert bool(method.slow_work(game)) == is_slow


def test_changed_pays_have_the_same_structure() -> None:
    game = compile_game(changed_sheet(TCP, ()))
    changed_game = compile_game(
        changed_sheet(TCP, (('straight-flush = "5:1"', 'straight-flush = "4:1"'),))
    )
    assert game != changed_game
    assert required_shape(game) == required_shape(changed_game)
    assert Terms(game).dealer_game == Terms(changed_game).dealer_game


def test_a_server_without_a_cache_folder_falls_back_to_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("in the way")
    for name in ("NUMBA_CACHE_DIR", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.setenv(name, str(tmp_path / "file"))
    monkeypatch.setattr(Path, "home", lambda: tmp_path / "file")
    jit.set_fallback_cache(tmp_path / "data" / "cache")
    folder = stored_counts.counts_folder.__wrapped__("counts")
    assert folder is not None
    assert folder.parent == tmp_path / "data" / "cache" / "pitbook"
    jit.set_fallback_cache(tmp_path / "other")  # The existing folder is writable.
    assert stored_counts.counts_folder.__wrapped__("counts") == folder
