"""The search whether a closed hand may share a cap is bounded in time."""

from __future__ import annotations

from tests.rules.random_rounds import known_sheets

from pitbook.cards import DECK, Card
from pitbook.money import Cents
from pitbook.rules import settlement
from pitbook.rules.game import Game, Seat
from pitbook.rules.round import open_round
from pitbook.rules.settlement_lines import Settlement

FOUR_CARDS = next(sheet for sheet in known_sheets() if sheet.id == "unusual/four-card-hi-lo")


class CountingGame:
    """A game that counts settlements."""

    def __init__(self, game: Game) -> None:
        self.game, self.settle_count = game, 0
        self.sheet, self.hand_size = game.sheet, game.hand_size

    def settle(self, seat: Seat, board: tuple[Card, ...]) -> Settlement:
        self.settle_count += 1
        return self.game.settle(seat, board)


def test_gen_4_a_large_closed_hand_is_assumed_to_share_the_cap() -> None:
    game = CountingGame(open_round(FOUR_CARDS).game)
    bets = tuple((name, Cents(500)) for name in FOUR_CARDS.side)
    seat = Seat(2, "bo", (("main", Cents(500)),), bets, cards_dealt=4)
    assert settlement._any_hand_wins(game, seat, (), (1,) * len(DECK), "round")
    assert game.settle_count <= settlement.SEARCH_MAX
