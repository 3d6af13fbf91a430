"""Checks the simulated disk itself on bare SQLite, against SQLite's documented guarantees."""

from __future__ import annotations

import random
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from tests.chaos.disk import SECTOR, Disk, File, Write, tear
from tests.chaos.vfs import engine, watch_disk

COMMITS = 60
CUTS = 40


@pytest.mark.parametrize(
    ("journal", "synchronous"),
    [("WAL", "FULL"), ("DELETE", "EXTRA"), ("TRUNCATE", "FULL"), ("PERSIST", "FULL")],
)
def test_full_sync_loses_nothing(
    journal: str, synchronous: str, rng: random.Random, tmp_path: Path
) -> None:
    assert broken_cuts(tmp_path, rng, journal, synchronous) == (0, 0)


@pytest.mark.parametrize(("journal", "synchronous"), [("WAL", "NORMAL"), ("DELETE", "FULL")])
def test_less_sync_loses_commits_but_does_not_corrupt(
    journal: str, synchronous: str, rng: random.Random, tmp_path: Path
) -> None:
    # A deleted rollback journal comes back unless EXTRA syncs the folder.
    lost, corrupt = broken_cuts(tmp_path, rng, journal, synchronous)
    assert lost > 0
    assert corrupt == 0


@pytest.mark.parametrize("journal", ["WAL", "DELETE"])
def test_missing_sync_corrupts_the_file(journal: str, rng: random.Random, tmp_path: Path) -> None:
    assert any(broken_cuts(folder, rng, journal, "OFF")[1] for folder in ten_folders(tmp_path))


def test_standard_library_sqlite_is_cut_too(rng: random.Random, tmp_path: Path) -> None:
    assert broken_cuts(tmp_path, rng, "DELETE", "EXTRA", module=sqlite3) == (0, 0)
    assert any(
        broken_cuts(folder, rng, "DELETE", "OFF", module=sqlite3)[1]
        for folder in ten_folders(tmp_path)
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
    first, second = disk.open_file("first"), disk.open_file("second")
    disk.write(first, 0, b"ink")
    assert durable_files(disk) == {}
    disk.sync(first, folder=False)
    assert durable_files(disk) == {"first": b"ink"}
    disk.sync(second, folder=True)
    assert durable_files(disk) == {"first": b"ink", "second": b""}
    disk.delete("first", sync=False)
    assert durable_files(disk) == {"first": b"ink", "second": b""}
    disk.delete("second", sync=True)
    assert durable_files(disk) == {}


def ten_folders(tmp_path: Path) -> list[Path]:
    return [tmp_path / str(number) for number in range(10)]


def durable_files(disk: Disk) -> dict[str, bytes]:
    return {name: bytes(file.content) for name, file in disk.names.items()}


def broken_cuts(
    tmp_path: Path, rng: random.Random, journal: str, synchronous: str, module: Any = None
) -> tuple[int, int]:
    """The number of cuts that lost an acknowledged commit, and that left a corrupt file."""
    work = tmp_path / f"{journal}-{synchronous}"
    work.mkdir(parents=True)
    module = module or engine()
    images: list[tuple[Path, int]] = []
    with watch_disk(Disk(work), module) as disk:
        commit_under_cuts(disk, module, rng, images, (journal, synchronous))
    assert len(images) > CUTS // 3
    verdicts = [image_errors(module, folder, acknowledged) for folder, acknowledged in images]
    return sum(lost for lost, _ in verdicts), sum(corrupt for _, corrupt in verdicts)


def commit_under_cuts(
    disk: Disk,
    module: Any,
    rng: random.Random,
    images: list[tuple[Path, int]],
    pragmas: tuple[str, str],
) -> None:
    acknowledged = 0

    def take_image() -> None:
        if acknowledged and rng.random() < CUTS / (COMMITS * 8):
            folder = disk.folder.with_name(f"{disk.folder.name}-{len(images)}")
            images.append((disk.after_power_cut(rng, folder), acknowledged))

    disk.watcher = take_image
    connection = module.connect(disk.folder / "book.db", isolation_level=None)
    connection.execute(f"PRAGMA journal_mode={pragmas[0]}")
    connection.execute(f"PRAGMA synchronous={pragmas[1]}")
    connection.execute("PRAGMA wal_autocheckpoint=20")
    connection.execute(
        "CREATE TABLE IF NOT EXISTS line (id INTEGER PRIMARY KEY, text TEXT, mark TEXT)"
    )
    connection.execute("CREATE INDEX IF NOT EXISTS by_mark ON line (mark)")
    for number in range(1, COMMITS + 1):
        mark = rng.randbytes(20).hex()
        connection.execute("INSERT INTO line VALUES (?, ?, ?)", (number, "x" * 900, mark))
        acknowledged = number
    connection.close()


def image_errors(module: Any, folder: Path, acknowledged: int) -> tuple[bool, bool]:
    connection = module.connect(folder / "book.db")
    try:
        intact = connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        counts = connection.execute(
            "SELECT count(*) FROM line WHERE id <= ?", (acknowledged,)
        ).fetchone()
        return counts[0] < acknowledged, not intact
    except module.DatabaseError as error:
        return True, "no such table" not in str(error)  # The table itself may be lost, too.
    finally:
        connection.close()
