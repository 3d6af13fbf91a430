"""The cards each viewer may see, derived from the rules, and the cards sent."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any

from tests.house.table.kit import Live

from pitbook.cards import Card, card
from pitbook.house.ledger.hash_chain import canonical
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
    """Every card named anywhere in a document."""
    return {card(text) for text in CARD.findall(canonical(document))}


def visible_to(live: Live, viewer: Viewer) -> set[Card]:
    """The common and exposed cards, own cards, opened hands, and cards that a dealer typed."""
    round = live.round
    visible = {card for pile in round.common for card in pile}
    if round.game.places[0].open:
        visible |= {card for seat in round.seats for card in seat.cards}
    visible |= {action.card for action in live.state.actions if isinstance(action, Expose | Fouled)}
    for seat in round.seats:
        is_owner = viewer.role == "player" and viewer.name == seat.player
        typed = live.state.kind == "typed" and viewer.role in ("dealer", "supervisor")
        if is_owner or typed or is_opened(live, seat.number):
            visible |= set(seat.cards)
    return visible | typed_wrongly(live, visible)


def typed_wrongly(live: Live, visible: set[Card]) -> set[Card]:
    """Mistyped cards, which are no secret to those who see the correct ones."""
    mistyped: set[Card] = set()
    for fact in reversed(live.facts):
        if isinstance(fact, Corrected) and fact.card in visible | mistyped:
            mistyped.add(fact.mistyped)
    return mistyped


def is_opened(live: Live, number: int) -> bool:
    """Whether a hand is opened: a wager on its cards is settled, and it is not folded."""
    round = live.round
    seat = round.seat(number)
    assert seat is not None
    if seat.folded or seat.void is not None:
        return False
    looks = {"main"} | {
        name for name, side in round.game.sheet.side.items() if side.looks_at != "community"
    }
    wagers = {"main", *(name for name, _ in seat.side)}
    done = round.to_settle[: round.steps_settled]
    return any(place == number and looks & wagers & set(group) for place, group in done)


def for_viewer(event: Event, viewer: Viewer) -> Event:
    """The event as one viewer sees it."""
    what, body = visible_event(event, is_visible=event.audience.has(viewer))
    return Event(event.version, what, EVERYONE, body)


def watch(table: LiveTable, viewer: Viewer) -> Outbox:
    """Connect a watcher as the server would."""
    table.subscribers.join(outbox := Outbox(viewer))
    return outbox


async def received_events(outbox: Outbox) -> list[TableEvent]:
    """All events received until the connection closed."""
    received: list[TableEvent] = []
    while (text := await outbox.frame()) is not None:
        received += json.loads(text)["events"]
    return received


def visible_events(events: Iterable[Event], viewer: Viewer) -> list[Event]:
    """The events as a viewer sees them."""
    return [for_viewer(event, viewer) for event in events]


def no_gap(events: list[Event]) -> bool:
    """Whether versions increase by one."""
    versions = [event.version for event in events]
    return versions == list(range(versions[0], versions[0] + len(versions)))


def blanks(events: list[Event]) -> list[int]:
    return [event.version for event in events if event.what == BLANK]


__all__ = [
    "BOARD",
    "WATCHERS",
    "blanks",
    "cards_in",
    "for_viewer",
    "is_opened",
    "no_gap",
    "received_events",
    "visible_events",
    "visible_to",
    "watch",
]
