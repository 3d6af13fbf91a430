"""What a screen is for is in sight without a scroll: cards as large as fit, ways in, ways on."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Locator
from tests.browser.built import script
from tests.browser.conftest import Visit
from tests.browser.player import INSTANT, Game, Player, dealt, keep_settings, played
from tests.browser.test_an_hour import DEALT
from tests.browser.test_covered import HI_LO, STUD

PHONE, ASIDE, LAPTOP, DESK = (360, 740), (844, 390), (1366, 657), (1440, 900)
UTH = "pennsylvania/ultimate-texas-holdem"
# Letters of the boxes that a card lies over.
COVERED = """() => [...document.querySelectorAll(".own .letter.under")].filter((one) => {
  const { left, top, right, bottom } = one.getBoundingClientRect();
  return [...document.querySelectorAll(".own .card")]
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
SPOTS = "[aria-label^='Your spot']"
# Names of circles side by side that run into one another.
TOUCHING = """() => {
  const all = [...document.querySelectorAll(".own .spot .title")];
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


def sized(visit: Visit, size: tuple[int, int]) -> Player:
    page = visit(width=size[0], height=size[1])
    keep_settings(page, **INSTANT)
    return Player(page)


def whole(one: Locator) -> bool:
    """Whether all of it lies within the window."""
    box, size = one.bounding_box(), one.page.viewport_size
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
def test_cards_are_as_large_as_the_felt_lets_them_be(
    sheet: str, size: tuple[int, int], visit: Visit, games: dict[str, Game]
) -> None:
    """On the felt that somebody comes to first, before there is a card on it."""
    player = sized(visit, size)
    player.sit(games[sheet])
    player.circle(games[sheet].main).wait_for()
    assert player.page.evaluate(script("roomy"), LARGER) is False


def test_cards_in_common_lie_in_one_row_on_a_desk(visit: Visit, games: dict[str, Game]) -> None:
    player = sized(visit, DESK)
    player.sit(games[UTH], *dealt(games[UTH]))
    player.asked()
    cards = player.page.locator(".board .card")
    assert len({round(box["y"]) for one in cards.all() if (box := one.bounding_box())}) == 1


@pytest.mark.slow_cases("size1", "size2")
@pytest.mark.parametrize("size", [PHONE, ASIDE, LAPTOP])
def test_the_ways_through_a_replay_are_in_sight(
    size: tuple[int, int], visit: Visit, games: dict[str, Game]
) -> None:
    player = sized(visit, size)
    table = player.seat(games[STUD], *played(games[STUD], "3 Card Bonus"))
    (one,) = player.get(f"/api/tables/{table}/rounds")["rounds"]
    page = player.page
    page.goto(f"/table/{table}/rounds/{one['round']}")
    ways = page.get_by_role("group", name="Replay").get_by_role("button")
    ways.nth(4).wait_for()
    assert [way.inner_text() for way in ways.all() if not whole(way)] == []
    assert whole(page.get_by_role("status").filter(has_text=re.compile("^Step")))
    assert whole(page.locator(SPOTS))
    if size == LAPTOP:
        page.wait_for_function(
            "() => document.querySelector('[aria-current=step]').getBoundingClientRect().bottom"
            " <= innerHeight + 1"
        )


@pytest.mark.parametrize("size", [PHONE, ASIDE])
def test_the_three_ways_in_are_in_sight(size: tuple[int, int], visit: Visit) -> None:
    page = sized(visit, size).page
    page.goto("/")
    ways = page.locator(".way")
    ways.nth(2).wait_for()
    assert [way.inner_text() for way in ways.all() if not whole(way)] == []


@pytest.mark.slow_cases("size1")
@pytest.mark.parametrize("size", [PHONE, ASIDE])
def test_names_of_circles_do_not_run_into_one_another(
    size: tuple[int, int], visit: Visit, games: dict[str, Game]
) -> None:
    """Two hands side by side on a phone: six circles in its width."""
    player = sized(visit, size)
    player.sit(games[HI_LO])
    page = player.page
    page.get_by_role("button", name=re.compile("^Sit at seat 2")).click()
    page.locator(SPOTS).nth(1).wait_for()
    assert page.evaluate(TOUCHING) == []


@pytest.mark.slow_cases("high-size1", "high-size2", "low-size0", "low-size2")
@pytest.mark.parametrize("size", [PHONE, ASIDE, DESK])
@pytest.mark.parametrize("play", ["low", "high"])
def test_the_letter_of_a_box_is_beside_its_cards(
    play: str, size: tuple[int, int], visit: Visit, games: dict[str, Game]
) -> None:
    player, game = sized(visit, size), games[HI_LO]
    player.sit(game, *played(game, plays=(play,)))
    player.settled()
    player.page.locator(".own .letter.under").wait_for()
    assert player.page.evaluate(COVERED) == []


@pytest.mark.slow_cases(
    "catfish-bend/mississippi-stud-size1",
    "catfish-bend/mississippi-stud-size2",
    "pennsylvania/ultimate-texas-holdem-size0",
    "pennsylvania/ultimate-texas-holdem-size2",
)
@pytest.mark.parametrize("size", [PHONE, ASIDE, LAPTOP])
@pytest.mark.parametrize("sheet", [STUD, UTH])
def test_no_step_of_a_lesson_is_cut(sheet: str, size: tuple[int, int], visit: Visit) -> None:
    """Nothing sticks out at the side, and the way on is in sight."""
    page = sized(visit, size).page
    page.goto(f"/learn/{sheet}")
    step, wrong = page.locator(".step"), list[str]()
    for n in range(1, 6):
        step.get_by_text(f"Step {n} of 5").wait_for()
        wide = step.evaluate("one => one.scrollWidth - one.clientWidth")
        ways = step.get_by_role("group").get_by_role("button").all()
        wrong += [f"step {n}: {wide} too wide"] if wide > 0 else []
        wrong += [f"step {n}: {one.inner_text()}" for one in ways if not whole(one)]
        page.keyboard.press("ArrowRight")
    assert wrong == []


@pytest.mark.parametrize("size", [PHONE, ASIDE, LAPTOP])
@pytest.mark.parametrize("hand", [{}, AGAINST])
def test_a_hand_of_the_daily_deal_lies_there_with_its_plays(
    hand: dict[str, Any], size: tuple[int, int], visit: Visit
) -> None:
    """Cards, bets and choices of a decision, also of a guest's and against a dealer's five."""
    told = {**DEALT, "hand": {**DEALT["hand"], **hand}}
    page = sized(visit, size).page
    page.route("**/api/daily", lambda route: route.fulfill(json=told))
    page.goto("/daily")
    group = page.get_by_role("group", name="Plays")
    group.wait_for()
    seen = [*page.locator(".felt .card, .bets li").all(), *group.get_by_role("button").all()]
    assert len(seen) > len(told["hand"]["cards"])
    assert [one.inner_text() for one in seen if not whole(one)] == []
