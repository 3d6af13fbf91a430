"""Malformed input cannot fill the log: it is counted and logged once a second."""

from __future__ import annotations

import asyncio
import logging
import time
from typing import Any

import pytest
from tests.house.web.attacked_server import TargetServer, client_frame, open_target
from tests.house.web.conftest import LoopRunner

from pitbook.house.people.accounts import People
from pitbook.house.settings import RequestLimits
from pitbook.house.table.live_tables import LiveTables
from pitbook.house.web.logs import SUMMARY_EVERY_S
from pitbook.house.web.rate_limits import HEALTH_BURST_OF_ADDRESS, Client, Limiter, TokenBuckets

MANY = 30


@pytest.fixture
def logged_warnings(caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The fields of every warning."""
    for name in ("pitbook", "uvicorn"):
        monkeypatch.setattr(logging.getLogger(name), "propagate", True)
    caplog.set_level(logging.INFO)

    def read_warnings() -> list[dict[str, Any]]:
        return [
            {"event": record.getMessage(), **getattr(record, "fields", {})}
            for record in caplog.records
            if record.levelno == logging.WARNING
        ]

    return read_warnings


async def send_raw(target: TargetServer, first_bytes: bytes) -> bytes:
    reader, writer = await target.line(first_bytes)
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
def test_malformed_http_is_counted_and_logged_once_a_second(
    run: LoopRunner,
    house: LiveTables,
    people: People,
    logged_warnings: Any,
    case: tuple[bytes, bytes, str],
) -> None:
    """A hundred connections once wrote six thousand log lines in ten seconds."""
    words, status, reason = case

    async def ask() -> float:
        async with open_target(house, people) as target:
            begun = time.monotonic()
            for _ in range(MANY):
                assert (await send_raw(target, words))[9:12] == status
            await asyncio.sleep(1.1)
            return time.monotonic() - begun

    most = 2 + run(ask()) / SUMMARY_EVERY_S
    warnings = logged_warnings()
    assert 1 <= len(warnings) <= most, warnings
    assert sum(warning["count"] for warning in warnings) == MANY
    assert {(warning["event"], warning["reason"], warning["address"]) for warning in warnings} == {
        ("malformed_input", reason, "127.0.0.1")
    }


@pytest.mark.long
def test_health_checks_are_limited_by_address(run: LoopRunner) -> None:
    """A flood of health checks is answered and leaves the log usable."""

    async def ask() -> None:
        limiter = Limiter(RequestLimits(), clock=lambda: 0.0)
        limiter.health = TokenBuckets(100, 0, clock=lambda: 0.0)
        askers = [Client(f"line 10.0.0.1 {port}", "10.0.0.1") for port in range(20)]
        seldom = [await limiter.allow_health(asker.address) for asker in askers]
        assert seldom == [True] * HEALTH_BURST_OF_ADDRESS + [False] * (20 - HEALTH_BURST_OF_ADDRESS)
        assert await limiter.allow_health("10.0.0.2"), "others are told all of it"

    run(ask())


def test_the_gate_counts_health_by_address(
    run: LoopRunner, house: LiveTables, people: People
) -> None:
    async def ask() -> None:
        async with open_target(house, people) as target:
            limiter = target.app.state.server.limiter
            limiter.health, limiter.health_of_one = TokenBuckets(100, 2), TokenBuckets(100, 2)
            for _ in range(6):
                assert await target.health() == 200
            assert list(limiter.health_of_one._levels) == ["127.0.0.1"]

    run(ask())


@pytest.mark.long
def test_invalid_utf_8_logs_no_traceback(
    run: LoopRunner,
    house: LiveTables,
    people: People,
    logged_warnings: Any,
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def ask() -> None:
        async with open_target(house, people) as target:
            for _ in range(3):
                reader, writer = await target.socket(*await target.guest())
                writer.write(client_frame(b"\xff\xfe"))
                while await asyncio.wait_for(reader.read(2**16), 60):
                    pass
                writer.transport.abort()
            await asyncio.sleep(1.1)

    run(ask())
    assert not [
        record for record in caplog.records if "UTF-8" in record.getMessage() and record.exc_info
    ]
    assert sum(warning["count"] for warning in logged_warnings()) == 3
