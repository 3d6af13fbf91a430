"""A line that falls silent: the page says so in time, and what was asked counts once."""

from __future__ import annotations

import signal
import socket
from collections.abc import Iterator
from contextlib import suppress
from time import monotonic

import pytest
from playwright.sync_api import Page, expect
from tests.browser.conftest import Visit
from tests.browser.house import House
from tests.browser.player import INSTANT, LIMITS, Game, Player, dealt, keep_settings
from tests.browser.still import held
from tests.swallowing import BYTES, Proxy

STUD = "catfish-bend/mississippi-stud"
LOST = "The line to the house is lost"
SHOWN_MS = 5_000
ANSWER_MS = 3_000
BEAT_MS = 250  # How often the page looks at its line.
CLOCK = 6
PAST_SECONDS = CLOCK + 3
# Every alert with the time at which it was there, by the page's own clock: none comes too fast.
ALERTS = """() => {
  const note = () => {
    for (const one of document.querySelectorAll("[role=alert]"))
      if (one.checkVisibility())
        window.alerts.push([performance.now() - window.since, one.textContent]);
  };
  window.alerts = [];
  window.since = performance.now();
  new MutationObserver(note).observe(document, { subtree: true, childList: true });
}"""


class Network(Proxy):
    """It can die for one line alone, the table's: another one is heard."""

    def __init__(self, port: int) -> None:
        self.dies, self._dead = False, set[socket.socket]()
        self._table = set[socket.socket]()
        super().__init__(port)

    def _pump(self, one: socket.socket, other: socket.socket) -> None:
        lost = False
        with suppress(OSError):
            while said := one.recv(BYTES):
                if b"/socket" in said.partition(b"\r\n")[0]:
                    self._table = {one, other}
                if self.dies and one in self._table:
                    self.dies, self._dead = False, {one, other}
                lost = lost or self.swallows or one in self._dead
                if not lost:
                    other.sendall(said)
            if not lost:
                other.shutdown(socket.SHUT_WR)


@pytest.fixture
def proxy(house: House) -> Iterator[Network]:
    made = Network(house.port)
    yield made
    made.close()


def through(proxy: Network, visit: Visit) -> Player:
    page = visit(at=proxy.address, fresh=True)
    page.clock.install()
    keep_settings(page, **INSTANT)
    return Player(page)


def seconds_of_silence(page: Page) -> None:
    """As long as the page may take to show that nothing is heard any more."""
    for _ in range(SHOWN_MS // BEAT_MS):
        page.clock.run_for(BEAT_MS)


@pytest.mark.parametrize("whole", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_a_network_that_dies_without_a_word_is_shown_within_five_seconds(
    whole: bool, proxy: Network, visit: Visit, games: dict[str, Game]
) -> None:
    """A line dies; or all of them, and what is dialled next as well, which takes ten seconds."""
    player = through(proxy, visit)
    player.sit(games[STUD])
    player.circle("Ante").wait_for()
    banner = player.page.get_by_role("alert").filter(has_text=LOST)
    expect(banner).to_have_count(0)
    with held(player.page):
        player.page.evaluate(ALERTS)
        proxy.swallows, proxy.dies = whole, not whole
        player.page.keyboard.press("ArrowUp")
        seconds_of_silence(player.page)
        alerts = player.page.evaluate("window.alerts")
    lost = next(after for after, said in alerts if LOST in said)
    assert lost <= SHOWN_MS
    # The line may have been silent for seconds before anything was asked.
    assert lost < ANSWER_MS + BEAT_MS or any("No answer yet" in said for _, said in alerts), alerts
    if whole:
        expect(banner).to_be_visible()
    proxy.swallows = False
    expect(banner).to_have_count(0)
    expect(player.circle("Ante")).not_to_contain_text(LIMITS)
    assert player.view()["seats"][0]["wagers"] == [["ante", "5.00"]]


@pytest.mark.slow
def test_a_house_that_stands_still_is_shown_and_nobody_is_folded_for_it(
    house: House, visit: Visit, games: dict[str, Game]
) -> None:
    """Its clock runs out while it sleeps; when it wakes up, the player still has the time."""
    table, name = house.table(STUD, clocks={"betting": 60, "decision": CLOCK}), house.player("ann")
    ann = Player(visit(name, fresh=True))
    ann.page.clock.install()
    keep_settings(ann.page, **INSTANT)
    ann.command(table, do="sit", seat=1)
    ann.come_to(table)
    for one in dealt(games[STUD]):
        ann.command(table, **one)
    ann.asked()
    house.served.process.send_signal(signal.SIGSTOP)
    try:
        since = monotonic()
        banner = ann.page.get_by_role("alert").filter(has_text=LOST)
        with held(ann.page):
            seconds_of_silence(ann.page)
            expect(banner).to_contain_text("the clock runs on")
        while monotonic() - since < PAST_SECONDS:
            ann.page.wait_for_timeout(100)
    finally:
        house.served.process.send_signal(signal.SIGCONT)
    expect(banner).to_have_count(0)
    assert ann.view()["seats"][0]["plays"] == []
    ann.play("1x")
    ann.asked(after="Flop bet: your decision")
