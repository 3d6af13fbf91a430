"""A server that lost checkpoints opens and logs it; later audits report them."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from pitbook.house.ledger.data_folder import CHECKPOINTS_FILE, Folder
from pitbook.house.settings import Settings
from pitbook.house.web.serve import check


def test_lost_checkpoints_are_logged_at_the_start(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with Folder.make(tmp_path / "house") as folder:
        folder.ledger.claim("cage")
        folder.sign()
        check(folder, Settings(data=folder.path))
        assert caplog.records == []
        (folder.path / CHECKPOINTS_FILE).unlink()
        check(folder, Settings(data=folder.path))
    (record,) = caplog.records
    assert (record.levelno, record.getMessage()) == (logging.ERROR, "checkpoints_lost")
