"""A first-time player: the lesson, then three rounds without a refusal."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import Page, WebSocket, expect
from tests.browser.conftest import Visit
from tests.browser.player import DECLARED, INSTANT, KINDS, Game, keep_settings
from tests.browser.test_screen_reader import card_of
from tests.browser.visitors import go
from tests.sheets.samples import ALL_IDS

STEPS = ["Bet", "Look at your cards", "Decide", "See the other cards", "Get paid"]
HIGHLIGHTED = {
    "Bet": "data-wager",
    "Look at your cards": "data-place",
    "See the other cards": "data-place",
}
ROUNDS = 3
FIRST, OTHER = DECLARED, KINDS[0]


def test_newcomer_plays_three_rounds_without_a_refusal(
    visit: Visit, games: dict[str, Game]
) -> None:
    """The suggested first game, then one of another kind by its lesson."""
    page, refused = first_visit(visit)
    page.get_by_role("link", name=re.compile("Learn first")).click()
    step_through_lesson(page)
    assert_word_is_explained(page)
    play_rounds(page, games[FIRST])
    page.goto("/")
    expect(page.get_by_role("region", name="Games")).to_be_visible()
    expect(page.get_by_role("region", name="Get started")).to_have_count(0)
    go(page, f"/learn/{OTHER}")
    step_through_lesson(page)
    play_rounds(page, games[OTHER])
    assert_terms_are_explained(page)
    assert_lesson_can_be_revisited(page)
    assert refused == []


@pytest.mark.slow
@pytest.mark.parametrize("sheet", ALL_IDS)
def test_every_game_can_be_learned_and_played_without_a_refusal(
    sheet: str, visit: Visit, games: dict[str, Game]
) -> None:
    """From the game's card, as a player with a game in mind would go."""
    page, refused = first_visit(visit)
    card_of(page, sheet).get_by_role("link", name=re.compile("^How to play ")).click()
    step_through_lesson(page)
    play_rounds(page, games[sheet])
    assert refused == []


def first_visit(visit: Visit) -> tuple[Page, list[str]]:
    """A first visit with three entry points, and a list that collects refusals."""
    page, refused = visit(fresh=True), list[str]()
    keep_settings(page, **INSTANT)
    page.on("websocket", lambda socket: record_refusals(socket, refused))
    page.goto("/")
    entry_points = page.get_by_role("region", name="Get started")
    expect(entry_points.get_by_role("link")).to_have_count(2)
    expect(entry_points.get_by_role("button", name=re.compile("Play now"))).to_be_visible()
    return page, refused


def step_through_lesson(page: Page) -> None:
    for step in STEPS:
        expect(page.get_by_role("heading", level=2, name=step)).to_be_visible()
        if step in HIGHLIGHTED:
            expect(page.locator(f"[{HIGHLIGHTED[step]}][data-meant]").first).to_be_visible()
        if step != STEPS[-1]:
            page.keyboard.press("ArrowRight")
    expect(page.locator("[data-meant]")).to_have_count(0)


def play_rounds(page: Page, game: Game) -> None:
    page.get_by_role("button", name="Play now").click()
    for _ in range(ROUNDS):
        play_as_taught(page, game)


def assert_terms_are_explained(page: Page) -> None:
    """Terms in the result and the log are explained."""
    for tab in ("Result", "Log"):
        page.get_by_role("tab", name=tab).click()
        word = page.get_by_role("tabpanel").locator("a.term").first
        word.click()
        expect(page.get_by_role("note")).to_contain_text("Glossary")
        page.keyboard.press("Escape")


def assert_lesson_can_be_revisited(page: Page) -> None:
    """From the table to its lesson, and back to the same table."""
    table = page.url
    page.get_by_role("tab", name="Pay tables").click()
    page.get_by_role("tabpanel").get_by_role("link", name="How to play").click()
    expect(page.get_by_role("heading", level=2, name=STEPS[0])).to_be_visible()
    page.go_back()
    expect(page.get_by_role("region", name=re.compile("^Your seat"))).to_be_visible()
    assert page.url == table


def assert_word_is_explained(page: Page) -> None:
    """Pressing a word shows its meaning."""
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_role("heading", level=2, name=STEPS[-2])).to_be_visible()
    word = page.get_by_role("link", name="dealer's", exact=True)
    word.click()
    expect(page.get_by_role("note")).to_contain_text("Deals for the house")
    page.keyboard.press("Escape")
    page.keyboard.press("ArrowRight")


def play_as_taught(page: Page, game: Game) -> None:
    """Bet a chip on each required circle, and always make the first play that stays in."""
    bar = page.get_by_role("group", name="Actions")
    deal = bar.get_by_role("button", name=re.compile("^Deal"))
    expect(deal).to_be_visible()
    for title in (game.main, *game.required):
        page.get_by_role("button", name=re.compile(rf"^{re.escape(title)}")).click()
    expect(deal).to_have_attribute("data-staked", "true")
    deal.click()
    # Some rounds end at once, and the button is back without a bet.
    expect(deal.and_(page.locator('[data-staked="true"]'))).to_have_count(0)
    caption = page.get_by_text(re.compile(": your turn$"))
    while deal.is_hidden():
        before = caption.or_(deal).first.inner_text()
        if deal.is_hidden():
            bar.locator("button.play:not(.fold)").nth(1 if game.id == DECLARED else 0).click()
            expect(page.get_by_text(before, exact=True)).to_be_hidden()
    expect(bar.get_by_role("alert")).to_have_text("")


def record_refusals(socket: WebSocket, refused: list[str]) -> None:
    def listen(frame: str | bytes) -> None:
        answer = json.loads(frame).get("answer", {"accepted": True})
        refused.extend([] if "accepted" in answer else [str(answer)])

    socket.on("framereceived", listen)
