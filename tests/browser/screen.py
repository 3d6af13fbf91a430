"""A screen of a walk."""

from __future__ import annotations

from typing import NamedTuple

from playwright.sync_api import Page


class Screen(NamedTuple):
    """A screen's name, and the page that shows it."""

    name: str
    page: Page
