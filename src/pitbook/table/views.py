"""A table as one viewer may see it, complete enough to draw it from nothing."""

from __future__ import annotations

from collections.abc import Callable

from pitbook.cards import name
from pitbook.engine.game import Seat
from pitbook.engine.round import Round
from pitbook.money import Cents, money
from pitbook.table.events import sheet_named, shoe_shown
from pitbook.table.facts import Json, stakes_out
from pitbook.table.model import TableState
from pitbook.table.offers import offers
from pitbook.table.sight import STAFF, Audience, Viewer, hand_seen, seed_audience

__all__ = ["Viewer", "view"]


def view(state: TableState, viewer: Viewer, wallet: Callable[[str], Cents]) -> Json:
    """Everything on and around the layout, for this viewer's eyes."""
    round = state.round
    seen = {
        "table": state.table,
        "kind": state.kind,
        "unit": state.unit,
        "version": state.version,
        "phase": _phase(state),
        "sheet": sheet_named(state.sheet if round is not None else state.coming),
        "next_sheet": sheet_named(state.next_sheet) if state.next_sheet else None,
        "round": state.round_id if round is not None else None,
        "board": _board(state),
        "seats": [_seat(state, number, viewer) for number in state.numbers],
        "result": state.result,
        "deadlines": dict(state.deadlines),
        "interruption": _interruption(state),
        "shoe": shoe_shown(state.shoe) if state.shoe else None,
        "seat_seeds": _seat_seeds(state, viewer),
        "revealed": _revealed(state, viewer),
        "coach": state.coach,
        "shuffler": state.shuffler,
        "offers": offers(state, viewer, wallet),
    }
    if viewer.role == "player":
        seen["wallet"] = money(wallet(viewer.name))
    if viewer.role in STAFF:
        seen["rack"] = money(state.rack)
    return seen


def _phase(state: TableState) -> str:
    if state.retired:
        return "retired"
    if state.awaiting is not None:
        return "agreement"
    return state.round.phase if state.round is not None else "open"


def _board(state: TableState) -> Json:
    round = state.round
    shown = [name(card) for card in round.board] if round else []
    laid = round.board_laid if round else 0
    told = round.game.board_told(round.board) if round else None
    kind = round.game.board_name if round else state.game.board_name
    return {"name": kind, "cards": [*shown, *[None] * (laid - len(shown))], "told": told}


def _seat(state: TableState, number: int, viewer: Viewer) -> Json:
    seat = state.round.seat(number) if state.round is not None else None
    sitting = state.seats.get(number)
    if seat is None or state.round is None:
        return {"seat": number, "player": sitting}
    held = sum(amount for _, amount in seat.stakes) if state.live else 0
    return {
        "seat": number,
        "player": seat.player if state.live else sitting,
        "played_by": seat.player,
        "wagers": stakes_out(seat.stakes),
        "held": money(held),
        "cards": _cards(state, seat, viewer),
        "plays": list(seat.plays),
        "waiting": number in state.round.waiting,
        "folded": seat.folded,
        "void": seat.void,
        "net": _net(state.round, number),
    }


def _cards(state: TableState, seat: Seat, viewer: Viewer) -> list[str | None]:
    seen = hand_seen(state, seat, viewer)
    return [None if card is None else name(card) for card in seen]


def _net(round: Round, number: int) -> str | None:
    return next((money(one.net) for one in round.settlements if one.seat == number), None)


def _interruption(state: TableState) -> Json | None:
    if state.interruption is None:
        return None
    answers = None if state.awaiting is None else dict(state.awaiting)
    return {"why": state.interruption, "answers": answers}


def _seat_seeds(state: TableState, viewer: Viewer) -> Json:
    """Which seats have added a seed; its words are the seat's own until the shoe has ended."""
    return {
        str(seat): text if Audience(players=(state.seats.get(seat, ""),)).has(viewer) else None
        for seat, text in state.seat_seeds.items()
    }


def _revealed(state: TableState, viewer: Viewer) -> Json | None:
    if state.revealed is None:
        return None
    players = tuple(state.revealed["players"])
    if seed_audience(players).has(viewer):
        return state.revealed
    return {"id": state.revealed["id"], "commitment": state.revealed["commitment"]}
