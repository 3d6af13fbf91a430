"""Whoever stands between a page and its house, and answers for it or steps aside.

It stays where it is to the end: a browser that is listened to no more forgets what its page asks
at that very moment, and the page waits for ever.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from playwright.sync_api import BrowserContext, Page, Route

Answer = Callable[[Route], None]


@dataclass
class Between:
    listened_to: Page | BrowserContext
    addresses: str
    _answer: Answer | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        self.listened_to.route(self.addresses, self._asked)

    def answers(self, answer: Answer) -> None:
        self._answer = answer

    def steps_aside(self) -> None:
        self._answer = None

    def _asked(self, route: Route) -> None:
        if self._answer:
            self._answer(route)
        else:
            route.fallback()
