"""Red dog as a game: the spread is announced, and players may raise by as much again."""

from __future__ import annotations

from typing import Any

from tests.red_dog.sheet import BOARD, FIRST, KINDS, SPREADS, RedDog

from pitbook.cards import Card, rank
from pitbook.rules.actions import Play
from pitbook.rules.game import Game, GameWager, Hand, Place, Seat, Stage, When
from pitbook.rules.refusals import Code, Refusal
from pitbook.rules.settlement_lines import (
    Line,
    Other,
    Settlement,
    pay_by_kind,
    price_line,
    return_wagers,
)
from pitbook.text.user_input import did_you_mean

PAIR = -1  # The spread of two equal cards; of consecutive ones it is 0.
_NUMBER = {name: number for number, name in enumerate(KINDS)}


class RedDogGame(Game):
    """A compiled red dog sheet."""

    sheet: RedDog

    def __init__(self, sheet: RedDog) -> None:
        self.sheet = sheet
        rule = sheet.raising
        self.places = (Place("hand", "hand", 0), Place("community", "common", BOARD))
        self.hands = (
            Hand("spread", (1,), Other("how many ranks lie between two cards", suits=False)),
            Hand("outcome", (1,), Other("where the third card falls", suits=False)),
        )
        plays = (Play("stand"), Play("raise", puts=(("raised", rule.times),)))
        has_spread = When("spread", frozenset(SPREADS))
        self.stages = (Stage("raise", rule.title, rule.clause, (0, FIRST), plays, when=has_spread),)
        self.wager_rules = (GameWager("main", "outcome", survives=False),)
        self.absent_clause = sheet.absent.clause
        self._pays = pay_by_kind(sheet, "main")
        self._stake_counted = sheet.payouts.stake_counted.value

    def read(self, cards: tuple[Card, ...], *common: tuple[Card, ...]) -> tuple[int | None, ...]:
        """The spread once two cards are known, and the outcome."""
        (board,) = common
        if len(board) < FIRST:
            return None, None
        spread = spread_of(*board[:FIRST])
        if spread == 0:
            return spread, _NUMBER["consecutive"]
        if len(board) < BOARD:
            return spread, None
        return spread, _NUMBER[_outcome(spread, *map(rank, board))]

    def price(self, showdown: Any, seat: Seat) -> tuple[Line, ...]:
        """Bet and raise, by where the third card falls."""
        pay, clause, counted = self._pays[showdown[1]], self.sheet.main.clause, self._stake_counted
        return tuple(
            price_line(wager, stake, pay, clause, stake_counted=counted)
            for wager, stake in seat.main
        )

    def certain(self, seat: Seat, *common: tuple[Card, ...]) -> bool:
        """Consecutive cards push without a third card."""
        return self.read(seat.cards, *common)[1] is not None

    def unknown_play(self, stage: int, play: str) -> Refusal:
        """The refusal of an unknown play."""
        message = f'"{play}" is not a play here. {did_you_mean(play, self.plays(stage))}'
        return Refusal(Code.UNKNOWN_PLAY, message, self.sheet.raising.clause)

    def exceeded_clause(self, seat: Seat, stage: int, play: Play) -> str | None:
        """Always None: the raise is limited by the Bet only."""
        return None

    def absent_play(self, seat: Seat, stage: int) -> Play | None:
        """The sheet's play for an absent player."""
        return self.play(stage, self.sheet.absent.value)

    def looks_at_hand(self, seat: Seat) -> bool:
        """Never: players have no cards."""
        return False

    def looks_at_board(self, seat: Seat) -> bool:
        return True

    def void(self, seat: Seat, clause: str) -> Settlement:
        """Return every wager."""
        return return_wagers(seat.number, seat.stakes, clause)

    def wager_title(self, wager: str) -> str:
        """The raise has its title in the sheet."""
        return self.sheet.raising.title if wager == "raised" else super().wager_title(wager)

    def board_text(self, board: tuple[Card, ...]) -> str | None:
        """The dealer's announcement of the open cards."""
        spread, outcome = self.read((), board)
        if outcome is not None:
            return KINDS[outcome].replace("-", " ")
        if spread is None:
            return None
        return "a pair" if spread == PAIR else f"a spread of {spread}"


def spread_of(first: Card, second: Card) -> int:
    """The number of ranks between two cards; the ace is high.

    >>> from pitbook.cards import cards
    >>> [spread_of(*cards(two)) for two in ("7c Jd", "Kc Qd", "2c Ad", "9c 9d")]
    [3, 0, 11, -1]
    """
    return abs(rank(first) - rank(second)) - 1


def _outcome(spread: int, first: int, second: int, third: int) -> str:
    if spread == PAIR:
        return "three-of-a-kind" if third == first else "pair"
    low, high = sorted((first, second))
    return f"spread-{spread}" if low < third < high else "outside"
