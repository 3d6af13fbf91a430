"""A house under load: response times of commands, commands per second, and memory.

The house is `pitbook serve` on its own folder, started as usual; the players are
`pitbook.house.client`, in this process. First every table has six sockets and a spectator, and
each socket acts every two seconds. A command's time counts from when it was due, not from when a
late driver sent it, until it is recorded or refused. With --pages the sockets act as pages do: each
gets its view with every change. Then a hundred sockets act as fast as they
are answered, in turn with a baseline: a bare FastAPI socket that inserts one row into SQLite, as
durably.

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
from benchmarks._bare import Rate, bare_server, rate
from benchmarks._house import RunningServer, Seats, create_house, run_server
from websockets.asyncio.client import ClientConnection, connect

from pitbook.house.client import Accepted, Client, Live, Refused

SEATS = 6
PACE = 2.0  # Seconds between two actions of one socket.
ROUND_SECONDS = 9.0  # Betting, then three decisions of each seat.
P99_MAX = 0.250
RATIO_MIN = 0.5
GROWTH_MAX = 1.10  # Relative to the memory after a fifth of the time.
FLAT_OUT, TURNS, TURN_SECONDS = 100, 5, 5.0
STAKES = ("10", "15")
ANSWER = '"answer":{'
ROUND: tuple[dict[str, Any], ...] = (
    {"do": "put-wager", "seat": 1, "wager": "ante", "amount": "10"},
    {"do": "close-betting"},
    *({"do": "decide", "seat": 1, "play": "1x"} for _ in range(3)),
)


def main() -> int:
    options = _parse_options()
    with tempfile.TemporaryDirectory(prefix="pitbook-") as folder:
        passed = asyncio.run(
            _measure_paced(Path(folder), options.tables, 60 * options.minutes, pages=options.pages)
        )
    if options.paced:
        return 0 if passed else 1
    with tempfile.TemporaryDirectory(prefix="pitbook-") as folder:
        ratio = asyncio.run(_measure_flat_out(Path(folder)))
    return 0 if passed and ratio >= RATIO_MIN else 1


def _parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--pages", action="store_true", help="get a view with every change")
    parser.add_argument("--paced", action="store_true", help="leave out the second part")
    return parser.parse_args()


# At their pace ---------------------------------------------------------------------------------


async def _measure_paced(folder: Path, tables: int, seconds: float, *, pages: bool) -> bool:
    seats = await create_house(folder, tables=tables, seats=SEATS)
    async with run_server(folder) as server, AsyncExitStack() as stack:
        players = [
            await _join_table(stack, server, seats, table, pages=pages) for table in seats.tables
        ]
        spectators = [_Spectator() for _ in players]
        watching = [
            asyncio.create_task(spectator.watch(server, seats, player.table))
            for spectator, player in zip(spectators, players, strict=True)
        ]
        gc.collect()
        gc.freeze()  # Avoid pauses of the driver.
        start = perf_counter()
        count_from = start + ROUND_SECONDS
        plays_due = [
            player.play(first_at, count_from, count_from + seconds)
            for player, first_at in _staggered(players, start)
        ]
        playing = asyncio.gather(*plays_due)
        await asyncio.sleep(ROUND_SECONDS)
        cpu, driver_cpu = server.cpu_seconds(), process_time()
        for player in players:
            player.delivered = 0
        for spectator in spectators:
            spectator.delivered = 0
        memory_task = asyncio.create_task(_sample_memory(server, seconds))
        await playing
        cpu, driver_cpu = server.cpu_seconds() - cpu, process_time() - driver_cpu
        delivered = sum(player.delivered for player in players)
        delivered += sum(spectator.delivered for spectator in spectators)
        memory = await memory_task
        for task in watching:
            task.cancel()
        await asyncio.gather(*watching, return_exceptions=True)
    return _report_paced(players, seconds, (cpu, driver_cpu), delivered, memory)


def _staggered(players: list[Play], start: float) -> Iterator[tuple[Play, float]]:
    """Start the tables one after the other, over the time of one round, as in a house."""
    for number, player in enumerate(players):
        yield player, start + ROUND_SECONDS * number / len(players)


def _report_paced(
    players: list[Play],
    seconds: float,
    cpu: tuple[float, float],
    delivered: int,
    memory: list[float],
) -> bool:
    waits = sorted(wait for player in players for wait in player.waits)
    accepted = sum(player.accepted for player in players)
    p50, p99 = (waits[int(len(waits) * share)] for share in (0.5, 0.99))
    early, late = memory[len(memory) // 5], memory[-1]
    print(f"{len(players)} tables of {SEATS} sockets and a spectator, {seconds:.0f} s")
    print(f"  answers a second: {len(waits) / seconds:.0f}, on record {accepted / seconds:.0f}")
    print(
        f"  answered within, ms: half {1e3 * p50:.1f}, 99% {1e3 * p99:.1f}"
        f" (must be {1e3 * P99_MAX:.0f}), all {1e3 * waits[-1]:.1f}"
    )
    server, driver = (cpu_seconds / seconds for cpu_seconds in cpu)
    print(f"  the server took {server:.2f} of a core, whoever drove it {driver:.2f}")
    print(
        f"  CPU time of the server: {1e3 * cpu[0] / len(waits):.2f} ms an action, "
        f"{1e6 * cpu[0] / delivered:.0f} us for each of its {delivered / len(waits):.1f} deliveries"
    )
    print(f"  it held {early:.0f} MiB after a fifth of the time and {late:.0f} in the end")
    return p99 <= P99_MAX and late <= GROWTH_MAX * early


@asynccontextmanager
async def _player_connection(
    server: RunningServer, seats: Seats, player: str, table: str, *, pages: bool
) -> AsyncIterator[Live]:
    http = _http_client(seats, player)
    async with Client(server.address, http=http) as client, client.live(table, views=pages) as live:
        yield live


def _http_client(seats: Seats, player: str) -> httpx.AsyncClient:
    """A separate HTTP client for a player; without TLS, because loading certificates is slow."""
    cookies = {seats.cookie: seats.tokens[player]}
    return httpx.AsyncClient(cookies=cookies, verify=False, trust_env=False)


async def _join_table(
    stack: AsyncExitStack, server: RunningServer, seats: Seats, table: str, *, pages: bool
) -> Play:
    names = seats.tables[table]
    connections = [
        await stack.enter_async_context(
            _player_connection(server, seats, player, table, pages=pages)
        )
        for player in names
    ]
    return Play(table, connections, len(seats.tables))


class Play:
    """One table: whoever's turn it is acts when an action is due."""

    def __init__(self, table: str, connections: list[Live], table_count: int) -> None:
        self.table, self.connections = table, connections
        self.waits: list[float] = []
        self.accepted = self.delivered = 0
        self.phase = ""
        self.waiting: list[int] = []
        self._of, self._turn = table_count, 0
        self._readers = [
            asyncio.create_task(self._read_events(connection, first=connection is connections[0]))
            for connection in connections
        ]

    async def play(self, first: float, count_from: float, deadline: float) -> None:
        """Act whenever an action is due; count answers from a given time on."""
        due_at = first
        while due_at < deadline:
            await asyncio.sleep(max(0.0, due_at - perf_counter()))
            response = await self.act()
            if due_at >= count_from:
                self.waits.append(perf_counter() - due_at)
                self.accepted += isinstance(response, Accepted)
            due_at += PACE / len(self.connections)
        for task in self._readers:
            task.cancel()

    async def act(self) -> Accepted | Refused:
        """Do the next possible action: a decision, or a wager with another amount."""
        self._turn += 1
        if self.phase == "play" and self.waiting:
            seat = self.waiting[0]
            return await self.connections[seat - 1].send(
                {"do": "decide", "seat": seat, "play": "1x"}
            )
        seat = self._turn % len(self.connections) + 1
        amount = STAKES[self._turn // len(self.connections) % 2]
        wager = {"do": "put-wager", "seat": seat, "wager": "ante", "amount": amount}
        return await self.connections[seat - 1].send(wager)

    async def _read_events(self, connection: Live, *, first: bool) -> None:
        version = 0
        async for event in connection.events():
            # The events of one action come in one frame; the first of them is a new version.
            self.delivered += event["version"] > version
            version = connection.version or 0
            body = event["body"]
            if first and "phase" in body:
                self.phase, self.waiting = body["phase"], body["waiting"]


class _Spectator:
    """A reader of a table's event stream."""

    delivered = 0

    async def watch(self, server: RunningServer, seats: Seats, table: str) -> None:
        url = f"{server.address}/api/tables/{table}/events"
        async with (
            _http_client(seats, "abe") as http,
            http.stream("GET", url, timeout=None) as events,
        ):
            async for piece in events.aiter_raw():
                self.delivered += b"event: events" in piece


async def _sample_memory(server: RunningServer, seconds: float) -> list[float]:
    """The server's memory in MiB, sampled twenty times."""
    samples = []
    for _ in range(20):
        await asyncio.sleep(seconds / 20.1)
        samples.append(server.mebibytes())
    return samples


# Flat out --------------------------------------------------------------------------------------


async def _measure_flat_out(folder: Path) -> float:
    seats = await create_house(folder, tables=FLAT_OUT, seats=1)
    ours: list[Rate] = []
    peers: list[Rate] = []
    async with run_server(folder) as server, bare_server(folder) as peer:
        for _ in range(TURNS):
            peers.append(await peer.rate(FLAT_OUT, TURN_SECONDS))
            ours.append(await _command_rate(server, seats))
    ratio = _median_rate(ours) / _median_rate(peers)
    print(
        f"{FLAT_OUT} sockets flat out, a second: {_format_rates(ours)} actions on record, "
        f"{_format_rates(peers)} bare inserts in turn"
    )
    print(
        f"  of its server's cores, us: an action {_cpu_text(ours)}, "
        f"a bare insert {_cpu_text(peers)}"
    )
    print(f"  that is {ratio:.2f} of bare inserts; it must be {RATIO_MIN}")
    return ratio


def _median_rate(rates: list[Rate]) -> float:
    return statistics.median(rate_.per_second for rate_ in rates)


def _format_rates(rates: list[Rate]) -> str:
    return "/".join(f"{rate_.per_second:.0f}" for rate_ in rates)


def _cpu_text(rates: list[Rate]) -> str:
    return f"{1e6 * min(rate_.cpu_seconds for rate_ in rates):.0f}"


async def _command_rate(server: RunningServer, seats: Seats) -> Rate:
    """Commands recorded per second, by sockets as plain as the baseline's."""
    base = server.address.replace("http", "ws")
    sockets = [
        connect(
            f"{base}/api/tables/{table}/socket",
            additional_headers={"Cookie": f"{seats.cookie}={seats.tokens[player]}"},
        )
        for table, (player,) in seats.tables.items()
    ]
    return await rate(sockets, _play_round, TURN_SECONDS, server.cpu_seconds)


async def _play_round(socket: ClientConnection, request: str) -> int:
    for number, command in enumerate(ROUND):
        await socket.send(json.dumps({"request": f"{request}-{number}", "command": command}))
        while ANSWER not in (frame := await socket.recv()):
            pass
        assert "accepted" in json.loads(frame)["answer"], frame
    return len(ROUND)


if __name__ == "__main__":
    sys.exit(main())
