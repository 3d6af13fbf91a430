"""Thousands of times somebody reaches with a credential of their own for another's things."""

from __future__ import annotations

import asyncio
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.chaos.results import result
from tests.house.web.borrowed import World
from tests.house.web.borrowing import ask, wrong
from tests.house.web.conftest import NAMES, PASSWORD, WEAK, opened, people_of

from pitbook.house.web.access import ROUTE_ROLES, STRANGER
from pitbook.house.web.app import create_app
from pitbook.house.web.settings import RequestLimits, Settings

MANY = 10**6
LIMITS = RequestLimits(
    requests_per_second=MANY,
    requests_burst=MANY,
    commands_per_second=MANY,
    commands_burst=MANY,
    sign_ins_per_minute=MANY,
    sockets_per_address=MANY,
)


async def reached(
    path: Path, count: int, seed: str, *, enough: int = 50
) -> tuple[list[str], Counter[str]]:
    """What was wrong about so many attempts, and how often each route was tried."""
    settings, luck = Settings(data=path, sign_in=WEAK, limits=LIMITS), Random(seed)
    async with opened(path) as house:
        people = people_of(house, settings)
        for role, name in NAMES.items():
            people.add(name, role, PASSWORD, actor="test")
        app = create_app(house, people, settings)
        world = World(app, app.state.server)
        await world.furnish()
        found: list[str] = []
        tried: Counter[str] = Counter()
        for _ in range(count):
            one, before = world.attempt(luck), house.ledger.streams()
            outcome = await ask(world, one)
            why = wrong(world, one, outcome, wrote=house.ledger.streams() != before)
            tried.update((one.route, one.bearer.label, str(outcome.status)))
            if why is not None:
                found.append(f"{why}: {one} -> {outcome.status} {outcome.text[:300]}")
            if len(found) >= enough:
                break
        return found, tried


@pytest.fixture
def drawn(request: pytest.FixtureRequest) -> str:
    """What the luck of a test is made from; the run's header shows how to get it again."""
    return f"{request.config.getoption('--hypothesis-seed')}-{request.node.name}"


@pytest.mark.long
def test_a_few_hundred_attempts_on_another_s_things_fail(tmp_path: Path, drawn: str) -> None:
    found, _ = asyncio.run(reached(tmp_path, 250, drawn))
    assert not found, found[:5]


@pytest.mark.slow
@pytest.mark.timeout(1_800)
def test_five_thousand_attempts_on_another_s_things_fail(tmp_path: Path, drawn: str) -> None:
    found, tried = asyncio.run(reached(tmp_path, 5_000, drawn))
    statuses = ", ".join(f"{one}: {tried[one]:,}" for one in sorted(tried) if one.isdecimal())
    check = "attempts with another's credential"
    told = f"{drawn} ({statuses})"
    result(check, on="SQLite", count=5_000, what="attempts", wrong=found, seed=told)
    assert not found, found[:5]
    assert {one for one in ROUTE_ROLES if STRANGER not in ROUTE_ROLES[one]} <= set(tried)


LEFT_OPEN: tuple[tuple[str, Any], ...] = (
    ("pitbook.house.web.access.TICKET_ROUTES", set(ROUTE_ROLES)),
    ("pitbook.house.table.session.tournament_in", lambda _: "gala.t1"),
    ("pitbook.house.table.session.is_own", lambda *_: True),
    ("pitbook.house.web.sharing_api._players", lambda _: {"ann", "carl", "bob"}),
    ("pitbook.house.people.sessions.Sessions.stands", lambda *_: True),
)


@pytest.mark.slow
@pytest.mark.timeout(1_800)
@pytest.mark.parametrize("door", LEFT_OPEN, ids=lambda one: one[0].rpartition(".")[2])
def test_a_door_that_is_left_open_is_noticed(
    tmp_path: Path, drawn: str, monkeypatch: pytest.MonkeyPatch, door: tuple[str, Any]
) -> None:
    monkeypatch.setattr(*door)
    assert asyncio.run(reached(tmp_path, 5_000, drawn, enough=1))[0]  # As many as above.
