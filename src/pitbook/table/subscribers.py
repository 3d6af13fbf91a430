"""Who watches a table. A slow watcher is let go; the table never waits for anybody to read."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable

from pitbook.table.events import Event, for_viewer
from pitbook.table.views import Viewer

BACKLOG_MAX = 1_000


class Subscription:
    """The events of one viewer, in order; it ends when the viewer must look at the table anew."""

    def __init__(self, viewer: Viewer) -> None:
        self.viewer = viewer
        self._queue: asyncio.Queue[Event | None] = asyncio.Queue()
        self.open = True

    def tell(self, event: Event) -> None:
        """Hand an event on; with too many unread the subscription ends."""
        if self._queue.qsize() >= BACKLOG_MAX:
            self.close()
        else:
            self._queue.put_nowait(for_viewer(event, self.viewer))

    def close(self) -> None:
        """Tell nothing more."""
        self.open = False
        self._queue.put_nowait(None)

    async def __aiter__(self) -> AsyncIterator[Event]:
        while (event := await self._queue.get()) is not None:
            yield event


class Subscribers:
    """All who watch one table."""

    def __init__(self) -> None:
        self._all: list[Subscription] = []

    def add(self, viewer: Viewer) -> Subscription:
        """A new subscription for what comes from now on."""
        made = Subscription(viewer)
        self._all.append(made)
        return made

    def tell(self, events: Iterable[Event]) -> None:
        """Hand events to all who still listen."""
        for event in events:
            for one in self._all:
                one.tell(event)
            self._all = [one for one in self._all if one.open]

    def close(self) -> None:
        """End every subscription."""
        for one in self._all:
            one.close()
        self._all = []
