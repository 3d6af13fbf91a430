"""Versus as a game: hands are compared, and every wager is settled by the event."""

from __future__ import annotations

from functools import cached_property
from typing import Any, Literal

from pitbook.cards import Card, rank
from pitbook.hands.ranking import best_kind, best_rank, kind_of_rank
from pitbook.money import Cents
from pitbook.rules.actions import FOLD as FOLD_PLAY
from pitbook.rules.actions import Need, Play, bets, multiple
from pitbook.rules.families.versus.results import Results, least_kind, least_rank, results
from pitbook.rules.families.versus.sheet import (
    BELOW,
    BOTH,
    FOLD,
    TIE,
    WAR,
    Decision,
    Versus,
    parse_result,
)
from pitbook.rules.game import Duel, Game, GameWager, Hand, Place, Seat, Showdown, Stage, When
from pitbook.rules.refusals import Code, Refusal, refuse
from pitbook.rules.settlement_lines import (
    Best,
    KindPay,
    Kinds,
    Line,
    Other,
    Settlement,
    pay_by_kind,
    price_line,
    return_wagers,
)
from pitbook.sheets.pay_tables import settles_after_fold
from pitbook.text import say
from pitbook.text.user_input import did_you_mean

# Positions in a showdown: player's and dealer's strength, then the kinds that pay tables use.
OWN, DEALER, HAND, BOTH_HANDS = range(4)
FIRST, SECOND = range(2)  # In a war: the comparison of the first cards, and of the war cards.


class VersusGame(Game):
    """A compiled versus sheet."""

    sheet: Versus

    def __init__(self, sheet: Versus, main_pays: tuple[KindPay, ...] | None = None) -> None:
        self.sheet = sheet
        self.trial_pays = main_pays  # Trial payouts by hand.
        self._ace = sheet.payouts.ace_in_straights.value
        self._cards = sheet.hands.cards
        self.places = _places(sheet)
        self._define_hands()
        self.stages = tuple(_stages(sheet))
        self.equals = sheet.with_ante
        sides = sheet.side.items()
        self._survives = {wager: settles_after_fold(side) for wager, side in sides}
        self.wager_rules = (
            GameWager("main", self._hand_id("hand"), survives=False),
            *(
                GameWager(wager, self._hand_id(side.looks_at), self._survives[wager])
                for wager, side in sides
            ),
        )
        self.board_always = bool(sheet.fold and sheet.fold.dealer_when_all_fold.value == "always")
        self.dealer_clause = sheet.dealer.clause if sheet.dealer else None
        self.absent_clause = sheet.absent.clause
        self._results: dict[str, Results] = results(sheet, main_pays)
        self._bonuses = sheet.bonuses
        self._kinds = kind_of_rank(self._cards, self._ace)
        self._pays = {wager: pay_by_kind(sheet, wager) for wager in sheet.side}
        self._at = {wager: self._showdown_index(side.looks_at) for wager, side in sides}
        self._both = any(side.looks_at == "both-hands" for side in sheet.side.values())
        self._stake_counted = sheet.payouts.stake_counted.value

    # Structure

    def _define_hands(self) -> None:
        sheet, last = self.sheet, len(self.places) - 1
        if sheet.war:
            self.hands = (
                Hand(
                    "first",
                    (0, last),
                    Other("how the first cards compare", suits=False, ranks=True),
                ),
                Hand(
                    "second",
                    (0, last),
                    Other("how the cards of the war compare", suits=False, ranks=True),
                ),
            )
            return
        common = (1,) if sheet.deal.community else ()
        ranks, kinds = Best(self._cards, self._ace), Kinds(self._cards, self._ace)
        self.hands = (
            Hand("own", (0, *common), ranks),
            Hand("dealer", (last, *common), ranks),
            Hand("hand", (0, *common), kinds),
            Hand("both-hands", (0, *common, last), Kinds(BOTH, self._ace)),
        )
        least = least_rank(sheet.dealer, self._cards, self._ace) if sheet.dealer else None
        self._least, tie = least or 0, sheet.ante.settles.tie
        assert tie is not None  # A sheet without a tie rule is refused.
        ties = _tie_winner(tie)
        self.duels = (Duel("showdown", "own", "dealer", low=False, ties=ties, least=least),)

    def _hand_id(self, looks_at: str) -> str:
        return "first" if self.sheet.war else looks_at

    def _showdown_index(self, looks_at: str) -> int:
        if looks_at == "duel":
            return FIRST
        return BOTH_HANDS if looks_at == "both-hands" else HAND

    def wager_title(self, wager: str) -> str:
        """A wager's title on the layout."""
        rule = self.sheet.wagers.get(wager)
        return rule.title if rule else super().wager_title(wager)

    # Cards

    def read(self, cards: tuple[Card, ...], *common: tuple[Card, ...]) -> Showdown:
        """The strengths of both hands, and the kinds that pay tables use."""
        if self.sheet.war:
            (board,) = common
            return _compare_first(cards, board), _compare_first(cards[1:], board[1:])
        shared = common[0] if len(common) > 1 else ()
        dealer_cards = common[-1]
        size, ace = self._cards, self._ace
        player = dealer = kind = both = None
        board_known = len(common) == 1 or len(shared) == self.board_size
        if board_known and len(cards) == self.hand_size:
            player = best_rank(cards + shared, size, ace)
            kind = self._kinds[player]
        if board_known and len(dealer_cards) == self.places[-1].cards:
            dealer = best_rank(dealer_cards + shared, size, ace)
            if player is not None and self._both:
                both = best_kind(cards + shared + dealer_cards, BOTH, ace)
        return player, dealer, kind, both

    def event(self, showdown: Any, seat: Seat) -> int:
        """The result of a hand, as an index into the sheet's events."""
        if seat.folded:
            return FOLD
        if self.sheet.war:
            first: int = showdown[FIRST]
            return first if first != TIE else WAR + int(showdown[SECOND])
        player, dealer = showdown[OWN], showdown[DEALER]
        compared = int(player >= dealer) + int(player > dealer)
        return compared + BELOW if dealer < self._least else compared

    # Prices

    def price(self, showdown: Any, seat: Seat) -> tuple[Line, ...]:
        """The line for each wager, before payout caps."""
        lines = []
        if seat.main:
            event = self.event(showdown, seat)
            kind = 0 if event == FOLD or self.sheet.war else showdown[HAND]
            lines = self._main_lines(seat, event, kind)
        for wager, stake in seat.side:
            lines.append(self._side_line(wager, stake, showdown, folded=seat.folded))
        return tuple(lines)

    def _main_lines(self, seat: Seat, event: int, kind: int) -> list[Line]:
        lines, counted, results = [], self._stake_counted, self._results
        for wager, stake in seat.main:
            pay, clause, half = results[wager][event][kind]
            line = price_line(wager, stake, pay, clause, stake_counted=counted)
            lines.append(line._replace(back=Cents(stake // 2)) if half else line)
        for wager in self._bonuses:
            pay, clause, _ = results[wager][event][kind]
            if pay.odds is not None:
                wins, nothing = pay.odds.wins(seat.main[0][1]), Cents(0)
                lines.append(Line(wager, nothing, pay.outcome, "win", pay.odds, wins, clause))
        return lines

    def _side_line(self, wager: str, stake: Cents, showdown: Any, *, folded: bool) -> Line:
        if folded and not self._survives[wager]:
            return self._lost_line(wager, stake)
        pay, clause = self._pays[wager][showdown[self._at[wager]]], self.sheet.side[wager].clause
        return price_line(wager, stake, pay, clause, stake_counted=self._stake_counted)

    def _lost_line(self, wager: str, stake: Cents) -> Line:
        """The line of a side wager lost by a fold."""
        after_fold = self.sheet.side[wager].after_fold
        assert after_fold is not None
        return Line(wager, stake, "fold", "lose", None, Cents(0), after_fold.clause)

    def dealer_needs(self) -> str | None:
        """The lowest qualifying dealer hand, in words."""
        return self.sheet.dealer.hand_text() if self.sheet.dealer else None

    def void(self, seat: Seat, clause: str) -> Settlement:
        """Return every wager, or only live ones if the sheet says so: wagers lost by a fold stay
        lost (GEN-6).
        """
        returns_all = self.sheet.irregularities.misdeal.returns == "every-wager"
        if returns_all or not seat.folded:
            return return_wagers(seat.number, seat.stakes, clause)
        lost = [line for line in self._main_lines(seat, FOLD, 0) if line.stake]
        returned = [
            Line(wager, stake, None, "void", None, Cents(0), clause)
            if self._survives[wager]
            else self._lost_line(wager, stake)
            for wager, stake in seat.side
        ]
        return Settlement(seat.number, (*lost, *returned))

    def with_pays(self, pays: tuple[KindPay, ...]) -> VersusGame:
        """The game with another main pay table, by kind of hand."""
        return VersusGame(self.sheet, pays)

    # Plays

    def unknown_play(self, stage: int, play: str) -> Refusal:
        """The refusal of an unknown play at a decision."""
        rule, plays = self.stages[stage], self.plays(stage)
        times = multiple(play)
        if times is None:
            key, remedy = "families.versus.no-play", did_you_mean(play, plays)
            return refuse(Code.UNKNOWN_PLAY, key, rule.clause, play=play, remedy=remedy)
        above = times > max(known_play.times for known_play in plays)
        code = Code.ABOVE_MAXIMUM if above else Code.UNKNOWN_PLAY
        key, values = "families.versus.no-raise", {"title": rule.title, "plays": plays}
        return refuse(code, key, rule.clause, play=play, **values)

    @cached_property
    def limits_bets(self) -> bool:
        """Whether `exceeded_clause` can refuse a play."""
        return False

    def exceeded_clause(self, seat: Seat, stage: int, play: Play) -> str | None:
        """Always None: multiples are a raise's only limit (GEN-11)."""
        return None

    def absent_play(self, seat: Seat, stage: int) -> Play | None:
        """GEN-10: an absent player folds or checks, or makes the smallest raise."""
        passive, *raises = self.plays(stage)
        if self.sheet.absent.value == "fold" or not passive.folds:
            return passive
        return raises[0]

    def looks_at_hand(self, seat: Seat) -> bool:
        """Whether a live wager of the seat uses its cards."""
        return bool(seat.main and not seat.folded) or bool(self._live(seat))

    def looks_at_board(self, seat: Seat) -> bool:
        """Whether a live wager of the seat uses the dealer's or the community cards."""
        if seat.main and not seat.folded:
            return True
        common = bool(self.sheet.deal.community)
        return any(
            common or self.sheet.side[wager].looks_at != "hand" for wager in self._live(seat)
        )

    def certain(self, seat: Seat, *common: tuple[Card, ...]) -> bool:
        """Whether the open cards settle a folded hand: only those its side wagers use count."""
        if not seat.folded:
            return False
        live = self._live(seat)
        if not live or not self.looks_at_board(seat):
            return True
        showdown = self.read(seat.cards, *common)
        return all(showdown[self._at[wager]] is not None for wager in live)

    def _live(self, seat: Seat) -> list[str]:
        return [wager for wager, _ in seat.side if not seat.folded or self._survives[wager]]


def _places(sheet: Versus) -> tuple[Place, ...]:
    deal, war = sheet.deal, sheet.war.cards if sheet.war else 0
    player = Place("hand", "hand", deal.player + war, later=war, open=deal.open)
    dealer = Place("dealer", "dealer", deal.dealer + war, later=war)
    if not deal.community:
        return player, dealer
    return player, Place("community", "community", deal.community), dealer


def _stages(sheet: Versus) -> list[Stage]:
    deal = sheet.deal
    if sheet.war:
        return _war_stages(sheet, sheet.war.clause, sheet.war.cards)
    return [
        Stage(
            decision.id,
            decision.title,
            decision.clause,
            (deal.player, decision.community, deal.up)
            if deal.community
            else (deal.player, deal.up),
            _plays(sheet, decision),
            once=decision.once,
        )
        for decision in sheet.decisions
    ]


def _war_stages(sheet: Versus, clause: str, cards: int) -> list[Stage]:
    """Stages of a war: the first cards are turned, a tie is decided, further cards follow."""
    (decision,) = sheet.decisions
    tie, deal = When("first", frozenset({TIE})), sheet.deal
    first = (deal.player, deal.dealer)
    war_cards = (deal.player + cards, deal.dealer + cards)
    title = say("families.versus.first-cards")
    return [
        Stage("deal", title, deal.clause, first, ()),
        Stage(
            decision.id, decision.title, decision.clause, first, _plays(sheet, decision), when=tie
        ),
        Stage("war", say("families.versus.war"), clause, war_cards, (), when=tie),
    ]


def _plays(sheet: Versus, rule: Decision) -> tuple[Play, ...]:
    if sheet.war:
        (times,) = rule.times
        return Play("surrender", folds=True), Play("war", puts=((rule.puts, times),))
    passive = Play("check") if rule.instead == "check" else FOLD_PLAY
    return (passive, *(_raise(sheet, rule, times) for times in rule.times))


def _raise(sheet: Versus, rule: Decision, times: int) -> Play:
    plain = bets(rule.puts, times)
    needs = [need.hand for need in rule.needs if need.times <= times]
    if not needs:
        return plain
    lowest_kind = max(least_kind(hand, sheet.hands.cards) for hand in needs)
    return Play(str(plain), puts=plain.puts, needs=Need("hand", lowest_kind))


def _tie_winner(tie: str) -> Literal["player", "dealer", "push"]:
    by_table, otherwise = parse_result(tie)
    if by_table or not isinstance(otherwise, str):
        return "player"
    return "push" if otherwise == "push" else "dealer"


def _compare_first(player_cards: tuple[Card, ...], dealer_cards: tuple[Card, ...]) -> int | None:
    """The result of comparing the first cards, as an event; None if one is unknown."""
    if not player_cards or not dealer_cards:
        return None
    player_rank, dealer_rank = rank(player_cards[0]), rank(dealer_cards[0])
    return int(player_rank >= dealer_rank) + int(player_rank > dealer_rank)
