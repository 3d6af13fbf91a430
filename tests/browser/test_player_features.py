"""An hour at the page: the tools beside the cards, used as a player would use them."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from tests.browser.conftest import Visit
from tests.browser.player import Game, Player, commands_to_finish
from tests.browser.server import House
from tests.browser.visitors import go
from tests.command_line import Ask

STUD = "catfish-bend/mississippi-stud"
LONG_MS = 120_000
DAILY_VIEW: dict[str, Any] = {  # Two equal cards, as six decks deal them.
    "day": "2026-11-17",
    "sheet": "catfish-bend/matchem-hi-lo",
    "title": "Match'em Hi-Lo",
    "hands": 10,
    "begun": True,
    "trial": True,
    "hand": {
        "hand": 1,
        "decision": 0,
        "street": "Declaration",
        "cards": ["9s", "9s", "4d"],
        "common": [],
        "bets": [{"title": "Bet", "amount": "10.00"}],
        "plays": [
            {"play": "low", "title": "Low", "cost": "0.00"},
            {"play": "fold", "title": "Fold", "cost": "0.00", "loses": "10.00"},
        ],
    },
    "played": [],
    "cost": {"text": "$0", "exact": "0"},
    "results": [],
    "playing": 0,
    "commitment": None,
    "seed": None,
}


def test_daily_deal_shows_duplicate_cards(visit: Visit) -> None:
    page = visit()
    page.route("**/api/daily", lambda route: route.fulfill(json=DAILY_VIEW))
    page.goto("/daily")
    expect(page.get_by_role("img", name="nine of spades")).to_have_count(2)
    expect(page.get_by_role("list", name="Your bets")).to_have_text("Bet $10")
    plays = page.get_by_role("group", name="Plays").get_by_role("button")
    expect(plays).to_have_text(
        [re.compile("^Low.*no extra bet$"), re.compile(r"^Fold.*lose \$10$")]
    )


def test_setting_one_limit_keeps_the_other(guest: Player, games: dict[str, Game]) -> None:
    page = guest.page
    guest.sit(games[STUD])
    go(page, "/care")
    for field, value in (("Daily minutes", "90"), ("Daily loss limit", "200")):
        page.get_by_label(field).fill(value)
        page.get_by_role("button", name="Save limits").click()
        expect(page.get_by_text("Limits saved.")).to_be_visible()
        page.reload()
        expect(page.get_by_text(re.compile("Time limit: 90 minutes per day"))).to_be_visible()
    care = guest.get("/api/care")
    assert care["limits"] == {"loss": "200.00", "minutes": 90}
    assert care["later"] is None


@pytest.mark.slow
def test_typed_and_saved_bets_and_autoplay(guest: Player, games: dict[str, Game]) -> None:
    page = guest.page
    guest.sit(games[STUD])
    page.get_by_role("tab", name="Pace").click()
    panel = page.get_by_role("tabpanel")
    panel.get_by_role("textbox", name="Ante").fill("25")
    panel.get_by_role("button", name="Bet", exact=True).first.click()
    expect(guest.wager("Ante")).to_contain_text("$25")
    panel.get_by_role("button", name="Max, 3 Card Bonus: $100").click()
    expect(guest.wager("3 Card Bonus")).to_contain_text("$100")
    panel.get_by_role("button", name="Save bets").click()
    panel.get_by_role("button", name="Clear").click()
    expect(page.get_by_role("banner")).to_contain_text("$1,000")
    panel.get_by_role("button", name="Ante $25, 3 Card Bonus $100", exact=True).click()
    expect(page.get_by_role("banner")).to_contain_text("$875")
    panel.get_by_role("button", name="Clear").click()
    expect(page.get_by_role("banner")).to_contain_text("$1,000")
    panel.get_by_role("textbox", name="Ante").fill("5")
    page.keyboard.press("Enter")
    expect(guest.wager("Ante")).to_contain_text("$5")
    guest.deal()
    guest.play("Fold")
    guest.wait_for_result()
    page.get_by_role("tab", name="Pace").click()
    panel.get_by_label("Strategy").select_option(label="Smallest bet to stay in")
    panel.get_by_label("Rounds").fill("3")
    panel.get_by_role("button", name="Start").click()
    expect(panel.get_by_role("button", name="Start")).to_be_enabled()
    view = guest.view()
    assert view["round"].endswith("-000004")
    assert view["seats"][0]["plays"] == ["1x", "1x", "1x"]
    page.keyboard.press("Escape")
    page.locator("body").press("g")
    guest.wait_for_decision()
    page.locator("body").press(".")
    guest.wait_for_decision(after="Flop bet: your turn")


@pytest.mark.slow
def test_refusal_names_allowed_bets_and_explains_terms(
    guest: Player, games: dict[str, Game]
) -> None:
    page = guest.page
    guest.sit(games[STUD])
    page.get_by_role("tab", name="Pace").click()
    page.get_by_role("tabpanel").get_by_role("textbox", name="Ante").fill("7.25")
    page.keyboard.press("Enter")
    refused = guest.actions.get_by_role("alert")
    expect(refused).to_contain_text("is not a whole dollar; bet $7 or $8.")
    refused.get_by_role("link", name="Ante").click()
    expect(page.get_by_role("note").filter(has_text="The first bet of a hand")).to_be_visible()


@pytest.mark.slow
def test_reminder_waits_until_the_hand_is_over(guest: Player, games: dict[str, Game]) -> None:
    page = guest.page
    guest.sit(games[STUD])
    guest.bet(games[STUD])
    guest.deal()
    care = guest.get("/api/care") | {"minutes": 34, "rounds": 41, "net": {"play": "-135.00"}}
    page.route("**/api/care", lambda route: route.fulfill(json=care))
    page.reload()
    guest.wait_for_decision()
    expect(page.get_by_role("link", name=re.compile("^34 min played today"))).to_be_attached()
    reminder = page.get_by_role("dialog", name="Reality check")
    expect(reminder).to_have_count(0)
    guest.play("Fold")
    expect(reminder).to_contain_text("Today: 34 minutes, 41 rounds, −\u2060$135.")
    reminder.get_by_role("button", name="Keep playing").click()
    expect(reminder).to_have_count(0)


@pytest.mark.slow
def test_break_refuses_bets_with_a_reason(guest: Player, games: dict[str, Game]) -> None:
    page = guest.page
    guest.sit(games[STUD])
    table = guest.table
    go(page, "/care")
    page.get_by_role("combobox", name="Length").select_option(label="1 hour")
    page.get_by_label("I understand").check()
    page.get_by_role("button", name="Start break").click()
    expect(page.get_by_text(re.compile("^You are on a break until"))).to_be_visible()
    guest.walk_to(table)
    guest.circle("Ante").click(force=True)
    refused = guest.actions.get_by_role("alert")
    expect(refused).to_contain_text("You are on a break until")
    expect(page.get_by_role("banner")).to_contain_text("$1,000")
    go(page, "/")
    page.get_by_role("button", name=re.compile("^Practice ")).first.click()
    alert = page.get_by_role("alert").filter(has_text="You are on a break until")
    expect(alert).to_be_visible()


@pytest.mark.slow
def test_practice_trends_are_shown_drilled_and_exported(
    guest: Player, games: dict[str, Game], tmp_path: Path
) -> None:
    page, game = guest.page, games[STUD]
    table = guest.seat(game)
    for _ in range(6):  # Always three times the ante: some of that is costly.
        for command in commands_to_finish(game, plays=("3x", "3x", "3x")):
            guest.command(table, **command)
    go_to(page, "/coach")
    graph = page.get_by_role("img", name=re.compile("^After 6 rounds: result"))
    expect(graph).to_be_visible()
    expect(page.get_by_text(re.compile("urrent streak"))).to_be_visible()
    for title in ("By type of decision", "By week"):
        row = page.get_by_role("table", name=title).get_by_role("row").nth(1)
        expect(row).to_contain_text("%")
    page.get_by_label("Mistakes only").uncheck()
    exports = {}
    for name in ("Download CSV", "Download JSON Lines"):
        with page.expect_download() as download:
            page.get_by_role("link", name=name).click()
        exports[name] = tmp_path / download.value.suggested_filename
        download.value.save_as(exports[name])
    lines = exports["Download JSON Lines"].read_text(encoding="utf-8").splitlines()
    rows = list(csv.DictReader(exports["Download CSV"].read_text(encoding="utf-8").splitlines()))
    assert len(lines) == len(rows) == 18
    assert {json.loads(line)["play"] for line in lines} == {"3x"}
    leaks = page.get_by_role("region", name="Costliest mistakes").get_by_role("listitem")
    assert 1 <= leaks.count() <= 5
    leaks.first.get_by_role("link", name="Practice").click()
    guest.wait_for_decision()
    assert guest.view()["arranged"]
    guest.hands.do(guest, "Fold")
    guest.wait_for_result()
    page.get_by_role("tab", name="Coach").click()
    page.get_by_role("button", name="Tough hand").click()
    guest.wait_for_decision()
    page.get_by_role("tab", name="Log").click()
    with page.expect_download() as download:
        page.get_by_role("tabpanel").get_by_role("link").first.click()
    assert "3x" in download.value.path().read_text(encoding="utf-8")


def go_to(page: Page, path: str) -> None:
    page.goto(path)
    page.get_by_role("heading", level=1).wait_for()


@pytest.mark.slow
def test_daily_deal_gives_everyone_the_same_ten_hands(house: House, visit: Visit) -> None:
    names = [house.player("dot"), house.player("ida")]
    cards_shown, pages = [], [visit(name) for name in names]
    for name, page in zip(names, pages, strict=True):
        page.goto("/daily")
        begin = page.get_by_role("button", name="Start")
        begin.wait_for(timeout=LONG_MS)  # The day's game is computed for the first visitor.
        begin.click()
        heading = page.get_by_role("heading", level=2, name=re.compile("^Hand "))
        expect(heading).to_be_visible()
        cards_shown.append(
            page.get_by_role("img").evaluate_all("all => all.map(one => one.ariaLabel)")
        )
        done = page.get_by_text(re.compile("^You played all hands"))
        while not done.is_visible():
            before = heading.or_(done).first.inner_text()
            page.get_by_role("group", name="Plays").get_by_role("button").last.click()
            expect(page.get_by_text(before, exact=True)).to_have_count(0)
        expect(page.get_by_role("row", name=re.compile(rf"{name} \(you\)"))).to_be_visible()
    assert cards_shown[0] == cards_shown[1]  # The same hands.
    expect(pages[1].get_by_role("row", name=re.compile(names[0]))).to_be_visible()


@pytest.mark.slow
def test_explorer_grid_bankroll_simulation_and_shared_link(visit: Visit) -> None:
    page = visit()
    page.goto(f"/explore/{STUD}")
    card_picker = page.get_by_role("group", name=re.compile("^Your cards"))
    for card in ("six of hearts", "five of hearts"):
        card_picker.get_by_role("button", name=card, exact=True).click()
    worths = page.get_by_role("table", name="EV of every play")
    expect(worths.get_by_role("row", name="Fold")).to_contain_text("−1")
    address = page.url
    page.get_by_role("button", name="Continue after 1x").click()
    expect(page.get_by_text("Played so far: 1x.")).to_be_visible()
    page.get_by_role("button", name="Run").click()
    expect(
        page.get_by_role("img", name=re.compile("^After .* rounds of best play"))
    ).to_be_visible()
    page.get_by_role("button", name="Calculate starting hands").click()
    grid = page.get_by_role("table", name="Starting hands")
    expect(grid.get_by_role("button")).to_have_count(13 * 13)
    friend = visit()
    friend.goto(address)
    expect(friend.get_by_role("row", name="Fold")).to_be_visible()


def test_starting_hands_grid_scrolls_in_place_on_a_phone(visit: Visit) -> None:
    page = visit(width=360, height=740)
    page.goto(f"/explore/{STUD}?cards=6h+5h")
    page.get_by_role("button", name="Calculate starting hands").click()
    grid = page.get_by_role("table", name="Starting hands")
    expect(grid.get_by_role("button")).to_have_count(13 * 13)
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


@pytest.mark.slow
def test_edited_sheet_is_saved_and_shared_by_link(visit: Visit, ask: Ask, tmp_path: Path) -> None:
    page = visit()
    page.goto(f"/lab/{STUD}")
    page.get_by_role("textbox", name="Flush", exact=True).first.fill("7:1")
    page.get_by_text("at your table").wait_for()
    with page.expect_download() as download:
        page.get_by_role("button", name="Download sheet").click()
    file = tmp_path / download.value.suggested_filename
    download.value.save_as(file)
    assert 'flush = "7:1"' in file.read_text(encoding="utf-8")
    assert ask("sheets", "check", str(file)).code == 0
    page.get_by_role("button", name="Copy link").click()
    expect(page.get_by_text("Link copied.")).to_be_visible()
    friend = visit()
    friend.goto(page.url)
    expect(friend.get_by_role("textbox", name="Flush", exact=True).first).to_have_value("7:1")
