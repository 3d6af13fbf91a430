"""The client on a line that dies without a word: it says so, comes back, and counts once."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from tests.house.test_client import ANTE, house_of, run
from tests.house.web.conftest import PASSWORD, Running
from tests.swallowing import swallowing

from pitbook.house import client as module
from pitbook.house.client import Accepted, Client, Live
from pitbook.house.table import socket as route

__all__ = ["run"]


def test_a_silent_line_is_noticed_within_five_seconds() -> None:
    assert module.CALL_SECONDS < module.LINE_SECONDS <= 5
    assert module.AGAIN_SECONDS <= 5


def _standing(table: Live) -> str:
    return table.standing


@pytest.mark.long
def test_what_is_swallowed_is_told_and_sent_again_with_one_effect(
    run: Running,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, seconds in (("CALL_SECONDS", 0.2), ("LINE_SECONDS", 60), ("AGAIN_SECONDS", 60)):
        monkeypatch.setattr(module, name, seconds)
    told: list[str] = []

    async def play() -> None:
        async with house_of(tmp_path) as (base, house):
            with swallowing(base) as proxy:
                async with Client(proxy.address, told=told.append) as ann:
                    await ann.sign_in("ann", PASSWORD)
                    async with ann.live("t") as table:
                        await table.send({"do": "sit", "seat": 1})
                        await table.look()  # No call is under way, which would be waited for.
                        proxy.swallows = True
                        monkeypatch.setattr(module, "AGAIN_SECONDS", 0.1)
                        monkeypatch.setattr(module, "LINE_SECONDS", 0.5)
                        asked = asyncio.create_task(table.send(ANTE))
                        while _standing(table) != "lost":
                            await asyncio.sleep(0.01)
                        assert told == [
                            "No answer yet to put-wager; it is sent again.",
                            "The line is lost; another is opened.",
                        ]
                        monkeypatch.setattr(module, "LINE_SECONDS", 60)
                        proxy.swallows = False
                        assert isinstance(await asked, Accepted)
                        assert _standing(table) == "live"
            assert house.ledger.balance(house.cage.wallet("ann")) == 100_000 - 1_000

    run(asyncio.wait_for(play(), 60))
    assert "The line is back." in told


@pytest.mark.long
def test_a_line_on_which_nothing_happens_stays(
    run: Running,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Even where the house never calls: then the client does, and is answered."""
    monkeypatch.setattr(route, "PING_SECONDS", 3_600)
    for name, seconds in (("CALL_SECONDS", 0.05), ("LINE_SECONDS", 60)):
        monkeypatch.setattr(module, name, seconds)

    async def play() -> None:
        async with house_of(tmp_path) as (base, house), Client(base) as ann:
            await ann.sign_in("ann", PASSWORD)
            async with ann.live("t") as table, asyncio.timeout(60):
                (line,) = house.tables["t"].subscribers._all
                for _ in range(10):  # Once for each call.
                    heard = line.heard
                    while line.heard <= heard:
                        await asyncio.sleep(0.01)
                await table.look()
                assert (table.connections, table.standing) == (1, "live")

    run(play())
