"""The disk under the power cuts is judged first, on bare SQLite, by what is known of SQLite."""

from __future__ import annotations

import random
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from tests.chaos.disk import SECTOR, Disk, File, Write, tear
from tests.chaos.vfs import engine, watched

COMMITS = 60
CUTS = 40


@pytest.mark.parametrize(
    ("journal", "synchronous"),
    [("WAL", "FULL"), ("DELETE", "EXTRA"), ("TRUNCATE", "FULL"), ("PERSIST", "FULL")],
)
def test_enough_sync_loses_nothing(
    journal: str, synchronous: str, luck: random.Random, tmp_path: Path
) -> None:
    assert broken_cuts(tmp_path, luck, journal, synchronous) == (0, 0)


@pytest.mark.parametrize(("journal", "synchronous"), [("WAL", "NORMAL"), ("DELETE", "FULL")])
def test_a_little_less_sync_loses_commits_and_keeps_the_file_whole(
    journal: str, synchronous: str, luck: random.Random, tmp_path: Path
) -> None:
    # A rollback journal that was deleted comes back, unless EXTRA syncs the folder.
    lost, corrupt = broken_cuts(tmp_path, luck, journal, synchronous)
    assert lost > 0
    assert corrupt == 0


@pytest.mark.parametrize("journal", ["WAL", "DELETE"])
def test_no_sync_corrupts(journal: str, luck: random.Random, tmp_path: Path) -> None:
    assert any(broken_cuts(folder, luck, journal, "OFF")[1] for folder in ten(tmp_path))


def test_the_standard_library_s_sqlite_is_cut_as_well(luck: random.Random, tmp_path: Path) -> None:
    assert broken_cuts(tmp_path, luck, "DELETE", "EXTRA", module=sqlite3) == (0, 0)
    assert any(
        broken_cuts(folder, luck, "DELETE", "OFF", module=sqlite3)[1] for folder in ten(tmp_path)
    )


def test_a_torn_write_ends_at_sectors_of_the_disk() -> None:
    content = bytes(range(256)) * 6
    parts = tear(Write(File(), 500, content))
    assert [(part.offset, len(part.content)) for part in parts if isinstance(part, Write)] == [
        (500, 12),
        (512, SECTOR),
        (1024, SECTOR),
    ]
    assert b"".join(part.content for part in parts if isinstance(part, Write)) == content[:1036]


def test_a_new_file_is_lost_until_it_or_its_folder_is_synced(tmp_path: Path) -> None:
    disk = Disk(tmp_path)
    first, second = disk.opened("first"), disk.opened("second")
    disk.written(first, 0, b"ink")
    assert durable(disk) == {}
    disk.synced(first, folder=False)
    assert durable(disk) == {"first": b"ink"}
    disk.synced(second, folder=True)
    assert durable(disk) == {"first": b"ink", "second": b""}
    disk.deleted("first", sync=False)
    assert durable(disk) == {"first": b"ink", "second": b""}
    disk.deleted("second", sync=True)
    assert durable(disk) == {}


def ten(tmp_path: Path) -> list[Path]:
    return [tmp_path / str(number) for number in range(10)]


def durable(disk: Disk) -> dict[str, bytes]:
    return {name: bytes(file.content) for name, file in disk.names.items()}


def broken_cuts(
    tmp_path: Path, luck: random.Random, journal: str, synchronous: str, module: Any = None
) -> tuple[int, int]:
    """How many cuts lost an acknowledged commit, and how many left a corrupt file."""
    work = tmp_path / f"{journal}-{synchronous}"
    work.mkdir(parents=True)
    module = module or engine()
    images: list[tuple[Path, int]] = []
    with watched(Disk(work), module) as disk:
        commit_under_cuts(disk, module, luck, images, (journal, synchronous))
    assert len(images) > CUTS // 3
    found = [judged(module, folder, acknowledged) for folder, acknowledged in images]
    return sum(lost for lost, _ in found), sum(corrupt for _, corrupt in found)


def commit_under_cuts(
    disk: Disk,
    module: Any,
    luck: random.Random,
    images: list[tuple[Path, int]],
    pragmas: tuple[str, str],
) -> None:
    acknowledged = 0

    def cut() -> None:
        if acknowledged and luck.random() < CUTS / (COMMITS * 8):
            folder = disk.folder.with_name(f"{disk.folder.name}-{len(images)}")
            images.append((disk.after_power_cut(luck, folder), acknowledged))

    disk.watcher = cut
    book = module.connect(disk.folder / "book.db", isolation_level=None)
    book.execute(f"PRAGMA journal_mode={pragmas[0]}")
    book.execute(f"PRAGMA synchronous={pragmas[1]}")
    book.execute("PRAGMA wal_autocheckpoint=20")
    book.execute("CREATE TABLE IF NOT EXISTS line (id INTEGER PRIMARY KEY, text TEXT, mark TEXT)")
    book.execute("CREATE INDEX IF NOT EXISTS by_mark ON line (mark)")
    for number in range(1, COMMITS + 1):
        mark = luck.randbytes(20).hex()
        book.execute("INSERT INTO line VALUES (?, ?, ?)", (number, "x" * 900, mark))
        acknowledged = number
    book.close()


def judged(module: Any, folder: Path, acknowledged: int) -> tuple[bool, bool]:
    book = module.connect(folder / "book.db")
    try:
        sound = book.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        held = book.execute("SELECT count(*) FROM line WHERE id <= ?", (acknowledged,)).fetchone()
        return held[0] < acknowledged, not sound
    except module.DatabaseError as error:
        return True, "no such table" not in str(error)  # The table itself may be lost, too.
    finally:
        book.close()
