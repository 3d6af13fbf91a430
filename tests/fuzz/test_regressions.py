"""What the fuzzers have found once, each with the input that showed it."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from urllib.parse import quote

import pytest
from tests.fuzz.asked import Answer, Request
from tests.fuzz.floor import Asker, floor
from tests.fuzz.judge import Judge
from tests.fuzz.spoken import Json

from pitbook.engine.refusals import Code, Refusal
from pitbook.web.answers import SENTENCE_MAX, refused

JSON = {"content-type": "application/json"}


def answered(
    path: Path, asker: Asker, method: str, target: str, body: Json | None = None
) -> Answer:
    """The answer to one request, with nothing wrong about it."""
    sent = b"" if body is None else json.dumps(body).encode()

    async def ask() -> Answer:
        async with floor(path, asker) as house:
            judge = Judge(house, asker)
            target_ = target.format(live=house.live, own=house.own)
            answer = await judge.ask(Request(method, target_, JSON, sent))
            assert judge.wrong == []
            return answer

    return asyncio.run(ask())


@pytest.mark.parametrize(
    "change",
    [
        {"role": "dealer", "password": "short"},
        {"password": "long enough to be one", "role": "player", "name": "sue"},
        {"password": "long enough to be one", "disabled": True, "name": "sue"},
        {"role": "dealer", "disabled": True, "why": "two\nlines"},
    ],
)
def test_of_several_changes_to_a_person_all_are_made_or_none(tmp_path: Path, change: Json) -> None:
    answer = answered(tmp_path, "supervisor", "PATCH", "/api/people", {"name": "bob", **change})
    assert answer.status == 400


@pytest.mark.parametrize("asker", ["supervisor", "auditor"])
@pytest.mark.parametrize("seat", [1, 2, 3])
def test_a_hand_that_is_still_played_is_explained_to_nobody(
    tmp_path: Path, asker: Asker, seat: int
) -> None:
    answer = answered(tmp_path, asker, "GET", f"/api/pit/explain/{{live}}-000001/{seat}")
    assert answer.status == 409
    assert "is not over" in answer.document["error"]


def test_a_refusal_repeats_what_was_sent_in_one_printable_line() -> None:
    answer = refused(Refusal(Code.UNKNOWN_PLAY, '"\x14\x1b[2J\n" is no play here'))
    told = json.loads(bytes(answer.body))["refused"]["message"]
    assert told == '"\\x14\\x1b[2J " is no play here'


@pytest.mark.parametrize("round", ["nowhere-000001", "bobs-000001", "bobs-9", "\x00"])
def test_whoever_asks_for_a_proof_hears_nothing_of_other_tables(tmp_path: Path, round: str) -> None:
    target = f"/api/tables/past/rounds/{quote(round)}/proof"
    answer = answered(tmp_path, "player", "GET", target)
    assert answer.status == 404
    assert answer.document["error"].startswith("no round ")
    assert answer.document["error"].count("bobs") == round.count("bobs")


def test_a_sentence_is_cut_where_it_repeats_too_much(tmp_path: Path) -> None:
    answer = answered(tmp_path, "auditor", "GET", f"/api/pit/explain/{'9' * 5_000}/1")
    assert answer.status == 404
    assert len(answer.document["error"]) <= SENTENCE_MAX
