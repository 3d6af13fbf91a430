"""Motion stands between nobody and a decision, and moves only what is light to move."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect
from tests.browser.conftest import Visit
from tests.browser.player import Game, Player, keep_settings

STUD = "catfish-bend/mississippi-stud"
MOVING = {"motion": "dealt"}
# What every motion of the page changes, gathered while it runs.
WATCH = """() => {
  window.moved = new Set();
  window.longest = 0;
  const look = () => {
    for (const one of document.getAnimations()) {
      window.longest = Math.max(window.longest, one.effect.getComputedTiming().endTime);
      for (const frame of one.effect.getKeyframes())
        for (const what of Object.keys(frame)) window.moved.add(what);
    }
    requestAnimationFrame(look);
  };
  look();
}"""
TIMES = {"offset", "computedOffset", "easing", "composite"}
FADE_MS = 120
LIGHT = {"transform", "opacity"}
# A press fades its colours; nothing is laid out for it.
COLOURS = {
    "boxShadow",
    "borderTopColor",
    "borderRightColor",
    "borderBottomColor",
    "borderLeftColor",
}
RUNNING = "() => document.getAnimations().filter((one) => one.playState === 'running').length"


def seated(visit: Visit, game: Game, *done: dict[str, object]) -> Player:
    page = visit(fresh=True)
    keep_settings(page, **MOVING)
    player = Player(page)
    player.sit(game, *done)
    return player


# By the page itself as the first card moves: a test may be late, and the motion over.
PRESSED_AMID = """() => new MutationObserver((_, seen) => {
  if (!document.querySelector(".card.lay")) return;
  seen.disconnect();
  document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "1", bubbles: true }));
  window.pressed = true;
}).observe(document, { subtree: true, childList: true, attributes: true })"""


@pytest.mark.slow
def test_any_key_ends_all_motion_and_decides_nothing(visit: Visit, games: dict[str, Game]) -> None:
    game = games[STUD]
    player = seated(visit, game)
    player.bet(game)
    player.page.evaluate(PRESSED_AMID)
    player.deal()
    player.page.wait_for_function("window.pressed")
    assert player.page.evaluate(RUNNING) == 0
    player.asked()
    assert player.view()["seats"][0]["plays"] == []
    player.page.keyboard.press("1")
    player.asked(after="Flop bet: your decision")
    assert player.view()["seats"][0]["plays"] == ["1x"]


@pytest.mark.slow
def test_only_what_is_light_to_move_moves(visit: Visit, games: dict[str, Game]) -> None:
    game = games[STUD]
    player = seated(visit, game)
    player.page.evaluate(WATCH)
    player.round(game, "3 Card Bonus")
    moved = set(player.page.evaluate("() => [...window.moved]"))
    assert moved >= LIGHT
    assert moved <= LIGHT | TIMES | COLOURS


def test_who_wants_little_motion_sees_things_come_and_nothing_travel(
    visit: Visit, games: dict[str, Game]
) -> None:
    """A cross-fade of an eighth of a second, for cards, chips and what was won."""
    game = games[STUD]
    page = visit(fresh=True, reduced_motion="reduce")
    keep_settings(page, **MOVING)
    player = Player(page)
    player.sit(game)
    player.page.evaluate(WATCH)
    player.round(game, "3 Card Bonus")
    expect(player.page.locator(".plate b")).to_be_visible()
    player.rebet()
    player.page.locator(".on").first.wait_for()
    assert set(player.page.evaluate("() => [...window.moved]")) == {"opacity"} | TIMES
    assert 0 < player.page.evaluate("() => window.longest") <= FADE_MS
