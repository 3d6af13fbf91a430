"""The judges detect houses that misbehave."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.fuzz.house import STUD, Asker, Floor, floor
from tests.fuzz.judge import Judge
from tests.fuzz.requests import Request
from tests.fuzz.test_frames import FRAMES_SLOW, run_attack

from pitbook.cards import name
from pitbook.house.table import live_tables, routes, socket, views
from pitbook.house.table.visibility import Audience

JSON = {"content-type": "application/json"}


def judge_requests(path: Path, asker: Asker, *requests: Callable[[Floor], Request]) -> list[str]:
    """The errors found in the answers to some requests."""

    async def ask() -> list[str]:
        async with floor(path, asker) as house:
            judge = Judge(house, asker)
            for request in requests:
                await judge.ask(request(house))
            return judge.wrong

    return asyncio.run(ask())


def look(house: Floor) -> Request:
    return Request("GET", f"/api/tables/{house.live}")


def test_correct_house_has_no_errors(tmp_path: Path) -> None:
    assert judge_requests(tmp_path, "player", look) == []


def test_leaked_cards_are_detected_after_advice_on_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Advice about cards does not entitle the asker to see them."""

    def advise(house: Floor) -> Request:
        round = house.house.tables[house.live].state.round
        assert round is not None
        cards = " ".join(
            name(dealt_card) for seat in round.seats[1:] for dealt_card in seat.cards[:1]
        )
        body = {"sheet": STUD, "cards": cards}
        return Request("POST", "/api/advise", JSON, json.dumps(body).encode())

    def leak(house: Floor) -> Request:
        monkeypatch.setattr(Audience, "has", lambda audience, viewer: True)
        return look(house)

    (error,) = judge_requests(tmp_path, "player", advise, leak)
    assert error.count("shows") == 4


def test_card_shown_to_another_player_is_detected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Audience, "has", lambda audience, viewer: True)
    (error,) = judge_requests(tmp_path, "player", look)
    assert error.count("shows") == 4  # Two cards of bob's and two of cyd's.


def test_seed_revealed_too_early_is_detected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(views, "public_shoe", lambda record: record)
    (error,) = judge_requests(tmp_path, "supervisor", look)
    assert error.startswith("tells ")


def test_row_written_by_a_refused_request_is_detected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def invitation(house: Floor) -> Request:
        monkeypatch.setattr(
            house.people, "role_of_invitation", lambda _: house.people.invite("player")[:0]
        )
        return Request("POST", "/api/invitations/x", JSON, b'{"name": "", "password": ""}')

    (error,) = judge_requests(tmp_path, "nobody", invitation)
    assert error.startswith("wrote to people: ")


@pytest.mark.parametrize("exception", [RuntimeError("a mistake"), KeyError("of ours")])
def test_exception_is_detected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, exception: Exception
) -> None:
    def fail(*_: Any) -> Any:
        raise exception

    monkeypatch.setattr(routes, "render_view", fail)
    (error,) = judge_requests(tmp_path, "player", look)
    assert error.startswith("status 500")
    assert "in fail" in error  # It says where.


def test_exception_behind_a_socket_is_detected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any, **__: Any) -> Any:
        raise RuntimeError("a mistake")

    monkeypatch.setattr(socket, "read_frame", fail)
    row = asyncio.run(run_attack(tmp_path, 20, "a mistake", alone=True))
    assert row["wrong"] > 1


def test_frames_with_others_cards_are_detected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Audience, "has", lambda audience, viewer: True)
    row = asyncio.run(run_attack(tmp_path, 300, "a leak"))
    assert row["wrong"] > 1


def test_house_does_not_sign_while_it_is_judged() -> None:
    """A checkpoint written during a run was once attributed to a frame."""
    signs = vars(live_tables)
    assert signs["SIGN_SECONDS"] >= 86_400
    assert signs["SIGN_ENTRIES"] > 100 * FRAMES_SLOW
