"""Stalled bodies do not keep others of their address from sending one."""

from __future__ import annotations

import asyncio

import pytest
from tests.house.web.attacked_server import STUD, Ends, TargetServer, open_target
from tests.house.web.conftest import LoopRunner

from pitbook.house.people.accounts import People
from pitbook.house.table.live_tables import LiveTables
from pitbook.house.web.sheets_api import FILE

SIZE = 10_000
MANY = 60  # More than an address may have in flight.


async def send_stalled_bodies(target: TargetServer, count: int) -> list[Ends]:
    """Bodies of nearly the largest size that never end."""
    head = target.head("/api/practice", "POST", "Transfer-Encoding: chunked")
    first_bytes = head + f"{SIZE:x}\r\n".encode() + b" " * SIZE
    return [await target.line(first_bytes) for _ in range(count)]


@pytest.mark.long
@pytest.mark.parametrize("size", [10, 6_000])
def test_stalled_bodies_are_dropped_for_new_ones(
    run: LoopRunner, house: LiveTables, people: People, size: int
) -> None:
    """Fifty-six connections once kept guests and strangers of an address from signing in."""

    async def ask() -> None:
        async with open_target(
            house, people, body_bytes_max=SIZE, body_timeout_seconds=60
        ) as target:
            ends = await send_stalled_bodies(target, MANY)
            await asyncio.sleep(0.3)
            async with target.client() as client:
                for _ in range(3):
                    toml = f"# {FILE}" + "." * size
                    answer = await client.post("/api/sheets/check", json={"toml": toml})
                    assert answer.status_code == 200, answer.text
                    answer = await client.post("/api/practice", json={"sheet": STUD})
                    assert answer.status_code == 201, answer.text
            for _, writer in ends:
                writer.transport.abort()

    run(ask())


@pytest.mark.long
def test_counted_bytes_are_released(run: LoopRunner, house: LiveTables, people: People) -> None:
    async def ask() -> None:
        async with open_target(
            house, people, body_bytes_max=SIZE, body_timeout_seconds=0.1
        ) as target:
            for _ in range(3):
                ends = await send_stalled_bodies(target, MANY)
                for reader, writer in ends:
                    try:
                        response = await asyncio.wait_for(reader.read(100), 60)
                    except ConnectionError:
                        response = b""
                    assert response[9:12] in (b"", b"408"), response
                    writer.transport.abort()
            # Later requests are no attack and may be slow.
            limiter = target.app.state.server.limiter
            limiter.limits = limiter.limits.model_copy(update={"body_timeout_seconds": 60})
            async with target.client() as client:
                text = "." * (SIZE - 100)
                for _ in range(2):
                    answer = await client.post("/api/sheets/check", json={"toml": text})
                    assert answer.status_code == 200, answer.text

    run(ask())
