"""Seeds of the seats: made when the shoe's hash is shown, taken until betting closes, never lost.

A seed is for one deal. What it is made for is the table's `history`: the shoe's commitment with all
that was dealt from it since. One that was made for another is stale, and is not taken: its player
has not seen what it would be mixed into.
"""

from __future__ import annotations

from pitbook.house.table import commands, facts
from pitbook.house.table.commands import TEXT_MAX, By
from pitbook.house.table.desk import Desk
from pitbook.house.table.state import TableState
from pitbook.rules.refusals import Code, Refusal, refuse

__all__ = ["seat_seed", "with_wager"]


def seat_seed(desk: Desk, by: By, command: commands.SeatSeed) -> Refusal | None:
    """A seat's own seed, once for each deal and before its first card."""
    shown = command.history or desk.state.history
    return _added(desk, command.seat, command.text, shown)


def with_wager(desk: Desk, command: commands.PutWager | commands.Rebet, shown: str | None) -> None:
    """The seed that comes with a bet, if it can be taken; no bet is refused for its seed.

    `shown` is the history when the bet came in: a shoe that it opens was shuffled after the seed.
    """
    if command.seed is not None:
        _added(desk, command.seat, command.seed, command.history or shown)


def _added(desk: Desk, seat: int, text: str, made_for: str | None) -> Refusal | None:
    refusal = _too_late(desk.state, seat)
    if refusal is not None:
        return refusal
    if made_for != desk.state.history:
        return refuse(Code.NOT_NOW, "table.seeds.stale")
    if not 0 < len(text) <= TEXT_MAX or not text.isprintable():
        return refuse(Code.FORBIDDEN, "table.seeds.no-seed", most=TEXT_MAX)
    desk.note(facts.SeatSeed(seat, text))
    return None


def _too_late(state: TableState, seat: int) -> Refusal | None:
    if state.shoe is None or state.typed:
        return refuse(Code.NOT_NOW, "table.seeds.no-shoe")
    closed = state.live and state.round is not None and state.round.phase != "wagers"
    if closed or (state.drawn and not state.cardwise):
        return refuse(Code.NOT_NOW, "table.seeds.closed")
    if seat in state.seat_seeds and _is_of(state, seat):
        key = "table.seeds.added-to-deal" if state.cardwise else "table.seeds.added-to-shoe"
        return refuse(Code.ALREADY_DECIDED, key, seat=seat)
    return None


def _is_of(state: TableState, seat: int) -> bool:
    """Whether the seat's seed is its player's; whoever takes a seat over adds one more."""
    return not state.cardwise or state.seeded.get(seat) == state.seats.get(seat)
