"""The server is killed under load: nothing acknowledged is lost or done twice.

A request whose answer was lost is sent again and gets the recorded receipt.
"""

from __future__ import annotations

import asyncio
import os
import signal
import statistics
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from itertools import repeat
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import pytest
from tests.chaos.in_flight import InFlight, in_flight
from tests.chaos.results import Result, result
from tests.chaos.server_house import ServedHouse
from tests.chaos.server_ledger import find_errors, recovery_seconds
from tests.chaos.server_play import Players, seat_players
from tests.house.web.stay_awake import PATIENT
from tests.postgres import fresh_database

KILLED, STOPPED = "kill -9 of the server under load", "stop of the server under load"
TWO = "PostgreSQL, two processes"
KILLS = [signal.SIGKILL] * 1_000
ENDS = 50  # Ends of one house.
SHOWN = 5  # Errors to print as soon as they are known.

Place = Callable[[], AbstractContextManager[tuple[Path, str | None]]]


class End(NamedTuple):
    """The outcome of one house."""

    wrong: list[str]
    acknowledged: int
    back: list[float]
    cut: InFlight


def end_server(place: Place, *, on: str, signals: Sequence[signal.Signals], seed: str) -> Result:
    """End the process that holds the tables again and again, in several houses."""
    starts = range(0, len(signals), ENDS)
    parts = [signals[start : start + ENDS] for start in starts]
    seeds = [f"{seed}-{start}" for start in starts]
    if len(parts) == 1:
        ends = [_end_one(place, signals, seeds[0])]
    else:  # Several houses at a time, because they mostly wait for their processes.
        with ProcessPoolExecutor(os.cpu_count(), mp_context=get_context("spawn")) as pool:
            ends = list(pool.map(_end_one, repeat(place), parts, seeds))
    back = [seconds for end in ends for seconds in end.back]
    cut = sum((end.cut for end in ends), InFlight())
    summary = (
        f"{cut}; first answer after {statistics.median(back):.2f} s, at most {max(back):.2f} s"
    )
    acknowledged = sum(end.acknowledged for end in ends)
    print(f"{on}: {len(back)} times {_names(signals)}, {acknowledged} acknowledged, {summary}")  # noqa: T201
    stops = set(signals) == {signal.SIGTERM}
    return result(
        STOPPED if stops else KILLED,
        on=on,
        count=len(back),
        what="stops" if stops else "kills",
        seed=f"{seed} ({summary})",
        wrong=[error for end in ends for error in end.wrong],
        acknowledged=acknowledged,
    )


def _end_one(place: Place, signals: Sequence[signal.Signals], seed: str) -> End:
    """One house, with a time limit for its players' requests."""
    with place() as (folder, url), ServedHouse(folder, url, silent=PATIENT) as house:
        playing = _play_and_end(house, signals, seed)
        times, players = asyncio.run(asyncio.wait_for(playing, 120 * (1 + len(signals))))
        house.stop()
        with house.open_folder() as data_folder:
            end = End(
                wrong=[*find_errors(data_folder, players), *house.errors()],
                acknowledged=players.acknowledged,
                back=recovery_seconds(data_folder.ledger, players, times),
                cut=in_flight(data_folder.ledger, players, times),
            )
    print(f"{seed}: {end.acknowledged} acknowledged, {len(end.wrong)} wrong, {end.cut}")  # noqa: T201
    for error in end.wrong[:SHOWN]:
        print(f"  {error}")  # noqa: T201
    return end


async def _play_and_end(
    house: ServedHouse, signals: Sequence[signal.Signals], seed: str
) -> tuple[list[float], Players]:
    """End the process that holds the tables, let the other take over, and restart the first."""
    times: list[float] = []
    holder = 0
    async with seat_players(house.addresses, seed) as players:
        players.begin()
        for signal_number in signals:
            await house.holds_all(holder)
            await players.wait_for_accepted(players.rng.randint(10, 80))
            times.append(await asyncio.to_thread(house.end, holder, signal_number))
            other = (holder + 1) % len(house.folders)
            if other != holder:
                await players.wait_for_accepted(1)
                await house.holds_all(other)  # Or the restarted first process takes what is left.
            await asyncio.to_thread(house.start, holder)
            holder = other
        await players.wait_for_accepted(20)
        await players.end()
    return times, players


def _names(signals: Sequence[signal.Signals]) -> str:
    return " and ".join(sorted({signal_number.name for signal_number in signals}))


@contextmanager
def _on_sqlite(tmp_path: Path) -> Iterator[tuple[Path, str | None]]:
    with TemporaryDirectory(dir=tmp_path) as folder:
        yield Path(folder), None


@contextmanager
def _on_postgresql(tmp_path: Path) -> Iterator[tuple[Path, str | None]]:
    with TemporaryDirectory(dir=tmp_path) as folder, fresh_database() as url:
        yield Path(folder), url


@pytest.mark.slow
def test_the_server_is_killed_and_started_again_on_sqlite(tmp_path: Path, seed: str) -> None:
    row = end_server(partial(_on_sqlite, tmp_path), on="SQLite", signals=KILLS[:2], seed=seed)
    assert row["wrong"] == 0, row
    assert row["acknowledged"] > 40


def test_a_second_process_takes_over_on_postgresql(tmp_path: Path, seed: str) -> None:
    """Takeovers after killing one process, then the other, then stopping one."""
    signals = [*KILLS[:2], signal.SIGTERM]
    row = end_server(partial(_on_postgresql, tmp_path), on=TWO, signals=signals, seed=seed)
    assert row["wrong"] == 0, row
    assert row["acknowledged"] > 50


@pytest.mark.slow
def test_a_thousand_kills_of_the_server_on_sqlite(tmp_path: Path, seed: str) -> None:
    """With rounds in progress: no receipt is lost, nor a request whose answer was lost."""
    place = partial(_on_sqlite, tmp_path)
    assert not end_server(place, on="SQLite", signals=KILLS, seed=seed)["first"]


@pytest.mark.slow
def test_two_hundred_take_overs_on_postgresql(tmp_path: Path, seed: str) -> None:
    signals = KILLS[:200]
    assert not end_server(partial(_on_postgresql, tmp_path), on=TWO, signals=signals, seed=seed)[
        "first"
    ]


@pytest.mark.slow
def test_thirty_stops_on_postgresql(tmp_path: Path, seed: str) -> None:
    signals = [signal.SIGTERM] * 30
    assert not end_server(partial(_on_postgresql, tmp_path), on=TWO, signals=signals, seed=seed)[
        "first"
    ]
