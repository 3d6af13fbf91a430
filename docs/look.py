"""Pictures of the page at the sizes that people have, by day and by night, on sheets to look at.

python docs/look.py FOLDER [WAY ...] [WORD ...] walks every way through the page, or those named,
and draws each screen whose name has one of the words at every size: one sheet a screen, to look at.
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

from tests.browser.built import chromium
from tests.browser.conftest import ARGUMENTS
from tests.browser.house import House
from tests.browser.player import RETRIES, game_of
from tests.browser.screen import Screen
from tests.browser.screens import WAYS, Walk
from tests.browser.visitors import Visitors
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
PATIENCE_MS = 180_000  # Nobody who looks at pictures is in a hurry.


def main(folder: Path, words: list[str]) -> None:
    """Draw what is asked for."""
    folder.mkdir(parents=True, exist_ok=True)
    with visiting() as (house, visit):
        games = {one["id"]: game_of(one) for one in house.get("/api/sheets")["sheets"]}
        ways = [way for way in WAYS if way in words] or list(WAYS)
        words = [word for word in words if word not in WAYS]
        for way in ways:
            for screen in Walk(way, house, visit, games):
                if not words or any(word in screen.name for word in words):
                    drawn(screen, folder)


@contextmanager
def visiting() -> Iterator[tuple[House, Callable[..., Page]]]:
    """A house, and visitors in browsers of their own."""
    with ExitStack() as ends:
        within = ends.enter_context(tempfile.TemporaryDirectory())
        house = House(Path(within) / "house")
        ends.callback(house.close)
        playwright = ends.enter_context(sync_playwright())
        browser = playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS)
        ends.callback(browser.close)
        visitors = Visitors(browser)

        def visit(
            name: str | None = None, *, width: int = 1280, height: int = 800, **_: Any
        ) -> Page:
            page = visitors.enter(house.address, {"width": width, "height": height}, {})
            who = {"name": name, "password": PASSWORD}
            if name is not None:
                page.context.request.post("/api/sign-in", data=who, max_retries=RETRIES)
            return page

        yield house, visit


def drawn(screen: Screen, folder: Path) -> None:
    """One sheet of a screen."""
    before = screen.page.viewport_size
    sheet = Image.new("RGB", (WIDTH, sum(high + GAP for high, _ in ROWS)), "#888")
    y = 0
    for high, row in ROWS:
        x = 0
        for width, height, scheme in row:
            one = taken(screen.page, width, height, scheme)
            small = one.resize((round(width * high / height), high), Image.Resampling.LANCZOS)
            sheet.paste(small, (x, y))
            x += small.width + GAP
        y += high + GAP
    sheet.save(folder / f"{screen.name}.png")
    screen.page.emulate_media(color_scheme="light")
    if before:
        screen.page.set_viewport_size(before)
    print(screen.name, flush=True)


def taken(page: Page, width: int, height: int, scheme: Any) -> Image.Image:
    """What is to be seen at a size without scrolling."""
    page.set_viewport_size({"width": width, "height": height})
    page.emulate_media(color_scheme=scheme)
    page.wait_for_timeout(150)
    return Image.open(BytesIO(page.screenshot(timeout=PATIENCE_MS))).convert("RGB")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
