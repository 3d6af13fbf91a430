"""Compares what a server told people with its ledger."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, pairwise

from tests.chaos.in_flight import FIRST
from tests.chaos.live_tables import SHEETS, held_money_errors
from tests.chaos.server_house import DEALER, PLAYERS
from tests.chaos.server_play import Heard, Players, Seat
from tests.house.table.visible_cards import for_viewer

from pitbook.house.client import Accepted
from pitbook.house.ledger.append_batch import SNAPSHOT_STORED
from pitbook.house.ledger.data_folder import Folder
from pitbook.house.ledger.hash_chain import Entry
from pitbook.house.ledger.ledger import Ledger
from pitbook.house.ledger.stream_kinds import audit_of
from pitbook.house.table.apply_facts import apply
from pitbook.house.table.events import Event, events
from pitbook.house.table.facts import FACTS, Acted, RoundOpened, Settled
from pitbook.house.table.state import TableState
from pitbook.rules.actions import Deal

NAMES = (DEALER, *PLAYERS)


def find_errors(folder: Folder, players: Players) -> list[str]:
    """Everything that does not agree."""
    ledger = folder.ledger
    return [
        *(f"verify: {finding}" for finding in folder.verify(replay_of=audit_of).findings),
        *(f"money: {error}" for error in held_money_errors(ledger)),
        *_answer_errors(ledger, players.heard),
        *_unrequested_entries(ledger, players.heard),
        *(error for table in SHEETS for error in _event_errors(ledger, table, players.seats)),
        *(error for table in SHEETS for error in _unfinished_rounds(ledger, table)),
    ]


def _answer_errors(ledger: Ledger, heard: dict[str, Heard]) -> Iterator[str]:
    for request, heard_answer in heard.items():
        entry = ledger.entry_of_request(request)
        if isinstance(heard_answer.answer, Accepted):
            recorded = entry and (entry.stream, entry.seq, entry.hash)
            if recorded != (
                f"table/{heard_answer.table}",
                heard_answer.answer.seq,
                heard_answer.answer.hash,
            ):
                yield f"{request} was acknowledged as {heard_answer.answer} and is {recorded}"
        elif isinstance(heard_answer.answer, str):
            yield f"{request} ({heard_answer.command['do']}) had no answer: {heard_answer.answer}"
        elif entry is not None:
            yield f"{request} was refused ({heard_answer.answer.message}) and is on record"


def _unrequested_entries(ledger: Ledger, heard: dict[str, Heard]) -> Iterator[str]:
    """Entries that no player requested, or that were recorded twice."""
    for table in SHEETS:
        done = Counter(
            entry.request for entry in ledger.entries(f"table/{table}") if entry.actor in NAMES
        )
        yield from (
            f"{table} has {request} {count} times" for request, count in done.items() if count > 1
        )
        yield from (f"{table} has {request}, unasked" for request in done if request not in heard)


def _event_errors(ledger: Ledger, table: str, seats: Sequence[Seat]) -> Iterator[str]:
    """Events that a player missed, got twice or out of order, or that differ from the ledger.

    A process that takes over a table knows nothing from before the last snapshot, so a returning
    client with an older version gets the whole view again.
    """
    snapshots = list(_snapshot_versions(ledger.entries(f"table/{table}")))
    happened = {event.version: event for event in _events(ledger.entries(f"table/{table}"))}
    for seat in seats:
        if seat.live.table != table:
            continue
        who = f"{seat.viewer.name} at {table}"
        versions = [seat.first, *(event["version"] for event in seat.events)]
        views = [event["version"] for event in seat.events if event["what"] == "view"]
        yield from (
            f"{who}: {after} came after {before}"
            for before, after in pairwise(versions)
            if after != before + 1
            and not (after in views and any(before < version <= after for version in snapshots))
        )
        if versions[-1] != max(happened):
            yield f"{who}: heard up to {versions[-1]}, the table is at {max(happened)}"
        for event in (event for event in seat.events if event["version"] not in views):
            recorded = for_viewer(happened[event["version"]], seat.viewer)
            if (event["what"], event["body"]) != (recorded.what, recorded.body):
                yield f"{who}: {event} was {recorded}"


def _snapshot_versions(entries: Iterable[Entry]) -> Iterator[int]:
    """The table's versions at which its state was saved."""
    version = 0
    for entry in entries:
        version += len(FACTS.load_entry(entry))  # Every fact is one version.
        if any(fact["fact"] == SNAPSHOT_STORED for fact in entry.facts):
            yield version


def _events(entries: Iterable[Entry]) -> Iterator[Event]:
    facts = [fact for entry in entries for fact in FACTS.load_entry(entry)]
    states = list(accumulate(facts, apply, initial=TableState()))
    for fact, (before, after) in zip(facts, pairwise(states), strict=True):
        yield from events(before, fact, after)


def _unfinished_rounds(ledger: Ledger, table: str) -> Iterator[str]:
    """Rounds in which a card was dealt and that never ended."""
    facts = [fact for entry in ledger.entries(f"table/{table}") for fact in FACTS.load_entry(entry)]
    round_id, dealt = "", None
    for fact in facts:
        if isinstance(fact, RoundOpened):
            if dealt is not None:
                yield f"{dealt} never ended"
            round_id, dealt = fact.round, None
        elif isinstance(fact, Acted) and isinstance(fact.action, Deal):
            dealt = round_id
        elif isinstance(fact, Settled):
            dealt = None
    if dealt is not None:
        yield f"{dealt} never ended"


def recovery_seconds(ledger: Ledger, players: Players, kills: Sequence[float]) -> list[float]:
    """Seconds from each kill to the first answer of the process that took over."""
    epochs = {
        (table, entry.seq): entry.epoch
        for table in SHEETS
        for entry in ledger.entries(f"table/{table}")
    }
    answers = [
        (heard.answered_at, epochs[heard.table, heard.answer.seq])
        for heard in players.heard.values()
        if isinstance(heard.answer, Accepted)
    ]
    return [
        min(at - killed for at, epoch in answers if epoch >= FIRST + number and at > killed)
        for number, killed in enumerate(kills)
    ]
