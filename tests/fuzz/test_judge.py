"""The judges can tell: each is shown a house that does what no house may do."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.fuzz.asked import Request
from tests.fuzz.floor import STUD, Asker, Floor, floor
from tests.fuzz.judge import Judge
from tests.fuzz.test_frames import FRAMES_SLOW, attacked

from pitbook.cards import name
from pitbook.house.table import routes, socket, views
from pitbook.house.table import tables as live_tables
from pitbook.house.table.visibility import Audience

JSON = {"content-type": "application/json"}


def judged(path: Path, asker: Asker, *asked: Callable[[Floor], Request]) -> list[str]:
    """What is found wrong with the answers to some requests."""

    async def ask() -> list[str]:
        async with floor(path, asker) as house:
            judge = Judge(house, asker)
            for one in asked:
                await judge.ask(one(house))
            return judge.wrong

    return asyncio.run(ask())


def look(house: Floor) -> Request:
    return Request("GET", f"/api/tables/{house.live}")


def test_a_house_that_behaves_has_nothing_wrong_with_it(tmp_path: Path) -> None:
    assert judged(tmp_path, "player", look) == []


def test_cards_that_were_asked_about_are_still_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever has had advice on every card is shown no more of them than before."""

    def advise(house: Floor) -> Request:
        round = house.house.tables[house.live].state.round
        assert round is not None
        cards = " ".join(name(one) for seat in round.seats[1:] for one in seat.cards[:1])
        body = {"sheet": STUD, "cards": cards}
        return Request("POST", "/api/advise", JSON, json.dumps(body).encode())

    def leak(house: Floor) -> Request:
        monkeypatch.setattr(Audience, "has", lambda audience, viewer: True)
        return look(house)

    (found,) = judged(tmp_path, "player", advise, leak)
    assert found.count("shows") == 4


def test_a_card_that_is_shown_to_another_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Audience, "has", lambda audience, viewer: True)
    (found,) = judged(tmp_path, "player", look)
    assert found.count("shows") == 4  # Two cards of bob's and two of cyd's.


def test_a_seed_that_is_told_too_early_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(views, "public_shoe", lambda record: record)
    (found,) = judged(tmp_path, "supervisor", look)
    assert found.startswith("tells ")


def test_a_row_that_a_refused_request_leaves_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def invitation(house: Floor) -> Request:
        monkeypatch.setattr(house.people, "invited", lambda _: house.people.invite("player")[:0])
        return Request("POST", "/api/invitations/x", JSON, b'{"name": "", "password": ""}')

    (found,) = judged(tmp_path, "nobody", invitation)
    assert found.startswith("wrote to people: ")


@pytest.mark.parametrize("told", [RuntimeError("a mistake"), KeyError("of ours")])
def test_a_mistake_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, told: Exception
) -> None:
    def fails(*_: Any) -> Any:
        raise told

    monkeypatch.setattr(routes, "render_view", fails)
    (found,) = judged(tmp_path, "player", look)
    assert found.startswith("status 500")
    assert "in fails" in found  # It says where.


def test_a_mistake_behind_a_socket_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: Any, **__: Any) -> Any:
        raise RuntimeError("a mistake")

    monkeypatch.setattr(socket, "read_frame", fails)
    found = asyncio.run(attacked(tmp_path, 20, "a mistake", alone=True))
    assert found["wrong"] > 1


def test_frames_that_tell_others_cards_are_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Audience, "has", lambda audience, viewer: True)
    found = asyncio.run(attacked(tmp_path, 300, "a leak"))
    assert found["wrong"] > 1


def test_no_house_signs_by_itself_while_it_is_judged() -> None:
    """In eleven minutes of frames one did, and a frame was blamed for the row."""
    signs = vars(live_tables)
    assert signs["SIGN_SECONDS"] >= 86_400
    assert signs["SIGN_ENTRIES"] > 100 * FRAMES_SLOW
