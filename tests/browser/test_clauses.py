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
    dagger = table.get_by_role("button", name="Assumption, except for pair of sixes to tens.")
    expect(dagger).to_have_text("†")
    reason = page.get_by_text("The document leaves the posted pay tables to the house").first
    expect(reason).to_be_hidden()
    dagger.focus()
    page.keyboard.press("Enter")
    expect(reason).to_be_visible()
    page.keyboard.press("Escape")
    expect(reason).to_be_hidden()
    expect(page.get_by_text("† Assumption: the source document does not")).to_have_count(1)
    clause = table.get_by_role("link", name="Rule LAS-8")
    clause.focus()
    page.keyboard.press("Enter")
    opened = page.get_by_role("dialog", name="Rule LAS-8")
    expect(opened).to_contain_text("Rules of Play, item 8; Ante & Raise Wagers")
    expect(opened).to_contain_text(
        "Note: The document leaves the posted pay tables to the house (LAS-10)"
    )
    page.keyboard.press("Escape")
    expect(opened).to_have_count(0)
    expect(clause).to_be_focused()
    edge = page.get_by_role("table", name="House edge").get_by_role("row", name="3-UP Bonus")
    expect(edge.get_by_role("button", name="Assumption: the source does not say")).to_be_visible()
    page.goto("/clause/CMS-12")
    expect(page.get_by_role("heading", level=1)).to_have_text("Rule CMS-12")
    expect(page.get_by_text("Payouts, page 3, below the table")).to_be_visible()


def test_a_card_in_the_lobby_has_at_most_two_daggers(visit: Visit) -> None:
    """One for the limits and one for the pay tables; a tap shows what they mean."""
    page = visit(width=360, height=740, has_touch=True, is_mobile=True)
    page.goto("/")
    cards = page.get_by_role("article")
    expect(cards.first).to_be_visible()
    for card in cards.all():
        assert card.get_by_text("†", exact=True).count() <= 2
    card = cards.filter(has_text="Louisiana Stud").first
    card.get_by_role("button", name="Ante: Assumption in part").tap()
    expect(card.get_by_text("Ante: Assumption in part")).to_be_visible()
    expect(page.get_by_text("† Assumption: the source document does not")).to_be_visible()


def test_first_steps_are_shown_until_hidden(house: House, visit: Visit) -> None:
    page = visit(SUPERVISOR)
    page.route(
        "**/api/pit/floor*",
        lambda route: route.fulfill(json=route.fetch().json() | {"tables": []}),
    )
    page.goto("/pit")
    steps = page.get_by_role("region", name="Getting started")
    expect(steps.get_by_role("listitem")).to_have_count(4)
    steps.get_by_role("button", name="Hide these steps").click()
    expect(steps).to_have_count(0)
    page.reload()
    expect(page.get_by_role("heading", name="Open a table")).to_be_visible()
    expect(steps).to_have_count(0)
