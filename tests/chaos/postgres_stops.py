"""PostgreSQL killed under an open ledger, which has to survive and keep its knowledge."""

from __future__ import annotations

import random
from time import monotonic

from tests.chaos.load import Load
from tests.chaos.results import Result, result
from tests.chaos.workload import Rounds
from tests.postgres import Server, database_of

THREADS = 4
STOPS = 25  # Stops of one ledger.
WAIT_SECONDS = 0.25


def hard_stops(
    server: Server, *, stops: int, seed: str, on: str = "PostgreSQL", control: bool = False
) -> Result:
    """Stop servers hard under load; the same ledger continues when the server is back."""
    wrong: list[str] = []
    acknowledged = 0
    for start in range(0, stops, STOPS):
        with database_of(server.url()) as url:
            load = stop_repeatedly(server, url, min(STOPS, stops - start), f"{seed}-{start}")
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


def stop_repeatedly(server: Server, url: str, stops: int, seed: str) -> Load:
    """One ledger through several stops, checked after each."""
    rounds, rng = Rounds(seed), random.Random(seed)
    client = rounds.start(url)
    load = Load(client, THREADS)
    load.send([0])
    for _ in range(stops):
        load.send_until_refused(lambda: kill_soon(server, load, rng))
        server.start()
        load.send(load.unacknowledged())
        load.wrong += rounds.wrong(url, load.acknowledged)
    client.close()
    return load


def kill_soon(server: Server, load: Load, rng: random.Random) -> None:
    """Kill the server after some more receipts, or after a time limit."""
    target = len(load.acknowledged) + rng.randrange(60)
    deadline = monotonic() + WAIT_SECONDS
    while len(load.acknowledged) < target and monotonic() < deadline:
        load.new_receipt.wait(WAIT_SECONDS)
        load.new_receipt.clear()
    server.kill()
