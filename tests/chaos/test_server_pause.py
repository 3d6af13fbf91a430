"""A server that only slept comes back and finds its tables gone: it says so, and writes nothing."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import pairwise
from pathlib import Path

import httpx
import pytest
from tests.chaos.server_book import wrong
from tests.chaos.server_house import SECONDS, ServedHouse
from tests.chaos.server_play import Players, seated
from tests.chaos.tables import SHEETS
from tests.house.web.conftest import PASSWORD

from pitbook.house import client as module
from pitbook.house.ledger.journal import Ledger

SILENT = 5.0  # Shorter than in earnest, and longer than a busy machine makes anybody wait.
FENCED = "another process has taken over"
ELSEWHERE = "is not held by this process; ask again in a moment"


@pytest.mark.slow
def test_a_process_that_slept_is_fenced_off(
    tmp_path: Path, seed: str, postgres: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "SILENT_SECONDS", SILENT)
    with ServedHouse(tmp_path, postgres, silent=SILENT) as house:
        players, answers = asyncio.run(asyncio.wait_for(_slept(house, seed), 3 * SECONDS))
        house.stop()
        with house.book() as book:
            found = [*wrong(book, players), *_late(book.ledger)]
    assert found == []
    assert {status for status, _ in answers} <= {503, 421}
    assert all(told.endswith(ELSEWHERE) or told.startswith(FENCED) for _, told in answers)
    assert answers[-1][0] == 421


async def _slept(house: ServedHouse, seed: str) -> tuple[Players, list[tuple[int, str]]]:
    """The first holds the tables and falls asleep; the second takes over; the first wakes up."""
    first, second = house.running[0].process, 1
    async with seated(house.addresses, seed) as players, signed_in(house.addresses[0]) as ann:
        await house.holds_all(0)
        players.begin()
        await players.more(30)
        first.send_signal(signal.SIGSTOP)
        try:
            await house.holds_all(second)
            await players.more(30)
            asked = asyncio.create_task(_asked(ann))  # It lies in wait when the sleeper wakes up.
            first.send_signal(signal.SIGCONT)
            answers = await asked
        finally:
            first.send_signal(signal.SIGCONT)
        await players.more(30)
        await asyncio.to_thread(house.end, second)  # Who was fenced off may hold them again.
        await house.holds_all(0)
        await players.more(30)
        await players.end()
    return players, answers


@asynccontextmanager
async def signed_in(address: str) -> AsyncIterator[httpx.AsyncClient]:
    """Somebody who knows one address."""
    async with httpx.AsyncClient(base_url=address, timeout=SECONDS) as client:
        credentials = {"name": "ann", "password": PASSWORD}
        (await client.post("/api/sign-in", json=credentials)).raise_for_status()
        yield client


async def _asked(ann: httpx.AsyncClient) -> list[tuple[int, str]]:
    """What the one that slept answers, until it knows that the table is not its own."""
    answers: list[tuple[int, str]] = []
    while not answers or answers[-1][0] != httpx.codes.MISDIRECTED_REQUEST:
        body = {"request": f"late-{len(answers)}", "command": {"do": "leave", "seat": 1}}
        answer = await ann.post("/api/tables/one/commands", json=body)
        answers.append((answer.status_code, answer.json().get("error", answer.text)))
    return answers


def _late(ledger: Ledger) -> list[str]:
    """Entries of a process that had lost the table by then."""
    return [
        f"{table} {after.seq} is of epoch {after.epoch}, behind one of {before.epoch}"
        for table in SHEETS
        for before, after in pairwise(ledger.entries(f"table/{table}"))
        if after.epoch < before.epoch
    ]
