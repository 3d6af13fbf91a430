"""A house under attack from the address of its own guests: honest players must not notice.

`pitbook serve` runs with its default limits. Six players at each of a few house tables and some
guests at practice play at normal pace, all from one address. From the same address ten guests
send 10,000 frames of each kind, each kind on its own socket, as fast as the house takes them,
and a thousand requests send their headers or bodies one byte a second. This is repeated, to show
memory that grows with every flood. Health is requested all the time, each time on a new
connection.

 python -m benchmarks.flood --seconds 60
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import sys
import tempfile
from collections.abc import Awaitable, Callable, Iterable
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import httpx
from benchmarks._house import SHEET, RunningServer, Seats, create_house, run_server
from websockets.frames import Frame, Opcode

from pitbook.house.client import Client, Live

HEALTH_MAX, P99_MAX, GROWTH_MAX = 0.250, 0.500, 1.10
TABLES, SEATS, GUESTS, FLOODERS = 5, 6, 10, 10
FRAMES, SLOW_REQUESTS = 10_000, 1_000
PACE = 2.0  # Seconds between two actions of an honest player.
WAGER = {"do": "put-wager", "seat": 1, "wager": "ante", "amount": "10"}


def _text(document: object) -> bytes:
    return Frame(Opcode.TEXT, json.dumps(document).encode()).serialize(mask=True)


def _commands(command: dict[str, Any], count: int) -> Iterable[bytes]:
    return (_text({"request": f"f{number}", "command": command}) for number in range(count))


def _repeat_frame(frame: bytes) -> Callable[[int], Iterable[bytes]]:
    return lambda count: (frame for _ in range(count))


# Frames that a socket may send; a seat never reads the last ones.
KINDS: dict[str, Callable[[int], Iterable[bytes]]] = {
    "view": _repeat_frame(_text({"view": True})),
    "ping": _repeat_frame(_text({"ping": 1})),
    "pong": _repeat_frame(_text({"pong": 1})),
    "command taken": lambda count: _commands(WAGER, count),
    "command refused": lambda count: _commands({"do": "decide", "seat": 1, "play": "1x"}, count),
    "largest": lambda count: _commands({"do": "x" * 16_000}, count),
    "brackets": _repeat_frame(Frame(Opcode.TEXT, b"[" * 16_000).serialize(mask=True)),
    "no JSON": _repeat_frame(Frame(Opcode.TEXT, b"{").serialize(mask=True)),
    "bytes": _repeat_frame(Frame(Opcode.BINARY, b"x").serialize(mask=True)),
    "socket ping": _repeat_frame(Frame(Opcode.PING, b"").serialize(mask=True)),
    "socket pong": _repeat_frame(Frame(Opcode.PONG, b"").serialize(mask=True)),
}


def main() -> int:
    options = _parse_options()
    if options.flood is not None:
        asyncio.run(_flood(options.flood, options.seconds))
        return 0
    with tempfile.TemporaryDirectory(prefix="pitbook-") as folder:
        return (
            0 if asyncio.run(_measure_attack(Path(folder), options.seconds, options.floods)) else 1
        )


def _parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--seconds", type=float, default=30.0, help="of each flood")
    parser.add_argument("--floods", type=int, default=2)
    parser.add_argument("--flood", metavar="ADDRESS", help=argparse.SUPPRESS)
    return parser.parse_args()


# The honest ------------------------------------------------------------------------------------


class Latencies:
    """Response times in one period."""

    def __init__(self) -> None:
        self.health: list[float] = []
        self.commands: list[float] = []

    def report(self, name: str, memory: float) -> bool:
        """Print the response times; return whether they are within the limits."""
        health, commands = sorted(self.health), sorted(self.commands)
        p99 = commands[int(len(commands) * 0.99)]
        median = statistics.median(commands)
        print(f"{name}: {len(commands)} commands of the honest, {len(health)} looks at health")
        print(
            f"  commands answered within, ms: half {1e3 * median:.1f}, 99% {1e3 * p99:.1f}", end=""
        )
        print(f" (must be {1e3 * P99_MAX:.0f}), all {1e3 * commands[-1]:.1f}")
        print(f"  health within, ms: half {1e3 * statistics.median(health):.1f}", end="")
        print(f", all {1e3 * health[-1]:.1f} (must be {1e3 * HEALTH_MAX:.0f})")
        print(f"  the server holds {memory:.0f} MiB", flush=True)
        return health[-1] < HEALTH_MAX and p99 < P99_MAX


async def _measure_attack(folder: Path, seconds: float, floods: int) -> bool:
    seats = await create_house(folder, tables=TABLES, seats=SEATS)
    async with (
        run_server(folder, {"PITBOOK_LOG_LEVEL": "error"}) as server,
        AsyncExitStack() as stack,
    ):
        players = [
            await stack.enter_async_context(_seat(server, seats, *seat_place))
            for seat_place in _seat_places(seats)
        ]
        players += [await stack.enter_async_context(_guest(server)) for _ in range(GUESTS)]
        baseline, memory = await _measure_stretch(server, players, seconds / 3, None)
        passed = baseline.report("in quiet", memory)
        memories = []
        for number in range(1, floods + 1):
            latencies, memory_after = await _measure_stretch(
                server, players, seconds, server.address
            )
            passed = latencies.report(f"flood {number}", memory_after) and passed
            memories.append(memory_after)
    growth = memories[-1] / memories[max(0, len(memories) - 2)]
    print(f"  memory grew by {100 * (growth - 1):.1f}% in the last flood")
    return passed and growth <= GROWTH_MAX


def _seat_places(seats: Seats) -> list[tuple[str, int, str]]:
    return [
        (table, number, player)
        for table, names in seats.tables.items()
        for number, player in enumerate(names, 1)
    ]


class HonestPlayer(NamedTuple):
    """A player's connection at a seat."""

    live: Live
    seat: int


class _PlayerConnection:
    """An honest player's connection, as a context manager."""

    def __init__(
        self, server: RunningServer, cookies: dict[str, str], table: str | None, seat: int
    ):
        self._server, self._cookies, self._table, self._seat = server, cookies, table, seat
        self._stack = AsyncExitStack()

    async def __aenter__(self) -> HonestPlayer:
        http = httpx.AsyncClient(cookies=self._cookies, verify=False, trust_env=False)
        client = await self._stack.enter_async_context(Client(self._server.address, http=http))
        if self._table is None:
            response = await http.post(
                f"{self._server.address}/api/practice", json={"sheet": SHEET}
            )
            self._table = str(response.raise_for_status().json()["table"])
        live = await self._stack.enter_async_context(client.live(self._table))
        reader = asyncio.create_task(_read_events(live))
        self._stack.callback(reader.cancel)
        return HonestPlayer(live, self._seat)

    async def __aexit__(self, *_: object) -> None:
        await self._stack.aclose()


def _seat(
    server: RunningServer, seats: Seats, table: str, number: int, player: str
) -> _PlayerConnection:
    return _PlayerConnection(server, {seats.cookie: seats.tokens[player]}, table, number)


def _guest(server: RunningServer) -> _PlayerConnection:
    return _PlayerConnection(server, {}, None, 1)


async def _read_events(live: Live) -> None:
    async for _ in live.events():
        pass


async def _measure_stretch(
    server: RunningServer, players: list[HonestPlayer], seconds: float, flood_address: str | None
) -> tuple[Latencies, float]:
    """Honest play for some seconds, with or without a flood."""
    latencies, deadline = Latencies(), perf_counter() + seconds
    tasks: list[Awaitable[object]] = [_ask(server.address, deadline, latencies.health)]
    for number, player in enumerate(players):
        first = perf_counter() + PACE * number / len(players)
        tasks.append(_play(player, first, deadline, latencies.commands))
    if flood_address is not None:
        tasks.append(_run_flood_process(flood_address, seconds))
    await asyncio.gather(*tasks)
    await asyncio.sleep(2)
    return latencies, server.mebibytes()


async def _play(player: HonestPlayer, first: float, deadline: float, waits: list[float]) -> None:
    """Send a wager or decision whenever one is due; any answer counts."""
    due_at, turn = first, 0
    plays: tuple[dict[str, Any], ...] = (
        {"do": "put-wager", "wager": "ante", "amount": "10"},
        {"do": "decide", "play": "1x"},
        {"do": "decide", "play": "fold"},
    )
    while due_at < deadline:
        await asyncio.sleep(max(0.0, due_at - perf_counter()))
        await player.live.send({**plays[turn % len(plays)], "seat": player.seat})
        waits.append(perf_counter() - due_at)
        due_at, turn = due_at + PACE, turn + 1


async def _ask(address: str, deadline: float, waits: list[float]) -> None:
    while perf_counter() < deadline:
        start = perf_counter()
        async with httpx.AsyncClient(verify=False, trust_env=False, timeout=60) as http:
            (await http.get(f"{address}/api/health")).raise_for_status()
        waits.append(perf_counter() - start)
        await asyncio.sleep(0.1)


async def _run_flood_process(address: str, seconds: float) -> None:
    """Run the flood in a separate process, so that its work does not delay the honest players."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "benchmarks.flood"),
        *("--flood", address, "--seconds", str(seconds)),
    )
    await process.wait()


# The flood -------------------------------------------------------------------------------------


async def _flood(address: str, seconds: float) -> None:
    deadline = perf_counter() + seconds
    guests = [await _sign_in_guest(address) for _ in range(FLOODERS)]
    sockets = [
        _send_frames(address, *guest_session, kind, deadline)
        for guest_session in guests
        for kind in KINDS
    ]
    slow = [_send_slow_request(address, number, deadline) for number in range(SLOW_REQUESTS)]
    sent = await asyncio.gather(*sockets, *slow)
    frames_taken = dict.fromkeys(KINDS, 0)
    for number, count in enumerate(sent[: len(sockets)]):
        frames_taken[list(KINDS)[number % len(KINDS)]] += count
    summary = ", ".join(f"{count:,} {kind}" for kind, count in frames_taken.items())
    cut_off = sum(sent[len(sockets) :])
    print(f"  the network took of {FLOODERS} x {FRAMES:,} frames of each kind: {summary}")
    print(f"  of {SLOW_REQUESTS:,} slow requests {cut_off:,} were cut off", flush=True)


async def _sign_in_guest(address: str) -> tuple[str, str]:
    async with httpx.AsyncClient(verify=False, trust_env=False, timeout=60) as http:
        response = await http.post(f"{address}/api/practice", json={"sheet": SHEET})
        table = response.raise_for_status().json()["table"]
        return "; ".join(f"{name}={value}" for name, value in http.cookies.items()), str(table)


async def _send_frames(address: str, cookie: str, table: str, kind: str, deadline: float) -> int:
    """Send all frames of a kind, one socket after the other; return how many were taken."""
    remaining = FRAMES
    while remaining > 0 and perf_counter() < deadline:
        with suppress(OSError, asyncio.IncompleteReadError, TimeoutError):
            reader, writer = await _open_websocket(address, cookie, table)
            reading = asyncio.create_task(_read(reader))
            try:
                async with asyncio.timeout(max(0.1, deadline - perf_counter())):
                    for frame in KINDS[kind](remaining):
                        writer.write(frame)
                        await writer.drain()
                        remaining -= 1
                    await reading
            finally:
                reading.cancel()
                writer.transport.abort()
        await asyncio.sleep(0.5)
    return FRAMES - remaining


async def _open_websocket(
    address: str, cookie: str, table: str
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    url = urlsplit(address)
    reader, writer = await asyncio.open_connection(url.hostname, url.port)
    request = (
        f"GET /api/tables/{table}/socket HTTP/1.1\r\nHost: {url.netloc}\r\nCookie: {cookie}\r\n"
        "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    )
    writer.write(request.encode())
    await reader.readuntil(b"\r\n\r\n")
    return reader, writer


async def _read(reader: asyncio.StreamReader) -> None:
    with suppress(OSError):
        while await reader.read(2**16):
            pass


async def _send_slow_request(address: str, number: int, deadline: float) -> int:
    """Send a request one byte a second; return whether it was cut off."""
    url = urlsplit(address)
    post = f"POST /api/advise HTTP/1.1\r\nHost: {url.netloc}\r\n"
    head, byte = (
        (f"GET /api/me HTTP/1.1\r\nHost: {url.netloc}\r\nX-Slow: ", b"x"),
        (f"{post}Content-Length: 100000\r\n\r\n", b"x"),
        (f"{post}Transfer-Encoding: chunked\r\n\r\n", b"1\r\nx\r\n"),
        ("", b""),
    )[number % 4]
    with suppress(OSError):
        reader, writer = await asyncio.open_connection(url.hostname, url.port)
        reading = asyncio.create_task(_read(reader))
        try:
            writer.write(head.encode())
            while perf_counter() < deadline and not reading.done():
                await asyncio.sleep(1)
                writer.write(byte)
                await writer.drain()
        finally:
            cut_off = reading.done()
            reading.cancel()
            writer.transport.abort()
        return int(cut_off)
    return 1


if __name__ == "__main__":
    sys.exit(main())
