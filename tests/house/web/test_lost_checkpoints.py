"""A house that lost checkpoints opens, and says so: the audit finds it from then on."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from pitbook.house.ledger.folder import CHECKPOINTS, Folder
from pitbook.house.web.serve import check
from pitbook.house.web.settings import Settings


def test_lost_checkpoints_are_told_at_the_start(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with Folder.make(tmp_path / "house") as folder:
        folder.ledger.claim("cage")
        folder.sign()
        check(folder, Settings(data=folder.path))
        assert caplog.records == []
        (folder.path / CHECKPOINTS).unlink()
        check(folder, Settings(data=folder.path))
    (told,) = caplog.records
    assert (told.levelno, told.getMessage()) == (logging.ERROR, "checkpoints_lost")
