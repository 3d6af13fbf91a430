"""Somebody who has never seen a table: the lesson, then three rounds without one refusal."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import Page, WebSocket, expect
from tests.browser.conftest import Visit
from tests.browser.player import DECLARED, INSTANT, KINDS, Game, keep_settings
from tests.browser.test_by_ear import card_of
from tests.browser.visitors import go
from tests.sheets.samples import EVERY

STEPS = ["Bet", "Look at your cards", "Decide", "See the other cards", "Be paid"]
POINTED = {
    "Bet": "data-wager",
    "Look at your cards": "data-place",
    "See the other cards": "data-place",
}
ROUNDS = 3
FIRST, OTHER = DECLARED, KINDS[0]


def test_a_newcomer_learns_and_plays_three_rounds_without_a_refusal(
    visit: Visit, games: dict[str, Game]
) -> None:
    """The first game of the lobby by the way in, then one of each other kind by its lesson."""
    page, refused = came(visit)
    page.get_by_role("link", name=re.compile("Learn it first")).click()
    through_the_lesson(page)
    explains_a_word(page)
    plays(page, games[FIRST])
    page.goto("/")
    expect(page.get_by_role("region", name="Games")).to_be_visible()
    expect(page.get_by_role("region", name="Three ways in")).to_have_count(0)
    go(page, f"/learn/{OTHER}")
    through_the_lesson(page)
    plays(page, games[OTHER])
    says_what_words_mean(page)
    sees_it_again(page)
    assert refused == []


@pytest.mark.slow
@pytest.mark.parametrize("sheet", EVERY)
def test_every_game_is_learned_from_the_lobby_and_played_without_a_refusal(
    sheet: str, visit: Visit, games: dict[str, Game]
) -> None:
    """By the card of the game, as one who has a game in mind goes."""
    page, refused = came(visit)
    card_of(page, sheet).get_by_role("link", name=re.compile("^How to play ")).click()
    through_the_lesson(page)
    plays(page, games[sheet])
    assert refused == []


def came(visit: Visit) -> tuple[Page, list[str]]:
    """A first visit with its three ways in, and what the house refuses from then on."""
    page, refused = visit(fresh=True), list[str]()
    keep_settings(page, **INSTANT)
    page.on("websocket", lambda line: heard(line, refused))
    page.goto("/")
    ways = page.get_by_role("region", name="Three ways in")
    expect(ways.get_by_role("link")).to_have_count(2)
    expect(ways.get_by_role("button", name=re.compile("Play now"))).to_be_visible()
    return page, refused


def through_the_lesson(page: Page) -> None:
    for step in STEPS:
        expect(page.get_by_role("heading", level=2, name=step)).to_be_visible()
        if step in POINTED:
            expect(page.locator(f"[{POINTED[step]}][data-meant]").first).to_be_visible()
        if step != STEPS[-1]:
            page.keyboard.press("ArrowRight")
    expect(page.locator("[data-meant]")).to_have_count(0)


def plays(page: Page, game: Game) -> None:
    page.get_by_role("button", name="Play it now").click()
    for _ in range(ROUNDS):
        as_taught(page, game)


def says_what_words_mean(page: Page) -> None:
    """In the result and in the log, where they are read first."""
    for tab in ("Result", "Log"):
        page.get_by_role("tab", name=tab).click()
        word = page.get_by_role("tabpanel").locator("a.term").first
        word.click()
        expect(page.get_by_role("note")).to_contain_text("Words of the tables")
        page.keyboard.press("Escape")


def sees_it_again(page: Page) -> None:
    """From the table to its lesson, and back to the same table with what lies on it."""
    table = page.url
    page.get_by_role("tab", name="Pays").click()
    page.get_by_role("tabpanel").get_by_role("link", name="How to play").click()
    expect(page.get_by_role("heading", level=2, name=STEPS[0])).to_be_visible()
    page.go_back()
    expect(page.get_by_role("region", name=re.compile("^Your spot"))).to_be_visible()
    assert page.url == table


def explains_a_word(page: Page) -> None:
    """A word is pressed, and says what it means."""
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_role("heading", level=2, name=STEPS[-2])).to_be_visible()
    word = page.get_by_role("link", name="dealer's", exact=True)
    word.click()
    expect(page.get_by_role("note")).to_contain_text("Deals for the house")
    page.keyboard.press("Escape")
    page.keyboard.press("ArrowRight")


def as_taught(page: Page, game: Game) -> None:
    """A chip on each circle that needs one, the cards, and always the first play that stays in."""
    bar = page.get_by_role("group", name="Actions")
    deal = bar.get_by_role("button", name=re.compile("^Deal"))
    expect(deal).to_be_visible()
    for title in (game.main, *game.required):
        page.get_by_role("button", name=re.compile(rf"^{re.escape(title)}")).click()
    expect(deal).to_have_attribute("data-staked", "true")
    deal.click()
    # Some rounds are over at once, and the button is there again without a bet.
    expect(deal.and_(page.locator('[data-staked="true"]'))).to_have_count(0)
    asked = page.get_by_text(re.compile(": your decision$"))
    while deal.is_hidden():
        before = asked.or_(deal).first.inner_text()
        if deal.is_hidden():
            bar.locator("button.play:not(.fold)").nth(1 if game.id == DECLARED else 0).click()
            expect(page.get_by_text(before, exact=True)).to_be_hidden()
    expect(bar.get_by_role("alert")).to_have_text("")


def heard(line: WebSocket, refused: list[str]) -> None:
    def listen(frame: str | bytes) -> None:
        answer = json.loads(frame).get("answer", {"accepted": True})
        refused.extend([] if "accepted" in answer else [str(answer)])

    line.on("framereceived", listen)
