"""A page whose clock stands still and is set by hand: no load makes anything late or early."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Error as BrowserError
from playwright.sync_api import Page

__all__ = ["held"]


@contextmanager
def held(page: Page) -> Iterator[None]:
    """From here to the end of the block; the page's clock is installed."""
    while not _stopped(page):
        pass
    yield
    page.clock.resume()


def _stopped(page: Page) -> bool:
    """Within a second of its own time; where that has gone by meanwhile it is tried again."""
    try:
        page.clock.pause_at(page.evaluate("Date.now()") / 1_000 + 1)
    except BrowserError as error:
        if "past" not in str(error):
            raise
        return False
    return True
