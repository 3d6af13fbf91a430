"""What each viewer is entitled to see, worked out from the rules, and what was really told."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any

from tests.house.table.kit import Live

from pitbook.cards import Card, card
from pitbook.house.ledger.chain import canonical
from pitbook.house.table.actor import LiveTable
from pitbook.house.table.events import BLANK, Event, visible_event
from pitbook.house.table.facts import Corrected
from pitbook.house.table.socket import Outbox
from pitbook.house.table.view_types import TableEvent
from pitbook.house.table.visibility import EVERYONE, Viewer
from pitbook.rules.actions import BOARD, Expose, Fouled

CARD = re.compile(r"(?<![\w-])[2-9TJQKA][cdhs](?![\w-])")

WATCHERS = [
    *(Viewer(name, "player") for name in ("ann", "bob", "cyd", "dan", "eve", "fay", "nobody")),
    Viewer("dee", "dealer"),
    Viewer("sue", "supervisor"),
    Viewer("", "spectator"),
    Viewer("ann", "spectator"),
]


def cards_in(document: Any) -> set[Card]:
    """Every card that a document names, wherever it stands."""
    return {card(text) for text in CARD.findall(canonical(document))}


def entitled(live: Live, viewer: Viewer) -> set[Card]:
    """Cards in common and exposed ones; own cards; opened hands; and what a dealer typed."""
    round = live.round
    seen = {card for pile in round.common for card in pile}
    if round.game.places[0].open:
        seen |= {card for seat in round.seats for card in seat.cards}
    seen |= {one.card for one in live.state.actions if isinstance(one, Expose | Fouled)}
    for seat in round.seats:
        own = viewer.role == "player" and viewer.name == seat.player
        typed = live.state.kind == "typed" and viewer.role in ("dealer", "supervisor")
        if own or typed or opened(live, seat.number):
            seen |= set(seat.cards)
    return seen | typed_wrongly(live, seen)


def typed_wrongly(live: Live, seen: set[Card]) -> set[Card]:
    """Cards that were put right are no secret to those who see the right ones."""
    found: set[Card] = set()
    for fact in reversed(live.facts):
        if isinstance(fact, Corrected) and fact.card in seen | found:
            found.add(fact.was)
    return found


def opened(live: Live, number: int) -> bool:
    """A hand is turned over when something that depends on its cards is settled, unless folded."""
    round = live.round
    seat = round.seat(number)
    assert seat is not None
    if seat.folded or seat.void is not None:
        return False
    looks = {"main"} | {
        name for name, side in round.game.sheet.side.items() if side.looks_at != "community"
    }
    made = {"main", *(name for name, _ in seat.side)}
    done = round.to_settle[: round.steps_settled]
    return any(place == number and looks & made & set(group) for place, group in done)


def for_viewer(event: Event, viewer: Viewer) -> Event:
    """The event as one viewer may read it."""
    what, body = visible_event(event, sees=event.audience.has(viewer))
    return Event(event.version, what, EVERYONE, body)


def watch(table: LiveTable, viewer: Viewer) -> Outbox:
    """A line to a table, as the server opens it for a page."""
    table.subscribers.join(outbox := Outbox(viewer))
    return outbox


async def heard(outbox: Outbox) -> list[TableEvent]:
    """All that was told on a line until it was closed."""
    told: list[TableEvent] = []
    while (text := await outbox.frame()) is not None:
        told += json.loads(text)["events"]
    return told


def told(events: Iterable[Event], viewer: Viewer) -> list[Event]:
    """The events as a viewer reads them."""
    return [for_viewer(event, viewer) for event in events]


def no_gap(events: list[Event]) -> bool:
    """Whether the versions go up one by one."""
    versions = [event.version for event in events]
    return versions == list(range(versions[0], versions[0] + len(versions)))


def blanks(events: list[Event]) -> list[int]:
    return [event.version for event in events if event.what == BLANK]


__all__ = [
    "BOARD",
    "WATCHERS",
    "blanks",
    "cards_in",
    "entitled",
    "for_viewer",
    "heard",
    "no_gap",
    "opened",
    "told",
    "watch",
]
