"""`pitbook settle` and `pitbook rounds`: the JSON document, the printed text, and refusals."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from tests.command_line import Ask

ROUND: dict[str, Any] = {
    "format": 1,
    "sheet": "catfish-bend/mississippi-stud",
    "community": ["Qs", "Js", "Ts"],
    "seats": [
        {
            "seat": 1,
            "player": "ann",
            "wagers": {"ante": "10", "three-card-bonus": "5"},
            "cards": ["As", "Ks"],
            "play": ["3x", "3x", "3x"],
        },
        {"seat": 2, "player": "bob", "wagers": {"ante": "5"}, "play": ["fold"]},
    ],
    "voided": [{"seat": 2, "reason": "information"}],
}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "round.json"
    path.write_text(json.dumps(ROUND), encoding="utf-8")
    return path


def test_json_has_every_field_of_the_contract(ask: Ask, file: Path) -> None:
    answer = ask("settle", str(file), "--json")
    document = answer.document
    assert answer.code == 0
    assert answer.err == ""
    assert document["result"] == "settled"
    assert document["limits"] == [{"clause": "CMS-12", "due": "50000.00", "paid": "25000.00"}]
    assert document["house_net"] == "-25195.00"
    ann, bob = document["seats"]
    assert (ann["wins"], ann["loses"], ann["net"]) == ("25200.00", "0.00", "25200.00")
    assert ann["lines"][0] == {
        "wager": "ante",
        "stake": "10.00",
        "outcome": "royal-flush",
        "result": "win",
        "odds": "500:1",
        "wins": "2500.00",
        "clause": "CMS-9",
    }
    assert [line["result"] for line in bob["lines"]] == ["forfeit"]


def test_text_shows_lines_clauses_and_the_cap(ask: Ask, file: Path) -> None:
    answer = ask("settle", str(file), columns=120)
    assert answer.code == 0
    assert "3 Card Bonus" in answer.out
    assert "CMS-10" in answer.out
    assert "Payout limit for the round (CMS-12): $50,000 owed, $25,000 paid" in answer.out
    assert "House result: -$25,195." in answer.out


def test_stored_round_replays_to_the_same_result(ask: Ask, file: Path) -> None:
    stored = file.with_name("stored.json")
    assert ask("settle", str(file), "--store", str(stored)).code == 0
    replayed = ask("rounds", "replay", str(stored))
    assert replayed.code == 0
    assert replayed.out.splitlines()[0] == "Seat 1 (ann) bets $10 on the Ante."
    assert replayed.out.splitlines()[-1] == "House result: -$25,195."
    replayed_document = ask("rounds", "replay", str(stored), "--json").document
    assert replayed_document["settlement"]["house_net"] == "-25195.00"
    assert replayed_document["transcript"] == replayed.out.splitlines()


def test_tampered_record_is_refused(ask: Ask, file: Path) -> None:
    stored = file.with_name("stored.json")
    ask("settle", str(file), "--store", str(stored))
    stored.write_text(stored.read_text().replace('"card": "As"', '"card": "9s"'))
    answer = ask("rounds", "replay", str(stored), "--json")
    assert answer.code == 1
    assert "does not give the settlement that is stored" in answer.document["error"]


def test_round_file_can_be_replayed(ask: Ask, file: Path) -> None:
    assert "Seat 2 folds and loses $5." in ask("rounds", "replay", str(file)).out


def test_both_schemas_are_published_and_match_the_files(ask: Ask, file: Path) -> None:
    stored = file.with_name("stored.json")
    ask("settle", str(file), "--store", str(stored))
    for arguments, path in (((), file), (("--stored",), stored)):
        schema = ask("rounds", "schema", *arguments).document
        jsonschema.Draft202012Validator.check_schema(schema)
        jsonschema.validate(json.loads(path.read_text()), schema)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"sheet": "nowhere/game"}, 'There is no sheet "nowhere/game"'),
        ({"community": ["Qs", "Js"]}, "a community card is missing: 2 of 3 are given"),
        ({"community": ["Qs", "Js", "As"]}, "As appears 2 times; one deck has 1 (GEN-9)"),
        ({"seats": []}, "seats"),
        ({"color": "green"}, "color is not a field of a round file"),
    ],
)
def test_a_bad_file_is_refused_with_one_sentence(
    ask: Ask, file: Path, change: dict[str, Any], sentence: str
) -> None:
    file.write_text(json.dumps(ROUND | change), encoding="utf-8")
    answer = ask("settle", str(file), "--json")
    assert answer.code == 1
    assert sentence in answer.document["error"]
    assert len(answer.err.splitlines()) == 1


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"{", "line 1, column 2: this is not valid JSON"),
        (b"\xff\xfe", "byte 1 is not valid UTF-8"),
        (b"[" * 100_000, "this is not the JSON of a round"),
        (b"x" * 5_000_001, "larger than 5,000,000 bytes"),
        (b"", "not valid JSON"),
    ],
)
def test_file_that_is_not_a_round_is_refused(
    ask: Ask, tmp_path: Path, content: bytes, sentence: str
) -> None:
    path = tmp_path / "x.json"
    path.write_bytes(content)
    for command in (("settle",), ("rounds", "replay")):
        answer = ask(*command, str(path))
        assert answer.code == 1
        assert sentence in answer.err


def test_missing_file_or_folder_is_named(ask: Ask, tmp_path: Path) -> None:
    assert "does not exist" in ask("settle", str(tmp_path / "none.json")).err
    assert "is a folder" in ask("settle", str(tmp_path)).err
    assert ask("settle").code == 2


def test_unwritable_store_is_reported_and_leaves_no_file(
    ask: Ask, file: Path, tmp_path: Path
) -> None:
    answer = ask("settle", str(file), "--store", str(tmp_path / "no" / "where.json"))
    assert answer.code == 1
    assert "cannot be written" in answer.err
    assert sorted(tmp_path.iterdir()) == [file]


@pytest.mark.long
def test_dash_reads_standard_input(shell: Ask) -> None:
    answer = shell("settle", "-", "--json", text=json.dumps(ROUND))
    assert answer.code == 0
    assert answer.document["house_net"] == "-25195.00"
