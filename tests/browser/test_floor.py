"""An evening with real cards: a dealer types them, and every result matches `pitbook settle`."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from tests.browser.conftest import Visit
from tests.browser.dealer import TypedTable, paid_seats
from tests.browser.server import House
from tests.lanes import examples

STUD, HI_LO = "catfish-bend/mississippi-stud", "catfish-bend/matchem-hi-lo"
VERSUS = "pennsylvania/three-card-poker"
BETS_BY_SHEET = {STUD: {"Ante": "10"}, HI_LO: {"Bet": "10"}, VERSUS: {"Ante": "10"}}
ROUNDS = examples(3, 50)
SIZES = ((1366, 657), (768, 1024), (1024, 768), (360, 740))


def save_pictures(page: Page, name: str) -> None:
    """Save pictures of the page, if PITBOOK_PICTURES is set."""
    if folder := os.environ.get("PITBOOK_PICTURES"):
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            for width, height in SIZES:
                page.set_viewport_size({"width": width, "height": height})
                picture = f"{name}-{scheme}-{width}.png"
                page.screenshot(path=str(Path(folder) / picture), full_page=True)
        page.set_viewport_size({"width": 1280, "height": 800})


def correct_card(table: TypedTable) -> None:
    """Type a wrong card, and correct it with a reason before anyone is paid."""
    table.until("type-card")
    right, wrong = table.deck.pop(), table.deck.pop()
    table.deck.append(wrong)
    place = table.next["place"]
    before = table.view()["version"]
    table.keys(wrong)
    table.wait_past(before)
    page = table.page
    titles = table.view()["dealing"]["titles"]
    region_name = titles.get(place, f"Seat {place}, ")
    region = page.get_by_role("region", name=region_name)
    region.get_by_role("button", name="Correct the").last.click()
    page.get_by_label("Reason").fill("misread")
    page.keyboard.press("Tab")
    before = table.view()["version"]
    table.keys(right)
    table.wait_past(before)
    assert wrong not in str(table.view()["common"]) + str(table.view()["seats"])


def call_misdeal(table: TypedTable) -> None:
    """Call a misdeal with its reason."""
    table.until("type-card")
    before = table.view()["version"]
    table.page.get_by_role("button", name="Misdeal…").click()
    table.page.get_by_label("Reason for the misdeal").fill("a boxed card")
    table.page.keyboard.press("Enter")
    table.wait_past(before)
    assert table.view()["result"]["result"] == "misdeal"
    expect(table.page.get_by_text("boxed card").first).to_be_visible()


def expose_card(table: TypedTable) -> None:
    """Expose a card of seat 2."""
    page = table.page
    page.keyboard.press("Enter")
    while table.next.get("do") == "close-betting":
        page.wait_for_timeout(20)
    page.get_by_role("button", name="Exposed card").click()
    page.get_by_role("group", name="Where it was").get_by_role("button", name="Seat 2").click()
    before = table.view()["version"]
    table.keys(table.deck.pop())
    table.wait_past(before)
    notes = str(table.view()["result"] or table.view()["seats"])
    assert "shown" in notes or table.view()["seats"][1]["cards"][0] is not None


def restart_house(table: TypedTable) -> None:
    """Kill and restart the house mid-hand; the page recovers by itself."""
    table.until("type-card")
    table.house.kill()
    table.house.start()
    page = table.page
    expect(page.get_by_role("alert").filter(has_text="line")).to_have_count(0)
    page.reload()
    while (view := table.view())["phase"] == "agreement":
        page.get_by_role("button", name="Finish the hand").first.click()
        table.wait_past(view["version"])


# `make test` runs two of these for each game, the slow lane all of them.
MISHAPS = {
    STUD: (correct_card, restart_house, call_misdeal, expose_card),
    HI_LO: (call_misdeal, expose_card, correct_card, restart_house),
    VERSUS: (expose_card, correct_card, restart_house, call_misdeal),
}


@pytest.mark.slow_cases("catfish-bend/matchem-hi-lo", "pennsylvania/three-card-poker")
@pytest.mark.parametrize("sheet", BETS_BY_SHEET)
def test_rounds_dealt_by_keys_match_settle(sheet: str, mortal: House, visit: Visit) -> None:
    page = visit(mortal.player("dee", "dealer"))
    table = TypedTable(mortal, page, sheet, seed=len(sheet))
    for seat in (1, 2):
        table.sit(seat, f"Ticket {table.table[6:]}{seat}", "9000", BETS_BY_SHEET[sheet])
    compared = 0
    for number in range(ROUNDS):
        table.shuffle()
        if number:
            table.bet_again()
        if 1 <= number <= len(MISHAPS[sheet]):
            MISHAPS[sheet][number - 1](table)
        if number == 0:
            table.until("settle")
            save_pictures(page, sheet.partition("/")[2])
        view = table.finish()
        if not any(seat.get("void") for seat in view["seats"]):
            assert paid_seats(view) == table.settle_by_file(view), f"round {number}"
            compared += 1
    assert compared >= ROUNDS - 1
    save_pictures(page, f"{sheet.partition('/')[2]}-over")
    rounds = mortal.get(f"/api/tables/{table.table}")["round"]
    assert rounds.endswith(f"{ROUNDS:06d}")
