"""Index of hands beside the ledger: search by table, time, seat, player, amount or outcome."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterator
from contextlib import closing
from pathlib import Path
from threading import Lock
from typing import NamedTuple

from pitbook.house.ledger.codec import Json
from pitbook.house.ledger.journal import Ledger
from pitbook.house.ledger.queries import ALWAYS, Interval, Snapshot, Span, Streams, kinds
from pitbook.house.people.names import name_key
from pitbook.house.table import facts
from pitbook.house.table.facts import FACTS
from pitbook.house.table.streams import TABLE
from pitbook.money import Cents, dollars, money
from pitbook.rules.report import hand_result

FILE, FORMAT = "rounds.index", 3
PAGE = 50
FEW = 20_000
# Whatever may be asked for stands in each way through the hands: those that do not fit are passed
# over without a look at the hand itself, so that even what nothing fits is soon answered.
_MADE = f"""
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
_CACHE = "PRAGMA cache_size = -64000;"  # Kilobytes: the first reading of a large book is long.
_COLUMNS = "round, hand.place, hand.at, hand.seat, player, staked, hand.wins, net, ending"


class Wanted(NamedTuple):
    """What is asked for; whatever is left out may be anything."""

    table: str | None = None
    within: Interval = ALWAYS
    seat: int | None = None
    player: str | None = None
    won_min: Cents | None = None
    won_max: Cents | None = None
    outcome: str | None = None


class FoundRound(NamedTuple):
    """A seat's hand in a round; its explanation and its replay are read from the book."""

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
    """The index of one house, in a file of its own."""

    def __init__(self, path: Path) -> None:
        self._path, self._turn = path, Lock()

    def catch_up(self, ledger: Ledger) -> None:
        """Take in what the book has got since; the first time, all of it."""
        with self._turn, closing(self.opened()) as index, ledger.moment() as book:
            known = dict(index.execute("SELECT stream, seq FROM upto"))
            named = {place for (place,) in index.execute("SELECT place FROM unit")}
            for span in book.spans(ALWAYS, Streams(beginning=(TABLE,))):
                if span.stream.removeprefix(TABLE) not in named:
                    self._name(index, book, span)
                first = known.get(span.stream, 0) + 1
                if first <= span.last:
                    self._take(index, book, span._replace(first=first))

    def find(
        self, wanted: Wanted, count: int = PAGE, *, skip: int = 0, apart: Collection[str] = ()
    ) -> list[FoundRound]:
        """Hands that fit, newest first; where an amount is asked for, the largest win first.

        `apart`: not at these tables.
        """
        with closing(self.opened()) as index:
            asked, given = _question(index, wanted, apart)
            rows = index.execute(f"{asked} LIMIT ? OFFSET ?", (*given, count, skip)).fetchall()
        return [FoundRound._make(row) for row in rows]

    def units(self) -> dict[str, str]:
        """What each table is played for, by its name."""
        with closing(self.opened()) as index:
            return dict(index.execute("SELECT place, unit FROM unit"))

    def outcomes(self) -> list[str]:
        """Every outcome that a hand ever had."""
        with closing(self.opened()) as index:
            return [one for (one,) in index.execute(_OUTCOMES)]

    def add(self, index: sqlite3.Connection, at: str, table: str, report: Json, round: str) -> None:
        """One round, seat by seat."""
        for hand, named in hands_of(at, table, report, round):
            made = index.execute(_HAND, hand).lastrowid
            where = (at, made, hand[7], hand[3], table)
            index.executemany(_OUTCOME, [(one, *where) for one in named])

    def _name(self, index: sqlite3.Connection, book: Snapshot, span: Span) -> None:
        """What a table is played for stands in its first entry, and stays."""
        with index:
            for entry in book.entries(span.upto(1)):
                for fact in FACTS.load_kind(entry, facts.TableOpened):
                    index.execute(_UNIT, (span.stream.removeprefix(TABLE), fact.unit))

    def _take(self, index: sqlite3.Connection, book: Snapshot, span: Span) -> None:
        with index:
            for at, fact in _settled(book, span):
                self.add(index, at, span.stream.removeprefix(TABLE), fact.report, fact.round)
            index.execute(_UPTO, (span.stream, span.last))

    def opened(self) -> sqlite3.Connection:
        """The index to be read or written; made where there is none, or one of another form."""
        fresh = not self._path.exists()
        index = sqlite3.connect(self._path)
        if fresh:
            self._path.chmod(0o600)
        index.executescript(f"PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; {_CACHE}")
        if index.execute("PRAGMA user_version").fetchone() != (FORMAT,):
            index.executescript(_MADE)
        return index


_HAND = "INSERT OR REPLACE INTO hand VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_OUTCOME = "INSERT OR IGNORE INTO outcome VALUES (?, ?, ?, ?, ?, ?)"
_HAD = "EXISTS (SELECT 1 FROM outcome WHERE outcome = ? AND outcome.id = hand.id)"
_UNIT = "INSERT OR REPLACE INTO unit VALUES (?, ?)"
_UPTO = "INSERT OR REPLACE INTO upto VALUES (?, ?)"
# From one to the next, and not through all hands.
_OUTCOMES = """
WITH RECURSIVE each (one) AS (
    SELECT min(outcome) FROM outcome
    UNION ALL SELECT (SELECT min(outcome) FROM outcome WHERE outcome > one) FROM each
    WHERE one IS NOT NULL
) SELECT one FROM each WHERE one IS NOT NULL
"""


def _settled(book: Snapshot, span: Span) -> Iterator[tuple[str, facts.Settled]]:
    for entry in book.entries(span, kinds(*FACTS.names(facts.Settled))):
        yield from ((entry.at, fact) for fact in FACTS.load_kind(entry, facts.Settled))


def hands_of(
    at: str, table: str, report: Json, round: str
) -> Iterator[tuple[tuple[str | int, ...], set[str]]]:
    """A settled round as the index has it: each seat's hand, and the outcomes that it had."""
    for seat in report["seats"]:
        result = hand_result(report["result"], [line["result"] for line in seat["lines"]])
        hand = (
            *(round, table, at, seat["seat"], seat["player"], name_key(seat["player"])),
            sum(dollars(line["stake"]) for line in seat["lines"]),
            *(_cents(seat["wins"]), _cents(seat["net"]), result),
        )
        yield hand, {line["outcome"] for line in seat["lines"] if line["outcome"]}


def _question(
    index: sqlite3.Connection, wanted: Wanted, apart: Collection[str]
) -> tuple[str, list[str | int]]:
    """What is asked of the index, by the way that passes the fewest hands; and what is given."""
    by_amount = wanted.won_min is not None or wanted.won_max is not None
    name = _narrow(index, wanted)
    way = "hand" if wanted.outcome is None or name else "outcome"
    if name is None:
        place = "_place" if way == "hand" and wanted.table is not None else ""
        name = f"{way}{place}_{'wins' if by_amount else 'at'}"
    where, given = _conditions(wanted, way, apart)
    joined = " CROSS JOIN hand ON hand.id = outcome.id" if way == "outcome" else ""
    order = ", ".join(f"{way}.{one} DESC" for one in [*["wins"] * by_amount, "at", "id"])
    asked = f"SELECT {_COLUMNS} FROM {way} INDEXED BY {name}{joined}{where}"  # noqa: S608  Ours.
    return f"{asked} ORDER BY {order}", given


def _narrow(index: sqlite3.Connection, wanted: Wanted) -> str | None:
    """A way on which so few hands lie that all of them can be looked at, where there is one."""
    within = wanted.within
    if wanted.player is not None:
        return "hand_who_at"
    if wanted.seat is not None and _are_few(index, "seat = ?", wanted.seat):
        return "hand_seat_at"
    if within.start is None or within.end is None:
        return None
    return "hand_at" if _are_few(index, "at >= ? AND at < ?", within.start, within.end) else None


def _are_few(index: sqlite3.Connection, where: str, *given: str | int) -> bool:
    asked = f"SELECT count(*) FROM (SELECT 1 FROM hand WHERE {where} LIMIT ?)"  # noqa: S608  Ours.
    return int(index.execute(asked, (*given, FEW + 1)).fetchone()[0]) <= FEW


def _conditions(wanted: Wanted, way: str, apart: Collection[str]) -> tuple[str, list[str | int]]:
    who = None if wanted.player is None else name_key(wanted.player)
    asked: list[tuple[str, str | int | None]] = [
        ("outcome = ?" if way == "outcome" else _HAD, wanted.outcome),
        (f"{way}.place = ?", wanted.table),
        (f"{way}.seat = ?", wanted.seat),
        ("who = ?", who),
        (f"{way}.wins >= ?", wanted.won_min),
        (f"{way}.wins <= ?", wanted.won_max),
        (f"{way}.at >= ?", wanted.within.start),
        (f"{way}.at < ?", wanted.within.end),
    ]
    given = [(text, value) for text, value in asked if value is not None]
    texts = [text for text, _ in given]
    texts += [f"{way}.place NOT IN ({', '.join('?' * len(apart))})"] if apart else []
    where = f" WHERE {' AND '.join(texts)}" if texts else ""
    return where, [*(value for _, value in given), *apart]


def _cents(amount: str) -> int:
    return -dollars(amount[1:]) if amount.startswith("-") else dollars(amount)
