"""Bugs that the fuzzers once found, each with the input that showed it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from tests.fuzz.commands import Json
from tests.fuzz.house import NOON, Asker, Floor, floor
from tests.fuzz.judge import Judge
from tests.fuzz.requests import Answer, Request

from pitbook.house.web.errors import SENTENCE_MAX, refused_response
from pitbook.rules.refusals import Code, Refusal

JSON = {"content-type": "application/json"}


class House:
    """One house for all regressions; each request is refused and leaves no trace."""

    def __init__(self, floor: Floor, runner: asyncio.Runner) -> None:
        self._floor, self._runner = floor, runner

    def require_refusal(
        self, asker: Asker, method: str, target: str, body: Json | None = None
    ) -> Answer:
        """The answer to one request, checked to be a correct refusal."""
        body_bytes = b"" if body is None else json.dumps(body).encode()
        judge = Judge(self._floor, asker)
        target = target.format(live=self._floor.live, own=self._floor.own)
        answer = self._runner.run(judge.ask(Request(method, target, JSON, body_bytes)))
        assert judge.wrong == []
        assert answer.status >= 400
        return answer


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with asyncio.Runner() as runner:
        opening = floor(tmp_path_factory.mktemp("house"))
        yield House(runner.run(opening.__aenter__()), runner)
        runner.run(opening.__aexit__(None, None, None))


@pytest.mark.parametrize(
    "change",
    [
        {"role": "dealer", "password": "short"},
        {"password": "long enough to be one", "role": "player", "name": "sue"},
        {"password": "long enough to be one", "disabled": True, "name": "sue"},
        {"role": "dealer", "disabled": True, "why": "two\nlines"},
    ],
)
def test_several_changes_to_a_person_are_atomic(house: House, change: Json) -> None:
    answer = house.require_refusal("supervisor", "PATCH", "/api/people", {"name": "bob", **change})
    assert answer.status == 400


@pytest.mark.parametrize("asker", ["supervisor", "auditor"])
@pytest.mark.parametrize("seat", [1, 2, 3])
def test_unfinished_hand_is_not_explained(house: House, asker: Asker, seat: int) -> None:
    answer = house.require_refusal(asker, "GET", f"/api/pit/explain/{{live}}-000001/{seat}")
    assert answer.status == 409
    assert "is not over" in answer.document["error"]


def test_a_refusal_repeats_what_was_sent_in_one_printable_line() -> None:
    answer = refused_response(Refusal(Code.UNKNOWN_PLAY, '"\x14\x1b[2J\n" is not a play here'))
    message = json.loads(bytes(answer.body))["refused"]["message"]
    assert message == '"\\x14\\x1b[2J " is not a play here'


@pytest.mark.parametrize("round", ["nowhere-000001", "bobs-000001", "bobs-9", "\x00"])
def test_proof_request_reveals_nothing_of_other_tables(house: House, round: str) -> None:
    target = f"/api/tables/past/rounds/{quote(round)}/proof"
    answer = house.require_refusal("player", "GET", target)
    assert answer.status == 404
    assert answer.document["error"].startswith('Table "past" has no round ')
    assert answer.document["error"].count("bobs") == round.count("bobs")


def test_long_input_is_cut_in_error_sentences(house: House) -> None:
    answer = house.require_refusal("auditor", "GET", f"/api/pit/explain/{'9' * 5_000}/1")
    assert answer.status == 404
    assert len(answer.document["error"]) <= SENTENCE_MAX


def test_permanent_break_does_not_block_other_players(tmp_path: Path) -> None:
    """A request may ask for that; the others are still dealt in."""

    async def play() -> None:
        async with floor(tmp_path, "player") as house_floor:
            house_floor.people.persons.take_break("ann", until=None, now=NOON)
            house_floor.live = ""
            await house_floor.restore()
            (dealt,) = [house_floor.house.tables[house_floor.live].state.round]
            assert dealt is not None
            assert {seat.player for seat in dealt.seats} == {"bob", "cyd"}

    asyncio.run(play())
