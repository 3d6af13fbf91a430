"""Everything answers as it did before the core was rebuilt: a sample here, the whole when slow."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.golden_record import shelf
from tests.golden_record.__main__ import checked
from tests.golden_record.adapter import settled_environment
from tests.golden_record.catalogue import KINDS
from tests.golden_record.compare import differences, unlike
from tests.golden_record.kinds import Kind, numbered
from tests.golden_record.record import RECORD, Writing, read


@pytest.fixture(autouse=True)
def settled() -> Iterator[None]:
    with settled_environment():
        yield


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: str(kind.name))
def test_a_sample_is_as_it_was(kind: Kind) -> None:
    assert checked(kind, RECORD, whole=False) == []


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: str(kind.name))
def test_everything_is_as_it_was(kind: Kind) -> None:
    assert checked(kind, RECORD, whole=True) == []


@pytest.mark.slow
def test_the_record_has_every_item() -> None:
    missing = [
        (kind.name, batch)
        for kind in KINDS
        for batch in kind.batches()
        if kind.names(batch) and batch not in read(RECORD, kind.name)["digests"]
    ]
    assert missing == []


def test_it_is_as_large_as_promised() -> None:
    names = {one.name: one for one in KINDS}
    items = {name: sum(1 for _ in names[name].whole()) for name in ("advise", "rounds", "files")}
    assert items["advise"] >= 2_000
    assert items["rounds"] + items["files"] >= 20_000
    assert len(shelf.ids()) == 28
    assert sum(one.stat().st_size for one in RECORD.iterdir()) < 3_000_000


@pytest.mark.parametrize(
    ("after", "grows", "found"),
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
def test_what_counts_as_a_difference(after: object, grows: bool, found: object) -> None:
    assert list(unlike({"a": 1, "b": [1, 2]}, after, grows)) == found


def test_a_difference_names_its_place_and_shows_it_where_the_text_is_kept(tmp_path: Path) -> None:
    kind = Kind("k", lambda: ("s",), numbered(2), lambda batch, name: {"p": {"x": name}}, keep=2)
    writing = Writing(kind)
    for batch, name in kind.whole():
        writing.add(batch, name, kind.make(batch, name))
    writing.write(tmp_path)
    for name, told in (("0", "k: s: 0: p.x: was "), ("1", "k: s: 1: p: digest ")):
        assert list(differences(kind, tmp_path, "s", name, {"p": {"x": name}})) == []
        (one,) = differences(kind, tmp_path, "s", name, {"p": {"x": "9"}})
        assert one.startswith(told)
        assert list(differences(kind, tmp_path, "s", name, {})) == [f"k: s: {name}: p: gone"]
