"""One house, one browser, and fresh visitors for every test of the page."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright
from tests.browser.built import build_page, chromium
from tests.browser.house import House
from tests.browser.player import INSTANT, RETRIES, Game, Player, game_of, keep_settings
from tests.browser.visitors import PATIENCE_MS, Visitors
from tests.house.web.conftest import PASSWORD
from tests.house.web.live import SHEETS

# Without them every visitor costs two more processes, for an address bar that nobody sees.
UNUSED = "WebUIOmniboxPopup,WebUIOmniboxAimPopup,HttpsUpgrades,LensOverlay,MediaRouter,PaintHolding"
# A graphics card that is only imagined costs a quarter more than none.
DRAWN = ("--disable-gpu", "--in-process-gpu", "--num-raster-threads=1")
ARGUMENTS = ["--no-sandbox", "--disable-dev-shm-usage", f"--disable-features={UNUSED}", *DRAWN]
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


@pytest.fixture
def mortal(house: House) -> Iterator[House]:
    """The house, to kill and to start again: what it knows is in its book."""
    yield house
    if house.served.process.poll() is not None:
        house.start()


@pytest.fixture(scope="package")
def games(house: House) -> dict[str, Game]:
    """The bundled games by their sheets' ids."""
    found = {one["id"]: game_of(one) for one in house.get("/api/sheets")["sheets"]}
    assert set(SHEETS) <= set(found)
    return found


@pytest.fixture(scope="package")
def visitors(browser: Browser) -> Visitors:
    """The browsers that visitors have, one after the other."""
    return Visitors(browser)


@pytest.fixture
def visit(house: House, visitors: Visitors) -> Iterator[Visit]:
    """A browser of somebody's own: visit(), visit("ann") signed in, visit(width=320).

    It is used again after the test. Who adds a script that runs first, sets its clock, its colours
    or its motion, or takes its socket asks for one that is not: visit(fresh=True).
    """
    opened: list[Page] = []
    visitors.thrown.clear()

    def someone(
        name: str | None = None,
        *,
        width: int = 1280,
        height: int = 800,
        at: str = house.address,
        fresh: bool = False,
        **wishes: Any,
    ) -> Page:
        page = visitors.enter(at, {"width": width, "height": height}, wishes, fresh=fresh)
        opened.append(page)
        if name is not None:
            signed = page.context.request.post(
                "/api/sign-in", data={"name": name, "password": PASSWORD}, max_retries=RETRIES
            )
            assert signed.ok, signed.text()
        return page

    yield someone
    for page in opened:
        visitors.leave(page)
    assert visitors.thrown == [], "the page threw errors that nobody caught"


@pytest.fixture
def guest(visit: Visit) -> Player:
    """Somebody without a name, at a page where cards land at once."""
    page = visit()
    keep_settings(page, **INSTANT)
    return Player(page)


@pytest.fixture
def newcomer(visit: Visit) -> Player:
    """The same in a browser that nobody had before and nobody gets again."""
    page = visit(fresh=True)
    keep_settings(page, **INSTANT)
    return Player(page)
