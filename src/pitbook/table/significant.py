"""What somebody answers for: each change of rules, money or people with before, after and why."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from sqlalchemy import Connection, and_, func, or_, select
from sqlalchemy.exc import SQLAlchemyError

from pitbook.errors import LedgerError
from pitbook.ledger import schema
from pitbook.ledger.batch import TAKEN_OVER
from pitbook.ledger.book import Ledger
from pitbook.ledger.chain import Entry, Fact
from pitbook.ledger.database import cause, reading
from pitbook.ledger.interval import Interval
from pitbook.money import dollars, money
from pitbook.table.events import sheet_named
from pitbook.table.facts import Json
from pitbook.table.house import TABLE

__all__ = ["Significant", "significant"]

PAGE = 5_000
_S, _E, _P, _A = schema.stream.c, schema.entry.c, schema.posting.c, schema.account.c


class Significant(NamedTuple):
    """One significant event."""

    at: str
    stream: str
    seq: int
    who: str
    what: str
    before: Json | None
    after: Json | None
    why: str | None
    round: str | None = None

    def document(self) -> Json:
        """The event as JSON."""
        return self._asdict()


class _Known(NamedTuple):
    """What is known of a table by then."""

    connection: Connection
    entry: Entry
    sheet: Json | None = None


def significant(ledger: Ledger, within: Interval) -> list[Significant]:
    """The significant events of an interval, in order of time; practice is not on record for it."""
    try:
        with reading(ledger.engine).connect() as connection:
            found = list(_found(connection, within))
    except SQLAlchemyError as error:
        raise LedgerError(f"the book cannot be read: {cause(error)}") from error
    return sorted(found, key=lambda one: (one.at, one.stream, one.seq))


def _found(connection: Connection, within: Interval) -> Iterator[Significant]:
    sheets: dict[str, Json] = {}
    for entry in _entries(connection, within):
        is_within = within.place(entry.at) == 0
        for fact in entry.facts:
            known = _Known(connection, entry, sheets.get(entry.stream))
            if is_within and (told := _told(known, fact)) is not None:
                yield told
            if fact["fact"] in ("table-opened", "sheet-changed"):
                sheets[entry.stream] = fact["sheet"]


def _told(known: _Known, fact: Fact) -> Significant | None:
    entry = known.entry
    if not entry.stream.startswith(TABLE):
        return _elsewhere(entry, fact)
    if (tell := _TELLERS.get(fact["fact"])) is None:
        return None
    told = tell(known, fact)
    if told is None:
        return None
    what, before, after, why = told
    round = _round(known) if what in _OF_A_ROUND else None
    return Significant(
        entry.at, entry.stream, entry.seq, entry.actor, what, before, after, why, round
    )


Told = tuple[str, Json | None, Json | None, str | None]


def _opened(known: _Known, fact: Fact) -> Told:
    after = {key: fact[key] for key in ("kind", "unit", "clocks", "coach")}
    return "table-opened", None, {"sheet": sheet_named(fact["sheet"]), **after}, None


def _sheet_changed(known: _Known, fact: Fact) -> Told:
    before = sheet_named(known.sheet) if known.sheet else None
    return "sheet-changed", {"sheet": before}, {"sheet": sheet_named(fact["sheet"])}, None


def _retired(known: _Known, fact: Fact) -> Told:
    return "retired", {"rack": fact["rack"]}, {"rack": money(0)}, None


def _fill(known: _Known, fact: Fact) -> Told:
    rack, amount = _rack(known), dollars(fact["amount"])
    return "fill", {"rack": money(rack)}, {"rack": money(rack + amount)}, fact["why"]


def _credit(known: _Known, fact: Fact) -> Told:
    rack, amount = _rack(known), dollars(fact["amount"])
    return "credit", {"rack": money(rack)}, {"rack": money(rack - amount)}, None


def _switch(name: str, key: str) -> Callable[[_Known, Fact], Told]:
    return lambda known, fact: (name, {key: not fact[key]}, {key: fact[key]}, None)


def _corrected(known: _Known, fact: Fact) -> Told:
    where = {"place": fact["place"], "number": fact["number"]}
    before, after = where | {"card": fact["was"]}, where | {"card": fact["card"]}
    return "corrected", before, after, fact["why"]


def _interrupted(known: _Known, fact: Fact) -> Told:
    return "interrupted", None, {"asked": fact["awaiting"]}, fact["why"]


def _resumed(known: _Known, fact: Fact) -> Told:
    return "resumed", None, None, fact["why"]


def _acted(known: _Known, fact: Fact) -> Told | None:
    """Only what the floor stepped in for."""
    action = dict(fact["action"])
    if (what := action.pop("do")) not in MISHAPS:
        return None
    why = action.pop("reason", None) or action.pop("breach", None)
    moved: dict[str, int] = {}
    for one in known.entry.transfers:
        if one.debit.kind == "held":
            to = {"wallet": "returned", "rack": "taken"}.get(one.credit.kind, one.credit.kind)
            moved[to] = moved.get(to, 0) + one.amount
    before = {"held": money(sum(moved.values()))} if moved else None
    return what, before, {**action, **{to: money(sum_) for to, sum_ in moved.items()}}, why


def _taken_over(known: _Known, fact: Fact) -> Told | None:
    """The first claim of a stream is its beginning."""
    if fact["epoch"] == 1:
        return None
    return "taken-over", {"epoch": fact["epoch"] - 1}, {"epoch": fact["epoch"]}, None


def _elsewhere(entry: Entry, fact: Fact) -> Significant | None:
    """Cage, people and pit: every fact is one, without what is nobody's to read."""
    if fact["fact"] in (TAKEN_OVER, "kept"):
        return None
    shown = {key: value for key, value in fact.items() if key not in SECRET}
    before = {"role": shown.pop("before")} if "before" in shown else None
    why = shown.pop("why", None)
    return Significant(
        entry.at, entry.stream, entry.seq, entry.actor, fact["fact"], before, shown, why
    )


MISHAPS = ("misdeal", "void-hand", "expose", "fouled", "warn")
SECRET = ("fact", "format", "hash", "token", "nonce", "sealed")
_OF_A_ROUND = ("corrected", "interrupted", *MISHAPS)
_TELLERS: dict[str, Callable[[_Known, Fact], Told | None]] = {
    "table-opened": _opened,
    "sheet-changed": _sheet_changed,
    "retired": _retired,
    "fill": _fill,
    "credit": _credit,
    "coach": _switch("coach", "on"),
    "shuffler": _switch("shuffler", "working"),
    "corrected": _corrected,
    "interrupted": _interrupted,
    "resumed": _resumed,
    "acted": _acted,
    TAKEN_OVER: _taken_over,
}


def _entries(connection: Connection, within: Interval) -> Iterator[Entry]:
    """The entries that may hold one, from the beginning: what went before says what changed."""
    words = [f'"fact":"{kind}"' for kind in _TELLERS if kind != "acted"]
    words += [f'"do":"{kind}"' for kind in MISHAPS]
    here = and_(
        _S.name.startswith(TABLE, autoescape=True), or_(*(_E.content.contains(w) for w in words))
    )
    columns: list[Any] = [_S.name if one == "stream" else _E[one] for one in Entry._fields]
    asked = (
        select(*columns)
        .join(schema.stream, _S.id == _E.stream)
        .where(or_(here, _S.name.in_(ELSEWHERE)))
        .order_by(_S.name, _E.seq)
        .execution_options(yield_per=PAGE)
    )
    if within.end is not None:
        asked = asked.where(_E.at < within.end)
    return (Entry._make(row) for row in connection.execute(asked))


ELSEWHERE = ("cage", "people", "pit")


def _rack(known: _Known) -> int:
    """What the table's rack held before an entry."""
    entry = known.entry
    asked = (
        select(func.coalesce(func.sum(_P.amount), 0))
        .join(schema.account, _A.id == _P.account)
        .join(schema.stream, _S.id == _P.stream)
        .where(_S.name == entry.stream, _P.seq < entry.seq, _A.kind == "rack")
    )
    return int(known.connection.execute(asked).scalar_one())


def _round(known: _Known) -> str | None:
    """The id of the round that was on the layout."""
    entry = known.entry
    asked = (
        select(_E.content)
        .join(schema.stream, _S.id == _E.stream)
        .where(_S.name == entry.stream, _E.seq <= entry.seq)
        .where(_E.content.contains('"fact":"round-opened"'))
        .order_by(_E.seq.desc())
        .limit(1)
    )
    for (content,) in known.connection.execute(asked):
        facts = entry._replace(content=content).facts
        return str(next(one["round"] for one in reversed(facts) if one["fact"] == "round-opened"))
    return None
