"""The whole API, fuzzed by every role with requests from its description and malformed ones."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from tests.chaos.results import Result, result
from tests.fuzz.house import ASKERS, Asker, floor
from tests.fuzz.judge import Judge
from tests.fuzz.malformed import list_operations, malformed_request
from tests.fuzz.requests import Request

CASES, CASES_SLOW = 3_600, 50_000
MALFORMED, MALFORMED_SLOW = 200, 20_000

Send = Callable[[str, Request], None]
Generator = Callable[[Judge, Send], None]


def run_generators(path: Path, asker: Asker, *generators: Generator) -> Judge:
    """Send the requests of all generators to a new house, and return the judge."""
    with asyncio.Runner() as runner:
        opening = floor(path, asker)
        judge = Judge(runner.run(opening.__aenter__()), asker)

        def send(label: str, request: Request) -> None:
            judge.routes[label] += 1
            runner.run(judge.ask(request))

        try:
            for generator in generators:
                generator(judge, send)
        finally:
            runner.run(opening.__aexit__(None, None, None))
    return judge


def from_description(count: int, seed_text: str, value_seed: str) -> Generator:
    """Requests generated from the API's description."""

    def send_all(judge: Judge, send: Send) -> None:
        from tests.fuzz.cases import (
            generate,  # Imported here because Schemathesis takes a while to load.
        )

        generate(judge.floor, count, seed_text, value_seed, send)
        # Every operation.
        assert len(judge.routes) == len(list_operations(judge.floor.app.openapi()))

    return send_all


def malformed_requests(count: int, seed_text: str) -> Generator:
    """Malformed requests that no description would generate."""

    def send_all(judge: Judge, send: Send) -> None:
        request_rng, operations = Random(seed_text), list_operations(judge.floor.app.openapi())
        for _ in range(count):
            request = malformed_request(judge.floor, request_rng, operations)
            send(request.method, request)

    return send_all


def fuzz_description(path: Path, asker: Asker, count: int, seed: str) -> Result:
    """The result of requests generated from the API's description."""
    judge = run_generators(path, asker, from_description(count, seed, seed))
    return record_statuses("requests made from the API's description", judge, seed)


def fuzz_malformed(path: Path, asker: Asker, count: int, seed: str) -> Result:
    """The result of malformed requests."""
    return record_statuses(
        "malformed requests", run_generators(path, asker, malformed_requests(count, seed)), seed
    )


def record_statuses(check: str, judge: Judge, seed: str) -> Result:
    """Record the result of a judge's requests."""
    statuses = ", ".join(
        f"{int(status)}: {judge.statuses[status]:,}" for status in sorted(judge.statuses)
    )
    sys.stdout.write(f"{judge.statuses.total():,} {check}, {seed}: {statuses}\n")
    return result(
        check,
        on=f"as {judge.asker}",
        count=judge.statuses.total(),
        what="requests",
        wrong=judge.wrong,
        acknowledged=judge.succeeded,
        seed=seed,
    )


@pytest.mark.slow_cases(
    "auditor", "brush", "cashier", "dealer", "guest", "organiser", "player", "supervisor"
)
@pytest.mark.parametrize("asker", ASKERS)
def test_every_request_is_answered_and_refusals_write_nothing(
    asker: Asker, tmp_path: Path, seed: str
) -> None:
    """All askers send the same shapes with different values, then malformed requests."""
    shapes = from_description(CASES // len(ASKERS), seed.partition("[")[0], seed)
    judge = run_generators(
        tmp_path, asker, shapes, malformed_requests(MALFORMED // len(ASKERS), seed)
    )
    row = record_statuses("requests of every kind", judge, seed)
    assert not row["wrong"], row["first"]


@pytest.mark.slow
@pytest.mark.parametrize("asker", ASKERS)
def test_fifty_thousand_requests(asker: Asker, tmp_path: Path, seed: str) -> None:
    row = fuzz_description(tmp_path, asker, CASES_SLOW // len(ASKERS), seed)
    assert not row["wrong"], row["first"]


@pytest.mark.slow
@pytest.mark.parametrize("asker", ASKERS)
def test_twenty_thousand_malformed_requests(asker: Asker, tmp_path: Path, seed: str) -> None:
    row = fuzz_malformed(tmp_path, asker, MALFORMED_SLOW // len(ASKERS), seed)
    assert not row["wrong"], row["first"]
