"""A ledger file outside the data folder has its own disk, which is checked too."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from pitbook.house.ledger.data_folder import Folder
from pitbook.house.web.journal_health import FREE_BYTES_MIN, JournalHealth


@pytest.mark.parametrize("full", ["house", "far"])
def test_either_full_disk_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, full: str
) -> None:
    (tmp_path / "far").mkdir()
    usage = shutil.disk_usage

    def disk_usage(path: Path) -> Any:
        return usage(path)._replace(
            free=FREE_BYTES_MIN - 1 if Path(path).name == full else FREE_BYTES_MIN
        )

    with Folder.make(tmp_path / "house", f"sqlite:///{tmp_path / 'far' / 'book.db'}") as folder:
        journal_health = JournalHealth(folder)
        assert journal_health.problem() is None
        monkeypatch.setattr(shutil, "disk_usage", disk_usage)
        place = {"house": "data folder", "far": "ledger"}[full]
        message = f"The disk of the {place} is full (255 KiB left). Free up space."
        assert journal_health.problem() == message
