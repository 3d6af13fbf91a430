"""From decision to decision: which card, choice or payment a round waits for next."""

from __future__ import annotations

from pitbook.rules.game.description import Game, SettleOrder
from pitbook.rules.game.plays import PASSED
from pitbook.rules.game.records import changing
from pitbook.rules.rounds.actions import BOARD, PlaceNumber
from pitbook.rules.rounds.round import Round

__all__ = [
    "advance",
    "begin",
    "looked",
    "named_next",
    "needs_board",
    "to_settlement",
    "turned_next",
    "turns",
]


def begin(round: Round) -> Round:
    """All cards are dealt: to the first decision, or the cards that lie open before it."""
    return advance(_in_phase(round, "play"))


def advance(round: Round) -> Round:
    """Through stages that wait for nobody, to the next decision, card or settlement."""
    if not round.game.straight:
        return _any_way(round)
    turned_by = round.game.turned_by
    while not round.waits:
        if len(round.board) < turned_by[round.stage]:
            return round if needs_board(round) else to_settlement(round)
        if round.stage + 1 == len(turned_by):
            return to_settlement(round)
        round = _at_stage(round, round.stage + 1)
    return round


def looked(round: Round) -> Round:
    """A card of a seat is named: what the seat sees may decide whether a stage comes to it."""
    return advance(round) if round.phase == "play" else round


def turns(round: Round) -> PlaceNumber | None:
    """The place in common whose next card is turned now, if one is."""
    return None if round.waits else turned_next(round)


def named_next(round: Round) -> tuple[PlaceNumber, int] | None:
    """Where a card is named next, a seat's own or one that is due, and how many are named there."""
    for seat in round.seats:
        if len(seat.cards) < seat.laid:
            return seat.number, len(seat.cards)
    place = turns(round)
    return None if place is None else (place, len(round.piles[-place].cards))


def turned_next(round: Round) -> PlaceNumber | None:
    """The same where it is known that nobody has still to decide."""
    if round.phase != "play":
        return None
    if round.game.straight:
        return BOARD
    for at, (pile, wanted) in enumerate(zip(round.piles, _wanted(round), strict=True)):
        if len(pile.cards) < min(wanted, pile.laid):
            return -at
    return None


# Games whose stages are passed over, or open and deal cards of their own --------------------------


def _any_way(round: Round) -> Round:
    """The same for any game; `stage` is the last one whose cards lie open, -1 before the first."""
    last = len(round.game.stages) - 1
    while not round.waits:
        if round.stage == last:
            closed = any(len(pile.cards) < pile.laid for pile in round.piles)
            return round if closed and needs_board(round) else to_settlement(round)
        comes = _coming(round)
        if comes is None:
            return round  # Cards must be named before anybody can say.
        if not comes:
            round = _passed(round, ())
            continue
        if order := _dealt_to(round, comes):
            return round._replace(phase="deal", to_deal=order)
        if any(map(_closed, round.piles, _wanted(round))):
            return round if needs_board(round) else to_settlement(round)
        round = _passed(round, comes)
    return round


def _coming(round: Round) -> tuple[int, ...] | None:
    """The seats that the next stage comes to; None while closed cards decide that."""
    game, stage = round.game, round.stage + 1
    when = game.stages[stage].when
    comes = []
    for seat in round.seats:
        if seat.folded or seat.void is not None or not seat.main:
            continue
        if when is not None and game.reads(when.hand, seat, *round.common) is None:
            return _once_open(round)
        if game.reaches(stage, seat, *round.common):
            comes.append(seat.number)
    return tuple(comes)


def _once_open(round: Round) -> tuple[int, ...] | None:
    """Who sees too little to say whether a stage comes: all, while its cards are to be turned."""
    if any(map(_closed, round.piles, _wanted(round))):
        return tuple(seat.number for seat in round.seats if not seat.folded and seat.void is None)
    return None


def _wanted(round: Round) -> tuple[int, ...]:
    """By place in common, how many cards lie open before the next stage, or at the end."""
    after = round.stage + 1
    if after == len(round.game.stages):
        return tuple(pile.laid for pile in round.piles)
    return round.game.stages[after].opens[1:]


def _closed(pile: tuple[int, tuple[int, ...]], wanted: int) -> bool:
    return len(pile[1]) < wanted


def _passed(round: Round, comes: tuple[int, ...]) -> Round:
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


def _dealt_to(round: Round, comes: tuple[int, ...]) -> tuple[PlaceNumber, ...]:
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
    return _settling(round, "settle", kept[made])


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


_at_stage = changing(Round, "stage")
_in_phase = changing(Round, "phase")
_settling = changing(Round, "phase", "to_settle")
