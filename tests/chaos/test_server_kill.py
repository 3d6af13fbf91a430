"""The server itself is killed under load: nothing acknowledged is lost or done twice.

A request whose answer a kill swallowed is asked again, and hears the receipt that stands.
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
from tests.chaos.server_book import back_after, wrong
from tests.chaos.server_house import ServedHouse
from tests.chaos.server_play import Players, seated
from tests.house.web.awake import PATIENT
from tests.postgres import fresh_database

KILLED, STOPPED = "kill -9 of the server under load", "stop of the server under load"
TWO = "PostgreSQL, two processes"
KILLS = [signal.SIGKILL] * 1_000
ENDS = 50  # As many as one house sees.
SHOWN = 5  # Of what is wrong, as soon as it is known.

Place = Callable[[], AbstractContextManager[tuple[Path, str | None]]]


class End(NamedTuple):
    """What is left of one house."""

    wrong: list[str]
    acknowledged: int
    back: list[float]
    cut: InFlight


def end_server(place: Place, *, on: str, hows: Sequence[signal.Signals], seed: str) -> Result:
    """Houses whose process that holds the tables is ended again and again."""
    starts = range(0, len(hows), ENDS)
    parts = [hows[start : start + ENDS] for start in starts]
    seeds = [f"{seed}-{start}" for start in starts]
    if len(parts) == 1:
        ends = [_end_one(place, hows, seeds[0])]
    else:  # Several houses at a time: they wait for their processes, mostly.
        with ProcessPoolExecutor(os.cpu_count(), mp_context=get_context("spawn")) as pool:
            ends = list(pool.map(_end_one, repeat(place), parts, seeds))
    back = [seconds for end in ends for seconds in end.back]
    cut = sum((end.cut for end in ends), InFlight())
    told = f"{cut}; first answer after {statistics.median(back):.2f} s, at most {max(back):.2f} s"
    acknowledged = sum(end.acknowledged for end in ends)
    print(f"{on}: {len(back)} times {_names(hows)}, {acknowledged} acknowledged, {told}")  # noqa: T201
    stops = set(hows) == {signal.SIGTERM}
    return result(
        STOPPED if stops else KILLED,
        on=on,
        count=len(back),
        what="stops" if stops else "kills",
        seed=f"{seed} ({told})",
        wrong=[one for end in ends for one in end.wrong],
        acknowledged=acknowledged,
    )


def _end_one(place: Place, hows: Sequence[signal.Signals], seed: str) -> End:
    """One house; nobody waits for ever for its players to be answered."""
    with place() as (folder, url), ServedHouse(folder, url, silent=PATIENT) as house:
        playing = _played(house, hows, seed)
        times, players = asyncio.run(asyncio.wait_for(playing, 120 * (1 + len(hows))))
        house.stop()
        with house.book() as book:
            end = End(
                wrong=[*wrong(book, players), *house.errors()],
                acknowledged=players.acknowledged,
                back=back_after(book.ledger, players, times),
                cut=in_flight(book.ledger, players, times),
            )
    print(f"{seed}: {end.acknowledged} acknowledged, {len(end.wrong)} wrong, {end.cut}")  # noqa: T201
    for one in end.wrong[:SHOWN]:
        print(f"  {one}")  # noqa: T201
    return end


async def _played(
    house: ServedHouse, hows: Sequence[signal.Signals], seed: str
) -> tuple[list[float], Players]:
    """Who holds the tables is ended; the other takes over, and the first is started again."""
    times: list[float] = []
    holder = 0
    async with seated(house.addresses, seed) as players:
        players.begin()
        for how in hows:
            await house.holds_all(holder)
            await players.more(players.luck.randint(10, 80))
            times.append(await asyncio.to_thread(house.end, holder, how))
            other = (holder + 1) % len(house.folders)
            if other != holder:
                await players.more(1)
                await house.holds_all(other)  # Or the first, started again, takes what is left.
            await asyncio.to_thread(house.start, holder)
            holder = other
        await players.more(20)
        await players.end()
    return times, players


def _names(hows: Sequence[signal.Signals]) -> str:
    return " and ".join(sorted({how.name for how in hows}))


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
    found = end_server(partial(_on_sqlite, tmp_path), on="SQLite", hows=KILLS[:2], seed=seed)
    assert found["wrong"] == 0, found
    assert found["acknowledged"] > 40


def test_a_second_process_takes_over_on_postgresql(tmp_path: Path, seed: str) -> None:
    """From one that is killed, from the other that is killed, and from one that is stopped."""
    hows = [*KILLS[:2], signal.SIGTERM]
    found = end_server(partial(_on_postgresql, tmp_path), on=TWO, hows=hows, seed=seed)
    assert found["wrong"] == 0, found
    assert found["acknowledged"] > 50


@pytest.mark.slow
def test_a_thousand_kills_of_the_server_on_sqlite(tmp_path: Path, seed: str) -> None:
    """With whole rounds in flight: no receipt is lost, of no request whose answer was either."""
    place = partial(_on_sqlite, tmp_path)
    assert not end_server(place, on="SQLite", hows=KILLS, seed=seed)["first"]


@pytest.mark.slow
def test_two_hundred_take_overs_on_postgresql(tmp_path: Path, seed: str) -> None:
    hows = KILLS[:200]
    assert not end_server(partial(_on_postgresql, tmp_path), on=TWO, hows=hows, seed=seed)["first"]


@pytest.mark.slow
def test_thirty_stops_on_postgresql(tmp_path: Path, seed: str) -> None:
    hows = [signal.SIGTERM] * 30
    assert not end_server(partial(_on_postgresql, tmp_path), on=TWO, hows=hows, seed=seed)["first"]
