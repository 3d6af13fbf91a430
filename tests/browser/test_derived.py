"""A derived table at the page: whose it is, and what it was derived from."""

from __future__ import annotations

import os
from pathlib import Path

from playwright.sync_api import expect
from tests.browser.conftest import Visit
from tests.browser.evening import Evening
from tests.browser.house import House

CMS = "catfish-bend/mississippi-stud"


def test_a_derived_table_is_shown_as_the_houses_own(house: House, visit: Visit) -> None:
    evening = Evening(house)
    table = f"{evening.event}-stud"
    evening.post(f"{evening.path}/tables", table=table, sheet=CMS, derived=True)
    pictures = os.environ.get("PITBOOK_PICTURES")
    for width, height in ((390, 844), (1366, 657)):
        page = visit(house.player("olga", "organiser"), width=width, height=height)
        page.goto(f"/table/{table}/rules")
        expect(page.get_by_text("In force at table")).to_be_visible()
        head = page.locator("main header")
        expect(head).to_contain_text("Oceanfront Gaming, Inc. Mississippi Stud")
        expect(head).to_contain_text(f"Derived from {CMS}, as it is dealt by Oceanfront Gaming")
        said = page.locator("main .said")
        expect(said).to_contain_text("under the rules of New Hampshire")
        expect(said).not_to_contain_text("Iowa")
        if pictures:
            page.screenshot(path=Path(pictures) / f"rules-{width}.png")
        page.goto(f"/night/{evening.event}/tables")
        expect(page.get_by_text("derived from the sheet of Catfish Bend Casino II")).to_be_visible()
        if pictures:
            page.screenshot(path=Path(pictures) / f"tables-{width}.png")
        page.goto(f"/table/{table}")
        expect(page.get_by_text("Oceanfront Gaming, Inc.").first).to_be_attached()
        if pictures:
            page.screenshot(path=Path(pictures) / f"felt-{width}.png")
