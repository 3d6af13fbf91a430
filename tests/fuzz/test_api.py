"""The whole API, asked by everybody for whatever its description gives rise to."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from tests.chaos.results import Result, result
from tests.fuzz.asked import Request
from tests.fuzz.cases import generate
from tests.fuzz.floor import ASKERS, Asker, floor
from tests.fuzz.judge import Judge
from tests.fuzz.malformed import malformed, places

CASES, CASES_SLOW = 2_800, 50_000
MALFORMED, MALFORMED_SLOW = 1_000, 20_000

Asking = Callable[[Judge, Callable[[str, Request], None]], None]


def asked(path: Path, asker: Asker, asking: Asking) -> Judge:
    """Whatever `asking` comes up with, asked of a house of its own."""
    with asyncio.Runner() as runner:
        opening = floor(path, asker)
        judge = Judge(runner.run(opening.__aenter__()), asker)

        def take(label: str, request: Request) -> None:
            judge.routes[label] += 1
            runner.run(judge.ask(request))

        try:
            asking(judge, take)
        finally:
            runner.run(opening.__aexit__(None, None, None))
    return judge


def described(path: Path, asker: Asker, count: int, seed: str) -> Result:
    """Requests made from the API's description."""
    judge = asked(path, asker, lambda judge, take: generate(judge.floor, count, seed, take))
    assert len(judge.routes) == len(places(judge.floor.app.openapi()))  # Every operation.
    return told("requests made from the API's description", judge, seed)


def broken(path: Path, asker: Asker, count: int, seed: str) -> Result:
    """Requests with something wrong about them that no description would give rise to."""

    def asking(judge: Judge, take: Callable[[str, Request], None]) -> None:
        luck, known = Random(seed), places(judge.floor.app.openapi())
        for _ in range(count):
            request = malformed(judge.floor, luck, known)
            take(request.method, request)

    return told("malformed requests", asked(path, asker, asking), seed)


def told(check: str, judge: Judge, seed: str) -> Result:
    """What came of it."""
    statuses = ", ".join(f"{int(one)}: {judge.statuses[one]:,}" for one in sorted(judge.statuses))
    sys.stdout.write(f"{judge.statuses.total():,} {check}, {seed}: {statuses}\n")
    return result(
        check,
        on=f"as {judge.asker}",
        count=judge.statuses.total(),
        what="requests",
        wrong=judge.wrong,
        acknowledged=judge.fine,
        seed=seed,
    )


@pytest.mark.parametrize("asker", ASKERS)
def test_whatever_is_asked_is_answered_and_leaves_no_trace(
    asker: Asker, tmp_path: Path, seed: str
) -> None:
    found = described(tmp_path, asker, CASES // len(ASKERS), seed)
    assert not found["wrong"], found["first"]


@pytest.mark.parametrize("asker", ASKERS)
def test_whatever_is_malformed_is_told_so(asker: Asker, tmp_path: Path, seed: str) -> None:
    found = broken(tmp_path, asker, MALFORMED // len(ASKERS), seed)
    assert not found["wrong"], found["first"]


@pytest.mark.slow
@pytest.mark.parametrize("asker", ASKERS)
def test_fifty_thousand_requests(asker: Asker, tmp_path: Path, seed: str) -> None:
    found = described(tmp_path, asker, CASES_SLOW // len(ASKERS), seed)
    assert not found["wrong"], found["first"]


@pytest.mark.slow
@pytest.mark.parametrize("asker", ASKERS)
def test_twenty_thousand_malformed_requests(asker: Asker, tmp_path: Path, seed: str) -> None:
    found = broken(tmp_path, asker, MALFORMED_SLOW // len(ASKERS), seed)
    assert not found["wrong"], found["first"]
