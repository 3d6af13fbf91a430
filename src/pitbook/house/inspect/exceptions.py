"""Exceptions for an inspector: voids, corrections, undos, caps, large wins and the like."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from datetime import datetime, timedelta
from typing import Literal, NamedTuple, get_args

from pitbook.house.inspect.round_search import RoundIndex, Wanted
from pitbook.house.inspect.significant_events import MISHAPS, SECRET, significant
from pitbook.house.ledger.chain import Entry
from pitbook.house.ledger.codec import Json
from pitbook.house.ledger.journal import Ledger
from pitbook.house.ledger.queries import Interval, Snapshot, Span, Streams, kinds
from pitbook.house.table import facts
from pitbook.house.table.facts import FACTS
from pitbook.house.table.streams import CAGE, PRACTICE, TABLE
from pitbook.money import Cents
from pitbook.rules.stored import KINDS as ACTIONS

ExceptionKind = Literal[
    "void",
    "correction",
    "undo",
    "cap",
    "large-win",
    "interruption",
    "take-over",
    "sign-in",
]
KINDS: tuple[ExceptionKind, ...] = get_args(ExceptionKind)
LARGE_MAX = 1_000
SAT_MAX = 200
UNDONE, CAPPED = 'undone"', '"limits":[{'  # As entries have them that undo, or that a cap bit in.


class Exceptional(NamedTuple):
    """One exception: what, when, by whom, and the round and the seat where it has them.

    Of several alike: how often, until when, and the names of those whom it befell.
    """

    kind: ExceptionKind
    what: str
    at: str
    stream: str
    seq: int | None
    who: str
    before: Json | None = None
    after: Json | None = None
    why: str | None = None
    round: str | None = None
    seat: int | None = None
    times: int = 1
    until: str | None = None
    names: tuple[str, ...] = ()

    def document(self) -> Json:
        """The exception as JSON."""
        return self._asdict()


def exceptions(
    ledger: Ledger,
    index: RoundIndex,
    within: Interval,
    *,
    large: Cents,
    wanted: Collection[ExceptionKind] = KINDS,
    apart: Collection[str] = (),
) -> list[Exceptional]:
    """The exceptions of an interval, oldest first; `large` is the least win that is one.

    `apart`: tables whose chips are no money, so that no win there is large.
    """
    found: list[Exceptional] = []
    if any(kind in wanted for kind in _OF_EVENTS.values()):
        found += _of_events(ledger, within)
    if "undo" in wanted or "cap" in wanted:
        with ledger.moment() as book:
            found += _of_entries(book, within)
    if "large-win" in wanted:
        index.catch_up(ledger)
        found += _large(index, within, large, apart)
    chosen = (one for one in found if one.kind in wanted)
    return sorted(chosen, key=lambda one: (one.at, one.stream, one.seq or 0))


def _of_events(ledger: Ledger, within: Interval) -> Iterator[Exceptional]:
    for one in significant(ledger, within):
        if (kind := _OF_EVENTS.get(one.what)) is not None:
            told = {name: value for name, value in one.document().items() if name != "what"}
            yield Exceptional(kind, one.what, **told)


def _of_entries(book: Snapshot, within: Interval) -> Iterator[Exceptional]:
    for span in book.spans(within, Streams(apart_from=(PRACTICE,))):
        for entry in book.entries(span, (UNDONE, CAPPED)):
            if span.stream.startswith(TABLE):
                yield from _at_table(book, span, entry)
            else:
                yield from (_undone(entry, one) for one in entry.facts if _undoes(one))


def _at_table(book: Snapshot, span: Span, entry: Entry) -> Iterator[Exceptional]:
    """Caps that bit, and bets that somebody else than their player took back."""
    for fact in FACTS.load_entry(entry):
        if isinstance(fact, facts.Undone):
            player = _at_seat(book, span.upto(entry.seq), fact.seat)
            if player != entry.actor:
                yield _undone(entry, {"fact": "undone", "player": player}, fact.seat)
        elif isinstance(fact, facts.Settled):
            for one in fact.report["limits"]:
                due, paid = {"due": one["due"]}, {"paid": one["paid"]}
                where = (entry.at, entry.stream, entry.seq, "")
                yield Exceptional("cap", "cap", *where, due, paid, one["clause"], fact.round)


def _at_seat(book: Snapshot, span: Span, seat: int) -> str | None:
    for entry in book.newest(span, kinds(*FACTS.names(facts.Sat)), SAT_MAX):
        for fact in reversed(FACTS.load_kind(entry, facts.Sat)):
            if fact.seat == seat:
                return fact.player
    return None


def _undoes(fact: Json) -> bool:
    return str(fact["fact"]).endswith("undone")


def _undone(entry: Entry, fact: Json, seat: int | None = None) -> Exceptional:
    """A step that was taken back: what it was stands with the step itself."""
    told = {key: value for key, value in fact.items() if key not in SECRET}
    why = told.pop("why", None) or None
    where = (entry.at, entry.stream, entry.seq, entry.actor)
    what = "receipt-undone" if entry.stream == CAGE else str(fact["fact"])
    return Exceptional("undo", what, *where, None, told, why, seat=seat)


def _large(
    index: RoundIndex, within: Interval, large: Cents, apart: Collection[str]
) -> Iterator[Exceptional]:
    for hand in index.find(Wanted(within=within, won_min=large), LARGE_MAX, apart=apart):
        told = hand.document()
        after = {"wins": told["wins"], "staked": told["staked"]}
        where = (hand.at, f"{TABLE}{hand.table}", None, hand.player)
        who = (hand.round, hand.seat)
        yield Exceptional("large-win", "large-win", *where, None, after, None, *who)


_OF_EVENTS: dict[str, ExceptionKind] = {
    **dict.fromkeys((do for do, kind in ACTIONS.items() if kind in MISHAPS), "void"),
    **dict.fromkeys(("corrected", "taken-back"), "correction"),
    **dict.fromkeys(("interrupted", "resumed"), "interruption"),
    "taken-over": "take-over",
    **dict.fromkeys(("sign-in-failed", "code-failed", "password-refused"), "sign-in"),
}


ALIKE: tuple[ExceptionKind, ...] = ("take-over", "sign-in")
GAP = timedelta(minutes=1)
NAMES_MAX = 20


def gathered(found: Iterable[Exceptional]) -> list[Exceptional]:
    """Exceptions, oldest first; those that follow on their like within a minute are one."""
    made: list[Exceptional] = []
    last: dict[str, int] = {}  # Where the last of a kind of event stands.
    for one in found:
        place = last.get(one.what)
        if one.kind not in ALIKE:
            made.append(one)
        elif place is not None and _follows(made[place], one):
            made[place] = _joined(made[place], one)
        else:
            last[one.what] = len(made)
            made.append(one)
    return made


def _follows(before: Exceptional, one: Exceptional) -> bool:
    ended = datetime.fromisoformat(before.until or before.at)
    return datetime.fromisoformat(one.at) - ended <= GAP


def _joined(before: Exceptional, one: Exceptional) -> Exceptional:
    names = dict.fromkeys((*(before.names or _named(before)), *_named(one)))
    return before._replace(
        seq=None,
        before=None,
        after=None,
        times=before.times + 1,
        until=one.at,
        names=tuple(names)[:NAMES_MAX],
    )


def _named(one: Exceptional) -> tuple[str, ...]:
    """The table that was taken over, or whose password was tried."""
    name = one.stream if one.kind == "take-over" else (one.after or {}).get("name", one.who)
    return (str(name).removeprefix(TABLE),)
