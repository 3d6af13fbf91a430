"""Every screen, narrow and wide, by day and by night: it fits, and everybody can use it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal, NamedTuple

import pytest
from playwright.sync_api import Page
from tests.browser.built import axe_source, script
from tests.browser.conftest import Visit
from tests.browser.house import House
from tests.browser.player import Game
from tests.browser.screens import WAYS, Screen, Walk
from tests.lanes import THOROUGH

PICTURES = "PITBOOK_PICTURES"
WIDTHS = {320: 640, 768: 1024, 1440: 900}
TOUCHED = (320, 1440)
HUGE = {3840: 2160}
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
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


@pytest.fixture(scope="module")
def axe() -> str:
    return axe_source()


def sized(page: Page, width: int, height: int) -> None:
    page.set_viewport_size({"width": width, "height": height})
    page.evaluate(
        "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
    )


def overflows(screen: Screen, widths: dict[int, int]) -> Iterator[Found]:
    for width, height in widths.items():
        sized(screen.page, width, height)
        yield from overflow(screen, width)


def overflow(screen: Screen, width: int) -> Iterator[Found]:
    if what := screen.page.evaluate(script("overflow")):
        yield Found(screen.name, f"{width} px", what)


def crowded(screen: Screen) -> Iterator[Found]:
    if what := screen.page.evaluate(script("crowded")):
        yield Found(screen.name, "the strip above, 320 px", what)


def small(screen: Screen, width: int) -> Iterator[Found]:
    if what := screen.page.evaluate(script("small"), TARGET):
        yield Found(screen.name, f"{width} px", what)


def misfits(screen: Screen) -> Iterator[Found]:
    """Everything that is wrong at the widths of this lane; each is laid out once, narrow last."""
    for width in sorted(WIDTHS if THOROUGH else TOUCHED, reverse=True):
        sized(screen.page, width, WIDTHS[width])
        yield from overflow(screen, width)
        if width in TOUCHED:
            yield from small(screen, width)
        if width == min(WIDTHS):
            yield from crowded(screen)


def findings(
    screen: Screen, axe: str, known: set[str] | None = None, *, all_rules_at_night: bool = False
) -> Iterator[Found]:
    """Serious and critical findings by day, and by night, in what is not known yet."""
    page = screen.page
    if not page.evaluate("typeof window.axe === 'object'"):
        page.evaluate(axe)
    before, seen = sorted(known or ()), set[str]()
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)
        rules = None if scheme == "light" or all_rules_at_night else list(BY_COLOUR)
        told: dict[str, Any] = page.evaluate(script("axe"), [rules, before])
        seen.update(told["parts"])
        for one in told["found"]:
            if one["impact"] in SERIOUS:
                yield Found(screen.name, f"{scheme}, {one['id']}", one["nodes"][:4])
    page.emulate_media(color_scheme="light")
    if known is not None:
        known |= seen


@pytest.mark.parametrize("way", WAYS)
def test_every_screen_fits_can_be_touched_and_has_no_serious_finding(
    way: str, house: House, visit: Visit, games: dict[str, Game], axe: str
) -> None:
    """One walk for all of it, since getting there is the work; each finding names its screen.

    A part that is the same to the letter on two screens is looked at on the first.
    """
    names: list[str] = []
    wrong: list[Found] = []
    known: set[str] = set()
    for screen in Walk(way, house, visit, games):
        names.append(screen.name)
        wrong += [*misfits(screen), *findings(screen, axe, known)]
    assert len(set(names)) == len(names) == WAYS[way]
    assert not wrong, "\n".join(map(str, wrong))


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS)
def test_every_screen_fits_a_wall_and_has_no_finding_at_any_width(
    way: str, house: House, visit: Visit, games: dict[str, Game], axe: str
) -> None:
    wrong: list[Found] = []
    for screen in Walk(way, house, visit, games):
        wrong.extend(misfits(screen))
        wrong.extend(overflows(screen, HUGE))
        for width, height in WIDTHS.items():
            sized(screen.page, width, height)
            wrong.extend(findings(screen, axe, all_rules_at_night=True))
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
    assert [one.where for one in found if one.what == ["x: 20 x 20"]] == ["1440 px", "320 px"]


def test_a_serious_finding_is_found_by_day_and_by_night(visit: Visit, axe: str) -> None:
    page = visit()
    page.goto("/sign-in")
    page.get_by_label("Name").wait_for()
    page.evaluate(
        "() => { const [text, image] = ['p', 'img'].map((one) => document.createElement(one));"
        "text.textContent = 'unreadable'; image.src = '/chip.png';"
        "Object.assign(text.style, { color: '#777', background: '#888' });"
        "document.querySelector('main').append(text, image); }"
    )
    screen, known = Screen("sign-in", page), set[str]()
    found = {"light, color-contrast", "dark, color-contrast", "light, image-alt"}
    assert {one.where for one in findings(screen, axe, known)} >= found
    assert list(findings(screen, axe, known)) == []  # What is known is not looked at again.
    page.evaluate("() => document.querySelector('main p').append('!')")
    assert {one.where for one in findings(screen, axe, known)} >= found
