"""A house under load: how soon a command is answered, how many fit into a second, what it holds.

The house is `pitbook serve` on a folder of its own, as anybody would start it; the players are
`pitbook.house.client`, in this process. First every table has six sockets and a spectator, and each
socket acts every two seconds. A command counts from the moment when it was due, not from when a
late driver sent it, until its answer is there: on record, or refused. Then a hundred sockets act as
fast as they are answered, in turn with a peer: a bare FastAPI socket that puts one row into SQLite,
as durable, and says so.

    python -m benchmarks.table_load --minutes 10     memory too
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import statistics
import sys
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import httpx
from benchmarks._bare import Rate, bare, rate
from benchmarks._house import Seats, Served, house_of, served
from websockets.asyncio.client import ClientConnection, connect

from pitbook.house.client import Accepted, Client, Live, Refused

SEATS = 6
PACE = 2.0  # Seconds between two actions of one socket.
ROUND_SECONDS = 9.0  # Betting, then three decisions of each seat.
P99_MAX = 0.250
RATIO_MIN = 0.5
GROWTH_MAX = 1.10  # Of what the server held after a fifth of the time.
FLAT_OUT, TURNS, TURN_SECONDS = 100, 5, 5.0
STAKES = ("10", "15")
ANSWER = '"answer":{'
ROUND: tuple[dict[str, Any], ...] = (
    {"do": "put-wager", "seat": 1, "wager": "ante", "amount": "10"},
    {"do": "close-betting"},
    *({"do": "decide", "seat": 1, "play": "1x"} for _ in range(3)),
)


def main() -> int:
    asked = _asked()
    with tempfile.TemporaryDirectory(prefix="pitbook-") as folder:
        paced = asyncio.run(_paced(Path(folder), asked.tables, 60 * asked.minutes))
    with tempfile.TemporaryDirectory(prefix="pitbook-") as folder:
        ratio = asyncio.run(_flat_out(Path(folder)))
    return 0 if paced and ratio >= RATIO_MIN else 1


def _asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--minutes", type=float, default=1.0)
    return parser.parse_args()


# At their pace ---------------------------------------------------------------------------------


async def _paced(folder: Path, tables: int, seconds: float) -> bool:
    seats = await house_of(folder, tables=tables, seats=SEATS)
    async with served(folder) as server, AsyncExitStack() as stack:
        played = [await _sat_down(stack, server, seats, table) for table in seats.tables]
        watching = [asyncio.create_task(_watch(server, seats, one.table)) for one in played]
        gc.collect()
        gc.freeze()  # The driver's pauses are not the server's.
        began = perf_counter()
        counts = began + ROUND_SECONDS
        play = [one.play(first, counts, counts + seconds) for one, first in _in_turn(played, began)]
        playing = asyncio.gather(*play)
        await asyncio.sleep(ROUND_SECONDS)
        cpu, own = server.cpu_seconds(), process_time()
        held = asyncio.create_task(_held(server, seconds))
        await playing
        cpu, own = server.cpu_seconds() - cpu, process_time() - own
        memory = await held
        for task in watching:
            task.cancel()
        await asyncio.gather(*watching, return_exceptions=True)
    return _told(played, seconds, (cpu, own), memory)


def _in_turn(played: list[Play], began: float) -> Iterator[tuple[Play, float]]:
    """Tables begin one after the other, over the time of one round, as in a house."""
    for number, one in enumerate(played):
        yield one, began + ROUND_SECONDS * number / len(played)


def _told(
    played: list[Play], seconds: float, cpu: tuple[float, float], memory: list[float]
) -> bool:
    waits = sorted(wait for one in played for wait in one.waits)
    answered = sum(one.accepted for one in played)
    p50, p99 = (waits[int(len(waits) * share)] for share in (0.5, 0.99))
    early, late = memory[len(memory) // 5], memory[-1]
    print(f"{len(played)} tables of {SEATS} sockets and a spectator, {seconds:.0f} s")
    print(f"  answers a second: {len(waits) / seconds:.0f}, on record {answered / seconds:.0f}")
    print(
        f"  answered within, ms: half {1e3 * p50:.1f}, 99% {1e3 * p99:.1f}"
        f" (must be {1e3 * P99_MAX:.0f}), all {1e3 * waits[-1]:.1f}"
    )
    server, driver = (each / seconds for each in cpu)
    print(f"  the server took {server:.2f} of a core, whoever drove it {driver:.2f}")
    print(f"  it held {early:.0f} MiB after a fifth of the time and {late:.0f} in the end")
    return p99 <= P99_MAX and late <= GROWTH_MAX * early


@asynccontextmanager
async def _line(server: Served, seats: Seats, player: str, table: str) -> AsyncIterator[Live]:
    http = _jar(seats, player)
    async with Client(server.address, http=http) as client, client.live(table) as live:
        yield live


def _jar(seats: Seats, player: str) -> httpx.AsyncClient:
    """A browser of one's own; without TLS, whose certificates take long to read."""
    cookies = {seats.cookie: seats.tokens[player]}
    return httpx.AsyncClient(cookies=cookies, verify=False, trust_env=False)


async def _sat_down(stack: AsyncExitStack, server: Served, seats: Seats, table: str) -> Play:
    names = seats.tables[table]
    lines = [await stack.enter_async_context(_line(server, seats, one, table)) for one in names]
    return Play(table, lines, len(seats.tables))


class Play:
    """One table: whoever's turn it is acts when an action is due."""

    def __init__(self, table: str, lines: list[Live], of: int) -> None:
        self.table, self.lines = table, lines
        self.waits: list[float] = []
        self.accepted = 0
        self.phase = ""
        self.waiting: list[int] = []
        self._of, self._turn = of, 0
        self._heard = [asyncio.create_task(self._hear(one, first=one is lines[0])) for one in lines]

    async def play(self, first: float, counts: float, until: float) -> None:
        """An action each time one is due, from the first on; counted from some time on."""
        due = first
        while due < until:
            await asyncio.sleep(max(0.0, due - perf_counter()))
            answer = await self.act()
            if due >= counts:
                self.waits.append(perf_counter() - due)
                self.accepted += isinstance(answer, Accepted)
            due += PACE / len(self.lines)
        for task in self._heard:
            task.cancel()

    async def act(self) -> Accepted | Refused:
        """Whatever may be done next: a decision, else a wager or another amount of it."""
        self._turn += 1
        if self.phase == "play" and self.waiting:
            seat = self.waiting[0]
            return await self.lines[seat - 1].send({"do": "decide", "seat": seat, "play": "1x"})
        seat = self._turn % len(self.lines) + 1
        amount = STAKES[self._turn // len(self.lines) % 2]
        wager = {"do": "put-wager", "seat": seat, "wager": "ante", "amount": amount}
        return await self.lines[seat - 1].send(wager)

    async def _hear(self, line: Live, *, first: bool) -> None:
        async for event in line.events():
            body = event["body"]
            if first and "phase" in body:
                self.phase, self.waiting = body["phase"], body["waiting"]


async def _watch(server: Served, seats: Seats, table: str) -> None:
    url = f"{server.address}/api/tables/{table}/events"
    async with _jar(seats, "abe") as http, http.stream("GET", url, timeout=None) as events:
        async for _ in events.aiter_raw():
            pass


async def _held(server: Served, seconds: float) -> list[float]:
    """What the server holds, in MiB, at each twentieth of the time."""
    found = []
    for _ in range(20):
        await asyncio.sleep(seconds / 20.1)
        found.append(server.mebibytes())
    return found


# Flat out --------------------------------------------------------------------------------------


async def _flat_out(folder: Path) -> float:
    seats = await house_of(folder, tables=FLAT_OUT, seats=1)
    ours: list[Rate] = []
    peers: list[Rate] = []
    async with served(folder) as server, bare(folder) as peer:
        for _ in range(TURNS):
            peers.append(await peer.rate(FLAT_OUT, TURN_SECONDS))
            ours.append(await _rate(server, seats))
    ratio = _median(ours) / _median(peers)
    print(
        f"{FLAT_OUT} sockets flat out, a second: {_each(ours)} actions on record, "
        f"{_each(peers)} bare inserts in turn"
    )
    print(f"  of its server's cores, us: an action {_cpu(ours)}, a bare insert {_cpu(peers)}")
    print(f"  that is {ratio:.2f} of bare inserts; it must be {RATIO_MIN}")
    return ratio


def _median(rates: list[Rate]) -> float:
    return statistics.median(one.a_second for one in rates)


def _each(rates: list[Rate]) -> str:
    return "/".join(f"{one.a_second:.0f}" for one in rates)


def _cpu(rates: list[Rate]) -> str:
    return f"{1e6 * min(one.cpu_seconds for one in rates):.0f}"


async def _rate(server: Served, seats: Seats) -> Rate:
    """Commands that are on record, by sockets as plain as the peer's."""
    base = server.address.replace("http", "ws")
    lines = [
        connect(
            f"{base}/api/tables/{table}/socket",
            additional_headers={"Cookie": f"{seats.cookie}={seats.tokens[who]}"},
        )
        for table, (who,) in seats.tables.items()
    ]
    return await rate(lines, _play_round, TURN_SECONDS, server.cpu_seconds)


async def _play_round(line: ClientConnection, request: str) -> int:
    for number, command in enumerate(ROUND):
        await line.send(json.dumps({"request": f"{request}-{number}", "command": command}))
        while ANSWER not in (frame := await line.recv()):
            pass
        assert "accepted" in json.loads(frame)["answer"], frame
    return len(ROUND)


if __name__ == "__main__":
    sys.exit(main())
