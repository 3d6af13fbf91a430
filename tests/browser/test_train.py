"""The school on the page: a drill by a guest, and a table test by keyboard."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect
from tests.browser.conftest import Visit
from tests.browser.server import House
from tests.browser.visitors import go

import pitbook
from pitbook.money import money
from pitbook.sheets.model import Sheet

HOLDEM = "pennsylvania/ultimate-texas-holdem"
STUD = "catfish-bend/mississippi-stud"


FOCUSED = """() => [document.activeElement?.closest("li")?.querySelector("h2"),
  document.activeElement].map((one) => one?.textContent?.trim() ?? "")"""


def tab_to(page: Page, name: str, *, of: str) -> None:
    """Press Tab until this element of the list entry has the focus."""
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate(FOCUSED) == [of, name]:
            return
    raise AssertionError(f"no Tab leads to {name} of {of}")


def limit_answer(sheet: Sheet, ask: str) -> str:
    """The sheet's answer to a question about a limit."""
    if "payout limit" in ask:
        return money(sheet.limits[0].pays_max)
    stakes = {sheet.main_wager.title: sheet.main_wager}
    match = re.match(r"What is the (minimum|maximum) for the (.*?)(?: at this table)?\?", ask)
    assert match is not None, ask
    side = {side.title: side.stake for side in sheet.side.values()}
    stake = {**stakes, **side}[match[2]]
    return money(stake.min if match[1] == "minimum" else stake.max)


@pytest.mark.slow
def test_table_test_is_taken_by_keyboard(house: House, visit: Visit) -> None:
    dealer, sheet = house.player("dee", "dealer"), pitbook.load(STUD)
    test_request = {"title": "Limits", "sheet": STUD, "kinds": ["bounds"], "questions": 3}
    house.supervisor.post("/api/table-tests", json=test_request | {"pass_mark": 100, "minutes": 5})
    page = visit(dealer)
    go(page, "/train/tests")
    expect(page.get_by_role("heading", name="Limits", exact=True)).to_be_visible()
    tab_to(page, "Start", of="Limits")
    page.keyboard.press("Enter")
    for number in range(1, 4):
        expect(page.get_by_text(f"Question {number} of 3")).to_be_visible()
        expect(page.get_by_role("textbox", name="Your answer")).to_be_focused()
        ask = page.locator(".prompt").inner_text()
        page.keyboard.type(limit_answer(sheet, ask))
        page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Passed")).to_be_visible()
    expect(page.get_by_role("link", name="Certificate")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_text(f"{dealer} passed, and the rules have not changed")).to_be_visible()
    expect(page.get_by_text("Catfish Bend Casino II")).to_be_visible()
    supervisor = visit(house.player("sam", "supervisor"))
    go(supervisor, "/train/class")
    expect(supervisor.get_by_role("heading", name=dealer)).to_be_visible()
    supervisor.get_by_role("searchbox").fill("nobody at all")
    expect(supervisor.get_by_role("heading", name=dealer)).to_have_count(0)
    supervisor.get_by_role("searchbox").fill(dealer.upper())
    expect(supervisor.get_by_role("heading", name=dealer)).to_be_visible()


def answer_by_keys(page: Page, form: str) -> None:
    """Answer a question of this form by keys, rightly or not."""
    letters = page.locator(".options kbd").all_inner_texts()
    if form == "amount":
        page.keyboard.type("5")
    elif form == "chips":
        for key in ("Tab", "1"):  # The first chip's minus is disabled: no chip lies there.
            page.keyboard.press(key)
    elif form == "pick":
        page.keyboard.type("abcde")
    elif form == "choice":
        page.keyboard.press("b")
    else:
        page.keyboard.type("".join(letters))
    if form == "steps":  # From the button back through the amounts; options lie between them.
        page.keyboard.press("Shift+Tab")
        for _ in letters[1:]:
            page.keyboard.type("-5")
            page.keyboard.press("Shift+Tab")
            page.keyboard.press("Shift+Tab")
        page.keyboard.type("0")
    page.keyboard.press("Enter")


FORMS = {
    "bounds": "amount",
    "cut-chips": "chips",
    "odds": "choice",
    "after-fold": "choices",
    "best-cards": "pick",
    "paying-order": "order",
    "settle-table": "steps",
}


def create_test_of_all_forms(house: House, title: str) -> None:
    """Create a test with a question of each form of answer."""
    test_request = {"title": title, "sheet": HOLDEM, "kinds": list(FORMS), "questions": len(FORMS)}
    house.supervisor.post("/api/table-tests", json=test_request | {"pass_mark": 100, "minutes": 5})


def answer_by_touch(page: Page, form: str) -> None:
    """Answer a question of this form by touch, rightly or not."""
    form_shown = page.get_by_role("form")
    if form == "chips":
        form_shown.get_by_role("button", name="more").first.tap()
    options = form_shown.locator(".option")
    taps = {"choice": 1, "choices": 1, "pick": 5}.get(form, options.count())
    for place in range(taps):
        options.nth(place).tap()
    for field in form_shown.get_by_role("textbox").all() if form in ("amount", "steps") else []:
        field.tap()
        field.fill("5")
    form_shown.get_by_role("button", name="Answer").tap()


@pytest.mark.slow
def test_every_answer_form_works_by_touch(house: House, visit: Visit) -> None:
    create_test_of_all_forms(house, "By touch")
    page = visit(house.player("fay", "dealer"), width=360, height=740, has_touch=True)
    go(page, "/train/tests")
    page.get_by_role("listitem").filter(has_text="By touch").get_by_role("button").first.tap()
    for number, form in enumerate(FORMS.values(), start=1):
        expect(page.get_by_text(f"Question {number} of {len(FORMS)}")).to_be_visible()
        answer_by_touch(page, form)
    expect(page.get_by_text(re.compile(r"[0-7] of 7 correct"))).to_be_visible()


def test_every_answer_form_works_by_keyboard(house: House, visit: Visit) -> None:
    create_test_of_all_forms(house, "All forms")
    page = visit(house.player("don", "dealer"))
    go(page, "/train/tests")
    page.get_by_role("listitem").filter(has_text="All forms").get_by_role("button").first.focus()
    page.keyboard.press("Enter")
    for number, form in enumerate(FORMS.values(), start=1):
        expect(page.get_by_text(f"Question {number} of {len(FORMS)}")).to_be_visible()
        answer_by_keys(page, form)
    expect(page.get_by_text(re.compile(r"[0-7] of 7 correct"))).to_be_visible()
    expect(page.locator(".result a").first).to_be_focused()
    question = page.get_by_role("group").filter(has_text="2. Cut the chips")  # As it was asked.
    expect(question.get_by_text("Cut chips to pay seat")).to_be_visible()
    expect(question.get_by_role("img").first).to_be_visible()
    expect(question.get_by_text(re.compile("^Correct answer: "))).to_be_visible()


def test_guest_drills_and_sees_progress(visit: Visit) -> None:
    page = visit(width=360, height=740)
    go(page, "/train")
    page.get_by_label("Odds by heart").check()
    page.get_by_label("Timed").check()
    page.get_by_role("button", name="Start").click()
    expect(page.get_by_role("timer")).to_have_text(re.compile(r"^\d\d seconds left$"))
    expect(page.get_by_role("heading", name="Odds by heart")).to_be_visible()
    assert re.search(" to |push", page.locator(".options").inner_text())
    page.keyboard.press("b")
    expect(page.locator('[aria-pressed="true"]')).to_have_count(1)
    page.keyboard.press("Enter")
    expect(page.get_by_text("Correct answer:")).to_be_visible()
    expect(page.get_by_role("button", name="Next question")).to_be_focused()
    expect(page.get_by_text(re.compile("of 1 correct so far. .*goal: 60"))).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Answer")).to_be_visible()
    wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0
    go(page, "/train/progress")
    expect(page.get_by_role("rowheader", name="Odds by heart")).to_be_visible()
    expect(page.get_by_role("img", name=re.compile("Correct answers by day"))).to_be_visible()
