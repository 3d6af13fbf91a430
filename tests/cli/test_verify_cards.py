"""`pitbook verify-deal` on shoes that open card by card, and the independent program in the
docs.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.command_line import Ask
from tests.shoe.forged_decks import forge_deal
from tests.shoe.test_proof import with_value

from pitbook.shoe.dealing import Past
from pitbook.shoe.verify import verify

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "verify-a-deal.md").read_text(encoding="utf-8")
KEPT = ROOT / "frontend" / "src" / "verify" / "proofs" / "cards"
PLAYER_PROOF, AUDITOR_PROOF = KEPT / "stud-of-a-player.json", KEPT / "stud-of-the-auditor.json"
DEEP_PROOF = KEPT / "hi-lo-deep-in-the-shoe.json"
STALE = "the rules ask for a fresh shoe, and there were deals before this one\n"
AGREES = "every card that you could see is where the seeds deal it, from the deck that was fixed\n"
Json = dict[str, Any]


def read(file: Path) -> Json:
    return json.loads(file.read_text(encoding="utf-8"))  # type: ignore[no-any-return]


def write_proof(folder: Path, document: Json) -> str:
    file = folder / "proof.json"
    file.write_text(json.dumps(document), encoding="utf-8")
    return str(file)


def test_documentation_shows_the_players_output(ask: Ask) -> None:
    answer = ask("verify-deal", str(PLAYER_PROOF))
    assert (answer.code, answer.err) == (0, "")
    documented, _ = re.findall(r"```console\n\$ pitbook verify-deal \S+\n(.*?)```", PAGE, re.S)
    assert answer.out == documented


def test_auditor_output_confirms_a_full_deck(ask: Ask) -> None:
    answer = ask("verify-deal", str(AUDITOR_PROOF))
    assert "The deck is full: 52 cards, each the correct number of times." in answer.out
    assert answer.out.endswith("Cards turned over: 7 of 7, all correct.\n")
    assert ask("verify-deal", str(AUDITOR_PROOF), "--json").document["opens"] == "everything"


def test_json_says_the_same(ask: Ask) -> None:
    player_proof, answer = read(PLAYER_PROOF), ask("verify-deal", str(PLAYER_PROOF), "--json")
    assert answer.document == {
        "round": "t1-000001",
        "shoe": {key: player_proof["shoe"][key] for key in ("id", "kind", "decks", "commitment")},
        "result": "agrees",
        "drawn": 0,
        "places": [
            {"place": "the community cards", "turned": ["Ad", "2c", "7s"], "unturned": 0},
            {"place": "seat 1", "turned": ["Qs", "3h"], "unturned": 0},
            {"place": "seat 2", "turned": [None, None], "unturned": 0},
        ],
        "opens": "what its reader saw",
        "seeds_of": [1, 2],
        "seat_seeds": player_proof["shoe"]["seat_seeds"],
        "differences": [],
    }


def test_kept_commitment_and_seen_cards_are_compared(ask: Ask, tmp_path: Path) -> None:
    commitment = read(PLAYER_PROOF)["shoe"]["commitment"]
    answer = ask(
        "verify-deal", str(PLAYER_PROOF), "--commitment", commitment, "--round", "t1-000001"
    )
    assert "Each card below was committed under this hash." in answer.out
    answer = ask("verify-deal", str(PLAYER_PROOF), "--commitment", "00" * 32)
    assert answer.code == 1
    assert "It does not match the one you recorded" in answer.out
    layout = {"community": ["Ad"], "seats": [{"seat": 2, "cards": ["8s", None]}]}
    answer = ask("verify-deal", str(PLAYER_PROOF), "--against", write_proof(tmp_path, layout))
    assert "the table had 8s, but the proof keeps it hidden" in answer.out


PAST = (Past(0, ((7, "x1"),)),)
SWAPPED = {"1": "x1", "2": "bob's own"}


def test_invented_history_is_refused(ask: Ask, tmp_path: Path) -> None:
    """The deck, its hash and the seats' seeds are right, but the past was chosen by trial."""
    forged = write_proof(tmp_path, forge_deal(read(AUDITOR_PROOF), past=PAST))
    commitment = read(AUDITOR_PROOF)["shoe"]["commitment"]
    answer = ask("verify-deal", forged, "--commitment", commitment, "--round", "t1-000001")
    assert answer.code == 1
    assert "shoe.past: 0 must be a number of cards, at least 1." in answer.err
    later = write_proof(tmp_path, forge_deal(read(AUDITOR_PROOF), past=(Past(5, ((7, "x1"),)),)))
    assert (
        "Difference: 5 cards were dealt before, but the sheet requires a fresh shoe by then (CMS-3)"
        in ask("verify-deal", later).out
    )


def test_swapped_seed_is_shown_and_refused(ask: Ask, tmp_path: Path) -> None:
    own_seed, forged = (
        'é "😀" ',
        write_proof(tmp_path, forge_deal(read(AUDITOR_PROOF), seeds=SWAPPED)),
    )
    answer = ask("verify-deal", forged)
    assert '  seat 1  "x1"\n  seat 2  "bob\'s own"\n' in answer.out
    assert "Is your seed among them? Compare it with --seed SEAT=TEXT." in answer.out
    answer = ask("verify-deal", forged, "--seed", f"1={own_seed}", "--seed", "2=bob's own")
    assert answer.code == 1
    assert "Your seed for seat 1, " in answer.out
    assert "This proof is for another round." in answer.out
    document = ask("verify-deal", forged, "--seed", f"1={own_seed}", "--json").document
    assert [
        (difference["code"], difference["place"]) for difference in document["differences"]
    ] == [("seed", "seat 1")]
    assert document["compared"] == ["seeds"]
    answer = ask("verify-deal", str(AUDITOR_PROOF), "--seed", f"1={own_seed}")
    assert answer.code == 0
    assert "Your seed for seat 1 is in the deal." in answer.out
    assert "--seed SEAT=TEXT" not in answer.out


def test_history_hash_is_compared(ask: Ask, tmp_path: Path) -> None:
    document = ask("verify-deal", str(DEEP_PROOF), "--json").document
    assert document["past_deals"] == 3
    answer = ask("verify-deal", str(DEEP_PROOF))
    assert "6 decks, 33 cards dealt before this round in 3 deals." in answer.out
    assert f"History {document['history']}\n" in answer.out
    assert "Did the table show it before betting opened?" in answer.out
    assert '  seat 1  "ann 4", then "cho"\n' in answer.out
    answer = ask(
        "verify-deal", str(DEEP_PROOF), "--history", document["history"], "--seed", "1=cho"
    )
    assert answer.code == 0
    assert "The earlier deals match what you recorded." in answer.out
    first = read(DEEP_PROOF)["shoe"]["commitment"]
    answer = ask("verify-deal", str(DEEP_PROOF), "--history", first, "--json")
    assert answer.code == 1
    assert [difference["code"] for difference in answer.document["differences"]] == ["history"]
    assert answer.document["compared"] == ["history"]
    plain = ask(
        "verify-deal", str(PLAYER_PROOF), "--history", read(PLAYER_PROOF)["shoe"]["commitment"]
    )
    assert plain.code == 0
    assert "There were no earlier deals, as you recorded." in plain.out


def test_a_seed_of_a_seat_without_a_hand_is_marked(ask: Ask, tmp_path: Path) -> None:
    more = read(AUDITOR_PROOF)["shoe"]["seat_seeds"] | {"12": "x1"}
    out = ask("verify-deal", write_proof(tmp_path, forge_deal(read(AUDITOR_PROOF), seeds=more))).out
    assert '  seat 2   "bob\'s own"\n  seat 12  "x1" (no hand in this round)\n' in out


def test_a_long_or_hostile_seed_is_shown_in_one_line(ask: Ask, tmp_path: Path) -> None:
    odd = {"1": "x" * 500, "2": "\x1b[2J"}
    out = ask("verify-deal", write_proof(tmp_path, forge_deal(read(AUDITOR_PROOF), seeds=odd))).out
    assert f'  seat 1  "{"x" * 56}...\n' in out
    assert "\x1b" not in out


@pytest.mark.parametrize("given", ["own", "=own", "0=own", "13=own", "1=", "one=own", "1.0=x"])
def test_seed_without_a_seat_is_misuse(ask: Ask, given: str) -> None:
    answer = ask("verify-deal", str(PLAYER_PROOF), "--seed", given)
    assert answer.code == 2
    assert "SEAT=TEXT" in answer.err


def test_malformed_history_hash_is_misuse(ask: Ask) -> None:
    assert ask("verify-deal", str(PLAYER_PROOF), "--history", "abc").code == 2


def test_deal_without_seeds_states_what_is_unproved(ask: Ask, tmp_path: Path) -> None:
    bare = with_value(read(PLAYER_PROOF), "shoe", "seat_seeds", to={})
    answer = ask("verify-deal", write_proof(tmp_path, bare))
    assert answer.code == 1
    assert (
        "No seat added a seed, so the house may have chosen a deck whose order it knew"
        in answer.out
    )


@pytest.fixture
def program(tmp_path: Path) -> Path:
    code, _ = re.findall(r"```python\n(.*?)```", PAGE, re.S)
    script = tmp_path / "verify.py"
    script.write_text(code, encoding="utf-8")
    return script


def run(program: Path, file: str, *own_seeds: str) -> tuple[int, str, str]:
    command = [sys.executable, "-I", "-X", "utf8", str(program), file, *own_seeds]
    completed = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    return completed.returncode, completed.stdout, completed.stderr


@pytest.mark.long
def test_the_independent_program_agrees_with_us(program: Path, tmp_path: Path) -> None:
    for file in sorted(KEPT.iterdir()):
        code, out, err = run(program, str(file))
        assert (code, out.endswith(AGREES), err) == (0, True, ""), file
    player, auditor, deep = (
        read(proof_path) for proof_path in (PLAYER_PROOF, AUDITOR_PROOF, DEEP_PROOF)
    )
    other = "2d" if player["cards"][0]["card"] != "2d" else "2h"
    wrong: list[tuple[Json, str]] = [
        (with_value(player, "cards", 0, "card", to=other), f"{other} was not committed to\n"),
        (with_value(player, "shoe", "seat_seeds", to={}), "the seeds choose other positions\n"),
        (
            with_value(auditor, "deck", 0, 0, to=auditor["deck"][1][0]),
            "this is not the full deck that was committed to\n",
        ),
        *((forge_deal(auditor, past=past), STALE) for past in (PAST, (Past(5, PAST[0].seeds),))),
        (
            with_value(deep, "shoe", "past", 0, "cards", to=0),
            "a deal before this one took no cards\n",
        ),
    ]
    for document, message in wrong:
        assert run(program, write_proof(tmp_path, document)) == (1, "", message)


@pytest.mark.long
def test_the_independent_program_shows_what_to_compare(program: Path, tmp_path: Path) -> None:
    _, out, _ = run(program, str(DEEP_PROOF))
    assert out.splitlines()[:2] == [
        "deals before: 3",
        f"history: {verify(read(DEEP_PROOF)).history}",
    ]
    assert out.splitlines()[2:4] == ["seed of seat 1: 'ann 4'", "seed of seat 1: 'cho'"]
    assert run(program, str(DEEP_PROOF), "1=cho")[0] == 0
    swapped = write_proof(tmp_path, forge_deal(read(AUDITOR_PROOF), seeds=SWAPPED))
    assert run(program, swapped, "2=bob's own")[0] == 0
    code, _, err = run(program, swapped, '1=é "😀" ')
    assert (code, err) == (1, "the seed of seat 1 is not the one that you gave\n")
