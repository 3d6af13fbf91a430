"""A guest: a one-press refill, a new table for a closed one, and a kept record."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect
from tests.browser.player import Game, Player
from tests.browser.server import House
from tests.browser.visitors import go
from tests.house.web.conftest import PASSWORD

STUD = "catfish-bend/mississippi-stud"


def lose_bet(player: Player, dollars: str) -> None:
    player.command(player.table, do="put-wager", seat=1, wager="ante", amount=dollars)
    player.command(player.table, do="close-betting")
    if player.view()["seats"][0]["waiting"]:  # A player without chips folds without being asked.
        player.command(player.table, do="decide", seat=1, play="fold")


@pytest.mark.slow
def test_refill_and_new_table_take_one_press(guest: Player, games: dict[str, Game]) -> None:
    page = guest.page
    guest.sit(games[STUD])
    refill = page.get_by_role("button", name="Get more play chips")
    expect(refill).to_have_count(0)
    for _ in range(2):
        lose_bet(guest, "500")
    refill.click()
    expect(page.get_by_role("banner").get_by_text("$1,000")).to_be_visible()
    expect(refill).to_have_count(0)
    guest.round(games[STUD])
    old = guest.table
    guest.command(guest.table, do="retire")
    expect(page.get_by_role("heading", name="This practice table has closed")).to_be_visible()
    page.reload()
    page.get_by_role("button", name="Open a new table").click()
    expect(guest.action("Deal")).to_be_visible()
    assert guest.table != old
    assert guest.view()["sheet"]["id"] == STUD


def test_sign_in_keeps_guest_rounds_and_decisions(
    guest: Player, games: dict[str, Game], house: House
) -> None:
    page, name = guest.page, house.player("ann")
    guest.sit(games[STUD])
    lose_bet(guest, "10")
    table = guest.table
    go(page, "/sign-in")
    expect(
        page.get_by_text("Rounds and decisions you played as a guest move to your")
    ).to_be_visible()
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("banner").get_by_text(name)).to_be_visible()
    page.get_by_role("link", name="Your rounds").click()
    row = page.locator("main").get_by_role("listitem")
    expect(row).to_have_count(1)
    expect(row).to_contain_text("−\u2060$10")
    page.goto("/coach")
    expect(page.get_by_text(re.compile(r"^Best play in \d of 1 decision"))).to_be_visible()
    go(page, f"/table/{table}")
    guest.bet(games[STUD])
    guest.deal()
    guest.play("Fold")
    guest.wait_for_result()
    page.goto("/rounds")
    expect(row).to_have_count(2)
