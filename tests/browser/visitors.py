"""Browser contexts for visitors, reused and left clean."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize
from playwright.sync_api import Error as BrowserError

PATIENCE_MS = 30_000
# An address of the house, so that its storage can be cleared, where no page script runs.
OUTSIDE = "/assets/outside"
FORGET = "() => { localStorage.clear(); sessionStorage.clear(); }"
# Navigate as a link does, by way of an unknown path, so that the view is rebuilt.
GO = """async (to) => {
  for (const one of document.querySelectorAll("dialog[open]")) one.close();
  for (const path of ["/nowhere/at/all", to]) {
    history.pushState(null, "", path);
    dispatchEvent(new PopStateEvent("popstate"));
    await new Promise(requestAnimationFrame);
  }
}"""


class VisitorPool:
    """A pool of browser contexts for visitors.

    A new context costs three processes and as much time as a round, so it is reused: without
    cookies or stored data, at an address where no script runs.
    """

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._idle: defaultdict[str, list[Page]] = defaultdict(list)
        self._kinds: dict[Page, str] = {}
        self.errors: list[str] = []

    def enter(
        self, address: str, size: ViewportSize, options: dict[str, Any], *, fresh: bool = False
    ) -> Page:
        """A clean page in a clean context; a fresh one is closed afterwards."""
        kind = f"{address} {sorted(options.items())}"
        if fresh or not self._idle[kind]:
            page = self._open(base_url=address, viewport=size, **options)
            if not fresh:
                page.goto(OUTSIDE)
                self._kinds[page] = kind
            return page
        page = self._idle[kind].pop()
        if page.viewport_size != size:
            page.set_viewport_size(size)
        return page

    def leave(self, page: Page) -> None:
        """Clear everything of a visit; if that fails, close the context."""
        kind = self._kinds.get(page)
        if kind is None or page.is_closed() or not self._clean(page):
            self._kinds.pop(page, None)
            page.context.close()
        else:
            self._idle[kind].append(page)

    def _open(self, **options: Any) -> Page:
        # Requests of a service worker would bypass the listening test.
        context = self._browser.new_context(**{"service_workers": "block", **options})
        context.set_default_timeout(PATIENCE_MS)
        context.on("weberror", lambda error: self.errors.append(str(error.error)))
        return context.new_page()

    def _clean(self, page: Page) -> bool:
        try:
            page.unroute_all(behavior="ignoreErrors")
            _close_other_pages(page.context, page)
            page.goto(OUTSIDE)
            page.evaluate(FORGET)
            page.context.clear_cookies()
        except BrowserError:
            return False
        return True


def go(page: Page, to: str) -> None:
    """Navigate within the page without loading it again, if it is open."""
    if page.url.startswith("http") and not page.url.endswith(OUTSIDE):
        page.evaluate(GO, to)
    else:
        page.goto(to)


def _close_other_pages(context: BrowserContext, page: Page) -> None:
    for other in context.pages:
        if other is not page:
            other.close()
