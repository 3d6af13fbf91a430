"""A button pressed twice acts once, and its result is confirmed."""

from __future__ import annotations

import re

from playwright.sync_api import expect
from tests.browser.conftest import Visit
from tests.browser.proxy import Interceptor
from tests.browser.server import SUPERVISOR, House

STUD = "catfish-bend/mississippi-stud"


def test_recorded_buy_in_is_confirmed_if_the_refresh_fails(house: House, visit: Visit) -> None:
    page, name = visit(SUPERVISOR), house.player("bea")
    page.goto("/cage")
    form = page.get_by_role("form", name="Transactions")
    form.get_by_label("Player").fill(name)
    form.get_by_label("Dollars").fill("100")
    between = Interceptor(page, "**/api/counter/receipts*")
    between.answer_with(
        lambda route: route.fulfill(content_type="text/html", body="<p>Sign in</p>")
    )
    form.get_by_role("button", name="Buy in").click()
    expect(page.get_by_role("status").filter(has_text="bought in for $100")).to_be_visible()
    expect(form.get_by_label("Dollars")).to_have_value("")
    assert house.get(f"/api/cage/{name}")["balance"] == "10100.00"


def test_double_press_opens_one_table(house: House, visit: Visit) -> None:
    page = visit(SUPERVISOR)
    page.goto("/pit")
    name = house.player("twice")  # A unique name.
    page.get_by_label("Rules").select_option(STUD)
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_label(re.compile("^Opening rack")).fill("500")
    page.get_by_role("button", name="Open table", exact=True).dblclick()
    expect(page.get_by_role("status").filter(has_text=name)).to_be_visible()
    expect(page.get_by_role("alert").filter(has_text=re.compile("."))).to_have_count(0)
    house.command(name, do="retire")
