"""What a round waits for next: a card, a decision or a payment."""

from __future__ import annotations

from pitbook.rules.actions import BOARD, Absent, Action, Decide, PlaceNumber, Turn
from pitbook.rules.game import Game, SettleOrder
from pitbook.rules.named_tuples import replacer
from pitbook.rules.plays import PASSED
from pitbook.rules.refusals import Code, Refusal, refuse
from pitbook.rules.round import Round


def begin(round: Round) -> Round:
    """All cards are dealt: to the first decision, or the cards that lie open before it."""
    return advance(_with_phase(round, "play"))


def advance(round: Round) -> Round:
    """Through stages that wait for nobody, to the next decision, card or settlement."""
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
    """A card of a seat is named: what the seat sees may decide whether a stage comes to it."""
    return advance(round) if round.phase == "play" else round


def next_turn(round: Round) -> PlaceNumber | None:
    """The place in common whose next card is turned now, if one is."""
    return None if round.waits else next_turn_unchecked(round)


def next_named(round: Round) -> tuple[PlaceNumber, int] | None:
    """Where a card is named next, a seat's own or one that is due, and how many are named there."""
    for seat in round.seats:
        if len(seat.cards) < seat.laid:
            return seat.number, len(seat.cards)
    place = next_turn(round)
    return None if place is None else (place, len(round.piles[-place].cards))


def next_turn_unchecked(round: Round) -> PlaceNumber | None:
    """The same where it is known that nobody has still to decide."""
    if round.phase != "play":
        return None
    if round.game.straight:
        return BOARD
    for at, (pile, wanted) in enumerate(zip(round.piles, _open_targets(round), strict=True)):
        if len(pile.cards) < min(wanted, pile.laid):
            return -at
    return None


# Games whose stages are passed over, or open and deal cards of their own --------------------------


def _advance_general(round: Round) -> Round:
    """The same for any game; `stage` is the last one whose cards lie open, -1 before the first."""
    last = len(round.game.stages) - 1
    while not round.waits:
        if round.stage == last:
            closed = any(len(pile.cards) < pile.laid for pile in round.piles)
            return round if closed and needs_board(round) else to_settlement(round)
        comes = _seats_reached(round)
        if comes is None:
            return round  # Cards must be named before anybody can say.
        if not comes:
            round = _begin_stage(round, ())
            continue
        if order := _deal_places(round, comes):
            return round._replace(phase="deal", to_deal=order)
        if any(map(_has_closed_card, round.piles, _open_targets(round))):
            return round if needs_board(round) else to_settlement(round)
        round = _begin_stage(round, comes)
    return round


def _seats_reached(round: Round) -> tuple[int, ...] | None:
    """The seats that the next stage comes to; None while closed cards decide that."""
    game, stage = round.game, round.stage + 1
    when = game.stages[stage].when
    comes = []
    for seat in round.seats:
        if seat.folded or seat.void is not None or not seat.main:
            continue
        if when is not None and game.reads(when.hand, seat, *round.common) is None:
            return _undecided_seats(round)
        if game.reaches(stage, seat, *round.common):
            comes.append(seat.number)
    return tuple(comes)


def _undecided_seats(round: Round) -> tuple[int, ...] | None:
    """Who sees too little to say whether a stage comes: all, while its cards are to be turned."""
    if any(map(_has_closed_card, round.piles, _open_targets(round))):
        return tuple(seat.number for seat in round.seats if not seat.folded and seat.void is None)
    return None


def _open_targets(round: Round) -> tuple[int, ...]:
    """By place in common, how many cards lie open before the next stage, or at the end."""
    after = round.stage + 1
    if after == len(round.game.stages):
        return tuple(pile.laid for pile in round.piles)
    return round.game.stages[after].opens[1:]


def _has_closed_card(pile: tuple[int, tuple[int, ...]], wanted: int) -> bool:
    return len(pile[1]) < wanted


def _begin_stage(round: Round, comes: tuple[int, ...]) -> Round:
    """The next stage begun: whom it does not come to, or who has nothing to choose, has passed."""
    stage = round.stage + 1
    choice = bool(round.game.stages[stage].plays)
    seats = tuple(
        seat
        if seat.folded
        or seat.void is not None
        or not seat.main
        or (choice and seat.number in comes)
        else seat._replace(plays=(*seat.plays, PASSED))
        for seat in round.seats
    )
    return round._replace(seats=seats, stage=stage)


def _deal_places(round: Round, comes: tuple[int, ...]) -> tuple[PlaceNumber, ...]:
    """Where cards are still to be laid before the next stage: to its seats, and in common."""
    opens = round.game.stages[round.stage + 1].opens
    seats = [seat for seat in round.seats if seat.number in comes]
    if round.game.sheet.deal.direction == "right-to-left":
        seats.reverse()
    own = [seat.number for seat in seats for _ in range(opens[0] - seat.laid)]
    common = [
        -at
        for at, (pile, wanted) in enumerate(zip(round.piles, opens[1:], strict=True))
        for _ in range(wanted - pile.laid)
    ]
    first = round.game.sheet.deal.order[0] == "players"
    return (*own, *common) if first else (*common, *own)


# The end ------------------------------------------------------------------------------------------


def needs_board(round: Round) -> bool:
    """Whether the rest of the board is turned (GEN-5)."""
    game, anybody = round.game, False
    straight = game.straight
    for seat in round.seats:
        if seat.void is None:
            if straight and not seat.folded:
                return True
            if not game.certain(seat, *round.common):
                return True
            anybody = True
    return anybody and game.board_always


def to_settlement(round: Round) -> Round:
    """The round with the order in which its seats are settled."""
    made = tuple([(seat.number, tuple([wager for wager, _ in seat.side])) for seat in round.seats])
    kept = round.game.orders
    if made not in kept:
        kept[made] = _order(round.game, made)
    return _with_settle_order(round, "settle", kept[made])


def _order(game: Game, made: tuple[tuple[int, tuple[str, ...]], ...]) -> SettleOrder:
    """Pass by pass and seat by seat, by the seats' numbers and side wagers."""
    rule = game.sheet.settlement
    seats = made if rule.direction == "left-to-right" else made[::-1]
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
    """The spot that its player has to play before this one's cards are seen, if there is one."""
    seat = round.seat(number)
    if round.game.one_by_one is None or seat is None:
        return None
    own = [one for one in round.waiting if _player_at(round, one) == seat.player]
    if round.game.sheet.deal.direction == "right-to-left":
        own.reverse()
    return own[0] if own and own[0] != number else None


def refuse_too_soon(round: Round, action: Action) -> Refusal | None:
    """Why a card of a spot is not seen yet, or its hand not played."""
    if round.game.one_by_one is None or not isinstance(action, Turn | Decide | Absent):
        return None
    number = action.place if isinstance(action, Turn) else action.seat
    first = earlier_spot(round, number)
    if first is None:
        return None
    clause = round.game.one_by_one
    return refuse(Code.NOT_NOW, "engine.spots.too-soon", clause, first=first, seat=number)


def _player_at(round: Round, number: int) -> str:
    seat = round.seat(number)
    assert seat is not None
    return seat.player
