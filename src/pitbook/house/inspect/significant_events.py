"""Significant events: each change of rules, money or people with before, after and reason."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from pitbook.cards import name
from pitbook.house.ledger.accounts import balance_changes
from pitbook.house.ledger.append_batch import CLAIMED
from pitbook.house.ledger.fact_codec import Fact, Json
from pitbook.house.ledger.hash_chain import Entry
from pitbook.house.ledger.ledger import Ledger
from pitbook.house.ledger.money_queries import change_of_kind
from pitbook.house.ledger.queries import (
    Interval,
    Snapshot,
    Span,
    Streams,
    fact_patterns,
    field_patterns,
)
from pitbook.house.table import facts
from pitbook.house.table.events import sheet_id
from pitbook.house.table.facts import FACTS, reason_text, shortfall
from pitbook.house.table.limits import caps_of, changed_limits, only_limits_differ
from pitbook.house.table.stored_sheets import game_of
from pitbook.house.table.stream_names import TABLE
from pitbook.money import money
from pitbook.rules import actions
from pitbook.rules.actions import format_place
from pitbook.rules.stored_rounds import KINDS, encode

Change = tuple[str, Json | None, Json | None, str | None]  # What, before, after, why.


class SignificantEvent(NamedTuple):
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
class _EntryContext:
    """An entry of a table, with access to what came before."""

    book: Snapshot
    span: Span
    entry: Entry
    racks: dict[str, tuple[int, int]] = field(default_factory=dict)
    fills_described: int = 0  # Fills of the entry described so far.

    def before(self, *kinds: type, entries_max: int = 1) -> Iterator[Any]:
        """Earlier facts of these kinds, newest first, from at most `entries_max` entries."""
        earlier_entries = self.span.upto(self.entry.seq)
        for entry in self.book.last_entries(
            earlier_entries, fact_patterns(*FACTS.names(*kinds)), entries_max
        ):
            facts_found = reversed(FACTS.load_entry(entry))
            yield from (fact for fact in facts_found if isinstance(fact, kinds))

    @property
    def rack(self) -> int:
        """The table's rack before the entry, updated from the last entry read."""
        seq, rack_cents = self.racks.get(self.span.stream, (0, 0))
        rack_cents += change_of_kind(self.book, "rack", self.span, first=seq, before=self.entry.seq)
        self.racks[self.span.stream] = self.entry.seq, rack_cents
        return rack_cents

    def rack_at_fill(self) -> int:
        """The rack at the next fill of the entry; there may be payouts between two fills."""
        rack_cents, fills_left = self.rack, self.fills_described
        self.fills_described += 1
        for transfer in self.entry.transfers:
            change_by_kind = {account.kind: change for account, change in balance_changes(transfer)}
            if "house" in change_by_kind and change_by_kind.get("rack", 0) > 0:
                if not fills_left:
                    break
                fills_left -= 1
            rack_cents += change_by_kind.get("rack", 0)
        return rack_cents


def find_significant_events(ledger: Ledger, within: Interval) -> list[SignificantEvent]:
    """The significant events of an interval by time, without practice."""
    with ledger.snapshot() as snapshot:
        events = list(_find_events(snapshot, within))
    return sorted(events, key=lambda event: (event.at, event.stream, event.seq))


def _find_events(snapshot: Snapshot, within: Interval) -> Iterator[SignificantEvent]:
    racks: dict[str, tuple[int, int]] = {}
    for span in snapshot.spans(within, Streams(names=OTHER_STREAMS, prefixes=(TABLE,))):
        if span.stream in OTHER_STREAMS:
            for entry in snapshot.entries(span):
                yield from filter(
                    None, (_event_outside_tables(entry, fact) for fact in entry.facts)
                )
            continue
        for entry in snapshot.entries(span, _WORDS):
            context = _EntryContext(snapshot, span, entry, racks)
            claims = (_describe_takeover(fact) for fact in entry.facts if fact["fact"] == CLAIMED)
            others = (_describe_fact(context, fact) for fact in FACTS.load_entry(entry))
            yield from (
                _build_event(context, change) for change in (*claims, *others) if change is not None
            )


def _describe_fact(context: _EntryContext, fact: Fact) -> Change | None:
    describe = _DESCRIBERS.get(type(fact))
    return None if describe is None else describe(context, fact)


def _build_event(context: _EntryContext, change: Change) -> SignificantEvent:
    entry = context.entry
    event_name, before, after, why = change
    opened = context.before(facts.RoundOpened) if event_name in _ROUND_EVENTS else iter(())
    round: str | None = next((opening.round for opening in opened), None)
    why = _request_reason(entry) or why
    why = why and reason_text(why)
    return SignificantEvent(
        entry.at, entry.stream, entry.seq, entry.actor, event_name, before, after, why, round
    )


def _request_reason(entry: Entry) -> str | None:
    """The reason given with the request."""
    if entry.body is None:
        return None
    request = json.loads(entry.body)
    command = request[-1] if isinstance(request, list) else {}
    return command.get("why") if isinstance(command, dict) else None


def _describe_opened(context: _EntryContext, fact: facts.TableOpened) -> Change:
    after = {key: getattr(fact, key) for key in ("kind", "unit", "clocks", "coach")}
    return "table-opened", None, {"sheet": sheet_id(fact.sheet), **after}, None


def _describe_sheet_changed(context: _EntryContext, fact: facts.SheetChanged) -> Change:
    """A change of rules, or only of limits."""
    rules = (facts.TableOpened, facts.SheetChanged)
    sheets = [change.sheet for change in context.before(*rules, entries_max=2)]
    old_sheet = sheets[sheets.index(fact.sheet) + 1] if fact.sheet in sheets else fact.sheet
    old, new = game_of(old_sheet).sheet, game_of(fact.sheet).sheet
    limits, bounds = changed_limits(old, new)
    before: Json = {"sheet": sheet_id(old_sheet), **({"limits": limits} if limits else {})}
    after: Json = {"sheet": sheet_id(fact.sheet), **({"limits": bounds} if bounds else {})}
    if caps_of(old) != caps_of(new):
        before["caps"], after["caps"] = caps_of(old), caps_of(new)
    event_name = "limits-changed" if only_limits_differ(old, new) else "sheet-changed"
    return event_name, before, after, None


def _describe_retired(context: _EntryContext, fact: facts.Retired) -> Change:
    return "retired", {"rack": money(fact.rack)}, {"rack": money(0)}, None


def _describe_fill(context: _EntryContext, fact: facts.Fill) -> Change:
    rack = context.rack_at_fill()
    return "fill", {"rack": money(rack)}, {"rack": money(rack + fact.amount)}, fact.why


def _describe_credit(context: _EntryContext, fact: facts.Credit) -> Change:
    rack = context.rack
    return "credit", {"rack": money(rack)}, {"rack": money(rack - fact.amount)}, None


def _describe_as_recorded(context: _EntryContext, fact: Any) -> Change:
    """The fact as recorded, with its reason separate."""
    body = FACTS.body(fact)
    return FACTS.name(type(fact)), None, body, body.pop("why", None)


def _describe_dealer_on(context: _EntryContext, fact: facts.DealerOn) -> Change:
    before = {"dealer": fact.relieved} if fact.relieved else None
    return "dealer-on", before, {"dealer": fact.dealer}, None


def _describe_dealer_off(context: _EntryContext, fact: facts.DealerOff) -> Change:
    return "dealer-off", {"dealer": fact.dealer}, None, None


def _describe_announced(context: _EntryContext, fact: facts.SheetAnnounced) -> Change:
    sheet = {"sheet": dict(sheet_id(fact.sheet)), "from": fact.at.isoformat()}
    return "sheet-announced", None, sheet, fact.why


def _describe_coach(context: _EntryContext, fact: facts.Coach) -> Change:
    return "coach", {"on": not fact.on}, {"on": fact.on}, None


def _describe_shuffler(context: _EntryContext, fact: facts.Shuffler) -> Change:
    return "shuffler", {"working": not fact.working}, {"working": fact.working}, None


def _describe_corrected(context: _EntryContext, fact: facts.Corrected) -> Change:
    position: Json = {"place": format_place(fact.place), "number": fact.number}
    before, after = position | {"card": name(fact.mistyped)}, position | {"card": name(fact.card)}
    return "corrected", before, after, fact.why


def _describe_taken_back(context: _EntryContext, fact: facts.SettlementReversed) -> Change:
    """The reversed settlement; money the player no longer had is the house's loss."""
    before = {"settled": FACTS.body(fact)["lines"]}
    return "taken-back", before, {"anew": fact.anew, "short": money(shortfall(fact))}, None


def _describe_interrupted(context: _EntryContext, fact: facts.Interrupted) -> Change:
    players_asked = None if fact.awaiting is None else list(fact.awaiting)
    return "interrupted", None, {"asked": players_asked}, fact.why


def _describe_resumed(context: _EntryContext, fact: facts.Resumed) -> Change:
    return "resumed", None, None, fact.why


def _describe_acted(context: _EntryContext, fact: facts.Acted) -> Change | None:
    """Only actions by which the floor intervened."""
    if not isinstance(fact.action, MISHAP_ACTIONS):
        return None
    action = encode(fact.action)
    event_name = action.pop("do")
    reason = action.get("reason") if event_name == "void-hand" else action.pop("reason", None)
    why = reason or action.pop("breach", None)
    amounts: dict[str, int] = {}
    for transfer in context.entry.transfers:
        if transfer.debit.kind == "held":
            destination = {"wallet": "returned", "rack": "taken"}.get(
                transfer.credit.kind, transfer.credit.kind
            )
            amounts[destination] = amounts.get(destination, 0) + transfer.amount
    before = {"held": money(sum(amounts.values()))} if amounts else None
    return event_name, before, {**action, **{to: money(sum_) for to, sum_ in amounts.items()}}, why


def _describe_takeover(claim: Json) -> Change | None:
    """A takeover of a stream; the first claim is its beginning."""
    if claim["epoch"] == 1:
        return None
    return "taken-over", {"epoch": claim["epoch"] - 1}, {"epoch": claim["epoch"]}, None


def _event_outside_tables(entry: Entry, fact: Json) -> SignificantEvent | None:
    """An event of the cage, people or pit, without secret fields."""
    if fact["fact"] in _INSIGNIFICANT:
        return None
    fields = {key: value for key, value in fact.items() if key not in SECRET}
    why = fields.pop("why", None)
    before: Json | None = None
    if "before" in fields:
        before = {"role": fields.pop("before")}
    elif "was" in fields:  # For a disabled or enabled game or player: the earlier reason.
        before = fields | {"disabled": fields["was"]}
        fields |= {"disabled": why if fact["fact"].endswith("-disabled") else None}
        del before["was"], fields["was"]
    return SignificantEvent(
        entry.at, entry.stream, entry.seq, entry.actor, fact["fact"], before, fields, why
    )


MISHAP_ACTIONS = (actions.Misdeal, actions.VoidHand, actions.Expose, actions.Fouled, actions.Warn)
_MISHAPS = tuple(action_name for action_name, kind in KINDS.items() if kind in MISHAP_ACTIONS)
SECRET = ("fact", "format", "hash", "token", "nonce", "sealed")
_ROUND_EVENTS = ("corrected", "interrupted", "taken-back", *_MISHAPS)
_DESCRIBERS: dict[type, Callable[[_EntryContext, Any], Change | None]] = {
    facts.TableOpened: _describe_opened,
    facts.SheetChanged: _describe_sheet_changed,
    facts.Retired: _describe_retired,
    facts.Fill: _describe_fill,
    facts.Credit: _describe_credit,
    facts.BoughtIn: _describe_as_recorded,
    facts.ColoredUp: _describe_as_recorded,
    facts.RackRequested: _describe_as_recorded,
    facts.RackGranted: _describe_as_recorded,
    facts.RackRefused: _describe_as_recorded,
    facts.DealerOn: _describe_dealer_on,
    facts.DealerOff: _describe_dealer_off,
    facts.SheetAnnounced: _describe_announced,
    facts.Coach: _describe_coach,
    facts.Shuffler: _describe_shuffler,
    facts.Corrected: _describe_corrected,
    facts.SettlementReversed: _describe_taken_back,
    facts.Interrupted: _describe_interrupted,
    facts.Resumed: _describe_resumed,
    facts.Acted: _describe_acted,
}


_WORDS = fact_patterns(
    CLAIMED, *FACTS.names(*(kind for kind in _DESCRIBERS if kind is not facts.Acted))
)
_WORDS += field_patterns("do", *_MISHAPS)
OTHER_STREAMS = ("cage", "people", "persons", "pit")
_INSIGNIFICANT = (CLAIMED, "kept", "named", "taken-up")  # A recorded name is not significant.
