"""Assumptions are marked, clauses open, and a supervisor sees first steps."""

from __future__ import annotations

from playwright.sync_api import expect
from tests.browser.conftest import Visit
from tests.browser.server import SUPERVISOR, House

LAS = "louisiana-stud/standard"


def test_clause_opens_and_closes_by_key(visit: Visit) -> None:
    page = visit()
    page.goto(f"/rules/{LAS}")
    table = page.get_by_role("table", name="Ante and street bets")
    expect(table).to_contain_text("our choice but for pair of sixes to tens")
    clause = table.get_by_role("link", name="Clause LAS-8")
    clause.focus()
    page.keyboard.press("Enter")
    opened = page.get_by_role("dialog", name="Clause LAS-8")
    expect(opened).to_contain_text("Rules of Play, item 8; Ante & Raise Wagers")
    expect(opened).to_contain_text(
        "Note: The document leaves the posted pay tables to the house (LAS-10)"
    )
    page.keyboard.press("Escape")
    expect(opened).to_have_count(0)
    expect(clause).to_be_focused()
    edge = page.get_by_role("table", name="House edge").get_by_role("row", name="3-UP Bonus")
    expect(edge).to_contain_text("on a pay table that is our choice")
    page.goto("/clause/CMS-12")
    expect(page.get_by_role("heading", level=1)).to_have_text("Clause CMS-12")
    expect(page.get_by_text("Payouts, page 3, below the table")).to_be_visible()


def test_first_steps_are_shown_until_hidden(house: House, visit: Visit) -> None:
    page = visit(SUPERVISOR)
    page.route(
        "**/api/pit/floor*",
        lambda route: route.fulfill(json=route.fetch().json() | {"tables": []}),
    )
    page.goto("/pit")
    steps = page.get_by_role("region", name="What to do first")
    expect(steps.get_by_role("listitem")).to_have_count(4)
    steps.get_by_role("button", name="Hide these steps").click()
    expect(steps).to_have_count(0)
    page.reload()
    expect(page.get_by_role("heading", name="Open a table")).to_be_visible()
    expect(steps).to_have_count(0)
