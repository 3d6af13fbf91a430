"""The printed results of the fault tests are what they found."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.chaos.results import HEADER, RESULTS_VARIABLE, markdown_table, read_results, result


def test_results_are_collected_and_the_largest_run_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "results.jsonl"
    monkeypatch.setenv(RESULTS_VARIABLE, str(file))
    for count, wrong in ((20, []), (1_000, ["one is lost", "another"]), (30, [])):
        result("kill", on="SQLite", count=count, what="kills", seed=7, wrong=wrong, acknowledged=9)
    result("kill", on="PostgreSQL", count=5, what="kills", seed="8-x", wrong=["a"], control=True)
    rows = read_results(file)
    assert [(row["on"], row["count"], row["wrong"]) for row in rows] == [
        ("PostgreSQL", 5, 1),
        ("SQLite", 1_000, 2),
    ]
    assert rows[1]["first"] == "one is lost"
    assert markdown_table(rows).splitlines() == [
        HEADER,
        "|---|---|--:|---|--:|--:|---|",
        "| kill | PostgreSQL | 5 | kills | 0 | 1, as it must | 8-x |",
        "| kill | SQLite | 1,000 | kills | 9 | 2 | 7 |",
    ]


def test_nothing_is_written_unless_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(RESULTS_VARIABLE, raising=False)
    monkeypatch.chdir(tmp_path)
    assert result("kill", on="SQLite", count=1, what="kills", seed=1)["wrong"] == 0
    assert list(tmp_path.iterdir()) == []
