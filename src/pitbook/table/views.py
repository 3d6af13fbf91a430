"""A table as one viewer may see it, complete enough to draw it from nothing."""

from __future__ import annotations

from collections.abc import Callable

from pitbook.engine.purse import short_of
from pitbook.identity.roster import OPEN, Door
from pitbook.money import Cents, money
from pitbook.table.events import sheet_named, shoe_shown
from pitbook.table.facts import Json
from pitbook.table.layout import layout
from pitbook.table.model import TableState
from pitbook.table.offers import offers
from pitbook.table.sight import STAFF, Audience, Viewer, seed_audience

__all__ = ["Viewer", "view"]


def view(
    state: TableState, viewer: Viewer, wallet: Callable[[str], Cents], door: Door = OPEN
) -> Json:
    """Everything on and around the layout, for this viewer's eyes."""
    seen = {
        "table": state.table,
        "kind": state.kind,
        "unit": state.unit,
        "version": state.version,
        **layout(state, viewer),
        "next_sheet": sheet_named(state.next_sheet) if state.next_sheet else None,
        "deadlines": dict(state.deadlines),
        "ready": [seat for seat, player in state.seats.items() if player in state.ready],
        "interruption": _interruption(state),
        "shoe": shoe_shown(state.shoe) if state.shoe else None,
        "spot": state.spot,
        "seat_seeds": _seat_seeds(state, viewer),
        "revealed": _revealed(state, viewer),
        "coach": state.coach,
        "shuffler": state.shuffler,
        "offers": offers(state, viewer, wallet, door),
    }
    if viewer.role == "player":
        seen["wallet"] = money(wallet(viewer.name))
        seen["short"] = _short(state, viewer.name, wallet(viewer.name))
    if viewer.role in STAFF:
        seen["rack"] = money(state.rack)
    return seen


def _short(state: TableState, player: str, left: Cents) -> Json | None:
    """Before the deal: what a player lacks to pay the smallest bet of every street (GEN-10)."""
    found = short_of(state.round, player, left) if state.round is not None else None
    if found is None:
        return None
    sums = {"left": found.left, "needed": found.needed, "more": found.more}
    told = {name: money(amount) for name, amount in sums.items()}
    return {**told, "message": found.told, "clause": found.clause}


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
