"""`pitbook verify-deal`: the printed result, every refusal, and the documentation page."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.clauses.one_line_rounds import CMS, LAS
from tests.command_line import Ask
from tests.shoe.dealt_rounds import SEATS, VAULT, DealtRound, deal_round, shoe_of
from tests.shoe.test_packs import with_cut_card
from tests.shoe.test_proof import proof_of, turns, with_value

from pitbook.cards import card, names
from pitbook.rules.actions import Misdeal
from pitbook.shoe.stored_shoe import dealing

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "verify-a-deal.md").read_text(encoding="utf-8")
STORED_FILE = ROOT / "tests" / "shoe" / "revealed.json"

Json = dict[str, Any]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "revealed.json"


@pytest.fixture
def stored_proof() -> Json:
    """A round that was stored and revealed once and must always deal again."""
    document: Json = json.loads(STORED_FILE.read_text(encoding="utf-8"))
    return document


def write_proof(file: Path, document: Json) -> str:
    file.write_text(json.dumps(document), encoding="utf-8")
    return str(file)


def test_documentation_shows_the_players_output(ask: Ask) -> None:
    answer = ask("verify-deal", str(STORED_FILE))
    assert (answer.code, answer.err) == (0, "")
    (documented,) = re.findall(
        r"```console\n\$ pitbook verify-deal revealed.json\n(.*?)```", PAGE, re.S
    )
    assert answer.out == documented


def test_json_says_the_same(ask: Ask, stored_proof: Json) -> None:
    answer = ask("verify-deal", str(STORED_FILE), "--json")
    assert (answer.code, answer.err) == (0, "")
    shoe = stored_proof["shoe"]
    assert answer.document == {
        "round": "table 4-000019",
        "shoe": {key: shoe[key] for key in ("id", "kind", "decks", "commitment")},
        "result": "agrees",
        "drawn": 0,
        "places": PLACES,
        "differences": [],
    }


PLACES = [
    {"place": "the community cards", "turned": ["6c", "Jd", "Js"], "unturned": 0},
    {"place": "seat 1", "turned": ["Ah", "9s"], "unturned": 0},
    {"place": "seat 2", "turned": [], "unturned": 2},
    {"place": "seat 3", "turned": ["2s", "8d"], "unturned": 0},
]


def test_gen_14_no_card_that_was_never_turned_is_printed(ask: Ask, file: Path) -> None:
    record = shoe_of(CMS)
    round = deal_round(CMS, record, "1x", "fold")
    path = write_proof(file, proof_of(record, round))
    hidden = names(round.hidden[2]).split()
    for arguments in ((), ("--json",)):
        answer = ask("verify-deal", path, *arguments)
        assert answer.code == 0
        assert [
            card_name
            for card_name in hidden
            if card_name in re.findall(r"\b[2-9TJQKA][cdhs]\b", answer.out)
        ] == []
    assert "  seat 2               (2 not turned over)" in ask("verify-deal", path).out


def test_changed_card_is_named_and_exits_with_1(ask: Ask, file: Path, stored_proof: Json) -> None:
    at = turns(stored_proof)[0]
    before = stored_proof["round"]["actions"][at]["card"]
    changed = with_value(stored_proof, "round", "actions", at, "card", to="2c")
    path = write_proof(file, with_value(changed, "round", "settlement", to=None))
    sentence = f"Card 1 of seat 1: the record has 2c, but the shoe deals {before}."
    answer = ask("verify-deal", path)
    assert (answer.code, answer.err) == (1, "")
    left_out = "The round is over, but its settlement is missing."
    assert answer.out.splitlines()[-3:] == [
        f"Difference: {sentence}",
        f"Difference: {left_out}",
        "This round does not match the shuffle.",
    ]
    answer = ask("verify-deal", path, "--json")
    assert answer.code == 1
    assert answer.document["result"] == "differs"
    assert answer.document["differences"] == [
        {
            "code": "card",
            "message": sentence,
            "place": "seat 1",
            "number": 1,
            "recorded": "2c",
            "dealt": before,
        },
        {"code": "settlement", "message": left_out},
    ]


def test_broken_commitment_is_reported(ask: Ask, file: Path, stored_proof: Json) -> None:
    path = write_proof(file, with_value(stored_proof, "shoe", "commitment", to="0" * 64))
    answer = ask("verify-deal", path)
    assert answer.code == 1
    assert "The seed has this hash" not in answer.out
    assert "Difference: The seed does not match the shoe's published commitment." in answer.out


def test_a_difference_names_its_clause(ask: Ask, file: Path) -> None:
    record = shoe_of(CMS)
    path = write_proof(file, proof_of(record, deal_round(CMS, record, "1x", drawn=5), 5))
    answer = ask("verify-deal", path)
    assert answer.code == 1
    assert "one deck, 5 cards dealt before this round." in answer.out
    assert (
        "Difference: 5 cards were dealt before, but the sheet requires a fresh shoe by then "
        "(CMS-3)." in answer.out
    )


@pytest.mark.parametrize(
    ("kind", "more", "words"),
    [
        ("seeded", {"seed": "x"}, "with a chosen seed (a test or demonstration, not a fair deal)"),
        (
            "arranged",
            {"first": (card("As"),)},
            "arranged (practice with chosen cards, not a fair deal)",
        ),
    ],
)
def test_other_kinds_of_shoe_are_labeled(
    ask: Ask, file: Path, kind: Any, more: Json, words: str
) -> None:
    record = shoe_of(CMS, kind, **more)
    answer = ask("verify-deal", write_proof(file, proof_of(record, deal_round(CMS, record, "1x"))))
    assert answer.code == 0
    assert answer.out.splitlines()[1] == f'Shoe "table 4/19", {words}, one deck.'
    assert ("No commitment was published" in answer.out) == (kind == "seeded")


def test_shoe_of_several_rounds_and_decks_is_shown(ask: Ask, file: Path) -> None:
    sheet = with_cut_card(60)
    record = shoe_of(sheet)
    path = write_proof(file, proof_of(record, deal_round(sheet, record, "low", drawn=14), 14))
    shoe_line = ask("verify-deal", path).out.splitlines()[1]
    assert shoe_line.endswith("6 decks, 14 cards dealt before this round.")


def test_unfinished_round_is_reported(ask: Ask, file: Path) -> None:
    record = shoe_of(LAS)
    round = DealtRound(LAS, dealing(record, VAULT, SEATS)).deal(1)
    round.turn(1)
    round.do(Misdeal("a boxed card"))
    *_, board, seat, last = ask(
        "verify-deal", write_proof(file, proof_of(record, round))
    ).out.splitlines()
    assert board == "  the community cards  (3 not turned over)"
    assert seat == f"  seat 1               {names(round.hidden[1][:1])} (1 not turned over)"
    assert (
        last == "Verified: this round matches the shuffle. Cards turned over: 1 of 5, all correct."
    )


def test_missing_settlement_is_reported(ask: Ask, file: Path, stored_proof: Json) -> None:
    del stored_proof["round"]["settlement"]
    answer = ask("verify-deal", write_proof(file, stored_proof))
    assert answer.code == 1
    assert "Difference: The round is over, but its settlement is missing." in answer.out


def test_own_seed_is_compared(ask: Ask, file: Path) -> None:
    record = shoe_of(CMS)
    path = write_proof(file, proof_of(record, deal_round(CMS, record, "1x")))
    answer = ask("verify-deal", path, "--seed", "1=ann's own", "--seed", "2=7")
    assert answer.code == 0
    assert "Your seeds for seats 1 and 2 are in the deal." in answer.out
    answer = ask("verify-deal", path, "--seed", "1=another")
    assert answer.code == 1
    assert 'Your seed for seat 1, "another", is not in the deal' in answer.out
    answer = ask("verify-deal", path, "--history", "00" * 32)
    assert answer.code == 1
    assert "The proof has no history" in answer.out


def test_round_without_a_deal_is_reported(ask: Ask, file: Path, stored_proof: Json) -> None:
    empty = with_value(
        with_value(stored_proof, "round", "actions", to=[]), "round", "settlement", to=None
    )
    answer = ask("verify-deal", write_proof(file, empty))
    assert answer.code == 0
    assert answer.out.splitlines()[-2:] == [
        "Dealt again:",
        "Verified: this round matches the shuffle. Cards turned over: 0 of 0, all correct.",
    ]


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (
            b"",
            "Line 1, column 1: not valid JSON: Expecting value.",
        ),
        (
            b'{"format": 1, ',
            "Line 1, column 15: not valid JSON: ",
        ),
        (b"[" * 100_000, "This is not the JSON of a revealed round."),
        (b"9" * 5_000, "This is not the JSON of a revealed round."),
        (b"\xff", "byte 1 is not valid UTF-8."),
        (b'{"a": 1, "b": 2, "a": 3}', '"a" appears twice in one object.'),
        (b"[]", "A revealed round must have the fields format, shoe, drawn, round, round_id."),
    ],
)
def test_invalid_proof_file_is_refused(ask: Ask, file: Path, content: bytes, sentence: str) -> None:
    file.write_bytes(content)
    for arguments in ((), ("--json",)):
        answer = ask("verify-deal", str(file), *arguments)
        assert answer.code == 1
        assert sentence in answer.err
        assert len(answer.err.splitlines()) == 1
        assert answer.out == "" or list(answer.document) == ["error"]


@pytest.mark.parametrize("cut_at", [1, 100, 1_000, 5_000])
def test_truncated_file_is_refused(ask: Ask, file: Path, cut_at: int) -> None:
    file.write_text(STORED_FILE.read_text(encoding="utf-8")[:cut_at], encoding="utf-8")
    answer = ask("verify-deal", str(file))
    assert answer.code == 1
    assert "not valid JSON" in answer.err


def test_unrevealed_seed_states_when_it_will_be(ask: Ask, file: Path, stored_proof: Json) -> None:
    answer = ask(
        "verify-deal", write_proof(file, with_value(stored_proof, "shoe", "seed", to=None))
    )
    assert answer.code == 1
    sentence = "The seed is not revealed yet. It is revealed when the shoe ends."
    assert answer.err == f"pitbook: {sentence}\n"


def test_missing_file_folder_or_argument_is_refused(ask: Ask, tmp_path: Path) -> None:
    assert "does not exist" in ask("verify-deal", str(tmp_path / "x.json")).err
    assert "is a folder" in ask("verify-deal", str(tmp_path)).err
    assert ask("verify-deal").code == 2


def test_dash_reads_standard_input(typed: Ask) -> None:
    answer = typed("verify-deal", "-", text=STORED_FILE.read_text(encoding="utf-8"))
    assert answer.code == 0
    assert (
        'Shoe "table 4/19", arranged (practice with chosen cards, not a fair deal), one deck'
        in answer.out
    )


class Independent:
    """The program from the documentation, run as a reader would."""

    def __init__(self, folder: Path) -> None:
        _, code = re.findall(r"```python\n(.*?)```", PAGE, re.S)
        self.script = folder / "verify.py"
        self.script.write_text(code, encoding="utf-8")

    def __call__(self, file: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-I", str(self.script), file]
        return subprocess.run(command, capture_output=True, text=True, check=False)


AGREES = "every card that was turned is where the shoe deals it\n"


@pytest.mark.long
def test_the_independent_program_agrees_with_us(tmp_path: Path, file: Path) -> None:
    verify = Independent(tmp_path)
    cut_card_sheet, choice = with_cut_card(60), (None, card("6s"), card("6h"))
    seeded_record, arranged, six_deck_record = (
        shoe_of(CMS),
        shoe_of(CMS, "arranged", first=choice),
        shoe_of(cut_card_sheet),
    )
    documents = [
        proof_of(seeded_record, deal_round(CMS, seeded_record, "1x", "fold")),
        proof_of(arranged, deal_round(CMS, arranged, "3x")),
        proof_of(
            six_deck_record,
            deal_round(cut_card_sheet, six_deck_record, "low", "high", drawn=200),
            200,
        ),
    ]
    assert verify(str(STORED_FILE)).stdout == AGREES
    for document in documents:
        completed = verify(write_proof(file, document))
        assert (completed.returncode, completed.stdout, completed.stderr) == (0, AGREES, "")


@pytest.mark.long
def test_independent_program_finds_the_same_faults(
    tmp_path: Path, file: Path, stored_proof: Json
) -> None:
    verify = Independent(tmp_path)
    assert "pitbook" not in re.findall(r"^(?:import|from) (\w+)", verify.script.read_text(), re.M)
    at = turns(stored_proof)[-1]
    before = stored_proof["round"]["actions"][at]["card"]
    completed = verify(
        write_proof(file, with_value(stored_proof, "round", "actions", at, "card", to="2c"))
    )
    assert completed.returncode == 1
    assert completed.stderr.endswith(f": the shoe deals {before}\n")
    completed = verify(
        write_proof(file, with_value(stored_proof, "shoe", "commitment", to="0" * 64))
    )
    assert completed.returncode == 1
    assert completed.stderr == "the seed is not the one that was committed to\n"
