"""A paused server finds its tables taken over when it resumes: it says so and writes nothing."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import pairwise
from pathlib import Path

import httpx
import pytest
from tests.chaos.live_tables import SHEETS
from tests.chaos.server_house import SECONDS, ServedHouse
from tests.chaos.server_ledger import find_errors
from tests.chaos.server_play import Players, seat_players
from tests.house.web.conftest import PASSWORD

from pitbook.house import client as module
from pitbook.house.ledger.ledger import Ledger

SILENT = 5.0  # Shorter than in production, but longer than delays on a busy machine.
FENCED = "another process has taken over"
ELSEWHERE = "is not held by this process; ask again in a moment"


@pytest.mark.slow
def test_paused_process_is_fenced_off(
    tmp_path: Path, seed: str, postgres: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "SILENT_SECONDS", SILENT)
    with ServedHouse(tmp_path, postgres, silent=SILENT) as house:
        players, answers = asyncio.run(
            asyncio.wait_for(_pause_and_resume(house, seed), 3 * SECONDS)
        )
        house.stop()
        with house.open_folder() as data_folder:
            errors = [*find_errors(data_folder, players), *_late_entries(data_folder.ledger)]
    assert errors == []
    assert {status for status, _ in answers} <= {503, 421}
    assert all(message.endswith(ELSEWHERE) or message.startswith(FENCED) for _, message in answers)
    assert answers[-1][0] == 421


async def _pause_and_resume(house: ServedHouse, seed: str) -> tuple[Players, list[tuple[int, str]]]:
    """Pause the first process, which holds the tables, let the second take over, and resume."""
    first, second = house.running[0].process, 1
    async with seat_players(house.addresses, seed) as players, signed_in(house.addresses[0]) as ann:
        await house.holds_all(0)
        players.begin()
        await players.wait_for_accepted(30)
        first.send_signal(signal.SIGSTOP)
        try:
            await house.holds_all(second)
            await players.wait_for_accepted(30)
            # Sent while the process is paused, so it waits there on resume.
            pending = asyncio.create_task(_ask_until_misdirected(ann))
            first.send_signal(signal.SIGCONT)
            answers = await pending
        finally:
            first.send_signal(signal.SIGCONT)
        await players.wait_for_accepted(30)
        # The process that was fenced off may hold the tables again.
        await asyncio.to_thread(house.end, second)
        await house.holds_all(0)
        await players.wait_for_accepted(30)
        await players.end()
    return players, answers


@asynccontextmanager
async def signed_in(address: str) -> AsyncIterator[httpx.AsyncClient]:
    """A signed-in client that knows only one address."""
    async with httpx.AsyncClient(base_url=address, timeout=SECONDS) as client:
        credentials = {"name": "ann", "password": PASSWORD}
        (await client.post("/api/sign-in", json=credentials)).raise_for_status()
        yield client


async def _ask_until_misdirected(ann: httpx.AsyncClient) -> list[tuple[int, str]]:
    """The answers of the resumed process, until it knows that it lost the table."""
    answers: list[tuple[int, str]] = []
    while not answers or answers[-1][0] != httpx.codes.MISDIRECTED_REQUEST:
        body = {"request": f"late-{len(answers)}", "command": {"do": "leave", "seat": 1}}
        answer = await ann.post("/api/tables/one/commands", json=body)
        answers.append((answer.status_code, answer.json().get("error", answer.text)))
    return answers


def _late_entries(ledger: Ledger) -> list[str]:
    """Entries written by a process that had already lost the table."""
    return [
        f"{table} {after.seq} is of epoch {after.epoch}, behind one of {before.epoch}"
        for table in SHEETS
        for before, after in pairwise(ledger.entries(f"table/{table}"))
        if after.epoch < before.epoch
    ]
