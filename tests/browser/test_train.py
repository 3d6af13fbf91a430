"""The dealer's school on the page: a drill by a guest, and a whole table test by keyboard."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect
from tests.browser.conftest import Visit
from tests.browser.house import House
from tests.browser.visitors import go

import pitbook
from pitbook.money import money
from pitbook.sheets.model import Sheet

STUD = "catfish-bend/mississippi-stud"


def tab_to(page: Page, name: str) -> None:
    """Press Tab until something of that name has the focus."""
    for _ in range(60):
        page.keyboard.press("Tab")
        focused = page.evaluate("document.activeElement?.textContent?.trim() ?? ''")
        if focused == name:
            return
    raise AssertionError(f"no Tab leads to {name}")


def bound(sheet: Sheet, ask: str) -> str:
    """What the sheet says to a question for a limit."""
    if "a round pays" in ask:
        return money(sheet.limits[0].pays_max)
    stakes = {sheet.main_wager.title: sheet.main_wager}
    found = re.fullmatch(r"What is the (least|most) on (.*)\?", ask)
    assert found is not None, ask
    side = {one.title: one.stake for one in sheet.side.values()}
    stake = {**stakes, **side}[found[2]]
    return money(stake.min if found[1] == "least" else stake.max)


def test_a_whole_table_test_is_taken_by_keyboard(house: House, visit: Visit) -> None:
    dealer, sheet = house.player("dee", "dealer"), pitbook.load(STUD)
    made = {"title": "Limits", "sheet": STUD, "kinds": ["bounds"], "questions": 3}
    house.supervisor.post("/api/table-tests", json=made | {"pass_mark": 100, "minutes": 5})
    page = visit(dealer)
    go(page, "/train/tests")
    expect(page.get_by_role("heading", name="Limits", exact=True)).to_be_visible()
    tab_to(page, "Begin")
    page.keyboard.press("Enter")
    for number in range(1, 4):
        expect(page.get_by_text(f"Question {number} of 3")).to_be_visible()
        expect(page.get_by_role("textbox", name="Your answer")).to_be_focused()
        ask = page.locator(".ask").inner_text()
        page.keyboard.type(bound(sheet, ask))
        page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Passed")).to_be_visible()
    expect(page.get_by_role("link", name="Certificate")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_text(f"{dealer} passed, and the rules have not changed")).to_be_visible()
    expect(page.get_by_text("Catfish Bend Casino II")).to_be_visible()
    supervisor = visit(house.player("sam", "supervisor"))
    go(supervisor, "/train/class")
    expect(supervisor.get_by_role("rowheader", name=dealer)).to_be_visible(timeout=5_000)


def test_a_guest_drills_with_letters_and_sees_why_and_how_it_goes(visit: Visit) -> None:
    page = visit(width=360, height=740)
    go(page, "/train")
    page.get_by_label("Odds by heart").check()
    page.get_by_role("button", name="Start").click()
    expect(page.get_by_role("heading", name="Odds by heart")).to_be_visible()
    assert "pays" in page.locator(".options").inner_text()
    page.keyboard.press("b")
    expect(page.locator('[aria-pressed="true"]')).to_have_count(1)
    page.keyboard.press("Enter")
    expect(page.get_by_text("Right is:")).to_be_visible()
    expect(page.get_by_role("button", name="Next question")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Answer")).to_be_visible()
    wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0
    go(page, "/train/progress")
    expect(page.get_by_role("rowheader", name="Odds by heart")).to_be_visible()
    expect(page.get_by_role("img", name=re.compile("Right answers by day"))).to_be_visible()
