"""Folders and files of other users, links, and root."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from tests.house.ledger.kit import refusal_of

from pitbook import private_files
from pitbook.house.ledger.data_folder import CHECKPOINTS_FILE, KEYS_FILE, Folder, restore_folder
from pitbook.house.ledger.locks import FolderLock, is_served

pytestmark = pytest.mark.skipif(os.name != "posix", reason="owners and modes are POSIX's")
administrator = pytest.mark.skipif(
    os.name != "posix" or os.geteuid() != 0, reason="only an administrator gives files away"
)
ANOTHER = 4_242


@pytest.fixture
def house(tmp_path: Path) -> Path:
    with Folder.make(tmp_path / "house") as folder, FolderLock(tmp_path / "house"):
        folder.sign()
    return tmp_path / "house"


@pytest.mark.long
def test_folder_of_another_user_is_refused(house: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if os.geteuid() == 0:
        os.chown(house, ANOTHER, ANOTHER)
    owner = private_files._user_name(house.stat().st_uid)
    monkeypatch.setattr(os, "geteuid", lambda: 4_343)
    message = f"{house}: it belongs to {owner}, who can read the casino's data. "
    assert refusal_of(private_files.check_private, house)[1] == f"{message}Run chown 4343 {house}"


@administrator
@pytest.mark.parametrize("name", ["pitbook.db", CHECKPOINTS_FILE, KEYS_FILE, "serve.lock"])
def test_file_of_another_user_is_refused(house: Path, name: str) -> None:
    os.chown(house / name, ANOTHER, ANOTHER)
    message = f"{house / name}: it belongs to {ANOTHER}, who can read the casino's data. "
    assert refusal_of(Folder.open, house)[1] == f"{message}Run chown root {house / name}"


@pytest.mark.long
@administrator
def test_root_leaves_no_file_the_house_cannot_read(house: Path) -> None:
    theirs = house.parent / "theirs"
    theirs.mkdir(mode=0o700)
    os.chown(theirs, ANOTHER, ANOTHER)
    with Folder.make(theirs) as folder, FolderLock(theirs):
        folder.sign()
        owners = {path.name: path.stat().st_uid for path in theirs.iterdir()}
    assert set(owners.values()) == {ANOTHER}, owners
    assert {
        "pitbook.db",
        "pitbook.db-wal",
        CHECKPOINTS_FILE,
        KEYS_FILE,
        "serve.lock",
    } <= owners.keys()


@administrator
def test_root_restore_keeps_files_readable_for_the_owner(house: Path) -> None:
    with Folder.open(house) as folder:
        folder.back_up(house.parent / "monday.zip", with_keys=True)
    theirs = house.parent / "theirs"
    theirs.mkdir(mode=0o700)
    os.chown(theirs, ANOTHER, ANOTHER)
    restore_folder(house.parent / "monday.zip", theirs)
    assert {path.stat().st_uid for path in theirs.iterdir()} == {ANOTHER}
    assert {"pitbook.db", CHECKPOINTS_FILE, KEYS_FILE} <= {path.name for path in theirs.iterdir()}


def test_backup_by_root_stays_private(house: Path) -> None:
    with Folder.open(house) as folder:
        folder.back_up(house.parent / "monday.zip", with_keys=True)
    assert (house.parent / "monday.zip").stat().st_uid == os.geteuid()


def test_files_beside_a_linked_ledger_are_checked(house: Path) -> None:
    elsewhere = house.parent / "large disk"
    elsewhere.mkdir()
    shutil.move(house / "pitbook.db", elsewhere / "book.db")
    (house / "pitbook.db").symlink_to(elsewhere / "book.db")
    Folder.open(house).close()
    (elsewhere / "book.db-journal").write_text("left by a crash")
    (elsewhere / "book.db-journal").chmod(0o644)
    _, message = refusal_of(Folder.open, house)
    assert message.endswith(f"chmod 600 '{elsewhere}/book.db-journal'")
    (elsewhere / "book.db-journal").unlink()
    (elsewhere / "book.db").chmod(0o604)
    assert refusal_of(Folder.open, house)[1].endswith(f"chmod 600 {house}/pitbook.db")


def test_link_to_an_open_folder_is_refused(house: Path) -> None:
    link = house.parent / "link"
    link.symlink_to(house)
    Folder.open(link).close()
    house.chmod(0o755)
    assert refusal_of(Folder.open, link)[1].endswith(f"chmod 700 {link}")


def test_folder_is_private_from_its_creation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = os.umask(0)
    monkeypatch.setattr(Path, "chmod", lambda *_: None)  # Nobody came to close it.
    private_files.make_folder(tmp_path / "house")
    os.umask(before)
    assert (tmp_path / "house").stat().st_mode & 0o777 == 0o700


def test_unopenable_folder_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def deny(_: Path) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "iterdir", deny)
    _, message = refusal_of(Folder.make, tmp_path)
    assert message == f"{tmp_path}: the folder cannot be opened: Permission denied"


def test_log_removed_during_the_check_is_ignored(
    house: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Path, "iterdir", lambda path: iter([path / "pitbook.db-shm"]))
    private_files.check_private(house)


def test_is_served_check_does_not_block_a_server(
    house: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import fcntl

    asking = (house / "serve.lock").open("rb")
    fcntl.flock(asking, fcntl.LOCK_SH)
    monkeypatch.setattr("pitbook.house.ledger.locks.time.sleep", lambda _: asking.close())
    with FolderLock(house):
        assert asking.closed
        assert is_served(house)
    assert not is_served(house)
