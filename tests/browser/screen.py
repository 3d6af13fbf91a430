"""A screen that a walk passes."""

from __future__ import annotations

from typing import NamedTuple

from playwright.sync_api import Page


class Screen(NamedTuple):
    """A screen, and the page that shows it now."""

    name: str
    page: Page
