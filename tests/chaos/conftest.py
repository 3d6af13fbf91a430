"""Fixtures of the fault tests: reproducible random numbers, and processes to kill."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from tests.chaos.forked_writers import Nursery


@pytest.fixture
def seed(request: pytest.FixtureRequest) -> str:
    """The seed of a test; the run's header shows how to reproduce it."""
    name = request.node.name.removeprefix("test_")
    return f"{request.config.getoption('--hypothesis-seed')}-{name}"


@pytest.fixture
def rng(seed: str) -> random.Random:
    """The random numbers of a test."""
    return random.Random(seed)


@pytest.fixture(scope="module")
def nursery() -> Iterator[Nursery]:
    """One nursery per module, because starting it takes longer than most lives."""
    nursery_process = Nursery()
    yield nursery_process
    nursery_process.close()
