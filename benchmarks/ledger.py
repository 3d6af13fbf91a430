"""Durable appends per second, compared with a bare one-row insert that is as durable.

An append is a wager: an event, a transfer between two accounts, a request's id and its body. It
is checked, hashed into its stream's chain, posted and balanced before its receipt is returned.
The peer inserts the same entry as one row, through the same driver with the same settings, and
commits; it does so alone, one row after the other, as fast as it can. Ours are measured with
many clients at once, each waiting for its own receipt (waiting clients share a commit), and with
one client. All run in turn, so that a busy moment slows each alike.

PostgreSQL syncs to disk here, as in a house. It is measured a second time with fsync off, as
tests run it, for the cost of the work itself: a bare insert then waits for nothing, so a shared
commit gains nothing, and an append is more work than one row.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from functools import partial
from itertools import count
from pathlib import Path
from time import perf_counter
from typing import Any

from tests.postgres import URL_VARIABLE, Server, binaries, database_of, fresh_database

from pitbook.house.ledger.accounts import Account, move
from pitbook.house.ledger.database import connect
from pitbook.house.ledger.hash_chain import Entry
from pitbook.house.ledger.ledger import Ledger

CLIENTS = 32
TABLES = 8
SECONDS = 0.3
TIMES = 15
RATIO_MIN = 0.5
FUND = 10**12

BARE, MANY, ALONE = "bare one-row inserts", f"appends of {CLIENTS} clients at once", "of one alone"

FSYNC_OFF = """\
With fsync off a bare insert waits for nothing, so clients gain nothing by sharing a commit. What is
left is the work of an append, which is more than one row. That ratio has no minimum."""

Work = Callable[[], object]


def main() -> int:
    print(f"a second, median of {TIMES} runs of {SECONDS} s each, in turn")
    ratios = [compare("SQLite", sqlite)]
    if os.environ.get(URL_VARIABLE):
        ratios.append(compare("PostgreSQL", fresh_database))
    elif binaries():
        with durable_server() as server:
            ratios.append(compare("PostgreSQL", partial(database_of, server.url())))
        compare("  fsync off", fresh_database)
        print(FSYNC_OFF)
    else:
        print(f"PostgreSQL: none installed, and {URL_VARIABLE} names none; left out")
    return verdict(min(ratios))


def verdict(ratio: float) -> int:
    print(f"many clients reach {ratio:.2f} of bare inserts or more; it must be {RATIO_MIN}")
    return 0 if ratio >= RATIO_MIN else 1


@contextmanager
def sqlite() -> Iterator[str]:
    with tempfile.TemporaryDirectory(prefix="pitbook-") as folder:
        yield f"sqlite:///{Path(folder) / 'book.db'}"


@contextmanager
def durable_server() -> Iterator[Server]:
    """A private PostgreSQL server with fsync on."""
    server = Server(binaries()[0])
    server.start()
    try:
        yield server
    finally:
        server.close()


def compare(name: str, database: Callable[[], Any]) -> float:
    """Print a database's rates; return the ratio for many clients."""
    with ExitStack() as stack:
        ledger = stack.enter_context(Ledger.open(stack.enter_context(database())))
        insert = stack.enter_context(bare_insert(stack.enter_context(database())))
        epochs = {f"table-{number}": ledger.claim(f"table-{number}") for number in range(TABLES)}
        clients = [client(ledger, epochs, number) for number in range(CLIENTS)]
        pool = stack.enter_context(ThreadPoolExecutor(CLIENTS))
        runs: dict[str, Callable[[], float]] = {
            BARE: lambda: rate(insert),
            MANY: lambda: sum(pool.map(rate, clients)),
            ALONE: lambda: rate(clients[0]),
        }
        for run in runs.values():
            run()
        measurements = [{label: run() for label, run in runs.items()} for _ in range(TIMES)]
    ratios = {
        label: statistics.median(rates[label] / rates[BARE] for rates in measurements)
        for label in runs
    }
    for label in runs:
        median = statistics.median(rates[label] for rates in measurements)
        print(f"{name:<12}{label:<32}{median:8,.0f}{ratios[label]:8.2f} of bare")
    return ratios[MANY]


def client(ledger: Ledger, epochs: dict[str, int], number: int) -> Work:
    """A player who wagers a cent each time, and waits until it is recorded."""
    stream, player = f"table-{number % TABLES}", f"player-{number}"
    wallet, held_account = (
        Account("usd", "wallet", player),
        Account("usd", "held", f"{stream}:{player}"),
    )
    buy_in = move(Account("usd", "cash"), wallet, FUND, "buy-in")
    ledger.append(stream, epochs[stream], [{"fact": "bought-in"}], [buy_in])
    wager = move(wallet, held_account, 1, "wager")
    wagers = count(1)

    def append() -> object:
        number_of_wager = next(wagers)
        fact = {"fact": "wagered", "seat": number, "ante": "0.01", "number": number_of_wager}
        fields: dict[str, Any] = {
            "request": f"{player}/{number_of_wager}",
            "body": f"ante {number_of_wager}",
        }
        return ledger.append(stream, epochs[stream], [fact], [wager], actor=player, **fields)

    return append


@contextmanager
def bare_insert(url: str) -> Iterator[Work]:
    """An insert of one entry's columns, by the driver itself on a connection configured as ours."""
    engine = connect(url)
    with engine.connect() as connection:
        driver: Any = connection.connection.dbapi_connection
        cursor = driver.cursor()
        columns = ", ".join(f"{name} text" for name in Entry._fields[2:])
        cursor.execute(f"CREATE TABLE bare (id bigint PRIMARY KEY, {columns})")
        driver.commit()
        if engine.name == "postgresql":  # On SQLite a statement is already a transaction.
            driver.autocommit = True
        mark = "?" if engine.name == "sqlite" else "%s"
        statement = f"INSERT INTO bare VALUES ({', '.join([mark] * len(Entry._fields[1:]))})"
        row = ["2026-01-01T00:00:00.000000+00:00", "1", "player-1", "player-1/1", "ante 1"]
        row += ["x" * 190, "0" * 64, "0" * 64]
        ids = count(1)
        yield lambda: cursor.execute(statement, [next(ids), *row])
    engine.dispose()


def rate(work: Work) -> float:
    """Calls per second."""
    start = perf_counter()
    for calls in count(1):
        work()
        if (elapsed := perf_counter() - start) >= SECONDS:
            return calls / elapsed
    raise AssertionError("count never ends")


if __name__ == "__main__":
    sys.exit(main())
