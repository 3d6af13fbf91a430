"""What people were told by a server, held against its book."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, pairwise

from tests.chaos.in_flight import FIRST
from tests.chaos.server_house import DEALER, PLAYERS
from tests.chaos.server_play import Heard, Players, Seat
from tests.chaos.tables import SHEETS, not_held
from tests.house.table.watching import for_viewer

from pitbook.house.client import Accepted
from pitbook.house.ledger.batch import KEPT
from pitbook.house.ledger.chain import Entry
from pitbook.house.ledger.folder import Folder
from pitbook.house.ledger.journal import Ledger
from pitbook.house.ledger.stream_kinds import audit_of
from pitbook.house.table.events import Event, events
from pitbook.house.table.facts import FACTS, Acted, RoundOpened, Settled
from pitbook.house.table.state import TableState, apply
from pitbook.rules.actions import Deal

NAMES = (DEALER, *PLAYERS)


def wrong(folder: Folder, players: Players) -> list[str]:
    """Everything that does not agree; nothing may."""
    ledger = folder.ledger
    return [
        *(f"verify: {finding}" for finding in folder.verify(following=audit_of).findings),
        *(f"money: {one}" for one in not_held(ledger)),
        *_answers(ledger, players.heard),
        *_unasked(ledger, players.heard),
        *(told for table in SHEETS for told in _seen(ledger, table, players.seats)),
        *(told for table in SHEETS for told in _rounds(ledger, table)),
    ]


def _answers(ledger: Ledger, heard: dict[str, Heard]) -> Iterator[str]:
    for request, one in heard.items():
        entry = ledger.entry_of_request(request)
        if isinstance(one.answer, Accepted):
            there = entry and (entry.stream, entry.seq, entry.hash)
            if there != (f"table/{one.table}", one.answer.seq, one.answer.hash):
                yield f"{request} was acknowledged as {one.answer} and is {there}"
        elif isinstance(one.answer, str):
            yield f"{request} ({one.command['do']}) had no answer: {one.answer}"
        elif entry is not None:
            yield f"{request} was refused ({one.answer.message}) and is on record"


def _unasked(ledger: Ledger, heard: dict[str, Heard]) -> Iterator[str]:
    """Whatever players did they asked for, and it was done once."""
    for table in SHEETS:
        done = Counter(
            one.request for one in ledger.entries(f"table/{table}") if one.actor in NAMES
        )
        yield from (f"{table} has {one} {count} times" for one, count in done.items() if count > 1)
        yield from (f"{table} has {one}, unasked" for one in done if one not in heard)


def _seen(ledger: Ledger, table: str, seats: Sequence[Seat]) -> Iterator[str]:
    """Each saw what happened, as the book tells it: every version once, in order, to the letter.

    A process that takes a table up knows nothing from before the state that was kept last: whoever
    comes back with less is shown the table anew, and nobody else.
    """
    kept = list(_kept(ledger.entries(f"table/{table}")))
    happened = {event.version: event for event in _events(ledger.entries(f"table/{table}"))}
    for seat in seats:
        if seat.live.table != table:
            continue
        who = f"{seat.viewer.name} at {table}"
        versions = [seat.first, *(event["version"] for event in seat.events)]
        anew = [one["version"] for one in seat.events if one["what"] == "view"]
        yield from (
            f"{who}: {after} came after {before}"
            for before, after in pairwise(versions)
            if after != before + 1
            and not (after in anew and any(before < one <= after for one in kept))
        )
        if versions[-1] != max(happened):
            yield f"{who}: heard up to {versions[-1]}, the table is at {max(happened)}"
        for event in (one for one in seat.events if one["version"] not in anew):
            real = for_viewer(happened[event["version"]], seat.viewer)
            if (event["what"], event["body"]) != (real.what, real.body):
                yield f"{who}: {event} was {real}"


def _kept(entries: Iterable[Entry]) -> Iterator[int]:
    """The versions of the table behind entries with which its state was kept."""
    version = 0
    for entry in entries:
        version += len(FACTS.load_entry(entry))  # Every fact is a step.
        if any(fact["fact"] == KEPT for fact in entry.facts):
            yield version


def _events(entries: Iterable[Entry]) -> Iterator[Event]:
    facts = [fact for entry in entries for fact in FACTS.load_entry(entry)]
    states = list(accumulate(facts, apply, initial=TableState()))
    for fact, (before, after) in zip(facts, pairwise(states), strict=True):
        yield from events(before, fact, after)


def _rounds(ledger: Ledger, table: str) -> Iterator[str]:
    """Every round in which a card was dealt has ended."""
    facts = [fact for entry in ledger.entries(f"table/{table}") for fact in FACTS.load_entry(entry)]
    opened, dealt = "", None
    for fact in facts:
        if isinstance(fact, RoundOpened):
            if dealt is not None:
                yield f"{dealt} never ended"
            opened, dealt = fact.round, None
        elif isinstance(fact, Acted) and isinstance(fact.action, Deal):
            dealt = opened
        elif isinstance(fact, Settled):
            dealt = None
    if dealt is not None:
        yield f"{dealt} never ended"


def back_after(ledger: Ledger, players: Players, kills: Sequence[float]) -> list[float]:
    """Seconds from each kill to the first answer of the process that came after."""
    epochs = {
        (table, entry.seq): entry.epoch
        for table in SHEETS
        for entry in ledger.entries(f"table/{table}")
    }
    told = [
        (one.at, epochs[one.table, one.answer.seq])
        for one in players.heard.values()
        if isinstance(one.answer, Accepted)
    ]
    return [
        min(at - killed for at, epoch in told if epoch >= FIRST + number and at > killed)
        for number, killed in enumerate(kills)
    ]
