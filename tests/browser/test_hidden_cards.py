"""No card reaches a frame, a body, the document or the page's state before it is turned."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import NamedTuple

import pytest
from playwright.sync_api import expect
from tests.browser.conftest import Visit
from tests.browser.player import INSTANT, Game, Json, Player, each_kind, keep_settings
from tests.browser.server import House
from tests.browser.traffic import Message, Traffic, cards_in, leaks, seeds

from pitbook.shoe.commitments import deck_of

STUD = "catfish-bend/mississippi-stud"
HI_LO = "catfish-bend/matchem-hi-lo"

FORGET = """() => Object.keys(localStorage)
  .filter((name) => name.startsWith("pitbook.deal."))
  .forEach((name) => localStorage.removeItem(name))"""  # What was seen of rounds that are over.


LISTENING: list[Traffic] = []


@pytest.fixture(autouse=True)
def _nobody_listens_any_longer() -> Iterator[None]:
    """Stop recording: the page is reused by the next test."""
    yield
    while LISTENING:
        LISTENING.pop().stop()


class Step(NamedTuple):
    """What had reached the page when this many board cards were turned."""

    turned: int
    heard: list[Message]


class WatchedPlayer:
    """A player whose page is recorded at every step of a round."""

    def __init__(self, player: Player) -> None:
        self.player = player
        self.traffic = Traffic(player.page)
        LISTENING.append(self.traffic)
        self.steps: list[Step] = []

    def take_snapshot(self, turned: int) -> None:
        self.steps.append(Step(turned, self.traffic.all_messages()))

    def assert_no_leaks(self, mine: list[str], board: list[str], shoe: Json) -> None:
        """Assert that no step named cards turned later, or the seed."""
        assert self.steps[0].turned == 0
        for step in self.steps:
            assert leaks(step.heard, {*mine, *board[: step.turned]}) == []
            assert seeds(step.heard, shoe) == []


def last_round_record(player: Player) -> tuple[list[str], list[str], Json]:
    """The last round from the record: own cards, board, and shoe."""
    rounds = player.get(f"/api/tables/{player.table}/rounds")["rounds"]
    last: Json = rounds[0]
    return last["seats"][0]["cards"], last["board"], last["shoe"]


def play_watched_round(player: Player, game: Game) -> WatchedPlayer:
    """A round with every wager, recorded before the deal and at each decision."""
    watched = WatchedPlayer(player)
    player.sit(game)
    player.bet(game, *game.optional)
    watched.take_snapshot(0)
    player.deal()
    caption = player.wait_for_decision()
    for turned in range(1 if "High" in game.plays else 3):
        watched.take_snapshot(turned)
        player.hands.do(player, "High" if "High" in game.plays else "1x")
        if turned < 2 and "High" not in game.plays:
            caption = player.wait_for_decision(after=caption)
    player.wait_for_result()
    return watched


@pytest.mark.slow_cases("catfish-bend/matchem-hi-lo", "louisiana-stud/stax-required")
@pytest.mark.parametrize("sheet", each_kind())
def test_no_card_is_sent_before_its_turn(sheet: str, guest: Player, games: dict[str, Game]) -> None:
    watched = play_watched_round(guest, games[sheet])
    mine, board, shoe = last_round_record(guest)
    watched.assert_no_leaks(mine, board, shoe)
    cards_sent = set[str]().union(*map(cards_in, watched.traffic.all_messages()))
    assert cards_sent == {*mine, *board}, "what was turned was told"


def test_animated_deal_sends_no_card_early(visit: Visit, games: dict[str, Game]) -> None:
    """The animated page requests the same bytes."""
    player = Player(visit())
    watched = play_watched_round(player, games[STUD])
    watched.assert_no_leaks(*last_round_record(player))


@pytest.mark.slow
def test_second_round_reveals_nothing_of_its_shoe(guest: Player, games: dict[str, Game]) -> None:
    """With the last result on the felt, the next shoe is committed to and stays hidden."""
    guest.sit(games[STUD])
    guest.page.get_by_role("tab", name="Coach").click()
    guest.side_panel.get_by_role("switch").uncheck()
    guest.round(games[STUD])
    first, board, _ = last_round_record(guest)
    guest.page.evaluate(FORGET)
    watched = WatchedPlayer(guest)
    guest.rebet()
    expect(guest.action("Deal")).to_be_enabled()
    assert leaks(watched.traffic.all_messages(), {*first, *board}) == []
    guest.deal()
    guest.wait_for_decision()
    guest.page.reload()  # Only new messages count; the old log is gone.
    fresh = WatchedPlayer(guest)
    guest.wait_for_decision()
    fresh.take_snapshot(0)
    guest.play("Fold")
    guest.wait_for_result()
    mine, board, shoe = last_round_record(guest)
    assert board == []
    fresh.assert_no_leaks(mine, board, shoe)


def test_unneeded_board_is_never_revealed(guest: Player, games: dict[str, Game]) -> None:
    """GEN-5: without a bonus that needs it the board stays face down."""
    watched = WatchedPlayer(guest)
    guest.sit(games[STUD])
    guest.bet(games[STUD])
    guest.deal()
    guest.play("Fold")
    guest.wait_for_result()
    mine, board, _ = last_round_record(guest)
    assert board == []
    assert leaks(watched.traffic.all_messages(), set(mine)) == []
    assert guest.cards(guest.board) in ([], ["face down"] * 3)


def test_neighbor_hand_is_not_sent(house: House, visit: Visit, games: dict[str, Game]) -> None:
    table = house.table(STUD)
    players = []
    for seat, name in enumerate((house.player("ann"), house.player("bob")), start=1):
        player = Player(visit(name))
        keep_settings(player.page, **INSTANT)
        watched = WatchedPlayer(player)
        player.command(table, do="sit", seat=seat)
        player.come_to(table)
        players.append(watched)
    ann, bob = players
    for watched_player in players:
        watched_player.player.bet(games[STUD])
    house.command(table, do="close-betting")
    hands = []
    for seat, watched_player in enumerate(players):
        watched_player.player.wait_for_decision()
        hands.append(watched_player.player.view()["seats"][seat]["cards"])
    for seat, watched_player in enumerate(players):
        assert leaks(watched_player.traffic.all_messages(), set(hands[seat])) == []
    bob.player.play("Fold")
    ann.player.play("1x", "1x", "1x")
    ann.player.wait_for_result()
    board = ann.player.view()["board"]["cards"]
    assert leaks(ann.traffic.all_messages(), {*hands[0], *board}) == []


@pytest.mark.parametrize(
    "heard",
    [
        Message("frame", '{"view": {"board": {"cards": [null, "Kc"]}}}'),
        Message("frame", '{"events": [{"body": {"told": "The dealer turns Kc."}}]}'),
        Message("http://house/api/me", '{"next": {"Kc": 1}}'),
        Message("document", '<span aria-label="king of clubs, face down"></span>'),
        Message("document", "<b>K♣</b>"),
        Message("state", '[{"x": "Kc"}]'),
    ],
)
def test_leaks_are_detected_everywhere(heard: Message) -> None:
    assert cards_in(heard) == {"Kc"}
    assert len(leaks([heard], {"Qs"})) == 1
    assert leaks([heard], {"Kc"}) == []


def test_lookalikes_are_not_cards() -> None:
    fine = Message("document", '<p id="a-4c">5s-left, 3card, pair of jacks, 10:1, K-4d</p>')
    assert cards_in(fine) == set()
    assert cards_in(Message("frame", '{"hash": "9d4c2h", "of": "ace-high"}')) == set()


def test_leaked_seed_is_detected() -> None:
    seed = "ab" * 32
    heard = [Message("frame", f'{{"seed": "{seed}"}}')]
    shoe = {"id": "s", "decks": 1}
    hashes = [
        deck_of(bytes.fromhex(seed), shoe="s", decks=1).commitment,
        hashlib.sha256(bytes.fromhex(seed)).hexdigest(),
    ]
    for commitment in hashes:
        assert seeds(heard, {**shoe, "commitment": commitment}) == ["frame"]
    assert seeds(heard, {**shoe, "commitment": hashlib.sha256(b"another").hexdigest()}) == []


def test_unscanned_rules_are_the_same_for_everyone(
    house: House, guest: Player, games: dict[str, Game]
) -> None:
    """A table's rules are printed before there is a shoe; cards in them are examples."""
    guest.sit(games[STUD])
    guest.bet(games[STUD])
    guest.deal()
    guest.wait_for_decision()
    at_the_table = guest.get(f"/api/tables/{guest.table}/sheet")
    assert at_the_table == house.get(f"/api/sheets/{STUD}")
