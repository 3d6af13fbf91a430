"""A damaged anchor file: valid lines are read, and nothing fails."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

from pitbook.house.ledger.anchors import AnchoredCheckpoint, DatabaseAnchor, FileAnchor

ONE = AnchoredCheckpoint(
    "k" * 64, "c" * 64, 3, "h" * 64, "2026-11-16T12:00:00+00:00", 7, "d" * 64, True
)
OTHERS: tuple[Any, ...] = (None, "9", 9, 9.5, [], {}, True)


def test_anchor_line_with_a_wrong_type_is_ignored(tmp_path: Path) -> None:
    anchor = FileAnchor(tmp_path / "anchor.jsonl")
    anchor.add(ONE)
    whole = (tmp_path / "anchor.jsonl").read_text()
    for field, value in ONE._asdict().items():
        for other in (candidate for candidate in OTHERS if type(candidate) is not type(value)):
            line = json.dumps({**json.loads(whole), field: other})
            (tmp_path / "anchor.jsonl").write_text(f"{whole}{line}\n{'[' * 100_000}\n{whole}")
            assert anchor.read() == [ONE, ONE], (field, other)


def test_anchor_row_with_a_wrong_type_is_ignored(tmp_path: Path) -> None:
    file = tmp_path / "anchor.db"
    anchor = DatabaseAnchor(f"sqlite:///{file}")
    anchor.add(ONE)
    anchor.add(ONE)
    with sqlite3.connect(file) as rows:  # SQLite keeps what it is given.
        rows.execute("UPDATE pitbook_anchor SET number = 'many' WHERE id = 2")
    assert anchor.read() == [ONE]
