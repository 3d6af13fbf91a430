"""`pitbook audit verify`: what it reads, what it finds, and every refusal."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.conftest import Furnish
from tests.cli.ledger_folders import ANN, CASH, NOON, cage_book, tamper, use_folder
from tests.command_line import Ask

from pitbook.house.ledger.accounts import move
from pitbook.house.ledger.checkpoints import read_checkpoints
from pitbook.house.ledger.data_folder import (
    CHECKPOINTS_FILE,
    KEYS_FILE,
    LEDGER_FILE,
    Folder,
    ledger_url,
)
from pitbook.house.ledger.keys import generate_keys, write_keys
from pitbook.house.ledger.ledger import Ledger


@pytest.fixture
def house(tmp_path: Path, furnish: Furnish, monkeypatch: pytest.MonkeyPatch) -> Path:
    use_folder(tmp_path, monkeypatch)
    return furnish(cage_book, tmp_path / "house")


def sign(path: Path) -> str:
    with Folder.open(path) as folder:
        return folder.sign().at


def test_sound_ledger_is_reported_with_counts(ask: Ask, house: Path) -> None:
    at = sign(house)
    answer = ask("audit", "verify", "--data", str(house))
    with Folder.open(house) as folder:
        key = folder.keys.public
    assert answer.code == 0
    assert answer.err == ""
    assert answer.out.splitlines() == [
        "Read 3 streams, 10 entries and 1 checkpoint.",
        "In usd: $72.50 in total, on both the debit and the credit side.",
        "The ledger is intact.",
        f"Latest checkpoint {at}: it covers every entry.",
        "No external anchor was checked. If the whole folder was restored from an older copy, "
        "this cannot show it.",
        f"Key {key}",
    ]


def test_json_says_the_same(ask: Ask, house: Path) -> None:
    at = sign(house)
    document = ask("audit", "verify", "--data", str(house), "--json").document
    key = document.pop("key")
    assert len(key) == 64
    assert document == {
        "result": "sound",
        "streams": 3,
        "entries": 10,
        "checkpoints": 1,
        "totals": {"usd": "72.50"},
        "findings": [],
        "checkpoint": at,
        "entries_since": 0,
        "unproved_from": None,
        "unproved": [],
        "anchor": None,
    }


def test_unsigned_entries_are_counted(ask: Ask, house: Path) -> None:
    before = ask("audit", "verify", "--data", str(house))
    assert (
        "There is no signed checkpoint yet, so nothing outside the ledger confirms it."
        in before.out
    )
    assert ask("audit", "verify", "--data", str(house), "--json").document["entries_since"] == 9
    sign(house)
    with Ledger.open(ledger_url(house, None), clock=lambda: NOON.replace(year=2999)) as ledger:
        epoch = ledger.claim("night", actor="kim")
        assert ": 1 entry is younger." in ask("audit", "verify", "--data", str(house)).out
        ledger.append("night", epoch, [{"fact": "doors open"}])
    assert ": 2 entries are younger." in ask("audit", "verify", "--data", str(house)).out


def test_an_edited_entry_is_found_and_the_exit_code_is_1(ask: Ask, house: Path) -> None:
    tamper(house, "UPDATE entry SET content = replace(content, '100.00', '900.00') WHERE seq = 2")
    answer = ask("audit", "verify", "--data", str(house))
    assert answer.code == 1
    assert "Finding: cage 2: it was changed: its hash does not match.\n" in answer.out
    assert "The ledger is altered: 2 findings.\n" in answer.out
    document = ask("audit", "verify", "--data", str(house), "--json").document
    assert document["result"] == "findings"
    transfer_text = 'a transfer of $100 usd from cash to wallet:ann ("buy-in")'
    assert document["findings"] == [
        {"where": "cage 2", "what": f"no event explains {transfer_text}"},
        {"where": "cage 2", "what": "it was changed: its hash does not match"},
    ]


@pytest.mark.parametrize("at", ["soon", "2026-03-05", "", "9999-99-99T00:00:00+00:00"])
def test_invalid_time_is_a_finding(ask: Ask, house: Path, at: str) -> None:
    tamper(house, f"UPDATE entry SET at = '{at}' WHERE seq = 5")
    answer = ask("audit", "verify", "--data", str(house))
    assert answer.code == 1
    is_reported = "cage 5: it was changed: its hash does not match." in answer.out
    assert is_reported or "the ledger is damaged" in answer.err


def test_large_ledgers_announce_the_wait_on_a_terminal(
    ask: Ask, house: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pitbook.house.cli.ledger_options.LONG_READ_ENTRIES", 9)
    for command in ("verify", "export"):
        assert "Reading" not in ask("audit", command, "--data", str(house)).err
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    answer = ask("audit", "export", "--data", str(house), "--json")
    assert answer.err == "Reading 9 entries ...\n"
    assert isinstance(answer.document, dict)
    answer = ask("audit", "verify", "--data", str(house), "--json")
    assert "0 of 9 entries" in answer.err
    assert isinstance(answer.document, dict)
    monkeypatch.setattr("pitbook.house.cli.ledger_options.LONG_READ_ENTRIES", 10)
    assert ask("audit", "export", "--data", str(house)).err.count("Reading") == 0


def test_rewritten_ledger_is_found_with_a_copy_of_the_checkpoints(
    ask: Ask, house: Path, tmp_path: Path
) -> None:
    sign(house)
    copy = tmp_path / "copy.jsonl"
    copy.write_bytes((house / CHECKPOINTS_FILE).read_bytes())
    (house / LEDGER_FILE).unlink()
    with Ledger.open(ledger_url(house, None)) as ledger:
        epoch = ledger.claim("cage", actor="kim")
        for _ in range(5):
            fact = {"fact": "buy-in", "player": "ann", "amount": "1.00"}
            ledger.append("cage", epoch, [fact], [move(CASH, ANN, 100, "buy-in")])
    (house / CHECKPOINTS_FILE).unlink()
    sign(house)
    assert ask("audit", "verify", "--data", str(house)).code == 0
    answer = ask("audit", "verify", "--data", str(house), "--checkpoint", str(copy))
    assert answer.code == 1
    assert 'entry 5 of stream "cage" was rewritten.' in answer.out
    assert 'entry 4 of stream "clock" is missing.' in answer.out


def test_a_checkpoint_of_another_house_is_a_finding(ask: Ask, house: Path) -> None:
    sign(house)
    other_key = read_checkpoints(house / CHECKPOINTS_FILE)[0].key
    (house / KEYS_FILE).unlink()
    write_keys(house / KEYS_FILE, generate_keys())
    answer = ask("audit", "verify", "--data", str(house))
    assert answer.code == 1
    assert f"it is signed with key {other_key}, not with this casino's key." in answer.out


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (None, "The checkpoint file {} does not exist."),
        (b"", "{} has no checkpoint. Use a copy that has one."),
        (b"\xff\x00\n", "{}:1: not a checkpoint."),
        (b"{}\n", "{}:1: not a checkpoint."),
    ],
)
def test_file_without_checkpoints_is_refused(
    ask: Ask, house: Path, tmp_path: Path, content: bytes | None, why: str
) -> None:
    file = tmp_path / "F"
    if content is not None:
        file.write_bytes(content)
    answer = ask("audit", "verify", "--data", str(house), "--checkpoint", str(file), "--json")
    assert answer.code == 1
    assert answer.document == {"error": why.format(file)}


def no_folder(house: Path) -> str:
    for file in house.iterdir():
        file.unlink()
    house.rmdir()
    return f"{house}: the data folder does not exist. Name another with --data."


def no_keys(house: Path) -> str:
    (house / KEYS_FILE).unlink()
    return f"{house}: not a data folder, because it has no keys.json."


def no_book(house: Path) -> str:
    (house / LEDGER_FILE).unlink()
    return f"{house}: there is no ledger here. Name its server with --database."


def open_keys(house: Path) -> str:
    (house / KEYS_FILE).chmod(0o644)
    return f"{house / KEYS_FILE}: other users can read the keys. Run chmod 600 {house / KEYS_FILE}."


def damaged_keys(house: Path) -> str:
    (house / KEYS_FILE).write_text("{}")
    return f"{house / KEYS_FILE}: not a key file of format 1."


def no_database(house: Path) -> str:
    (house / LEDGER_FILE).write_bytes(b"no book at all" * 100)
    return f"{house}: The ledger cannot be opened: file is not a database."


@pytest.mark.parametrize(
    "damage", [no_folder, no_keys, no_book, open_keys, damaged_keys, no_database]
)
@pytest.mark.parametrize(
    "command",
    [("audit", "verify"), ("audit", "export"), ("audit", "explain", "t-1", "1"), ("backup", "b")],
    ids=" ".join,
)
def test_unusable_folder_is_refused_in_one_sentence(
    ask: Ask,
    house: Path,
    damage: object,
    command: tuple[str, ...],
) -> None:
    assert callable(damage)
    sentence = damage(house)
    answer = ask(*command, "--data", str(house))
    assert answer.code == 1
    assert answer.out == ""
    assert answer.err == f"pitbook: {sentence}\n"
    assert list(house.parent.iterdir()) == ([house] if house.exists() else [])


def test_unreachable_server_is_named_without_its_password(ask: Ask, house: Path) -> None:
    url = "postgresql://kim:secret@127.0.0.1:9/book"
    answer = ask("audit", "verify", "--data", str(house), "--database", url)
    assert answer.code == 1
    assert answer.err.startswith(
        "pitbook: postgresql://kim:***@127.0.0.1:9/book: The ledger cannot"
    )
    assert "secret" not in answer.err
    assert answer.err.count("\n") == 1


def test_invalid_database_is_refused(ask: Ask, house: Path) -> None:
    """Under either name; `pitbook serve` also calls the option --db."""
    for flag, url, why in (
        ("--database", "nonsense", "is not a database address"),
        ("--db", "mysql://x/y", '"mysql" is not supported'),
    ):
        answer = ask("audit", "verify", "--data", str(house), flag, url)
        assert answer.code == 1
        assert why in answer.err


def test_folder_comes_from_the_environment_or_the_current_folder(
    ask: Ask, house: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    missing = ask("audit", "verify")
    assert missing.err == (
        "pitbook: pitbook-data: the data folder does not exist. Name another with --data.\n"
    )
    monkeypatch.setenv("PITBOOK_DATA", str(house))
    assert ask("audit", "verify").code == 0
    monkeypatch.delenv("PITBOOK_DATA")
    house.rename(house.parent / "pitbook-data")
    assert ask("audit", "verify").code == 0
