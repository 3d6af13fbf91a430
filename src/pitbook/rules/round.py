"""The state of one round, and the draft that actions change."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

from pitbook.cards import Card
from pitbook.money import Cents
from pitbook.rules.actions import BOARD, PLACES, PlaceNumber
from pitbook.rules.game import Game, Seat, SettleOrder, compile_game
from pitbook.rules.settlement_lines import AppliedCap, Line, Settlement
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

    cards_dealt: int
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Round:
    """The state after some actions; `step` gives the next one."""

    game: Game
    phase: Phase = "wagers"
    seats: tuple[Seat, ...] = ()
    to_deal: tuple[PlaceNumber, ...] = ()
    board_laid: int = 0
    board: tuple[Card, ...] = ()
    stage: int = 0
    to_settle: SettleOrder = ()
    steps_settled: int = 0
    paid: tuple[tuple[int, Line], ...] = ()  # Results settled with `at_once`; they stand.
    settlements: tuple[Settlement, ...] = ()
    applied_caps: tuple[AppliedCap, ...] = ()
    ending: Ending | None = None
    notes: tuple[Note, ...] = ()
    more: tuple[Pile, ...] = ()  # Shared places after the board.

    def seat(self, number: int) -> Seat | None:
        """The seat with that number, if it is played."""
        for seat in self.seats:
            if seat.number == number:
                return seat
        return None

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

    def waits(self) -> bool:
        """Whether a seat still has to decide at this stage."""
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

    @property
    def hidden(self) -> tuple[PlaceNumber, ...]:
        """Places with a card that is not named yet."""
        common = [
            -index
            for index, place_pile in enumerate(self.piles)
            if len(place_pile.cards) < place_pile.cards_dealt
        ]
        seats = [seat.number for seat in self.seats if len(seat.cards) < seat.cards_dealt]
        return (*common, *seats)

    def copies(self, card: Card) -> int:
        """How often a card has been named so far."""
        count = self.board.count(card)
        for seat in self.seats:
            count += seat.cards.count(card)
        for pile in self.more:
            count += pile.cards.count(card)
        return count


class RoundDraft(Round):
    """A copy of a round, changed in place by actions and then frozen."""

    __slots__ = ()
    __setattr__ = object.__setattr__
    __delattr__ = object.__delattr__  # CPython writes slowly unless both are its own.

    phase: Phase
    seats: tuple[Seat, ...]
    to_deal: tuple[PlaceNumber, ...]
    board_laid: int
    board: tuple[Card, ...]
    stage: int
    to_settle: SettleOrder
    steps_settled: int
    paid: tuple[tuple[int, Line], ...]
    settlements: tuple[Settlement, ...]
    applied_caps: tuple[AppliedCap, ...]
    ending: Ending | None
    notes: tuple[Note, ...]
    more: tuple[Pile, ...]

    def set_seat(self, seat: Seat) -> None:
        """Replace the seat with the same number."""
        seats, number = self.seats, seat.number
        if len(seats) == 1:
            self.seats = (seat,)
            return
        for index, other in enumerate(seats):
            if other.number == number:
                self.seats = (*seats[:index], seat, *seats[index + 1 :])
                return

    def add_note(self, note: str, clause: str | None = None) -> None:
        self.notes = (*self.notes, Note(note, clause))

    def deal_to_pile(self, place: PlaceNumber) -> None:
        """Deal a card face down to a shared place."""
        if place == BOARD:
            self.board_laid += 1
        else:
            pile = self.more[-place - 1]
            self._set_pile(place, Pile(pile.cards_dealt + 1, pile.cards))

    def name_in_pile(self, place: PlaceNumber, card: Card) -> None:
        """Name the next face-down card of a shared place."""
        if place == BOARD:
            self.board = (*self.board, card)
        else:
            pile = self.more[-place - 1]
            self._set_pile(place, Pile(pile.cards_dealt, (*pile.cards, card)))

    def _set_pile(self, place: PlaceNumber, pile: Pile) -> None:
        piles = list(self.more)
        piles[-place - 1] = pile
        self.more = tuple(piles)

    def freeze(self) -> Round:
        """This round, read-only from now on."""
        self.__class__ = Round  # type: ignore[assignment]
        return self


_new_draft = object.__new__


def draft_of(round: Round) -> RoundDraft:
    """A copy that can be changed."""
    draft = _new_draft(RoundDraft)
    draft.game = round.game  # type: ignore[misc]
    draft.phase = round.phase
    draft.seats = round.seats
    draft.to_deal = round.to_deal
    draft.board_laid = round.board_laid
    draft.board = round.board
    draft.stage = round.stage
    draft.to_settle = round.to_settle
    draft.steps_settled = round.steps_settled
    draft.paid = round.paid
    draft.settlements = round.settlements
    draft.applied_caps = round.applied_caps
    draft.ending = round.ending
    draft.notes = round.notes
    draft.more = round.more
    return draft


def new_round(game: Game) -> Round:
    """A round of a compiled game, before any bet."""
    if game.is_linear:
        return Round(game)
    if len(game.places) - 1 > len(PLACES):
        places_max = len(PLACES)
        raise ValueError(say("engine.round.places", most=places_max))
    return Round(game, stage=-1, more=(Pile(0, ()),) * (len(game.places) - 2))


def open_round(sheet: Sheet) -> Round:
    """A round of a sheet, before any bet."""
    return new_round(compile_game(sheet))
