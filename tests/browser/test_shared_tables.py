"""Several people at one table: each sees exactly what a player in that seat may see."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, expect
from tests.browser.conftest import Visit
from tests.browser.player import INSTANT, Game, Player, format_amount, keep_settings
from tests.browser.server import House

STUD = "catfish-bend/mississippi-stud"
HI_LO = "catfish-bend/matchem-hi-lo"


class Party:
    """Two players of the house at one table, in two browsers."""

    def __init__(self, house: House, visit: Visit, sheet: str) -> None:
        self.house, self.table = house, house.table(sheet)
        self.names = [house.player("ann"), house.player("bob")]
        self.players = [self._seat_player(visit, name, n + 1) for n, name in enumerate(self.names)]

    def _seat_player(self, visit: Visit, name: str, seat: int) -> Player:
        player = Player(visit(name))
        keep_settings(player.page, **INSTANT)
        player.command(self.table, do="sit", seat=seat)
        player.come_to(self.table)
        player.spot.wait_for()
        return player

    def deal(self, game: Game) -> None:
        """Both bet, and the house closes betting."""
        for seat, player in enumerate(self.players, start=1):
            player.command(self.table, do="put-wager", seat=seat, **game.bets[game.main])
        self.house.command(self.table, do="close-betting")

    def other(self, n: int) -> Locator:
        """How a player sees the neighbor."""
        seat = 2 - n
        return self.players[n].page.get_by_role("region", name=re.compile(f"^Seat {seat}, "))


@pytest.fixture
def party(house: House, visit: Visit) -> Party:
    return Party(house, visit, STUD)


@pytest.mark.slow
def test_two_browsers_play_one_round(party: Party, games: dict[str, Game]) -> None:
    ann, bob = party.players
    ann.bet(games[STUD])
    expect(party.other(1)).to_contain_text("$5")
    bob.bet(games[STUD])
    ann.action("Ready").click()
    expect(ann.action("Not ready")).to_be_visible()
    expect(party.other(1)).to_contain_text("ready")
    expect(ann.actions).to_contain_text(f"You're ready. Waiting for {party.names[1]}.")
    bob.page.keyboard.press("Enter")
    ann.play("1x")
    expect(ann.page.get_by_text(f"Waiting for {party.names[1]}")).to_be_visible()
    bob.play("2x")
    for before, street in (("Flop", "Turn"), ("Turn", "River")):
        for player in party.players:
            assert player.wait_for_decision(after=f"{before} bet: your turn").startswith(street)
            player.play("1x")
    for player in party.players:
        player.wait_for_result()
        view = player.view()
        assert player.cards(player.board) == ann.cards(ann.board)
        assert player.balance == format_amount(view["wallet"])
    ledger = [party.house.get(f"/api/cage/{name}")["balance"] for name in party.names]
    assert [player.balance for player in party.players] == [
        format_amount(balance) for balance in ledger
    ]
    for n, player in enumerate(party.players):
        neighbor_cards = player.cards(party.other(n))
        assert neighbor_cards == party.players[1 - n].cards(party.players[1 - n].spot)


@pytest.mark.slow
def test_deal_without_a_bet_points_to_the_ante(guest: Player, games: dict[str, Game]) -> None:
    guest.sit(games[STUD])
    guest.circle("Ante").wait_for()
    alert = guest.page.get_by_role("alert").get_by_text("Place a chip on Ante first")
    guest.action("Deal").click()
    expect(alert).to_be_visible()
    expect(guest.circle("Ante")).to_be_focused()
    guest.page.keyboard.press("Enter")  # The circle's own key: a chip is placed.
    expect(guest.circle("Ante")).to_contain_text("$5")
    expect(alert).to_have_count(0)
    guest.page.keyboard.press("ArrowDown")
    expect(guest.circle("Ante")).to_contain_text("–")
    guest.page.evaluate("() => document.activeElement.blur()")
    guest.page.keyboard.press("Enter")
    expect(alert).to_be_visible()
    expect(guest.circle("Ante")).to_be_focused()
    guest.bet(games[STUD])
    guest.deal()
    guest.wait_for_decision()


def test_neighbor_and_folded_cards_stay_face_down(party: Party, games: dict[str, Game]) -> None:
    """GEN-14: a folded hand is never shown."""
    ann, bob = party.players
    party.deal(games[STUD])
    for n, player in enumerate(party.players):
        player.wait_for_decision()
        assert player.cards(party.other(n)) == ["face down"] * 2
        assert all(" of " in card for card in player.cards(player.spot))
    bob.play("Fold")
    ann.play("1x", "1x", "1x")
    for player in party.players:
        player.wait_for_result()
    expect(party.other(0)).to_contain_text("folded")
    assert party.players[0].cards(party.other(0)) == ["face down"] * 2
    hands = bob.view()["seats"][1]["cards"]
    assert len(hands) == 2
    assert ann.view()["seats"][1]["cards"] == [None, None]


@pytest.mark.slow
def test_spectator_sees_no_hands(party: Party, visit: Visit, games: dict[str, Game]) -> None:
    carl = Player(visit(party.house.player("carl")))
    keep_settings(carl.page, **INSTANT)
    carl.come_to(party.table)
    expect(carl.actions).to_contain_text("You're watching")
    party.deal(games[STUD])
    for player in party.players:
        player.wait_for_decision()
    seats = carl.page.get_by_role("region", name=re.compile("^Seat [12], "))
    expect(seats).to_have_count(2)
    expect(seats.first.get_by_role("img", name="face down")).to_have_count(2)
    assert set(carl.cards(seats.first) + carl.cards(seats.last)) == {"face down"}
    expect(carl.page.get_by_text(re.compile("^Waiting for "))).to_be_visible()


@pytest.mark.slow
def test_mhl_15_player_may_have_two_spots(
    house: House, visit: Visit, games: dict[str, Game]
) -> None:
    """MHL-15: two spots side by side."""
    table, name = house.table(HI_LO), house.player("dot")
    dot = Player(visit(name))
    keep_settings(dot.page, **INSTANT)
    dot.come_to(table)
    for seat in (2, 3):
        dot.page.get_by_role("button", name=re.compile(f"^Sit at seat {seat}")).click()
    expect(dot.spot).to_have_count(2)
    for spot in (dot.spot.first, dot.spot.last):
        spot.get_by_role("button", name=re.compile("^Bet")).click()
        expect(spot.get_by_role("button", name=re.compile("^Bet"))).to_contain_text("$5")
    expect(dot.action("Deal")).to_be_enabled()
    dot.deal()
    dot.play("Low")
    expect(dot.spot.get_by_role("img", name=re.compile("face down"))).to_have_count(3)
    dot.hands.do(dot, "High")
    dot.wait_for_result()
    assert [seat.get("plays") for seat in dot.view()["seats"][1:3]] in (
        [["low"], ["high"]],
        [["high"], ["low"]],
    )


@pytest.mark.slow
def test_empty_seat_is_taken_once(party: Party, visit: Visit) -> None:
    carl = Player(visit(party.house.player("carl")))
    keep_settings(carl.page, **INSTANT)
    carl.come_to(party.table)
    expect(carl.page.get_by_role("button", name=re.compile("^Sit at seat"))).to_have_count(4)
    carl.page.get_by_role("button", name=re.compile("^Sit at seat 3")).click()
    expect(carl.spot).to_have_count(1)
    ann = party.players[0]
    expect(ann.page.get_by_role("region", name=re.compile("^Seat 3, carl"))).to_be_visible()
    carl.page.get_by_role("tab", name="Seat").click()
    carl.side_panel.get_by_role("button", name="Leave seat").click()
    expect(ann.page.get_by_role("region", name=re.compile("^Seat 3, carl"))).to_have_count(0)
