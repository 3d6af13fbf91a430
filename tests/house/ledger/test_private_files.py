"""Files are private with any umask; looser modes are refused."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.command_line import Ask
from tests.house.ledger.kit import refusal_of

from pitbook.cli.options import write_text
from pitbook.house.ledger.data_folder import Folder, restore_folder
from pitbook.house.ledger.locks import FolderLock

pytestmark = pytest.mark.skipif(os.name != "posix", reason="modes are POSIX's")


@pytest.fixture(params=[0o000, 0o022, 0o277], ids=oct)
def umask(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[None]:
    before = os.umask(request.param)
    yield
    os.umask(before)


def modes(folder: Path) -> dict[str, str]:
    modes_by_name = {path.name: oct(path.stat().st_mode & 0o777) for path in folder.iterdir()}
    return modes_by_name | {".": oct(folder.stat().st_mode & 0o777)}


@pytest.mark.long
@pytest.mark.usefixtures("umask")
def test_folder_and_files_are_private_with_any_umask(tmp_path: Path) -> None:
    house = tmp_path / "house"
    with Folder.make(house) as folder, FolderLock(house):
        epoch = folder.ledger.claim("cage")
        folder.ledger.append("cage", epoch, [{"fact": "noted"}])
        folder.sign()
        folder.back_up(house / "monday.zip")
        modes_by_name = modes(house)
    names = {"pitbook.db", "pitbook.db-wal", "pitbook.db-shm", "keys.json"}
    assert modes_by_name.keys() >= names | {"checkpoints.jsonl", "serve.lock", "monday.zip"}
    assert modes_by_name.pop(".") == "0o700"
    assert set(modes_by_name.values()) == {"0o600"}
    restore_folder(house / "monday.zip", tmp_path / "again", keys=house / "keys.json")
    modes_by_name = modes(tmp_path / "again")
    assert (modes_by_name.pop("."), set(modes_by_name.values())) == ("0o700", {"0o600"})


@pytest.mark.long
@pytest.mark.parametrize("mask", [0o000, 0o022, 0o777], ids=oct)
def test_parent_folders_are_private_with_any_umask(tmp_path: Path, mask: int) -> None:
    """Anyone who can write to a parent folder could replace the data folder."""
    tmp_path.chmod(0o755)
    before = os.umask(mask)
    try:
        Folder.make(tmp_path / "deep" / "er" / "house").close()
    finally:
        os.umask(before)
    on_the_way = [tmp_path / "deep", tmp_path / "deep" / "er", tmp_path / "deep" / "er" / "house"]
    assert [modes(path)["."] for path in on_the_way] == ["0o700"] * 3
    assert modes(tmp_path)["."] == "0o755"  # Existing folders keep their mode.


def test_existing_empty_folder_is_made_private(tmp_path: Path) -> None:
    (tmp_path / "house").mkdir(mode=0o755)
    Folder.make(tmp_path / "house").close()
    assert modes(tmp_path / "house")["."] == "0o700"


@pytest.mark.long
@pytest.mark.parametrize("loose", [0o701, 0o710, 0o750, 0o755, 0o777])
def test_open_folder_is_refused_with_the_chmod_command(tmp_path: Path, loose: int) -> None:
    house = tmp_path / "a house"
    Folder.make(house).close()
    house.chmod(loose)
    _, message = refusal_of(Folder.open, house)
    assert message == f"{house}: other users can read the casino's data. Run chmod 700 '{house}'"
    assert refusal_of(Folder.make, house)[1] == message
    os.system(message.partition("Run ")[2])
    Folder.open(house).close()


@pytest.mark.parametrize("name", ["pitbook.db", "checkpoints.jsonl", "serve.lock", "keys.json"])
def test_open_file_is_refused_with_the_chmod_command(tmp_path: Path, name: str) -> None:
    house = tmp_path / "house"
    with Folder.make(house) as folder, FolderLock(house):
        folder.sign()
    (house / name).chmod(0o640)
    _, message = refusal_of(Folder.open, house)
    assert message.endswith(f". Run chmod 600 {house / name}")
    os.system(message.rpartition("Run ")[2])
    Folder.open(house).close()


def test_one_chmod_command_fixes_folder_and_files(tmp_path: Path) -> None:
    house = tmp_path / "house"
    with Folder.make(house) as folder:
        folder.sign()
    house.chmod(0o755)
    (house / "pitbook.db").chmod(0o644)
    (house / "checkpoints.jsonl").chmod(0o644)
    _, message = refusal_of(Folder.open, house)
    files = f"{house}/checkpoints.jsonl {house}/pitbook.db"
    assert message.endswith(f". Run chmod 700 {house}; chmod 600 {files}")


def test_folder_with_others_files_is_refused(tmp_path: Path) -> None:
    house = tmp_path / "house"
    house.mkdir(mode=0o755)
    (house / "letter.txt").write_text("not ours")
    assert refusal_of(Folder.make, house)[1].endswith(f". Run chmod 700 {house}")
    assert not (house / "keys.json").exists()


@pytest.mark.long
@pytest.mark.usefixtures("umask")
def test_exports_and_backups_are_private(tmp_path: Path, ask: Ask) -> None:
    house, out = tmp_path / "house", tmp_path / "out"
    out.mkdir()
    out.chmod(0o700)
    Folder.make(house).close()
    at = ("--data", str(house))
    ask("audit", "export", "-o", str(out / "a.csv"), "--summary", str(out / "s.json"), *at)
    ask("audit", "export", "--format", "json", "-o", str(out / "a.json"), *at)
    ask("backup", str(out / "b.zip"), *at)
    modes_by_name = modes(out)
    del modes_by_name["."]
    assert (len(modes_by_name), set(modes_by_name.values())) == (4, {"0o600"})


def test_command_output_files_are_private(tmp_path: Path) -> None:
    write_text(tmp_path / "proof.json", "{}")
    assert modes(tmp_path)["proof.json"] == "0o600"
