"""`pitbook audit anchor`, and how verify and restore treat missing checkpoints."""

from __future__ import annotations

import json
import shutil
import zipfile
from pathlib import Path

import pytest
from tests.cli.conftest import Furnish
from tests.cli.ledger_folders import cage_book, use_folder
from tests.command_line import Ask

from pitbook.house.ledger.data_folder import CHECKPOINTS_FILE, KEYS_FILE, Folder


@pytest.fixture
def house(tmp_path: Path, furnish: Furnish, monkeypatch: pytest.MonkeyPatch) -> Path:
    use_folder(tmp_path, monkeypatch)
    monkeypatch.delenv("PITBOOK_ANCHOR", raising=False)
    return furnish(cage_book, tmp_path / "house")


@pytest.mark.long
def test_anchor_is_written_and_checked(ask: Ask, house: Path) -> None:
    anchored = ask("audit", "anchor", "--anchor", "notary.jsonl", "--data", "house")
    assert anchored.code == 0
    assert anchored.out.startswith("Recorded checkpoint 1 of 20")
    assert anchored.out.endswith("The server is closed, so no later entries are valid.\n")
    answer = ask("audit", "verify", "--data", "house", "--anchor", "notary.jsonl")
    assert answer.code == 0
    assert "The anchor has 1 checkpoint, the last from 20" in answer.out
    shutil.copytree("house", "earlier")
    second_anchor = ask("audit", "anchor", "--anchor", "notary.jsonl", "--data", "house", "--json")
    assert (second_anchor.document["number"], second_anchor.document["closed"]) == (2, True)
    answer = ask("audit", "verify", "--data", "earlier", "--anchor", "notary.jsonl", "--json")
    assert answer.code == 1
    assert answer.document["anchor"]["number"] == 2
    assert "the anchor has 2 checkpoints" in answer.document["findings"][0]["what"]
    assert ask("audit", "verify", "--data", "earlier").code == 0


def test_writing_command_updates_the_anchor(
    ask: Ask, house: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PITBOOK_ANCHOR", "notary.jsonl")
    monkeypatch.setenv("PITBOOK_DATA", "house")
    excluded = ask("users", "exclude", "Zoe Lee", "--why", "asked for it")
    assert excluded.code == 0, excluded.err
    lines = [json.loads(text_line) for text_line in Path("notary.jsonl").read_text().splitlines()]
    assert [(anchored_line["number"], anchored_line["closed"]) for anchored_line in lines] == [
        (1, True)
    ]
    assert ask("audit", "verify").code == 0


def test_missing_or_inside_anchor_is_refused(ask: Ask, house: Path) -> None:
    data_option = ("--data", "house")
    answer = ask("audit", "verify", "--anchor", "none.jsonl", *data_option)
    assert (answer.code, answer.err) == (1, "pitbook: none.jsonl: the anchor does not exist.\n")
    answer = ask("audit", "anchor", "--anchor", "house/a.jsonl", *data_option)
    message = "an anchor inside the data folder proves nothing. Choose another place"
    assert (answer.code, answer.err) == (1, f"pitbook: house/a.jsonl: {message}.\n")


def test_noted_key_is_compared(ask: Ask, house: Path) -> None:
    with Folder.open(house) as folder:
        folder.sign()
        key = folder.keys.public
    assert ask("audit", "verify", "--data", "house", "--key", key).code == 0
    other = ask("audit", "verify", "--data", "house", "--key", "0" * 64)
    assert other.code == 1
    assert f"The server's key is {key}, not the one in your records." in other.out
    (house / KEYS_FILE).unlink()
    assert ask("audit", "verify", "--data", "house", "--key", key).code == 0


def test_first_unproved_entry_is_reported(ask: Ask, house: Path) -> None:
    answer = ask("audit", "verify", "--data", "house")
    assert (
        "Entries from 1 of cage on (2026-03-01 12:00 UTC) are not confirmed, "
        "nor from entry 1 of clock on.\n"
    ) in answer.out
    document = ask("audit", "verify", "--data", "house", "--json").document
    assert document["unproved_from"] == {
        "stream": "cage",
        "seq": 1,
        "at": "2026-03-01T12:00:00.000000+00:00",
        "entries": 5,
    }
    assert [unproved_stream["stream"] for unproved_stream in document["unproved"]] == [
        "cage",
        "clock",
    ]


def copy_backup(backup: str, *names: str, to: str, cut: int | None = None) -> None:
    with zipfile.ZipFile(backup) as source, zipfile.ZipFile(to, "w") as archive:
        for name in source.namelist():
            content = source.read(name)
            if cut is not None and name == CHECKPOINTS_FILE:
                content = content[:cut]
            if name not in names:
                archive.writestr(name, content)


@pytest.mark.long
def test_backup_without_checkpoints_is_restored_with_findings(ask: Ask, house: Path) -> None:
    assert ask("backup", "whole.zip", "--with-keys", "--data", "house").code == 0
    assert ask("restore", "whole.zip", "--data", "young").code == 0  # The house was signed first.
    copy_backup("whole.zip", CHECKPOINTS_FILE, to="none.zip")
    copy_backup("whole.zip", to="empty.zip", cut=0)
    copy_backup("whole.zip", to="damaged.zip", cut=300)
    for name in ("none", "empty", "damaged"):
        answer = ask("restore", f"{name}.zip", "--data", name, "--json")
        assert answer.code == 1
        assert answer.document["result"] == "findings"
        messages = [finding["what"] for finding in answer.document["findings"]]
        assert any(
            "it has no checkpoint" in message or "Put the complete file back" in message
            for message in messages
        )


@pytest.mark.long
def test_backup_signed_by_another_is_restored_with_findings(ask: Ask, house: Path) -> None:
    cage_book(house.parent / "other")
    ask("backup", "ours.zip", "--with-keys", "--data", "house")
    ask("backup", "theirs.zip", "--with-keys", "--data", "other")
    with zipfile.ZipFile("theirs.zip") as archive:
        signed = archive.read(CHECKPOINTS_FILE)
    copy_backup("ours.zip", CHECKPOINTS_FILE, to="mixed.zip")
    with zipfile.ZipFile("mixed.zip", "a") as archive:
        archive.writestr(CHECKPOINTS_FILE, signed)
    answer = ask("restore", "mixed.zip", "--data", "mixed")
    assert answer.code == 1
    assert "not with this casino's key" in answer.out


@pytest.mark.long
def test_unverified_key_is_labeled_as_unknown(ask: Ask, house: Path) -> None:
    options = ("--data", "house", "--anchor", "notary.jsonl")
    assert ask("audit", "anchor", *options).code == 0
    with Folder.open(house) as folder:
        key = folder.keys.public
    (house / KEYS_FILE).unlink()
    for file in house.iterdir():
        file.chmod(0o400)
    house.chmod(0o500)
    without_anchor = ask("audit", "verify", "--data", "house")
    assert without_anchor.code == 0
    assert without_anchor.out.splitlines()[-1] == (
        "Key unknown (there are no keys here). The checkpoints are signed "
        f"by {key}. Compare it with your records."
    )
    assert ask("audit", "verify", "--data", "house", "--json").document["key"] is None
    with_anchor = ask("audit", "verify", *options)
    assert with_anchor.code == 0
    assert with_anchor.out.splitlines()[-1] == f"Key {key}, as recorded by the anchor"
    assert ask("audit", "verify", *options, "--json").document["key"] == key
    house.chmod(0o700)
    (house / CHECKPOINTS_FILE).chmod(0o600)
    (house / CHECKPOINTS_FILE).unlink()
    house.chmod(0o500)
    without_checkpoints = ask("audit", "verify", "--data", "house")
    house.chmod(0o700)
    assert without_checkpoints.out.splitlines()[-1] == "Key unknown (there are no keys here)"
