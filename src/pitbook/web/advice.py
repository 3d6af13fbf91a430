"""The coach of a practice table: exact advice, on record before anybody reads it."""

from __future__ import annotations

from pitbook.engine.game import Seat
from pitbook.engine.refusals import Code, Refusal
from pitbook.engine.round import Round
from pitbook.sheets.street_stud import StreetStud
from pitbook.table.actor import Answer
from pitbook.table.commands import ADVICE_MAX, AdviceShown, Envelope
from pitbook.table.facts import Json
from pitbook.table.state import TableState
from pitbook.web.present import Place
from pitbook.web.tools import Tools

__all__ = ["advised"]


async def advised(
    tools: Tools, place: Place, number: int, request: str | None
) -> tuple[Json, Answer]:
    """What the coach tells a seat, and how that stands on record."""
    state = place.table.state
    seat = _asking(state, place, number)
    if isinstance(seat, Refusal):
        return {}, seat
    round = state.round
    assert round is not None
    key = ("advice", state.sheet["hash"], seat.cards, round.board, seat.plays, seat.stakes)
    found: Json = await tools.sums.work_out(key, lambda: _worked_out(round, seat))
    text = f"Best is {found['best']}. {found['why']}"[:ADVICE_MAX]
    assert place.by is not None
    shown = Envelope(place.by, AdviceShown(number, text), request)
    return found, await place.table.send(shown)


def _asking(state: TableState, place: Place, number: int) -> Seat | Refusal:
    """The seat that waits for its own decision; a refusal for anybody else."""
    if state.kind != "practice":
        message = f"there is no coach at a {state.kind} table; advice is for practice"
        return Refusal(Code.FORBIDDEN, message)
    if place.by is None or state.seats.get(number) != place.by.name or place.by.role != "player":
        return Refusal(Code.FORBIDDEN, f"{place.viewer.name} does not sit at seat {number}")
    if not state.coach:
        return Refusal(Code.FORBIDDEN, "the coach is off at this table")
    seat = state.round.seat(number) if state.live and state.round else None
    if seat is None or state.round is None or number not in state.round.waiting:
        return Refusal(Code.NOT_NOW, f"nothing is to be decided at seat {number} now")
    return seat


def _worked_out(round: Round, seat: Seat) -> Json:
    """What the player knows, asked of the mathematics."""
    from pitbook.exact.advice import advise  # noqa: PLC0415  It brings NumPy, and takes a while.

    sheet = round.game.sheet
    streets = isinstance(sheet, StreetStud)
    return advise(
        sheet,
        seat.cards,
        round.board if streets else (),
        seat.plays if streets else (),
        ante=seat.main[0][1],
        side=dict(seat.side),
    ).document()
