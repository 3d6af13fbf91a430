"""Network connections: slow headers, tiny chunks, unread responses, too many per address."""

from __future__ import annotations

import asyncio
import socket as network
import time

import pytest
from tests.house.web.attacked_server import Ends, TargetServer, client_frame, open_target
from tests.house.web.conftest import LoopRunner
from websockets.frames import Frame, Opcode

from pitbook.house.people.accounts import People
from pitbook.house.table.live_tables import LiveTables
from pitbook.house.web import connections
from pitbook.house.web.connections import ConnectionLimiter
from pitbook.house.web.protocols import HEADERS_MAX
from pitbook.house.web.rate_limits import REFUSALS_PER_SECOND

SECONDS = 60  # Until a test gives up.


async def read_until_closed(reader: asyncio.StreamReader) -> bytes:
    """All bytes until the server closes."""
    response = b""
    try:
        while more := await asyncio.wait_for(reader.read(2**16), SECONDS):
            response += more
    except ConnectionError:
        pass
    return response


def one_byte_chunks(target: TargetServer) -> bytes:
    head = target.head("/api/advise", "POST", "Transfer-Encoding: chunked")
    return head + b"1\r\nx\r\n" * 2_000


@pytest.mark.long
@pytest.mark.parametrize(
    "words",
    [
        lambda target: b"",
        lambda target: b"G",
        lambda target: target.head("/api/me")[:-2] + b"X-Slow: ",
        lambda target: target.head("/api/me") + b"GET /api/me",
        lambda target: target.head("/api/advise", "POST", "Content-Length: 100") + b"{",
        lambda target: (
            target.head("/api/advise", "POST", "Transfer-Encoding: chunked") + b"1\r\n{\r\n"
        ),
        lambda target: target.head("/api/advise", "POST", "Content-Length: 1000000") + b"{",
        one_byte_chunks,
    ],
    ids=["silent", "a letter", "headers", "second", "body", "chunks", "refused", "crumbs"],
)
def test_slow_requests_are_dropped(
    run: LoopRunner, house: LiveTables, people: People, words: object
) -> None:
    async def ask() -> None:
        async with open_target(
            house, people, header_timeout_seconds=0.2, body_timeout_seconds=0.2
        ) as target:
            reader, writer = await target.line(words(target))  # type: ignore[operator]
            await read_until_closed(reader)
            writer.close()
            await asyncio.sleep(0)
            target.config.header_seconds = SECONDS  # Later requests are no attack and may be slow.
            assert await target.health() == 200

    run(ask())


def test_body_in_parts_is_read_if_in_time(
    run: LoopRunner, house: LiveTables, people: People
) -> None:
    async def ask() -> bytes:
        async with open_target(house, people) as target:
            head = target.head(
                "/api/sign-in", "POST", "Transfer-Encoding: chunked", "Connection: close"
            )
            reader, writer = await target.line(head + b"1\r\n{\r\n")
            for _ in range(3):
                writer.write(b"1\r\n \r\n")
                await writer.drain()
                await asyncio.sleep(0.01)
            writer.write(b"1\r\n}\r\n0\r\n\r\n")
            response = await read_until_closed(reader)
            writer.close()
            return response

    assert b" 422 " in run(ask())


def test_too_many_headers_are_refused(run: LoopRunner, house: LiveTables, people: People) -> None:
    async def ask(count: int) -> bytes:
        async with open_target(house, people) as target:
            extra_headers = (f"a{number}: b" for number in range(count))
            reader, writer = await target.line(
                target.head("/api/health", "GET", *extra_headers, "Connection: close")
            )
            response = await read_until_closed(reader)
            writer.close()
            return response

    assert b" 200 " in run(ask(HEADERS_MAX - 10))
    assert b" 400 " in run(ask(HEADERS_MAX + 10))
    assert b" 400 " in run(ask(20_000)), "also where they come all at once"


@pytest.mark.long
def test_pipelined_requests_are_answered_within_the_budget(
    run: LoopRunner, house: LiveTables, people: People
) -> None:
    async def ask() -> bytes:
        async with open_target(
            house, people, requests_per_second=0.001, requests_burst=10
        ) as target:
            reader, writer = await target.line(target.head("/api/me") * 500)
            response = await read_until_closed(reader)
            writer.close()
            return response

    begun = time.monotonic()
    response = run(ask())
    assert response.count(b"HTTP/1.1 401 ") == 10
    late = (time.monotonic() - begun) * REFUSALS_PER_SECOND
    assert 20 <= response.count(b"HTTP/1.1 429 ") <= 21 + late, "then the line is closed"


def test_unread_response_ends_the_connection(
    run: LoopRunner, house: LiveTables, people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pitbook.house.web.protocols.UNREAD_S", 0.2)

    async def ask() -> None:
        async with open_target(house, people) as target:
            raw_socket = network.socket()
            raw_socket.setsockopt(network.SOL_SOCKET, network.SO_RCVBUF, 4_096)
            raw_socket.setblocking(False)
            host, port = target.place.split(":")
            await asyncio.get_running_loop().sock_connect(raw_socket, (host, int(port)))
            for _ in range(150):  # 170 kB each.
                raw_socket.send(target.head("/api/openapi.json"))
            async with asyncio.timeout(SECONDS):
                while len(target.config.connections):
                    await asyncio.sleep(0.02)
            raw_socket.close()

    run(ask())


def test_fragmented_message_is_read_whole(
    run: LoopRunner, house: LiveTables, people: People
) -> None:
    async def ask() -> None:
        async with open_target(house, people) as target:
            reader, writer = await target.socket(*await target.guest())
            word = b'{"ping":5}'
            parts = [Frame(Opcode.TEXT, word[:1], False)]
            parts += [Frame(Opcode.CONT, bytes([byte]), False) for byte in word[1:-1]]
            parts += [Frame(Opcode.CONT, word[-1:], True)]
            writer.write(b"".join(part.serialize(mask=True) for part in parts))
            await asyncio.wait_for(reader.readuntil(b'{"pong":5}'), SECONDS)
            writer.transport.abort()

    run(ask())


@pytest.mark.long
def test_closed_socket_is_not_read(run: LoopRunner, house: LiveTables, people: People) -> None:
    async def ask() -> None:
        async with open_target(house, people) as target:
            reader, writer = await target.socket(*await target.guest())
            writer.write(client_frame(b"{") * 20_000)
            await asyncio.wait_for(reader.readuntil(b"Too many invalid frames."), SECONDS)
            assert await target.health() == 200
            writer.transport.abort()

    run(ask())


@pytest.mark.long
def test_slow_connections_make_room_for_others_of_their_address(
    run: LoopRunner, house: LiveTables, people: People
) -> None:
    async def ask() -> None:
        async with open_target(house, people, connections_per_address=10) as target:
            reader, socket = await target.socket(*await target.guest())
            slow = [await target.line(b"GET /") for _ in range(30)]
            for _ in range(12):
                assert await target.health() == 200
            assert len(target.config.connections) <= 11
            socket.write(client_frame({"ping": 3}))
            await asyncio.wait_for(reader.readuntil(b'{"pong":3}'), SECONDS)
            for _, writer in slow:
                writer.transport.abort()
            socket.transport.abort()

    run(ask())


@pytest.mark.parametrize(("proxies", "open_"), [((), 3), (("127.0.0.1",), 8)])
def test_trusted_proxy_has_no_connection_limit(
    run: LoopRunner, house: LiveTables, people: People, proxies: tuple[str, ...], open_: int
) -> None:
    async def ask() -> None:
        async with open_target(house, people, *proxies, connections_per_address=3) as target:
            ends = [await target.line(b"GET /") for _ in range(8)]
            async with asyncio.timeout(SECONDS):
                while len(target.config.connections) != open_:
                    await asyncio.sleep(0.01)
            for _, writer in ends:
                writer.transport.abort()

    run(ask())


@pytest.mark.parametrize(
    ("proxies", "codes"), [((), [401, 401, 429, 429]), (("127.0.0.1",), [401] * 4)]
)
def test_only_a_trusted_proxy_names_the_client(
    run: LoopRunner, house: LiveTables, people: People, proxies: tuple[str, ...], codes: list[int]
) -> None:
    limits = {"requests_per_second": 0.01, "requests_burst": 2, "address_multiplier": 1}

    async def ask() -> None:
        async with (
            open_target(house, people, *proxies, **limits) as target,
            target.client() as client,
        ):
            statuses = []
            for number in (1, 2, 3, 4):
                forwarded_headers = {"X-Forwarded-For": f"10.0.0.{number}"}
                statuses.append(
                    (await client.get("/api/me", headers=forwarded_headers)).status_code
                )
            assert statuses == codes
            if proxies:  # On the same connection, each has its own budget.
                forwarded_headers = {"X-Forwarded-For": "6.6.6.6, 10.0.0.1"}
                again = [
                    (await client.get("/api/me", headers=forwarded_headers)).status_code
                    for _ in range(2)
                ]
                assert again == [401, 429], "whom the proxy names, not whom a stranger names"

    run(ask())


def test_full_server_drops_an_idle_connection() -> None:
    limiter = ConnectionLimiter(100, total=2)
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
    for connection in many:
        limiter.add(connection)  # type: ignore[arg-type]
    assert cut == ["a2", "c1"], "where none waits, the new one"
    for connection in many:
        limiter.remove(connection)  # type: ignore[arg-type]
        limiter.remove(connection)  # type: ignore[arg-type]
    assert len(limiter) == 0


def test_descriptor_limit_is_raised() -> None:
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (256, before[1]))
        raised = connections.raise_descriptors()
        assert raised == resource.getrlimit(resource.RLIMIT_NOFILE)[0] > 256
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)


@pytest.mark.long
def test_closed_connections_are_not_counted(
    run: LoopRunner, house: LiveTables, people: People
) -> None:
    """Every kind of closed connection is uncounted."""

    async def leave() -> None:
        async with open_target(house, people) as target:
            ends: list[Ends] = [await target.line(), await target.socket(*await target.guest())]
            for _, writer in ends:
                writer.transport.abort()
            async with asyncio.timeout(SECONDS):
                while len(target.config.connections):
                    await asyncio.sleep(0.01)

    run(leave())
