"""A table as one viewer may see it, complete enough to draw it from nothing."""

from __future__ import annotations

from collections.abc import Callable

from pitbook.engine.purse import short_of
from pitbook.identity.roster import OPEN, Door
from pitbook.money import Cents, money
from pitbook.shoe.record import CARDWISE
from pitbook.table.facts import Json
from pitbook.table.model import TableState
from pitbook.table.seen.events import sheet_named, shoe_shown
from pitbook.table.seen.layout import layout
from pitbook.table.seen.offers import offers
from pitbook.table.seen.sight import STAFF, Audience, Viewer, seed_audience

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
        "shoe": _shoe(state),
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


def _shoe(state: TableState) -> Json | None:
    """The shoe without its seal, and what was dealt from it under one hash."""
    if state.shoe is None:
        return None
    shown = shoe_shown(state.shoe)
    return {**shown, "history": state.history} if state.cardwise else shown


def _seat_seeds(state: TableState, viewer: Viewer) -> Json:
    """Which seats have added a seed; its words are its player's own until betting has closed."""
    return {
        str(seat): text.rpartition("\n")[2] if _is_theirs(state, seat, viewer) else None
        for seat, text in state.seat_seeds.items()
    }


def _is_theirs(state: TableState, seat: int, viewer: Viewer) -> bool:
    player = state.seats.get(seat, "")
    mine = not state.cardwise or state.seeded.get(seat) == player
    return mine and Audience(players=(player,)).has(viewer)


def _revealed(state: TableState, viewer: Viewer) -> Json | None:
    """The last shoe; one that is committed to card by card tells nobody its seed."""
    if state.revealed is None:
        return None
    players = tuple(state.revealed["players"])
    if state.revealed.get("format") != CARDWISE and seed_audience(players).has(viewer):
        return state.revealed
    return {"id": state.revealed["id"], "commitment": state.revealed["commitment"]}
