"""`pitbook verify-deal` compared with what a player knows: another round's proof is refused."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from tests.clauses.one_line_rounds import CMS, MHL
from tests.command_line import Ask
from tests.shoe.dealt_rounds import SEATS, VAULT, DealtRound

from pitbook.cards import name
from pitbook.rules.actions import BOARD
from pitbook.sheets.model import Sheet
from pitbook.shoe.proof import build_revealed_proof
from pitbook.shoe.stored_shoe import dealing, new_shoe

Json = dict[str, Any]
Bend = Callable[["KnownRound", "KnownRound"], Json]
ASKED, OTHER = "stud-1-000004", "stud-1-000005"


class KnownRound(NamedTuple):
    """A proof, and the round's cards on the layout."""

    proof: Json
    layout: Json

    @property
    def commitment(self) -> str:
        return str(self.proof["shoe"]["commitment"])


def known_round(sheet: Sheet, *plays: str, number: int = 4, table: str = "stud-1") -> KnownRound:
    shoe = f"{table}-shoe-{number:06d}"
    record = new_shoe("arranged", id=shoe, decks=sheet.deck.decks, vault=VAULT, first=(None,))
    round = DealtRound(sheet, dealing(record, VAULT, SEATS)).deal(len(plays)).play(*plays)
    round_id = f"{table}-{number:06d}"
    proof = build_revealed_proof(
        record, VAULT, seat_seeds=SEATS, drawn=0, round=round.stored, round_id=round_id
    )
    seats = [
        {"seat": seat, "cards": [name(card) for card in round.hidden[seat]] * (play != "fold")}
        for seat, play in enumerate(plays, 1)
    ]
    board = [name(card) for card in round.hidden[BOARD]]
    felt = {"community" if sheet is CMS else "dealer": board, "seats": seats}
    return KnownRound(json.loads(json.dumps(proof)), felt)


@pytest.fixture(params=[CMS, MHL], ids=lambda sheet: sheet.id)
def right(request: pytest.FixtureRequest) -> KnownRound:
    plays = ("low", "high") if request.param is MHL else ("3x", "fold", "1x")
    return known_round(request.param, *plays)


@pytest.fixture
def check(ask: Ask, tmp_path: Path) -> Callable[..., Any]:
    """Run the command with everything that a player knows."""

    def run_check(proof: Json, known_data: KnownRound, *more: str) -> Any:
        file, against = tmp_path / "proof.json", tmp_path / "round.json"
        file.write_text(json.dumps(proof), encoding="utf-8")
        against.write_text(json.dumps(known_data.layout), encoding="utf-8")
        options = (
            "--round",
            ASKED,
            "--commitment",
            known_data.commitment,
            "--against",
            str(against),
        )
        return ask("verify-deal", str(file), *options, *more)

    return run_check


def test_matching_proof_is_accepted(check: Callable[..., Any], right: KnownRound) -> None:
    answer = check(right.proof, right)
    assert (answer.code, answer.err) == (0, "")
    assert f"Round {ASKED}." in answer.out
    assert "It matches the one you recorded before betting." in answer.out
    assert "These are the cards that were on the table." in answer.out
    document = check(right.proof, right, "--json").document
    assert (document["round"], document["compared"]) == (ASKED, ["commitment", "cards"])


def another_round(right: KnownRound, other: KnownRound) -> Json:
    return other.proof


def another_round_renamed(right: KnownRound, other: KnownRound) -> Json:
    return {**other.proof, "round_id": ASKED}


def another_table(right: KnownRound, other: KnownRound) -> Json:
    """The same round number at another table or casino, renamed."""
    stranger = known_round(CMS, "1x", table="stud-2").proof
    return {**stranger, "round_id": ASKED}


def another_house(right: KnownRound, other: KnownRound) -> Json:
    return known_round(CMS, "3x", "fold", "1x").proof


def altered_commitment(right: KnownRound, other: KnownRound) -> Json:
    shoe = {**right.proof["shoe"], "commitment": other.commitment}
    return {**right.proof, "shoe": shoe}


def swapped_seats(right: KnownRound, other: KnownRound) -> Json:
    """Every card, wager and play of one seat under another seat's number."""
    bent = copy.deepcopy(right.proof)
    for action in bent["round"]["actions"]:
        for field in ("seat", "place"):
            if action.get(field) in (1, 2):
                action[field] = 3 - action[field]
    bent["round"]["settlement"] = None
    return bent


REFUSED: list[tuple[Bend, str]] = [
    (another_round, f'This proof is for round "{OTHER}", not round "{ASKED}".'),
    (another_round_renamed, "the one shown before betting was"),
    (another_round_renamed, ": the table had "),
    (another_table, f'Round "{ASKED}" was not dealt from a shoe of table "stud-2".'),
    (another_house, "the one shown before betting was"),
    (altered_commitment, "the one shown before betting was"),
    (altered_commitment, "The seed does not match the shoe's published commitment."),
]


@pytest.mark.parametrize(("bend", "sentence"), REFUSED)
def test_proof_of_another_round_is_refused(
    check: Callable[..., Any], bend: Bend, sentence: str
) -> None:
    right, other = (known_round(CMS, "3x", "fold", "1x", number=number) for number in (4, 5))
    answer = check(bend(right, other), right)
    assert answer.code == 1
    assert any(
        line.startswith("Difference: ") and sentence in line for line in answer.out.split("\n")
    )
    assert answer.out.rstrip().split("\n")[-1] in (
        "This proof is for another round.",
        "This round does not match the shuffle.",
    )


def test_swapped_seats_are_refused(check: Callable[..., Any]) -> None:
    right = known_round(CMS, "1x", "1x")
    answer = check(swapped_seats(right, right), right)
    assert answer.code == 1


def test_consistent_forgery_is_refused_by_cards_and_hash(
    check: Callable[..., Any],
) -> None:
    """Cards, seed and commitment belong to another round; only the layout and the hash differ."""
    right = known_round(CMS, "1x")
    forged = {**known_round(CMS, "1x").proof, "round_id": ASKED}
    codes = {
        difference["code"] for difference in check(forged, right, "--json").document["differences"]
    }
    assert codes == {"kept", "felt"}


def test_table_record_is_compared(ask: Ask, tmp_path: Path) -> None:
    right, other = known_round(CMS, "1x"), known_round(CMS, "1x", number=5)
    file, against = tmp_path / "proof.json", tmp_path / "round.json"
    seats = [{"seat": 1, "cards": right.layout["seats"][0]["cards"]}, {"seat": 2, "player": None}]
    view = {"board": {"cards": right.layout["community"]}, "seats": seats}
    table_record = {
        "round": ASKED,
        "shoe": {"commitment": right.commitment},
        "steps": [{"view": view}],
    }
    against.write_text(json.dumps(table_record), encoding="utf-8")
    for proof, code in ((right.proof, 0), (other.proof, 1)):
        file.write_text(json.dumps(proof), encoding="utf-8")
        assert ask("verify-deal", str(file), "--against", str(against)).code == code


@pytest.mark.parametrize(
    "wrong",
    [
        [],
        {"seats": 1},
        {"steps": []},
        {"seats": [{"seat": "1"}]},
        {"seats": [{"seat": 1, "cards": ["1x"]}]},
        {"seats": [], "community": 3},
    ],
)
def test_invalid_table_record_is_refused(ask: Ask, tmp_path: Path, wrong: Any) -> None:
    file, against = tmp_path / "proof.json", tmp_path / "round.json"
    file.write_text(json.dumps(known_round(CMS, "1x").proof), encoding="utf-8")
    against.write_text(json.dumps(wrong), encoding="utf-8")
    answer = ask("verify-deal", str(file), "--against", str(against))
    assert answer.code == 1
    assert "Traceback" not in answer.err
    assert answer.err.strip()


def test_invalid_commitment_is_misuse(ask: Ask, tmp_path: Path) -> None:
    file = tmp_path / "proof.json"
    file.write_text(json.dumps(known_round(CMS, "1x").proof), encoding="utf-8")
    assert ask("verify-deal", str(file), "--commitment", "abc").code == 2
