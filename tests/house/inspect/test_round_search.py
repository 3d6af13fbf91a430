"""For any criteria, the index finds what a scan of all hands finds."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random

import pytest
from tests.lanes import examples

from pitbook.house.inspect import round_search as found_rounds
from pitbook.house.inspect.round_search import RoundIndex, RoundQuery, hands_of
from pitbook.house.ledger.queries import ALL_TIME, Interval
from pitbook.money import Cents, money

SEED, HANDS = 20261117, 400
OUTCOMES = ("nothing", "pair", "flush")
Hand = tuple[tuple[str | int, ...], set[str]]


@pytest.mark.long
@pytest.mark.parametrize("few", [0, 50, 20_000])
def test_search_equals_a_scan_of_all_hands(
    few: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(found_rounds, "FEW_HANDS", few)
    rng, index = Random(SEED), RoundIndex(tmp_path / found_rounds.FILE)
    hands = _fill_index(index, rng)
    wrong = []
    for _ in range(examples(120, 3_000)):
        query, excluded_tables = (
            _random_query(rng),
            rng.choice([(), ("stud-1",), ("stud-1", "stud-2")]),
        )
        skip = rng.choice([0, 0, 3, 1_000])
        rounds_found = [
            hand.round for hand in index.find(query, 7, skip=skip, excluded_tables=excluded_tables)
        ]
        if rounds_found != _search_all(hands, query, excluded_tables)[skip : skip + 7]:
            wrong.append((query, excluded_tables, skip))
    assert wrong == [], f"seed {SEED}"


@pytest.mark.long
def test_index_of_another_format_is_rebuilt(tmp_path: Path) -> None:
    file = tmp_path / found_rounds.FILE
    with closing(sqlite3.connect(file)) as old, old:
        old.execute("CREATE TABLE upto (stream TEXT PRIMARY KEY, seq INTEGER NOT NULL)")
        old.execute("INSERT INTO upto VALUES ('table/stud-1', 7)")
        old.execute("CREATE TABLE hand (id INTEGER PRIMARY KEY, round TEXT)")
    index = RoundIndex(file)
    assert index.find(RoundQuery()) == []
    with closing(index.connect()) as connection:
        assert connection.execute("SELECT count(*) FROM upto").fetchone() == (
            0,
        )  # Everything is read again.
    _fill_index(index, Random(SEED))
    assert len(RoundIndex(file).find(RoundQuery())) == found_rounds.PAGE_SIZE


def _fill_index(index: RoundIndex, rng: Random) -> list[Hand]:
    rows: list[Hand] = []
    with closing(index.connect()) as file, file:
        for number in range(HANDS):
            at = f"2026-01-{1 + number // 40:02}T10:{rng.randrange(60):02}:00.000000+00:00"
            line = {"stake": "5.00", "result": "lose"}
            lines = [{**line, "outcome": outcome} for outcome in rng.sample(OUTCOMES, 2)]
            wins = rng.choice([0, 0, 500, 1_000, 250_000])
            seat = {"seat": rng.choice([1, 1, 1, 2, 6]), "player": f"Player {rng.randrange(9)}"}
            seat_result = {**seat, "wins": money(Cents(wins)), "net": "-5.00", "lines": lines}
            round_ = (at, f"stud-{rng.randrange(4)}", {"result": "settled", "seats": [seat_result]})
            index.add(file, *round_, f"r{number}")
            rows += hands_of(*round_, f"r{number}")
    return rows


def _random_query(rng: Random) -> RoundQuery:
    day, days = rng.randint(1, 10), rng.choice([1, 3, 30])
    until = f"2026-01-{day + days:02}" if day + days < 32 else "2026-02-01"
    amount = Cents(rng.choice([0, 500, 1_000, 9_999]))
    return RoundQuery(
        table=rng.choice([None, None, "stud-1", "stud-9"]),
        within=rng.choice([ALL_TIME, Interval(f"2026-01-{day:02}", until), Interval(until, None)]),
        seat=rng.choice([None, None, 1, 2, 9]),
        player=rng.choice([None, None, None, "PLAYER 3", "nobody"]),
        won_min=rng.choice([None, None, amount]),
        won_max=rng.choice([None, None, amount]),
        outcome=rng.choice([None, *OUTCOMES, "straight"]),
    )


def _search_all(
    hands: list[Hand], query: RoundQuery, excluded_tables: tuple[str, ...]
) -> list[str]:
    by_amount = (query.won_min, query.won_max) != (None, None)
    fits = [(number, hand) for number, (hand, had) in enumerate(hands) if _fits(hand, had, query)]
    order = sorted(
        fits, key=lambda match: (by_amount and match[1][7], match[1][2], match[0]), reverse=True
    )
    return [str(hand[0]) for _, hand in order if hand[1] not in excluded_tables]


def _fits(hand: tuple[str | int, ...], had: set[str], query: RoundQuery) -> bool:
    _, table, at, seat, player, _, _, wins, _, _ = hand
    assert isinstance(wins, int)
    start, end = query.within.start, query.within.end
    return (
        query.table in (None, table)
        and query.seat in (None, seat)
        and (query.player is None or query.player.casefold() == str(player).casefold())
        and (query.won_min is None or wins >= query.won_min)
        and (query.won_max is None or wins <= query.won_max)
        and (start is None or str(at) >= start)
        and (end is None or str(at) < end)
        and (query.outcome is None or query.outcome in had)
    )
