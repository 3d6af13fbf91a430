"""Versus at the table: hands compared, and every wager settled by what came of it."""

from __future__ import annotations

from typing import Any, Literal

from pitbook.cards import Card, rank
from pitbook.hands.ranking import best_kind, best_rank, kind_of_rank
from pitbook.money import Cents
from pitbook.rules.families.versus.qualification import least_kind, least_rank
from pitbook.rules.families.versus.result_text import BELOW, FOLD, TIE, WAR, told
from pitbook.rules.families.versus.results import Results, results
from pitbook.rules.families.versus.sheet import BOTH, Decision, Versus
from pitbook.rules.game import Duel, Game, GameWager, Hand, Place, Seat, Showdown, Stage, When
from pitbook.rules.plays import FOLD as FOLDS
from pitbook.rules.plays import Need, Play, bets, multiple
from pitbook.rules.pricing import Best, KindPay, Kinds, Other, pay_by_kind, price_line
from pitbook.rules.refusals import Code, Refusal, refuse
from pitbook.rules.settlement import Line, Settlement, return_line
from pitbook.sheets.findings import did_you_mean
from pitbook.sheets.pay_tables import settles_after_fold
from pitbook.text import say

# In a showdown of hands: own and dealer's strength, then the kinds that pay tables ask for.
OWN, DEALER, HAND, BOTH_HANDS = range(4)
FIRST, SECOND = range(2)  # In a war: how the first cards compare, and those of the war.


class VersusGame(Game):
    """A versus sheet bound to its rules."""

    sheet: Versus

    def __init__(self, sheet: Versus, main_pays: tuple[KindPay, ...] | None = None) -> None:
        self.sheet = sheet
        self.tried = main_pays  # Other pays tried out, hand by hand.
        self._ace = sheet.payouts.ace_in_straights.value
        self._cards = sheet.hands.cards
        self.places = _places(sheet)
        self._lay_out_hands()
        self.stages = tuple(_stages(sheet))
        self.equals = sheet.with_ante
        sides = sheet.side.items()
        self._survives = {wager: settles_after_fold(side) for wager, side in sides}
        self.asked = (
            GameWager("main", self._asked("hand"), survives=False),
            *(
                GameWager(one, self._asked(side.looks_at), self._survives[one])
                for one, side in sides
            ),
        )
        self.board_always = bool(sheet.fold and sheet.fold.dealer_when_all_fold.value == "always")
        self.dealer_clause = sheet.dealer.clause if sheet.dealer else None
        self.absent_clause = sheet.absent.clause
        self._results: dict[str, Results] = results(sheet, main_pays)
        self._bonuses = sheet.bonuses
        self._kinds = kind_of_rank(self._cards, self._ace)
        self._pays = {wager: pay_by_kind(sheet, wager) for wager in sheet.side}
        self._at = {one: self._place_of(side.looks_at) for one, side in sides}
        self._both = any(side.looks_at == "both-hands" for side in sheet.side.values())
        self._stake_counted = sheet.payouts.stake_counted.value

    # Its structure -------------------------------------------------------------------------------

    def _lay_out_hands(self) -> None:
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
        assert tie is not None  # A sheet that does not say what a tie comes to is refused.
        ties = _for_whom(tie)
        self.duels = (Duel("showdown", "own", "dealer", low=False, ties=ties, least=least),)

    def _asked(self, looks_at: str) -> str:
        return "first" if self.sheet.war else looks_at

    def _place_of(self, looks_at: str) -> int:
        if looks_at == "duel":
            return FIRST
        return BOTH_HANDS if looks_at == "both-hands" else HAND

    def wager_title(self, wager: str) -> str:
        """What a wager is called on the layout."""
        rule = self.sheet.wagers.get(wager)
        return rule.title if rule else super().wager_title(wager)

    # What the cards say --------------------------------------------------------------------------

    def read(self, cards: tuple[Card, ...], *common: tuple[Card, ...]) -> Showdown:
        """The strengths of both hands, and the kinds that pay tables ask for."""
        if self.sheet.war:
            (board,) = common
            return _compared(cards, board), _compared(cards[1:], board[1:])
        shared = common[0] if len(common) > 1 else ()
        dealers = common[-1]
        size, ace = self._cards, self._ace
        own = dealer = kind = both = None
        whole = len(common) == 1 or len(shared) == self.board_size
        if whole and len(cards) == self.hand_size:
            own = best_rank(cards + shared, size, ace)
            kind = self._kinds[own]
        if whole and len(dealers) == self.places[-1].cards:
            dealer = best_rank(dealers + shared, size, ace)
            if own is not None and self._both:
                both = best_kind(cards + shared + dealers, BOTH, ace)
        return own, dealer, kind, both

    def event(self, showdown: Any, seat: Seat) -> int:
        """How a hand came out, by its number among the events of a sheet."""
        if seat.folded:
            return FOLD
        if self.sheet.war:
            first: int = showdown[FIRST]
            return first if first != TIE else WAR + int(showdown[SECOND])
        own, dealer = showdown[OWN], showdown[DEALER]
        compared = int(own >= dealer) + int(own > dealer)
        return compared + BELOW if dealer < self._least else compared

    # What it pays --------------------------------------------------------------------------------

    def price(self, showdown: Any, seat: Seat) -> tuple[Line, ...]:
        """Every wager's line, before limits."""
        lines = []
        if seat.main:
            event = self.event(showdown, seat)
            kind = 0 if event == FOLD or self.sheet.war else showdown[HAND]
            lines = self._main_lines(seat, event, kind)
        for wager, stake in seat.side:
            lines.append(self._side_line(wager, stake, showdown, folded=seat.folded))
        return tuple(lines)

    def _main_lines(self, seat: Seat, event: int, kind: int) -> list[Line]:
        lines, counted, found = [], self._stake_counted, self._results
        for wager, stake in seat.main:
            pay, clause, half = found[wager][event][kind]
            line = price_line(wager, stake, pay, clause, stake_counted=counted)
            lines.append(line._replace(back=Cents(stake // 2)) if half else line)
        for wager in self._bonuses:
            pay, clause, _ = found[wager][event][kind]
            if pay.odds is not None:
                wins, none = pay.odds.wins(seat.main[0][1]), Cents(0)
                lines.append(Line(wager, none, pay.outcome, "win", pay.odds, wins, clause))
        return lines

    def _side_line(self, wager: str, stake: Cents, showdown: Any, *, folded: bool) -> Line:
        if folded and not self._survives[wager]:
            return self._lost(wager, stake)
        pay, clause = self._pays[wager][showdown[self._at[wager]]], self.sheet.side[wager].clause
        return price_line(wager, stake, pay, clause, stake_counted=self._stake_counted)

    def _lost(self, wager: str, stake: Cents) -> Line:
        """The line of a side wager that a fold takes."""
        after_fold = self.sheet.side[wager].after_fold
        assert after_fold is not None
        return Line(wager, stake, "fold", "lose", None, Cents(0), after_fold.clause)

    def dealer_needs(self) -> str | None:
        """The least hand with which the dealer qualifies, in words."""
        return self.sheet.dealer.hand_told() if self.sheet.dealer else None

    def void(self, seat: Seat, clause: str) -> Settlement:
        """Every wager returns; where only live ones do, those lost by a fold stay lost (GEN-6)."""
        everything = self.sheet.irregularities.misdeal.returns == "every-wager"
        if everything or not seat.folded:
            return return_line(seat.number, seat.stakes, clause)
        lost = [line for line in self._main_lines(seat, FOLD, 0) if line.stake]
        back = [
            Line(wager, stake, None, "void", None, Cents(0), clause)
            if self._survives[wager]
            else self._lost(wager, stake)
            for wager, stake in seat.side
        ]
        return Settlement(seat.number, (*lost, *back))

    def with_pays(self, pays: tuple[KindPay, ...]) -> VersusGame:
        """The game with another pay table of its main wagers, by kind of hand."""
        return VersusGame(self.sheet, pays)

    # What a table asks ---------------------------------------------------------------------------

    def no_play(self, stage: int, play: str) -> Refusal:
        """Why a word is no play at a decision."""
        rule, plays = self.stages[stage], self.plays(stage)
        times = multiple(play)
        if times is None:
            key, remedy = "families.versus.no-play", did_you_mean(play, plays)
            return refuse(Code.UNKNOWN_PLAY, key, rule.clause, play=play, remedy=remedy)
        above = times > max(one.times for one in plays)
        code = Code.ABOVE_MAXIMUM if above else Code.UNKNOWN_PLAY
        key, told = "families.versus.no-raise", {"title": rule.title, "plays": plays}
        return refuse(code, key, rule.clause, play=play, **told)

    def too_much(self, seat: Seat, stage: int, play: Play) -> str | None:
        """A raise has no maximum but its multiples (GEN-11)."""
        return None

    def absent_play(self, seat: Seat, stage: int) -> Play | None:
        """GEN-10: an absent player folds or checks, or makes the smallest raise."""
        least, *raises = self.plays(stage)
        if self.sheet.absent.value == "fold" or not least.folds:
            return least
        return raises[0]

    def looks_at_hand(self, seat: Seat) -> bool:
        """Whether a live wager of the seat looks at its cards."""
        return bool(seat.main and not seat.folded) or bool(self._live(seat))

    def looks_at_board(self, seat: Seat) -> bool:
        """Whether a live wager of the seat looks at the dealer's cards, or those in common."""
        if seat.main and not seat.folded:
            return True
        common = bool(self.sheet.deal.community)
        return any(common or self.sheet.side[one].looks_at != "hand" for one in self._live(seat))

    def certain(self, seat: Seat, *common: tuple[Card, ...]) -> bool:
        """A hand that is given up waits for no card but those that its side wagers look at."""
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
    own = Place("hand", "hand", deal.player + war, later=war, open=deal.open)
    dealer = Place("dealer", "dealer", deal.dealer + war, later=war)
    if not deal.community:
        return own, dealer
    return own, Place("community", "community", deal.community), dealer


def _stages(sheet: Versus) -> list[Stage]:
    deal = sheet.deal
    if sheet.war:
        return _war_stages(sheet, sheet.war.clause, sheet.war.cards)
    return [
        Stage(
            one.id,
            one.title,
            one.clause,
            (deal.player, one.community, deal.up) if deal.community else (deal.player, deal.up),
            _plays(sheet, one),
            once=one.once,
        )
        for one in sheet.decisions
    ]


def _war_stages(sheet: Versus, clause: str, cards: int) -> list[Stage]:
    """The first cards are turned; a tie is decided; more cards come to those who go to war."""
    (one,) = sheet.decisions
    tie, deal = When("first", frozenset({TIE})), sheet.deal
    first = (deal.player, deal.dealer)
    more = (deal.player + cards, deal.dealer + cards)
    title = say("families.versus.first-cards")
    return [
        Stage("deal", title, deal.clause, first, ()),
        Stage(one.id, one.title, one.clause, first, _plays(sheet, one), when=tie),
        Stage("war", say("families.versus.war"), clause, more, (), when=tie),
    ]


def _plays(sheet: Versus, rule: Decision) -> tuple[Play, ...]:
    if sheet.war:
        (times,) = rule.times
        return Play("surrender", folds=True), Play("war", puts=((rule.puts, times),))
    least = Play("check") if rule.instead == "check" else FOLDS
    return (least, *(_raise(sheet, rule, times) for times in rule.times))


def _raise(sheet: Versus, rule: Decision, times: int) -> Play:
    plain = bets(rule.puts, times)
    needs = [one.hand for one in rule.needs if one.times <= times]
    if not needs:
        return plain
    least = max(least_kind(hand, sheet.hands.cards) for hand in needs)
    return Play(str(plain), puts=plain.puts, needs=Need("hand", least))


def _for_whom(tie: str) -> Literal["player", "dealer", "push"]:
    by_table, otherwise = told(tie)
    if by_table or not isinstance(otherwise, str):
        return "player"
    return "push" if otherwise == "push" else "dealer"


def _compared(own: tuple[Card, ...], dealers: tuple[Card, ...]) -> int | None:
    """How the first of each compare, as an event; None where one is not known."""
    if not own or not dealers:
        return None
    mine, other = rank(own[0]), rank(dealers[0])
    return int(mine >= other) + int(mine > other)
