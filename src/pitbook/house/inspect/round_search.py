"""Index of hands beside the ledger: search by table, time, seat, player, amount or outcome."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterator
from contextlib import closing
from pathlib import Path
from threading import Lock
from typing import NamedTuple

from pitbook.house.ledger.fact_codec import Json
from pitbook.house.ledger.ledger import Ledger
from pitbook.house.ledger.queries import ALL_TIME, Interval, Snapshot, Span, Streams, fact_patterns
from pitbook.house.people.names import name_key
from pitbook.house.table import facts
from pitbook.house.table.facts import FACTS
from pitbook.house.table.stream_names import TABLE
from pitbook.money import Cents, dollars, money
from pitbook.rules.result_json import hand_result

FILE, FORMAT = "rounds.index", 3
PAGE_SIZE = 50
FEW_HANDS = 20_000
# Every index covers all searchable columns: hands that do not match are skipped without
# reading their rows, so that even a search without matches is fast.
_SCHEMA = f"""
BEGIN IMMEDIATE;
DROP TABLE IF EXISTS upto; DROP TABLE IF EXISTS unit;
DROP TABLE IF EXISTS hand; DROP TABLE IF EXISTS outcome;
CREATE TABLE upto (stream TEXT PRIMARY KEY, seq INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE unit (place TEXT PRIMARY KEY, unit TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE hand (
    id INTEGER PRIMARY KEY, round TEXT NOT NULL, place TEXT NOT NULL, at TEXT NOT NULL,
    seat INTEGER NOT NULL, player TEXT NOT NULL, who TEXT NOT NULL, staked INTEGER NOT NULL,
    wins INTEGER NOT NULL, net INTEGER NOT NULL, ending TEXT NOT NULL, UNIQUE (round, seat)
);
CREATE INDEX hand_at ON hand (at, id, wins, seat, place);
CREATE INDEX hand_wins ON hand (wins, at, id, seat, place);
CREATE INDEX hand_place_at ON hand (place, at, id, wins, seat);
CREATE INDEX hand_place_wins ON hand (place, wins, at, id, seat);
CREATE INDEX hand_seat_at ON hand (seat, at, id, wins, place);
CREATE INDEX hand_who_at ON hand (who, at, id, wins, seat, place);
CREATE TABLE outcome (
    outcome TEXT NOT NULL, at TEXT NOT NULL, id INTEGER NOT NULL, wins INTEGER NOT NULL,
    seat INTEGER NOT NULL, place TEXT NOT NULL, PRIMARY KEY (outcome, id)
) WITHOUT ROWID;
CREATE INDEX outcome_at ON outcome (outcome, at, id, wins, seat, place);
CREATE INDEX outcome_wins ON outcome (outcome, wins, at, id, seat, place);
PRAGMA user_version = {FORMAT};
COMMIT;
"""
_CACHE = "PRAGMA cache_size = -64000;"  # Kilobytes: indexing a large ledger takes long at first.
_COLUMNS = "round, hand.place, hand.at, hand.seat, player, staked, hand.wins, net, ending"


class RoundQuery(NamedTuple):
    """Search criteria; None matches anything."""

    table: str | None = None
    within: Interval = ALL_TIME
    seat: int | None = None
    player: str | None = None
    won_min: Cents | None = None
    won_max: Cents | None = None
    outcome: str | None = None


class FoundRound(NamedTuple):
    """A seat's hand in a round; explanation and replay are read from the ledger."""

    round: str
    table: str
    at: str
    seat: int
    player: str
    staked: Cents
    wins: Cents
    net: Cents
    result: str

    def document(self) -> Json:
        """The hand as JSON."""
        amounts = {name: money(getattr(self, name)) for name in ("staked", "wins", "net")}
        return {**self._asdict(), **amounts}


class RoundIndex:
    """A search index of one house, in its own file."""

    def __init__(self, path: Path) -> None:
        self._path, self._turn = path, Lock()

    def catch_up(self, ledger: Ledger) -> None:
        """Index new ledger entries; the first time, all of them."""
        with self._turn, closing(self.connect()) as index, ledger.snapshot() as snapshot:
            last_read = dict(index.execute("SELECT stream, seq FROM upto"))
            known_units = {place for (place,) in index.execute("SELECT place FROM unit")}
            for span in snapshot.spans(ALL_TIME, Streams(prefixes=(TABLE,))):
                if span.stream.removeprefix(TABLE) not in known_units:
                    self._name(index, snapshot, span)
                first_seq = last_read.get(span.stream, 0) + 1
                if first_seq <= span.last:
                    self._index_span(index, snapshot, span._replace(first=first_seq))

    def find(
        self,
        wanted: RoundQuery,
        count: int = PAGE_SIZE,
        *,
        skip: int = 0,
        excluded_tables: Collection[str] = (),
    ) -> list[FoundRound]:
        """Matching hands, newest first, or largest win first if an amount is given.

        `excluded_tables`: tables to leave out.
        """
        with closing(self.connect()) as index:
            query, parameters = _build_query(index, wanted, excluded_tables)
            rows = index.execute(f"{query} LIMIT ? OFFSET ?", (*parameters, count, skip)).fetchall()
        return [FoundRound._make(row) for row in rows]

    def units(self) -> dict[str, str]:
        """The unit of each table by name."""
        with closing(self.connect()) as index:
            return dict(index.execute("SELECT place, unit FROM unit"))

    def outcomes(self) -> list[str]:
        """Every outcome on record."""
        with closing(self.connect()) as index:
            return [outcome for (outcome,) in index.execute(_OUTCOMES)]

    def add(self, index: sqlite3.Connection, at: str, table: str, report: Json, round: str) -> None:
        """Index one round, seat by seat."""
        for hand, outcomes in hands_of(at, table, report, round):
            hand_id = index.execute(_HAND, hand).lastrowid
            place = (at, hand_id, hand[7], hand[3], table)
            index.executemany(_OUTCOME, [(outcome, *place) for outcome in outcomes])

    def _name(self, index: sqlite3.Connection, snapshot: Snapshot, span: Span) -> None:
        """Read a table's unit from its first entry; it never changes."""
        with index:
            for entry in snapshot.entries(span.upto(1)):
                for fact in FACTS.load_kind(entry, facts.TableOpened):
                    index.execute(_UNIT, (span.stream.removeprefix(TABLE), fact.unit))

    def _index_span(self, index: sqlite3.Connection, snapshot: Snapshot, span: Span) -> None:
        with index:
            for at, fact in _settled_rounds(snapshot, span):
                self.add(index, at, span.stream.removeprefix(TABLE), fact.report, fact.round)
            index.execute(_UPTO, (span.stream, span.last))

    def connect(self) -> sqlite3.Connection:
        """A connection to the index; creates it if it is missing or has another format."""
        is_new = not self._path.exists()
        index = sqlite3.connect(self._path)
        if is_new:
            self._path.chmod(0o600)
        index.executescript(f"PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; {_CACHE}")
        if index.execute("PRAGMA user_version").fetchone() != (FORMAT,):
            index.executescript(_SCHEMA)
        return index


_HAND = "INSERT OR REPLACE INTO hand VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_OUTCOME = "INSERT OR IGNORE INTO outcome VALUES (?, ?, ?, ?, ?, ?)"
_HAD = "EXISTS (SELECT 1 FROM outcome WHERE outcome = ? AND outcome.id = hand.id)"
_UNIT = "INSERT OR REPLACE INTO unit VALUES (?, ?)"
_UPTO = "INSERT OR REPLACE INTO upto VALUES (?, ?)"
# Jumps from one outcome to the next instead of scanning all hands.
_OUTCOMES = """
WITH RECURSIVE each (one) AS (
    SELECT min(outcome) FROM outcome
    UNION ALL SELECT (SELECT min(outcome) FROM outcome WHERE outcome > one) FROM each
    WHERE one IS NOT NULL
) SELECT one FROM each WHERE one IS NOT NULL
"""


def _settled_rounds(snapshot: Snapshot, span: Span) -> Iterator[tuple[str, facts.Settled]]:
    for entry in snapshot.entries(span, fact_patterns(*FACTS.names(facts.Settled))):
        yield from ((entry.at, fact) for fact in FACTS.load_kind(entry, facts.Settled))


def hands_of(
    at: str, table: str, report: Json, round: str
) -> Iterator[tuple[tuple[str | int, ...], set[str]]]:
    """A settled round as index rows: each seat's hand and its outcomes."""
    for seat in report["seats"]:
        result = hand_result(report["result"], [line["result"] for line in seat["lines"]])
        hand = (
            *(round, table, at, seat["seat"], seat["player"], name_key(seat["player"])),
            sum(dollars(line["stake"]) for line in seat["lines"]),
            *(_cents(seat["wins"]), _cents(seat["net"]), result),
        )
        yield hand, {line["outcome"] for line in seat["lines"] if line["outcome"]}


def _build_query(
    index: sqlite3.Connection, wanted: RoundQuery, excluded_tables: Collection[str]
) -> tuple[str, list[str | int]]:
    """The query over the index that scans the fewest hands, and its parameters."""
    by_amount = wanted.won_min is not None or wanted.won_max is not None
    name = _narrow_index(index, wanted)
    source = "hand" if wanted.outcome is None or name else "outcome"
    if name is None:
        place = "_place" if source == "hand" and wanted.table is not None else ""
        name = f"{source}{place}_{'wins' if by_amount else 'at'}"
    condition, parameters = _sql_conditions(wanted, source, excluded_tables)
    joined = " CROSS JOIN hand ON hand.id = outcome.id" if source == "outcome" else ""
    order = ", ".join(f"{source}.{column} DESC" for column in [*["wins"] * by_amount, "at", "id"])
    query = f"SELECT {_COLUMNS} FROM {source} INDEXED BY {name}{joined}{condition}"  # noqa: S608  Ours.
    return f"{query} ORDER BY {order}", parameters


def _narrow_index(index: sqlite3.Connection, query: RoundQuery) -> str | None:
    """An index with so few hands that all can be scanned, or None."""
    within = query.within
    if query.player is not None:
        return "hand_who_at"
    if query.seat is not None and _are_few(index, "seat = ?", query.seat):
        return "hand_seat_at"
    if within.start is None or within.end is None:
        return None
    return "hand_at" if _are_few(index, "at >= ? AND at < ?", within.start, within.end) else None


def _are_few(index: sqlite3.Connection, condition: str, *parameters: str | int) -> bool:
    query = f"SELECT count(*) FROM (SELECT 1 FROM hand WHERE {condition} LIMIT ?)"  # noqa: S608  Ours.
    return int(index.execute(query, (*parameters, FEW_HANDS + 1)).fetchone()[0]) <= FEW_HANDS


def _sql_conditions(
    query: RoundQuery, source: str, excluded_tables: Collection[str]
) -> tuple[str, list[str | int]]:
    name_key_wanted = None if query.player is None else name_key(query.player)
    conditions: list[tuple[str, str | int | None]] = [
        ("outcome = ?" if source == "outcome" else _HAD, query.outcome),
        (f"{source}.place = ?", query.table),
        (f"{source}.seat = ?", query.seat),
        ("who = ?", name_key_wanted),
        (f"{source}.wins >= ?", query.won_min),
        (f"{source}.wins <= ?", query.won_max),
        (f"{source}.at >= ?", query.within.start),
        (f"{source}.at < ?", query.within.end),
    ]
    bound = [(text, value) for text, value in conditions if value is not None]
    texts = [text for text, _ in bound]
    texts += (
        [f"{source}.place NOT IN ({', '.join('?' * len(excluded_tables))})"]
        if excluded_tables
        else []
    )
    condition = f" WHERE {' AND '.join(texts)}" if texts else ""
    return condition, [*(value for _, value in bound), *excluded_tables]


def _cents(amount: str) -> int:
    return -dollars(amount[1:]) if amount.startswith("-") else dollars(amount)
