"""The state of one round, and what it waits for next."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

from pitbook.cards import Card
from pitbook.money import Cents
from pitbook.rules.actions import BOARD, PASSED, PLACES, Absent, Action, Decide, PlaceNumber, Turn
from pitbook.rules.game import Game, Seat, SettleOrder, compile_game
from pitbook.rules.refusals import Code, Refusal, refuse
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


# What a round waits for next: a card, a decision or a payment.


def advance(round: RoundDraft) -> None:
    """Skip stages without pending decisions, up to the next decision, card or settlement."""
    if not round.game.is_linear:
        _advance_general(round)
        return
    turned_by = round.game.turned_by
    while not round.waits():
        if len(round.board) < turned_by[round.stage]:
            if not needs_board(round):
                start_settlement(round)
            return
        if round.stage + 1 == len(turned_by):
            start_settlement(round)
            return
        round.stage += 1


def advance_after_card(round: RoundDraft) -> None:
    """Advance after a seat's card is named, which may decide whether a stage reaches the seat."""
    if round.phase == "play":
        advance(round)


def next_turn(round: Round) -> PlaceNumber | None:
    """The shared place whose next card is to be turned now, if any."""
    return None if round.waits() else next_turn_unchecked(round)


def next_named(round: Round) -> tuple[PlaceNumber, int] | None:
    """Where a card is named next, and how many are named there already."""
    for seat in round.seats:
        if len(seat.cards) < seat.cards_dealt:
            return seat.number, len(seat.cards)
    place = next_turn(round)
    return None if place is None else (place, len(round.piles[-place].cards))


def next_turn_unchecked(round: Round) -> PlaceNumber | None:
    """`next_turn` without checking for pending decisions."""
    if round.phase != "play":
        return None
    if round.game.is_linear:
        return BOARD
    for index, (pile, target) in enumerate(zip(round.piles, _open_targets(round), strict=True)):
        if len(pile.cards) < min(target, pile.cards_dealt):
            return -index
    return None


# Games whose stages are skipped, or open and deal cards of their own.


def _advance_general(round: RoundDraft) -> None:
    """`advance` for any game; `stage` is the last stage with open cards, -1 before the first."""
    last = len(round.game.stages) - 1
    while not round.waits():
        if round.stage == last:
            closed = any(len(pile.cards) < pile.cards_dealt for pile in round.piles)
            if not closed or not needs_board(round):
                start_settlement(round)
            return
        seats = _seats_reached(round)
        if seats is None:
            return  # The cards must be named first.
        if not seats:
            _begin_stage(round, ())
            continue
        if order := _deal_places(round, seats):
            round.phase, round.to_deal = "deal", order
            return
        if any(map(_has_closed_card, round.piles, _open_targets(round))):
            if not needs_board(round):
                start_settlement(round)
            return
        _begin_stage(round, seats)


def _seats_reached(round: Round) -> tuple[int, ...] | None:
    """The seats that the next stage reaches; None while closed cards decide that."""
    game, stage = round.game, round.stage + 1
    when = game.stages[stage].when
    reached = []
    for seat in round.seats:
        if seat.folded or seat.void is not None or not seat.main:
            continue
        if when is not None and game.hand_value(when.hand, seat, *round.common) is None:
            return _undecided_seats(round)
        if game.reaches(stage, seat, *round.common):
            reached.append(seat.number)
    return tuple(reached)


def _undecided_seats(round: Round) -> tuple[int, ...] | None:
    """All live seats while shared cards are to be turned; None if only own cards are missing."""
    if any(map(_has_closed_card, round.piles, _open_targets(round))):
        return tuple(seat.number for seat in round.seats if not seat.folded and seat.void is None)
    return None


def _open_targets(round: Round) -> tuple[int, ...]:
    """By shared place, how many cards are open before the next stage, or at the end."""
    next_stage = round.stage + 1
    if next_stage == len(round.game.stages):
        return tuple(pile.cards_dealt for pile in round.piles)
    return round.game.stages[next_stage].opens[1:]


def _has_closed_card(pile: tuple[int, tuple[int, ...]], target: int) -> bool:
    return len(pile[1]) < target


def _begin_stage(round: RoundDraft, reached: tuple[int, ...]) -> None:
    """Begin the next stage; seats that it does not reach, or without a choice, pass."""
    round.stage += 1
    has_choice = bool(round.game.stages[round.stage].plays)
    round.seats = tuple(
        seat
        if seat.folded
        or seat.void is not None
        or not seat.main
        or (has_choice and seat.number in reached)
        else seat._replace(plays=(*seat.plays, PASSED))
        for seat in round.seats
    )


def _deal_places(round: Round, reached: tuple[int, ...]) -> tuple[PlaceNumber, ...]:
    """Where further cards are dealt before the next stage: to its seats, and to shared places."""
    opens = round.game.stages[round.stage + 1].opens
    seats = [seat for seat in round.seats if seat.number in reached]
    if round.game.sheet.deal.direction == "right-to-left":
        seats.reverse()
    hole_cards = [seat.number for seat in seats for _ in range(opens[0] - seat.cards_dealt)]
    common = [
        -index
        for index, (pile, target) in enumerate(zip(round.piles, opens[1:], strict=True))
        for _ in range(target - pile.cards_dealt)
    ]
    first = round.game.sheet.deal.order[0] == "players"
    return (*hole_cards, *common) if first else (*common, *hole_cards)


# The end of play.


def needs_board(round: Round) -> bool:
    """Whether the rest of the board is turned (GEN-5)."""
    game, has_live_hand = round.game, False
    straight = game.is_linear
    for seat in round.seats:
        if seat.void is None:
            if straight and not seat.folded:
                return True
            if not game.certain(seat, *round.common):
                return True
            has_live_hand = True
    return has_live_hand and game.board_always


def start_settlement(round: RoundDraft) -> None:
    """Enter the settling phase, with the order of settlement."""
    round.phase = "settle"
    wagers_by_seat = tuple(
        [(seat.number, tuple([wager for wager, _ in seat.side])) for seat in round.seats]
    )
    order_cache = round.game.orders
    if wagers_by_seat not in order_cache:
        order_cache[wagers_by_seat] = _order(round.game, wagers_by_seat)
    round.to_settle = order_cache[wagers_by_seat]


def _order(game: Game, wagers_by_seat: tuple[tuple[int, tuple[str, ...]], ...]) -> SettleOrder:
    """The order of settlement by passes and seats."""
    rule = game.sheet.settlement
    seats = wagers_by_seat if rule.direction == "left-to-right" else wagers_by_seat[::-1]
    return tuple(
        (number, group)
        for group in rule.passes
        for number, side in seats
        if "main" in group or any(wager in group for wager in side)
    )


def earlier_spot(round: Round, number: int) -> int | None:
    """The spot that the same player has to play before this one's cards are seen, if any."""
    seat = round.seat(number)
    if round.game.one_by_one is None or seat is None:
        return None
    player_spots = [
        other_number
        for other_number in round.waiting
        if _player_at(round, other_number) == seat.player
    ]
    if round.game.sheet.deal.direction == "right-to-left":
        player_spots.reverse()
    return player_spots[0] if player_spots and player_spots[0] != number else None


def refuse_too_soon(round: Round, action: Action) -> Refusal | None:
    """The refusal of an action on a spot whose turn has not come."""
    if round.game.one_by_one is None or not isinstance(action, Turn | Decide | Absent):
        return None
    number = action.place if isinstance(action, Turn) else action.seat
    earlier = earlier_spot(round, number)
    if earlier is None:
        return None
    clause = round.game.one_by_one
    return refuse(Code.NOT_NOW, "engine.spots.too-soon", clause, first=earlier, seat=number)


def _player_at(round: Round, number: int) -> str:
    seat = round.seat(number)
    assert seat is not None
    return seat.player
