"""The state of one round. Cards that are not turned are not in it."""

from __future__ import annotations

from typing import Literal, NamedTuple

from pitbook.cards import Card
from pitbook.money import Cents
from pitbook.rules.actions import BOARD, PLACES, PlaceNumber
from pitbook.rules.game import Game, Seat, compile_game
from pitbook.rules.named_tuples import fast_replace, replacer
from pitbook.rules.settlement import AppliedCap, Line, Settlement
from pitbook.sheets.model import Sheet
from pitbook.text import say

Phase = Literal["wagers", "deal", "play", "settle", "over"]
Ending = Literal["settled", "misdeal", "dead"]


class Note(NamedTuple):
    """Something for the record that moved no money by itself."""

    what: str
    clause: str | None = None


class Pile(NamedTuple):
    """A place in common: how many cards lie there, and those that are named."""

    laid: int
    cards: tuple[Card, ...]


@fast_replace
class Round(NamedTuple):
    """The state after some actions; `step` gives the next one."""

    game: Game
    phase: Phase = "wagers"
    seats: tuple[Seat, ...] = ()
    to_deal: tuple[PlaceNumber, ...] = ()
    board_laid: int = 0
    board: tuple[Card, ...] = ()
    stage: int = 0
    to_settle: tuple[tuple[int, tuple[str, ...]], ...] = ()
    steps_settled: int = 0
    paid: tuple[tuple[int, Line], ...] = ()  # Settled at once: these results stand.
    settlements: tuple[Settlement, ...] = ()
    bites: tuple[AppliedCap, ...] = ()
    ending: Ending | None = None
    notes: tuple[Note, ...] = ()
    more: tuple[Pile, ...] = ()  # Places in common after the board.

    def seat(self, number: int) -> Seat | None:
        """The seat of that number, if it is played."""
        for seat in self.seats:
            if seat.number == number:
                return seat
        return None

    def with_seat(self, seat: Seat) -> Round:
        """The round with one seat changed."""
        return _with_seats(self, self.seats_with(seat))

    def seats_with(self, seat: Seat) -> tuple[Seat, ...]:
        """The seats with one of them changed."""
        if len(self.seats) == 1:
            return (seat,)
        number = seat.number
        return tuple([seat if one.number == number else one for one in self.seats])

    def noted(self, what: str, clause: str | None = None) -> Round:
        """The round with a line for the record."""
        return self._replace(notes=(*self.notes, Note(what, clause)))

    @property
    def results(self) -> tuple[tuple[int, Line], ...]:
        """Every line that has its result so far, with its seat."""
        if self.phase != "over":
            return self.paid
        return tuple((hand.seat, line) for hand in self.settlements for line in hand.lines)

    @property
    def keeps_wagers(self) -> bool:
        """Whether the house keeps wagers that were not settled before the round was void."""
        settled = set(self.paid)
        return any(
            line.result != "void" for seat, line in self.results if (seat, line) not in settled
        )

    def put_by(self, seat: Seat) -> tuple[tuple[str, Cents], ...]:
        """The wagers that a player put; those that are as high as the main one came along."""
        equals = self.game.equals
        return tuple(one for one in seat.stakes if one[0] not in equals) if equals else seat.stakes

    def open_stakes(self, seat: Seat) -> tuple[tuple[str, Cents], ...]:
        """The wagers of a seat that have no result yet."""
        done = {line.wager for number, line in self.results if number == seat.number}
        return tuple(one for one in seat.stakes if one[0] not in done)

    @property
    def waiting(self) -> tuple[int, ...]:
        """The seats that have still to decide at this stage."""
        if self.phase != "play":
            return ()
        stage = self.stage
        return tuple([seat.number for seat in self.seats if seat.decides_at(stage)])

    @property
    def waits(self) -> bool:
        """Whether a seat has still to decide at this stage."""
        stage = self.stage
        for seat in self.seats:  # Asked after every step: any() and a call cost twice it.
            if len(seat.plays) == stage and not seat.folded and seat.void is None:
                return True
        return False

    @property
    def common(self) -> tuple[tuple[Card, ...], ...]:
        """The named cards of every place in common."""
        return (self.board, *(pile.cards for pile in self.more)) if self.more else (self.board,)

    @property
    def piles(self) -> tuple[Pile, ...]:
        """Every place in common, the board first."""
        return (Pile(self.board_laid, self.board), *self.more)

    def with_pile(
        self, place: PlaceNumber, *, laid: int = 0, cards: tuple[Card, ...] = ()
    ) -> Round:
        """The round with so many more cards laid at a place in common, and these named there."""
        if place == BOARD:
            return _with_piles(self, self.board_laid + laid, (*self.board, *cards))
        more = list(self.more)
        was = more[-place - 1]
        more[-place - 1] = Pile(was.laid + laid, (*was.cards, *cards))
        return self._replace(more=tuple(more))

    @property
    def hidden(self) -> tuple[PlaceNumber, ...]:
        """Places where a card still lies unnamed."""
        common = [-at for at, pile in enumerate(self.piles) if len(pile.cards) < pile.laid]
        seats = [seat.number for seat in self.seats if len(seat.cards) < seat.laid]
        return (*common, *seats)

    def copies(self, card: Card) -> int:
        """How often a card has been named so far."""
        found = self.board.count(card)
        for seat in self.seats:
            found += seat.cards.count(card)
        for pile in self.more:
            found += pile.cards.count(card)
        return found


_with_seats = replacer(Round, "seats")
_with_piles = replacer(Round, "board_laid", "board")


def new_round(game: Game) -> Round:
    """A round of a compiled game, before any bet."""
    if game.straight:
        return Round(game)
    if len(game.places) - 1 > len(PLACES):
        most = len(PLACES)
        raise ValueError(say("engine.round.places", most=most))
    return Round(game, stage=-1, more=(Pile(0, ()),) * (len(game.places) - 2))


def open_round(sheet: Sheet) -> Round:
    """A round of a sheet, before any bet."""
    return new_round(compile_game(sheet))
