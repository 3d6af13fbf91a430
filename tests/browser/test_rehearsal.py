"""A rehearsal is marked on every screen, and unclaimed money of a closed night is paid later."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from tests.browser.conftest import Visit
from tests.browser.night_setup import Evening
from tests.browser.server import House
from tests.browser.visitors import go

SIZES = [(390, 844), (1366, 657)]


def save_picture(page: Page, name: str) -> None:
    """Save a picture, if PITBOOK_PICTURES is set."""
    if folder := os.environ.get("PITBOOK_PICTURES"):
        page.screenshot(path=Path(folder) / f"{name}-{page.viewport_size['width']}.png")  # type: ignore[index]


def assert_marked(page: Page, path: str, name: str) -> None:
    """Assert that a screen shows the mark and fits its window."""
    go(page, path)
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        expect(page.get_by_text("REHEARSAL").first).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (path, width)
        save_picture(page, name)


def test_rehearsal_is_marked_on_every_screen(house: House, visit: Visit) -> None:
    evening = Evening(house, gaming_date="2020-02-29", rehearsal=True)
    name = f"stud-{evening.event}"
    evening.post(f"{evening.path}/tables", table=name, sheet="oceanfront/mississippi-stud")
    evening.with_entries("Ann Archer", "Bob")
    ticket = evening.get("/tournaments/t1/ticket?player=Bob")
    page = visit(house.player("olga", "organiser"))
    night = f"/night/{evening.event}"
    for path, name_of_screen in (
        ("/night", "nights"),
        (night, "tournaments"),
        (f"{night}/cage", "cage"),
        (f"{night}/tables", "tables"),
        (f"{night}/closing", "closing"),
        (f"{night}/tournaments/t1", "tournament"),
        (f"/board/{evening.event}/t1", "clock"),
        (f"/check-in/{ticket['token']}", "check-in"),
        (f"/table/{name}", "table"),
    ):
        assert_marked(page, path, name_of_screen)


@pytest.mark.slow
def test_night_is_corrected_and_unclaimed_money_paid_later(house: House, visit: Visit) -> None:
    evening = Evening(house, opened=False, gaming_date="2999-01-01")
    page = visit(house.player("orla", "organiser"), width=390, height=844)
    page.goto(f"/night/{evening.event}")
    page.get_by_role("button", name="Correct…").click()
    page.get_by_label("License").fill("NH-2")
    page.get_by_label("Event date").fill(evening.today)
    save_picture(page, "correct")
    page.get_by_role("button", name="Save changes").click()
    expect(page.get_by_text("Event details corrected.")).to_be_visible()
    page.get_by_role("button", name="Open event").click()
    expect(page.get_by_text("at the latest")).to_be_visible()
    evening.with_entries("Ann Archer", "Bob")
    go(page, f"/night/{evening.event}/closing")
    page.get_by_role("button", name="Suspend event…").click()
    page.get_by_label("What happened").fill("nobody came")
    page.get_by_label("No hand can be reconstructed").check()
    save_picture(page, "interrupt")
    page.get_by_role("button", name="Suspend event", exact=True).click()
    expect(page.get_by_text("The event is suspended.")).to_be_visible()
    page.get_by_role("button", name="Close event…").click()
    page.get_by_role("dialog").get_by_role("button", name="Close event", exact=True).click()
    expect(page.get_by_text("The event is closed.")).to_be_visible()
    unclaimed = page.get_by_role("region", name="Unclaimed")
    expect(page.get_by_role("button", name="Pay Ann Archer")).to_be_visible()
    save_picture(page, "unclaimed")
    page.get_by_role("button", name="Pay Bob").click()
    expect(unclaimed.get_by_role("link", name="Receipt")).to_be_visible()
    expect(page.get_by_role("button", name="Pay Bob")).to_have_count(0)
    page.set_viewport_size({"width": 1366, "height": 657})
    save_picture(page, "paid")
