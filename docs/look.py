"""Pictures of the page at common screen sizes, light and dark, combined into sheets.

python docs/look.py FOLDER [WAY ...] [WORD ...] follows every walk through the page, or those
named, and draws each screen whose name has one of the words at every size, one sheet per screen.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from io import BytesIO
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Page, sync_playwright

sys.path.insert(0, str(Path(__file__).parent.parent))

from tests.browser.conftest import ARGUMENTS
from tests.browser.page_build import chromium
from tests.browser.player import RETRIES, game_of
from tests.browser.screen import Screen
from tests.browser.screens import ROUTES, Walk
from tests.browser.server import House
from tests.browser.visitors import VisitorPool
from tests.house.web.conftest import PASSWORD

LIGHT, DARK = "light", "dark"
ROWS = (
    (400, ((360, 740, LIGHT), (360, 740, DARK), (844, 390, LIGHT))),
    (375, ((1366, 657, LIGHT), (1366, 657, DARK))),
    (484, ((1440, 900, LIGHT), (1440, 900, DARK))),
    (436, ((3840, 2160, LIGHT), (3840, 2160, DARK))),
    (360, ((844, 390, DARK),)),
)
"""A sheet, row by row: how high its pictures are, and what is to be seen on each."""
WIDTH, GAP = 1_570, 10
TIMEOUT_MS = 180_000  # Speed does not matter here.


def main(folder: Path, words: list[str]) -> None:
    """Draw the requested screens."""
    folder.mkdir(parents=True, exist_ok=True)
    with open_visits() as (house, visit):
        games = {sheet["id"]: game_of(sheet) for sheet in house.get("/api/sheets")["sheets"]}
        ways = [walk_name for walk_name in ROUTES if walk_name in words] or list(ROUTES)
        words = [word for word in words if word not in ROUTES]
        for walk_name in ways:
            for screen in Walk(walk_name, house, visit, games):
                if not words or any(word in screen.name for word in words):
                    draw_sheet(screen, folder)


@contextmanager
def open_visits() -> Iterator[tuple[House, Callable[..., Page]]]:
    """A house, and a function that opens visitors in separate browser contexts."""
    with ExitStack() as ends:
        folder = ends.enter_context(tempfile.TemporaryDirectory())
        house = House(Path(folder) / "house")
        ends.callback(house.close)
        playwright = ends.enter_context(sync_playwright())
        browser = playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS)
        ends.callback(browser.close)
        visitors = VisitorPool(browser)

        def visit(
            name: str | None = None, *, width: int = 1280, height: int = 800, **_: Any
        ) -> Page:
            page = visitors.enter(house.address, {"width": width, "height": height}, {})
            credentials = {"name": name, "password": PASSWORD}
            if name is not None:
                page.context.request.post("/api/sign-in", data=credentials, max_retries=RETRIES)
            return page

        yield house, visit


def draw_sheet(screen: Screen, folder: Path) -> None:
    """Draw one sheet of a screen."""
    size_before = screen.page.viewport_size
    sheet = Image.new(
        "RGB", (WIDTH, sum(picture_height + GAP for picture_height, _ in ROWS)), "#888"
    )
    y = 0
    for picture_height, row in ROWS:
        x = 0
        for width, height, scheme in row:
            picture = screenshot(screen.page, width, height, scheme)
            thumbnail = picture.resize(
                (round(width * picture_height / height), picture_height), Image.Resampling.LANCZOS
            )
            sheet.paste(thumbnail, (x, y))
            x += thumbnail.width + GAP
        y += picture_height + GAP
    sheet.save(folder / f"{screen.name}.png")
    screen.page.emulate_media(color_scheme="light")
    if size_before:
        screen.page.set_viewport_size(size_before)
    print(screen.name, flush=True)


def screenshot(page: Page, width: int, height: int, scheme: Any) -> Image.Image:
    """The visible part of the page at a size."""
    page.set_viewport_size({"width": width, "height": height})
    page.emulate_media(color_scheme=scheme)
    page.wait_for_timeout(150)
    return Image.open(BytesIO(page.screenshot(timeout=TIMEOUT_MS))).convert("RGB")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
