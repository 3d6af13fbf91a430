"""The background task that keeps open nights in step with their tables."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from pitbook.errors import PitbookError, Superseded
from pitbook.house.nights.interruptions import sync_tournament
from pitbook.house.nights.state import nights
from pitbook.house.nights.store import Night
from pitbook.house.nights.table_commands import apply_stop
from pitbook.house.nights.tournament_tables import TournamentTables
from pitbook.house.table.live_tables import LiveTables
from pitbook.house.web.logs import log_event

SYNC_SECONDS = 5.0
ACTOR = "house"


class NightSync:
    """Keeps the open nights in step with their tables, as far as this process can load them.

    Every process runs it; a tournament that one has settled is left alone by the others.
    """

    def __init__(self, tables: LiveTables) -> None:
        self._house = tables
        self._known: dict[str, Night] = {}
        self._stops: dict[str, int] = {}  # Interruptions already applied, by night.

    async def sync_all(self) -> list[str]:
        """Sync all open nights once; returns the tournaments found interrupted."""
        ledger, interrupted = self._house.ledger, []
        for event in await asyncio.to_thread(nights, ledger):
            if event not in self._known:
                self._known[event] = await asyncio.to_thread(Night, ledger, event)
            night = self._known[event]
            if night.state.phase != "closed" and (await night.read()).phase == "open":
                await self._apply_stops(night)
                interrupted += [
                    name
                    for name in night.state.tournaments
                    if await self._sync_tournament(night, name)
                ]
        return interrupted

    async def _apply_stops(self, night: Night) -> None:
        """Apply interruptions that were reported to another process."""
        event, stops = night.state.event, night.state.stops
        # Earlier interruptions stopped these tables before this process started.
        for stop in stops[self._stops.setdefault(event, len(stops)) :]:
            await apply_stop(self._house, night, stop)
        self._stops[event] = len(stops)

    async def _sync_tournament(self, night: Night, name: str) -> bool:
        try:
            return await sync_tournament(TournamentTables(self._house, night, name, ACTOR))
        except Superseded:  # The process that holds its tables handles it.
            return False

    async def run(self) -> None:
        """Sync in a loop; a failed read is retried the next time."""
        while True:
            try:
                for name in await self.sync_all():
                    log_event(logging.WARNING, "tournament_interrupted", tournament=name)
            except PitbookError as error:
                log_event(logging.ERROR, "night_sync_failed", reason=str(error))
            await asyncio.sleep(SYNC_SECONDS)


@asynccontextmanager
async def keep_in_sync(house: LiveTables) -> AsyncIterator[None]:
    """Sync the nights in the background while the server runs."""
    task = asyncio.create_task(NightSync(house).run())
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
