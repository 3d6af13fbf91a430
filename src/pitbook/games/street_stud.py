"""Street-stud at the table: multiples of the ante bought street by street, paid by a pay table."""

from __future__ import annotations

import re
from typing import NamedTuple

from pitbook.cards import Card
from pitbook.engine.game import Areas, Bet, Seat, Stage
from pitbook.engine.refusals import Code, Refusal
from pitbook.engine.settlement import Line, Settlement, returned
from pitbook.games.bound import Bound
from pitbook.games.pricing import Pay, pay_by_kind, priced
from pitbook.hands.ranking import kind_of
from pitbook.money import Cents
from pitbook.sheets.findings import did_you_mean
from pitbook.sheets.model import MainWager
from pitbook.sheets.pays import settles_after_fold
from pitbook.sheets.street_stud import StreetStud

FOLD = Bet(None, Cents(0), folds=True)
FOLDED = Pay("fold", "lose", None)


class Showdown(NamedTuple):
    """The kinds that pay tables ask for; None where the cards are not known or not needed."""

    hand: int | None
    hole: int | None
    community: int | None


class StreetStudGame(Bound):
    """A street-stud sheet bound to its rules."""

    board_name = "community"
    one_by_one: str | None = None

    def __init__(self, sheet: StreetStud, main_pays: tuple[Pay, ...] | None = None) -> None:
        self.sheet: StreetStud = sheet
        self.main: tuple[str, MainWager] = ("ante", sheet.ante)
        self.hand_size = sheet.deal.hole.value
        self.board_size = sheet.community
        self.stages = tuple(
            Stage(one.id, one.title, one.reveals.value, one.clause) for one in sheet.streets
        )
        self.board_always = bool(sheet.fold and sheet.fold.board_when_all_fold.value == "always")
        self.absent_clause = sheet.absent.clause
        self._pays = {wager: pay_by_kind(sheet, wager) for wager in ("main", *sheet.side)}
        if main_pays is not None:  # Other pays tried out, hand by hand.
            self._pays["main"] = self.tried = main_pays
        self._plays: tuple[tuple[str, ...], ...] = tuple(
            (*(("fold",) if one.fold else ()), *(f"{times}x" for times in one.bets))
            for one in sheet.streets
        )
        self._times = {f"{n}x": n for one in sheet.streets for n in one.bets}
        self._looks = {wager: side.looks_at for wager, side in sheet.side.items()}
        self._survives = {wager: settles_after_fold(side) for wager, side in sheet.side.items()}
        self._needed = set(self._looks.values())
        self._ace = sheet.payouts.ace_in_straights.value
        self._stake_counted = sheet.payouts.stake_counted.value

    def plays(self, stage: int) -> tuple[str, ...]:
        """Every play that the sheet knows at a stage."""
        return self._plays[stage]

    def no_play(self, stage: int, play: str) -> Refusal:
        """Why a word is no play at a stage."""
        street = self.sheet.streets[stage]
        if re.fullmatch(r"[0-9]{1,9}x", play):
            most = f"{max(street.bets)}x"
            if int(play[:-1]) > max(street.bets):
                message = f"{play} is more than {most}, the most for the {street.title}"
                return Refusal(Code.ABOVE_MAXIMUM, message, street.clause)
            message = (
                f"{play} is no bet here; the {street.title} is {' or '.join(self._plays[stage])}"
            )
            return Refusal(Code.UNKNOWN_PLAY, message, street.clause)
        message = f'"{play}" is no play here; {did_you_mean(play, self._plays[stage])}'
        return Refusal(Code.UNKNOWN_PLAY, message, street.clause)

    def bet(self, seat: Seat, stage: int, play: str) -> Bet:
        """What a play costs: a multiple of the ante."""
        if play == "fold":
            return FOLD
        times = self._times[play]
        wager = self.stages[stage].id if times else None
        return Bet(wager, Cents(seat.main[0][1] * times), folds=False)

    def too_much(self, seat: Seat, stage: int, play: str) -> str | None:
        """The clause by which a bet is above the street's own maximum (GEN-11: usually none)."""
        street = self.sheet.streets[stage]
        if street.bet_max is None or play == "fold":
            return None
        above = self.bet(seat, stage, play).amount > street.bet_max
        return str(street.clause) if above else None

    def absent_play(self, seat: Seat, stage: int) -> str | None:
        """GEN-10: an absent player folds, or makes the smallest bet where the sheet says so."""
        plays = self._plays[stage]
        if "fold" in plays and self.sheet.absent.value == "fold":
            return "fold"
        return next(play for play in plays if play != "fold")

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

    def read(self, cards: tuple[Card, ...], board: tuple[Card, ...]) -> Showdown:
        """The kinds that the sheet's wagers ask for."""
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

    def price(self, showdown: Showdown, seat: Seat) -> tuple[Line, ...]:
        """Every wager's line, before limits."""
        lines = []
        counted, clause = self._stake_counted, self.sheet.main.clause
        pay = FOLDED
        if seat.folded:
            assert self.sheet.fold is not None
            clause = self.sheet.fold.clause
        elif seat.main:
            assert showdown.hand is not None
            pay = self._pays["main"][showdown.hand]
        for wager, stake in seat.main:
            lines.append(priced(wager, stake, pay, clause, stake_counted=counted))
        for wager, stake in seat.side:
            lines.append(self._side_line(wager, stake, showdown, folded=seat.folded))
        return tuple(lines)

    def settle(self, seat: Seat, board: tuple[Card, ...]) -> Settlement:
        """The hand's lines before any limit: its cards read, then its wagers priced."""
        return Settlement(seat.number, self.price(self.read(seat.cards, board), seat))

    def void(self, seat: Seat, clause: str) -> Settlement:
        """Every wager returns; where only live ones do, those lost by a fold stay lost (GEN-6)."""
        everything = self.sheet.irregularities.misdeal.returns == "every-wager"
        if everything or not seat.folded:
            return returned(seat.number, seat.stakes, clause)
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
                back.append(self._side_line(wager, stake, Showdown(None, None, None), folded=True))
        return Settlement(seat.number, (*lost, *back))

    def tucked_under(self, seat: Seat) -> str | None:
        """CMS-11, LAS-5, LAS-6: a live side wager that the folded cards are tucked under."""
        tucks = self.sheet.fold.tucks_under if self.sheet.fold else None
        if tucks is None or not seat.folded:
            return None
        live = self._live(seat)
        return next((wager for wager in tucks.value if wager in live), None)

    def board_told(self, board: tuple[Card, ...]) -> str | None:
        """Community cards speak for themselves."""
        return None

    def board_areas(self, board: tuple[Card, ...]) -> Areas | None:
        """They lie in one row."""
        return None

    def points_of(self, hand: tuple[Card, ...]) -> tuple[int, int] | None:
        """Hands are ranked here, not counted."""
        return None

    def _side_line(self, wager: str, stake: Cents, showdown: Showdown, *, folded: bool) -> Line:
        side = self.sheet.side[wager]
        if folded and not self._survives[wager]:
            assert side.after_fold is not None
            return Line(wager, stake, "fold", "lose", None, Cents(0), side.after_fold.clause)
        looks = self._looks[wager]
        kind = {"hand": showdown.hand, "hole": showdown.hole, "community": showdown.community}[
            looks
        ]
        assert kind is not None
        pay = self._pays[wager][kind]
        return priced(wager, stake, pay, side.clause, stake_counted=self._stake_counted)

    def _live(self, seat: Seat) -> list[str]:
        return [wager for wager, _ in seat.side if not seat.folded or self._survives[wager]]
