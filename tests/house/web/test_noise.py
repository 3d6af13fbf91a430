"""Nobody fills the log: what is no HTTP is counted, and told once a second with an address."""

from __future__ import annotations

import asyncio
import logging
import time
from typing import Any

import pytest
from tests.house.web.attacked import Attacked, attacked, frame
from tests.house.web.conftest import Running

from pitbook.house.people.accounts import People
from pitbook.house.table.tables import LiveTables
from pitbook.house.web.logs import SUMMARY_EVERY_S
from pitbook.house.web.rate_limits import HEALTH_BURST_OF_ADDRESS, Client, Limiter, TokenBuckets
from pitbook.house.web.settings import RequestLimits

MANY = 30


@pytest.fixture
def warned(caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The fields of every warning."""
    for name in ("pitbook", "uvicorn"):
        monkeypatch.setattr(logging.getLogger(name), "propagate", True)
    caplog.set_level(logging.INFO)

    def found() -> list[dict[str, Any]]:
        return [
            {"event": one.getMessage(), **getattr(one, "fields", {})}
            for one in caplog.records
            if one.levelno == logging.WARNING
        ]

    return found


async def said(it: Attacked, words: bytes) -> bytes:
    reader, writer = await it.line(words)
    answer = await asyncio.wait_for(reader.read(20), 60)
    writer.transport.abort()
    return answer


@pytest.mark.long
@pytest.mark.parametrize(
    "case",
    [
        (b"\x16\x03garbage\r\n\r\n", b"400", "Invalid HTTP request received."),
        (
            b"GET /api/health HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: upgrade\r\n"
            b"Upgrade: tea\r\n\r\n",
            b"200",
            "Unsupported upgrade request.",
        ),
    ],
    ids=["garbage", "upgrade"],
)
def test_what_is_no_http_is_counted_and_told_once_a_second(
    run: Running, house: LiveTables, people: People, warned: Any, case: tuple[bytes, bytes, str]
) -> None:
    """A hundred lines wrote six thousand others into the log in ten seconds, without an address."""
    words, status, reason = case

    async def ask() -> float:
        async with attacked(house, people) as it:
            begun = time.monotonic()
            for _ in range(MANY):
                assert (await said(it, words))[9:12] == status
            await asyncio.sleep(1.1)
            return time.monotonic() - begun

    most = 2 + run(ask()) / SUMMARY_EVERY_S
    found = warned()
    assert 1 <= len(found) <= most, found
    assert sum(one["count"] for one in found) == MANY
    assert {(one["event"], one["reason"], one["address"]) for one in found} == {
        ("malformed_input", reason, "127.0.0.1")
    }


@pytest.mark.long
def test_health_that_is_asked_for_on_new_lines_is_often_too(run: Running) -> None:
    """A flood of it is answered, and leaves the log to others."""

    async def ask() -> None:
        limiter = Limiter(RequestLimits(), clock=lambda: 0.0)
        limiter.health = TokenBuckets(100, 0, clock=lambda: 0.0)
        askers = [Client(f"line 10.0.0.1 {port}", "10.0.0.1") for port in range(20)]
        seldom = [await limiter.allow_health(one.address) for one in askers]
        assert seldom == [True] * HEALTH_BURST_OF_ADDRESS + [False] * (20 - HEALTH_BURST_OF_ADDRESS)
        assert await limiter.allow_health("10.0.0.2"), "others are told all of it"

    run(ask())


def test_the_gate_counts_health_by_address(run: Running, house: LiveTables, people: People) -> None:
    async def ask() -> None:
        async with attacked(house, people) as it:
            limiter = it.app.state.server.limiter
            limiter.health, limiter.health_of_one = TokenBuckets(100, 2), TokenBuckets(100, 2)
            for _ in range(6):
                assert await it.health() == 200
            assert list(limiter.health_of_one._levels) == ["127.0.0.1"]

    run(ask())


@pytest.mark.long
def test_text_that_is_no_text_leaves_no_traceback(
    run: Running, house: LiveTables, people: People, warned: Any, caplog: pytest.LogCaptureFixture
) -> None:
    async def ask() -> None:
        async with attacked(house, people) as it:
            for _ in range(3):
                reader, writer = await it.socket(*await it.guest())
                writer.write(frame(b"\xff\xfe"))
                while await asyncio.wait_for(reader.read(2**16), 60):
                    pass
                writer.transport.abort()
            await asyncio.sleep(1.1)

    run(ask())
    assert not [one for one in caplog.records if "UTF-8" in one.getMessage() and one.exc_info]
    assert sum(one["count"] for one in warned()) == 3
