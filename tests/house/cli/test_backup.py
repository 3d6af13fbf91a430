"""`pitbook backup` and `pitbook restore`: the same ledger with the same heads, or nothing."""

from __future__ import annotations

import os
import warnings
import zipfile
from pathlib import Path

import pytest
from tests.cli.conftest import Furnish
from tests.cli.ledger_folders import cage_book, tamper, use_folder
from tests.command_line import Ask
from tests.postgres import postgres

from pitbook.house.ledger.checkpoints import read_checkpoints
from pitbook.house.ledger.data_folder import CHECKPOINTS_FILE, KEYS_FILE, LEDGER_FILE, Folder

__all__ = ["postgres"]


@pytest.fixture
def house(tmp_path: Path, furnish: Furnish, monkeypatch: pytest.MonkeyPatch) -> Path:
    use_folder(tmp_path, monkeypatch)
    return furnish(cage_book, tmp_path / "house")


def heads(path: Path) -> dict[str, tuple[int, str]]:
    with Folder.open(path) as folder:
        return {stream.name: (stream.seq, stream.head) for stream in folder.ledger.streams()}


def test_restored_backup_has_the_same_heads(ask: Ask, house: Path) -> None:
    backup_answer = ask("backup", "monday.zip", "--data", "house")
    assert backup_answer.code == 0
    assert backup_answer.err == ""
    first, *streams, keys, key = backup_answer.out.splitlines()
    assert first.startswith("Wrote monday.zip of 20")
    assert first.endswith("+00:00: 10 entries.")
    stream_heads = heads(house)
    assert streams == [
        f"  cage               5  {stream_heads['cage'][1][:16]}",
        f"  clock              4  {stream_heads['clock'][1][:16]}",
        f"  checkpoints        1  {stream_heads['checkpoints'][1][:16]}",
    ]
    assert keys == "The keys are not included. Keep a copy of house/keys.json in another place."
    again = ask("restore", "monday.zip", "--data", "again", "--keys", "house/keys.json")
    assert again.code == 0
    assert again.out.splitlines()[0].startswith("Restored monday.zip (20")
    assert again.out.splitlines()[0].endswith("+00:00) to again.")
    signed = read_checkpoints(house / CHECKPOINTS_FILE)[-1].at
    assert again.out.splitlines()[1:] == [
        "The latest entries match the backup:",
        streams[0],
        streams[2],
        streams[1],
        "Read 3 streams, 10 entries and 1 checkpoint.",
        "In usd: $72.50 in total, on both the debit and the credit side.",
        "The ledger is intact.",
        f"Latest checkpoint {signed}: it covers every entry.",
        "No external anchor was checked. If the whole folder was restored from an older copy, "
        "this cannot show it.",
        key,
    ]
    assert heads(house.parent / "again") == stream_heads
    assert ask("audit", "verify", "--data", "again").code == 0


def test_backup_and_restore_in_json(ask: Ask, house: Path) -> None:
    backup_document = ask("backup", "all.zip", "--data", "house", "--with-keys", "--json").document
    stream_heads = {name: {"seq": seq, "hash": head} for name, (seq, head) in heads(house).items()}
    assert (backup_document["file"], backup_document["entries"], backup_document["keys"]) == (
        "all.zip",
        10,
        True,
    )
    assert backup_document["heads"] == stream_heads
    again = ask("restore", "all.zip", "--data", "again", "--json").document
    assert again == {
        "data": "again",
        "result": "sound",
        "same_heads": True,
        "heads": stream_heads,
        "streams": 3,
        "entries": 10,
        "checkpoints": 1,
        "totals": {"usd": "72.50"},
        "findings": [],
        "checkpoint": read_checkpoints(house / CHECKPOINTS_FILE)[-1].at,
        "entries_since": 0,
        "unproved_from": None,
        "unproved": [],
        "anchor": None,
        "at": backup_document["at"],
        "key": backup_document["key"],
    }


def test_backup_has_keys_only_on_request(ask: Ask, house: Path) -> None:
    ask("backup", "without.zip", "--data", "house")
    backup_answer = ask("backup", "with.zip", "--data", "house", "--with-keys")
    assert (
        "It contains the server's keys. Anyone who has the file can sign as this server."
        in backup_answer.out
    )
    assert KEYS_FILE not in zipfile.ZipFile("without.zip").namelist()
    assert zipfile.ZipFile("with.zip").read(KEYS_FILE) == (house / KEYS_FILE).read_bytes()
    assert ask("restore", "with.zip", "--data", "again").code == 0
    assert (house.parent / "again" / KEYS_FILE).read_bytes() == (house / KEYS_FILE).read_bytes()
    refused = ask("restore", "without.zip", "--data", "other")
    assert refused.code == 1
    assert refused.err == (
        "pitbook: without.zip: the backup has no keys. Name the keys.json file with --keys.\n"
    )
    assert not (house.parent / "other").exists()


@pytest.mark.skipif(os.name == "nt", reason="Windows has other rights")
@pytest.mark.usefixtures("house")
def test_backup_and_restored_keys_are_private(ask: Ask) -> None:
    ask("backup", "with.zip", "--data", "house", "--with-keys")
    ask("restore", "with.zip", "--data", "again")
    for file in ("with.zip", f"again/{KEYS_FILE}"):
        assert Path(file).stat().st_mode & 0o077 == 0


def test_a_backup_signs_the_heads_first(ask: Ask, house: Path) -> None:
    assert not (house / CHECKPOINTS_FILE).exists()
    ask("backup", "monday.zip", "--data", "house")
    document = ask("audit", "verify", "--data", "house", "--json").document
    assert (document["checkpoints"], document["entries_since"]) == (1, 0)


def test_existing_file_is_never_overwritten(ask: Ask, house: Path) -> None:
    Path("monday.zip").write_text("precious")
    answer = ask("backup", "monday.zip", "--data", "house")
    assert answer.code == 1
    assert answer.err == ("pitbook: monday.zip already exists. Choose another name.\n")
    assert Path("monday.zip").read_text() == "precious"
    assert not (house / CHECKPOINTS_FILE).exists()


def test_a_backup_that_cannot_be_written_leaves_nothing(ask: Ask, house: Path) -> None:
    answer = ask("backup", "no/where.zip", "--data", "house")
    assert answer.code == 1
    assert answer.err == "pitbook: no/where.zip cannot be written: No such file or directory.\n"
    assert list(house.parent.iterdir()) == [house]


def test_a_backup_that_is_interrupted_leaves_nothing(
    ask: Ask, house: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("pitbook.house.ledger.backup._write_archive", interrupt)
    assert ask("backup", "monday.zip", "--data", "house").code == 130
    assert list(house.parent.iterdir()) == [house]


def no_file(file: Path) -> str:
    file.unlink()
    return "The file all.zip does not exist."


def no_zip(file: Path) -> str:
    file.write_bytes(b"no backup")
    return "all.zip: not a backup, or a damaged one (File is not a zip file)."


def half(file: Path) -> str:
    file.write_bytes(file.read_bytes()[:-200])
    return "all.zip: not a backup, or a damaged one (File is not a zip file)."


def another_zip(file: Path) -> str:
    file.unlink()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("letter.txt", "dear house")
    return "all.zip: not a backup, or a damaged one ("


@pytest.mark.parametrize("damage", [no_file, no_zip, half, another_zip])
def test_invalid_backup_is_refused(ask: Ask, house: Path, damage: object) -> None:
    ask("backup", "all.zip", "--data", "house", "--with-keys")
    assert callable(damage)
    sentence = damage(Path("all.zip"))
    answer = ask("restore", "all.zip", "--data", "again")
    assert answer.code == 1
    assert answer.out == ""
    assert answer.err.startswith(f"pitbook: {sentence}")
    assert answer.err.count("\n") == 1
    assert not (house.parent / "again").exists()


@pytest.mark.usefixtures("house")
def test_nonempty_folder_is_left_alone(ask: Ask) -> None:
    ask("backup", "all.zip", "--data", "house", "--with-keys")
    before = Path("house", LEDGER_FILE).read_bytes()
    answer = ask("restore", "all.zip", "--data", "house")
    assert answer.err == "pitbook: house: the folder is not empty. Restore into a new one.\n"
    assert Path("house", LEDGER_FILE).read_bytes() == before
    Path("file").write_text("x")
    answer = ask("restore", "all.zip", "--data", "file")
    assert answer.err == "pitbook: file is not a folder. Name the folder to create with --data.\n"
    Path("empty").mkdir()
    assert ask("restore", "all.zip", "--data", "empty").code == 0


@pytest.mark.usefixtures("house")
def test_invalid_keys_are_refused(ask: Ask) -> None:
    ask("backup", "monday.zip", "--data", "house")
    answer = ask("restore", "monday.zip", "--data", "again", "--keys", "none.json")
    assert answer.err == "pitbook: The file none.json does not exist.\n"
    Path("none.json").write_text("{}")
    answer = ask("restore", "monday.zip", "--data", "again", "--keys", "none.json")
    assert answer.code == 1
    assert answer.err == "pitbook: again/keys.json: not a key file of format 1.\n"
    assert not Path("again").exists()


def test_keys_of_another_house_are_a_finding(ask: Ask, house: Path) -> None:
    ask("backup", "monday.zip", "--data", "house")
    cage_book(house.parent / "other")
    answer = ask("restore", "monday.zip", "--data", "again", "--keys", "other/keys.json")
    assert answer.code == 1
    assert "not with this casino's key." in answer.out
    assert "The ledger is altered: 1 finding." in answer.out


def test_altered_ledger_is_restored_as_is_and_reported(ask: Ask, house: Path) -> None:
    tamper(house, "UPDATE entry SET actor = 'eve' WHERE seq = 2 AND actor = 'kim'")
    ask("backup", "all.zip", "--data", "house", "--with-keys")
    answer = ask("restore", "all.zip", "--data", "again", "--json")
    assert answer.code == 1
    assert answer.document["result"] == "findings"
    assert answer.document["findings"] == [
        {"where": "cage 2", "what": "it was changed: its hash does not match"}
    ]


@pytest.mark.usefixtures("house")
@pytest.mark.parametrize("name", ["notes.txt", "entries.jsonl", "../../keys.json"])
def test_unknown_file_in_a_backup_is_reported(ask: Ask, name: str) -> None:
    """Also one that the backup has already."""
    ask("backup", "monday.zip", "--data", "house", "--with-keys")
    with warnings.catch_warnings(), zipfile.ZipFile("monday.zip", "a") as archive:
        warnings.simplefilter("ignore")  # The name exists already.
        archive.writestr(name, "x")
    answer = ask("restore", "monday.zip", "--data", "again")
    assert (answer.code, answer.out) == (1, "")
    assert f"has unknown or repeated files ('{name}')" in answer.err
    assert not Path("again").exists()


@pytest.mark.parametrize("exists", [False, True])
def test_a_restore_that_is_interrupted_leaves_nothing(
    ask: Ask, house: Path, exists: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    ask("backup", "all.zip", "--data", "house", "--with-keys")
    if exists:
        Path("again").mkdir()
    monkeypatch.setattr("pitbook.house.ledger.backup._restore_rows", interrupt)
    assert ask("restore", "all.zip", "--data", "again").code == 130
    assert Path("again").exists() is exists
    assert not exists or list(Path("again").iterdir()) == []


@pytest.mark.long
def test_ledger_moves_from_sqlite_to_postgresql(ask: Ask, house: Path, postgres: str) -> None:
    ask("backup", "all.zip", "--data", "house", "--with-keys")
    server = ("--data", "again", "--database", postgres)
    moved = ask("restore", "all.zip", *server, "--json")
    assert moved.code == 0
    assert moved.document["same_heads"] is True
    assert ask("audit", "verify", *server).code == 0
    source_export = ask("audit", "export", "--data", "house", "--json").document
    target_export = ask("audit", "export", *server, "--json").document
    assert source_export | {"generated": ""} == target_export | {"generated": ""}
    second = ask("restore", "all.zip", "--data", "third", "--database", postgres)
    assert second.code == 1
    assert ": The ledger is not empty. Restore into a new one.\n" in second.err
    assert not (house.parent / "third").exists()
