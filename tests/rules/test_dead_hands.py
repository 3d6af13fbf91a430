"""Round files of interrupted hands: `dead` (OMS-16, GEN-6)."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import pitbook
from pitbook.errors import RoundError
from pitbook.rules import round_file, stored_rounds
from pitbook.rules.stored_rounds import round_file_schema, stored_schema

Json = dict[str, Any]


def seat(number: int, play: str, cards: str | None = None) -> Json:
    card_field = {} if cards is None else {"cards": cards.split()}
    return {"seat": number, "wagers": {"ante": "2"}, "play": play.split(), **card_field}


def file(*seats: Json, board: str = "", **fields: Any) -> Json:
    cards = {"community": board.split()}
    return {"sheet": "oceanfront/mississippi-stud", "seats": list(seats), **cards, **fields}


def results(answer: Json) -> dict[int, set[str]]:
    return {
        seat_report["seat"]: {line["result"] for line in seat_report["lines"]}
        for seat_report in answer["seats"]
    }


def test_oms_16_a_dead_hand_returns_every_wager() -> None:
    document = file(seat(1, "1x 1x"), seat(2, "fold"), board="Qs", dead="power failure")
    answer = pitbook.settle(document).document()
    assert (answer["result"], answer["house_net"]) == ("dead", "0.00")
    assert results(answer) == {1: {"void"}, 2: {"void"}}
    assert {line["clause"] for seat_report in answer["seats"] for line in seat_report["lines"]} == {
        "OMS-16"
    }
    note = {"note": "interrupted: power failure; the hand is dead", "clause": "OMS-16"}
    assert answer["notes"] == [note]


def test_gen_6_hands_settled_before_it_stand() -> None:
    document = file(
        seat(1, "1x 1x 1x"),
        seat(2, "1x 1x 1x", "Qd 3c"),
        board="Qs Jd 2h",
        dead="alarm",
        settled=[2],
    )
    answer = pitbook.settle(document).document()
    assert results(answer) == {1: {"void"}, 2: {"win"}}
    assert (answer["result"], answer["house_net"]) == ("dead", "-8.00")


def test_the_documented_example_settles_as_documented() -> None:
    text = Path("docs/round-format.md").read_text(encoding="utf-8")
    (example,) = [
        block for block in re.findall(r"```json\n(.*?)```", text, re.DOTALL) if "dead" in block
    ]
    answer = pitbook.settle(example).document()
    assert (answer["result"], results(answer)) == ("dead", {1: {"void"}, 2: {"win"}})


def test_a_dead_hand_is_stored_and_replayed() -> None:
    dead_hand = file(seat(1, "1x"), board="", dead="alarm")
    parsed = round_file.parse(json.dumps(dead_hand))
    final, actions = round_file.play(parsed, pitbook.load(parsed.sheet))
    document = json.loads(json.dumps(stored_rounds.store(final, actions)))
    assert document["actions"][-1] == {"do": "interrupted", "agreed": False, "why": "alarm"}
    assert stored_rounds.replay_stored(document).ending == "dead"
    jsonschema.validate(dead_hand, round_file_schema())
    jsonschema.validate(document, stored_schema())


@pytest.mark.parametrize(
    ("document", "message"),
    [
        (
            file(seat(1, "1x"), dead="x", sheet="catfish-bend/mississippi-stud"),
            "an interrupted round is resumed here (GEN-15)",
        ),
        (file(seat(1, "1x"), dead="x", misdeal="y"), "a round is a misdeal or dead, not both"),
        (file(seat(1, "1x"), settled=[1]), '"settled" goes with "dead"'),
        (file(seat(1, "1x"), dead="x", settled=[1]), "seat 1 cannot be settled before"),
        (file(seat(1, "1x"), dead="x", settled=[4]), "settled: seat 4 is empty"),
        (file(seat(1, "1x"), dead=""), "dead must not be empty"),
        (
            file(
                seat(1, "1x 1x 1x", "Qd 3c"),
                seat(2, "1x 1x 1x", "4c 5c"),
                board="Qs Jd 2h",
                dead="x",
                settled=[1],
            ),
            "seat 2 is settled before seat 1 (OMS-5)",
        ),
    ],
)
def test_refusals_of_dead_hands(document: Json, message: str) -> None:
    if "ante" in document["seats"][0]["wagers"] and document["sheet"].startswith("catfish"):
        document["seats"][0]["wagers"]["ante"] = "10"
    with pytest.raises(RoundError) as error:
        pitbook.settle(document).document()
    assert message in str(error.value)


def test_a_seat_is_settled_once() -> None:
    seats = (seat(1, "1x 1x 1x"), seat(2, "1x 1x 1x", "Qd 3c"))
    document = file(*seats, board="Qs Jd 2h", dead="alarm", settled=[2, 2])
    with pytest.raises(RoundError, match="settled: seat 2 is named twice"):
        pitbook.settle(document).document()
