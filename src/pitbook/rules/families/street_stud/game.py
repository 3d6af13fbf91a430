"""Street-stud as a game: bets of antes, or bets pulled back, street by street."""

from __future__ import annotations

from functools import cached_property, lru_cache
from itertools import accumulate
from typing import Any, NamedTuple

from pitbook.cards import Card
from pitbook.hands.ranking import kind_of
from pitbook.money import Cents
from pitbook.rules.actions import FOLD, Play, bets, multiple
from pitbook.rules.families.street_stud.sheet import HAND_SIZE, Street, StreetStud
from pitbook.rules.game import Game, GameWager, Hand, Place, Seat, Stage
from pitbook.rules.refusals import Code, Refusal, refuse
from pitbook.rules.settlement_lines import (
    FOLDED,
    KindPay,
    Kinds,
    Line,
    Settlement,
    pay_by_kind,
    price_line,
    price_lines,
    return_wagers,
)
from pitbook.sheets.pay_tables import settles_after_fold
from pitbook.text.user_input import did_you_mean

_AT = {"hand": 0, "hole": 1, "community": 2}  # Position in a showdown.


class Showdown(NamedTuple):
    """The kinds that pay tables use; None if the cards are unknown or not needed."""

    hand: int | None
    hole: int | None
    community: int | None


_new_record = tuple.__new__  # Twice as fast as the constructor.


class StreetStudGame(Game):
    """A compiled street-stud sheet."""

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
        self.stages = _stages(hole, tuple(map(_street_key, sheet.streets)))
        sides = sheet.side.items()
        self.wager_rules = (
            GameWager("main", "hand", survives=False),
            *(GameWager(wager, side.looks_at, settles_after_fold(side)) for wager, side in sides),
        )
        self.equals = tuple(street.id for street in sheet.streets if street.pulls_back)
        self.board_always = bool(sheet.fold and sheet.fold.board_when_all_fold.value == "always")
        self.absent_clause = sheet.absent.clause
        self._pays = {wager: pay_by_kind(sheet, wager) for wager in ("main", *sheet.side)}
        if main_pays is not None:  # Trial payouts by hand.
            self._pays["main"] = self.trial_pays = main_pays
        self._main_pays, self._main_clause = self._pays["main"], sheet.main.clause
        self._looks = {wager: side.looks_at for wager, side in sheet.side.items()}
        self._survives = {wager: settles_after_fold(side) for wager, side in sheet.side.items()}
        self._side_clauses = {wager: side.clause for wager, side in sheet.side.items()}
        self._reads_hole = "hole" in self._looks.values()
        self._reads_community = "community" in self._looks.values()
        self._ace = ace
        self._stake_counted = sheet.payouts.stake_counted.value

    def unknown_play(self, stage: int, play: str) -> Refusal:
        """The refusal of an unknown play at a stage."""
        street = self.sheet.streets[stage]
        bets = [play for play in self.plays(stage) if not play.folds]
        times, largest = multiple(play), max(bets, key=lambda bet: bet.times)
        if times is not None and not street.pulls_back:
            if times > largest.times:
                return refuse(
                    Code.ABOVE_MAXIMUM,
                    "families.street-stud.above-most",
                    street.clause,
                    play=play,
                    most=largest,
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

    @cached_property
    def limits_bets(self) -> bool:
        """Whether `exceeded_clause` can refuse a play."""
        return any(stage.most is not None for stage in self.stages)

    def exceeded_clause(self, seat: Seat, stage: int, play: Play) -> str | None:
        """The clause violated if a bet is above the street's own maximum (GEN-11: usually none)."""
        street = self.stages[stage]
        if street.most is None:
            return None
        return street.clause if seat.cost(play) > street.most else None

    def absent_play(self, seat: Seat, stage: int) -> Play | None:
        """GEN-10: an absent player folds, or makes the smallest bet if the sheet says so."""
        fold = self.fold(stage)
        if fold and self.sheet.absent.value == "fold":
            return fold
        return next(play for play in self.plays(stage) if not play.folds)

    def looks_at_hand(self, seat: Seat) -> bool:
        """Whether a live wager of the seat uses its cards."""
        if seat.main and not seat.folded:
            return True
        return any(self._looks[wager] != "community" for wager in self._live(seat))

    def looks_at_board(self, seat: Seat) -> bool:
        """Whether a live wager of the seat uses the board."""
        if seat.main and not seat.folded:
            return True
        return any(self._looks[wager] != "hole" for wager in self._live(seat))

    def read(self, cards: tuple[Card, ...], *common: tuple[Card, ...]) -> Showdown:
        """The kinds that the sheet's wagers use."""
        (board,) = common
        hand = hole = community = None
        hand_known, board_known = len(cards) == self.hand_size, len(board) == self.board_size
        if hand_known and board_known:
            hand = kind_of(cards + board, ace=self._ace)
        if hand_known and self._reads_hole:
            hole = kind_of(cards, ace=self._ace)
        if board_known and self._reads_community:
            community = kind_of(board, ace=self._ace)
        return _new_record(Showdown, (hand, hole, community))

    def settle(self, seat: Seat, *common: tuple[Card, ...]) -> Settlement:
        """The hand's lines before any limit."""
        if seat.side or seat.folded:
            return super().settle(seat, *common)
        # Without side wagers only the five cards count.
        pay = self._main_pays[kind_of(seat.cards + common[0], ace=self._ace)]
        counted, clause = self._stake_counted, self._main_clause
        lines = price_lines(seat.main, pay, clause, stake_counted=counted)
        return _new_record(Settlement, (seat.number, tuple(lines)))

    def price(self, showdown: Any, seat: Seat) -> tuple[Line, ...]:
        """The line for each wager, before payout caps."""
        clause, pay = self._main_clause, FOLDED
        if seat.folded:
            assert self.sheet.fold is not None
            clause = self.sheet.fold.clause
        elif seat.main:
            pay = self._main_pays[showdown[0]]
        lines = price_lines(seat.main, pay, clause, stake_counted=self._stake_counted)
        for wager, stake in seat.side:
            lines.append(self._side_line(wager, stake, showdown, folded=seat.folded))
        return tuple(lines)

    def void(self, seat: Seat, clause: str) -> Settlement:
        """Return every wager, or only live ones if the sheet says so: wagers lost by a fold stay
        lost (GEN-6).
        """
        returns_all = self.sheet.irregularities.misdeal.returns == "every-wager"
        if returns_all or not seat.folded:
            return return_wagers(seat.number, seat.stakes, clause)
        assert self.sheet.fold is not None
        lost = [
            Line(wager, stake, "fold", "lose", None, Cents(0), self.sheet.fold.clause)
            for wager, stake in seat.main
        ]
        returned = []
        for wager, stake in seat.side:
            if self._survives[wager]:
                returned.append(Line(wager, stake, None, "void", None, Cents(0), clause))
            else:
                returned.append(self._lost_line(wager, stake))
        return Settlement(seat.number, (*lost, *returned))

    def with_pays(self, pays: tuple[KindPay, ...]) -> StreetStudGame:
        """The game with other payouts of ante and bets, by kind of hand."""
        return StreetStudGame(self.sheet, pays)

    def tucked_under(self, seat: Seat) -> str | None:
        """CMS-11, LAS-5, LAS-6: the live side wager under which folded cards are tucked."""
        tucks = self.sheet.fold.tucks_under if self.sheet.fold else None
        if tucks is None or not seat.folded:
            return None
        live = self._live(seat)
        return next((wager for wager in tucks.value if wager in live), None)

    def _side_line(self, wager: str, stake: Cents, showdown: Any, *, folded: bool) -> Line:
        if folded and not self._survives[wager]:
            return self._lost_line(wager, stake)
        kind = showdown[_AT[self._looks[wager]]]
        assert kind is not None
        pay = self._pays[wager][kind]
        clause = self._side_clauses[wager]
        return price_line(wager, stake, pay, clause, stake_counted=self._stake_counted)

    def _lost_line(self, wager: str, stake: Cents) -> Line:
        """The line of a side wager lost by a fold."""
        after_fold = self.sheet.side[wager].after_fold
        assert after_fold is not None
        return Line(wager, stake, "fold", "lose", None, Cents(0), after_fold.clause)

    def _live(self, seat: Seat) -> list[str]:
        return [wager for wager, _ in seat.side if not seat.folded or self._survives[wager]]


class StreetKey(NamedTuple):
    """The rules of a street that make its stage; cheaper to look up than the street."""

    id: str
    title: str
    clause: str
    reveals: int
    turned: str
    bet_max: Cents | None
    pulls_back: bool
    fold: bool
    bets: tuple[int, ...]


def _street_key(street: Street) -> StreetKey:
    reveals = street.reveals
    texts = (street.id, street.title, street.clause)
    bets = (street.pulls_back, street.fold, street.bets)
    return _new_record(StreetKey, (*texts, reveals.value, reveals.clause, street.bet_max, *bets))


@lru_cache(maxsize=64)  # Sheets with other pay tables share their stages.
def _stages(hole: int, streets: tuple[StreetKey, ...]) -> tuple[Stage, ...]:
    revealed = (0, *accumulate(street.reveals for street in streets))
    return tuple(
        Stage(
            street.id,
            street.title,
            street.clause,
            (hole, board_cards),
            _plays(street),
            most=street.bet_max,
            turned=street.turned,
        )
        for street, board_cards in zip(streets, revealed, strict=False)
    )


def _plays(street: StreetKey) -> tuple[Play, ...]:
    if street.pulls_back:
        return (Play("pull", takes=(street.id,)), Play("ride"))
    folds = (FOLD,) if street.fold else ()
    return (*folds, *(bets(street.id, times) for times in street.bets))
