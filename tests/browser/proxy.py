"""Intercept requests between a page and its house, or let them pass.

The route stays installed to the end: when a route is removed, Playwright may lose a request that
is in flight, and the page would wait forever.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from playwright.sync_api import BrowserContext, Page, Route

Answer = Callable[[Route], None]


@dataclass
class Interceptor:
    listened_to: Page | BrowserContext
    addresses: str
    _answer: Answer | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        self.listened_to.route(self.addresses, self._handle)

    def answer_with(self, answer: Answer) -> None:
        self._answer = answer

    def pass_through(self) -> None:
        self._answer = None

    def _handle(self, route: Route) -> None:
        if self._answer:
            self._answer(route)
        else:
            route.fallback()
