"""Somebody who has never seen a table: the lesson, then three rounds without one refusal."""

from __future__ import annotations

import json
import re

from playwright.sync_api import Page, WebSocket, expect
from tests.browser.conftest import Visit
from tests.browser.player import INSTANT, keep_settings

STEPS = ["Bet", "Look at your cards", "Decide", "See the other cards", "Be paid"]
ROUNDS = 3


def test_a_newcomer_learns_and_plays_three_rounds_without_a_refusal(visit: Visit) -> None:
    page, refused = visit(fresh=True), list[str]()
    keep_settings(page, **INSTANT)
    page.on("websocket", lambda line: heard(line, refused))
    page.goto("/")
    page.get_by_role("link", name=re.compile("Learn it first")).click()
    for step in STEPS:
        expect(page.get_by_role("heading", level=2, name=step)).to_be_visible()
        if step != STEPS[-1]:
            page.keyboard.press("ArrowRight")
    explains_a_word(page)
    page.get_by_role("button", name="Play it now").click()
    for _ in range(ROUNDS):
        as_taught(page)
    assert refused == []
    page.goto("/")
    expect(page.get_by_role("region", name="Games")).to_be_visible()
    expect(page.get_by_role("region", name="Three ways in")).to_have_count(0)


def explains_a_word(page: Page) -> None:
    """A word is pressed, and says what it means."""
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_role("heading", level=2, name=STEPS[-2])).to_be_visible()
    word = page.get_by_role("link", name="dealer's", exact=True)
    word.click()
    expect(page.get_by_role("note")).to_contain_text("Deals for the house")
    page.keyboard.press("Escape")
    page.keyboard.press("ArrowRight")


def as_taught(page: Page) -> None:
    """Put a chip on the first circle, deal, and choose the first play that does not give up."""
    bar = page.get_by_role("group", name="Actions")
    deal = bar.get_by_role("button", name=re.compile("^Deal"))
    expect(deal).to_be_visible()
    circle = page.locator("button[data-wager=bet]")
    circle.click()
    expect(deal).to_have_attribute("data-staked", "true")
    deal.click()
    bar.get_by_role("button", name=re.compile("^High")).click()
    expect(deal).to_be_visible()
    expect(bar.get_by_role("alert")).to_have_text("")


def heard(line: WebSocket, refused: list[str]) -> None:
    def listen(frame: str | bytes) -> None:
        answer = json.loads(frame).get("answer", {"accepted": True})
        refused.extend([] if "accepted" in answer else [str(answer)])

    line.on("framereceived", listen)
