"""Exceptions for an inspector: voids, corrections, undos, caps, large wins and the like."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from datetime import datetime, timedelta
from typing import Literal, NamedTuple, get_args

from pitbook.house.inspect.round_search import RoundIndex, RoundQuery
from pitbook.house.inspect.significant_events import MISHAP_ACTIONS, SECRET, find_significant_events
from pitbook.house.ledger.fact_codec import Json
from pitbook.house.ledger.hash_chain import Entry
from pitbook.house.ledger.ledger import Ledger
from pitbook.house.ledger.queries import Interval, Snapshot, Span, Streams, fact_patterns
from pitbook.house.table import facts
from pitbook.house.table.facts import FACTS
from pitbook.house.table.stream_names import CAGE, PRACTICE, TABLE
from pitbook.money import Cents
from pitbook.rules.stored_rounds import KINDS as ACTION_KINDS

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
# Text that only entries with an undo, or with an applied payout limit, contain.
UNDONE, CAPPED = 'undone"', '"limits":[{'


class ExceptionRow(NamedTuple):
    """An exception: what, when, by whom, and its round and seat.

    For a group of similar ones: how many, until when, and whom they concern.
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


def find_exceptions(
    ledger: Ledger,
    index: RoundIndex,
    interval: Interval,
    *,
    large_min: Cents,
    kinds: Collection[ExceptionKind] = KINDS,
    excluded_tables: Collection[str] = (),
) -> list[ExceptionRow]:
    """The exceptions of an interval, oldest first; `large_min` is the smallest reported win.

    `excluded_tables`: tables without cash value, whose wins are not reported.
    """
    events: list[ExceptionRow] = []
    if any(kind in kinds for kind in _KIND_BY_EVENT.values()):
        events += _from_significant_events(ledger, interval)
    if "undo" in kinds or "cap" in kinds:
        with ledger.snapshot() as snapshot:
            events += _from_entries(snapshot, interval)
    if "large-win" in kinds:
        index.catch_up(ledger)
        events += _large_wins(index, interval, large_min, excluded_tables)
    selected = (event for event in events if event.kind in kinds)
    return sorted(selected, key=lambda event: (event.at, event.stream, event.seq or 0))


def _from_significant_events(ledger: Ledger, interval: Interval) -> Iterator[ExceptionRow]:
    for event in find_significant_events(ledger, interval):
        if (kind := _KIND_BY_EVENT.get(event.what)) is not None:
            fields = {name: value for name, value in event.document().items() if name != "what"}
            yield ExceptionRow(kind, event.what, **fields)


def _from_entries(snapshot: Snapshot, interval: Interval) -> Iterator[ExceptionRow]:
    for span in snapshot.spans(interval, Streams(excluded_prefixes=(PRACTICE,))):
        for entry in snapshot.entries(span, (UNDONE, CAPPED)):
            if span.stream.startswith(TABLE):
                yield from _rows_at_table(snapshot, span, entry)
            else:
                yield from (_undo_row(entry, fact) for fact in entry.facts if _is_undo(fact))


def _rows_at_table(snapshot: Snapshot, span: Span, entry: Entry) -> Iterator[ExceptionRow]:
    """Payout limits that applied, and bets that someone else took back."""
    for fact in FACTS.load_entry(entry):
        if isinstance(fact, facts.Undone):
            player = _player_at(snapshot, span.upto(entry.seq), fact.seat)
            if player != entry.actor:
                yield _undo_row(entry, {"fact": "undone", "player": player}, fact.seat)
        elif isinstance(fact, facts.Settled):
            for limit in fact.report["limits"]:
                yield ExceptionRow(
                    kind="cap",
                    what="cap",
                    at=entry.at,
                    stream=entry.stream,
                    seq=entry.seq,
                    who="",
                    before={"due": limit["due"]},
                    after={"paid": limit["paid"]},
                    why=limit["clause"],
                    round=fact.round,
                )


def _player_at(snapshot: Snapshot, span: Span, seat: int) -> str | None:
    for entry in snapshot.last_entries(span, fact_patterns(*FACTS.names(facts.Sat)), SAT_MAX):
        for fact in reversed(FACTS.load_kind(entry, facts.Sat)):
            if fact.seat == seat:
                return fact.player
    return None


def _is_undo(fact: Json) -> bool:
    return str(fact["fact"]).endswith("undone")


def _undo_row(entry: Entry, fact: Json, seat: int | None = None) -> ExceptionRow:
    """An undone step; its details are in the step itself."""
    body = {key: value for key, value in fact.items() if key not in SECRET}
    why = body.pop("why", None) or None
    return ExceptionRow(
        kind="undo",
        what="receipt-undone" if entry.stream == CAGE else str(fact["fact"]),
        at=entry.at,
        stream=entry.stream,
        seq=entry.seq,
        who=entry.actor,
        after=body,
        why=why,
        seat=seat,
    )


def _large_wins(
    index: RoundIndex, interval: Interval, large_min: Cents, excluded_tables: Collection[str]
) -> Iterator[ExceptionRow]:
    for hand in index.find(
        RoundQuery(within=interval, won_min=large_min), LARGE_MAX, excluded_tables=excluded_tables
    ):
        document = hand.document()
        yield ExceptionRow(
            kind="large-win",
            what="large-win",
            at=hand.at,
            stream=f"{TABLE}{hand.table}",
            seq=None,
            who=hand.player,
            after={"wins": document["wins"], "staked": document["staked"]},
            round=hand.round,
            seat=hand.seat,
        )


_KIND_BY_EVENT: dict[str, ExceptionKind] = {
    **dict.fromkeys(
        (action_name for action_name, kind in ACTION_KINDS.items() if kind in MISHAP_ACTIONS),
        "void",
    ),
    **dict.fromkeys(("corrected", "taken-back"), "correction"),
    **dict.fromkeys(("interrupted", "resumed"), "interruption"),
    "taken-over": "take-over",
    **dict.fromkeys(("sign-in-failed", "code-failed", "password-refused"), "sign-in"),
}


GROUPED_KINDS: tuple[ExceptionKind, ...] = ("take-over", "sign-in")
GROUP_GAP = timedelta(minutes=1)
NAMES_MAX = 20


def group_similar(events: Iterable[ExceptionRow]) -> list[ExceptionRow]:
    """Exceptions, oldest first, with similar ones within a minute merged."""
    groups: list[ExceptionRow] = []
    last: dict[str, int] = {}  # Index of the last one of each kind of event.
    for event in events:
        position = last.get(event.what)
        if event.kind not in GROUPED_KINDS:
            groups.append(event)
        elif position is not None and _is_soon_after(groups[position], event):
            groups[position] = _merge(groups[position], event)
        else:
            last[event.what] = len(groups)
            groups.append(event)
    return groups


def _is_soon_after(earlier: ExceptionRow, event: ExceptionRow) -> bool:
    end = datetime.fromisoformat(earlier.until or earlier.at)
    return datetime.fromisoformat(event.at) - end <= GROUP_GAP


def _merge(earlier: ExceptionRow, event: ExceptionRow) -> ExceptionRow:
    names = dict.fromkeys((*(earlier.names or _names_of(earlier)), *_names_of(event)))
    return earlier._replace(
        seq=None,
        before=None,
        after=None,
        times=earlier.times + 1,
        until=event.at,
        names=tuple(names)[:NAMES_MAX],
    )


def _names_of(event: ExceptionRow) -> tuple[str, ...]:
    """The table taken over, or the name whose password was tried."""
    name = event.stream if event.kind == "take-over" else (event.after or {}).get("name", event.who)
    return (str(name).removeprefix(TABLE),)
