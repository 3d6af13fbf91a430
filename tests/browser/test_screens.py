"""Every screen, narrow and wide, light and dark: it fits and is accessible."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

import pytest
from playwright.sync_api import Page
from tests.browser.conftest import Visit
from tests.browser.page_build import axe_source, script
from tests.browser.player import Game
from tests.browser.screen import Screen
from tests.browser.screens import ROUTES, Walk
from tests.browser.server import House
from tests.lanes import THOROUGH

PICTURES = "PITBOOK_PICTURES"
WIDTHS = {320: 640, 768: 1024, 1440: 900}
TOUCHED = (320, 1440)
WALL_SIZE = (3840, 2160)
Scheme = Literal["light", "dark"]
SCHEMES: tuple[Scheme, ...] = ("light", "dark")
TARGET_PX = 44
SERIOUS = ("serious", "critical")
# In dark mode only colors differ.
COLOR_RULES = ("color-contrast", "link-in-text-block")


class ScreenFinding(NamedTuple):
    """A problem on a screen."""

    screen: str
    where: str
    what: list[str]

    def __str__(self) -> str:
        return f"{self.screen}, {self.where}:\n    " + "\n    ".join(self.what)


def resize(page: Page, width: int, height: int) -> None:
    page.set_viewport_size({"width": width, "height": height})
    page.evaluate(
        "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
    )


# One evaluation for all measurements: a resized page is slow to answer.
MEASURE_LAYOUT = f"""async (least) => {{
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  await frame().then(frame);
  return [
    ({script("overflow")})(), ({script("small_targets")})(least), ({script("header_overlaps")})(),
  ];
}}"""


def layout_findings(screen: Screen, width: int, height: int) -> Iterator[ScreenFinding]:
    """The layout problems of a screen at this size."""
    if screen.page.viewport_size != {"width": width, "height": height}:
        screen.page.set_viewport_size({"width": width, "height": height})
    wide, small, crowded = screen.page.evaluate(MEASURE_LAYOUT, TARGET_PX)
    if wide:
        yield ScreenFinding(screen.name, f"{width} px", wide)
    if small and width in TOUCHED:
        yield ScreenFinding(screen.name, f"{width} px", small)
    if crowded and width == min(WIDTHS):
        yield ScreenFinding(screen.name, f"the strip above, {width} px", crowded)


def all_layout_findings(screen: Screen) -> Iterator[ScreenFinding]:
    """All layout problems at the widths of this lane."""
    for width in widths(screen.page):
        yield from layout_findings(screen, width, WIDTHS[width])


def widths(page: Page) -> list[int]:
    """The widths of this lane, starting with the page's current one, else the widest."""
    size = page.viewport_size
    current = next(
        (width for width, high in WIDTHS.items() if size == {"width": width, "height": high}), 0
    )
    return sorted(WIDTHS if THOROUGH else TOUCHED, key=lambda width: (width != current, -width))


class Checker:
    """Axe in light and dark mode; parts already checked on one screen are skipped on the next."""

    def __init__(self, *, always_checks: bool = False) -> None:
        self.always_checks, self._axe = always_checks, axe_source()
        self._known: dict[Scheme, set[str]] = {scheme: set() for scheme in SCHEMES}
        self._schemes: dict[Page, Scheme] = {}

    def findings(
        self,
        screen: Screen,
        schemes: Sequence[Scheme] = SCHEMES,
        *,
        all_rules_at_night: bool = False,
    ) -> Iterator[ScreenFinding]:
        """Serious and critical findings in parts not checked yet."""
        now = self._schemes.get(screen.page, "light")
        for scheme in sorted(schemes, key=lambda scheme: scheme != now):
            by_color = scheme == "dark" and len(schemes) > 1 and not all_rules_at_night
            given = [list(COLOR_RULES) if by_color else None, sorted(self._known[scheme])]
            axe_report = self._run_axe(screen.page, scheme, given)
            if not self.always_checks:
                self._known[scheme].update(axe_report["parts"])
            for violation in axe_report["found"]:
                if violation["impact"] in SERIOUS:
                    yield ScreenFinding(
                        screen.name, f"{scheme}, {violation['id']}", violation["nodes"][:4]
                    )

    def close(self) -> None:
        """Reset pages to light mode for the next test."""
        for page in self._schemes:
            if not page.is_closed():
                page.emulate_media(color_scheme="light")

    def _run_axe(self, page: Page, scheme: Scheme, arguments: list[Any]) -> dict[str, Any]:
        if self._schemes.get(page, "light") != scheme:
            page.emulate_media(color_scheme=scheme)
            self._schemes[page] = scheme
        axe_report: dict[str, Any] | None = page.evaluate(script("axe"), arguments)
        if axe_report is None:
            page.evaluate(self._axe)
            axe_report = page.evaluate(script("axe"), arguments)
        assert axe_report is not None
        return axe_report


@pytest.fixture
def checker() -> Iterator[Checker]:
    new_checker = Checker()
    yield new_checker
    new_checker.close()


@pytest.mark.parametrize("way", ROUTES)
def test_every_screen_fits_and_is_accessible(
    way: str, house: House, visit: Visit, games: dict[str, Game], checker: Checker
) -> None:
    """One walk for all checks, since navigation is the expensive part; findings name their screen.

    A part that is identical on two screens is checked on the first. Light and dark mode
    alternate here; the next test checks both on every screen.
    """
    names: list[str] = []
    wrong: list[ScreenFinding] = []
    for screen in Walk(way, house, visit, games):
        names.append(screen.name)
        for width in widths(screen.page):
            wrong += layout_findings(screen, width, WIDTHS[width])
            if width == min(WIDTHS):
                turn = SCHEMES[len(names) % len(SCHEMES)]
                wrong += checker.findings(screen, [turn])
    assert len(set(names)) == len(names) == ROUTES[way]
    assert not wrong, "\n".join(map(str, wrong))


@pytest.mark.slow
@pytest.mark.parametrize("way", ROUTES)
def test_every_screen_fits_a_wall_and_all_widths(
    way: str, house: House, visit: Visit, games: dict[str, Game], checker: Checker
) -> None:
    wrong: list[ScreenFinding] = []
    checker.always_checks = True
    for screen in Walk(way, house, visit, games):
        wrong.extend(all_layout_findings(screen))
        wrong.extend(layout_findings(screen, *WALL_SIZE))
        for width, height in WIDTHS.items():
            resize(screen.page, width, height)
            wrong.extend(checker.findings(screen, all_rules_at_night=True))
    assert not wrong, "\n".join(map(str, wrong))


@pytest.mark.slow
@pytest.mark.parametrize("way", ROUTES)
def test_every_screen_picture_is_saved(
    way: str, house: House, visit: Visit, games: dict[str, Game], tmp_path: Path
) -> None:
    folder = Path(os.environ.get(PICTURES) or tmp_path)
    drawn = 0
    for screen in Walk(way, house, visit, games):
        for width, height in WIDTHS.items():
            resize(screen.page, width, height)
            for scheme in SCHEMES:
                screen.page.emulate_media(color_scheme=scheme)
                place = folder / f"{screen.name}-{width}-{scheme}.png"
                drawn += len(screen.page.screenshot(path=place, full_page=True)) > 1_000
        screen.page.emulate_media(color_scheme="light")
    assert drawn == ROUTES[way] * len(WIDTHS) * len(SCHEMES)


def test_oversized_and_small_elements_are_detected(visit: Visit) -> None:
    page = visit(width=320)
    page.goto("/sign-in")
    page.get_by_label("Name").wait_for()
    screen = Screen("sign-in", page)
    assert list(all_layout_findings(screen)) == []
    page.evaluate(
        "() => { const one = document.createElement('button'); one.textContent = 'x';"
        "one.style = 'position: absolute; left: 400px; width: 20px; height: 20px';"
        "document.querySelector('main').append(one); }"
    )
    findings = list(all_layout_findings(screen))
    narrow = [finding.where for finding in findings if finding.what != ["x: 20 x 20"]]
    assert narrow == ["320 px"]
    small = [finding.where for finding in findings if finding.what == ["x: 20 x 20"]]
    assert sorted(small) == ["1440 px", "320 px"]


def test_serious_finding_is_detected_in_both_schemes(visit: Visit, checker: Checker) -> None:
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
    expected = {"light, color-contrast", "dark, color-contrast", "light, image-alt"}
    assert {finding.where for finding in checker.findings(screen)} >= expected
    assert list(checker.findings(screen)) == []  # Known parts are not checked again.
    page.evaluate("() => document.querySelector('main p').append('!')")
    assert {finding.where for finding in checker.findings(screen)} >= expected
