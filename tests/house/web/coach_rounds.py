"""Helpers for coach tests: play rounds over HTTP, and query the coach."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import httpx
import pytest
from tests.house.web.conftest import WEAK, WIDE
from tests.house.web.live_server import Json
from tests.house.web.test_routes_tables import Player

from pitbook.house.settings import Settings

Choose = Callable[[list[str], int], str]


@pytest.fixture
def settings(tmp_path: Any) -> Settings:
    """Rate limits that allow hundreds of rounds at once."""
    wide = WIDE.model_copy(update={"commands_per_second": 1e6, "commands_burst": 10**6})
    return Settings(data=tmp_path, sign_in=WEAK, limits=wide)


def last(plays: list[str], number: int) -> str:
    return plays[-1]


def first(plays: list[str], number: int) -> str:
    return plays[0]


def by_turns(plays: list[str], number: int) -> str:
    return plays[number % len(plays)]


async def decide(player: Player, choose: Choose = last, start: int = 0) -> list[str]:
    """Play a hand to its end; returns the plays."""
    plays_made: list[str] = []
    while plays := offered_plays(await player.look()):
        plays_made.append(choose(plays, start + len(plays_made)))
        await player.accept({"do": "decide", "seat": 1, "play": plays_made[-1]})
    return plays_made


def offered_plays(view: Json) -> list[str]:
    (offer,) = (
        offered for offered in view["offers"] if offered["do"] == "decide" and offered["seat"] == 1
    )
    return [choice["play"] for choice in offer["choices"] if "refused" not in choice]


async def deal(player: Player) -> None:
    """Bet the minimum of every wager, or repeat the last bets."""
    view = await player.look()
    if view["round"] is None:
        await player.bet(1)
    else:
        await player.accept({"do": "rebet", "seat": 1})
    await player.accept({"do": "close-betting"})


async def play_rounds(player: Player, count: int, choose: Choose = by_turns) -> None:
    for number in range(count):
        await deal(player)
        await decide(player, choose, number)


async def fetch_review(player: Player, **params: Any) -> Json:
    answer = await player.http.get(f"/api/tables/{player.table}/coach", params=params)
    assert answer.status_code == 200, answer.text
    review: Json = answer.json()
    return review


async def weigh(player: Player, play: str, **more: Any) -> httpx.Response:
    body = {"seat": 1, "play": play, **more}
    return await player.http.post(f"/api/tables/{player.table}/weigh", json=body)


async def arrange_spot(player: Player, **body: Any) -> httpx.Response:
    return await player.http.post(f"/api/tables/{player.table}/spots", json=body)


PARTS = ("expected", "cost", "absent", "short", "luck", "net")
