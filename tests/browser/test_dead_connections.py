"""A connection that falls silent: the page shows it in time, and a command counts once."""

from __future__ import annotations

import signal
import socket
from collections.abc import Iterator
from contextlib import suppress
from time import monotonic

import pytest
from playwright.sync_api import Page, expect
from tests.browser.conftest import Visit
from tests.browser.page_clock import paused_clock
from tests.browser.player import INSTANT, LIMITS, Game, Player, commands_to_deal, keep_settings
from tests.browser.server import House
from tests.house.dropping_proxy import BYTES, DroppingProxy

STUD = "catfish-bend/mississippi-stud"
LOST = "Connection lost"
SHOWN_MS = 5_000
ANSWER_MS = 3_000
BEAT_MS = 250  # How often the page checks its connection.
CLOCK = 6
PAST_SECONDS = CLOCK + 3
# Every alert with its time by the page's clock, so that none is missed.
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


class TableNetwork(DroppingProxy):
    """A proxy that can silence the table's connection alone."""

    def __init__(self, port: int) -> None:
        self.dies, self._dead = False, set[socket.socket]()
        self._table = set[socket.socket]()
        super().__init__(port)

    def _pump(self, source: socket.socket, sink: socket.socket) -> None:
        lost = False
        with suppress(OSError):
            while chunk := source.recv(BYTES):
                if b"/socket" in chunk.partition(b"\r\n")[0]:
                    self._table = {source, sink}
                if self.dies and source in self._table:
                    self.dies, self._dead = False, {source, sink}
                lost = lost or self.drops or source in self._dead
                if not lost:
                    sink.sendall(chunk)
            if not lost:
                sink.shutdown(socket.SHUT_WR)


@pytest.fixture
def proxy(house: House) -> Iterator[TableNetwork]:
    network = TableNetwork(house.port)
    yield network
    network.close()


def player_through(proxy: TableNetwork, visit: Visit) -> Player:
    page = visit(at=proxy.address, fresh=True)
    page.clock.install()
    keep_settings(page, **INSTANT)
    return Player(page)


def run_silence(page: Page) -> None:
    """Run the page's clock as long as it may take to show a silent connection."""
    for _ in range(SHOWN_MS // BEAT_MS):
        page.clock.run_for(BEAT_MS)


@pytest.mark.parametrize("whole", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_silent_network_is_shown_within_five_seconds(
    whole: bool, proxy: TableNetwork, visit: Visit, games: dict[str, Game]
) -> None:
    """One connection goes silent, or all of them and new ones too, which takes ten seconds."""
    player = player_through(proxy, visit)
    player.sit(games[STUD])
    player.circle("Ante").wait_for()
    banner = player.page.get_by_role("alert").filter(has_text=LOST)
    expect(banner).to_have_count(0)
    with paused_clock(player.page):
        player.page.evaluate(ALERTS)
        proxy.drops, proxy.dies = whole, not whole
        player.page.keyboard.press("ArrowUp")
        run_silence(player.page)
        alerts = player.page.evaluate("window.alerts")
    lost = next(after for after, text in alerts if LOST in text)
    assert lost <= SHOWN_MS
    # The connection may have been silent for seconds before the command.
    assert lost < ANSWER_MS + BEAT_MS or any("No response yet" in text for _, text in alerts), (
        alerts
    )
    if whole:
        expect(banner).to_be_visible()
    proxy.drops = False
    expect(banner).to_have_count(0)
    expect(player.circle("Ante")).not_to_contain_text(LIMITS)
    assert player.view()["seats"][0]["wagers"] == [["ante", "5.00"]]


@pytest.mark.slow
def test_stalled_house_is_shown_and_nobody_is_folded(
    house: House, visit: Visit, games: dict[str, Game]
) -> None:
    """The house's clock runs out while it is stopped; afterwards the player still has time."""
    table, name = house.table(STUD, clocks={"betting": 60, "decision": CLOCK}), house.player("ann")
    ann = Player(visit(name, fresh=True))
    ann.page.clock.install()
    keep_settings(ann.page, **INSTANT)
    ann.command(table, do="sit", seat=1)
    ann.come_to(table)
    for command in commands_to_deal(games[STUD]):
        ann.command(table, **command)
    ann.wait_for_decision()
    house.served.process.send_signal(signal.SIGSTOP)
    try:
        since = monotonic()
        banner = ann.page.get_by_role("alert").filter(has_text=LOST)
        with paused_clock(ann.page):
            run_silence(ann.page)
            expect(banner).to_contain_text("but the clock is running")
        while monotonic() - since < PAST_SECONDS:
            ann.page.wait_for_timeout(100)
    finally:
        house.served.process.send_signal(signal.SIGCONT)
    expect(banner).to_have_count(0)
    assert ann.view()["seats"][0]["plays"] == []
    ann.play("1x")
    ann.wait_for_decision(after="Flop bet: your turn")
