"""After a kill mid-hand the organizer's page asks, and both answers work."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect
from tests.browser.conftest import Visit
from tests.browser.night_setup import LEAST, Evening
from tests.browser.server import House
from tests.browser.test_night import open_floor


def event_after_kill(mortal: House, *names: str) -> Evening:
    """A live tournament with a hand on the layout, restarted after a kill."""
    evening = Evening(mortal).with_live_tables(*(mortal.player(name) for name in names))
    evening.post(f"{evening.path}/tournaments/t1/tables/1/begin")
    evening.bet(evening.seats()[0]["player"], amount=LEAST)
    mortal.kill()
    mortal.start()
    return evening


@pytest.mark.slow_cases("End tournament early", "Resume hand")
@pytest.mark.parametrize("answer", ["Resume hand", "End tournament early"])
def test_floor_decides_after_a_kill(mortal: House, visit: Visit, answer: str) -> None:
    letter = "g" if answer.startswith("Go") else "c"
    evening = event_after_kill(mortal, f"{letter}ann", f"{letter}bob", f"{letter}cyd")
    page = open_floor(evening, lambda name: visit(name, width=1366, height=657))
    alert = page.get_by_role("alert", name="Play stopped")
    expect(alert).to_contain_text("table 1")
    expect(page.get_by_text("Play stopped: table 1")).to_be_in_viewport()
    assert evening.tournament["status"] == "playing"
    page.get_by_role("button", name=answer).click()
    expect(alert).to_have_count(0)
    expected = "playing" if letter == "g" else "interrupted"
    assert evening.tournament["status"] == expected
