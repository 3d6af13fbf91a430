"""The record's answers are unchanged: a sample normally, everything in slow tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.golden_record import shelf
from tests.golden_record.__main__ import check_record
from tests.golden_record.adapter import fixed_environment
from tests.golden_record.all_kinds import KINDS
from tests.golden_record.compare import differences, value_differences
from tests.golden_record.kinds import Kind, numbered_names
from tests.golden_record.record import RECORD, RecordWriter, read


@pytest.fixture(autouse=True)
def fixed_settings() -> Iterator[None]:
    with fixed_environment():
        yield


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: str(kind.name))
def test_sample_matches_the_record(kind: Kind) -> None:
    assert check_record(kind, RECORD, whole=False) == []


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: str(kind.name))
def test_all_items_match_the_record(kind: Kind) -> None:
    assert check_record(kind, RECORD, whole=True) == []


@pytest.mark.slow
def test_record_has_every_batch() -> None:
    missing = [
        (kind.name, batch)
        for kind in KINDS
        for batch in kind.batches()
        if kind.names(batch) and batch not in read(RECORD, kind.name)["digests"]
    ]
    assert missing == []


def test_record_has_the_promised_size() -> None:
    names = {kind.name: kind for kind in KINDS}
    items = {
        name: sum(1 for _ in names[name].all_items()) for name in ("advise", "rounds", "files")
    }
    assert items["advise"] >= 2_000
    assert items["rounds"] + items["files"] >= 20_000
    assert len(shelf.sheet_ids()) == 28
    assert sum(file.stat().st_size for file in RECORD.iterdir()) < 3_000_000


@pytest.mark.parametrize(
    ("current", "grows", "expected"),
    [
        ({"a": 1, "b": [1, 2]}, False, []),
        ({"a": 2, "b": [1, 2]}, True, [(".a", 1, 2)]),
        ({"a": 1, "b": [1, 2], "c": 0}, True, []),
        ({"a": 1, "b": [1, 2], "c": 0}, False, [(".c", "(nothing)", 0)]),
        ({"a": 1}, True, [(".b", [1, 2], "(nothing)")]),
        ({"a": 1, "b": [1, 2, 3]}, True, [(".b", [1, 2], [1, 2, 3])]),
        ({"a": True, "b": [1, 2]}, True, [(".a", 1, True)]),
    ],
    ids=range(7),
)
def test_value_differences(current: object, grows: bool, expected: object) -> None:
    assert list(value_differences({"a": 1, "b": [1, 2]}, current, grows)) == expected


def test_difference_names_its_place_and_shows_recorded_text(tmp_path: Path) -> None:
    kind = Kind(
        "k", lambda: ("s",), numbered_names(2), lambda batch, name: {"p": {"x": name}}, keep=2
    )
    writer = RecordWriter(kind)
    for batch, name in kind.all_items():
        writer.add(batch, name, kind.make(batch, name))
    writer.write(tmp_path)
    for name, message in (("0", "k: s: 0: p.x: was "), ("1", "k: s: 1: p: digest ")):
        assert list(differences(kind, tmp_path, "s", name, {"p": {"x": name}})) == []
        (difference,) = differences(kind, tmp_path, "s", name, {"p": {"x": "9"}})
        assert difference.startswith(message)
        assert list(differences(kind, tmp_path, "s", name, {})) == [f"k: s: {name}: p: gone"]
