"""Thousands of attempts to reach other people's data with one's own credentials."""

from __future__ import annotations

import asyncio
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.chaos.results import result
from tests.house.web.access_attempts import attempt_error, send_attempt
from tests.house.web.conftest import NAMES, PASSWORD, WEAK, open_house, people_of
from tests.house.web.foreign_resources import BorrowingWorld

from pitbook.house.settings import RequestLimits, Settings
from pitbook.house.web.access import ROUTE_ROLES, STRANGER
from pitbook.house.web.app import create_app

MANY = 10**6
LIMITS = RequestLimits(
    requests_per_second=MANY,
    requests_burst=MANY,
    commands_per_second=MANY,
    commands_burst=MANY,
    sign_ins_per_minute=MANY,
    sockets_per_address=MANY,
)


async def try_attempts(
    path: Path, count: int, seed: str, *, enough: int = 50
) -> tuple[list[str], Counter[str]]:
    """The errors among many attempts, and how often each route was tried."""
    settings, rng = Settings(data=path, sign_in=WEAK, limits=LIMITS), Random(seed)
    async with open_house(path) as house:
        people = people_of(house, settings)
        for role, name in NAMES.items():
            people.add(name, role, PASSWORD, actor="test")
        app = create_app(house, people, settings)
        world = BorrowingWorld(app, app.state.server)
        await world.furnish()
        errors: list[str] = []
        tried: Counter[str] = Counter()
        for _ in range(count):
            attempt, before = world.attempt(rng), house.ledger.streams()
            outcome = await send_attempt(world, attempt)
            error = attempt_error(world, attempt, outcome, wrote=house.ledger.streams() != before)
            tried.update((attempt.route, attempt.bearer.label, str(outcome.status)))
            if error is not None:
                errors.append(f"{error}: {attempt} -> {outcome.status} {outcome.text[:300]}")
            if len(errors) >= enough:
                break
        return errors, tried


@pytest.fixture
def seed(request: pytest.FixtureRequest) -> str:
    """The seed of a test; the run's header shows how to repeat it."""
    return f"{request.config.getoption('--hypothesis-seed')}-{request.node.name}"


@pytest.mark.long
def test_a_few_hundred_attempts_on_others_data_fail(tmp_path: Path, seed: str) -> None:
    errors, _ = asyncio.run(try_attempts(tmp_path, 250, seed))
    assert not errors, errors[:5]


@pytest.mark.slow
@pytest.mark.timeout(1_800)
def test_five_thousand_attempts_on_others_data_fail(tmp_path: Path, seed: str) -> None:
    errors, tried = asyncio.run(try_attempts(tmp_path, 5_000, seed))
    statuses = ", ".join(
        f"{status}: {tried[status]:,}" for status in sorted(tried) if status.isdecimal()
    )
    check = "attempts with another's credential"
    seed_note = f"{seed} ({statuses})"
    result(check, on="SQLite", count=5_000, what="attempts", wrong=errors, seed=seed_note)
    assert not errors, errors[:5]
    assert {
        route_name for route_name in ROUTE_ROLES if STRANGER not in ROUTE_ROLES[route_name]
    } <= set(tried)


BROKEN_CHECKS: tuple[tuple[str, Any], ...] = (
    ("pitbook.house.web.access.TICKET_ROUTES", set(ROUTE_ROLES)),
    ("pitbook.house.table.table_session.tournament_in", lambda _: "gala.t1"),
    ("pitbook.house.table.table_session.is_own", lambda *_: True),
    ("pitbook.house.web.sharing_api._players", lambda _: {"ann", "carl", "bob"}),
    ("pitbook.house.people.sessions.Sessions.stands", lambda *_: True),
)


@pytest.mark.slow
@pytest.mark.timeout(1_800)
@pytest.mark.parametrize("door", BROKEN_CHECKS, ids=lambda patch: patch[0].rpartition(".")[2])
def test_a_removed_access_check_is_noticed(
    tmp_path: Path, seed: str, monkeypatch: pytest.MonkeyPatch, door: tuple[str, Any]
) -> None:
    monkeypatch.setattr(*door)
    assert asyncio.run(try_attempts(tmp_path, 5_000, seed, enough=1))[0]  # As many as above.
