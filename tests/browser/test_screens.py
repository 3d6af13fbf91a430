"""Every screen, narrow and wide, by day and by night: it fits, and everybody can use it."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

import pytest
from playwright.sync_api import Page
from tests.browser.built import axe_source, script
from tests.browser.conftest import Visit
from tests.browser.house import House
from tests.browser.player import Game
from tests.browser.screen import Screen
from tests.browser.screens import WAYS, Walk
from tests.lanes import THOROUGH

PICTURES = "PITBOOK_PICTURES"
WIDTHS = {320: 640, 768: 1024, 1440: 900}
TOUCHED = (320, 1440)
HUGE = (3840, 2160)
Scheme = Literal["light", "dark"]
SCHEMES: tuple[Scheme, ...] = ("light", "dark")
TARGET = 44
SERIOUS = ("serious", "critical")
# At night everything is as by day but the colours.
BY_COLOUR = ("color-contrast", "link-in-text-block")


class Found(NamedTuple):
    """What was wrong on a screen."""

    screen: str
    where: str
    what: list[str]

    def __str__(self) -> str:
        return f"{self.screen}, {self.where}:\n    " + "\n    ".join(self.what)


def sized(page: Page, width: int, height: int) -> None:
    page.set_viewport_size({"width": width, "height": height})
    page.evaluate(
        "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
    )


# One question for all of it: a page that has just got another size is slow to answer.
LAID_OUT = f"""async (least) => {{
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  await frame().then(frame);
  return [({script("overflow")})(), ({script("small")})(least), ({script("crowded")})()];
}}"""


def laid_out(screen: Screen, width: int, height: int) -> Iterator[Found]:
    """What is wrong with a screen of this size."""
    if screen.page.viewport_size != {"width": width, "height": height}:
        screen.page.set_viewport_size({"width": width, "height": height})
    wide, small, crowded = screen.page.evaluate(LAID_OUT, TARGET)
    if wide:
        yield Found(screen.name, f"{width} px", wide)
    if small and width in TOUCHED:
        yield Found(screen.name, f"{width} px", small)
    if crowded and width == min(WIDTHS):
        yield Found(screen.name, f"the strip above, {width} px", crowded)


def misfits(screen: Screen) -> Iterator[Found]:
    """Everything that is wrong at the widths of this lane; each is laid out once."""
    for width in widths(screen.page):
        yield from laid_out(screen, width, WIDTHS[width])


def widths(page: Page) -> list[int]:
    """The widths of this lane; the one that the page has comes first, else the widest."""
    size = page.viewport_size
    now = next((one for one, high in WIDTHS.items() if size == {"width": one, "height": high}), 0)
    return sorted(WIDTHS if THOROUGH else TOUCHED, key=lambda one: (one != now, -one))


class Checker:
    """Axe, by day and by night; what it has seen on a screen it need not see on the next."""

    def __init__(self, *, forgets: bool = False) -> None:
        self.forgets, self._axe = forgets, axe_source()
        self._known: dict[Scheme, set[str]] = {one: set() for one in SCHEMES}
        self._schemes: dict[Page, Scheme] = {}

    def findings(
        self,
        screen: Screen,
        schemes: Sequence[Scheme] = SCHEMES,
        *,
        all_rules_at_night: bool = False,
    ) -> Iterator[Found]:
        """Serious and critical findings in what is not known yet."""
        now = self._schemes.get(screen.page, "light")
        for scheme in sorted(schemes, key=lambda one: one != now):
            by_colour = scheme == "dark" and len(schemes) > 1 and not all_rules_at_night
            given = [list(BY_COLOUR) if by_colour else None, sorted(self._known[scheme])]
            told = self._asked(screen.page, scheme, given)
            if not self.forgets:
                self._known[scheme].update(told["parts"])
            for one in told["found"]:
                if one["impact"] in SERIOUS:
                    yield Found(screen.name, f"{scheme}, {one['id']}", one["nodes"][:4])

    def close(self) -> None:
        """Pages are by day again, for whoever has them next."""
        for page in self._schemes:
            if not page.is_closed():
                page.emulate_media(color_scheme="light")

    def _asked(self, page: Page, scheme: Scheme, given: list[Any]) -> dict[str, Any]:
        if self._schemes.get(page, "light") != scheme:
            page.emulate_media(color_scheme=scheme)
            self._schemes[page] = scheme
        told: dict[str, Any] | None = page.evaluate(script("axe"), given)
        if told is None:
            page.evaluate(self._axe)
            told = page.evaluate(script("axe"), given)
        assert told is not None
        return told


@pytest.fixture
def checker() -> Iterator[Checker]:
    made = Checker()
    yield made
    made.close()


@pytest.mark.parametrize("way", WAYS)
def test_every_screen_fits_can_be_touched_and_has_no_serious_finding(
    way: str, house: House, visit: Visit, games: dict[str, Game], checker: Checker
) -> None:
    """One walk for all of it, since getting there is the work; each finding names its screen.

    A part that is the same to the letter on two screens is looked at on the first. By day and by
    night take turns here: every screen is looked at in one of them, and in both by the test below.
    """
    names: list[str] = []
    wrong: list[Found] = []
    for screen in Walk(way, house, visit, games):
        names.append(screen.name)
        for width in widths(screen.page):
            wrong += laid_out(screen, width, WIDTHS[width])
            if width == min(WIDTHS):
                turn = SCHEMES[len(names) % len(SCHEMES)]
                wrong += checker.findings(screen, [turn])
    assert len(set(names)) == len(names) == WAYS[way]
    assert not wrong, "\n".join(map(str, wrong))


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS)
def test_every_screen_fits_a_wall_and_has_no_finding_at_any_width(
    way: str, house: House, visit: Visit, games: dict[str, Game], checker: Checker
) -> None:
    wrong: list[Found] = []
    checker.forgets = True
    for screen in Walk(way, house, visit, games):
        wrong.extend(misfits(screen))
        wrong.extend(laid_out(screen, *HUGE))
        for width, height in WIDTHS.items():
            sized(screen.page, width, height)
            wrong.extend(checker.findings(screen, all_rules_at_night=True))
    assert not wrong, "\n".join(map(str, wrong))


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS)
def test_every_screen_is_drawn_for_whoever_wants_to_look(
    way: str, house: House, visit: Visit, games: dict[str, Game], tmp_path: Path
) -> None:
    folder = Path(os.environ.get(PICTURES) or tmp_path)
    drawn = 0
    for screen in Walk(way, house, visit, games):
        for width, height in WIDTHS.items():
            sized(screen.page, width, height)
            for scheme in SCHEMES:
                screen.page.emulate_media(color_scheme=scheme)
                place = folder / f"{screen.name}-{width}-{scheme}.png"
                drawn += len(screen.page.screenshot(path=place, full_page=True)) > 1_000
        screen.page.emulate_media(color_scheme="light")
    assert drawn == WAYS[way] * len(WIDTHS) * len(SCHEMES)


def test_what_is_too_wide_or_too_small_is_found(visit: Visit) -> None:
    page = visit(width=320)
    page.goto("/sign-in")
    page.get_by_label("Name").wait_for()
    screen = Screen("sign-in", page)
    assert list(misfits(screen)) == []
    page.evaluate(
        "() => { const one = document.createElement('button'); one.textContent = 'x';"
        "one.style = 'position: absolute; left: 400px; width: 20px; height: 20px';"
        "document.querySelector('main').append(one); }"
    )
    found = list(misfits(screen))
    narrow = [one.where for one in found if one.what != ["x: 20 x 20"]]
    assert narrow == ["320 px"]
    small = [one.where for one in found if one.what == ["x: 20 x 20"]]
    assert sorted(small) == ["1440 px", "320 px"]


def test_a_serious_finding_is_found_by_day_and_by_night(visit: Visit, checker: Checker) -> None:
    page = visit()
    page.goto("/sign-in")
    page.get_by_label("Name").wait_for()
    page.evaluate(
        "() => { const [text, image] = ['p', 'img'].map((one) => document.createElement(one));"
        "text.textContent = 'unreadable'; image.src = '/chip.png';"
        "Object.assign(text.style, { color: '#777', background: '#888' });"
        "document.querySelector('main').append(text, image); }"
    )
    screen = Screen("sign-in", page)
    found = {"light, color-contrast", "dark, color-contrast", "light, image-alt"}
    assert {one.where for one in checker.findings(screen)} >= found
    assert list(checker.findings(screen)) == []  # What is known is not looked at again.
    page.evaluate("() => document.querySelector('main p').append('!')")
    assert {one.where for one in checker.findings(screen)} >= found
