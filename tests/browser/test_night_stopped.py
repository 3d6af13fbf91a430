"""After a kill in mid-hand the organiser's page asks, and both answers can be pressed."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect
from tests.browser.evening import LEAST, Evening
from tests.browser.house import House
from tests.browser.player import RETRIES
from tests.browser.test_night import floor
from tests.web.conftest import PASSWORD


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A house of its own, since it is killed."""
    made = House(tmp_path_factory.mktemp("stopped") / "house")
    yield made
    made.close()


def stopped(own: House, *names: str) -> Evening:
    """A hand lies on the layout, and the machine is back after a kill."""
    evening = Evening(own).dealt(*(own.player(name) for name in names))
    evening.post(f"{evening.path}/tournaments/t1/tables/1/begin")
    evening.bet(evening.seats()[0]["player"], amount=LEAST)
    own.kill()
    own.start()
    return evening


def visited(own: House, browser: Browser, name: str) -> Page:
    size: ViewportSize = {"width": 1366, "height": 657}
    context = browser.new_context(base_url=own.address, viewport=size)
    given = {"name": name, "password": PASSWORD}
    assert context.request.post("/api/sign-in", data=given, max_retries=RETRIES).ok
    return context.new_page()


@pytest.mark.parametrize("answer", ["Go on with the hand", "Cut the tournament short"])
def test_the_floor_is_asked_after_a_kill(own: House, browser: Browser, answer: str) -> None:
    letter = "g" if answer.startswith("Go") else "c"
    evening = stopped(own, f"{letter}ann", f"{letter}bob", f"{letter}cyd")
    page = floor(evening, lambda name: visited(own, browser, name))
    asked = page.get_by_role("alert", name="Stopped in mid-hand")
    expect(asked).to_contain_text("table 1")
    expect(page.get_by_text("Stopped in mid-hand: table 1")).to_be_in_viewport()
    assert evening.tournament["status"] == "playing"
    page.get_by_role("button", name=answer).click()
    expect(asked).to_have_count(0)
    expected = "playing" if letter == "g" else "interrupted"
    assert evening.tournament["status"] == expected
    page.context.close()
