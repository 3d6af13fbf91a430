"""Find a round among a million by any key, with the ledger in a file or on a server.

A search does what the inspector's page does: the index catches up with the ledger, is searched,
and the ledger gives each table's currency. The index is a separate file; the ledger has an entry
for each round. Entries are inserted in bulk without hashes, which a search does not need.
`python -m benchmarks.rounds 100000` uses fewer.
"""

from __future__ import annotations

import os
import sys
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

from sqlalchemy import insert, select
from tests.postgres import URL_VARIABLE, binaries, fresh_database

from pitbook.house.inspect.round_search import PAGE_SIZE, RoundIndex, RoundQuery, hands_of
from pitbook.house.ledger import schema
from pitbook.house.ledger.database import for_writing
from pitbook.house.ledger.hash_chain import FORMAT, canonical
from pitbook.house.ledger.ledger import Ledger
from pitbook.house.ledger.queries import format_time, parse_interval
from pitbook.house.table import facts
from pitbook.money import Cents, money

ROUNDS, TABLES, PEOPLE = 1_000_000, 40, 5_000
START = datetime(2026, 1, 1, tzinfo=UTC)
LIMIT = 0.3  # Seconds.
BATCH = 10_000
SKIP_MAX = 10_000  # The last page that the inspector can reach.
NO_HASH = "0" * 64
# As long as a settlement of one seat.
ROUND_CONTENT = canonical(
    {"format": FORMAT, "facts": [{"fact": "settled", "told": "x" * 600}], "transfers": []}
)
OUTCOMES = ("nothing", "nothing", "nothing", "pair", "two-pair", "flush")
RARE = "royal-flush"


def main() -> int:
    """Print seconds for each search, the median of five; return 1 if one is over the limit."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    with TemporaryDirectory() as folder:
        index = RoundIndex(Path(folder) / "rounds.index")
        start = perf_counter()
        _fill(index, rounds)
        print(f"{rounds:,} rounds taken in: {perf_counter() - start:.0f} s")
        worst = _measure_searches("SQLite", f"sqlite:///{folder}/book.db", index, rounds)
        if os.environ.get(URL_VARIABLE) or binaries():
            with fresh_database() as url:
                worst = max(worst, _measure_searches("PostgreSQL", url, index, rounds))
        else:
            print(f"PostgreSQL: none installed, and {URL_VARIABLE} names none; left out")
    print(f"worst {1000 * worst:.0f} ms, limit {1000 * LIMIT:.0f} ms")
    return int(worst > LIMIT)


def _measure_searches(name: str, url: str, index: RoundIndex, rounds: int) -> float:
    """The slowest of all searches with this number of rounds."""
    with Ledger.open(url) as ledger:
        _write(ledger, rounds)
        worst = 0.0
        for search, query in _questions():
            for skip in (0, SKIP_MAX):
                seconds, matches = _time_search(index, ledger, query, skip)
                worst = max(worst, seconds)
                page = " to the last page" if skip else ""
                print(f"{name:10} {search + page:42} {1000 * seconds:7.1f} ms  {matches} found")
    return worst


def _questions() -> list[tuple[str, RoundQuery]]:
    day = parse_interval("2026-03-04", "2026-03-04")
    return [
        ("newest", RoundQuery()),
        ("table", RoundQuery(table="stud-7")),
        ("time", RoundQuery(within=day)),
        ("seat of a table", RoundQuery(table="stud-7", seat=2)),
        ("seat", RoundQuery(seat=2)),
        ("person", RoundQuery(player="Player 1234")),
        ("amount, rare", RoundQuery(won_min=Cents(2_500_000))),
        ("amount, common", RoundQuery(won_min=Cents(100))),
        ("amount, exact", RoundQuery(won_min=Cents(12_300), won_max=Cents(12_300))),
        ("outcome, rare", RoundQuery(outcome=RARE)),
        ("outcome, common", RoundQuery(outcome="nothing")),
        ("person and outcome", RoundQuery(player="player 1234", outcome="nothing")),
        ("table and outcome", RoundQuery(table="stud-7", outcome="pair")),
        ("amount and outcome", RoundQuery(won_min=Cents(40_000), outcome="flush")),
        ("table, time, seat", RoundQuery(table="stud-7", within=day, seat=1)),
        ("person and amount", RoundQuery(player="player 1234", won_min=Cents(100))),
        ("nobody", RoundQuery(player="nobody")),
        ("no such table", RoundQuery(table="stud-99")),
        ("no such seat", RoundQuery(seat=99)),
        ("no such outcome", RoundQuery(outcome="four-of-a-kind")),
        ("no such amount", RoundQuery(won_min=Cents(12_345), won_max=Cents(12_345))),
        ("no such time", RoundQuery(within=parse_interval("2030-01-01", "2030-01-01"))),
        (
            "everything",
            RoundQuery(won_min=Cents(0), within=parse_interval("2026-01-01", "2036-01-01")),
        ),
        ("time and amount", RoundQuery(within=day, won_min=Cents(100))),
        ("time and outcome", RoundQuery(within=day, outcome="nothing")),
        ("seat and amount", RoundQuery(seat=2, won_min=Cents(100), won_max=Cents(20_000))),
        ("seat and outcome", RoundQuery(seat=5, outcome="flush")),
        ("all six", RoundQuery("stud-7", day, 1, "player 1234", Cents(0), Cents(10**9), "nothing")),
        # Keys that match hundreds of thousands of hands, but no hand has all of them.
        ("outcome that wins nothing", RoundQuery(outcome="nothing", won_min=Cents(100))),
        ("outcome at no such seat", RoundQuery(outcome="nothing", seat=99)),
        ("wins at no such seat", RoundQuery(seat=99, won_min=Cents(100))),
        (
            "losses of a table at no such seat",
            RoundQuery(table="stud-7", seat=99, won_max=Cents(0)),
        ),
    ]


def _time_search(
    index: RoundIndex, ledger: Ledger, query: RoundQuery, skip: int
) -> tuple[float, int]:
    times, matches = [], 0
    for _ in range(5):
        start = perf_counter()
        index.catch_up(ledger)
        matches = len(index.find(query, PAGE_SIZE + 1, skip=skip))
        index.outcomes()
        index.units()
        times.append(perf_counter() - start)
    return median(times), matches


def _fill(index: RoundIndex, rounds: int) -> None:
    """Fill the index as if it had read the ledger, up to the last entry of each table.

    Its SQL indexes are dropped and rebuilt after the bulk insert.
    """
    rng = Random(7)
    with closing(index.connect()) as connection, connection:
        connection.execute("PRAGMA cache_size = -600000")
        cursor = connection.execute(
            "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql NOTNULL"
        )
        indexes = cursor.fetchall()
        for name, _ in indexes:
            connection.execute(f"DROP INDEX {name}")
        for start in range(0, rounds, BATCH):
            hands, outcomes = _batch(rng, range(start, min(rounds, start + BATCH)))
            connection.executemany(f"INSERT INTO hand VALUES ({', '.join('?' * 11)})", hands)
            connection.executemany("INSERT INTO outcome VALUES (?, ?, ?, ?, ?, ?)", outcomes)
        for _, statement in indexes:
            connection.execute(statement)
        positions = [(f"table/stud-{table}", rounds // TABLES + 1) for table in range(TABLES)]
        connection.executemany("INSERT INTO upto VALUES (?, ?)", positions)


def _batch(rng: Random, numbers: range) -> tuple[list[tuple[Any, ...]], list[tuple[Any, ...]]]:
    """Hands and their outcomes, as rows of the index."""
    hands, outcome_rows = [], []
    for number in numbers:
        time, table, report, name = _round(rng, number)
        for hand, outcomes in hands_of(time, table, report, name):
            hands.append((number + 1, *hand))
            outcome_rows += [
                (outcome, time, number + 1, hand[7], hand[3], table) for outcome in outcomes
            ]
    return hands, outcome_rows


def _write(ledger: Ledger, rounds: int) -> None:
    """A table's opening, and an entry for each of its rounds."""
    rounds_per_table = rounds // TABLES
    with for_writing(ledger.engine).begin() as connection:
        for table in range(TABLES):
            row = {"name": f"table/stud-{table}", "seq": rounds_per_table + 1, "head": NO_HASH}
            connection.execute(insert(schema.stream).values(epoch=1, prunable=False, **row))
            query = select(schema.stream.c.id).where(schema.stream.c.name == row["name"])
            stream = connection.execute(query).scalar_one()
            opening = canonical(
                {"format": FORMAT, "facts": [_table_opened(table)], "transfers": []}
            )
            connection.execute(insert(schema.entry), [_entry(stream, 1, opening)])
            for start in range(0, rounds_per_table, BATCH):
                sequence_numbers = range(start + 2, min(rounds_per_table, start + BATCH) + 2)
                connection.execute(
                    insert(schema.entry),
                    [_entry(stream, number, ROUND_CONTENT) for number in sequence_numbers],
                )


def _table_opened(table: int) -> dict[str, object]:
    fact = facts.TableOpened(
        f"stud-{table}", "house", "usd", {"hash": NO_HASH}, {}, False, Cents(0), ""
    )
    return facts.FACTS.dump(fact)


def _entry(stream: int, seq: int, content: str) -> dict[str, object]:
    time = format_time(START + timedelta(seconds=30 * TABLES * seq))
    fields = {"at": time, "epoch": 1, "actor": "dee", "content": content}
    return {"stream": stream, "seq": seq, "previous": NO_HASH, "hash": NO_HASH, **fields}


def _round(rng: Random, number: int) -> tuple[str, str, dict[str, object], str]:
    table = f"stud-{number % TABLES}"
    time = format_time(START + timedelta(seconds=30 * number))
    return time, table, {"result": "settled", "seats": [_hand(rng, number)]}, f"{table}-{number}"


def _hand(rng: Random, number: int) -> dict[str, object]:
    outcome = RARE if number % 250_000 == 1 else rng.choice(OUTCOMES)
    usual_win = 0 if outcome == "nothing" else rng.randrange(500) * 100
    wins = 2_500_000 if outcome == RARE else usual_win
    amounts = {"wins": money(Cents(wins)), "net": money(Cents(wins - 4_000))}
    lines = [{"stake": "40.00", "outcome": outcome}]
    player = f"player {rng.randrange(PEOPLE)}"
    return {"seat": 1 + rng.randrange(6), "player": player, "lines": lines, **amounts}


if __name__ == "__main__":
    sys.exit(main())
