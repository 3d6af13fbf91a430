"""What a round waits for next: a card, a decision or a payment."""

from __future__ import annotations

from pitbook.rules.actions import BOARD, Absent, Action, Decide, PlaceNumber, Turn
from pitbook.rules.game import Game, SettleOrder
from pitbook.rules.named_tuples import replacer
from pitbook.rules.plays import PASSED
from pitbook.rules.refusals import Code, Refusal, refuse
from pitbook.rules.round import Round


def begin(round: Round) -> Round:
    """Start play after the deal: advance to the first decision, or the first cards to turn."""
    return advance(_with_phase(round, "play"))


def advance(round: Round) -> Round:
    """Skip stages without pending decisions, up to the next decision, card or settlement."""
    if not round.game.straight:
        return _advance_general(round)
    turned_by = round.game.turned_by
    while not round.waits:
        if len(round.board) < turned_by[round.stage]:
            return round if needs_board(round) else to_settlement(round)
        if round.stage + 1 == len(turned_by):
            return to_settlement(round)
        round = _with_stage(round, round.stage + 1)
    return round


def after_look(round: Round) -> Round:
    """Advance after a seat's card is named, which may decide whether a stage reaches the seat."""
    return advance(round) if round.phase == "play" else round


def next_turn(round: Round) -> PlaceNumber | None:
    """The shared place whose next card is to be turned now, if any."""
    return None if round.waits else next_turn_unchecked(round)


def next_named(round: Round) -> tuple[PlaceNumber, int] | None:
    """Where a card is named next, and how many are named there already."""
    for seat in round.seats:
        if len(seat.cards) < seat.laid:
            return seat.number, len(seat.cards)
    place = next_turn(round)
    return None if place is None else (place, len(round.piles[-place].cards))


def next_turn_unchecked(round: Round) -> PlaceNumber | None:
    """`next_turn` without checking for pending decisions."""
    if round.phase != "play":
        return None
    if round.game.straight:
        return BOARD
    for index, (pile, target) in enumerate(zip(round.piles, _open_targets(round), strict=True)):
        if len(pile.cards) < min(target, pile.laid):
            return -index
    return None


# Games whose stages are passed over, or open and deal cards of their own --------------------------


def _advance_general(round: Round) -> Round:
    """`advance` for any game; `stage` is the last stage with open cards, -1 before the first."""
    last = len(round.game.stages) - 1
    while not round.waits:
        if round.stage == last:
            closed = any(len(pile.cards) < pile.laid for pile in round.piles)
            return round if closed and needs_board(round) else to_settlement(round)
        seats = _seats_reached(round)
        if seats is None:
            return round  # The cards must be named first.
        if not seats:
            round = _begin_stage(round, ())
            continue
        if order := _deal_places(round, seats):
            return round._replace(phase="deal", to_deal=order)
        if any(map(_has_closed_card, round.piles, _open_targets(round))):
            return round if needs_board(round) else to_settlement(round)
        round = _begin_stage(round, seats)
    return round


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
        return tuple(pile.laid for pile in round.piles)
    return round.game.stages[next_stage].opens[1:]


def _has_closed_card(pile: tuple[int, tuple[int, ...]], target: int) -> bool:
    return len(pile[1]) < target


def _begin_stage(round: Round, reached: tuple[int, ...]) -> Round:
    """Begin the next stage; seats that it does not reach, or without a choice, pass."""
    stage = round.stage + 1
    has_choice = bool(round.game.stages[stage].plays)
    seats = tuple(
        seat
        if seat.folded
        or seat.void is not None
        or not seat.main
        or (has_choice and seat.number in reached)
        else seat._replace(plays=(*seat.plays, PASSED))
        for seat in round.seats
    )
    return round._replace(seats=seats, stage=stage)


def _deal_places(round: Round, reached: tuple[int, ...]) -> tuple[PlaceNumber, ...]:
    """Where further cards are dealt before the next stage: to its seats, and to shared places."""
    opens = round.game.stages[round.stage + 1].opens
    seats = [seat for seat in round.seats if seat.number in reached]
    if round.game.sheet.deal.direction == "right-to-left":
        seats.reverse()
    hole_cards = [seat.number for seat in seats for _ in range(opens[0] - seat.laid)]
    common = [
        -index
        for index, (pile, target) in enumerate(zip(round.piles, opens[1:], strict=True))
        for _ in range(target - pile.laid)
    ]
    first = round.game.sheet.deal.order[0] == "players"
    return (*hole_cards, *common) if first else (*common, *hole_cards)


# The end ------------------------------------------------------------------------------------------


def needs_board(round: Round) -> bool:
    """Whether the rest of the board is turned (GEN-5)."""
    game, has_live_hand = round.game, False
    straight = game.straight
    for seat in round.seats:
        if seat.void is None:
            if straight and not seat.folded:
                return True
            if not game.certain(seat, *round.common):
                return True
            has_live_hand = True
    return has_live_hand and game.board_always


def to_settlement(round: Round) -> Round:
    """The round in its settling phase, with the order of settlement."""
    wagers_by_seat = tuple(
        [(seat.number, tuple([wager for wager, _ in seat.side])) for seat in round.seats]
    )
    order_cache = round.game.orders
    if wagers_by_seat not in order_cache:
        order_cache[wagers_by_seat] = _order(round.game, wagers_by_seat)
    return _with_settle_order(round, "settle", order_cache[wagers_by_seat])


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


_with_stage = replacer(Round, "stage")
_with_phase = replacer(Round, "phase")
_with_settle_order = replacer(Round, "phase", "to_settle")


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
