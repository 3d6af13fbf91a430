"""The server itself is killed under load: nothing acknowledged is lost or done twice."""

from __future__ import annotations

import asyncio
import signal
import statistics
from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.chaos.results import Result, result
from tests.chaos.server_book import back_after, wrong
from tests.chaos.server_house import ServedHouse
from tests.chaos.server_play import Players, seated

KILLED, STOPPED = "kill -9 of the server under load", "stop of the server under load"
TWO = "PostgreSQL, two processes"
KILLS = [signal.SIGKILL] * 100
PATIENT = 300.0  # Nobody sleeps here, however busy the machine is.


def end_server(
    folder: Path,
    url: str | None,
    *,
    on: str,
    hows: Sequence[signal.Signals],
    seed: str,
) -> Result:
    """A house whose process that holds the tables is ended again and again."""
    count = len(hows)
    with ServedHouse(folder, url, silent=PATIENT) as house:
        playing = _played(house, hows, seed)
        times, players = asyncio.run(asyncio.wait_for(playing, 120 * (1 + count)))
        house.stop()
        with house.book() as book:
            found = [*wrong(book, players), *house.errors()]
            back = back_after(book.ledger, players, times)
    told = f"first answer after {statistics.median(back):.2f} s, at most {max(back):.2f} s"
    print(f"{on}: {count} times {_names(hows)}, {players.acknowledged} acknowledged, {told}")  # noqa: T201
    return result(
        STOPPED if set(hows) == {signal.SIGTERM} else KILLED,
        on=on,
        count=count,
        what="stops" if set(hows) == {signal.SIGTERM} else "kills",
        seed=f"{seed} ({told})",
        wrong=found,
        acknowledged=players.acknowledged,
    )


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
            await asyncio.to_thread(house.start, holder)
            holder = other
        await players.more(20)
        await players.end()
    return times, players


def _names(hows: Sequence[signal.Signals]) -> str:
    return " and ".join(sorted({how.name for how in hows}))


def test_the_server_is_killed_and_started_again_on_sqlite(tmp_path: Path, seed: str) -> None:
    found = end_server(tmp_path, None, on="SQLite", hows=KILLS[:2], seed=seed)
    assert found["wrong"] == 0, found
    assert found["acknowledged"] > 40


def test_a_second_process_takes_over_on_postgresql(
    tmp_path: Path, seed: str, postgres: str
) -> None:
    """From one that is killed, from the other that is killed, and from one that is stopped."""
    hows = [*KILLS[:2], signal.SIGTERM]
    found = end_server(tmp_path, postgres, on=TWO, hows=hows, seed=seed)
    assert found["wrong"] == 0, found
    assert found["acknowledged"] > 50


@pytest.mark.slow
def test_a_hundred_kills_of_the_server_on_sqlite(tmp_path: Path, seed: str) -> None:
    assert not end_server(tmp_path, None, on="SQLite", hows=KILLS, seed=seed)["first"]


@pytest.mark.slow
def test_a_hundred_take_overs_on_postgresql(tmp_path: Path, seed: str, postgres: str) -> None:
    assert not end_server(tmp_path, postgres, on=TWO, hows=KILLS, seed=seed)["first"]


@pytest.mark.slow
def test_thirty_stops_on_postgresql(tmp_path: Path, seed: str, postgres: str) -> None:
    hows = [signal.SIGTERM] * 30
    assert not end_server(tmp_path, postgres, on=TWO, hows=hows, seed=seed)["first"]
