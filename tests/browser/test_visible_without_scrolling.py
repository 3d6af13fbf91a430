"""What a screen is for is visible without scrolling: large cards and all controls."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Locator
from tests.browser.conftest import Visit
from tests.browser.page_build import script
from tests.browser.player import (
    INSTANT,
    Game,
    Player,
    commands_to_deal,
    commands_to_finish,
    keep_settings,
)
from tests.browser.test_card_visibility import HI_LO, STUD
from tests.browser.test_player_features import DAILY_VIEW

PHONE, ASIDE, LAPTOP, DESK = (360, 740), (844, 390), (1366, 657), (1440, 900)
UTH = "pennsylvania/ultimate-texas-holdem"
# Letters of boxes that a card covers.
COVERED = """() => [...document.querySelectorAll(".player-spots .letter.behind")].filter((one) => {
  const { left, top, right, bottom } = one.getBoundingClientRect();
  return [...document.querySelectorAll(".player-spots .card")]
    .map((card) => card.getBoundingClientRect())
    .filter((card) => left < card.right && card.left < right)
    .some((card) => top < card.bottom && card.top < bottom);
}).map((one) => one.textContent)"""
AGAINST = {
    "cards": ["6c", "8h", "3s", "Kd", "8c"],
    "common": [{"title": "Dealer's cards", "cards": ["9c", None, None, None, None]}],
}
LARGER = 1.12
"""Cards are a little smaller than they could be where that keeps an ornament, and no more."""
SPOTS = "[aria-label^='Your seat']"
# Names of neighboring circles that overlap.
TOUCHING = """() => {
  const all = [...document.querySelectorAll(".player-spots .spot .title")];
  const names = all.filter((one) => one.checkVisibility());
  const boxes = names.map((one) => {
    const words = document.createRange();
    words.selectNodeContents(one);
    return [one.textContent, words.getBoundingClientRect()];
  });
  return boxes.flatMap(([name, a], n) => boxes.slice(n + 1)
    .filter(([, b]) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom)
    .map(([other]) => `${name} and ${other}`));
}"""


def open_player(visit: Visit, size: tuple[int, int]) -> Player:
    page = visit(width=size[0], height=size[1])
    keep_settings(page, **INSTANT)
    return Player(page)


def is_in_window(locator: Locator) -> bool:
    """Whether the element is entirely within the window."""
    box, size = locator.bounding_box(), locator.page.viewport_size
    assert box is not None
    assert size is not None
    return (
        box["y"] >= 0
        and box["y"] + box["height"] <= size["height"]
        and box["x"] + box["width"] <= size["width"]
    )


@pytest.mark.parametrize(
    ("sheet", "size"), [(STUD, ASIDE), (HI_LO, PHONE), (UTH, DESK)], ids=["stud", "hi-lo", "uth"]
)
def test_cards_use_the_space_of_the_felt(
    sheet: str, size: tuple[int, int], visit: Visit, games: dict[str, Game]
) -> None:
    """On the first felt a player sees, before there are cards."""
    player = open_player(visit, size)
    player.sit(games[sheet])
    player.circle(games[sheet].main).wait_for()
    assert player.page.evaluate(script("fits_when_scaled"), LARGER) is False


def test_common_cards_are_in_one_row_on_a_desktop(visit: Visit, games: dict[str, Game]) -> None:
    player = open_player(visit, DESK)
    player.sit(games[UTH], *commands_to_deal(games[UTH]))
    player.wait_for_decision()
    cards = player.page.locator(".board .card")
    assert len({round(box["y"]) for card in cards.all() if (box := card.bounding_box())}) == 1


@pytest.mark.slow_cases("size1", "size2")
@pytest.mark.parametrize("size", [PHONE, ASIDE, LAPTOP])
def test_replay_controls_are_visible(
    size: tuple[int, int], visit: Visit, games: dict[str, Game]
) -> None:
    player = open_player(visit, size)
    table = player.seat(games[STUD], *commands_to_finish(games[STUD], "3 Card Bonus"))
    (round_record,) = player.get(f"/api/tables/{table}/rounds")["rounds"]
    page = player.page
    page.goto(f"/table/{table}/rounds/{round_record['round']}")
    controls = page.get_by_role("group", name="Replay").get_by_role("button")
    controls.nth(4).wait_for()
    assert [way.inner_text() for way in controls.all() if not is_in_window(way)] == []
    assert is_in_window(page.get_by_role("status").filter(has_text=re.compile("^Step")))
    assert is_in_window(page.locator(SPOTS))
    if size == LAPTOP:
        page.wait_for_function(
            "() => document.querySelector('[aria-current=step]').getBoundingClientRect().bottom"
            " <= innerHeight + 1"
        )


@pytest.mark.parametrize("size", [PHONE, ASIDE])
def test_three_entry_points_are_visible(size: tuple[int, int], visit: Visit) -> None:
    page = open_player(visit, size).page
    page.goto("/")
    entry_points = page.locator(".step")
    entry_points.nth(2).wait_for()
    assert [way.inner_text() for way in entry_points.all() if not is_in_window(way)] == []


@pytest.mark.slow_cases("size1")
@pytest.mark.parametrize("size", [PHONE, ASIDE])
def test_circle_names_do_not_overlap(
    size: tuple[int, int], visit: Visit, games: dict[str, Game]
) -> None:
    """Two hands side by side on a phone: six circles in its width."""
    player = open_player(visit, size)
    player.sit(games[HI_LO])
    page = player.page
    page.get_by_role("button", name=re.compile("^Sit at seat 2")).click()
    page.locator(SPOTS).nth(1).wait_for()
    assert page.evaluate(TOUCHING) == []


@pytest.mark.slow_cases("high-size1", "high-size2", "low-size0", "low-size2")
@pytest.mark.parametrize("size", [PHONE, ASIDE, DESK])
@pytest.mark.parametrize("play", ["low", "high"])
def test_box_letter_is_beside_its_cards(
    play: str, size: tuple[int, int], visit: Visit, games: dict[str, Game]
) -> None:
    player, game = open_player(visit, size), games[HI_LO]
    player.sit(game, *commands_to_finish(game, plays=(play,)))
    player.wait_for_result()
    player.page.locator(".player-spots .letter.behind").wait_for()
    assert player.page.evaluate(COVERED) == []


@pytest.mark.slow_cases(
    "catfish-bend/mississippi-stud-size1",
    "catfish-bend/mississippi-stud-size2",
    "pennsylvania/ultimate-texas-holdem-size0",
    "pennsylvania/ultimate-texas-holdem-size2",
)
@pytest.mark.parametrize("size", [PHONE, ASIDE, LAPTOP])
@pytest.mark.parametrize("sheet", [STUD, UTH])
def test_lesson_steps_fit(sheet: str, size: tuple[int, int], visit: Visit) -> None:
    """Nothing overflows at the side, and the way on is visible."""
    page = open_player(visit, size).page
    page.goto(f"/learn/{sheet}")
    step, wrong = page.locator(".step"), list[str]()
    for n in range(1, 6):
        step.get_by_text(f"Step {n} of 5").wait_for()
        wide = step.evaluate("one => one.scrollWidth - one.clientWidth")
        controls = step.get_by_role("group").get_by_role("button").all()
        wrong += [f"step {n}: {wide} too wide"] if wide > 0 else []
        wrong += [
            f"step {n}: {control.inner_text()}" for control in controls if not is_in_window(control)
        ]
        page.keyboard.press("ArrowRight")
    assert wrong == []


@pytest.mark.parametrize("size", [PHONE, ASIDE, LAPTOP])
@pytest.mark.parametrize("hand", [{}, AGAINST])
def test_daily_hand_is_visible_with_its_plays(
    hand: dict[str, Any], size: tuple[int, int], visit: Visit
) -> None:
    """Cards, bets and plays of a decision, also for a guest and against a dealer's five cards."""
    daily_view = {**DAILY_VIEW, "hand": {**DAILY_VIEW["hand"], **hand}}
    page = open_player(visit, size).page
    page.route("**/api/daily", lambda route: route.fulfill(json=daily_view))
    page.goto("/daily")
    group = page.get_by_role("group", name="Plays")
    group.wait_for()
    elements = [*page.locator(".felt .card, .bets li").all(), *group.get_by_role("button").all()]
    assert len(elements) > len(daily_view["hand"]["cards"])
    assert [element.inner_text() for element in elements if not is_in_window(element)] == []
