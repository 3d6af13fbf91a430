"""The account page: two-step verification, a new password, and a reset link."""

from __future__ import annotations

import pyotp
import pytest
from playwright.sync_api import Page, expect
from tests.browser.conftest import Visit
from tests.browser.server import House
from tests.browser.visitors import go
from tests.house.web.conftest import PASSWORD

NEW = "quite another one"


def sign_in(page: Page, name: str, password: str) -> None:
    page.goto("/sign-in")
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Sign in").click()


@pytest.mark.slow
def test_two_step_verification_and_password_reset(house: House, visit: Visit) -> None:
    zed = house.player("zed", "auditor")
    page = visit(zed, width=390, height=844)
    page.goto("/account")
    page.get_by_role("button", name="Set up").click()
    secret = page.locator("code.secret").inner_text().replace(" ", "")
    page.get_by_label("Code from your phone").fill(pyotp.TOTP(secret).now())
    page.get_by_label("Your password").fill(PASSWORD)
    page.get_by_role("button", name="Set up").click()
    codes = page.get_by_role("list", name="Recovery codes").get_by_role("listitem")
    expect(codes).to_have_count(10)
    recovery = codes.first.inner_text()

    sue = visit("sue", width=1366, height=657)
    sue.goto("/pit/people")
    sue.get_by_role("button", name=f"New password for {zed}").click()
    link = sue.get_by_label("Link").input_value()

    page.goto(link)
    page.get_by_label("New password").fill("iloveyou")
    page.get_by_role("button", name="Set password").click()
    expect(page.get_by_role("alert")).to_contain_text("This password is too easy to guess")
    page.get_by_label("New password").fill(NEW)
    page.get_by_role("button", name="Set password").click()
    page.wait_for_url("**/sign-in")
    sign_in(page, zed, NEW)
    page.get_by_label("Code from your phone").fill(recovery)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("button", name="Sign out")).to_be_visible()

    go(page, "/account")
    expect(page.get_by_text("9 recovery codes are left")).to_be_visible()
    page.get_by_label("Current password").fill(NEW)
    page.get_by_label("New password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Change password").click()
    expect(page.get_by_text("Password changed.")).to_be_visible()
    sue.get_by_role("button", name="Close").click()
    go(sue, "/pit/people")
    sue.get_by_role("button", name=f"Reset two-step verification of {zed}").click()
    sue.get_by_role("button", name="Reset").click()
    expect(sue.get_by_text(f"{zed} has no two-step verification. any more.")).to_be_visible()
