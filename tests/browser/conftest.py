"""One house, one browser, and a clean visitor for every test of the page."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright
from tests.browser.page_build import build_page, chromium
from tests.browser.player import INSTANT, RETRIES, Game, Player, game_of, keep_settings
from tests.browser.server import House
from tests.browser.visitors import PATIENCE_MS, VisitorPool
from tests.house.web.conftest import PASSWORD
from tests.house.web.live_server import SHEETS

# Without these flags every visitor costs two more processes for unused browser UI.
UNUSED = "WebUIOmniboxPopup,WebUIOmniboxAimPopup,HttpsUpgrades,LensOverlay,MediaRouter,PaintHolding"
# A software GPU costs a quarter more than none.
DRAWN = ("--disable-gpu", "--in-process-gpu", "--num-raster-threads=1")
ARGUMENTS = ["--no-sandbox", "--disable-dev-shm-usage", f"--disable-features={UNUSED}", *DRAWN]
expect.set_options(timeout=PATIENCE_MS)
Visit = Callable[..., Page]


@pytest.fixture(scope="package")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A house that serves the page built from current sources."""
    build_page()
    browser_house = House(tmp_path_factory.mktemp("browser") / "house")
    yield browser_house
    browser_house.close()


# Package scope, not session: while Playwright's loop is open nothing else can run one.
@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Chromium, one per worker."""
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS)
        yield started
        started.close()


@pytest.fixture
def mortal(house: House) -> Iterator[House]:
    """The house, restarted afterwards if the test killed it."""
    yield house
    if house.served.process.poll() is not None:
        house.start()


@pytest.fixture(scope="package")
def games(house: House) -> dict[str, Game]:
    """The bundled games by their sheets' ids."""
    games_by_id = {sheet["id"]: game_of(sheet) for sheet in house.get("/api/sheets")["sheets"]}
    assert set(SHEETS) <= set(games_by_id)
    return games_by_id


@pytest.fixture(scope="package")
def visitors(browser: Browser) -> VisitorPool:
    """The browser contexts of visitors, reused one after another."""
    return VisitorPool(browser)


@pytest.fixture
def visit(house: House, visitors: VisitorPool) -> Iterator[Visit]:
    """Open a page: visit(), visit("ann") signed in, visit(width=320).

    The context is reused after the test. Pass fresh=True if the test adds an init script, sets
    the clock, colors or motion, or replaces the socket.
    """
    opened: list[Page] = []
    visitors.errors.clear()

    def open_page(
        name: str | None = None,
        *,
        width: int = 1280,
        height: int = 800,
        at: str = house.address,
        fresh: bool = False,
        **options: Any,
    ) -> Page:
        page = visitors.enter(at, {"width": width, "height": height}, options, fresh=fresh)
        opened.append(page)
        if name is not None:
            reply = page.context.request.post(
                "/api/sign-in", data={"name": name, "password": PASSWORD}, max_retries=RETRIES
            )
            assert reply.ok, reply.text()
        return page

    yield open_page
    for page in opened:
        visitors.leave(page)
    assert visitors.errors == [], "the page threw errors that nobody caught"


@pytest.fixture
def guest(visit: Visit) -> Player:
    """A guest at a page where cards land at once."""
    page = visit()
    keep_settings(page, **INSTANT)
    return Player(page)


@pytest.fixture
def newcomer(visit: Visit) -> Player:
    """A guest in a context that is used only once."""
    page = visit(fresh=True)
    keep_settings(page, **INSTANT)
    return Player(page)
