"""The state of one round. It never contains face-down cards."""

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
    """A note on the record, without effect on money."""

    what: str
    clause: str | None = None


class Pile(NamedTuple):
    """A shared place: how many cards were dealt there, and those that are named."""

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
    paid: tuple[tuple[int, Line], ...] = ()  # Results settled with `at_once`; they stand.
    settlements: tuple[Settlement, ...] = ()
    bites: tuple[AppliedCap, ...] = ()
    ending: Ending | None = None
    notes: tuple[Note, ...] = ()
    more: tuple[Pile, ...] = ()  # Shared places after the board.

    def seat(self, number: int) -> Seat | None:
        """The seat with that number, if it is played."""
        for seat in self.seats:
            if seat.number == number:
                return seat
        return None

    def with_seat(self, seat: Seat) -> Round:
        """The round with one seat replaced."""
        return _with_seats(self, self.seats_with(seat))

    def seats_with(self, seat: Seat) -> tuple[Seat, ...]:
        """The seats with one of them replaced."""
        if len(self.seats) == 1:
            return (seat,)
        number = seat.number
        return tuple([seat if other.number == number else other for other in self.seats])

    def with_note(self, what: str, clause: str | None = None) -> Round:
        """The round with a note added."""
        return self._replace(notes=(*self.notes, Note(what, clause)))

    @property
    def results(self) -> tuple[tuple[int, Line], ...]:
        """Every line with a result so far, with its seat."""
        if self.phase != "over":
            return self.paid
        return tuple((hand.seat, line) for hand in self.settlements for line in hand.lines)

    @property
    def keeps_wagers(self) -> bool:
        """Whether a void round still takes wagers that were not settled before."""
        settled = set(self.paid)
        return any(
            line.result != "void" for seat, line in self.results if (seat, line) not in settled
        )

    def placed_wagers(self, seat: Seat) -> tuple[tuple[str, Cents], ...]:
        """The wagers a player placed, without those placed automatically with the main one."""
        equals = self.game.equals
        return (
            tuple(wager_stake for wager_stake in seat.stakes if wager_stake[0] not in equals)
            if equals
            else seat.stakes
        )

    def open_stakes(self, seat: Seat) -> tuple[tuple[str, Cents], ...]:
        """The wagers of a seat without a result so far."""
        settled = {line.wager for number, line in self.results if number == seat.number}
        return tuple(wager_stake for wager_stake in seat.stakes if wager_stake[0] not in settled)

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
        for seat in self.seats:  # Hot path: any() with a method call takes twice as long.
            if len(seat.plays) == stage and not seat.folded and seat.void is None:
                return True
        return False

    @property
    def common(self) -> tuple[tuple[Card, ...], ...]:
        """The named cards of every shared place."""
        return (self.board, *(pile.cards for pile in self.more)) if self.more else (self.board,)

    @property
    def piles(self) -> tuple[Pile, ...]:
        """Every shared place, the board first."""
        return (Pile(self.board_laid, self.board), *self.more)

    def with_pile(
        self, place: PlaceNumber, *, dealt: int = 0, cards: tuple[Card, ...] = ()
    ) -> Round:
        """The round with further cards dealt, and named, at a shared place."""
        if place == BOARD:
            return _with_piles(self, self.board_laid + dealt, (*self.board, *cards))
        other_piles = list(self.more)
        pile = other_piles[-place - 1]
        other_piles[-place - 1] = Pile(pile.laid + dealt, (*pile.cards, *cards))
        return self._replace(more=tuple(other_piles))

    @property
    def hidden(self) -> tuple[PlaceNumber, ...]:
        """Places with a card that is not named yet."""
        common = [
            -index
            for index, place_pile in enumerate(self.piles)
            if len(place_pile.cards) < place_pile.laid
        ]
        seats = [seat.number for seat in self.seats if len(seat.cards) < seat.laid]
        return (*common, *seats)

    def copies(self, card: Card) -> int:
        """How often a card has been named so far."""
        count = self.board.count(card)
        for seat in self.seats:
            count += seat.cards.count(card)
        for pile in self.more:
            count += pile.cards.count(card)
        return count


_with_seats = replacer(Round, "seats")
_with_piles = replacer(Round, "board_laid", "board")


def new_round(game: Game) -> Round:
    """A round of a compiled game, before any bet."""
    if game.straight:
        return Round(game)
    if len(game.places) - 1 > len(PLACES):
        places_max = len(PLACES)
        raise ValueError(say("engine.round.places", most=places_max))
    return Round(game, stage=-1, more=(Pile(0, ()),) * (len(game.places) - 2))


def open_round(sheet: Sheet) -> Round:
    """A round of a sheet, before any bet."""
    return new_round(compile_game(sheet))
