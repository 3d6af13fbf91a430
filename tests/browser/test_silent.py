"""A line that falls silent: the page says so in time, and what was asked counts once."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from time import monotonic

import pytest
from playwright.sync_api import expect
from tests.browser.conftest import Visit
from tests.browser.house import House
from tests.browser.player import INSTANT, Game, Player, dealt, keep_settings
from tests.swallowing import Proxy, swallowing

STUD = "catfish-bend/mississippi-stud"
SHOWN_SECONDS = 5.0
CLOCK = 6
PAST_SECONDS = CLOCK + 3
# Every alert with the time at which it was there, by the page's own clock: none comes too fast.
ALERTS = """() => {
  const note = () => {
    for (const one of document.querySelectorAll("[role=alert]"))
      window.alerts.push([performance.now() - window.since, one.textContent]);
  };
  window.alerts = [];
  window.since = performance.now();
  new MutationObserver(note).observe(document, { subtree: true, childList: true });
}"""


@pytest.fixture
def proxy(house: House) -> Iterator[Proxy]:
    with swallowing(house.address) as made:
        yield made


def through(proxy: Proxy, visit: Visit) -> Player:
    page = visit(at=proxy.address, fresh=True)
    keep_settings(page, **INSTANT)
    return Player(page)


def test_a_network_that_dies_without_a_word_is_shown_within_five_seconds(
    proxy: Proxy, visit: Visit, games: dict[str, Game]
) -> None:
    player = through(proxy, visit)
    player.sit(games[STUD])
    player.circle("Ante").wait_for()
    banner = player.page.get_by_role("alert").filter(has_text="The line to the house is lost")
    expect(banner).to_have_count(0)
    player.page.evaluate(ALERTS)
    proxy.swallows = True
    player.page.keyboard.press("ArrowUp")
    expect(banner).to_be_visible()
    alerts = player.page.evaluate("window.alerts")
    assert any("No answer yet" in said for _, said in alerts), alerts
    lost = next(after for after, said in alerts if "The line to the house is lost" in said)
    assert lost <= 1_000 * (SHOWN_SECONDS + 0.5)  # The browser itself needs a moment.
    proxy.swallows = False
    expect(banner).to_have_count(0)
    expect(player.circle("Ante")).to_contain_text("$5")
    assert player.view()["seats"][0]["wagers"] == [["ante", "5.00"]]


@pytest.mark.slow
def test_a_house_that_stands_still_is_shown_and_nobody_is_folded_for_it(
    house: House, visit: Visit, games: dict[str, Game]
) -> None:
    """Its clock runs out while it sleeps; when it wakes up, the player still has the time."""
    table, name = house.table(STUD, clocks={"betting": 60, "decision": CLOCK}), house.player("ann")
    ann = Player(visit(name))
    keep_settings(ann.page, **INSTANT)
    ann.command(table, do="sit", seat=1)
    ann.come_to(table)
    for one in dealt(games[STUD]):
        ann.command(table, **one)
    ann.asked()
    house.served.process.send_signal(signal.SIGSTOP)
    try:
        since = monotonic()
        banner = ann.page.get_by_role("alert").filter(has_text="The line to the house is lost")
        expect(banner).to_be_visible()
        assert monotonic() - since <= SHOWN_SECONDS + 0.5
        expect(banner).to_contain_text("the clock runs on")
        while monotonic() - since < PAST_SECONDS:
            ann.page.wait_for_timeout(100)
    finally:
        house.served.process.send_signal(signal.SIGCONT)
    expect(banner).to_have_count(0)
    assert ann.view()["seats"][0]["plays"] == []
    ann.play("1x")
    ann.asked(after="Flop bet: your decision")
