"""The client on a connection that dies silently: it reports it, reconnects, and sends once."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from tests.house.dropping_proxy import dropping_proxy
from tests.house.test_client import ANTE, house_of, run
from tests.house.web.conftest import PASSWORD, LoopRunner

from pitbook.house import client as module
from pitbook.house.client import Accepted, Client, Live
from pitbook.house.table import socket as route

__all__ = ["run"]


def test_silent_connection_is_noticed_within_five_seconds() -> None:
    assert module.CALL_SECONDS < module.LINE_SECONDS <= 5
    assert module.RESEND_SECONDS <= 5


def _status_of(table: Live) -> str:
    return table.status


@pytest.mark.long
def test_swallowed_command_is_reported_and_sent_again_once(
    run: LoopRunner,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, seconds in (("CALL_SECONDS", 0.2), ("LINE_SECONDS", 60), ("RESEND_SECONDS", 60)):
        monkeypatch.setattr(module, name, seconds)
    messages: list[str] = []

    async def play() -> None:
        async with house_of(tmp_path) as (base, house):
            with dropping_proxy(base) as proxy:
                async with Client(proxy.address, on_message=messages.append) as ann:
                    await ann.sign_in("ann", PASSWORD)
                    async with ann.live("t") as table:
                        await table.send({"do": "sit", "seat": 1})
                        await table.look()  # No ping is in flight that would be waited for.
                        proxy.drops = True
                        monkeypatch.setattr(module, "RESEND_SECONDS", 0.1)
                        monkeypatch.setattr(module, "LINE_SECONDS", 0.5)
                        send_task = asyncio.create_task(table.send(ANTE))
                        while _status_of(table) != "lost":
                            await asyncio.sleep(0.01)
                        assert messages == [
                            "No response to put-wager yet. Sending it again.",
                            "Connection lost. Reconnecting…",
                        ]
                        monkeypatch.setattr(module, "LINE_SECONDS", 60)
                        proxy.drops = False
                        assert isinstance(await send_task, Accepted)
                        assert _status_of(table) == "live"
            assert house.ledger.balance(house.cage.wallet("ann")) == 100_000 - 1_000

    run(asyncio.wait_for(play(), 60))
    assert "Reconnected." in messages


@pytest.mark.long
def test_idle_connection_stays_open(
    run: LoopRunner,
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
                (watcher,) = house.tables["t"].subscribers._watchers
                for _ in range(10):  # Once for each call.
                    heard = watcher.last_heard
                    while watcher.last_heard <= heard:
                        await asyncio.sleep(0.01)
                await table.look()
                assert (table.connections, table.status) == (1, "live")

    run(play())
