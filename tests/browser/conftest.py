"""One house, one browser, and fresh visitors for every test of the page."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    Page,
    ViewportSize,
    expect,
    sync_playwright,
)
from tests.browser.built import build_page, chromium
from tests.browser.house import House
from tests.browser.player import INSTANT, RETRIES, Game, Player, game_of, keep_settings
from tests.web.conftest import PASSWORD
from tests.web.live import SHEETS

PATIENCE_MS = 30_000
# Without them every visitor costs two more processes, for an address bar that nobody sees.
UNUSED = "WebUIOmniboxPopup,WebUIOmniboxAimPopup,HttpsUpgrades,LensOverlay,MediaRouter,PaintHolding"
ARGUMENTS = ["--no-sandbox", "--disable-dev-shm-usage", f"--disable-features={UNUSED}"]
expect.set_options(timeout=PATIENCE_MS)
Visit = Callable[..., Page]


@pytest.fixture(scope="package")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A house that serves the page as its sources are now."""
    build_page()
    made = House(tmp_path_factory.mktemp("browser") / "house")
    yield made
    made.close()


# Of the package, not of the session: while Playwright's loop is open nobody else can run one.
@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Chromium, one for all tests of a worker."""
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS)
        yield started
        started.close()


@pytest.fixture(scope="package")
def games(house: House) -> dict[str, Game]:
    """The bundled games by their sheets' ids."""
    found = {one["id"]: game_of(one) for one in house.get("/api/sheets")["sheets"]}
    assert set(SHEETS) == set(found)
    return found


@pytest.fixture
def visit(house: House, browser: Browser) -> Iterator[Visit]:
    """A browser of somebody's own: visit(), visit("ann") signed in, visit(width=320)."""
    opened: list[BrowserContext] = []
    thrown: list[str] = []

    def someone(
        name: str | None = None, *, width: int = 1280, height: int = 800, **wishes: Any
    ) -> Page:
        size: ViewportSize = {"width": width, "height": height}
        context = browser.new_context(base_url=house.address, viewport=size, **wishes)
        context.set_default_timeout(PATIENCE_MS)
        context.on("weberror", lambda error: thrown.append(str(error.error)))
        opened.append(context)
        if name is not None:
            signed = context.request.post(
                "/api/sign-in", data={"name": name, "password": PASSWORD}, max_retries=RETRIES
            )
            assert signed.ok, signed.text()
        return context.new_page()

    yield someone
    for context in opened:
        context.close()
    assert thrown == [], "the page threw errors that nobody caught"


@pytest.fixture
def guest(visit: Visit) -> Player:
    """Somebody without a name, at a page where cards land at once."""
    page = visit()
    keep_settings(page, **INSTANT)
    return Player(page)
