"""Jobs too large for a shared server are refused with a message."""

from __future__ import annotations

import asyncio
import subprocess
import sys

import pytest

from pitbook.exact.long_computations import TooLarge, require_memory, track_parts
from pitbook.house.web import jobs as sums
from pitbook.house.web.jobs import JobQueue, ResultCache


def refusals_of(computation: object, times: int = 1) -> list[str]:
    """The refusals when a job is requested that many times."""
    house, messages = JobQueue(), []

    async def ask() -> None:
        for _ in range(times):
            try:
                await house.compute("a sum", computation)  # type: ignore[arg-type]
            except TooLarge as refused:
                messages.append(str(refused))

    asyncio.run(ask())
    house.close()
    return messages


def test_long_job_is_not_begun_and_overlong_one_is_stopped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    begun: list[int] = []

    def hours() -> None:
        begun.extend(track_parts(range(50_000), 50_000, "hands", seconds_each=1.0))

    (message, again) = refusals_of(hours, times=2)
    assert message == again
    assert message.startswith("50,000 hands are too many to calculate on the server")
    assert begun == []
    monkeypatch.setattr(sums, "SECONDS_MAX", -1.0)
    assert refusals_of(lambda: list(track_parts(range(9), 9, "hands", seconds_each=0.0)))


def test_failure_is_forgotten_after_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[int] = []

    def too_large() -> None:
        begun.append(1)
        raise TooLarge("too large")

    assert refusals_of(too_large, times=3) == ["too large"] * 3
    assert len(begun) == 1
    monkeypatch.setattr(sums, "FAILURE_SECONDS", -1.0)
    assert refusals_of(too_large, times=3) == ["too large"] * 3
    assert len(begun) == 4


def test_job_within_the_limits_runs() -> None:
    assert refusals_of(lambda: list(track_parts(range(9), 9, "hands", seconds_each=0.1))) == []


def test_job_over_the_memory_limit_is_refused() -> None:
    (message,) = refusals_of(
        lambda: require_memory(sums.BYTES_MAX + 1, "So many deals.", "Ask for fewer.")
    )
    assert message == "So many deals. That takes 512 MB of memory. Ask for fewer."


STUCK = """
import asyncio, threading
from pitbook.house.web.jobs import JobQueue

async def ask():
    jobs = JobQueue()
    asyncio.ensure_future(jobs.compute("a sum", threading.Event().wait))
    await asyncio.sleep(0.1)
    jobs.close()

asyncio.run(ask())
"""


@pytest.mark.long
def test_running_job_does_not_delay_exit() -> None:
    """The process once ran forty-five seconds after it was told to close."""
    command_line = [sys.executable, "-c", STUCK]
    process = subprocess.run(command_line, timeout=30, capture_output=True, check=False)
    assert process.returncode == 0, process.stderr


def test_cache_flood_evicts_only_its_own_results() -> None:
    result_cache = ResultCache(4)
    result_cache.put("edges", 1, "house")
    result_cache.put("odds", 2, "house")
    for n in range(9):
        result_cache.put(f"own rules {n}", n, "flood")
    assert len(result_cache) == 4
    assert [
        key for key in ("edges", "odds", "own rules 7", "own rules 8") if key not in result_cache
    ] == []
    assert result_cache.get("own rules 7") == 7  # Used recently: the other one is the oldest.
    result_cache.put("own rules 9", 9, "flood")
    assert "own rules 8" not in result_cache
    result_cache.put("edges", 3, "flood")  # One result per key.
    assert (result_cache.get("edges"), len(result_cache)) == (3, 4)
