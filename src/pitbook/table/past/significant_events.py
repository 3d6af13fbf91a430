"""What somebody answers for: each change of rules, money or people with before, after and why."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from pitbook.ledger.batch import TAKEN_OVER
from pitbook.ledger.book import Ledger
from pitbook.ledger.chain import Entry, Fact
from pitbook.ledger.interval import Interval
from pitbook.ledger.movements import held_in
from pitbook.ledger.questions import Moment, Span, Streams, kinds
from pitbook.money import dollars, money
from pitbook.table.acts.taken_back import short_at
from pitbook.table.facts import Json
from pitbook.table.limits import changed, only_limits_differ
from pitbook.table.model import game_of
from pitbook.table.seen.events import sheet_named
from pitbook.table.streams import TABLE

__all__ = ["Significant", "significant"]


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


@dataclass
class _Known:
    """An entry of a table, and what went before it."""

    book: Moment
    span: Span
    entry: Entry
    racks: dict[str, tuple[int, int]] = field(default_factory=dict)

    def before(self, *told: str, newest: int = 1) -> Iterator[Fact]:
        """The facts of some kinds up to this entry, newest first, of so many entries."""
        upto = self.span.upto(self.entry.seq)
        for entry in self.book.newest(upto, kinds(*told), newest):
            yield from (fact for fact in reversed(entry.facts) if fact["fact"] in told)

    @property
    def rack(self) -> int:
        """What the table's rack held before the entry; each is reckoned on from the last."""
        seq, held = self.racks.get(self.span.stream, (0, 0))
        held += held_in(self.book, "rack", self.span, first=seq, before=self.entry.seq)
        self.racks[self.span.stream] = self.entry.seq, held
        return held


def significant(ledger: Ledger, within: Interval) -> list[Significant]:
    """The significant events of an interval, in order of time; practice is not on record for it."""
    with ledger.moment() as book:
        found = list(_found(book, within))
    return sorted(found, key=lambda one: (one.at, one.stream, one.seq))


def _found(book: Moment, within: Interval) -> Iterator[Significant]:
    racks: dict[str, tuple[int, int]] = {}
    for span in book.spans(within, Streams(names=ELSEWHERE, beginning=(TABLE,))):
        if span.stream in ELSEWHERE:
            for entry in book.entries(span):
                yield from filter(None, (_elsewhere(entry, fact) for fact in entry.facts))
            continue
        for entry in book.entries(span, _WORDS):
            known = _Known(book, span, entry, racks)
            yield from filter(None, (_told(known, fact) for fact in entry.facts))


def _told(known: _Known, fact: Fact) -> Significant | None:
    entry = known.entry
    tell = _TELLERS.get(fact["fact"])
    told = None if tell is None else tell(known, fact)
    if told is None:
        return None
    what, before, after, why = told
    opened = known.before("round-opened") if what in _OF_A_ROUND else iter(())
    round = next((str(one["round"]) for one in opened), None)
    why = _asked_why(entry) or why
    return Significant(
        entry.at, entry.stream, entry.seq, entry.actor, what, before, after, why, round
    )


def _asked_why(entry: Entry) -> str | None:
    """The reason that somebody gave with the request."""
    if entry.body is None:
        return None
    asked = json.loads(entry.body)
    command = asked[-1] if isinstance(asked, list) else {}
    return command.get("why") if isinstance(command, dict) else None


Told = tuple[str, Json | None, Json | None, str | None]


def _opened(known: _Known, fact: Fact) -> Told:
    after = {key: fact[key] for key in ("kind", "unit", "clocks", "coach")}
    return "table-opened", None, {"sheet": sheet_named(fact["sheet"]), **after}, None


def _sheet_changed(known: _Known, fact: Fact) -> Told:
    """Other rules, or the same with other limits."""
    kept = [one["sheet"] for one in known.before("table-opened", "sheet-changed", newest=2)]
    was = kept[kept.index(fact["sheet"]) + 1] if fact["sheet"] in kept else fact["sheet"]
    old, new = game_of(was).sheet, game_of(fact["sheet"]).sheet
    limits, bounds = changed(old, new)
    before: Json = {"sheet": sheet_named(was), **({"limits": limits} if limits else {})}
    after: Json = {"sheet": sheet_named(fact["sheet"]), **({"limits": bounds} if bounds else {})}
    what = "limits-changed" if only_limits_differ(old, new) else "sheet-changed"
    return what, before, after, None


def _retired(known: _Known, fact: Fact) -> Told:
    return "retired", {"rack": fact["rack"]}, {"rack": money(0)}, None


def _fill(known: _Known, fact: Fact) -> Told:
    rack, amount = known.rack, dollars(fact["amount"])
    return "fill", {"rack": money(rack)}, {"rack": money(rack + amount)}, fact["why"]


def _credit(known: _Known, fact: Fact) -> Told:
    rack, amount = known.rack, dollars(fact["amount"])
    return "credit", {"rack": money(rack)}, {"rack": money(rack - amount)}, None


def _switch(name: str, key: str) -> Callable[[_Known, Fact], Told]:
    return lambda known, fact: (name, {key: not fact[key]}, {key: fact[key]}, None)


def _corrected(known: _Known, fact: Fact) -> Told:
    where = {"place": fact["place"], "number": fact["number"]}
    before, after = where | {"card": fact["was"]}, where | {"card": fact["card"]}
    return "corrected", before, after, fact["why"]


def _taken_back(known: _Known, fact: Fact) -> Told:
    """What was settled and is not any longer; what a player had no more is the house's loss."""
    before = {"settled": list(fact["lines"])}
    return "taken-back", before, {"anew": fact["anew"], "short": money(short_at(fact))}, None


def _interrupted(known: _Known, fact: Fact) -> Told:
    return "interrupted", None, {"asked": fact["awaiting"]}, fact["why"]


def _resumed(known: _Known, fact: Fact) -> Told:
    return "resumed", None, None, fact["why"]


def _acted(known: _Known, fact: Fact) -> Told | None:
    """Only what the floor stepped in for."""
    action = dict(fact["action"])
    if (what := action.pop("do")) not in MISHAPS:
        return None
    reason = action.get("reason") if what == "void-hand" else action.pop("reason", None)
    why = reason or action.pop("breach", None)
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
    if fact["fact"] in _NO_EVENT:
        return None
    shown = {key: value for key, value in fact.items() if key not in SECRET}
    why = shown.pop("why", None)
    before: Json | None = None
    if "before" in shown:
        before = {"role": shown.pop("before")}
    elif "was" in shown:  # Of a game or a player that the pit shut or opened: why it was shut.
        before = shown | {"disabled": shown["was"]}
        shown |= {"disabled": why if fact["fact"].endswith("-disabled") else None}
        del before["was"], shown["was"]
    return Significant(
        entry.at, entry.stream, entry.seq, entry.actor, fact["fact"], before, shown, why
    )


MISHAPS = ("misdeal", "void-hand", "expose", "fouled", "warn")
SECRET = ("fact", "format", "hash", "token", "nonce", "sealed")
_OF_A_ROUND = ("corrected", "interrupted", "taken-back", *MISHAPS)
_TELLERS: dict[str, Callable[[_Known, Fact], Told | None]] = {
    "table-opened": _opened,
    "sheet-changed": _sheet_changed,
    "retired": _retired,
    "fill": _fill,
    "credit": _credit,
    "coach": _switch("coach", "on"),
    "shuffler": _switch("shuffler", "working"),
    "corrected": _corrected,
    "taken-back": _taken_back,
    "interrupted": _interrupted,
    "resumed": _resumed,
    "acted": _acted,
    TAKEN_OVER: _taken_over,
}


_WORDS = kinds(*(kind for kind in _TELLERS if kind != "acted"))
_WORDS += [f'"do":"{kind}"' for kind in MISHAPS]
ELSEWHERE = ("cage", "people", "persons", "pit")
_NO_EVENT = (TAKEN_OVER, "kept", "named", "taken-up")  # That somebody is known by a name is none.
