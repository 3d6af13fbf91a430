"""Animation never delays a decision, and animates only cheap properties."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect
from tests.browser.conftest import Visit
from tests.browser.player import Game, Player, keep_settings

STUD = "catfish-bend/mississippi-stud"
ANIMATED = {"motion": "dealt"}
# Record every property that the page animates.
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
# A press fades its colors without layout.
COLORS = {
    "boxShadow",
    "borderTopColor",
    "borderRightColor",
    "borderBottomColor",
    "borderLeftColor",
}
RUNNING = "() => document.getAnimations().filter((one) => one.playState === 'running').length"


def open_animated_table(visit: Visit, game: Game, *commands: dict[str, object]) -> Player:
    page = visit(fresh=True)
    keep_settings(page, **ANIMATED)
    player = Player(page)
    player.sit(game, *commands)
    return player


# Dispatched by the page as the first card moves: from outside, the motion might be over.
PRESS_DURING_MOTION = """() => new MutationObserver((_, seen) => {
  if (!document.querySelector(".card.dealing")) return;
  seen.disconnect();
  document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "1", bubbles: true }));
  window.pressed = true;
}).observe(document, { subtree: true, childList: true, attributes: true })"""


@pytest.mark.slow
def test_key_ends_motion_without_deciding(visit: Visit, games: dict[str, Game]) -> None:
    game = games[STUD]
    player = open_animated_table(visit, game)
    player.bet(game)
    player.page.evaluate(PRESS_DURING_MOTION)
    player.deal()
    player.page.wait_for_function("window.pressed")
    assert player.page.evaluate(RUNNING) == 0
    player.wait_for_decision()
    assert player.view()["seats"][0]["plays"] == []
    player.page.keyboard.press("1")
    player.wait_for_decision(after="Flop bet: your turn")
    assert player.view()["seats"][0]["plays"] == ["1x"]


@pytest.mark.slow
def test_only_cheap_properties_are_animated(visit: Visit, games: dict[str, Game]) -> None:
    game = games[STUD]
    player = open_animated_table(visit, game)
    player.page.evaluate(WATCH)
    player.round(game, "3 Card Bonus")
    moved = set(player.page.evaluate("() => [...window.moved]"))
    assert moved >= LIGHT
    assert moved <= LIGHT | TIMES | COLORS


def test_reduced_motion_only_fades(visit: Visit, games: dict[str, Game]) -> None:
    """A cross-fade of an eighth of a second, for cards, chips and wins."""
    game = games[STUD]
    page = visit(fresh=True, reduced_motion="reduce")
    keep_settings(page, **ANIMATED)
    player = Player(page)
    player.sit(game)
    player.page.evaluate(WATCH)
    player.round(game, "3 Card Bonus")
    expect(player.page.locator(".plate b")).to_be_visible()
    player.rebet()
    player.page.locator(".bet").first.wait_for()
    assert set(player.page.evaluate("() => [...window.moved]")) == {"opacity"} | TIMES
    assert 0 < player.page.evaluate("() => window.longest") <= FADE_MS
