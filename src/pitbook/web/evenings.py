"""Tournaments that tables deal, kept in step with their night: after a start, and as hands end."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from pitbook.errors import PitbookError
from pitbook.nights.cut_hands import take_up
from pitbook.nights.night import Night, nights
from pitbook.table.house import House
from pitbook.web.logs import note

__all__ = ["Evenings", "kept_in_step"]

LOOK_SECONDS = 5.0
ACTOR = "house"


class Evenings:
    """The open nights of a house whose tables are all held by this process."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._known: dict[str, Night] = {}

    async def look(self) -> list[str]:
        """Tell nights what became of hands that were cut short; tournaments found interrupted."""
        ledger, found = self._house.ledger, []
        for event in await asyncio.to_thread(nights, ledger):
            night = self._known.setdefault(event, Night(ledger, event))
            if night.state.phase != "closed" and night.refreshed().phase == "open":
                found += await take_up(self._house, night, actor=ACTOR)
        return found

    async def go_on(self) -> None:
        """Look again and again; a book that cannot be read now is read the next time."""
        while True:
            try:
                for name in await self.look():
                    note(logging.WARNING, "tournament interrupted", tournament=name)
            except PitbookError as failed:
                note(logging.ERROR, "nights not looked at", reason=str(failed))
            await asyncio.sleep(LOOK_SECONDS)


@asynccontextmanager
async def kept_in_step(house: House) -> AsyncIterator[None]:
    """While the house is open."""
    looking = asyncio.create_task(Evenings(house).go_on())
    try:
        yield
    finally:
        looking.cancel()
        await asyncio.gather(looking, return_exceptions=True)
