"""An evening with real cards: a dealer types them, and every settlement is `pitbook settle`'s."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from tests.browser.conftest import Visit
from tests.browser.dealing import TypedTable, paid
from tests.browser.house import House
from tests.lanes import examples

STUD, HI_LO = "catfish-bend/mississippi-stud", "catfish-bend/matchem-hi-lo"
VERSUS = "pennsylvania/three-card-poker"
EVENINGS = {STUD: {"Ante": "10"}, HI_LO: {"Bet": "10"}, VERSUS: {"Ante": "10"}}
ROUNDS = examples(3, 50)
SIZES = ((1366, 657), (768, 1024), (1024, 768), (360, 740))


def pictured(page: Page, name: str) -> None:
    """Pictures for who wants to look, in the folder that is named."""
    if folder := os.environ.get("PITBOOK_PICTURES"):
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            for width, height in SIZES:
                page.set_viewport_size({"width": width, "height": height})
                picture = f"{name}-{scheme}-{width}.png"
                page.screenshot(path=str(Path(folder) / picture), full_page=True)
        page.set_viewport_size({"width": 1280, "height": 800})


def corrected(table: TypedTable) -> None:
    """A card is typed wrongly, and put right with a reason before anybody is paid."""
    table.until("type-card")
    right, wrong = table.left.pop(), table.left.pop()
    table.left.append(wrong)
    where = table.next["place"]
    before = table.view()["version"]
    table.keys(wrong)
    table.done(before)
    page = table.page
    titles = table.view()["dealing"]["titles"]
    named = titles.get(where, f"Seat {where}, ")
    region = page.get_by_role("region", name=named)
    region.get_by_role("button", name="Correct the").last.click()
    page.get_by_label("Why, for the record").fill("misread")
    page.keyboard.press("Tab")
    before = table.view()["version"]
    table.keys(right)
    table.done(before)
    assert wrong not in str(table.view()["common"]) + str(table.view()["seats"])


def misdealt(table: TypedTable) -> None:
    """The dealer calls a misdeal, with its reason."""
    table.until("type-card")
    before = table.view()["version"]
    table.page.get_by_role("button", name="Misdeal…").click()
    table.page.get_by_label("Why it is a misdeal").fill("a boxed card")
    table.page.keyboard.press("Enter")
    table.done(before)
    assert table.view()["result"]["result"] == "misdeal"
    expect(table.page.get_by_text("boxed card").first).to_be_visible()


def exposed(table: TypedTable) -> None:
    """A card of seat 2 was seen too early."""
    page = table.page
    page.keyboard.press("Enter")
    while table.next.get("do") == "close-betting":
        page.wait_for_timeout(20)
    page.get_by_role("button", name="Exposed card").click()
    page.get_by_role("group", name="Where it lay").get_by_role("button", name="Seat 2").click()
    before = table.view()["version"]
    table.keys(table.left.pop())
    table.done(before)
    notes = str(table.view()["result"] or table.view()["seats"])
    assert "shown" in notes or table.view()["seats"][1]["cards"][0] is not None


def restarted(table: TypedTable) -> None:
    """The house dies in the midst of a hand, and the page comes back by itself."""
    table.until("type-card")
    table.house.kill()
    table.house.start()
    page = table.page
    expect(page.get_by_role("alert").filter(has_text="line")).to_have_count(0)
    page.reload()
    while (seen := table.view())["phase"] == "agreement":
        page.get_by_role("button", name="Finish the hand").first.click()
        table.done(seen["version"])


# What every change waits for has two of these for each game; the slow lane all of them.
MISHAPS = {
    STUD: (corrected, restarted, misdealt, exposed),
    HI_LO: (misdealt, exposed, corrected, restarted),
    VERSUS: (exposed, corrected, restarted, misdealt),
}


@pytest.mark.slow_cases("catfish-bend/matchem-hi-lo", "pennsylvania/three-card-poker")
@pytest.mark.parametrize("sheet", EVENINGS)
def test_an_evening_is_dealt_by_keys_and_each_round_is_what_settle_says(
    sheet: str, mortal: House, visit: Visit
) -> None:
    page = visit(mortal.player("dee", "dealer"))
    table = TypedTable(mortal, page, sheet, seed=len(sheet))
    for seat in (1, 2):
        table.sit(seat, f"Ticket {table.table[6:]}{seat}", "9000", EVENINGS[sheet])
    compared = 0
    for number in range(ROUNDS):
        table.shuffle()
        if number:
            table.bet_again()
        if 1 <= number <= len(MISHAPS[sheet]):
            MISHAPS[sheet][number - 1](table)
        if number == 0:
            table.until("settle")
            pictured(page, sheet.partition("/")[2])
        seen = table.finish()
        if not any(one.get("void") for one in seen["seats"]):
            assert paid(seen) == table.settled_alone(seen), f"round {number}"
            compared += 1
    assert compared >= ROUNDS - 1
    pictured(page, f"{sheet.partition('/')[2]}-over")
    rounds = mortal.get(f"/api/tables/{table.table}")["round"]
    assert rounds.endswith(f"{ROUNDS:06d}")
