"""Bodies that stall: they keep nobody of their address from sending one."""

from __future__ import annotations

import asyncio

import pytest
from tests.house.web.attacked import STUD, Attacked, Ends, attacked
from tests.house.web.conftest import Running

from pitbook.house.people.accounts import People
from pitbook.house.table.tables import LiveTables
from pitbook.house.web.sheets_api import FILE

SIZE = 10_000
MANY = 60  # More than an address may have under way.


async def stalled(it: Attacked, count: int) -> list[Ends]:
    """Bodies of nearly the largest size, of which nothing more comes."""
    head = it.head("/api/practice", "POST", "Transfer-Encoding: chunked")
    said = head + f"{SIZE:x}\r\n".encode() + b" " * SIZE
    return [await it.line(said) for _ in range(count)]


@pytest.mark.long
@pytest.mark.parametrize("size", [10, 6_000])
def test_bodies_that_stall_give_way_to_those_that_come(
    run: Running, house: LiveTables, people: People, size: int
) -> None:
    """Fifty-six lines kept guests and strangers of an address from signing in or practising."""

    async def ask() -> None:
        async with attacked(house, people, body_bytes_max=SIZE, body_timeout_seconds=60) as it:
            ends = await stalled(it, MANY)
            await asyncio.sleep(0.3)
            async with it.client() as client:
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
def test_what_was_counted_is_given_back(run: Running, house: LiveTables, people: People) -> None:
    async def ask() -> None:
        async with attacked(house, people, body_bytes_max=SIZE, body_timeout_seconds=0.1) as it:
            for _ in range(3):
                ends = await stalled(it, MANY)
                for reader, writer in ends:
                    try:
                        said = await asyncio.wait_for(reader.read(100), 60)
                    except ConnectionError:
                        said = b""
                    assert said[9:12] in (b"", b"408"), said
                    writer.transport.abort()
            limiter = it.app.state.server.limiter  # Who comes now is no attacker, and may be late.
            limiter.limits = limiter.limits.model_copy(update={"body_timeout_seconds": 60})
            async with it.client() as client:
                text = "." * (SIZE - 100)
                for _ in range(2):
                    answer = await client.post("/api/sheets/check", json={"toml": text})
                    assert answer.status_code == 200, answer.text

    run(ask())
