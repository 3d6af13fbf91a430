"""A page whose clock is paused and set by hand, so that load makes nothing early or late."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Error as BrowserError
from playwright.sync_api import Page

__all__ = ["paused_clock"]


@contextmanager
def paused_clock(page: Page) -> Iterator[None]:
    """Pause the page's clock for the block; it must be installed."""
    while not _try_pause(page):
        pass
    yield
    page.clock.resume()


def _try_pause(page: Page) -> bool:
    """Pause within a second of the page's time; False if that time has passed already."""
    try:
        page.clock.pause_at(page.evaluate("Date.now()") / 1_000 + 1)
    except BrowserError as error:
        if "past" not in str(error):
            raise
        return False
    return True
