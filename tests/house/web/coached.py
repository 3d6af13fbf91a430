"""What tests of the coach share: rounds played over HTTP, and what it is asked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import httpx
import pytest
from tests.house.web.conftest import WEAK, WIDE
from tests.house.web.live import Json
from tests.house.web.test_routes_tables import Player

from pitbook.house.web.settings import Settings

Choose = Callable[[list[str], int], str]


@pytest.fixture
def settings(tmp_path: Any) -> Settings:
    """Hundreds of rounds at once are no abuse here."""
    wide = WIDE.model_copy(update={"commands_per_second": 1e6, "commands_burst": 10**6})
    return Settings(data=tmp_path, sign_in=WEAK, limits=wide)


def last(plays: list[str], number: int) -> str:
    return plays[-1]


def first(plays: list[str], number: int) -> str:
    return plays[0]


def by_turns(plays: list[str], number: int) -> str:
    return plays[number % len(plays)]


async def decide(player: Player, choose: Choose = last, start: int = 0) -> list[str]:
    """Play a hand to its end; the plays that were made."""
    made: list[str] = []
    while plays := able(await player.look()):
        made.append(choose(plays, start + len(made)))
        await player.fine({"do": "decide", "seat": 1, "play": made[-1]})
    return made


def able(view: Json) -> list[str]:
    (offer,) = (one for one in view["offers"] if one["do"] == "decide" and one["seat"] == 1)
    return [one["play"] for one in offer["choices"] if "refused" not in one]


async def deal(player: Player) -> None:
    """The least of every wager, or those of the last round."""
    view = await player.look()
    if view["round"] is None:
        await player.bet(1)
    else:
        await player.fine({"do": "rebet", "seat": 1})
    await player.fine({"do": "close-betting"})


async def rounds(player: Player, count: int, choose: Choose = by_turns) -> None:
    for number in range(count):
        await deal(player)
        await decide(player, choose, number)


async def coach(player: Player, **asked: Any) -> Json:
    answer = await player.http.get(f"/api/tables/{player.table}/coach", params=asked)
    assert answer.status_code == 200, answer.text
    found: Json = answer.json()
    return found


async def weigh(player: Player, play: str, **more: Any) -> httpx.Response:
    body = {"seat": 1, "play": play, **more}
    return await player.http.post(f"/api/tables/{player.table}/weigh", json=body)


async def spot(player: Player, **wanted: Any) -> httpx.Response:
    return await player.http.post(f"/api/tables/{player.table}/spots", json=wanted)


PARTS = ("expected", "cost", "absent", "short", "luck", "net")
