"""A book in a file elsewhere may have a full disk of its own; and so may the house's folder."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from pitbook.house.ledger.folder import Folder
from pitbook.house.web.journal_health import ROOM_MIN, JournalHealth


@pytest.mark.parametrize("full", ["house", "far"])
def test_either_disk_without_room_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, full: str
) -> None:
    (tmp_path / "far").mkdir()
    usage = shutil.disk_usage

    def used(path: Path) -> Any:
        return usage(path)._replace(free=ROOM_MIN - 1 if Path(path).name == full else ROOM_MIN)

    with Folder.make(tmp_path / "house", f"sqlite:///{tmp_path / 'far' / 'book.db'}") as folder:
        pulse = JournalHealth(folder)
        assert pulse.problem() is None
        monkeypatch.setattr(shutil, "disk_usage", used)
        what = {"house": "data folder", "far": "book"}[full]
        told = f"the disk of the {what} is full: 255 KiB are left; make room on it"
        assert pulse.problem() == told
