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
from tests.fuzz.floor import ASKERS, Asker, floor
from tests.fuzz.judge import Judge
from tests.fuzz.malformed import malformed, places

CASES, CASES_SLOW = 3_600, 50_000
MALFORMED, MALFORMED_SLOW = 200, 20_000

Take = Callable[[str, Request], None]
Asking = Callable[[Judge, Take], None]


def asked(path: Path, asker: Asker, *askings: Asking) -> Judge:
    """Whatever the askings come up with, one after the other, asked of a house of its own."""
    with asyncio.Runner() as runner:
        opening = floor(path, asker)
        judge = Judge(runner.run(opening.__aenter__()), asker)

        def take(label: str, request: Request) -> None:
            judge.routes[label] += 1
            runner.run(judge.ask(request))

        try:
            for asking in askings:
                asking(judge, take)
        finally:
            runner.run(opening.__aexit__(None, None, None))
    return judge


def from_description(count: int, luck: str, own: str) -> Asking:
    """Requests made from the API's description."""

    def asking(judge: Judge, take: Take) -> None:
        from tests.fuzz.cases import generate  # It brings Schemathesis, which takes a while.

        generate(judge.floor, count, luck, own, take)
        assert len(judge.routes) == len(places(judge.floor.app.openapi()))  # Every operation.

    return asking


def wrong_in_itself(count: int, luck: str) -> Asking:
    """Requests with something wrong about them that no description would give rise to."""

    def asking(judge: Judge, take: Take) -> None:
        drawn, known = Random(luck), places(judge.floor.app.openapi())
        for _ in range(count):
            request = malformed(judge.floor, drawn, known)
            take(request.method, request)

    return asking


def described(path: Path, asker: Asker, count: int, seed: str) -> Result:
    """What came of requests made from the API's description."""
    judge = asked(path, asker, from_description(count, seed, seed))
    return told("requests made from the API's description", judge, seed)


def broken(path: Path, asker: Asker, count: int, seed: str) -> Result:
    """What came of malformed requests."""
    return told("malformed requests", asked(path, asker, wrong_in_itself(count, seed)), seed)


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


@pytest.mark.slow_cases(
    "auditor", "brush", "cashier", "dealer", "guest", "organiser", "player", "supervisor"
)
@pytest.mark.parametrize("asker", ASKERS)
def test_whatever_is_asked_is_answered_and_leaves_no_trace(
    asker: Asker, tmp_path: Path, seed: str
) -> None:
    """All askers try the same shapes, each with words of their own, and then malformed ones."""
    shapes = from_description(CASES // len(ASKERS), seed.partition("[")[0], seed)
    judge = asked(tmp_path, asker, shapes, wrong_in_itself(MALFORMED // len(ASKERS), seed))
    found = told("requests of every kind", judge, seed)
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
