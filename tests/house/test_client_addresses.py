"""A client with several addresses: one is down, one hangs, one holds other tables, one answers."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from tests.house.test_client import ANTE, house_of, run  # noqa: F401  One loop for a test.
from tests.house.web.conftest import PASSWORD, LoopRunner

from pitbook.house import client as client_module
from pitbook.house import client as module
from pitbook.house.client import Accepted, Client, ClientError
from pitbook.house.web.rate_limits import TokenBuckets

ELSEWHERE = {"error": 'Table "t" is on another server. Try again in a moment.'}


class FakeAddress:
    """An address that always answers the same or not at all, and records requests."""

    def __init__(self, status: int | None, body: Any = None) -> None:
        self.status, self.body = status, body
        self.requests: list[str] = []
        self.address = ""

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        request_head = (await reader.readuntil(b"\r\n\r\n")).decode()
        self.requests.append(request_head)
        if self.status is None:
            await reader.read()
        else:
            text = json.dumps(self.body)
            head = f"HTTP/1.1 {self.status} Said\r\nRetry-After: 0\r\nConnection: close\r\n"
            writer.write(f"{head}Content-Length: {len(text)}\r\n\r\n{text}".encode())
        writer.close()


@asynccontextmanager
async def fake_address(status: int | None, body: Any = None) -> AsyncIterator[FakeAddress]:
    other = FakeAddress(status, body)
    server = await asyncio.start_server(other.answer, "127.0.0.1", 0)
    other.address = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    async with server:
        yield other


@asynccontextmanager
async def dead_address() -> AsyncIterator[str]:
    """An address where nothing listens."""
    with socket.socket() as bound_socket:
        bound_socket.bind(("127.0.0.1", 0))
        yield f"http://127.0.0.1:{bound_socket.getsockname()[1]}"


def fake_clock_by_requests(monkeypatch: pytest.MonkeyPatch, *others: FakeAddress) -> None:
    """A clock that advances with each request, so that patience does not depend on the machine."""
    fake_time = SimpleNamespace(
        monotonic=lambda: 0.05 * sum(len(other.requests) for other in others)
    )
    monkeypatch.setattr(client_module, "time", fake_time)


@pytest.mark.long
def test_client_tries_addresses_until_one_answers(
    run: LoopRunner,  # noqa: F811
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "SILENT_SECONDS", 0.3)

    async def play() -> None:
        async with (
            house_of(tmp_path) as (base, _),
            fake_address(421, ELSEWHERE) as elsewhere,
            fake_address(None) as hangs,
            dead_address() as nobody,
            Client([nobody, elsewhere.address, f"{base}/"]) as ann,
        ):
            assert (await ann.sign_in("ann", PASSWORD))["role"] == "player"
            assert ann.base == base
            others = [nobody, hangs.address, elsewhere.address, base]
            async with Client(others) as again:
                again.http.cookies.update(ann.http.cookies)
                async with again.live("t") as table:
                    assert isinstance(await table.send({"do": "sit", "seat": 1}), Accepted)
                    await table.lose()
                    assert isinstance(await table.send(ANTE), Accepted)
                    assert table.connections == 2
                again.place = 1
                assert isinstance(await again.send("t", {"do": "undo", "seat": 1}), Accepted)
            assert hangs.requests
            assert all("pitbook_session=" in request_head for request_head in hangs.requests), (
                "the sign-in goes along"
            )

    run(play())


@pytest.mark.long
def test_session_is_valid_at_every_address(
    run: LoopRunner,  # noqa: F811
    tmp_path: Path,
) -> None:
    async def play() -> None:
        async with house_of(tmp_path) as (base, _):
            named = base.replace("127.0.0.1", "localhost")
            async with Client([base, named]) as ann:
                await ann.sign_in("ann", PASSWORD)
                for place in (0, 1):
                    ann.place = place
                    assert (await ann.ask("GET", "/api/me"))["name"] == "ann"
                await ann.ask("POST", "/api/sign-out")
                for place in (0, 1):
                    ann.place = place
                    with pytest.raises(
                        ClientError, match="Sign in first, or open a practice table as a guest"
                    ):
                        await ann.ask("GET", "/api/me")

    run(play())


def test_tables_of_all_addresses_are_listed(run: LoopRunner, tmp_path: Path) -> None:  # noqa: F811
    listed = {"tables": [{"table": "a"}, {"table": "t", "kind": "old"}]}

    async def play() -> None:
        async with (
            house_of(tmp_path) as (base, _),
            fake_address(200, listed) as other,
            fake_address(503, {"error": "it stops"}) as stops,
            dead_address() as nobody,
            Client([base, other.address, stops.address, nobody]) as ann,
        ):
            await ann.sign_in("ann", PASSWORD)
            assert [table["table"] for table in await ann.tables()] == ["a", "t"]

    run(play())


@pytest.mark.long
def test_table_held_nowhere_is_reported(
    run: LoopRunner,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def play() -> None:
        async with (
            fake_address(421, ELSEWHERE) as first,
            fake_address(421, ELSEWHERE) as second,
            Client([first.address, second.address], patience=0.2) as ann,
        ):
            fake_clock_by_requests(monkeypatch, first, second)
            with pytest.raises(ClientError, match="Try again in a moment") as refused:
                await ann.view("t")
            assert refused.value.status == 421
            with pytest.raises(ClientError, match=r"cannot be reached: .* HTTP 421"):
                await ann.live("t").__aenter__()
            assert len(first.requests) > 2
            assert abs(len(first.requests) - len(second.requests)) <= 2, "all in turn"

    run(play())


@pytest.mark.long
def test_request_without_an_id_is_sent_once(
    run: LoopRunner,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def play() -> None:
        for status in (429, 503):
            async with (
                fake_address(status, {"error": "later"}) as other,
                dead_address() as nobody,
                Client([other.address, nobody], patience=0.2) as ann,
            ):
                fake_clock_by_requests(monkeypatch, other)
                with pytest.raises(ClientError, match="later"):
                    await ann.ask("POST", "/api/practice", {"sheet": "x"})
                assert len(other.requests) == 1
                with pytest.raises(ClientError):
                    await ann.ask("POST", "/api/cage/fund", {"amount": "1", "request": "r"})
                assert len(other.requests) > 2
        async with (
            fake_address(201, {"table": "p"}) as other,
            dead_address() as nobody,
            Client([nobody, other.address]) as ann,
        ):
            assert await ann.practice("x") == {"table": "p"}

    run(play())


@pytest.mark.long
def test_rate_limited_command_is_sent_again(
    run: LoopRunner,  # noqa: F811
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    waits = [0.05, 0.05]
    monkeypatch.setattr(
        TokenBuckets, "take", lambda _, key: waits.pop() if waits and "@table/t" in key else 0.0
    )

    async def play() -> None:
        async with house_of(tmp_path) as (base, _), Client(base) as ann:
            await ann.sign_in("ann", PASSWORD)
            async with ann.live("t") as table:
                first = asyncio.ensure_future(table.send({"do": "sit", "seat": 1}, "one"))
                again = await table.send({"do": "sit", "seat": 1}, "one")
                assert isinstance(again, Accepted)
                assert await first == again
            assert waits == []

    run(play())
