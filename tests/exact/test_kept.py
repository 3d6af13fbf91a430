"""Counts are kept by structure, on disk; whatever happens to the disk, figures are the same."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
from tests.exact.fights import TCP, UTH, odd

from pitbook.exact import machine_code
from pitbook.exact.methods.chosen import chosen
from pitbook.exact.methods.duels import kept as on_disk
from pitbook.exact.methods.duels import machine
from pitbook.exact.methods.duels.kept import is_kept, kept
from pitbook.exact.methods.duels.terms import Terms
from pitbook.exact.methods.pairs.structure import shape
from pitbook.exact.working import LongCount, watched
from pitbook.games import bind

A = ("a",)


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(on_disk, "folder", lambda what: tmp_path)
    return tmp_path


def made(number: int) -> dict[str, np.ndarray]:
    return {"numbers": np.array([number])}


def never() -> dict[str, np.ndarray]:
    pytest.fail("it was made again")


def test_what_was_made_is_read(place: Path) -> None:
    assert not is_kept(A)
    assert kept(A, lambda: made(7), 0)["numbers"].tolist() == [7]
    assert is_kept(A)
    assert kept(A, never, 0)["numbers"].tolist() == [7]
    assert kept(("b",), lambda: made(8), 0)["numbers"].tolist() == [8]
    assert not list(place.glob(".*"))


@pytest.mark.parametrize("text", [b"", b"PK\x03\x04 no such file", b"torn"])
def test_what_cannot_be_read_is_made_again(place: Path, text: bytes) -> None:
    kept(A, lambda: made(7), 0)
    (path,) = place.glob("*.npz")
    path.write_bytes(text)
    assert kept(A, lambda: made(9), 0)["numbers"].tolist() == [9]
    assert kept(A, never, 0)["numbers"].tolist() == [9]


def test_what_a_killed_process_left_is_thrown_away(place: Path) -> None:
    old, new = place / ".a.1.npz", place / ".b.2.npz"
    for one in (old, new):
        one.write_bytes(b"half")
    os.utime(old, (0, 0))
    kept(A, lambda: made(7), 0)
    assert not old.exists()
    assert new.exists()


def test_what_takes_long_is_left_to_others_where_they_make_it(place: Path) -> None:
    with watched(lambda *_: None, seconds_max=2.0):
        with pytest.raises(LongCount):
            kept(A, never, 2.5)
        assert kept(A, lambda: made(7), 1.5)["numbers"].tolist() == [7]
        assert kept(A, never, 2.5)["numbers"].tolist() == [7]


def test_where_nothing_can_be_written_it_is_made_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(on_disk, "folder", lambda what: None)
    assert kept(A, lambda: made(7), 0)["numbers"].tolist() == [7]
    assert kept(A, lambda: made(8), 0)["numbers"].tolist() == [8]
    assert not is_kept(A)


def test_a_full_disk_costs_no_figures(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(np, "savez", full)
    assert kept(A, lambda: made(7), 0)["numbers"].tolist() == [7]
    assert not is_kept(A)


def test_folders_are_sought_where_the_user_keeps_such_things(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setattr(machine_code, "places", lambda: [tmp_path / "file", tmp_path / "kept"])
    find = machine.folder.__wrapped__
    found = find("counts")
    assert found is not None
    assert found.parent == tmp_path / "kept" / "pitbook"
    monkeypatch.setattr(machine_code, "places", list)
    assert find("counts") is None


@pytest.mark.usefixtures("place")
def test_a_check_does_not_begin_what_takes_long() -> None:
    """First figures that take more than seconds are left to `math`."""
    for sheet_id, long in ((TCP, False), (UTH, True)):
        game, method = chosen(odd(sheet_id, ()))
        assert bool(method.work(game)) == long


def test_other_pays_are_one_structure() -> None:
    one = bind(odd(TCP, ()))
    other = bind(odd(TCP, (('straight-flush = "5:1"', 'straight-flush = "4:1"'),)))
    assert one != other
    assert shape(one) == shape(other)
    assert Terms(one).fight == Terms(other).fight
