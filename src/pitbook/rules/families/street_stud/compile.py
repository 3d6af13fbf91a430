"""Street-stud at the table: multiples of the ante bought, or bets taken back, street by street."""

from __future__ import annotations

from itertools import accumulate
from typing import Any, NamedTuple

from pitbook.cards import Card
from pitbook.hands.ranking import kind_of
from pitbook.money import Cents
from pitbook.rules.families.street_stud.sheet import HAND_SIZE, Street, StreetStud
from pitbook.rules.game import Game, GameWager, Hand, Place, Seat, Stage
from pitbook.rules.plays import FOLD, Play, bets, multiple
from pitbook.rules.pricing import FOLDED, KindPay, Kinds, pay_by_kind, price_line
from pitbook.rules.refusals import Code, Refusal, refuse
from pitbook.rules.settlement import Line, Settlement, return_line
from pitbook.sheets.findings import did_you_mean
from pitbook.sheets.pay_tables import settles_after_fold

_AT = {"hand": 0, "hole": 1, "community": 2}  # In a showdown.


class Showdown(NamedTuple):
    """The kinds that pay tables ask for; None where the cards are not known or not needed."""

    hand: int | None
    hole: int | None
    community: int | None


class StreetStudGame(Game):
    """A street-stud sheet bound to its rules."""

    sheet: StreetStud

    def __init__(self, sheet: StreetStud, main_pays: tuple[KindPay, ...] | None = None) -> None:
        self.sheet = sheet
        hole, ace = sheet.deal.hole.value, sheet.payouts.ace_in_straights.value
        self.places = (
            Place("hole", "hole", hole),
            Place("community", "community", sheet.community),
        )
        self.hands = (
            Hand("hand", (0, 1), Kinds(HAND_SIZE, ace)),
            Hand("hole", (0,), Kinds(hole, ace)),
            Hand("community", (1,), Kinds(sheet.community, ace)),
        )
        turned = (0, *accumulate(one.reveals.value for one in sheet.streets))
        self.stages = tuple(
            Stage(
                one.id,
                one.title,
                one.clause,
                (hole, opened),
                _plays(one),
                most=one.bet_max,
                turned=one.reveals.clause,
            )
            for one, opened in zip(sheet.streets, turned, strict=False)
        )
        sides = sheet.side.items()
        self.asked = (
            GameWager("main", "hand", survives=False),
            *(GameWager(wager, side.looks_at, settles_after_fold(side)) for wager, side in sides),
        )
        self.equals = tuple(one.id for one in sheet.streets if one.pulls_back)
        self.board_always = bool(sheet.fold and sheet.fold.board_when_all_fold.value == "always")
        self.absent_clause = sheet.absent.clause
        self._pays = {wager: pay_by_kind(sheet, wager) for wager in ("main", *sheet.side)}
        if main_pays is not None:  # Other pays tried out, hand by hand.
            self._pays["main"] = self.tried = main_pays
        self._looks = {wager: side.looks_at for wager, side in sheet.side.items()}
        self._survives = {wager: settles_after_fold(side) for wager, side in sheet.side.items()}
        self._needed = set(self._looks.values())
        self._ace = ace
        self._stake_counted = sheet.payouts.stake_counted.value

    def no_play(self, stage: int, play: str) -> Refusal:
        """Why a word is no play at a stage."""
        street = self.sheet.streets[stage]
        made = [one for one in self.plays(stage) if not one.folds]
        times, most = multiple(play), max(made, key=lambda one: one.times)
        if times is not None and not street.pulls_back:
            if times > most.times:
                return refuse(
                    Code.ABOVE_MAXIMUM,
                    "families.street-stud.above-most",
                    street.clause,
                    play=play,
                    most=most,
                    title=street.title,
                )
            return refuse(
                Code.UNKNOWN_PLAY,
                "families.street-stud.no-bet",
                street.clause,
                play=play,
                title=street.title,
                plays=self.plays(stage),
            )
        key, remedy = "families.street-stud.no-play", did_you_mean(play, self.plays(stage))
        return refuse(Code.UNKNOWN_PLAY, key, street.clause, play=play, remedy=remedy)

    def too_much(self, seat: Seat, stage: int, play: Play) -> str | None:
        """The clause by which a bet is above the street's own maximum (GEN-11: usually none)."""
        street = self.stages[stage]
        above = street.most is not None and seat.cost(play) > street.most
        return street.clause if above else None

    def absent_play(self, seat: Seat, stage: int) -> Play | None:
        """GEN-10: an absent player folds, or makes the smallest bet where the sheet says so."""
        fold = self.fold(stage)
        if fold and self.sheet.absent.value == "fold":
            return fold
        return next(play for play in self.plays(stage) if not play.folds)

    def looks_at_hand(self, seat: Seat) -> bool:
        """Whether a live wager of the seat looks at its cards."""
        if seat.main and not seat.folded:
            return True
        return any(self._looks[wager] != "community" for wager in self._live(seat))

    def looks_at_board(self, seat: Seat) -> bool:
        """Whether a live wager of the seat looks at the board."""
        if seat.main and not seat.folded:
            return True
        return any(self._looks[wager] != "hole" for wager in self._live(seat))

    def read(self, cards: tuple[Card, ...], *common: tuple[Card, ...]) -> Showdown:
        """The kinds that the sheet's wagers ask for."""
        (board,) = common
        hand = hole = community = None
        ace, needed = self._ace, self._needed
        own, whole = len(cards) == self.hand_size, len(board) == self.board_size
        if own and whole:
            hand = kind_of(cards + board, ace=ace)
        if own and "hole" in needed:
            hole = kind_of(cards, ace=ace)
        if whole and "community" in needed:
            community = kind_of(board, ace=ace)
        return Showdown(hand, hole, community)

    def price(self, showdown: Any, seat: Seat) -> tuple[Line, ...]:
        """Every wager's line, before limits."""
        lines = []
        counted, clause = self._stake_counted, self.sheet.main.clause
        pay = FOLDED
        if seat.folded:
            assert self.sheet.fold is not None
            clause = self.sheet.fold.clause
        elif seat.main:
            hand = showdown[0]
            assert hand is not None
            pay = self._pays["main"][hand]
        for wager, stake in seat.main:
            lines.append(price_line(wager, stake, pay, clause, stake_counted=counted))
        for wager, stake in seat.side:
            lines.append(self._side_line(wager, stake, showdown, folded=seat.folded))
        return tuple(lines)

    def void(self, seat: Seat, clause: str) -> Settlement:
        """Every wager returns; where only live ones do, those lost by a fold stay lost (GEN-6)."""
        everything = self.sheet.irregularities.misdeal.returns == "every-wager"
        if everything or not seat.folded:
            return return_line(seat.number, seat.stakes, clause)
        assert self.sheet.fold is not None
        lost = [
            Line(wager, stake, "fold", "lose", None, Cents(0), self.sheet.fold.clause)
            for wager, stake in seat.main
        ]
        back = []
        for wager, stake in seat.side:
            if self._survives[wager]:
                back.append(Line(wager, stake, None, "void", None, Cents(0), clause))
            else:
                back.append(self._lost(wager, stake))
        return Settlement(seat.number, (*lost, *back))

    def with_pays(self, pays: tuple[KindPay, ...]) -> StreetStudGame:
        """The game with other pays of ante and bets, by kind of hand."""
        return StreetStudGame(self.sheet, pays)

    def tucked_under(self, seat: Seat) -> str | None:
        """CMS-11, LAS-5, LAS-6: a live side wager that the folded cards are tucked under."""
        tucks = self.sheet.fold.tucks_under if self.sheet.fold else None
        if tucks is None or not seat.folded:
            return None
        live = self._live(seat)
        return next((wager for wager in tucks.value if wager in live), None)

    def _side_line(self, wager: str, stake: Cents, showdown: Any, *, folded: bool) -> Line:
        if folded and not self._survives[wager]:
            return self._lost(wager, stake)
        kind = showdown[_AT[self._looks[wager]]]
        assert kind is not None
        pay = self._pays[wager][kind]
        clause = self.sheet.side[wager].clause
        return price_line(wager, stake, pay, clause, stake_counted=self._stake_counted)

    def _lost(self, wager: str, stake: Cents) -> Line:
        """The line of a side wager that a fold takes."""
        after_fold = self.sheet.side[wager].after_fold
        assert after_fold is not None
        return Line(wager, stake, "fold", "lose", None, Cents(0), after_fold.clause)

    def _live(self, seat: Seat) -> list[str]:
        return [wager for wager, _ in seat.side if not seat.folded or self._survives[wager]]


def _plays(street: Street) -> tuple[Play, ...]:
    if street.pulls_back:
        return (Play("pull", takes=(street.id,)), Play("ride"))
    folds = (FOLD,) if street.fold else ()
    return (*folds, *(bets(street.id, times) for times in street.bets))
