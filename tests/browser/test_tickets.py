"""Tickets on the page: the floor replaces and revokes them, and phones with old ones see why."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect
from tests.browser.conftest import Visit
from tests.browser.night_setup import Evening
from tests.browser.server import House

SEAT = "Play at my seat"


def open_ticket(visit: Visit, link: str) -> Page:
    """A phone that plays by a ticket."""
    phone = visit(width=390, height=844)
    phone.goto(link)
    phone.get_by_role("button", name=SEAT).click()
    expect(phone.get_by_role("region", name=re.compile("^Your seat"))).to_be_visible()
    return phone


@pytest.mark.slow
def test_replaced_and_revoked_tickets_are_refused(house: House, visit: Visit) -> None:
    evening = Evening(house).with_live_tables("Ann Archer", "Bob Baker")
    link = evening.ticket("Ann Archer")
    phone = open_ticket(visit, link)
    other = open_ticket(visit, link)
    phone.goto(link)
    expect(phone.get_by_text("Opened 2 times to play")).to_be_visible()
    page = visit(house.player("olga", "organiser"), width=1366, height=657)
    page.goto(f"/night/{evening.event}/tournaments/t1")
    players = page.get_by_role("region", name="Players")
    expect(players).to_contain_text("code opened 2 times, last")
    page.get_by_role("button", name="Code, Ann Archer").click()
    page.get_by_role("button", name="Replace code").click()
    expect(page.get_by_text("Ann Archer has a new code")).to_be_visible()
    dialog = page.get_by_role("dialog", name="Ann Archer's check-in code")
    assert dialog.get_by_label("Link").input_value() != link
    expect(other.get_by_text(re.compile("was replaced or revoked"))).to_be_visible()
    phone.reload()
    expect(phone.get_by_role("alert")).to_contain_text("Ask the registration desk for the new one")
    dialog.get_by_role("button", name="Revoke code").click()
    expect(players).to_contain_text("code revoked")
    page.get_by_role("button", name="New code, Ann Archer").click()
    expect(dialog).to_be_visible()
