"""A house of several addresses: one is gone, one hangs, one holds other tables; one answers."""

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
from tests.house.web.conftest import PASSWORD, Running

from pitbook.house import client as client_module
from pitbook.house import client as module
from pitbook.house.client import Accepted, Client, ClientError
from pitbook.house.web.rate_limits import TokenBuckets

ELSEWHERE = {"error": 'table "t" is not held by this process; ask again in a moment'}


class Other:
    """An address that always says the same, or nothing at all; and what it was asked."""

    def __init__(self, status: int | None, body: Any = None) -> None:
        self.status, self.body = status, body
        self.asked: list[str] = []
        self.address = ""

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked = (await reader.readuntil(b"\r\n\r\n")).decode()
        self.asked.append(asked)
        if self.status is None:
            await reader.read()
        else:
            text = json.dumps(self.body)
            head = f"HTTP/1.1 {self.status} Said\r\nRetry-After: 0\r\nConnection: close\r\n"
            writer.write(f"{head}Content-Length: {len(text)}\r\n\r\n{text}".encode())
        writer.close()


@asynccontextmanager
async def answering(status: int | None, body: Any = None) -> AsyncIterator[Other]:
    other = Other(status, body)
    server = await asyncio.start_server(other.answer, "127.0.0.1", 0)
    other.address = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    async with server:
        yield other


@asynccontextmanager
async def gone() -> AsyncIterator[str]:
    """An address where nobody listens, nor can begin to."""
    with socket.socket() as kept:
        kept.bind(("127.0.0.1", 0))
        yield f"http://127.0.0.1:{kept.getsockname()[1]}"


def impatient(monkeypatch: pytest.MonkeyPatch, *others: Other) -> None:
    """A client's patience is spent by what is asked, however long that takes."""
    hand = SimpleNamespace(monotonic=lambda: 0.05 * sum(len(one.asked) for one in others))
    monkeypatch.setattr(client_module, "time", hand)


@pytest.mark.long
def test_the_next_address_is_asked_until_one_answers(
    run: Running,  # noqa: F811
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "SILENT_SECONDS", 0.3)

    async def play() -> None:
        async with (
            house_of(tmp_path) as (base, _),
            answering(421, ELSEWHERE) as elsewhere,
            answering(None) as hangs,
            gone() as nobody,
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
            assert hangs.asked
            assert all("pitbook_session=" in one for one in hangs.asked), "the sign-in goes along"

    run(play())


@pytest.mark.long
def test_a_sign_in_is_good_at_every_address_and_so_is_its_end(
    run: Running,  # noqa: F811
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
                    with pytest.raises(ClientError, match="nobody is signed in"):
                        await ann.ask("GET", "/api/me")

    run(play())


def test_the_tables_of_all_addresses(run: Running, tmp_path: Path) -> None:  # noqa: F811
    listed = {"tables": [{"table": "a"}, {"table": "t", "kind": "old"}]}

    async def play() -> None:
        async with (
            house_of(tmp_path) as (base, _),
            answering(200, listed) as other,
            answering(503, {"error": "it stops"}) as stops,
            gone() as nobody,
            Client([base, other.address, stops.address, nobody]) as ann,
        ):
            await ann.sign_in("ann", PASSWORD)
            assert [one["table"] for one in await ann.tables()] == ["a", "t"]

    run(play())


@pytest.mark.long
def test_where_nobody_holds_the_table_it_is_said_in_the_end(
    run: Running,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def play() -> None:
        async with (
            answering(421, ELSEWHERE) as one,
            answering(421, ELSEWHERE) as two,
            Client([one.address, two.address], patience=0.2) as ann,
        ):
            impatient(monkeypatch, one, two)
            with pytest.raises(ClientError, match="is not held by this process") as refused:
                await ann.view("t")
            assert refused.value.status == 421
            with pytest.raises(ClientError, match=r"cannot be reached: .* HTTP 421"):
                await ann.live("t").__aenter__()
            assert len(one.asked) > 2
            assert abs(len(one.asked) - len(two.asked)) <= 2, "all in turn"

    run(play())


@pytest.mark.long
def test_what_has_no_id_is_sent_once_unless_it_surely_did_nothing(
    run: Running,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def play() -> None:
        for status in (429, 503):
            async with (
                answering(status, {"error": "later"}) as one,
                gone() as nobody,
                Client([one.address, nobody], patience=0.2) as ann,
            ):
                impatient(monkeypatch, one)
                with pytest.raises(ClientError, match="later"):
                    await ann.ask("POST", "/api/practice", {"sheet": "x"})
                assert len(one.asked) == 1
                with pytest.raises(ClientError):
                    await ann.ask("POST", "/api/cage/fund", {"amount": "1", "request": "r"})
                assert len(one.asked) > 2
        async with (
            answering(201, {"table": "p"}) as one,
            gone() as nobody,
            Client([nobody, one.address]) as ann,
        ):
            assert await ann.practice("x") == {"table": "p"}

    run(play())


@pytest.mark.long
def test_who_is_too_fast_is_heard_a_moment_later(
    run: Running,  # noqa: F811
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
