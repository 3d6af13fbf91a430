"""Hi-lo at the table: a hand declared low or high against the dealer's two hands."""

from __future__ import annotations

from typing import NamedTuple

from pitbook.cards import Card, names
from pitbook.engine.game import Area, Areas, Bet, Seat, Stage
from pitbook.engine.refusals import Code, Refusal
from pitbook.engine.settlement import Line, Settlement, returned
from pitbook.games.bound import Bound
from pitbook.games.pricing import NOTHING, Pay, pay_by_kind, pay_of, priced
from pitbook.hands.points import Arrangement, PointTable, arrange, matches, total
from pitbook.hands.ranking import kind_of
from pitbook.money import Cents
from pitbook.sheets.findings import did_you_mean
from pitbook.sheets.hi_lo import RANK_NAMES, HiLo
from pitbook.sheets.model import MainWager
from pitbook.sheets.pays import pays_of


class Showdown(NamedTuple):
    """The totals of both hands, the matches, and the kind of the player's cards."""

    low: int
    high: int
    dealer_low: int
    dealer_high: int
    matches: int
    hand: int | None


class HiLoGame(Bound):
    """A hi-lo sheet bound to its rules."""

    board_name = "dealer"
    board_always = True

    def __init__(self, sheet: HiLo) -> None:
        self.sheet: HiLo = sheet
        self.main: tuple[str, MainWager] = ("bet", sheet.bet)
        self.hand_size = sheet.deal.player
        self.board_size = sheet.deal.dealer
        declare = sheet.declare
        self.stages = (Stage("declare", "declaration", sheet.deal.dealer, declare.clause),)
        self.absent_clause = declare.absent_high_at.clause
        sees = declare.sees_all_spots
        self.one_by_one: str | None = None if sees is None or sees.value else sees.clause
        self.points = point_table(sheet)
        doubles = ("low+double", "high+double") if sheet.double else ()
        self._plays = ("low", "high", *doubles)
        self._main_pays = {line: pay_of(line, pay) for line, pay in pays_of(sheet, "main").items()}
        self._pays = {wager: pay_by_kind(sheet, wager) for wager in sheet.side}
        self._ranks_hands = any(side.looks_at == "hand" for side in sheet.side.values())
        self._stake_counted = sheet.payouts.stake_counted.value
        self._ace = sheet.payouts.ace_in_straights.value

    def plays(self, stage: int) -> tuple[str, ...]:
        """Every play that the sheet knows."""
        return self._plays

    def no_play(self, stage: int, play: str) -> Refusal:
        """Why a word is no declaration."""
        message = f'"{play}" is no declaration; {did_you_mean(play, self._plays)}'
        return Refusal(Code.UNKNOWN_PLAY, message, self.sheet.declare.clause)

    def bet(self, seat: Seat, stage: int, play: str) -> Bet:
        """What a declaration costs: nothing, or the double."""
        double = self.sheet.double
        if double is None or not play.endswith("+double"):
            return Bet(None, Cents(0), folds=False)
        return Bet("double", Cents(seat.main[0][1] * double.times), folds=False)

    def too_much(self, seat: Seat, stage: int, play: str) -> str | None:
        """The clause by which Bet and double exceed the maximum, where the sheet minds (GEN-11)."""
        double = self.sheet.double
        if double is None or not double.within_max.value:
            return None
        together = seat.main[0][1] + self.bet(seat, stage, play).amount
        return double.within_max.clause if together > self.sheet.bet.max else None

    def absent_play(self, seat: Seat, stage: int) -> str | None:
        """GEN-10: high from so many points on, else low; never doubled."""
        if len(seat.cards) < self.hand_size:
            return None
        points = total(seat.cards, self.points.high)
        return "high" if points >= self.sheet.declare.absent_high_at.value else "low"

    def looks_at_hand(self, seat: Seat) -> bool:
        """Every wager looks at the player's cards."""
        return True

    def looks_at_board(self, seat: Seat) -> bool:
        """The dealer's hand is always needed."""
        return True

    def read(self, cards: tuple[Card, ...], board: tuple[Card, ...]) -> Showdown:
        """Both hands counted (MHL-3, MHL-8, MHL-9, MHL-11)."""
        dealer = self._laid(board)
        many = self.sheet.deck.decks > 1
        hand = kind_of(cards, many_decks=many, ace=self._ace) if self._ranks_hands else None
        return Showdown(
            total(cards, self.points.low),
            total(cards, self.points.high),
            dealer.low_total,
            dealer.high_total,
            matches(cards, board),
            hand,
        )

    def price(self, showdown: Showdown, seat: Seat) -> tuple[Line, ...]:
        """Every wager's line, before limits."""
        declared = seat.plays[0].removesuffix("+double")
        pay, clause = self._declared(showdown, declared), self.sheet.main.clause
        counted = self._stake_counted
        main = [priced(w, stake, pay, clause, stake_counted=counted) for w, stake in seat.main]
        for wager, stake in seat.side:
            side = self.sheet.side[wager]
            kind = showdown.matches if side.looks_at == "dealer-match" else showdown.hand
            assert kind is not None
            pay = self._pays[wager][kind]
            main.append(priced(wager, stake, pay, side.clause, stake_counted=counted))
        return tuple(main)

    def settle(self, seat: Seat, board: tuple[Card, ...]) -> Settlement:
        """The hand's lines before any limit: its cards read, then its wagers priced."""
        return Settlement(seat.number, self.price(self.read(seat.cards, board), seat))

    def void(self, seat: Seat, clause: str) -> Settlement:
        """Every wager returns; there are no folds."""
        return returned(seat.number, seat.stakes, clause)

    def tucked_under(self, seat: Seat) -> str | None:
        """Nobody folds."""
        return None

    def board_told(self, board: tuple[Card, ...]) -> str | None:
        """MHL-8: the dealer's two hands as they lie, with their totals."""
        laid = self.board_areas(board)
        if laid is None:
            return None
        low, high = laid.low, laid.high
        shared = f"; {laid.shared.title} {names(laid.shared.cards)}" if laid.shared else ""
        return (
            f"{low.title} {names(low.cards)}, {low.points}{shared}; "
            f"{high.title} {names(high.cards)}, {high.points}"
        )

    def board_areas(self, board: tuple[Card, ...]) -> Areas | None:
        """MHL-8: two hands by points, and the card that stands in both."""
        if len(board) < self.board_size:
            return None
        dealer = self.sheet.dealer
        laid = self._laid(board)
        both = () if laid.shared is None else (laid.shared,)
        row = (*_less(laid.low, both), *both, *_less(laid.high, both))
        at = len(laid.low) - 1
        if dealer.laid == "left-to-right":  # As the dealer sees it, from the other side.
            row, at = row[::-1], len(row) - 1 - at
        return Areas(
            Area(dealer.areas.low, laid.low, laid.low_total),
            Area(dealer.areas.shared or "shared", both) if both else None,
            Area(dealer.areas.high, laid.high, laid.high_total),
            row,
            at if both else None,
        )

    def points_of(self, hand: tuple[Card, ...]) -> tuple[int, int] | None:
        """MHL-3: an ace counts otherwise in a high hand."""
        return total(hand, self.points.low), total(hand, self.points.high)

    def _laid(self, board: tuple[Card, ...]) -> Arrangement:
        rule = self.sheet.dealer
        return arrange(board, self.points, rule.low, rule.shared, rule.equal_points.value)

    def _declared(self, showdown: Showdown, declared: str) -> Pay:
        """MHL-9: how far the declared hand is ahead of the dealer's, and who wins ties."""
        if declared == "low":
            ahead = showdown.dealer_low - showdown.low
        else:
            ahead = showdown.high - showdown.dealer_high
        ties = self.sheet.main.ties.value
        if ahead == 0 and ties == "push":
            return Pay(declared, "push", None)
        won = ahead > 0 or (ahead == 0 and ties == "player")
        return self._main_pays[declared] if won else NOTHING


def _less(hand: tuple[Card, ...], both: tuple[Card, ...]) -> tuple[Card, ...]:
    """A hand without the card that stands in both, of which the decks may hold another."""
    left = list(hand)
    for card in both:
        left.remove(card)
    return tuple(left)


def point_table(sheet: HiLo) -> PointTable:
    """The sheet's points by rank, two to ace."""
    low = sheet.points.values
    high = low | sheet.points.in_high_hand
    return PointTable(
        tuple(low[name] for name in RANK_NAMES), tuple(high[name] for name in RANK_NAMES)
    )
