"""Hi-lo at the table: a hand declared low or high against the dealer's two hands."""

from __future__ import annotations

from functools import cached_property
from typing import Any, NamedTuple

from pitbook.cards import Card
from pitbook.hands.low_and_high import Arrangement, PointTable, arrange, matches, total
from pitbook.hands.ranking import kind_of
from pitbook.rules.actions import Play, declaration_play
from pitbook.rules.families.hi_lo.sheet import RANK_NAMES, HiLo
from pitbook.rules.game import (
    Area,
    Areas,
    Box,
    Duel,
    Game,
    GameWager,
    Hand,
    Place,
    Printed,
    Seat,
    Stage,
)
from pitbook.rules.refusals import Code, Refusal, refuse
from pitbook.rules.settlement_lines import (
    NOTHING,
    Arranged,
    KindPay,
    Kinds,
    Line,
    Matches,
    PointSum,
    Settlement,
    pay_by_kind,
    price_line,
    price_lines,
    return_wagers,
)
from pitbook.text import Sentence, say
from pitbook.text.user_input import did_you_mean

MATCHES, HAND = 4, 5  # In a showdown.


class Showdown(NamedTuple):
    """Both hands' totals, the matches, and the kind of the player's cards."""

    low: int | None
    high: int | None
    dealer_low: int | None
    dealer_high: int | None
    matches: int | None
    hand: int | None


class HiLoGame(Game):
    """A compiled hi-lo sheet."""

    sheet: HiLo
    board_always = True

    def __init__(self, sheet: HiLo, main_pays: tuple[KindPay, ...] | None = None) -> None:
        self.sheet = sheet
        declare, rule = sheet.declare, sheet.dealer
        self.points = point_table(sheet)
        self.places = (
            Place("hand", "hand", sheet.deal.player),
            Place("dealer", "dealer", sheet.deal.dealer),
        )
        arrangement = (self.points, rule.low, rule.shared, rule.equal_points.value)
        kinds = Kinds(
            sheet.deal.player,
            sheet.payouts.ace_in_straights.value,
            many_decks=sheet.deck.decks > 1,
        )
        self.hands = (
            Hand("low", (0,), PointSum(self.points.low)),
            Hand("high", (0,), PointSum(self.points.high)),
            Hand("dealer-low", (1,), Arranged("low", *arrangement)),
            Hand("dealer-high", (1,), Arranged("high", *arrangement)),
            Hand("dealer-match", (0, 1), Matches()),
            Hand("hand", (0,), kinds),
        )
        ties = sheet.main.ties.value
        self.duels = (
            Duel("low", "low", "dealer-low", low=True, ties=ties),
            Duel("high", "high", "dealer-high", low=False, ties=ties),
        )
        title = say("families.hi-lo.declaration")
        self.stages = (
            Stage(
                "declare",
                title,
                declare.clause,
                (sheet.deal.player, 0),
                _plays(sheet),
                turned=sheet.dealer.clause,
            ),
        )
        sides = sheet.side.items()
        self.wager_rules = tuple(
            GameWager(wager, side.looks_at, survives=True) for wager, side in sides
        )
        self.printed = _printed_areas(sheet)
        self.dealer_clause = rule.clause
        self.absent_clause = declare.absent_high_at.clause
        sees = declare.sees_all_spots
        self.one_by_one: str | None = None if sees is None or sees.value else sees.clause
        self.trial_pays = main_pays  # Trial payouts for low and high.
        pays = main_pays or pay_by_kind(sheet, "main")
        self._main_pays = dict(zip(("low", "high"), pays, strict=True))
        self._pays = {wager: pay_by_kind(sheet, wager) for wager in sheet.side}
        self._ranks_hands = any(side.looks_at == "hand" for side in sheet.side.values())
        self._stake_counted = sheet.payouts.stake_counted.value
        self._ace = sheet.payouts.ace_in_straights.value
        self._arranged: tuple[tuple[Card, ...], Arrangement] | None = None

    def unknown_play(self, stage: int, play: str) -> Refusal:
        """The refusal of a play that is not a declaration."""
        key, remedy = "families.hi-lo.no-declaration", did_you_mean(play, self.plays(stage))
        clause = self.sheet.declare.clause
        return refuse(Code.UNKNOWN_PLAY, key, clause, play=play, remedy=remedy)

    @cached_property
    def limits_bets(self) -> bool:
        """Whether `exceeded_clause` can refuse a play."""
        return self.sheet.double is not None and self.sheet.double.within_max.value

    def exceeded_clause(self, seat: Seat, stage: int, play: Play) -> str | None:
        """GEN-11: the clause violated if Bet and double exceed the maximum, on some sheets."""
        double = self.sheet.double
        if double is None or not double.within_max.value:
            return None
        total_bet = seat.main[0][1] + seat.cost(play)
        return double.within_max.clause if total_bet > self.sheet.bet.max else None

    def absent_play(self, seat: Seat, stage: int) -> Play | None:
        """GEN-10: high from the sheet's threshold up, else low; never doubled."""
        if len(seat.cards) < self.hand_size:
            return None
        points = total(seat.cards, self.points.high)
        high = points >= self.sheet.declare.absent_high_at.value
        return self.play(stage, "high" if high else "low")

    def looks_at_hand(self, seat: Seat) -> bool:
        """Always: every wager uses the player's cards."""
        return True

    def looks_at_board(self, seat: Seat) -> bool:
        """Always: the dealer's hand is needed."""
        return True

    def read(self, cards: tuple[Card, ...], *common: tuple[Card, ...]) -> Showdown:
        """The totals of both hands (MHL-3, MHL-8, MHL-9, MHL-11)."""
        (board,) = common
        if len(cards) < self.hand_size or len(board) < self.board_size:
            return Showdown(None, None, None, None, None, None)
        dealer = self._arrange(board)
        has_several_decks = self.sheet.deck.decks > 1
        hand = (
            kind_of(cards, many_decks=has_several_decks, ace=self._ace)
            if self._ranks_hands
            else None
        )
        return Showdown(
            total(cards, self.points.low),
            total(cards, self.points.high),
            dealer.low_total,
            dealer.high_total,
            matches(cards, board),
            hand,
        )

    def price(self, showdown: Any, seat: Seat) -> tuple[Line, ...]:
        """The line for each wager, before payout caps."""
        declared = seat.plays[0].declaration
        pay, clause = self._main_pay(showdown, declared), self.sheet.main.clause
        counted = self._stake_counted
        lines = price_lines(seat.main, pay, clause, stake_counted=counted)
        for wager, stake in seat.side:
            side = self.sheet.side[wager]
            kind = showdown[MATCHES if side.looks_at == "dealer-match" else HAND]
            assert kind is not None
            pay = self._pays[wager][kind]
            lines.append(price_line(wager, stake, pay, side.clause, stake_counted=counted))
        return tuple(lines)

    def void(self, seat: Seat, clause: str) -> Settlement:
        """Return every wager; this family has no folds."""
        return return_wagers(seat.number, seat.stakes, clause)

    def with_pays(self, pays: tuple[KindPay, ...]) -> HiLoGame:
        """The game with other payouts for low and high declarations."""
        return HiLoGame(self.sheet, pays)

    def board_text(self, board: tuple[Card, ...]) -> str | None:
        """MHL-8: the dealer's two hands with their totals."""
        areas = self.board_areas(board)
        if areas is None:
            return None
        low, high = _area_text(areas.low), _area_text(areas.high)
        if areas.shared is None:
            return say("families.hi-lo.board", low=low, high=high)
        shared = areas.shared
        title, cards = shared.title, shared.cards
        return say("families.hi-lo.board-shared", low=low, high=high, title=title, cards=cards)

    def board_areas(self, board: tuple[Card, ...]) -> Areas | None:
        """MHL-8: two hands by points, and the card they share."""
        if len(board) < self.board_size:
            return None
        rule = self.sheet.dealer
        arrangement = self._arrange(board)
        shared_cards = () if arrangement.shared is None else (arrangement.shared,)
        low = Area(rule.areas.low, arrangement.low, arrangement.low_total)
        shared = Area(_shared_area(self.sheet), shared_cards) if shared_cards else None
        high = Area(rule.areas.high, arrangement.high, arrangement.high_total)
        row = (
            *_without_shared(arrangement.low, shared_cards),
            *shared_cards,
            *_without_shared(arrangement.high, shared_cards),
        )
        areas = (low, shared, high) if shared else (low, high)
        shared_index = len(arrangement.low) - 1
        if rule.laid == "left-to-right":  # As the dealer sees it, from the other side.
            row, areas, shared_index = row[::-1], areas[::-1], len(row) - 1 - shared_index
        return Areas(low, shared, high, row, shared_index if shared_cards else None, areas)

    @property
    def boxes(self) -> tuple[Box, ...]:
        """MHL-6, MHL-10: the two areas of a betting spot; a low hand is placed across."""
        declare, settlement = self.sheet.declare, self.sheet.settlement
        return (
            Box("low", declare.low, _box("low", settlement.low_laid), across=True),
            Box("high", declare.high, _box("high", settlement.high_laid)),
        )

    def points_of(self, hand: tuple[Card, ...]) -> tuple[int, int] | None:
        """MHL-3: an ace may count differently in a high hand."""
        return total(hand, self.points.low), total(hand, self.points.high)

    def _arrange(self, board: tuple[Card, ...]) -> Arrangement:
        """The dealer's hands; the last board is kept, because every spot asks for it."""
        arranged = self._arranged  # Other threads may ask for another board.
        if arranged is None or arranged[0] != board:
            rule = self.sheet.dealer
            equal = rule.equal_points.value
            arranged = board, arrange(board, self.points, rule.low, rule.shared, equal)
            self._arranged = arranged
        return arranged[1]

    def _main_pay(self, showdown: Any, declared: str) -> KindPay:
        """MHL-9: the pay of the declared hand against the dealer's, with the tie rule."""
        low, high, dealer_low, dealer_high = showdown[:4]
        ahead = dealer_low - low if declared == "low" else high - dealer_high
        ties = self.sheet.main.ties.value
        if ahead == 0 and ties == "push":
            return KindPay(declared, "push", None)
        won = ahead > 0 or (ahead == 0 and ties == "player")
        return self._main_pays[declared] if won else NOTHING


def _area_text(area: Area) -> Sentence:
    """An area's name, cards and total."""
    title, cards, points = area.title, area.cards, area.points
    return say("families.hi-lo.area", title=title, cards=cards, points=points)


def _without_shared(hand: tuple[Card, ...], shared: tuple[Card, ...]) -> tuple[Card, ...]:
    """A hand without the shared card. Several decks may hold the same card twice."""
    remaining = list(hand)
    for card in shared:
        remaining.remove(card)
    return tuple(remaining)


def _printed_areas(sheet: HiLo) -> tuple[Printed, ...]:
    """MHL-8: the dealer's areas as players see them, from the dealer's right to the left."""
    rule, shared_count = sheet.dealer, int(sheet.dealer.shared != "none")
    low = Printed(rule.areas.low, rule.low - shared_count)
    high = Printed(rule.areas.high, sheet.deal.dealer - rule.low)
    shared = (Printed(_shared_area(sheet), shared_count, shared=True),) if shared_count else ()
    row = (low, *shared, high)
    return row[::-1] if rule.laid == "left-to-right" else row


def _box(hand: str, placement: str) -> Sentence:
    return say("families.hi-lo.box", hand=hand, laid=placement)


def _shared_area(sheet: HiLo) -> str:
    name = sheet.dealer.areas.shared
    assert name is not None  # A sheet that shares a card without naming its area is refused.
    return name


def point_table(sheet: HiLo) -> PointTable:
    """The sheet's points by rank, two to ace."""
    low = sheet.points.values
    high = low | sheet.points.in_high_hand
    return PointTable(
        tuple(low[name] for name in RANK_NAMES), tuple(high[name] for name in RANK_NAMES)
    )


def _plays(sheet: HiLo) -> tuple[Play, ...]:
    declarations, double = ("low", "high"), sheet.double
    doubled = (
        tuple(declaration_play(declaration, "double", double.times) for declaration in declarations)
        if double
        else ()
    )
    return (*map(declaration_play, declarations), *doubled)
