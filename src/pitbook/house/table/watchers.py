"""The watchers of a table and the events that they receive."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Collection, Sequence
from typing import Protocol, cast

from pydantic_core import to_json

from pitbook.house.table.events import Event, visible_event
from pitbook.house.table.view_types import EventBody, TableEvent
from pitbook.house.table.visibility import Viewer
from pitbook.text.catalog import ENGLISH
from pitbook.text.sentences import translate_document

AWAY_SECONDS = 5.0  # Without a connection for this long; reloading a page takes less.
LOG_MAX = 300  # Events kept for reconnecting watchers: a few rounds of a full table.


class EventBatch:
    """Events that happened together; viewers who may see the same share one text."""

    def __init__(self, events: Sequence[Event]) -> None:
        self.events = tuple(events)
        self._texts: dict[tuple[str, tuple[bool, ...]], str] = {}

    @property
    def version(self) -> int:
        """The table's version after the events."""
        return self.events[-1].version

    def text(self, viewer: Viewer, language: str = ENGLISH) -> str:
        """The events as JSON for one viewer: {"events": [{"version", "what", "body"}, ...]}."""
        visible = tuple(event.audience.has(viewer) for event in self.events)
        if (language, visible) not in self._texts:
            events_json = [
                _render_event(event, is_visible=is_visible)
                for event, is_visible in zip(self.events, visible, strict=True)
            ]
            text = to_json(translate_document({"events": events_json}, language)).decode()
            self._texts[language, visible] = text
        return self._texts[language, visible]


def _render_event(event: Event, *, is_visible: bool) -> TableEvent:
    event_name, body = visible_event(event, is_visible=is_visible)
    return {"version": event.version, "what": event_name, "body": cast(EventBody, body)}


class Watcher(Protocol):
    """Receives a table's events; `open` is false once nothing can be sent."""

    open: bool
    viewer: Viewer
    answers_pings: bool  # Whether pings were answered; then silence means a lost connection.
    last_heard: float  # Time of the last message, by the monotonic clock.

    def ping(self) -> None:
        """Send a ping."""

    def send_events(self, batch: EventBatch) -> None:
        """Accept events without waiting."""

    def send_presence(self, text: str) -> None:
        """Accept a frame that says who is connected."""

    def close(self) -> None:
        """Accept no more events."""


class Subscribers:
    """A table's watchers, and its latest events for those who reconnect."""

    def __init__(self) -> None:
        self._watchers: list[Watcher] = []
        self._log: deque[Event] = deque(maxlen=LOG_MAX)
        self._gone_since: dict[str, float] = {}  # Players without a connection, and since when.
        self.on_gone: Callable[[], None] = lambda: None
        self.on_change: Callable[[], None] = lambda: None  # A watcher joined or left.

    def __len__(self) -> int:
        return len(self._watchers)

    @property
    def viewers(self) -> list[Viewer]:
        """The viewer of each open connection."""
        return [watcher.viewer for watcher in self._watchers if watcher.open]

    def join(self, watcher: Watcher, *, after: int | None = None) -> bool:
        """Add a watcher; with a version, earlier events are sent first if available."""
        missed_events = None if after is None else self.events_since(after)
        if missed_events:
            watcher.send_events(EventBatch(missed_events))
        self._watchers.append(watcher)
        self._gone_since.pop(watcher.viewer.name, None)
        self.on_change()
        return missed_events is not None

    def is_away(self, player: str) -> bool:
        """Whether a player's connection was lost; False for one who never had any."""
        gone_since = self._gone_since.get(player)
        return gone_since is not None and time.monotonic() - gone_since >= AWAY_SECONDS

    def ping(self, players: Collection[str]) -> None:
        """Ping these players, on connections that answer pings."""
        for watcher in self._pingable(players):
            watcher.ping()

    def has_silent(self, players: Collection[str], since: float) -> bool:
        """Whether a pingable connection of these players has been silent since a time."""
        last_heard: dict[str, float] = {}
        for watcher in self._pingable(players):
            last_heard[watcher.viewer.name] = max(
                watcher.last_heard, last_heard.get(watcher.viewer.name, 0.0)
            )
        return any(at < since for at in last_heard.values())

    def _pingable(self, players: Collection[str]) -> list[Watcher]:
        player_watchers = [
            watcher
            for watcher in self._watchers
            if watcher.open and watcher.viewer.role == "player"
        ]
        return [
            watcher
            for watcher in player_watchers
            if watcher.answers_pings and watcher.viewer.name in players
        ]

    def events_since(self, version: int) -> list[Event] | None:
        """The events after a version, or None if they are not all available."""
        if not self._log or not self._log[0].version - 1 <= version <= self._log[-1].version:
            return None
        return [event for event in self._log if event.version > version]

    def leave(self, watcher: Watcher) -> None:
        """Remove a watcher."""
        self._watchers = [other for other in self._watchers if other is not watcher]
        name, role = watcher.viewer
        if role == "player" and all(other.viewer != watcher.viewer for other in self._watchers):
            self._gone_since[name] = time.monotonic()
            self.on_gone()
        self.on_change()

    def publish(self, events: Sequence[Event]) -> None:
        """Send events to all watchers."""
        if not events:
            return
        if self._log and events[0].version != self._log[-1].version + 1:
            self._log.clear()
        self._log.extend(events)
        batch = EventBatch(events)
        for watcher in self._watchers:
            watcher.send_events(batch)
        self._watchers = [watcher for watcher in self._watchers if watcher.open]

    def send_presence(self, text: str) -> None:
        """Send all watchers a frame that says who is connected."""
        for watcher in self._watchers:
            watcher.send_presence(text)

    def close(self) -> None:
        """Close all watchers and drop the events."""
        for watcher in self._watchers:
            watcher.close()
        self._watchers = []
        self._log.clear()
