"""Tables, ledger and clients under drops, repeats, late messages, crashes and two table owners."""

from __future__ import annotations

import asyncio
import os
import random
import threading
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest
from tests.chaos.results import result
from tests.faults.loop import SeededLoop
from tests.faults.run import Outcome, run
from tests.lanes import spread

# A fixed seed in CI so that builds are stable, otherwise a random one; it is always printed.
PARTS = 50
FIRST = 52 if os.environ.get("CI") else random.SystemRandom().randrange(10**6)


def _run(folder: Path, seed: int, rounds: int) -> Outcome:
    print(f"seed {seed}, {rounds} rounds")  # noqa: T201  To repeat the run that failed.
    folder.mkdir(exist_ok=True)
    done = run(folder, seed, rounds)
    assert done.rounds >= rounds
    assert done.crashes > rounds / 100
    assert done.takeovers > 0
    assert done.entries > rounds
    return done


def _record_outcomes(outcomes: list[Outcome], seeds: str) -> None:
    crashes = sum(outcome.crashes for outcome in outcomes)
    takeovers = sum(outcome.takeovers for outcome in outcomes)
    result(
        "seeded fault simulation",
        on="sqlite",
        count=sum(outcome.rounds for outcome in outcomes),
        what="rounds under drops, repeats, late messages, crashes and takeovers",
        acknowledged=sum(outcome.entries for outcome in outcomes),
        seed=f"{seeds} ({crashes:,} crashes, {takeovers:,} takeovers)",
    )


@pytest.mark.parametrize("part", spread(range(4), 1))
def test_hundreds_of_rounds_lose_no_cent(tmp_path: Path, part: int) -> None:
    _run(tmp_path, FIRST + part, 120)


def test_the_same_seed_gives_the_same_ledger(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    assert run(tmp_path / "one", 7, 20) == run(tmp_path / "two", 7, 20)


def test_thread_work_is_scheduled_by_the_seed() -> None:
    """A real thread's timing would make runs irreproducible; the cage reads its slips in one."""

    async def run_in_thread() -> tuple[int, str]:
        with pytest.raises(KeyError) as error:
            await asyncio.to_thread(dict[str, int]().__getitem__, "lost")
        return await asyncio.to_thread(threading.get_ident), repr(error.value)

    loop = SeededLoop(random.Random(1))
    try:
        assert loop.run_until_complete(run_in_thread()) == (
            threading.get_ident(),
            "KeyError('lost')",
        )
    finally:
        loop.close()


@pytest.mark.slow
@pytest.mark.timeout(4 * 3600)
def test_a_hundred_thousand_rounds_lose_no_cent(tmp_path: Path) -> None:
    seeds = range(FIRST, FIRST + PARTS)
    folders = [tmp_path / str(seed) for seed in seeds]
    with ProcessPoolExecutor(os.cpu_count(), mp_context=get_context("spawn")) as pool:
        outcomes = list(pool.map(_run, folders, seeds, [100_000 // PARTS] * PARTS))
    _record_outcomes(outcomes, f"{seeds[0]} to {seeds[-1]}")
