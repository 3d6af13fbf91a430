"""`pitbook verify-deal` on shoes that open card by card, and the page's own program beside it."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.command_line import Ask
from tests.shoe.test_proof import bent

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "verify-a-deal.md").read_text(encoding="utf-8")
KEPT = ROOT / "frontend" / "src" / "verify" / "proofs" / "cards"
PLAYERS, AUDITORS = KEPT / "stud-of-a-player.json", KEPT / "stud-of-the-auditor.json"
AGREES = "every card that you could see is where the seeds deal it, from the deck that was fixed\n"
Json = dict[str, Any]


def read(file: Path) -> Json:
    return json.loads(file.read_text(encoding="utf-8"))  # type: ignore[no-any-return]


def wrote(folder: Path, document: Json) -> str:
    file = folder / "proof.json"
    file.write_text(json.dumps(document), encoding="utf-8")
    return str(file)


def test_the_page_shows_what_a_player_reads(ask: Ask) -> None:
    answer = ask("verify-deal", str(PLAYERS))
    assert (answer.code, answer.err) == (0, "")
    (shown,) = re.findall(r"```console\n\$ pitbook verify-deal \S+\n(.*?)```", PAGE, re.S)
    assert answer.out == shown


def test_an_auditor_reads_that_the_deck_is_full(ask: Ask) -> None:
    answer = ask("verify-deal", str(AUDITORS))
    assert "The deck is full: 52 cards, each as often as it belongs there." in answer.out
    assert answer.out.endswith("Cards turned: 7 of 7, all right.\n")
    assert ask("verify-deal", str(AUDITORS), "--json").document["opens"] == "everything"


def test_the_same_as_a_document(ask: Ask) -> None:
    kept, answer = read(PLAYERS), ask("verify-deal", str(PLAYERS), "--json")
    assert answer.document == {
        "round": "t1-000001",
        "shoe": {key: kept["shoe"][key] for key in ("id", "kind", "decks", "commitment")},
        "result": "agrees",
        "drawn": 0,
        "places": [
            {"place": "the community cards", "turned": ["Ad", "2c", "7s"], "unturned": 0},
            {"place": "seat 1", "turned": ["Qs", "3h"], "unturned": 0},
            {"place": "seat 2", "turned": [None, None], "unturned": 0},
        ],
        "opens": "what its reader saw",
        "seeds_of": [1, 2],
        "differences": [],
    }


def test_what_was_kept_and_seen_is_compared(ask: Ask, tmp_path: Path) -> None:
    kept = read(PLAYERS)["shoe"]["commitment"]
    answer = ask("verify-deal", str(PLAYERS), "--commitment", kept, "--round", "t1-000001")
    assert "was fixed under this hash; it is the one that you kept." in answer.out
    answer = ask("verify-deal", str(PLAYERS), "--commitment", "00" * 32)
    assert answer.code == 1
    assert "it is not the one that you kept" in answer.out
    felt = {"community": ["Ad"], "seats": [{"seat": 2, "cards": ["8s", None]}]}
    answer = ask("verify-deal", str(PLAYERS), "--against", wrote(tmp_path, felt))
    assert "on the felt lay 8s, the proof keeps it closed" in answer.out


def test_a_deal_without_seeds_says_what_it_does_not_prove(ask: Ask, tmp_path: Path) -> None:
    bare = bent(read(PLAYERS), "shoe", "seat_seeds", to={})
    answer = ask("verify-deal", wrote(tmp_path, bare))
    assert answer.code == 1
    assert "No seat added a seed: the house may have chosen" in answer.out


@pytest.fixture
def program(tmp_path: Path) -> Path:
    (code,) = re.findall(r"```python\n(.*?)```", PAGE, re.S)
    script = tmp_path / "verify.py"
    script.write_text(code, encoding="utf-8")
    return script


def run(program: Path, file: str) -> tuple[int, str, str]:
    command = [sys.executable, "-I", str(program), file]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


def test_the_independent_program_agrees_with_us(program: Path, tmp_path: Path) -> None:
    for file in sorted(KEPT.iterdir()):
        assert run(program, str(file)) == (0, AGREES, ""), file
    player, auditor = read(PLAYERS), read(AUDITORS)
    other = "2d" if player["cards"][0]["card"] != "2d" else "2h"
    wrong: list[tuple[Json, str]] = [
        (bent(player, "cards", 0, "card", to=other), f"{other} was not committed to\n"),
        (bent(player, "shoe", "seat_seeds", to={}), "the seeds choose other positions\n"),
        (
            bent(auditor, "deck", 0, 0, to=auditor["deck"][1][0]),
            "this is not the full deck that was committed to\n",
        ),
    ]
    for document, said in wrong:
        assert run(program, wrote(tmp_path, document)) == (1, "", said)
