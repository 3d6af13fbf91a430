"""A derived table at the page: its house, and the sheet that it was derived from."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import Page, expect
from tests.browser.conftest import Visit
from tests.browser.night_setup import Evening
from tests.browser.server import House

CMS = "catfish-bend/mississippi-stud"


def test_derived_table_shows_its_house_and_origin(house: House, visit: Visit) -> None:
    evening = Evening(house)
    table = f"{evening.event}-stud"
    evening.post(f"{evening.path}/tables", table=table, sheet=CMS, derived=True)
    page = visit(house.player("olga", "organiser"))
    page.goto(f"/table/{table}/rules")
    for _ in sizes(page, "rules"):
        expect(page.get_by_text("In use at table")).to_be_visible()
        head = page.locator("main header")
        expect(head).to_contain_text("Oceanfront Gaming, Inc. Mississippi Stud")
        expect(head).to_contain_text(f"Derived from {CMS}, as it is dealt by Oceanfront Gaming")
        description = page.locator("main .rule-text")
        expect(description).to_contain_text("governed by the rules of New Hampshire")
        expect(description).not_to_contain_text("Iowa")
    page.goto(f"/night/{evening.event}/tables")
    for _ in sizes(page, "tables"):
        expect(page.get_by_text("from the Catfish Bend Casino II rules")).to_be_visible()
    page.goto(f"/table/{table}")
    for _ in sizes(page, "felt"):
        expect(page.get_by_text("Oceanfront Gaming, Inc.").first).to_be_attached()


def sizes(page: Page, name: str) -> Iterator[None]:
    """A phone and a laptop, with a picture of each if PITBOOK_PICTURES is set."""
    for width, height in ((390, 844), (1366, 657)):
        page.set_viewport_size({"width": width, "height": height})
        yield
        if pictures := os.environ.get("PITBOOK_PICTURES"):
            page.screenshot(path=Path(pictures) / f"{name}-{width}.png")
