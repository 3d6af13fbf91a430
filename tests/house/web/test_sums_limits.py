"""A sum that is too large for a house that others play in is given up, and said to be."""

from __future__ import annotations

import asyncio
import subprocess
import sys

import pytest

from pitbook.exact.work import TooLarge, require_memory, track_parts
from pitbook.house.web import jobs as sums
from pitbook.house.web.jobs import JobQueue, KeptResults


def asked(sum_: object, times: int = 1) -> list[str]:
    """What a house says to somebody who asks so often."""
    house, said = JobQueue(), []

    async def ask() -> None:
        for _ in range(times):
            try:
                await house.compute("a sum", sum_)  # type: ignore[arg-type]
            except TooLarge as refused:
                said.append(str(refused))

    asyncio.run(ask())
    house.close()
    return said


def test_a_sum_of_hours_is_not_begun_and_one_too_long_is_stopped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    begun: list[int] = []

    def hours() -> None:
        begun.extend(track_parts(range(50_000), 50_000, "hands", each=1.0))

    (said, again) = asked(hours, times=2)
    assert said == again
    assert said.startswith("50,000 hands are too many for the server to work out while others play")
    assert begun == []
    monkeypatch.setattr(sums, "SECONDS_MAX", -1.0)
    assert asked(lambda: list(track_parts(range(9), 9, "hands", each=0.0)))


def test_a_no_is_not_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[int] = []

    def too_large() -> None:
        begun.append(1)
        raise TooLarge("too large")

    assert asked(too_large, times=3) == ["too large"] * 3
    assert len(begun) == 1
    monkeypatch.setattr(sums, "FAILURE_SECONDS", -1.0)
    assert asked(too_large, times=3) == ["too large"] * 3
    assert len(begun) == 4


def test_a_sum_that_fits_is_worked_out() -> None:
    assert asked(lambda: list(track_parts(range(9), 9, "hands", each=0.1))) == []


def test_a_sum_that_takes_too_much_memory_is_refused() -> None:
    (said,) = asked(lambda: require_memory(sums.BYTES_MAX + 1, "so many deals", "ask for fewer"))
    assert said == "so many deals: that takes 512 MB of memory here; ask for fewer"


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
def test_a_sum_under_way_does_not_hold_up_the_end_of_the_process() -> None:
    """The house was still there forty-five seconds after it was told to close."""
    told = [sys.executable, "-c", STUCK]
    ended = subprocess.run(told, timeout=30, capture_output=True, check=False)
    assert ended.returncode == 0, ended.stderr


def test_a_flood_of_sums_drops_its_own_results_and_nobody_elses() -> None:
    kept = KeptResults(4)
    kept.put("edges", 1, "house")
    kept.put("odds", 2, "house")
    for n in range(9):
        kept.put(f"own rules {n}", n, "flood")
    assert len(kept) == 4
    assert [one for one in ("edges", "odds", "own rules 7", "own rules 8") if one not in kept] == []
    assert kept.get("own rules 7") == 7  # Used again: the other one is the oldest.
    kept.put("own rules 9", 9, "flood")
    assert "own rules 8" not in kept
    kept.put("edges", 3, "flood")  # The same key has one result.
    assert (kept.get("edges"), len(kept)) == (3, 4)
