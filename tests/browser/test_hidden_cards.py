"""No card is in a frame, a body, the document or the page's state before it is turned."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import NamedTuple

import pytest
from playwright.sync_api import expect
from tests.browser.conftest import Visit
from tests.browser.house import House
from tests.browser.player import INSTANT, Game, Json, Player, each_kind, keep_settings
from tests.browser.traffic import Heard, Traffic, cards_in, leaks, seeds

from pitbook.shoe.deck import deck_of

STUD = "catfish-bend/mississippi-stud"
HI_LO = "catfish-bend/matchem-hi-lo"

FORGET = """() => Object.keys(localStorage)
  .filter((name) => name.startsWith("pitbook.deal."))
  .forEach((name) => localStorage.removeItem(name))"""  # What was seen of rounds that are over.


LISTENING: list[Traffic] = []


@pytest.fixture(autouse=True)
def _nobody_listens_any_longer() -> Iterator[None]:
    """The same page is somebody else's next."""
    yield
    while LISTENING:
        LISTENING.pop().stop()


class Step(NamedTuple):
    """What had reached the page when so many cards of the board were turned."""

    turned: int
    heard: list[Heard]


class Watched:
    """A player whose page is read at every step of a round."""

    def __init__(self, player: Player) -> None:
        self.player = player
        self.traffic = Traffic(player.page)
        LISTENING.append(self.traffic)
        self.steps: list[Step] = []

    def look(self, turned: int) -> None:
        self.steps.append(Step(turned, self.traffic.so_far()))

    def judge(self, mine: list[str], board: list[str], shoe: Json) -> None:
        """Held against the cards that were turned later."""
        assert self.steps[0].turned == 0
        for step in self.steps:
            assert leaks(step.heard, {*mine, *board[: step.turned]}) == []
            assert seeds(step.heard, shoe) == []


def whole(player: Player) -> tuple[list[str], list[str], Json]:
    """The last round as the record has it: own cards, board, and the shoe."""
    rounds = player.get(f"/api/tables/{player.table}/rounds")["rounds"]
    last: Json = rounds[0]
    return last["seats"][0]["cards"], last["board"], last["shoe"]


def watched_round(player: Player, game: Game) -> Watched:
    """A round with every wager on, read before the deal and at each decision."""
    watched = Watched(player)
    player.sit(game)
    player.bet(game, *game.optional)
    watched.look(0)
    player.deal()
    asked = player.asked()
    for turned in range(1 if "High" in game.plays else 3):
        watched.look(turned)
        player.hands.do(player, "High" if "High" in game.plays else "1x")
        if turned < 2 and "High" not in game.plays:
            asked = player.asked(after=asked)
    player.settled()
    return watched


@pytest.mark.slow_cases("catfish-bend/matchem-hi-lo", "louisiana-stud/stax-required")
@pytest.mark.parametrize("sheet", each_kind())
def test_a_round_tells_no_card_before_its_turn(
    sheet: str, guest: Player, games: dict[str, Game]
) -> None:
    watched = watched_round(guest, games[sheet])
    mine, board, shoe = whole(guest)
    watched.judge(mine, board, shoe)
    known = set[str]().union(*map(cards_in, watched.traffic.so_far()))
    assert known == {*mine, *board}, "what was turned was told"


def test_cards_that_are_dealt_for_the_eye_are_told_no_sooner(
    visit: Visit, games: dict[str, Game]
) -> None:
    """The animated page asks for the same bytes."""
    player = Player(visit())
    watched = watched_round(player, games[STUD])
    watched.judge(*whole(player))


@pytest.mark.slow
def test_a_second_round_tells_nothing_of_its_shoe(guest: Player, games: dict[str, Game]) -> None:
    """With the last result on the felt the next shoe is committed to, and stays shut."""
    guest.sit(games[STUD])
    guest.page.get_by_role("tab", name="Coach").click()
    guest.beside.get_by_role("switch").uncheck()
    guest.round(games[STUD])
    first, board, _ = whole(guest)
    guest.page.evaluate(FORGET)
    watched = Watched(guest)
    guest.rebet()
    expect(guest.action("Deal")).to_be_enabled()
    assert leaks(watched.traffic.so_far(), {*first, *board}) == []
    guest.deal()
    guest.asked()
    guest.page.reload()  # Only what is told now counts; the log of before is gone.
    fresh = Watched(guest)
    guest.asked()
    fresh.look(0)
    guest.play("Fold")
    guest.settled()
    mine, board, shoe = whole(guest)
    assert board == []
    fresh.judge(mine, board, shoe)


def test_a_folded_board_that_nobody_needs_is_never_named(
    guest: Player, games: dict[str, Game]
) -> None:
    """GEN-5: without a bonus that looks at it the board stays face down, for ever."""
    watched = Watched(guest)
    guest.sit(games[STUD])
    guest.bet(games[STUD])
    guest.deal()
    guest.play("Fold")
    guest.settled()
    mine, board, _ = whole(guest)
    assert board == []
    assert leaks(watched.traffic.so_far(), set(mine)) == []
    assert guest.cards(guest.board) in ([], ["face down"] * 3)


def test_a_neighbours_hand_does_not_reach_the_page(
    house: House, visit: Visit, games: dict[str, Game]
) -> None:
    table = house.table(STUD)
    players = []
    for seat, name in enumerate((house.player("ann"), house.player("bob")), start=1):
        player = Player(visit(name))
        keep_settings(player.page, **INSTANT)
        watched = Watched(player)
        player.command(table, do="sit", seat=seat)
        player.come_to(table)
        players.append(watched)
    ann, bob = players
    for one in players:
        one.player.bet(games[STUD])
    house.command(table, do="close-betting")
    hands = []
    for seat, one in enumerate(players):
        one.player.asked()
        hands.append(one.player.view()["seats"][seat]["cards"])
    for seat, one in enumerate(players):
        assert leaks(one.traffic.so_far(), set(hands[seat])) == []
    bob.player.play("Fold")
    ann.player.play("1x", "1x", "1x")
    ann.player.settled()
    board = ann.player.view()["board"]["cards"]
    assert leaks(ann.traffic.so_far(), {*hands[0], *board}) == []


@pytest.mark.parametrize(
    "heard",
    [
        Heard("frame", '{"view": {"board": {"cards": [null, "Kc"]}}}'),
        Heard("frame", '{"events": [{"body": {"told": "The dealer turns Kc."}}]}'),
        Heard("http://house/api/me", '{"next": {"Kc": 1}}'),
        Heard("document", '<span aria-label="king of clubs, face down"></span>'),
        Heard("document", "<b>K♣</b>"),
        Heard("state", '[{"x": "Kc"}]'),
    ],
)
def test_a_leak_is_found_wherever_it_is(heard: Heard) -> None:
    assert cards_in(heard) == {"Kc"}
    assert len(leaks([heard], {"Qs"})) == 1
    assert leaks([heard], {"Kc"}) == []


def test_what_only_looks_like_a_card_is_none() -> None:
    fine = Heard("document", '<p id="a-4c">5s-left, 3card, pair of jacks, 10:1, K-4d</p>')
    assert cards_in(fine) == set()
    assert cards_in(Heard("frame", '{"hash": "9d4c2h", "of": "ace-high"}')) == set()


def test_a_seed_that_is_given_away_is_found() -> None:
    seed = "ab" * 32
    heard = [Heard("frame", f'{{"seed": "{seed}"}}')]
    shoe = {"id": "s", "decks": 1}
    hashes = [
        deck_of(bytes.fromhex(seed), shoe="s", decks=1).commitment,
        hashlib.sha256(bytes.fromhex(seed)).hexdigest(),
    ]
    for commitment in hashes:
        assert seeds(heard, {**shoe, "commitment": commitment}) == ["frame"]
    assert seeds(heard, {**shoe, "commitment": hashlib.sha256(b"another").hexdigest()}) == []


def test_what_is_not_read_is_the_same_for_everybody(
    house: House, guest: Player, games: dict[str, Game]
) -> None:
    """The rules of a table are printed before there is a shoe; a card in them is an example."""
    guest.sit(games[STUD])
    guest.bet(games[STUD])
    guest.deal()
    guest.asked()
    at_the_table = guest.get(f"/api/tables/{guest.table}/sheet")
    assert at_the_table == house.get(f"/api/sheets/{STUD}")
