"""A house under attack from the address of its own guests: who plays honestly must not notice.

`pitbook serve` with its limits as they are shipped. Six players at each of a few tables of the
house and some guests at practice play at their pace, all from one address. From the same address
ten guests send 10,000 frames of each kind, each on a socket of its own, as fast as the house takes
them; a thousand requests are begun whose headers or bodies come a byte a second. That comes
several times, so that memory which grows with every flood shows. Health is asked for all the time,
each time on a new line.

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
from benchmarks._house import SHEET, Seats, Served, house_of, served
from websockets.frames import Frame, Opcode

from pitbook.house.client import Client, Live

HEALTH_MAX, P99_MAX, GROWTH_MAX = 0.250, 0.500, 1.10
TABLES, SEATS, GUESTS, FLOODERS = 5, 6, 10, 10
FRAMES, SLOW = 10_000, 1_000
PACE = 2.0  # Seconds between two actions of an honest player.
WAGER = {"do": "put-wager", "seat": 1, "wager": "ante", "amount": "10"}


def _text(document: object) -> bytes:
    return Frame(Opcode.TEXT, json.dumps(document).encode()).serialize(mask=True)


def _commands(command: dict[str, Any], count: int) -> Iterable[bytes]:
    return (_text({"request": f"f{number}", "command": command}) for number in range(count))


def _same(frame: bytes) -> Callable[[int], Iterable[bytes]]:
    return lambda count: (frame for _ in range(count))


# Whatever may come over a socket; the last ones are never read by a seat.
KINDS: dict[str, Callable[[int], Iterable[bytes]]] = {
    "view": _same(_text({"view": True})),
    "ping": _same(_text({"ping": 1})),
    "pong": _same(_text({"pong": 1})),
    "command taken": lambda count: _commands(WAGER, count),
    "command refused": lambda count: _commands({"do": "decide", "seat": 1, "play": "1x"}, count),
    "largest": lambda count: _commands({"do": "x" * 16_000}, count),
    "brackets": _same(Frame(Opcode.TEXT, b"[" * 16_000).serialize(mask=True)),
    "no JSON": _same(Frame(Opcode.TEXT, b"{").serialize(mask=True)),
    "bytes": _same(Frame(Opcode.BINARY, b"x").serialize(mask=True)),
    "socket ping": _same(Frame(Opcode.PING, b"").serialize(mask=True)),
    "socket pong": _same(Frame(Opcode.PONG, b"").serialize(mask=True)),
}


def main() -> int:
    asked = _asked()
    if asked.flood is not None:
        asyncio.run(_flood(asked.flood, asked.seconds))
        return 0
    with tempfile.TemporaryDirectory(prefix="pitbook-") as folder:
        return 0 if asyncio.run(_attacked(Path(folder), asked.seconds, asked.floods)) else 1


def _asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--seconds", type=float, default=30.0, help="of each flood")
    parser.add_argument("--floods", type=int, default=2)
    parser.add_argument("--flood", metavar="ADDRESS", help=argparse.SUPPRESS)
    return parser.parse_args()


# The honest ------------------------------------------------------------------------------------


class Measured:
    """How long answers took, of one stretch of time."""

    def __init__(self) -> None:
        self.health: list[float] = []
        self.played: list[float] = []

    def told(self, name: str, held: float) -> bool:
        """Say it; whether it is as it must be."""
        health, played = sorted(self.health), sorted(self.played)
        p99 = played[int(len(played) * 0.99)]
        half = statistics.median(played)
        print(f"{name}: {len(played)} commands of the honest, {len(health)} looks at health")
        print(f"  commands answered within, ms: half {1e3 * half:.1f}, 99% {1e3 * p99:.1f}", end="")
        print(f" (must be {1e3 * P99_MAX:.0f}), all {1e3 * played[-1]:.1f}")
        print(f"  health within, ms: half {1e3 * statistics.median(health):.1f}", end="")
        print(f", all {1e3 * health[-1]:.1f} (must be {1e3 * HEALTH_MAX:.0f})")
        print(f"  the server holds {held:.0f} MiB", flush=True)
        return health[-1] < HEALTH_MAX and p99 < P99_MAX


async def _attacked(folder: Path, seconds: float, floods: int) -> bool:
    seats = await house_of(folder, tables=TABLES, seats=SEATS)
    async with served(folder, {"PITBOOK_LOG_LEVEL": "error"}) as server, AsyncExitStack() as stack:
        lines = [await stack.enter_async_context(_seat(server, seats, *one)) for one in _at(seats)]
        lines += [await stack.enter_async_context(_guest(server)) for _ in range(GUESTS)]
        quiet, held_before = await _stretch(server, lines, seconds / 3, None)
        fine = quiet.told("in quiet", held_before)
        held = []
        for number in range(1, floods + 1):
            measured, after = await _stretch(server, lines, seconds, server.address)
            fine = measured.told(f"flood {number}", after) and fine
            held.append(after)
    growth = held[-1] / held[max(0, len(held) - 2)]
    print(f"  memory grew by {100 * (growth - 1):.1f}% in the last flood")
    return fine and growth <= GROWTH_MAX


def _at(seats: Seats) -> list[tuple[str, int, str]]:
    return [
        (table, number, who)
        for table, names in seats.tables.items()
        for number, who in enumerate(names, 1)
    ]


class Honest(NamedTuple):
    """A line at a seat."""

    live: Live
    seat: int


class _Line:
    """Somebody honest, for as long as a block lasts."""

    def __init__(self, server: Served, cookies: dict[str, str], table: str | None, seat: int):
        self._server, self._cookies, self._table, self._seat = server, cookies, table, seat
        self._stack = AsyncExitStack()

    async def __aenter__(self) -> Honest:
        http = httpx.AsyncClient(cookies=self._cookies, verify=False, trust_env=False)
        client = await self._stack.enter_async_context(Client(self._server.address, http=http))
        if self._table is None:
            answer = await http.post(f"{self._server.address}/api/practice", json={"sheet": SHEET})
            self._table = str(answer.raise_for_status().json()["table"])
        live = await self._stack.enter_async_context(client.live(self._table))
        heard = asyncio.create_task(_hear(live))
        self._stack.callback(heard.cancel)
        return Honest(live, self._seat)

    async def __aexit__(self, *_: object) -> None:
        await self._stack.aclose()


def _seat(server: Served, seats: Seats, table: str, number: int, who: str) -> _Line:
    return _Line(server, {seats.cookie: seats.tokens[who]}, table, number)


def _guest(server: Served) -> _Line:
    return _Line(server, {}, None, 1)


async def _hear(live: Live) -> None:
    async for _ in live.events():
        pass


async def _stretch(
    server: Served, lines: list[Honest], seconds: float, attacked: str | None
) -> tuple[Measured, float]:
    """So many seconds of honest play, with or without a flood."""
    measured, until = Measured(), perf_counter() + seconds
    doing: list[Awaitable[object]] = [_ask(server.address, until, measured.health)]
    for number, one in enumerate(lines):
        first = perf_counter() + PACE * number / len(lines)
        doing.append(_play(one, first, until, measured.played))
    if attacked is not None:
        doing.append(_flooding(attacked, seconds))
    await asyncio.gather(*doing)
    await asyncio.sleep(2)
    return measured, server.mebibytes()


async def _play(one: Honest, first: float, until: float, waits: list[float]) -> None:
    """Whatever comes of it, an answer is due: a wager, or a decision, or why not."""
    due, turn = first, 0
    plays: tuple[dict[str, Any], ...] = (
        {"do": "put-wager", "wager": "ante", "amount": "10"},
        {"do": "decide", "play": "1x"},
        {"do": "decide", "play": "fold"},
    )
    while due < until:
        await asyncio.sleep(max(0.0, due - perf_counter()))
        await one.live.send({**plays[turn % len(plays)], "seat": one.seat})
        waits.append(perf_counter() - due)
        due, turn = due + PACE, turn + 1


async def _ask(address: str, until: float, waits: list[float]) -> None:
    while perf_counter() < until:
        began = perf_counter()
        async with httpx.AsyncClient(verify=False, trust_env=False, timeout=60) as http:
            (await http.get(f"{address}/api/health")).raise_for_status()
        waits.append(perf_counter() - began)
        await asyncio.sleep(0.1)


async def _flooding(address: str, seconds: float) -> None:
    """The flood comes from a process of its own: its work is not the honest players' wait."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "benchmarks.flood"),
        *("--flood", address, "--seconds", str(seconds)),
    )
    await process.wait()


# The flood -------------------------------------------------------------------------------------


async def _flood(address: str, seconds: float) -> None:
    until = perf_counter() + seconds
    guests = [await _let_in(address) for _ in range(FLOODERS)]
    sockets = [_frames(address, *one, kind, until) for one in guests for kind in KINDS]
    slow = [_slow(address, number, until) for number in range(SLOW)]
    sent = await asyncio.gather(*sockets, *slow)
    taken = dict.fromkeys(KINDS, 0)
    for number, count in enumerate(sent[: len(sockets)]):
        taken[list(KINDS)[number % len(KINDS)]] += count
    told = ", ".join(f"{count:,} {kind}" for kind, count in taken.items())
    cut = sum(sent[len(sockets) :])
    print(f"  the network took of {FLOODERS} x {FRAMES:,} frames of each kind: {told}")
    print(f"  of {SLOW:,} slow requests {cut:,} were cut off", flush=True)


async def _let_in(address: str) -> tuple[str, str]:
    async with httpx.AsyncClient(verify=False, trust_env=False, timeout=60) as http:
        answer = await http.post(f"{address}/api/practice", json={"sheet": SHEET})
        table = answer.raise_for_status().json()["table"]
        return "; ".join(f"{name}={value}" for name, value in http.cookies.items()), str(table)


async def _frames(address: str, cookie: str, table: str, kind: str, until: float) -> int:
    """All frames of a kind into one socket after the other; how many the network took."""
    left = FRAMES
    while left > 0 and perf_counter() < until:
        with suppress(OSError, asyncio.IncompleteReadError, TimeoutError):
            reader, writer = await _upgraded(address, cookie, table)
            reading = asyncio.create_task(_read(reader))
            try:
                async with asyncio.timeout(max(0.1, until - perf_counter())):
                    for frame in KINDS[kind](left):
                        writer.write(frame)
                        await writer.drain()
                        left -= 1
                    await reading
            finally:
                reading.cancel()
                writer.transport.abort()
        await asyncio.sleep(0.5)
    return FRAMES - left


async def _upgraded(
    address: str, cookie: str, table: str
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    place = urlsplit(address)
    reader, writer = await asyncio.open_connection(place.hostname, place.port)
    asked = (
        f"GET /api/tables/{table}/socket HTTP/1.1\r\nHost: {place.netloc}\r\nCookie: {cookie}\r\n"
        "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    )
    writer.write(asked.encode())
    await reader.readuntil(b"\r\n\r\n")
    return reader, writer


async def _read(reader: asyncio.StreamReader) -> None:
    with suppress(OSError):
        while await reader.read(2**16):
            pass


async def _slow(address: str, number: int, until: float) -> int:
    """A request that comes a byte a second; whether it was cut off."""
    place = urlsplit(address)
    post = f"POST /api/advise HTTP/1.1\r\nHost: {place.netloc}\r\n"
    begun, byte = (
        (f"GET /api/me HTTP/1.1\r\nHost: {place.netloc}\r\nX-Slow: ", b"x"),
        (f"{post}Content-Length: 100000\r\n\r\n", b"x"),
        (f"{post}Transfer-Encoding: chunked\r\n\r\n", b"1\r\nx\r\n"),
        ("", b""),
    )[number % 4]
    with suppress(OSError):
        reader, writer = await asyncio.open_connection(place.hostname, place.port)
        reading = asyncio.create_task(_read(reader))
        try:
            writer.write(begun.encode())
            while perf_counter() < until and not reading.done():
                await asyncio.sleep(1)
                writer.write(byte)
                await writer.drain()
        finally:
            cut = reading.done()
            reading.cancel()
            writer.transport.abort()
        return int(cut)
    return 1


if __name__ == "__main__":
    sys.exit(main())
