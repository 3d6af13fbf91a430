"""A bad line, a reloaded page, a dead house: a round goes on where it stood, and counts once."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect
from tests.browser.conftest import Visit
from tests.browser.house import House
from tests.browser.player import LIMITS, Game, Json, Player, dealt, played, spoken
from tests.browser.visitors import PATIENCE_MS

STUD = "catfish-bend/mississippi-stud"
ASKS_ALL = "oceanfront/mississippi-stud"  # OMS-16: players agree to finish an interrupted hand.


def to_the_turn(player: Player, game: Game) -> Json:
    """A round with one decision made; what the house knows of it."""
    player.sit(game, *played(game, plays=("2x",)))
    player.asked()
    return player.view()


def same(view: Json) -> Json:
    """What must be the same afterwards; numbers of versions and clocks go on."""
    seats = [{key: one.get(key) for key in ("cards", "wagers", "plays")} for one in view["seats"]]
    return {"round": view["round"], "board": view["board"]["cards"], "seats": seats}


def finish(player: Player, plays: int = 2) -> None:
    player.play(*["1x"] * plays)
    player.settled()
    view = player.view()
    assert view["phase"] == "over"
    assert player.balance == spoken(view["wallet"])


def test_a_reload_in_mid_round_shows_the_same_round(guest: Player, games: dict[str, Game]) -> None:
    before = to_the_turn(guest, games[STUD])
    cards, board = guest.cards(guest.spot), guest.cards(guest.board)
    guest.page.reload()
    assert guest.asked() == "Turn bet: your decision"
    assert (guest.cards(guest.spot), guest.cards(guest.board)) == (cards, board)
    assert same(guest.view()) == same(before)
    finish(guest)


@pytest.mark.slow
def test_a_page_that_was_closed_finds_its_round_in_the_lobby(
    guest: Player, games: dict[str, Game]
) -> None:
    to_the_turn(guest, games[STUD])
    other = guest.page.context.new_page()
    guest.page.close()
    other.goto("/")
    other.get_by_role("link", name="Your practice table").click()
    finish(Player(other))


def test_a_killed_house_comes_back_and_the_round_goes_on(
    mortal: House, guest: Player, games: dict[str, Game]
) -> None:
    before = to_the_turn(guest, games[STUD])
    mortal.kill()
    lost = guest.page.get_by_text("Reconnecting…")
    expect(lost).to_be_visible()
    expect(guest.action("1x")).to_be_disabled()
    mortal.start()
    expect(lost).to_be_hidden(timeout=PATIENCE_MS)
    assert guest.asked() == "Turn bet: your decision"
    assert same(guest.view()) == same(before)
    finish(guest)


def test_a_bet_made_while_the_house_is_away_counts_once_when_it_is_back(
    mortal: House, newcomer: Player, games: dict[str, Game]
) -> None:
    """What was sent into a dead line is sent again under the same id."""
    newcomer.sit(games[STUD])
    line = Delayed(newcomer.page)
    newcomer.page.reload()
    newcomer.circle("Ante").wait_for()
    line.swallows = True
    newcomer.hands.bet(newcomer, "Ante")
    line.until(lambda: len(line.sent("put-wager")) == 1)
    mortal.kill()
    mortal.start()
    line.swallows = False
    newcomer.circle("Ante").filter(has_not_text=LIMITS).wait_for()
    assert newcomer.view()["seats"][0]["wagers"] == [["ante", "5.00"]]
    requests = {frame["request"] for frame in line.sent("put-wager")}
    assert len(requests) == 1


@pytest.mark.slow
def test_an_interrupted_hand_is_finished_when_its_player_agrees(
    mortal: House, guest: Player, games: dict[str, Game]
) -> None:
    """OMS-16: the page asks, and the round goes on only with the answer."""
    before = to_the_turn(guest, games[ASKS_ALL])
    mortal.kill()
    mortal.start()
    agree = guest.page.get_by_role("button", name="Finish the hand")
    expect(agree).to_be_visible(timeout=PATIENCE_MS)
    expect(guest.page.get_by_text("Interrupted").first).to_be_visible()
    agree.click()
    assert guest.asked().endswith(": your decision")
    assert same(guest.view()) == same(before)
    finish(guest)


class Delayed:
    """A line between page and house that can hold back what either says."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.frames: list[Json] = []
        self.held: list[str] = []
        self.swallows = False
        self.holds_views = False
        self._line: WebSocketRoute | None = None
        page.route_web_socket("**/socket**", self._connected)

    def sent(self, what: str) -> list[Json]:
        """Commands of a kind that the page has sent."""
        return [one for one in self.frames if one.get("command", {}).get("do") == what]

    def release(self) -> None:
        self.holds_views = False
        assert self._line
        for message in self.held:
            self._line.send(message)
        self.held.clear()

    def until(self, done: object) -> None:
        """Let the page go on until something has happened; waiting for a frame is no sleep."""
        assert callable(done)
        while not done():
            self.page.evaluate("() => new Promise(requestAnimationFrame)")

    def _connected(self, line: WebSocketRoute) -> None:
        house = line.connect_to_server()
        self._line = line

        def from_page(message: str | bytes) -> None:
            self.frames.append(json.loads(message))
            if not self.swallows:
                house.send(message)

        def from_house(message: str | bytes) -> None:
            text = str(message)
            if self.holds_views and "view" in json.loads(text):
                self.held.append(text)
            else:
                line.send(message)

        line.on_message(from_page)
        house.on_message(from_house)


def test_a_second_press_does_not_bet_on_a_card_that_was_not_seen(
    newcomer: Player, games: dict[str, Game]
) -> None:
    """Between the answer and the next picture of the table the old buttons mean nothing."""
    line = Delayed(newcomer.page)
    newcomer.sit(games[STUD], *dealt(games[STUD]))
    newcomer.asked()
    line.holds_views = True
    newcomer.page.keyboard.press("1")
    line.until(lambda: line.held)
    newcomer.page.keyboard.press("1")
    line.release()
    assert newcomer.asked(after="Flop bet: your decision") == "Turn bet: your decision"
    assert newcomer.view()["seats"][0]["plays"] == ["1x"]
    finish(newcomer)
    assert len(line.sent("decide")) == 3


def test_chips_put_faster_than_the_house_answers_all_count(
    newcomer: Player, games: dict[str, Game]
) -> None:
    line = Delayed(newcomer.page)
    newcomer.sit(games[STUD])
    line.holds_views = True
    newcomer.circle("Ante").wait_for()
    for _ in range(3):
        newcomer.page.keyboard.press("ArrowUp")
    line.release()
    expect(newcomer.circle("Ante")).to_contain_text("$15")


def test_a_table_that_is_not_ones_own_says_so(
    guest: Player, visit: Visit, games: dict[str, Game]
) -> None:
    guest.sit(games[STUD])
    stranger = visit()
    stranger.goto(f"/table/{guest.table}")
    expect(stranger.get_by_role("heading", level=1)).to_have_text("This table cannot be shown")
    expect(stranger.get_by_role("link", name="To the lobby", exact=True)).to_be_visible()
