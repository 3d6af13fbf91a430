"""Background task that keeps nights in step with the live tables of their tournaments."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from pitbook.errors import PitbookError, Superseded
from pitbook.house.nights.interruptions import look_at
from pitbook.house.nights.live_tables import stop_here
from pitbook.house.nights.state import nights
from pitbook.house.nights.store import Night
from pitbook.house.nights.tournament_tables import TournamentTables
from pitbook.house.table.tables import LiveTables
from pitbook.house.web.logs import log_event

# Tournaments that tables deal, kept in step with their night: after a start, and as hands end.


LOOK_SECONDS = 5.0
ACTOR = "house"


class Evenings:
    """The open nights of a house, as far as this process holds their tables or can take them.

    Of several processes each looks: what one has settled, another finds settled.
    """

    def __init__(self, house: LiveTables) -> None:
        self._house = house
        self._known: dict[str, Night] = {}
        self._stops: dict[str, int] = {}  # Interruptions of each night that were heard of.

    async def look(self) -> list[str]:
        """Tell nights what became of hands that were cut short; tournaments found interrupted."""
        ledger, found = self._house.ledger, []
        for event in await asyncio.to_thread(nights, ledger):
            if event not in self._known:
                self._known[event] = await asyncio.to_thread(Night, ledger, event)
            night = self._known[event]
            if night.state.phase != "closed" and (await night.read()).phase == "open":
                await self._stopped(night)
                found += [name for name in night.state.tournaments if await self._cut(night, name)]
        return found

    async def _stopped(self, night: Night) -> None:
        """An interruption of the evening that was told to another process is ours as well."""
        event, stops = night.state.event, night.state.stops
        # Tables that were left before this process came were stopped by that.
        for stop in stops[self._stops.setdefault(event, len(stops)) :]:
            await stop_here(self._house, night, stop)
        self._stops[event] = len(stops)

    async def _cut(self, night: Night, name: str) -> bool:
        try:
            return await look_at(TournamentTables(self._house, night, name, ACTOR))
        except Superseded:  # Whoever holds its tables sees to it.
            return False

    async def go_on(self) -> None:
        """Look again and again; a book that cannot be read now is read the next time."""
        while True:
            try:
                for name in await self.look():
                    log_event(logging.WARNING, "tournament stopped in mid-hand", tournament=name)
            except PitbookError as failed:
                log_event(logging.ERROR, "nights not looked at", reason=str(failed))
            await asyncio.sleep(LOOK_SECONDS)


@asynccontextmanager
async def kept_in_step(house: LiveTables) -> AsyncIterator[None]:
    """While the house is open."""
    looking = asyncio.create_task(Evenings(house).go_on())
    try:
        yield
    finally:
        looking.cancel()
        await asyncio.gather(looking, return_exceptions=True)
