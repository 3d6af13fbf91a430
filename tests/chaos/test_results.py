"""What is printed of the fault tests is what they found."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.chaos.results import COLLECT, HEADER, read, result, table


def test_results_are_collected_and_the_largest_run_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "results.jsonl"
    monkeypatch.setenv(COLLECT, str(file))
    for count, wrong in ((20, []), (1_000, ["one is lost", "another"]), (30, [])):
        result("kill", on="SQLite", count=count, what="kills", seed=7, wrong=wrong, acknowledged=9)
    result("kill", on="PostgreSQL", count=5, what="kills", seed="8-x", wrong=["a"], control=True)
    shown = read(file)
    assert [(one["on"], one["count"], one["wrong"]) for one in shown] == [
        ("PostgreSQL", 5, 1),
        ("SQLite", 1_000, 2),
    ]
    assert shown[1]["first"] == "one is lost"
    assert table(shown).splitlines() == [
        HEADER,
        "|---|---|--:|---|--:|--:|---|",
        "| kill | PostgreSQL | 5 | kills | 0 | 1, as it must | 8-x |",
        "| kill | SQLite | 1,000 | kills | 9 | 2 | 7 |",
    ]


def test_nothing_is_written_unless_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(COLLECT, raising=False)
    monkeypatch.chdir(tmp_path)
    assert result("kill", on="SQLite", count=1, what="kills", seed=1)["wrong"] == 0
    assert list(tmp_path.iterdir()) == []
