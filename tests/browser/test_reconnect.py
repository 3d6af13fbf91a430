"""Bad connections, reloads and restarts: a round continues where it was, and counts once."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect
from tests.browser.conftest import Visit
from tests.browser.player import (
    LIMITS,
    Game,
    Json,
    Player,
    commands_to_deal,
    commands_to_finish,
    format_amount,
)
from tests.browser.server import House
from tests.browser.visitors import PATIENCE_MS

STUD = "catfish-bend/mississippi-stud"
ASKS_ALL = "oceanfront/mississippi-stud"  # OMS-16: players agree to finish an interrupted hand.


def play_to_the_turn(player: Player, game: Game) -> Json:
    """Play one decision of a round; returns the house's view."""
    player.sit(game, *commands_to_finish(game, plays=("2x",)))
    player.wait_for_decision()
    return player.view()


def comparable_view(view: Json) -> Json:
    """The parts of a view that must not change; versions and clocks do."""
    seats = [{key: seat.get(key) for key in ("cards", "wagers", "plays")} for seat in view["seats"]]
    return {"round": view["round"], "board": view["board"]["cards"], "seats": seats}


def finish_round(player: Player, plays: int = 2) -> None:
    player.play(*["1x"] * plays)
    player.wait_for_result()
    view = player.view()
    assert view["phase"] == "over"
    assert player.balance == format_amount(view["wallet"])


def test_reload_mid_round_shows_the_same_round(guest: Player, games: dict[str, Game]) -> None:
    before = play_to_the_turn(guest, games[STUD])
    cards, board = guest.cards(guest.spot), guest.cards(guest.board)
    guest.page.reload()
    assert guest.wait_for_decision() == "Turn bet: your turn"
    assert (guest.cards(guest.spot), guest.cards(guest.board)) == (cards, board)
    assert comparable_view(guest.view()) == comparable_view(before)
    finish_round(guest)


@pytest.mark.slow
def test_closed_page_finds_its_round_in_the_lobby(guest: Player, games: dict[str, Game]) -> None:
    play_to_the_turn(guest, games[STUD])
    other = guest.page.context.new_page()
    guest.page.close()
    other.goto("/")
    other.get_by_role("link", name="Your practice table").click()
    finish_round(Player(other))


def test_round_continues_after_a_kill(mortal: House, guest: Player, games: dict[str, Game]) -> None:
    before = play_to_the_turn(guest, games[STUD])
    mortal.kill()
    lost = guest.page.get_by_text("Reconnecting…")
    expect(lost).to_be_visible()
    expect(guest.action("1x")).to_be_disabled()
    mortal.start()
    expect(lost).to_be_hidden(timeout=PATIENCE_MS)
    assert guest.wait_for_decision() == "Turn bet: your turn"
    assert comparable_view(guest.view()) == comparable_view(before)
    finish_round(guest)


def test_bet_sent_to_a_dead_house_counts_once(
    mortal: House, newcomer: Player, games: dict[str, Game]
) -> None:
    """A command sent into a dead connection is sent again under the same id."""
    newcomer.sit(games[STUD])
    socket = DelayedSocket(newcomer.page)
    newcomer.page.reload()
    newcomer.circle("Ante").wait_for()
    socket.swallows = True
    newcomer.hands.bet(newcomer, "Ante")
    socket.wait_until(lambda: len(socket.sent_commands("put-wager")) == 1)
    mortal.kill()
    mortal.start()
    socket.swallows = False
    newcomer.circle("Ante").filter(has_not_text=LIMITS).wait_for()
    assert newcomer.view()["seats"][0]["wagers"] == [["ante", "5.00"]]
    requests = {frame["request"] for frame in socket.sent_commands("put-wager")}
    assert len(requests) == 1


@pytest.mark.slow
def test_interrupted_hand_is_finished_if_its_player_agrees(
    mortal: House, guest: Player, games: dict[str, Game]
) -> None:
    """OMS-16: the page asks, and the round continues only with the answer."""
    before = play_to_the_turn(guest, games[ASKS_ALL])
    mortal.kill()
    mortal.start()
    agree = guest.page.get_by_role("button", name="Finish the hand")
    expect(agree).to_be_visible(timeout=PATIENCE_MS)
    expect(guest.page.get_by_text("Play stopped").first).to_be_visible()
    agree.click()
    assert guest.wait_for_decision().endswith(": your turn")
    assert comparable_view(guest.view()) == comparable_view(before)
    finish_round(guest)


class DelayedSocket:
    """A socket between page and house that can hold back messages of either."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.frames: list[Json] = []
        self.received: list[Json] = []
        self.held: list[str] = []
        self.swallows = False
        self.holds_views = False
        self._line: WebSocketRoute | None = None
        page.route_web_socket("**/socket**", self._connect)

    def sent_commands(self, what: str) -> list[Json]:
        """Commands of a kind that the page has sent."""
        return [frame for frame in self.frames if frame.get("command", {}).get("do") == what]

    def release(self) -> None:
        self.holds_views = False
        assert self._line
        for message in self.held:
            self._line.send(message)
        self.held.clear()

    def wait_until(self, condition: object) -> None:
        """Let the page run until the condition holds."""
        assert callable(condition)
        while not condition():
            self.page.evaluate("() => new Promise(requestAnimationFrame)")

    def _connect(self, page_socket: WebSocketRoute) -> None:
        house = page_socket.connect_to_server()
        self._line = page_socket

        def from_page(message: str | bytes) -> None:
            self.frames.append(json.loads(message))
            if not self.swallows:
                house.send(message)

        def from_house(message: str | bytes) -> None:
            text = str(message)
            self.received.append(json.loads(text))
            if self.holds_views and "view" in json.loads(text):
                self.held.append(text)
            else:
                page_socket.send(message)

        page_socket.on_message(from_page)
        house.on_message(from_house)


def test_second_press_does_not_bet_on_an_unseen_card(
    newcomer: Player, games: dict[str, Game]
) -> None:
    """Between the answer and the next view, old buttons have no effect."""
    socket = DelayedSocket(newcomer.page)
    newcomer.sit(games[STUD], *commands_to_deal(games[STUD]))
    newcomer.wait_for_decision()
    socket.holds_views = True
    newcomer.page.keyboard.press("1")
    socket.wait_until(lambda: socket.held)
    newcomer.page.keyboard.press("1")
    socket.release()
    assert newcomer.wait_for_decision(after="Flop bet: your turn") == "Turn bet: your turn"
    assert newcomer.view()["seats"][0]["plays"] == ["1x"]
    finish_round(newcomer)
    assert len(socket.sent_commands("decide")) == 3


def test_a_chip_costs_one_round_trip(newcomer: Player, games: dict[str, Game]) -> None:
    """The answer brings the events and the view along; the page asks for nothing after it."""
    newcomer.sit(games[STUD])
    socket = DelayedSocket(newcomer.page)
    newcomer.page.reload()
    newcomer.circle("Ante").wait_for()
    socket.frames.clear()
    socket.received.clear()
    newcomer.hands.bet(newcomer, "Ante")
    newcomer.circle("Ante").filter(has_not_text=LIMITS).wait_for()
    commands = [frame for frame in socket.frames if "pong" not in frame]
    assert [set(frame) for frame in commands] == [{"request", "command"}]
    answers = [set(frame) for frame in socket.received if "ping" not in frame]
    assert answers == [{"events", "view", "answer"}]


def test_chips_placed_faster_than_answers_all_count(
    newcomer: Player, games: dict[str, Game]
) -> None:
    socket = DelayedSocket(newcomer.page)
    newcomer.sit(games[STUD])
    socket.holds_views = True
    newcomer.circle("Ante").wait_for()
    for _ in range(3):
        newcomer.page.keyboard.press("ArrowUp")
    socket.release()
    expect(newcomer.circle("Ante")).to_contain_text("$15")


def test_another_guests_table_is_not_shown(
    guest: Player, visit: Visit, games: dict[str, Game]
) -> None:
    guest.sit(games[STUD])
    stranger = visit()
    stranger.goto(f"/table/{guest.table}")
    expect(stranger.get_by_role("heading", level=1)).to_have_text("This table can't be shown")
    expect(stranger.get_by_role("link", name="To the lobby", exact=True)).to_be_visible()
