"""Significant events: each change of rules, money or people with before, after and reason."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from pitbook.cards import name
from pitbook.house.ledger.accounts import changes
from pitbook.house.ledger.batch import TAKEN_OVER
from pitbook.house.ledger.chain import Entry
from pitbook.house.ledger.codec import Fact, Json
from pitbook.house.ledger.journal import Ledger
from pitbook.house.ledger.movements import held_in
from pitbook.house.ledger.queries import Interval, Snapshot, Span, Streams, having
from pitbook.house.ledger.queries import kinds as words
from pitbook.house.table import facts
from pitbook.house.table.events import sheet_id
from pitbook.house.table.facts import FACTS, reason_text, shortfall
from pitbook.house.table.limits import caps_of, changed_limits, only_limits_differ
from pitbook.house.table.state import game_of
from pitbook.house.table.streams import TABLE
from pitbook.money import money
from pitbook.rules import actions
from pitbook.rules.actions import format_place
from pitbook.rules.stored import KINDS, encode

ChangeTold = tuple[str, Json | None, Json | None, str | None]  # What, before, after, why.


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

    book: Snapshot
    span: Span
    entry: Entry
    racks: dict[str, tuple[int, int]] = field(default_factory=dict)
    filled: int = 0  # Fills of the entry that were told.

    def before(self, *kinds: type, newest: int = 1) -> Iterator[Any]:
        """The facts of some kinds up to this entry, newest first, of so many entries."""
        upto = self.span.upto(self.entry.seq)
        for entry in self.book.newest(upto, words(*FACTS.names(*kinds)), newest):
            told = reversed(FACTS.load_entry(entry))
            yield from (fact for fact in told if isinstance(fact, kinds))

    @property
    def rack(self) -> int:
        """What the table's rack held before the entry; each is reckoned on from the last."""
        seq, held = self.racks.get(self.span.stream, (0, 0))
        held += held_in(self.book, "rack", self.span, first=seq, before=self.entry.seq)
        self.racks[self.span.stream] = self.entry.seq, held
        return held

    def rack_at_fill(self) -> int:
        """What the rack held at the next fill of the entry, which may pay between two of them."""
        held, left = self.rack, self.filled
        self.filled += 1
        for transfer in self.entry.transfers:
            moved = {account.kind: change for account, change in changes(transfer)}
            if "house" in moved and moved.get("rack", 0) > 0:
                if not left:
                    break
                left -= 1
            held += moved.get("rack", 0)
        return held


def significant(ledger: Ledger, within: Interval) -> list[Significant]:
    """The significant events of an interval, in order of time; practice is not on record for it."""
    with ledger.moment() as book:
        found = list(_found(book, within))
    return sorted(found, key=lambda one: (one.at, one.stream, one.seq))


def _found(book: Snapshot, within: Interval) -> Iterator[Significant]:
    racks: dict[str, tuple[int, int]] = {}
    for span in book.spans(within, Streams(names=ELSEWHERE, beginning=(TABLE,))):
        if span.stream in ELSEWHERE:
            for entry in book.entries(span):
                yield from filter(None, (_elsewhere(entry, fact) for fact in entry.facts))
            continue
        for entry in book.entries(span, _WORDS):
            known = _Known(book, span, entry, racks)
            claims = (_taken_over(one) for one in entry.facts if one["fact"] == TAKEN_OVER)
            others = (_said(known, fact) for fact in FACTS.load_entry(entry))
            yield from (_told(known, one) for one in (*claims, *others) if one is not None)


def _said(known: _Known, fact: Fact) -> ChangeTold | None:
    tell = _TELLERS.get(type(fact))
    return None if tell is None else tell(known, fact)


def _told(known: _Known, told: ChangeTold) -> Significant:
    entry = known.entry
    what, before, after, why = told
    opened = known.before(facts.RoundOpened) if what in _OF_A_ROUND else iter(())
    round: str | None = next((one.round for one in opened), None)
    why = _asked_why(entry) or why
    why = why and reason_text(why)
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


def _opened(known: _Known, fact: facts.TableOpened) -> ChangeTold:
    after = {key: getattr(fact, key) for key in ("kind", "unit", "clocks", "coach")}
    return "table-opened", None, {"sheet": sheet_id(fact.sheet), **after}, None


def _sheet_changed(known: _Known, fact: facts.SheetChanged) -> ChangeTold:
    """Other rules, or the same with other limits."""
    rules = (facts.TableOpened, facts.SheetChanged)
    kept = [one.sheet for one in known.before(*rules, newest=2)]
    was = kept[kept.index(fact.sheet) + 1] if fact.sheet in kept else fact.sheet
    old, new = game_of(was).sheet, game_of(fact.sheet).sheet
    limits, bounds = changed_limits(old, new)
    before: Json = {"sheet": sheet_id(was), **({"limits": limits} if limits else {})}
    after: Json = {"sheet": sheet_id(fact.sheet), **({"limits": bounds} if bounds else {})}
    if caps_of(old) != caps_of(new):
        before["caps"], after["caps"] = caps_of(old), caps_of(new)
    what = "limits-changed" if only_limits_differ(old, new) else "sheet-changed"
    return what, before, after, None


def _retired(known: _Known, fact: facts.Retired) -> ChangeTold:
    return "retired", {"rack": money(fact.rack)}, {"rack": money(0)}, None


def _fill(known: _Known, fact: facts.Fill) -> ChangeTold:
    rack = known.rack_at_fill()
    return "fill", {"rack": money(rack)}, {"rack": money(rack + fact.amount)}, fact.why


def _credit(known: _Known, fact: facts.Credit) -> ChangeTold:
    rack = known.rack
    return "credit", {"rack": money(rack)}, {"rack": money(rack - fact.amount)}, None


def _plainly(known: _Known, fact: Any) -> ChangeTold:
    """As it is on record, with its reason apart."""
    body = FACTS.body(fact)
    return FACTS.name(type(fact)), None, body, body.pop("why", None)


def _dealer_on(known: _Known, fact: facts.DealerOn) -> ChangeTold:
    before = {"dealer": fact.relieved} if fact.relieved else None
    return "dealer-on", before, {"dealer": fact.dealer}, None


def _dealer_off(known: _Known, fact: facts.DealerOff) -> ChangeTold:
    return "dealer-off", {"dealer": fact.dealer}, None, None


def _announced(known: _Known, fact: facts.SheetAnnounced) -> ChangeTold:
    sheet = {"sheet": dict(sheet_id(fact.sheet)), "from": fact.at.isoformat()}
    return "sheet-announced", None, sheet, fact.why


def _coach(known: _Known, fact: facts.Coach) -> ChangeTold:
    return "coach", {"on": not fact.on}, {"on": fact.on}, None


def _shuffler(known: _Known, fact: facts.Shuffler) -> ChangeTold:
    return "shuffler", {"working": not fact.working}, {"working": fact.working}, None


def _corrected(known: _Known, fact: facts.Corrected) -> ChangeTold:
    where: Json = {"place": format_place(fact.place), "number": fact.number}
    before, after = where | {"card": name(fact.was)}, where | {"card": name(fact.card)}
    return "corrected", before, after, fact.why


def _taken_back(known: _Known, fact: facts.TakenBack) -> ChangeTold:
    """What was settled and is not any longer; what a player had no more is the house's loss."""
    before = {"settled": FACTS.body(fact)["lines"]}
    return "taken-back", before, {"anew": fact.anew, "short": money(shortfall(fact))}, None


def _interrupted(known: _Known, fact: facts.Interrupted) -> ChangeTold:
    asked = None if fact.awaiting is None else list(fact.awaiting)
    return "interrupted", None, {"asked": asked}, fact.why


def _resumed(known: _Known, fact: facts.Resumed) -> ChangeTold:
    return "resumed", None, None, fact.why


def _acted(known: _Known, fact: facts.Acted) -> ChangeTold | None:
    """Only what the floor stepped in for."""
    if not isinstance(fact.action, MISHAPS):
        return None
    action = encode(fact.action)
    what = action.pop("do")
    given = action.get("reason") if what == "void-hand" else action.pop("reason", None)
    why = given or action.pop("breach", None)
    moved: dict[str, int] = {}
    for one in known.entry.transfers:
        if one.debit.kind == "held":
            to = {"wallet": "returned", "rack": "taken"}.get(one.credit.kind, one.credit.kind)
            moved[to] = moved.get(to, 0) + one.amount
    before = {"held": money(sum(moved.values()))} if moved else None
    return what, before, {**action, **{to: money(sum_) for to, sum_ in moved.items()}}, why


def _taken_over(claim: Json) -> ChangeTold | None:
    """The first claim of a stream is its beginning."""
    if claim["epoch"] == 1:
        return None
    return "taken-over", {"epoch": claim["epoch"] - 1}, {"epoch": claim["epoch"]}, None


def _elsewhere(entry: Entry, fact: Json) -> Significant | None:
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


MISHAPS = (actions.Misdeal, actions.VoidHand, actions.Expose, actions.Fouled, actions.Warn)
_MISHAPS = tuple(do for do, kind in KINDS.items() if kind in MISHAPS)
SECRET = ("fact", "format", "hash", "token", "nonce", "sealed")
_OF_A_ROUND = ("corrected", "interrupted", "taken-back", *_MISHAPS)
_TELLERS: dict[type, Callable[[_Known, Any], ChangeTold | None]] = {
    facts.TableOpened: _opened,
    facts.SheetChanged: _sheet_changed,
    facts.Retired: _retired,
    facts.Fill: _fill,
    facts.Credit: _credit,
    facts.BoughtIn: _plainly,
    facts.ColouredUp: _plainly,
    facts.RackRequested: _plainly,
    facts.RackGranted: _plainly,
    facts.RackRefused: _plainly,
    facts.DealerOn: _dealer_on,
    facts.DealerOff: _dealer_off,
    facts.SheetAnnounced: _announced,
    facts.Coach: _coach,
    facts.Shuffler: _shuffler,
    facts.Corrected: _corrected,
    facts.TakenBack: _taken_back,
    facts.Interrupted: _interrupted,
    facts.Resumed: _resumed,
    facts.Acted: _acted,
}


_WORDS = words(TAKEN_OVER, *FACTS.names(*(kind for kind in _TELLERS if kind is not facts.Acted)))
_WORDS += having("do", *_MISHAPS)
ELSEWHERE = ("cage", "people", "persons", "pit")
_NO_EVENT = (TAKEN_OVER, "kept", "named", "taken-up")  # That somebody is known by a name is none.
