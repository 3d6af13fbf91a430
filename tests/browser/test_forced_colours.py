"""Somebody who has chosen a few strong colours sees the whole house in them, measured as drawn."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page
from tests.browser.built import script
from tests.browser.conftest import Visit
from tests.browser.player import INSTANT, Game, Json, Player, dealt, keep_settings, played
from tests.browser.visitors import PATIENCE_MS, go
from tests.lanes import spread

STUD, HI_LO = "catfish-bend/mississippi-stud", "catfish-bend/matchem-hi-lo"
LEAST = 4.5
SCALE = 2
SIZE = {"width": 1280, "height": 1400}
SCHEMES = ("light", "dark")
FOCUSED = ("Deal", "Undo", "Rebet")


class Eyes:
    """What is drawn, read off the picture by a second page."""

    def __init__(self, page: Page, ruler: Page) -> None:
        self.page, self.ruler = page, ruler
        self.line = page.context.new_cdp_session(page)

    def faint(self, screen: str) -> list[str]:
        """Words and cards that do not stand out from their ground."""
        boxes = self.page.evaluate(script("letters"))
        assert boxes, f"{screen} says nothing"
        return [
            f"{screen}: {one['name']} {one['contrast']:.2f}"
            for one in self._measured(boxes)
            if one["contrast"] < LEAST
        ]

    def outlined(self, what: Locator) -> float:
        """How far the outline of what has the focus stands out, once it is drawn."""
        until = time.monotonic() + PATIENCE_MS / 1000
        while (seen := self._outline(what)) < LEAST and time.monotonic() < until:
            self.page.wait_for_timeout(100)
        return seen

    def _outline(self, what: Locator) -> float:
        what.focus()
        found = what.bounding_box()
        assert found is not None
        left, top, right = found["x"] + 8, found["y"] - 6, found["x"] + found["width"] - 8
        box = [round(one) for one in (left, top, right, found["y"] - 1)]
        (one,) = self._measured([{"box": box, "name": "outline"}])
        return float(one["contrast"])

    def _measured(self, boxes: list[Json]) -> list[Json]:
        """Twice as large as on the screen, for letters that are drawn sharply."""
        left, top = (min(one["box"][side] for one in boxes) for side in (0, 1))
        right, bottom = (max(one["box"][side] for one in boxes) for side in (2, 3))
        clip = {"x": left, "y": top, "width": right - left, "height": bottom - top, "scale": SCALE}
        wish = {"clip": clip, "optimizeForSpeed": True}
        picture = self.line.send("Page.captureScreenshot", wish)["data"]
        moved = [{**one, "box": shifted(one["box"], left, top)} for one in boxes]
        found: list[Json] = self.ruler.evaluate(script("inked"), [picture, SCALE, moved])
        return found


def shifted(box: list[int], left: int, top: int) -> list[int]:
    """A box as it lies in a picture that begins there."""
    return [box[0] - left, box[1] - top, box[2] - left, box[3] - top]


def screens(player: Player, games: dict[str, Game]) -> Iterator[str]:
    """The page at a few places where colours say something."""
    page, stud, hi_lo = player.page, games[STUD], games[HI_LO]
    page.goto("/")
    page.get_by_role("cell", name=re.compile("%$")).nth(4).wait_for()
    yield "lobby"
    page.get_by_role("button", name="Settings").click()
    yield "settings"
    player.walk_to(player.seat(stud))
    player.circle("Ante").wait_for()
    yield "stud, empty"
    player.walk_to(player.seat(stud, *played(stud, "3 Card Bonus")))
    player.settled()
    yield "stud, over"
    player.walk_to(player.seat(hi_lo, *dealt(hi_lo)))
    player.asked()
    player.action("Double").click()
    yield "hi-lo, doubled"
    go(page, f"/lab/{STUD}")
    page.get_by_role("textbox", name="Flush", exact=True).first.fill("seven")
    page.locator("[aria-invalid=true]").first.wait_for()
    yield "lab, marked"


@pytest.mark.parametrize("scheme", spread(SCHEMES, 1))
def test_forced_colours_reach_what_eyes_need(
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
    eyes = Eyes(page, ruler)
    wrong = list[str]()
    for screen in screens(player, games):
        wrong += eyes.faint(f"{scheme} {screen}")
        wrong += [f"{scheme} {screen}: {name!r} is lost" for name in page.evaluate(script("lost"))]
    player.sit(games[STUD])  # Loaded anew: no mouse was used, so that the focus is shown.
    player.circle("Ante").wait_for()
    wrong += [
        f"{scheme} focus on {what.inner_text()!r}: {seen:.2f}"
        for what in (player.circle("Ante"), *(player.action(name) for name in FOCUSED))
        if (seen := eyes.outlined(what)) < LEAST
    ]
    ruler.close()
    assert not wrong, "\n".join(wrong)
