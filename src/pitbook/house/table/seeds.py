"""Seeds that players add to the shuffle."""

from __future__ import annotations

from pitbook.house.table import commands, facts
from pitbook.house.table.commands import TEXT_MAX, By
from pitbook.house.table.state import TableState
from pitbook.house.table.work import UnitOfWork
from pitbook.rules.refusals import Code, Refusal, refuse


def seat_seed(work: UnitOfWork, by: By, command: commands.SeatSeed) -> Refusal | None:
    """A seat's own seed, once for each deal and before its first card."""
    shown = command.history or work.state.history
    return _add_seed(work, command.seat, command.text, shown)


def add_wager_seed(
    work: UnitOfWork, command: commands.PutWager | commands.Rebet, shown: str | None
) -> None:
    """The seed that comes with a bet, if it can be taken; no bet is refused for its seed.

    `shown` is the history when the bet came in: a shoe that it opens was shuffled after the seed.
    """
    if command.seed is not None:
        _add_seed(work, command.seat, command.seed, command.history or shown)


def _add_seed(work: UnitOfWork, seat: int, text: str, made_for: str | None) -> Refusal | None:
    refusal = _check_open(work.state, seat)
    if refusal is not None:
        return refusal
    if made_for != work.state.history:
        return refuse(Code.NOT_NOW, "table.seeds.stale")
    if not 0 < len(text) <= TEXT_MAX or not text.isprintable():
        return refuse(Code.FORBIDDEN, "table.seeds.no-seed", most=TEXT_MAX)
    work.emit(facts.SeatSeed(seat, text))
    return None


def _check_open(state: TableState, seat: int) -> Refusal | None:
    if state.shoe is None or state.typed:
        return refuse(Code.NOT_NOW, "table.seeds.no-shoe")
    closed = state.live and state.round is not None and state.round.phase != "wagers"
    if closed or (state.drawn and not state.cardwise):
        return refuse(Code.NOT_NOW, "table.seeds.closed")
    if seat in state.seat_seeds and _is_own_seed(state, seat):
        key = "table.seeds.added-to-deal" if state.cardwise else "table.seeds.added-to-shoe"
        return refuse(Code.ALREADY_DECIDED, key, seat=seat)
    return None


def _is_own_seed(state: TableState, seat: int) -> bool:
    """Whether the seat's seed is its player's; whoever takes a seat over adds one more."""
    return not state.cardwise or state.seeded.get(seat) == state.seats.get(seat)
