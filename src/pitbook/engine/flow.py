"""From decision to decision: which card, choice or payment a round waits for next."""

from __future__ import annotations

from pitbook.engine.round import Round


def advance(round: Round) -> Round:
    """Through stages that wait for nobody, to the next decision, card or settlement."""
    while not round.waits:
        if len(round.board) < round.to_turn:
            return round if needs_board(round) else to_settlement(round)
        if round.stage + 1 == len(round.game.stages):
            return to_settlement(round)
        round = round._replace(stage=round.stage + 1)
    return round


def needs_board(round: Round) -> bool:
    """Whether the rest of the board is turned (GEN-5)."""
    game, anybody = round.game, False
    for seat in round.seats:
        if seat.void is None:
            if not seat.folded or game.looks_at_board(seat):
                return True
            anybody = True
    return anybody and game.board_always


def to_settlement(round: Round) -> Round:
    """The round with the order in which its seats are settled."""
    rule = round.game.sheet.settlement
    seats = round.seats if rule.direction == "left-to-right" else tuple(reversed(round.seats))
    order = tuple(
        (seat.number, group)
        for group in rule.passes
        for seat in seats
        if "main" in group or any(wager in group for wager, _ in seat.side)
    )
    return round._replace(phase="settle", to_settle=order)
