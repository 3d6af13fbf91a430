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
from pitbook.text.catalogue import ENGLISH
from pitbook.text.documents import translated

AWAY_SECONDS = 5.0  # Without a line for so long: a page that is loaded again comes back before.
LOG_MAX = 300  # Events that are kept for those who come back: some rounds of a full table.


class EventBatch:
    """What happened at once; those who may see the same share one text of it."""

    def __init__(self, events: Sequence[Event]) -> None:
        self.events = tuple(events)
        self._texts: dict[tuple[str, tuple[bool, ...]], str] = {}

    @property
    def version(self) -> int:
        """The version of the table after all of it."""
        return self.events[-1].version

    def text(self, viewer: Viewer, language: str = ENGLISH) -> str:
        """The events as JSON for one viewer: {"events": [{"version", "what", "body"}, ...]}."""
        seen = tuple(event.audience.has(viewer) for event in self.events)
        if (language, seen) not in self._texts:
            told = [
                _render_event(one, sees=sees) for one, sees in zip(self.events, seen, strict=True)
            ]
            text = to_json(translated({"events": told}, language)).decode()
            self._texts[language, seen] = text
        return self._texts[language, seen]


def _render_event(event: Event, *, sees: bool) -> TableEvent:
    what, body = visible_event(event, sees=sees)
    return {"version": event.version, "what": what, "body": cast(EventBody, body)}


class Watcher(Protocol):
    """Whoever wants to be told; `open` is false once there is no use in telling any more."""

    open: bool
    viewer: Viewer
    answers: bool  # Whether calls were answered; then silence says that the line is lost.
    heard: float  # When anything was, by the monotonic clock.

    def call(self) -> None:
        """Ask for a sign of life."""

    def tell(self, news: EventBatch) -> None:
        """Take news, without waiting."""

    def close(self) -> None:
        """Nothing more will come."""


class Subscribers:
    """All who watch one table, and what happened last for those who were away."""

    def __init__(self) -> None:
        self._all: list[Watcher] = []
        self._log: deque[Event] = deque(maxlen=LOG_MAX)
        self._gone: dict[str, float] = {}  # Players without a line, and since when.
        self.on_gone: Callable[[], None] = lambda: None

    def __len__(self) -> int:
        return len(self._all)

    @property
    def viewers(self) -> list[Viewer]:
        """As whom they look, one for each line that is open."""
        return [one.viewer for one in self._all if one.open]

    def join(self, watcher: Watcher, *, after: int | None = None) -> bool:
        """Tell a watcher all that comes; with a version, all since then first, if it is kept."""
        missed = None if after is None else self.since(after)
        if missed:
            watcher.tell(EventBatch(missed))
        self._all.append(watcher)
        self._gone.pop(watcher.viewer.name, None)
        return missed is not None

    def away(self, player: str) -> bool:
        """Whether a player's line was lost and has not come back; one who never had any is here."""
        gone = self._gone.get(player)
        return gone is not None and time.monotonic() - gone >= AWAY_SECONDS

    def call(self, players: Collection[str]) -> None:
        """Ask players for a sign of life, on lines that give any."""
        for one in self._lines_of(players):
            one.call()

    def silent(self, players: Collection[str], since: float) -> bool:
        """Whether one of them has a line on which nothing was heard since."""
        heard: dict[str, float] = {}
        for one in self._lines_of(players):
            heard[one.viewer.name] = max(one.heard, heard.get(one.viewer.name, 0.0))
        return any(at < since for at in heard.values())

    def _lines_of(self, players: Collection[str]) -> list[Watcher]:
        lines = [one for one in self._all if one.open and one.viewer.role == "player"]
        return [one for one in lines if one.answers and one.viewer.name in players]

    def since(self, version: int) -> list[Event] | None:
        """Every event behind a version; None where they are not all kept, or not to come yet."""
        if not self._log or not self._log[0].version - 1 <= version <= self._log[-1].version:
            return None
        return [event for event in self._log if event.version > version]

    def leave(self, watcher: Watcher) -> None:
        """Tell a watcher nothing more."""
        self._all = [one for one in self._all if one is not watcher]
        name, role = watcher.viewer
        if role == "player" and all(one.viewer != watcher.viewer for one in self._all):
            self._gone[name] = time.monotonic()
            self.on_gone()

    def tell(self, events: Sequence[Event]) -> None:
        """Hand events to all who still listen."""
        if not events:
            return
        if self._log and events[0].version != self._log[-1].version + 1:
            self._log.clear()
        self._log.extend(events)
        news = EventBatch(events)
        for one in self._all:
            one.tell(news)
        self._all = [one for one in self._all if one.open]

    def close(self) -> None:
        """Tell nobody anything more; what was told is not told again."""
        for one in self._all:
            one.close()
        self._all = []
        self._log.clear()
