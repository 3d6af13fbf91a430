"""A round among a million is found by any key, whether the book is a file or on a server.

A question is all that the inspector's desk does for one: what the book has got since is taken into
the index, the index is asked, and the book tells what each table is played for. The index is a file
of its own beside the book; the book has an entry for each round. Entries are put there in bulk, and
their hashes are none: finding asks for no hash. `python -m benchmarks.rounds 100000` takes fewer.
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
from tests.postgres import GIVEN, binaries, fresh_database

from pitbook.house.inspect.round_search import PAGE, RoundIndex, Wanted, hands_of
from pitbook.house.ledger import schema
from pitbook.house.ledger.chain import FORMAT, canonical
from pitbook.house.ledger.database import writing
from pitbook.house.ledger.journal import Ledger
from pitbook.house.ledger.queries import format_time, parse_interval
from pitbook.house.table import facts
from pitbook.money import Cents, money

ROUNDS, TABLES, PEOPLE = 1_000_000, 40, 5_000
START = datetime(2026, 1, 1, tzinfo=UTC)
LIMIT = 0.3  # Seconds.
BATCH = 10_000
SKIP_MAX = 10_000  # As far as the desk turns pages.
NO_HASH = "0" * 64
# As long as a settlement of one seat is.
PLAYED = canonical(
    {"format": FORMAT, "facts": [{"fact": "settled", "told": "x" * 600}], "transfers": []}
)
OUTCOMES = ("nothing", "nothing", "nothing", "pair", "two-pair", "flush")
RARE = "royal-flush"


def main() -> int:
    """Seconds for each question, the median of five; 1 where one is over the limit."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    with TemporaryDirectory() as folder:
        index = RoundIndex(Path(folder) / "rounds.index")
        took = perf_counter()
        _fill(index, rounds)
        print(f"{rounds:,} rounds taken in: {perf_counter() - took:.0f} s")
        worst = _measured("SQLite", f"sqlite:///{folder}/book.db", index, rounds)
        if os.environ.get(GIVEN) or binaries():
            with fresh_database() as url:
                worst = max(worst, _measured("PostgreSQL", url, index, rounds))
        else:
            print(f"PostgreSQL: none installed, and {GIVEN} names none; left out")
    print(f"worst {1000 * worst:.0f} ms, limit {1000 * LIMIT:.0f} ms")
    return int(worst > LIMIT)


def _measured(name: str, url: str, index: RoundIndex, rounds: int) -> float:
    """The longest of all questions, asked beside a book of so many rounds."""
    with Ledger.open(url) as ledger:
        _write(ledger, rounds)
        worst = 0.0
        for what, wanted in _questions():
            for skip in (0, SKIP_MAX):
                seconds, found = _asked(index, ledger, wanted, skip)
                worst = max(worst, seconds)
                page = " to the last page" if skip else ""
                print(f"{name:10} {what + page:42} {1000 * seconds:7.1f} ms  {found} found")
    return worst


def _questions() -> list[tuple[str, Wanted]]:
    day = parse_interval("2026-03-04", "2026-03-04")
    return [
        ("newest", Wanted()),
        ("table", Wanted(table="stud-7")),
        ("time", Wanted(within=day)),
        ("seat of a table", Wanted(table="stud-7", seat=2)),
        ("seat", Wanted(seat=2)),
        ("person", Wanted(player="Player 1234")),
        ("amount, rare", Wanted(won_min=Cents(2_500_000))),
        ("amount, common", Wanted(won_min=Cents(100))),
        ("amount, exact", Wanted(won_min=Cents(12_300), won_max=Cents(12_300))),
        ("outcome, rare", Wanted(outcome=RARE)),
        ("outcome, common", Wanted(outcome="nothing")),
        ("person and outcome", Wanted(player="player 1234", outcome="nothing")),
        ("table and outcome", Wanted(table="stud-7", outcome="pair")),
        ("amount and outcome", Wanted(won_min=Cents(40_000), outcome="flush")),
        ("table, time, seat", Wanted(table="stud-7", within=day, seat=1)),
        ("person and amount", Wanted(player="player 1234", won_min=Cents(100))),
        ("nobody", Wanted(player="nobody")),
        ("no such table", Wanted(table="stud-99")),
        ("no such seat", Wanted(seat=99)),
        ("no such outcome", Wanted(outcome="four-of-a-kind")),
        ("no such amount", Wanted(won_min=Cents(12_345), won_max=Cents(12_345))),
        ("no such time", Wanted(within=parse_interval("2030-01-01", "2030-01-01"))),
        ("everything", Wanted(won_min=Cents(0), within=parse_interval("2026-01-01", "2036-01-01"))),
        ("time and amount", Wanted(within=day, won_min=Cents(100))),
        ("time and outcome", Wanted(within=day, outcome="nothing")),
        ("seat and amount", Wanted(seat=2, won_min=Cents(100), won_max=Cents(20_000))),
        ("seat and outcome", Wanted(seat=5, outcome="flush")),
        ("all six", Wanted("stud-7", day, 1, "player 1234", Cents(0), Cents(10**9), "nothing")),
        # What each key has by the hundred thousand, and no hand has all of.
        ("outcome that wins nothing", Wanted(outcome="nothing", won_min=Cents(100))),
        ("outcome at no such seat", Wanted(outcome="nothing", seat=99)),
        ("wins at no such seat", Wanted(seat=99, won_min=Cents(100))),
        ("losses of a table at no such seat", Wanted(table="stud-7", seat=99, won_max=Cents(0))),
    ]


def _asked(index: RoundIndex, ledger: Ledger, wanted: Wanted, skip: int) -> tuple[float, int]:
    took, found = [], 0
    for _ in range(5):
        start = perf_counter()
        index.catch_up(ledger)
        found = len(index.find(wanted, PAGE + 1, skip=skip))
        index.outcomes()
        index.units()
        took.append(perf_counter() - start)
    return median(took), found


def _fill(index: RoundIndex, rounds: int) -> None:
    """The index as it is once the book was read, to the last entry of each table.

    In bulk: the ways through the hands are made anew when all of them are there.
    """
    luck = Random(7)
    with closing(index.opened()) as file, file:
        file.execute("PRAGMA cache_size = -600000")
        ways = file.execute(
            "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql NOTNULL"
        )
        named = ways.fetchall()
        for name, _ in named:
            file.execute(f"DROP INDEX {name}")
        for start in range(0, rounds, BATCH):
            hands, had = _batch(luck, range(start, min(rounds, start + BATCH)))
            file.executemany(f"INSERT INTO hand VALUES ({', '.join('?' * 11)})", hands)
            file.executemany("INSERT INTO outcome VALUES (?, ?, ?, ?, ?, ?)", had)
        for _, made in named:
            file.execute(made)
        read = [(f"table/stud-{table}", rounds // TABLES + 1) for table in range(TABLES)]
        file.executemany("INSERT INTO upto VALUES (?, ?)", read)


def _batch(luck: Random, numbers: range) -> tuple[list[tuple[Any, ...]], list[tuple[Any, ...]]]:
    """Hands, and their outcomes, as the index has them."""
    hands, had = [], []
    for number in numbers:
        at, table, report, name = _round(luck, number)
        for hand, outcomes in hands_of(at, table, report, name):
            hands.append((number + 1, *hand))
            had += [(one, at, number + 1, hand[7], hand[3], table) for one in outcomes]
    return hands, had


def _write(ledger: Ledger, rounds: int) -> None:
    """A table's opening, and an entry for each of its rounds."""
    each = rounds // TABLES
    with writing(ledger.engine).begin() as connection:
        for table in range(TABLES):
            row = {"name": f"table/stud-{table}", "seq": each + 1, "head": NO_HASH}
            connection.execute(insert(schema.stream).values(epoch=1, prunable=False, **row))
            asked = select(schema.stream.c.id).where(schema.stream.c.name == row["name"])
            stream = connection.execute(asked).scalar_one()
            first = canonical({"format": FORMAT, "facts": [_opened(table)], "transfers": []})
            connection.execute(insert(schema.entry), [_entry(stream, 1, first)])
            for start in range(0, each, BATCH):
                many = range(start + 2, min(each, start + BATCH) + 2)
                connection.execute(insert(schema.entry), [_entry(stream, n, PLAYED) for n in many])


def _opened(table: int) -> dict[str, object]:
    fact = facts.TableOpened(
        f"stud-{table}", "house", "usd", {"hash": NO_HASH}, {}, False, Cents(0), ""
    )
    return facts.FACTS.dump(fact)


def _entry(stream: int, seq: int, content: str) -> dict[str, object]:
    at = format_time(START + timedelta(seconds=30 * TABLES * seq))
    told = {"at": at, "epoch": 1, "actor": "dee", "content": content}
    return {"stream": stream, "seq": seq, "previous": NO_HASH, "hash": NO_HASH, **told}


def _round(luck: Random, number: int) -> tuple[str, str, dict[str, object], str]:
    table = f"stud-{number % TABLES}"
    at = format_time(START + timedelta(seconds=30 * number))
    return at, table, {"result": "settled", "seats": [_hand(luck, number)]}, f"{table}-{number}"


def _hand(luck: Random, number: int) -> dict[str, object]:
    outcome = RARE if number % 250_000 == 1 else luck.choice(OUTCOMES)
    usual = 0 if outcome == "nothing" else luck.randrange(500) * 100
    wins = 2_500_000 if outcome == RARE else usual
    amounts = {"wins": money(Cents(wins)), "net": money(Cents(wins - 4_000))}
    lines = [{"stake": "40.00", "outcome": outcome}]
    who = f"player {luck.randrange(PEOPLE)}"
    return {"seat": 1 + luck.randrange(6), "player": who, "lines": lines, **amounts}


if __name__ == "__main__":
    sys.exit(main())
