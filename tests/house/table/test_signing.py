"""Checkpoints are signed by time and count, even if the server is often killed."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from pitbook.house.ledger import data_folder as folders
from pitbook.house.ledger.anchors import anchor_at
from pitbook.house.ledger.data_folder import Folder
from pitbook.house.table import live_tables
from pitbook.house.table.live_tables import LiveTables
from pitbook.money import Cents

pytestmark = pytest.mark.long

Play = Callable[[LiveTables], Awaitable[None]]


def evening(path: Path, play: Play, *, killed: bool = False, anchor: Path | None = None) -> None:
    """Open a server, play, and close or kill it."""

    async def all_of_it() -> None:
        with Folder.make(path) as folder:
            folder.use_anchor(None if anchor is None else str(anchor))
            opened = LiveTables(folder)
            await opened.open()
            await play(opened)
            if not killed:
                await opened.close()

    asyncio.run(all_of_it())


async def buys(opened: LiveTables) -> None:
    await opened.cage.buy_in("ann", Cents(100), actor="kim")


def count_checkpoints(path: Path) -> int:
    with Folder.open(path) as folder:
        assert folder.verify().findings == ()
        return folder.verify().checkpoints


def test_repeatedly_killed_house_has_signed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "house"
    for before in (0, 1, 2):
        monkeypatch.setattr(folders, "age_seconds", lambda _: 61.0)
        evening(path, buys, killed=True)
        # What an earlier life left is signed at the start.
        assert count_checkpoints(path) == before
    with Folder.open(path) as folder:
        assert folder.verify().proved.unsigned_entries == 1  # What was bought after the last start.


def test_restart_within_a_minute_signs_nothing(tmp_path: Path) -> None:
    for _ in range(3):
        evening(tmp_path / "house", buys, killed=True)
    assert count_checkpoints(tmp_path / "house") == 1


def test_many_entries_are_signed_before_a_minute_is_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_tables, "SIGN_CHECK_SECONDS", 0.01)
    monkeypatch.setattr(live_tables, "SIGN_ENTRIES", 5)

    async def busy(opened: LiveTables) -> None:
        for _ in range(5):
            await buys(opened)
        async with asyncio.timeout(60):
            while not opened.folder.checkpoints:
                await asyncio.sleep(0.01)

    evening(tmp_path / "house", busy, killed=True)
    assert count_checkpoints(tmp_path / "house") == 1


def test_anchor_is_updated_when_a_house_opens_and_closes(tmp_path: Path) -> None:
    path, anchor = tmp_path / "house", tmp_path / "notary.jsonl"
    evening(path, buys, anchor=anchor)
    evening(path, buys, anchor=anchor)
    anchored = anchor_at(str(anchor), path).read()
    assert [(checkpoint.number, checkpoint.closed) for checkpoint in anchored] == [
        (1, False),  # There was none yet.
        (2, True),
        (2, False),  # Something is to come again.
        (3, True),
    ]
    with Folder.open(path) as folder:
        assert folder.verify(anchored=anchored).findings == ()
    evening(path, buys, killed=True, anchor=anchor)
    anchored = anchor_at(str(anchor), path).read()
    with Folder.open(path) as folder:
        verdict = folder.verify(anchored=anchored)
    # A claim of the cage, and a slip.
    assert (verdict.findings, verdict.proved.unsigned_entries) == ((), 2)
