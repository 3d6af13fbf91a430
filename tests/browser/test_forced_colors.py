"""Every screen is readable in forced colors, measured on the rendered picture."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page
from tests.browser.conftest import Visit
from tests.browser.page_build import script
from tests.browser.player import (
    INSTANT,
    Game,
    Json,
    Player,
    commands_to_deal,
    commands_to_finish,
    keep_settings,
)
from tests.browser.visitors import PATIENCE_MS, go
from tests.lanes import spread

STUD, HI_LO = "catfish-bend/mississippi-stud", "catfish-bend/matchem-hi-lo"
CONTRAST_MIN = 4.5
SCALE = 2
SIZE = {"width": 1280, "height": 1400}
SCHEMES = ("light", "dark")
FOCUSED = ("Deal", "Undo", "Rebet")


class ContrastMeter:
    """Measures the contrast in a screenshot, using a second page."""

    def __init__(self, page: Page, ruler: Page) -> None:
        self.page, self.ruler = page, ruler
        self.session = page.context.new_cdp_session(page)

    def low_contrast(self, screen: str) -> list[str]:
        """Words and cards without enough contrast."""
        boxes = self.page.evaluate(script("text_boxes"))
        assert boxes, f"{screen} says nothing"
        return [
            f"{screen}: {measured['name']} {measured['contrast']:.2f}"
            for measured in self._measure(boxes)
            if measured["contrast"] < CONTRAST_MIN
        ]

    def outline_contrast(self, what: Locator) -> float:
        """The contrast of the focus outline, once it is drawn."""
        until = time.monotonic() + PATIENCE_MS / 1000
        while (contrast := self._outline_now(what)) < CONTRAST_MIN and time.monotonic() < until:
            self.page.wait_for_timeout(100)
        return contrast

    def _outline_now(self, what: Locator) -> float:
        what.focus()
        bounds = what.bounding_box()
        assert bounds is not None
        left, top, right = bounds["x"] + 8, bounds["y"] - 6, bounds["x"] + bounds["width"] - 8
        box = [round(edge) for edge in (left, top, right, bounds["y"] - 1)]
        (outline,) = self._measure([{"box": box, "name": "outline"}])
        return float(outline["contrast"])

    def _measure(self, boxes: list[Json]) -> list[Json]:
        """Measure at twice the screen size, so that letters are sharp."""
        left, top = (min(box["box"][side] for box in boxes) for side in (0, 1))
        right, bottom = (max(box["box"][side] for box in boxes) for side in (2, 3))
        clip = {"x": left, "y": top, "width": right - left, "height": bottom - top, "scale": SCALE}
        options = {"clip": clip, "optimizeForSpeed": True}
        picture = self.session.send("Page.captureScreenshot", options)["data"]
        moved = [{**box, "box": shift_box(box["box"], left, top)} for box in boxes]
        measured: list[Json] = self.ruler.evaluate(script("text_contrast"), [picture, SCALE, moved])
        return measured


def shift_box(box: list[int], left: int, top: int) -> list[int]:
    """A box relative to a picture's origin."""
    return [box[0] - left, box[1] - top, box[2] - left, box[3] - top]


def color_screens(player: Player, games: dict[str, Game]) -> Iterator[str]:
    """The page at a few places where colors carry meaning."""
    page, stud, hi_lo = player.page, games[STUD], games[HI_LO]
    page.goto("/")
    page.get_by_role("cell", name=re.compile("%$")).nth(4).wait_for()
    yield "lobby"
    page.get_by_role("button", name="Settings").click()
    yield "settings"
    player.walk_to(player.seat(stud))
    player.circle("Ante").wait_for()
    yield "stud, empty"
    player.walk_to(player.seat(stud, *commands_to_finish(stud, "3 Card Bonus")))
    player.wait_for_result()
    yield "stud, over"
    player.walk_to(player.seat(hi_lo, *commands_to_deal(hi_lo)))
    player.wait_for_decision()
    player.action("Double").click()
    yield "hi-lo, doubled"
    go(page, f"/lab/{STUD}")
    page.get_by_role("textbox", name="Flush", exact=True).first.fill("seven")
    page.locator("[aria-invalid=true]").first.wait_for()
    yield "lab, marked"


@pytest.mark.parametrize("scheme", spread(SCHEMES, 1))
def test_forced_colors_have_enough_contrast(
    scheme: str, visit: Visit, browser: Browser, games: dict[str, Game]
) -> None:
    page = visit(
        **SIZE,
        forced_colors="active",
        color_scheme=scheme,
        fresh=True,
    )
    keep_settings(page, **INSTANT)
    player, ruler = Player(page), browser.new_page()
    eyes = ContrastMeter(page, ruler)
    wrong = list[str]()
    for screen in color_screens(player, games):
        wrong += eyes.low_contrast(f"{scheme} {screen}")
        wrong += [
            f"{scheme} {screen}: {name!r} is lost"
            for name in page.evaluate(script("invisible_text"))
        ]
    player.sit(games[STUD])  # Loaded again: without mouse use, the focus is shown.
    player.circle("Ante").wait_for()
    wrong += [
        f"{scheme} focus on {what.inner_text()!r}: {contrast:.2f}"
        for what in (player.circle("Ante"), *(player.action(name) for name in FOCUSED))
        if (contrast := eyes.outline_contrast(what)) < CONTRAST_MIN
    ]
    ruler.close()
    assert not wrong, "\n".join(wrong)
