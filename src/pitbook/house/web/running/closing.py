"""A day that is over is closed by the house itself: nobody has to think of it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from pitbook.errors import PitbookError
from pitbook.house.inspect.day_close import keep
from pitbook.house.ledger.folder import Folder
from pitbook.house.ledger.writer import utc_now
from pitbook.house.web.logs import log_event

LOOK_SECONDS = 300.0  # Also before the first look: whoever opens the house comes first.


@asynccontextmanager
async def days_closed(folder: Folder, days: int) -> AsyncIterator[None]:
    """While the house is open; `days` is how long a close is kept."""
    looking = asyncio.create_task(_go_on(folder, days))
    try:
        yield
    finally:
        looking.cancel()
        await asyncio.gather(looking, return_exceptions=True)


async def _go_on(folder: Folder, days: int) -> None:
    while True:
        await asyncio.sleep(LOOK_SECONDS)
        try:
            for day in await asyncio.to_thread(keep, folder, utc_now(), days=days):
                log_event(logging.INFO, "day closed", day=str(day))
        except (OSError, PitbookError) as failed:
            log_event(logging.ERROR, "day not closed", reason=str(failed))
