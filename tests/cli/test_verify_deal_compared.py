"""`pitbook verify-deal` against what a player knows: no proof of another round gets through."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from tests.clauses.table import CMS, MHL
from tests.command_line import Ask
from tests.shoe.dealt import SEATS, VAULT, Dealt

from pitbook.cards import name
from pitbook.rules.actions import BOARD
from pitbook.sheets.model import Sheet
from pitbook.shoe.proof import revealed
from pitbook.shoe.record import dealing, fresh

Json = dict[str, Any]
Bend = Callable[["Known", "Known"], Json]
ASKED, OTHER = "stud-1-000004", "stud-1-000005"


class Known(NamedTuple):
    """A proof, and the round as it lay on the felt."""

    proof: Json
    felt: Json

    @property
    def commitment(self) -> str:
        return str(self.proof["shoe"]["commitment"])


def known(sheet: Sheet, *plays: str, number: int = 4, table: str = "stud-1") -> Known:
    shoe = f"{table}-shoe-{number:06d}"
    record = fresh("arranged", id=shoe, decks=sheet.deck.decks, vault=VAULT, first=(None,))
    round = Dealt(sheet, dealing(record, VAULT, SEATS)).deal(len(plays)).play(*plays)
    round_id = f"{table}-{number:06d}"
    proof = revealed(
        record, VAULT, seat_seeds=SEATS, drawn=0, round=round.stored, round_id=round_id
    )
    seats = [
        {"seat": seat, "cards": [name(card) for card in round.hidden[seat]] * (play != "fold")}
        for seat, play in enumerate(plays, 1)
    ]
    board = [name(card) for card in round.hidden[BOARD]]
    felt = {"community" if sheet is CMS else "dealer": board, "seats": seats}
    return Known(json.loads(json.dumps(proof)), felt)


@pytest.fixture(params=[CMS, MHL], ids=lambda sheet: sheet.id)
def right(request: pytest.FixtureRequest) -> Known:
    plays = ("low", "high") if request.param is MHL else ("3x", "fold", "1x")
    return known(request.param, *plays)


@pytest.fixture
def check(ask: Ask, tmp_path: Path) -> Callable[..., Any]:
    """Ask with everything that a player knows."""

    def asked(proof: Json, of: Known, *more: str) -> Any:
        file, against = tmp_path / "proof.json", tmp_path / "round.json"
        file.write_text(json.dumps(proof), encoding="utf-8")
        against.write_text(json.dumps(of.felt), encoding="utf-8")
        own = ("--round", ASKED, "--commitment", of.commitment, "--against", str(against))
        return ask("verify-deal", str(file), *own, *more)

    return asked


def test_the_right_proof_is_taken(check: Callable[..., Any], right: Known) -> None:
    answer = check(right.proof, right)
    assert (answer.code, answer.err) == (0, "")
    assert f"Round {ASKED}." in answer.out
    assert "it is the one that you kept before the bets." in answer.out
    assert "These are the cards that lay on the felt." in answer.out
    told = check(right.proof, right, "--json").document
    assert (told["round"], told["compared"]) == (ASKED, ["commitment", "cards"])


def another_round(right: Known, other: Known) -> Json:
    return other.proof


def another_round_renamed(right: Known, other: Known) -> Json:
    return {**other.proof, "round_id": ASKED}


def another_table(right: Known, other: Known) -> Json:
    """The same number at another table, or in another house, renamed."""
    stranger = known(CMS, "1x", table="stud-2").proof
    return {**stranger, "round_id": ASKED}


def another_house(right: Known, other: Known) -> Json:
    return known(CMS, "3x", "fold", "1x").proof


def altered_commitment(right: Known, other: Known) -> Json:
    shoe = {**right.proof["shoe"], "commitment": other.commitment}
    return {**right.proof, "shoe": shoe}


def swapped_seats(right: Known, other: Known) -> Json:
    """Every card, wager and play of one seat under the number of another, which stays silent."""
    bent = copy.deepcopy(right.proof)
    for action in bent["round"]["actions"]:
        for field in ("seat", "place"):
            if action.get(field) in (1, 2):
                action[field] = 3 - action[field]
    bent["round"]["settlement"] = None
    return bent


REFUSED: list[tuple[Bend, str]] = [
    (another_round, f'the proof is of round "{OTHER}", not of round "{ASKED}"'),
    (another_round_renamed, "the one shown before the bets was"),
    (another_round_renamed, ": on the felt lay "),
    (another_table, f'round "{ASKED}" was not dealt from a shoe of table "stud-2"'),
    (another_house, "the one shown before the bets was"),
    (altered_commitment, "the one shown before the bets was"),
    (altered_commitment, "the seed does not have the hash"),
]


@pytest.mark.parametrize(("bend", "sentence"), REFUSED)
def test_any_other_proof_is_refused_by_name(
    check: Callable[..., Any], bend: Bend, sentence: str
) -> None:
    right, other = (known(CMS, "3x", "fold", "1x", number=number) for number in (4, 5))
    answer = check(bend(right, other), right)
    assert answer.code == 1
    assert any(line.startswith("Differs: ") and sentence in line for line in answer.out.split("\n"))
    assert answer.out.rstrip().split("\n")[-1] in (
        "This is no proof of that round.",
        "The record does not agree with the shoe.",
    )


def test_swapped_seats_are_refused(check: Callable[..., Any]) -> None:
    right = known(CMS, "1x", "1x")
    answer = check(swapped_seats(right, right), right)
    assert answer.code == 1


def test_a_forged_shoe_that_agrees_with_itself_is_refused_by_the_felt(
    check: Callable[..., Any],
) -> None:
    """Cards, seed and commitment are all another round's; only the felt and the hash know."""
    right = known(CMS, "1x")
    forged = {**known(CMS, "1x").proof, "round_id": ASKED}
    codes = {one["code"] for one in check(forged, right, "--json").document["differences"]}
    assert codes == {"kept", "felt"}


def test_the_tables_own_record_is_compared_too(ask: Ask, tmp_path: Path) -> None:
    right, other = known(CMS, "1x"), known(CMS, "1x", number=5)
    file, against = tmp_path / "proof.json", tmp_path / "round.json"
    seats = [{"seat": 1, "cards": right.felt["seats"][0]["cards"]}, {"seat": 2, "player": None}]
    view = {"board": {"cards": right.felt["community"]}, "seats": seats}
    told = {"round": ASKED, "shoe": {"commitment": right.commitment}, "steps": [{"view": view}]}
    against.write_text(json.dumps(told), encoding="utf-8")
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
def test_a_record_that_is_no_round_is_a_sentence(ask: Ask, tmp_path: Path, wrong: Any) -> None:
    file, against = tmp_path / "proof.json", tmp_path / "round.json"
    file.write_text(json.dumps(known(CMS, "1x").proof), encoding="utf-8")
    against.write_text(json.dumps(wrong), encoding="utf-8")
    answer = ask("verify-deal", str(file), "--against", str(against))
    assert answer.code == 1
    assert "Traceback" not in answer.err
    assert answer.err.strip()


def test_a_commitment_that_is_none_is_misuse(ask: Ask, tmp_path: Path) -> None:
    file = tmp_path / "proof.json"
    file.write_text(json.dumps(known(CMS, "1x").proof), encoding="utf-8")
    assert ask("verify-deal", str(file), "--commitment", "abc").code == 2
