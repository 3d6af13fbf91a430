"""`pitbook audit anchor`, and what verify and restore make of checkpoints that are missing."""

from __future__ import annotations

import json
import shutil
import zipfile
from pathlib import Path

import pytest
from tests.cli.books import alone, cage_book
from tests.cli.conftest import Furnish
from tests.command_line import Ask

from pitbook.house.ledger.folder import CHECKPOINTS, KEYS, Folder


@pytest.fixture
def house(tmp_path: Path, furnish: Furnish, monkeypatch: pytest.MonkeyPatch) -> Path:
    alone(tmp_path, monkeypatch)
    monkeypatch.delenv("PITBOOK_ANCHOR", raising=False)
    return furnish(cage_book, tmp_path / "house")


@pytest.mark.long
def test_an_anchor_is_written_and_asked(ask: Ask, house: Path) -> None:
    said = ask("audit", "anchor", "--anchor", "notary.jsonl", "--data", "house")
    assert said.code == 0
    assert said.out.startswith("Wrote checkpoint 1 of 20")
    assert said.out.endswith("The house is closed: nothing may come after it.\n")
    answer = ask("audit", "verify", "--data", "house", "--anchor", "notary.jsonl")
    assert answer.code == 0
    assert "The anchor knows 1 checkpoint, the last of 20" in answer.out
    shutil.copytree("house", "earlier")
    again = ask("audit", "anchor", "--anchor", "notary.jsonl", "--data", "house", "--json")
    assert (again.document["number"], again.document["closed"]) == (2, True)
    answer = ask("audit", "verify", "--data", "earlier", "--anchor", "notary.jsonl", "--json")
    assert answer.code == 1
    assert answer.document["anchor"]["number"] == 2
    assert "the anchor knows 2" in answer.document["findings"][0]["what"]
    assert ask("audit", "verify", "--data", "earlier").code == 0


def test_a_command_that_writes_tells_the_anchor_too(
    ask: Ask, house: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PITBOOK_ANCHOR", "notary.jsonl")
    monkeypatch.setenv("PITBOOK_DATA", "house")
    made = ask("users", "exclude", "Zoe Lee", "--why", "asked for it")
    assert made.code == 0, made.err
    lines = [json.loads(one) for one in Path("notary.jsonl").read_text().splitlines()]
    assert [(one["number"], one["closed"]) for one in lines] == [(1, True)]
    assert ask("audit", "verify").code == 0


def test_an_anchor_that_cannot_be_had_is_refused(ask: Ask, house: Path) -> None:
    at = ("--data", "house")
    said = ask("audit", "verify", "--anchor", "none.jsonl", *at)
    assert (said.code, said.err) == (1, "pitbook: none.jsonl: there is no such anchor.\n")
    said = ask("audit", "anchor", "--anchor", "house/a.jsonl", *at)
    told = "an anchor in the data folder proves nothing; name one elsewhere"
    assert (said.code, said.err) == (1, f"pitbook: house/a.jsonl: {told}.\n")


def test_the_key_that_was_written_down_is_compared(ask: Ask, house: Path) -> None:
    with Folder.open(house) as folder:
        folder.sign()
        key = folder.keys.public
    assert ask("audit", "verify", "--data", "house", "--key", key).code == 0
    other = ask("audit", "verify", "--data", "house", "--key", "0" * 64)
    assert other.code == 1
    assert f"the house's key is {key}, not the one that you wrote down." in other.out
    (house / KEYS).unlink()
    assert ask("audit", "verify", "--data", "house", "--key", key).code == 0


def test_from_where_on_nothing_is_proved_is_told(ask: Ask, house: Path) -> None:
    answer = ask("audit", "verify", "--data", "house")
    assert (
        "From entry 1 of cage on (2026-03-01 12:00 UTC) nothing is proved, "
        "nor from entry 1 of clock on.\n"
    ) in answer.out
    document = ask("audit", "verify", "--data", "house", "--json").document
    assert document["unproved_from"] == {
        "stream": "cage",
        "seq": 1,
        "at": "2026-03-01T12:00:00.000000+00:00",
        "entries": 5,
    }
    assert [one["stream"] for one in document["unproved"]] == ["cage", "clock"]


def without(backup: str, *names: str, to: str, cut: int | None = None) -> None:
    with zipfile.ZipFile(backup) as whole, zipfile.ZipFile(to, "w") as archive:
        for name in whole.namelist():
            held = whole.read(name)
            if cut is not None and name == CHECKPOINTS:
                held = held[:cut]
            if name not in names:
                archive.writestr(name, held)


@pytest.mark.long
def test_a_backup_without_its_checkpoints_is_not_restored_as_sound(ask: Ask, house: Path) -> None:
    assert ask("backup", "whole.zip", "--with-keys", "--data", "house").code == 0
    assert ask("restore", "whole.zip", "--data", "young").code == 0  # It was signed first.
    without("whole.zip", CHECKPOINTS, to="none.zip")
    without("whole.zip", to="empty.zip", cut=0)
    without("whole.zip", to="damaged.zip", cut=300)
    for name in ("none", "empty", "damaged"):
        answer = ask("restore", f"{name}.zip", "--data", name, "--json")
        assert answer.code == 1
        assert answer.document["result"] == "findings"
        told = [one["what"] for one in answer.document["findings"]]
        assert any("it has no checkpoint" in one or "the file was cut" in one for one in told)


@pytest.mark.long
def test_a_backup_signed_by_another_is_not_restored_as_sound(ask: Ask, house: Path) -> None:
    cage_book(house.parent / "other")
    ask("backup", "ours.zip", "--with-keys", "--data", "house")
    ask("backup", "theirs.zip", "--with-keys", "--data", "other")
    with zipfile.ZipFile("theirs.zip") as archive:
        signed = archive.read(CHECKPOINTS)
    without("ours.zip", CHECKPOINTS, to="mixed.zip")
    with zipfile.ZipFile("mixed.zip", "a") as archive:
        archive.writestr(CHECKPOINTS, signed)
    answer = ask("restore", "mixed.zip", "--data", "mixed")
    assert answer.code == 1
    assert "not by the house's key" in answer.out


@pytest.mark.long
def test_a_key_that_nobody_vouches_for_is_not_called_the_house_s(ask: Ask, house: Path) -> None:
    at = ("--data", "house", "--anchor", "notary.jsonl")
    assert ask("audit", "anchor", *at).code == 0
    with Folder.open(house) as folder:
        key = folder.keys.public
    (house / KEYS).unlink()
    for file in house.iterdir():
        file.chmod(0o400)
    house.chmod(0o500)
    alone = ask("audit", "verify", "--data", "house")
    assert alone.code == 0
    assert alone.out.splitlines()[-1] == (
        "Key not known to be the house's: there are no keys here, and the checkpoints are signed "
        f"by {key}; compare it with the one you wrote down"
    )
    assert ask("audit", "verify", "--data", "house", "--json").document["key"] is None
    asked = ask("audit", "verify", *at)
    assert asked.code == 0
    assert asked.out.splitlines()[-1] == f"Key {key}, as the anchor has it"
    assert ask("audit", "verify", *at, "--json").document["key"] == key
    house.chmod(0o700)
    (house / CHECKPOINTS).chmod(0o600)
    (house / CHECKPOINTS).unlink()
    house.chmod(0o500)
    none = ask("audit", "verify", "--data", "house")
    house.chmod(0o700)
    assert none.out.splitlines()[-1] == "Key not known: there are no keys here"
