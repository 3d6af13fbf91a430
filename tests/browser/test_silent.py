"""A line that falls silent: the page says so in time, and what was asked counts once."""

from __future__ import annotations

import re
import signal
from collections.abc import Iterator
from time import monotonic

import pytest
from playwright.sync_api import Browser, expect
from tests.browser.conftest import PATIENCE_MS, Visit
from tests.browser.house import House
from tests.browser.player import INSTANT, Game, Player, keep_settings
from tests.swallowing import Proxy, swallowing

STUD = "catfish-bend/mississippi-stud"
SHOWN_SECONDS = 5.0


@pytest.fixture
def proxy(house: House) -> Iterator[Proxy]:
    with swallowing(house.address) as made:
        yield made


def through(proxy: Proxy, browser: Browser) -> Player:
    page = browser.new_context(base_url=proxy.address).new_page()
    page.set_default_timeout(PATIENCE_MS)
    keep_settings(page, **INSTANT)
    return Player(page)


def test_a_network_that_dies_without_a_word_is_shown_within_five_seconds(
    proxy: Proxy, browser: Browser, games: dict[str, Game]
) -> None:
    player = through(proxy, browser)
    player.sit(games[STUD])
    player.circle("Ante").wait_for()
    banner = player.page.get_by_role("alert").filter(has_text="The line to the house is lost")
    expect(banner).to_have_count(0)
    proxy.swallows, since = True, monotonic()
    player.hands.bet(player, "Ante")
    expect(player.page.get_by_role("alert").filter(has_text="No answer yet")).to_be_visible()
    expect(banner).to_be_visible()
    assert monotonic() - since <= SHOWN_SECONDS + 0.5  # The browser itself needs a moment.
    proxy.swallows = False
    expect(banner).to_have_count(0)
    expect(player.circle("Ante")).to_contain_text("$5")
    assert player.view()["seats"][0]["wagers"] == [["ante", "5.00"]]
    player.page.context.close()


def test_a_house_that_stands_still_is_shown_and_nobody_is_folded_for_it(
    house: House, browser: Browser, visit: Visit, games: dict[str, Game]
) -> None:
    """Its clock runs out while it sleeps; when it wakes up, the player still has the time."""
    table, name = house.table(STUD, clocks={"betting": 60, "decision": 6}), house.player("ann")
    ann = Player(visit(name))
    keep_settings(ann.page, **INSTANT)
    ann.come_to(table)
    ann.page.get_by_role("button", name=re.compile("^Sit at seat 1")).click()
    ann.bet(games[STUD])
    ann.deal()
    ann.asked()
    house.served.process.send_signal(signal.SIGSTOP)
    try:
        since = monotonic()
        banner = ann.page.get_by_role("alert").filter(has_text="The line to the house is lost")
        expect(banner).to_be_visible()
        assert monotonic() - since <= SHOWN_SECONDS + 0.5
        expect(banner).to_contain_text("the clock runs on")
        ann.page.wait_for_timeout(4_500)  # Past the six seconds of its clock.
    finally:
        house.served.process.send_signal(signal.SIGCONT)
    expect(banner).to_have_count(0)
    assert ann.view()["seats"][0]["plays"] == []
    ann.play("1x")
    ann.asked(after="Flop bet: your decision")
