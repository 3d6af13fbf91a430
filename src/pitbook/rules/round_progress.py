"""Advance a round to what it waits for next: a card, a decision or a payment."""

from __future__ import annotations

from pitbook.rules.actions import BOARD, PASSED, Absent, Action, Decide, PlaceNumber, Turn
from pitbook.rules.game import Game, SettleOrder
from pitbook.rules.refusals import Code, Refusal, refuse
from pitbook.rules.round import Round, RoundDraft


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


# A player with several spots plays them one by one.


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
