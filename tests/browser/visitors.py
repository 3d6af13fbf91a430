"""Browsers for visitors: each is opened once, and left as clean as it was found."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize
from playwright.sync_api import Error as BrowserError

PATIENCE_MS = 30_000
# Of the house, so that what it keeps in a browser can be reached; and nothing of the page runs.
OUTSIDE = "/assets/outside"
FORGET = "() => { localStorage.clear(); sessionStorage.clear(); }"
# As a link goes, but by way of nowhere: what is shown next is made anew, and no dialog stays open.
GO = """async (to) => {
  for (const one of document.querySelectorAll("dialog[open]")) one.close();
  for (const path of ["/nowhere/at/all", to]) {
    history.pushState(null, "", path);
    dispatchEvent(new PopStateEvent("popstate"));
    await new Promise(requestAnimationFrame);
  }
}"""


class Visitors:
    """Whoever visits gets a browser of their own: one that was left before, or a new one.

    A browser of one's own costs three processes and as much time as a round, so that the next
    visitor has it again: without cookies, without anything kept, at an address where nothing runs.
    """

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._left: defaultdict[str, list[Page]] = defaultdict(list)
        self._kinds: dict[Page, str] = {}
        self.thrown: list[str] = []

    def enter(
        self, address: str, size: ViewportSize, wishes: dict[str, Any], *, fresh: bool = False
    ) -> Page:
        """A clean page in a clean browser; a fresh one is closed for good afterwards."""
        kind = f"{address} {sorted(wishes.items())}"
        if fresh or not self._left[kind]:
            page = self._opened(base_url=address, viewport=size, **wishes)
            if not fresh:
                page.goto(OUTSIDE)
                self._kinds[page] = kind
            return page
        page = self._left[kind].pop()
        if page.viewport_size != size:
            page.set_viewport_size(size)
        return page

    def leave(self, page: Page) -> None:
        """Everything of one visit is forgotten; where that cannot be, the browser is closed."""
        kind = self._kinds.get(page)
        if kind is None or page.is_closed() or not self._cleaned(page):
            self._kinds.pop(page, None)
            page.context.close()
        else:
            self._left[kind].append(page)

    def _opened(self, **wishes: Any) -> Page:
        # Whoever asks the house through a worker asks behind the back of a test that listens.
        context = self._browser.new_context(**{"service_workers": "block", **wishes})
        context.set_default_timeout(PATIENCE_MS)
        context.on("weberror", lambda error: self.thrown.append(str(error.error)))
        return context.new_page()

    def _cleaned(self, page: Page) -> bool:
        try:
            page.unroute_all(behavior="ignoreErrors")
            _alone(page.context, page)
            page.goto(OUTSIDE)
            page.evaluate(FORGET)
            page.context.clear_cookies()
        except BrowserError:
            return False
        return True


def go(page: Page, to: str) -> None:
    """Elsewhere; a page that is there is not loaded again, which is most of the work."""
    if page.url.startswith("http") and not page.url.endswith(OUTSIDE):
        page.evaluate(GO, to)
    else:
        page.goto(to)


def _alone(context: BrowserContext, page: Page) -> None:
    for other in context.pages:
        if other is not page:
            other.close()
