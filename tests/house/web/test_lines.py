"""The network's lines: slow headers, bodies in crumbs, deaf ears, too many from one address."""

from __future__ import annotations

import asyncio
import socket as network
import time

import pytest
from tests.house.web.attacked import Attacked, Ends, attacked, frame
from tests.house.web.conftest import Running
from websockets.frames import Frame, Opcode

from pitbook.house.people.accounts import People
from pitbook.house.table.tables import LiveTables
from pitbook.house.web import connections
from pitbook.house.web.connections import ConnectionLimiter
from pitbook.house.web.protocols import HEADERS_MAX
from pitbook.house.web.rate_limits import REFUSALS_PER_SECOND

SECONDS = 60  # Until a test gives up; nothing waits for so long.


async def ended(reader: asyncio.StreamReader) -> bytes:
    """All that was said until the house hung up."""
    said = b""
    try:
        while more := await asyncio.wait_for(reader.read(2**16), SECONDS):
            said += more
    except ConnectionError:
        pass
    return said


def crumbs(it: Attacked) -> bytes:
    head = it.head("/api/advise", "POST", "Transfer-Encoding: chunked")
    return head + b"1\r\nx\r\n" * 2_000


@pytest.mark.long
@pytest.mark.parametrize(
    "words",
    [
        lambda it: b"",
        lambda it: b"G",
        lambda it: it.head("/api/me")[:-2] + b"X-Slow: ",
        lambda it: it.head("/api/me") + b"GET /api/me",
        lambda it: it.head("/api/advise", "POST", "Content-Length: 100") + b"{",
        lambda it: it.head("/api/advise", "POST", "Transfer-Encoding: chunked") + b"1\r\n{\r\n",
        lambda it: it.head("/api/advise", "POST", "Content-Length: 1000000") + b"{",
        crumbs,
    ],
    ids=["silent", "a letter", "headers", "second", "body", "chunks", "refused", "crumbs"],
)
def test_whoever_is_slow_to_ask_is_hung_up_on(
    run: Running, house: LiveTables, people: People, words: object
) -> None:
    async def ask() -> None:
        async with attacked(
            house, people, header_timeout_seconds=0.2, body_timeout_seconds=0.2
        ) as it:
            reader, writer = await it.line(words(it))  # type: ignore[operator]
            await ended(reader)
            writer.close()
            await asyncio.sleep(0)
            it.config.header_seconds = SECONDS  # Who asks now is no attacker, and may be late.
            assert await it.health() == 200

    run(ask())


def test_a_body_that_comes_in_its_time_and_in_parts_is_read(
    run: Running, house: LiveTables, people: People
) -> None:
    async def ask() -> bytes:
        async with attacked(house, people) as it:
            head = it.head(
                "/api/sign-in", "POST", "Transfer-Encoding: chunked", "Connection: close"
            )
            reader, writer = await it.line(head + b"1\r\n{\r\n")
            for _ in range(3):
                writer.write(b"1\r\n \r\n")
                await writer.drain()
                await asyncio.sleep(0.01)
            writer.write(b"1\r\n}\r\n0\r\n\r\n")
            said = await ended(reader)
            writer.close()
            return said

    assert b" 422 " in run(ask())


def test_many_headers_are_not_read(run: Running, house: LiveTables, people: People) -> None:
    async def ask(count: int) -> bytes:
        async with attacked(house, people) as it:
            more = (f"a{number}: b" for number in range(count))
            reader, writer = await it.line(
                it.head("/api/health", "GET", *more, "Connection: close")
            )
            said = await ended(reader)
            writer.close()
            return said

    assert b" 200 " in run(ask(HEADERS_MAX - 10))
    assert b" 400 " in run(ask(HEADERS_MAX + 10))
    assert b" 400 " in run(ask(20_000)), "also where they come all at once"


@pytest.mark.long
def test_requests_one_behind_the_other_are_answered_in_order_and_within_the_budget(
    run: Running, house: LiveTables, people: People
) -> None:
    async def ask() -> bytes:
        async with attacked(house, people, requests_per_second=0.001, requests_burst=10) as it:
            reader, writer = await it.line(it.head("/api/me") * 500)
            said = await ended(reader)
            writer.close()
            return said

    begun = time.monotonic()
    said = run(ask())
    assert said.count(b"HTTP/1.1 401 ") == 10
    late = (time.monotonic() - begun) * REFUSALS_PER_SECOND
    assert 20 <= said.count(b"HTTP/1.1 429 ") <= 21 + late, "then the line is closed"


def test_an_answer_that_nobody_reads_is_not_kept(
    run: Running, house: LiveTables, people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pitbook.house.web.protocols.UNREAD_S", 0.2)

    async def ask() -> None:
        async with attacked(house, people) as it:
            made = network.socket()
            made.setsockopt(network.SOL_SOCKET, network.SO_RCVBUF, 4_096)
            made.setblocking(False)
            host, port = it.place.split(":")
            await asyncio.get_running_loop().sock_connect(made, (host, int(port)))
            for _ in range(150):  # 170 kB each.
                made.send(it.head("/api/openapi.json"))
            async with asyncio.timeout(SECONDS):
                while len(it.config.connections):
                    await asyncio.sleep(0.02)
            made.close()

    run(ask())


def test_a_socket_in_crumbs_is_heard_slowly_and_whole(
    run: Running, house: LiveTables, people: People
) -> None:
    async def ask() -> None:
        async with attacked(house, people) as it:
            reader, writer = await it.socket(*await it.guest())
            word = b'{"ping":5}'
            parts = [Frame(Opcode.TEXT, word[:1], False)]
            parts += [Frame(Opcode.CONT, bytes([one]), False) for one in word[1:-1]]
            parts += [Frame(Opcode.CONT, word[-1:], True)]
            writer.write(b"".join(one.serialize(mask=True) for one in parts))
            await asyncio.wait_for(reader.readuntil(b'{"pong":5}'), SECONDS)
            writer.transport.abort()

    run(ask())


@pytest.mark.long
def test_a_socket_that_was_hung_up_on_is_read_no_more(
    run: Running, house: LiveTables, people: People
) -> None:
    async def ask() -> None:
        async with attacked(house, people) as it:
            reader, writer = await it.socket(*await it.guest())
            writer.write(frame(b"{") * 20_000)
            await asyncio.wait_for(reader.readuntil(b"too many frames that say nothing"), SECONDS)
            assert await it.health() == 200
            writer.transport.abort()

    run(ask())


@pytest.mark.long
def test_slow_lines_make_room_for_others_of_their_address(
    run: Running, house: LiveTables, people: People
) -> None:
    async def ask() -> None:
        async with attacked(house, people, connections_per_address=10) as it:
            reader, socket = await it.socket(*await it.guest())
            slow = [await it.line(b"GET /") for _ in range(30)]
            for _ in range(12):
                assert await it.health() == 200
            assert len(it.config.connections) <= 11
            socket.write(frame({"ping": 3}))
            await asyncio.wait_for(reader.readuntil(b'{"pong":3}'), SECONDS)
            for _, writer in slow:
                writer.transport.abort()
            socket.transport.abort()

    run(ask())


@pytest.mark.parametrize(("proxies", "open_"), [((), 3), (("127.0.0.1",), 8)])
def test_a_trusted_proxy_has_as_many_lines_as_it_likes(
    run: Running, house: LiveTables, people: People, proxies: tuple[str, ...], open_: int
) -> None:
    async def ask() -> None:
        async with attacked(house, people, *proxies, connections_per_address=3) as it:
            ends = [await it.line(b"GET /") for _ in range(8)]
            async with asyncio.timeout(SECONDS):
                while len(it.config.connections) != open_:
                    await asyncio.sleep(0.01)
            for _, writer in ends:
                writer.transport.abort()

    run(ask())


@pytest.mark.parametrize(
    ("proxies", "codes"), [((), [401, 401, 429, 429]), (("127.0.0.1",), [401] * 4)]
)
def test_whose_budget_it_is_says_a_trusted_proxy_and_nobody_else(
    run: Running, house: LiveTables, people: People, proxies: tuple[str, ...], codes: list[int]
) -> None:
    limits = {"requests_per_second": 0.01, "requests_burst": 2, "address_multiplier": 1}

    async def ask() -> None:
        async with attacked(house, people, *proxies, **limits) as it, it.client() as client:
            found = []
            for number in (1, 2, 3, 4):
                said = {"X-Forwarded-For": f"10.0.0.{number}"}
                found.append((await client.get("/api/me", headers=said)).status_code)
            assert found == codes
            if proxies:  # And by the same line each has its own.
                said = {"X-Forwarded-For": "6.6.6.6, 10.0.0.1"}
                again = [(await client.get("/api/me", headers=said)).status_code for _ in range(2)]
                assert again == [401, 429], "whom the proxy names, not whom a stranger names"

    run(ask())


def test_where_all_lines_are_taken_one_goes_that_waits() -> None:
    door = ConnectionLimiter(100, total=2)
    cut: list[str] = []

    class Heard:
        def __init__(self, name: str, waits: bool) -> None:
            self.name, self.waits, self.peer = name, waits, (name[0], 1)
            self.address, self.receiver = name[0], self

        def is_waiting(self) -> bool:
            return self.waits

        def is_closing(self) -> bool:
            return self.name in cut

        def abort(self) -> None:
            cut.append(self.name)

    many = [Heard("a1", False), Heard("a2", True), Heard("b1", False), Heard("c1", False)]
    for one in many:
        door.add(one)  # type: ignore[arg-type]
    assert cut == ["a2", "c1"], "where none waits, the new one"
    for one in many:
        door.remove(one)  # type: ignore[arg-type]
        door.remove(one)  # type: ignore[arg-type]
    assert len(door) == 0


def test_the_house_takes_as_many_descriptors_as_it_is_given() -> None:
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (256, before[1]))
        raised = connections.raise_descriptors()
        assert raised == resource.getrlimit(resource.RLIMIT_NOFILE)[0] > 256
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)


@pytest.mark.long
def test_ends_are_closed(run: Running, house: LiveTables, people: People) -> None:
    """Whoever leaves, by whatever way, is counted no more."""

    async def leave() -> None:
        async with attacked(house, people) as it:
            ends: list[Ends] = [await it.line(), await it.socket(*await it.guest())]
            for _, writer in ends:
                writer.transport.abort()
            async with asyncio.timeout(SECONDS):
                while len(it.config.connections):
                    await asyncio.sleep(0.01)

    run(leave())
