"""PostgreSQL killed under an open ledger, which has to live through it and know what it knows."""

from __future__ import annotations

import random
from time import monotonic

from tests.chaos.load import Load
from tests.chaos.results import Result, result
from tests.chaos.workload import Rounds
from tests.postgres import Server, database_of

THREADS = 4
STOPS = 25  # As many as one book sees.
LONGEST = 0.25


def hard_stops(
    server: Server, *, stops: int, seed: str, on: str = "PostgreSQL", control: bool = False
) -> Result:
    """Servers stopped hard under load; the same ledger goes on when the server is back."""
    wrong: list[str] = []
    acknowledged = 0
    for start in range(0, stops, STOPS):
        with database_of(server.url()) as url:
            load = stopped(server, url, min(STOPS, stops - start), f"{seed}-{start}")
        wrong += load.wrong
        acknowledged += len(load.acknowledged)
    return result(
        "PostgreSQL stopped hard",
        on=on,
        count=stops,
        what="stops",
        seed=seed,
        wrong=wrong,
        acknowledged=acknowledged,
        control=control,
    )


def stopped(server: Server, url: str, stops: int, seed: str) -> Load:
    """One book through several stops, judged after each."""
    rounds, luck = Rounds(seed), random.Random(seed)
    client = rounds.start(url)
    load = Load(client, THREADS)
    load.send([0])
    for _ in range(stops):
        load.send_until_refused(lambda: kill_soon(server, load, luck))
        server.start()
        load.send(load.unknown())
        load.wrong += rounds.wrong(url, load.acknowledged)
    client.close()
    return load


def kill_soon(server: Server, load: Load, luck: random.Random) -> None:
    """Kills the server after some more receipts, or when it took too long to get them."""
    enough = len(load.acknowledged) + luck.randrange(60)
    until = monotonic() + LONGEST
    while len(load.acknowledged) < enough and monotonic() < until:
        load.heard.wait(LONGEST)
        load.heard.clear()
    server.kill()
