"""Long counts run in a separate process: once, shared, and ended with the server."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from pitbook.exact.long_computations import LongCount, TooLarge, WorkPhase, watch_work
from pitbook.exact.methods import count_process
from pitbook.exact.methods.dealer import pairs_solve, stored_counts
from pitbook.exact.methods.dealer.pairs_solve import Shape
from pitbook.exact.methods.dealer.stored_counts import _path
from pitbook.house.web import jobs as counting
from pitbook.house.web import jobs as sums
from pitbook.house.web.errors import Problem
from pitbook.house.web.jobs import JobQueue

ODD = Shape(3, 3, 0, 3, "high-or-low", 13)  # No real game.


@pytest.fixture(autouse=True)
def no_stored_counts(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Leave all counts to other processes, with none stored before."""
    monkeypatch.setattr(sums, "COUNTED_MAX", -1.0)
    path = _path(pairs_solve.counts_key(ODD))
    assert path is not None
    path.unlink(missing_ok=True)
    pairs_solve.deck_counts.cache_clear()
    yield path
    path.unlink(missing_ok=True)
    pairs_solve.deck_counts.cache_clear()


def rows() -> int:
    return len(pairs_solve.deck_counts(ODD).classes)


@pytest.fixture
def processes_started(monkeypatch: pytest.MonkeyPatch) -> list[asyncio.subprocess.Process]:
    """The processes started."""
    processes, begin = [], asyncio.create_subprocess_exec

    async def record_process(*args: str, **options: object) -> asyncio.subprocess.Process:
        processes.append(await begin(*args, **options))  # type: ignore[arg-type]
        return processes[-1]

    monkeypatch.setattr(asyncio, "create_subprocess_exec", record_process)
    return processes


@pytest.mark.slow
def test_several_requests_share_one_process(
    processes_started: list[asyncio.subprocess.Process], no_stored_counts: Path
) -> None:
    async def ask() -> list[int]:
        house = JobQueue()
        computations = [house.compute(("rows", number), rows, patience=300) for number in range(3)]
        results = await asyncio.gather(*computations)
        await house.end()
        return list(results)

    assert asyncio.run(ask()) == [rows()] * 3
    assert len(processes_started) == 1
    assert no_stored_counts.exists()


@pytest.mark.long
def test_impatient_request_is_refused_and_the_count_ends_with_the_server(
    monkeypatch: pytest.MonkeyPatch,
    processes_started: list[asyncio.subprocess.Process],
    no_stored_counts: Path,
) -> None:
    monkeypatch.setattr(counting, "MODULE", "tests.house.web.endless_count")

    async def ask() -> Problem:
        house = JobQueue()
        patient = asyncio.ensure_future(house.compute("patient", rows, patience=300))
        while not processes_started:
            await asyncio.sleep(0.01)
        with pytest.raises(Problem, match="being calculated for the first time") as error:
            await house.compute("rows", rows, patience=0.1)
        assert await house.compute("another", lambda: 7) == 7  # Nothing else waits.
        await house.end()
        await asyncio.gather(patient, return_exceptions=True)
        return error.value

    no = asyncio.run(ask())
    assert (no.status, no.retry_after) == (503, sums.RETRY_SECONDS)
    assert [process.returncode for process in processes_started] != [None]
    with pytest.raises(ProcessLookupError):
        os.kill(processes_started[0].pid, 0)
    assert not no_stored_counts.exists()


@pytest.mark.long
def test_waiting_request_learns_how_much_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counting, "MODULE", "tests.house.web.half_done_count")
    monkeypatch.setattr(pairs_solve, "seconds", lambda *deck: 5.0)

    async def ask() -> str:
        house = JobQueue()
        message = ""
        while "done" not in message:
            with pytest.raises(Problem) as error:
                await house.compute("rows", rows, patience=0.1)
            message = str(error.value)
        await house.end()
        return message

    assert asyncio.run(ask()).endswith("calculated for the first time (40% done).")


def test_process_prints_the_seconds_of_all_phases(capsys: pytest.CaptureFixture[str]) -> None:
    printer = count_process.ProgressPrinter()
    first, second = WorkPhase("boards", 2, 4.0), WorkPhase("flops", 4, 2.0)
    for phase, done in ((first, 0), (first, 1), (first, 2), (second, 0), (second, 3)):
        printer.watch(phase, done)
    assert capsys.readouterr().out.split() == ["0.000", "2.000", "4.000", "4.000", "5.500"]


def test_failed_count_is_reported_and_not_retried(
    monkeypatch: pytest.MonkeyPatch, processes_started: list[asyncio.subprocess.Process]
) -> None:
    monkeypatch.setattr(counting, "MODULE", "tests.house.web.no_such_module")

    async def ask() -> None:
        house = JobQueue()
        for number in range(2):
            with pytest.raises(TooLarge, match=r"exit code 1\)"):
                await house.compute(("rows", number), rows)
        await house.end()

    asyncio.run(ask())
    assert len(processes_started) == 1


@pytest.mark.parametrize("seconds", [0.5, 5.0])
def test_server_makes_small_counts_itself_if_the_disk_is_full(
    monkeypatch: pytest.MonkeyPatch,
    processes_started: list[asyncio.subprocess.Process],
    seconds: float,
) -> None:
    monkeypatch.setattr(counting, "MODULE", "tests.house.web.unstorable_count")
    monkeypatch.setattr(sums, "SECONDS_MAX", 300.0)  # Its loops may have to be compiled first.
    monkeypatch.setattr(pairs_solve, "seconds", lambda *deck: seconds)

    async def ask() -> list[object]:
        house = JobQueue()
        computations = [house.compute(("rows", number), rows, patience=300) for number in range(2)]
        results = await asyncio.gather(*computations, return_exceptions=True)
        await house.end()
        return list(results)

    computed = asyncio.run(ask())
    if seconds < sums.FALLBACK_SECONDS_MAX:
        assert computed == [rows()] * 2
    else:
        assert all(isinstance(error, TooLarge) for error in computed)
    assert len(processes_started) == 1


def test_machine_code_is_compiled_in_a_separate_process(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A compiler would keep a hundred megabytes in the server."""
    monkeypatch.setattr(stored_counts, "counts_folder", lambda purpose: tmp_path)
    monkeypatch.setattr(stored_counts, "_COMPILED_METHODS", set())
    with watch_work(lambda *_: None, seconds_max=0.0), pytest.raises(LongCount) as awaited:
        stored_counts.defer_compiling("pairs")
    count_process.make_counts(count_process.format_order(awaited.value.order))
    with watch_work(lambda *_: None, seconds_max=0.0):
        stored_counts.defer_compiling("pairs")
    assert stored_counts.is_stored(awaited.value.order)
