"""What the fault tests ask for: a real PostgreSQL, and luck that can be had again."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from tests.chaos.nursery import Nursery


@pytest.fixture
def seed(request: pytest.FixtureRequest) -> str:
    """What the luck of a test is made from; the run's header shows how to get it again."""
    name = request.node.name.removeprefix("test_")
    return f"{request.config.getoption('--hypothesis-seed')}-{name}"


@pytest.fixture
def luck(seed: str) -> random.Random:
    """The luck of a test."""
    return random.Random(seed)


@pytest.fixture(scope="module")
def nursery() -> Iterator[Nursery]:
    """One process for everything a module kills: starting it takes longer than most lives do."""
    started = Nursery()
    yield started
    started.close()
