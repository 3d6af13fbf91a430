"""`pitbook verify-deal`: what a player reads, every way to say no, and the page about it."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.clauses.table import CMS, LAS
from tests.command_line import Ask
from tests.shoe.dealt import SEATS, VAULT, Dealt, dealt, shoe_of
from tests.shoe.test_packs import cut
from tests.shoe.test_proof import bent, proof_of, turns

from pitbook.cards import card, names
from pitbook.rules.actions import Misdeal
from pitbook.shoe.record import dealing

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "verify-a-deal.md").read_text(encoding="utf-8")
KEPT = ROOT / "tests" / "shoe" / "revealed.json"

Json = dict[str, Any]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "revealed.json"


@pytest.fixture
def kept() -> Json:
    """A round that was stored and revealed once; it deals again for ever."""
    document: Json = json.loads(KEPT.read_text(encoding="utf-8"))
    return document


def wrote(file: Path, document: Json) -> str:
    file.write_text(json.dumps(document), encoding="utf-8")
    return str(file)


def test_the_page_shows_what_a_player_reads(ask: Ask) -> None:
    answer = ask("verify-deal", str(KEPT))
    assert (answer.code, answer.err) == (0, "")
    (shown,) = re.findall(r"```console\n\$ pitbook verify-deal revealed.json\n(.*?)```", PAGE, re.S)
    assert answer.out == shown


def test_the_same_as_a_document(ask: Ask, kept: Json) -> None:
    answer = ask("verify-deal", str(KEPT), "--json")
    assert (answer.code, answer.err) == (0, "")
    shoe = kept["shoe"]
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
    round = dealt(CMS, record, "1x", "fold")
    path = wrote(file, proof_of(record, round))
    hidden = names(round.hidden[2]).split()
    for arguments in ((), ("--json",)):
        answer = ask("verify-deal", path, *arguments)
        assert answer.code == 0
        assert [
            one for one in hidden if one in re.findall(r"\b[2-9TJQKA][cdhs]\b", answer.out)
        ] == []
    assert "seat 2               (2 never turned)" in ask("verify-deal", path).out


def test_a_bent_card_is_named_and_the_exit_code_is_1(ask: Ask, file: Path, kept: Json) -> None:
    at = turns(kept)[0]
    before = kept["round"]["actions"][at]["card"]
    changed = bent(kept, "round", "actions", at, "card", to="2c")
    path = wrote(file, bent(changed, "round", "settlement", to=None))
    sentence = f"card 1 of seat 1: recorded 2c, the shoe deals {before}"
    answer = ask("verify-deal", path)
    assert (answer.code, answer.err) == (1, "")
    left_out = "the round is over, and its settlement is left out"
    assert answer.out.splitlines()[-3:] == [
        f"Differs: {sentence}.",
        f"Differs: {left_out}.",
        "The record does not agree with the shoe.",
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


def test_a_broken_commitment_is_never_called_kept(ask: Ask, file: Path, kept: Json) -> None:
    path = wrote(file, bent(kept, "shoe", "commitment", to="0" * 64))
    answer = ask("verify-deal", path)
    assert answer.code == 1
    assert "The seed has this hash" not in answer.out
    assert "does not have the hash that was published as the shoe's commitment." in answer.out


def test_a_difference_names_its_clause(ask: Ask, file: Path) -> None:
    record = shoe_of(CMS)
    path = wrote(file, proof_of(record, dealt(CMS, record, "1x", drawn=5), 5))
    answer = ask("verify-deal", path)
    assert answer.code == 1
    assert "one deck, 5 cards dealt before this round." in answer.out
    assert "the sheet asks for a fresh shoe by then (CMS-3)." in answer.out


@pytest.mark.parametrize(
    ("kind", "more", "words"),
    [
        ("seeded", {"seed": "x"}, "seeded by hand (a test or a demonstration, not a fair deal)"),
        (
            "arranged",
            {"first": (card("As"),)},
            "arranged (practice of chosen cards, not a fair deal)",
        ),
    ],
)
def test_other_kinds_are_labelled(ask: Ask, file: Path, kind: Any, more: Json, words: str) -> None:
    record = shoe_of(CMS, kind, **more)
    answer = ask("verify-deal", wrote(file, proof_of(record, dealt(CMS, record, "1x"))))
    assert answer.code == 0
    assert answer.out.splitlines()[1] == f'Shoe "table 4/19", {words}, one deck.'
    assert ("No commitment was published" in answer.out) == (kind == "seeded")


def test_a_shoe_of_several_rounds_and_decks_is_told(ask: Ask, file: Path) -> None:
    sheet = cut(60)
    record = shoe_of(sheet)
    path = wrote(file, proof_of(record, dealt(sheet, record, "low", drawn=14), 14))
    shoe_line = ask("verify-deal", path).out.splitlines()[1]
    assert shoe_line.endswith("6 decks, 14 cards dealt before this round.")


def test_a_round_that_was_cut_short_is_told(ask: Ask, file: Path) -> None:
    record = shoe_of(LAS)
    round = Dealt(LAS, dealing(record, VAULT, SEATS)).deal(1)
    round.turn(1)
    round.do(Misdeal("a boxed card"))
    *_, board, seat, last = ask(
        "verify-deal", wrote(file, proof_of(record, round))
    ).out.splitlines()
    assert board == "  the community cards  (3 never turned)"
    assert seat == f"  seat 1               {names(round.hidden[1][:1])} (1 never turned)"
    assert last == "The record agrees with the shoe. Cards turned: 1 of 5, all right."


def test_a_settlement_that_is_left_out_is_told(ask: Ask, file: Path, kept: Json) -> None:
    del kept["round"]["settlement"]
    answer = ask("verify-deal", wrote(file, kept))
    assert answer.code == 1
    assert "Differs: the round is over, and its settlement is left out." in answer.out


def test_a_seed_of_ones_own_is_compared(ask: Ask, file: Path) -> None:
    record = shoe_of(CMS)
    path = wrote(file, proof_of(record, dealt(CMS, record, "1x")))
    answer = ask("verify-deal", path, "--seed", "1=ann's own", "--seed", "2=7")
    assert answer.code == 0
    assert "The seeds that you gave for seats 1 and 2 are in the deal." in answer.out
    answer = ask("verify-deal", path, "--seed", "1=another")
    assert answer.code == 1
    assert 'the seed that you gave for seat 1, "another", is not in the deal' in answer.out
    answer = ask("verify-deal", path, "--history", "00" * 32)
    assert answer.code == 1
    assert "the proof has no history" in answer.out


def test_a_round_without_a_deal_is_told_too(ask: Ask, file: Path, kept: Json) -> None:
    empty = bent(bent(kept, "round", "actions", to=[]), "round", "settlement", to=None)
    answer = ask("verify-deal", wrote(file, empty))
    assert answer.code == 0
    assert answer.out.splitlines()[-2:] == [
        "Dealt again:",
        "The record agrees with the shoe. Cards turned: 0 of 0, all right.",
    ]


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "line 1, column 1: this is no JSON: Expecting value."),
        (b'{"format": 1, ', "line 1, column 15: this is no JSON: "),
        (b"[" * 100_000, "this is no JSON that holds a revealed round."),
        (b"9" * 5_000, "this is no JSON that holds a revealed round."),
        (b"\xff", "byte 1 is no UTF-8 text."),
        (b'{"a": 1, "b": 2, "a": 3}', '"a" is written twice in one object.'),
        (b"[]", "a revealed round has the fields format, shoe, drawn, round, round_id."),
    ],
)
def test_what_is_no_revealed_round_is_refused(
    ask: Ask, file: Path, content: bytes, sentence: str
) -> None:
    file.write_bytes(content)
    for arguments in ((), ("--json",)):
        answer = ask("verify-deal", str(file), *arguments)
        assert answer.code == 1
        assert sentence in answer.err
        assert len(answer.err.splitlines()) == 1
        assert answer.out == "" or list(answer.document) == ["error"]


@pytest.mark.parametrize("cut_at", [1, 100, 1_000, 5_000])
def test_a_file_that_was_cut_off_is_refused(ask: Ask, file: Path, cut_at: int) -> None:
    file.write_text(KEPT.read_text(encoding="utf-8")[:cut_at], encoding="utf-8")
    answer = ask("verify-deal", str(file))
    assert answer.code == 1
    assert "this is no JSON" in answer.err


def test_a_seed_that_is_not_revealed_says_when_it_will_be(ask: Ask, file: Path, kept: Json) -> None:
    answer = ask("verify-deal", wrote(file, bent(kept, "shoe", "seed", to=None)))
    assert answer.code == 1
    sentence = "the seed is not revealed yet; that is done when the shoe has ended."
    assert answer.err == f"pitbook: {sentence}\n"


def test_no_file_a_folder_and_no_argument(ask: Ask, tmp_path: Path) -> None:
    assert "there is no such file" in ask("verify-deal", str(tmp_path / "x.json")).err
    assert "is a folder" in ask("verify-deal", str(tmp_path)).err
    assert ask("verify-deal").code == 2


def test_standard_input_is_read_for_a_dash(typed: Ask) -> None:
    answer = typed("verify-deal", "-", text=KEPT.read_text(encoding="utf-8"))
    assert answer.code == 0
    assert "The record agrees with the shoe" in answer.out


class Independent:
    """The program that the page shows, run as anyone would run it."""

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
    six, choice = cut(60), (None, card("6s"), card("6h"))
    plain, arranged, many = shoe_of(CMS), shoe_of(CMS, "arranged", first=choice), shoe_of(six)
    documents = [
        proof_of(plain, dealt(CMS, plain, "1x", "fold")),
        proof_of(arranged, dealt(CMS, arranged, "3x")),
        proof_of(many, dealt(six, many, "low", "high", drawn=200), 200),
    ]
    assert verify(str(KEPT)).stdout == AGREES
    for document in documents:
        done = verify(wrote(file, document))
        assert (done.returncode, done.stdout, done.stderr) == (0, AGREES, "")


@pytest.mark.long
def test_the_independent_program_finds_what_we_find(tmp_path: Path, file: Path, kept: Json) -> None:
    verify = Independent(tmp_path)
    assert "pitbook" not in re.findall(r"^(?:import|from) (\w+)", verify.script.read_text(), re.M)
    at = turns(kept)[-1]
    before = kept["round"]["actions"][at]["card"]
    done = verify(wrote(file, bent(kept, "round", "actions", at, "card", to="2c")))
    assert done.returncode == 1
    assert done.stderr.endswith(f": the shoe deals {before}\n")
    done = verify(wrote(file, bent(kept, "shoe", "commitment", to="0" * 64)))
    assert done.returncode == 1
    assert done.stderr == "the seed is not the one that was committed to\n"
