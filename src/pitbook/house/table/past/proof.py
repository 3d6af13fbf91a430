"""A round on record as a file by which its deal can be checked: a reader's own cards, or all.

A shoe that is committed to card by card opens to a player as soon as the round is over, and to the
auditor when it has ended. One that is committed to by its seed can only be told whole, at its end.
"""

from __future__ import annotations

from collections import Counter

from pitbook.errors import ShoeError
from pitbook.house.table.facts import Json
from pitbook.house.table.model import TableState
from pitbook.house.table.past.nameless import nameless
from pitbook.house.table.past.records import RoundRecord, on_layout
from pitbook.house.table.seen.sight import Viewer, card_audience
from pitbook.rules.actions import BOARD, parse_place
from pitbook.rules.stored import store
from pitbook.shoe.opening import opening
from pitbook.shoe.proof import revealed
from pitbook.shoe.record import CARDWISE
from pitbook.shoe.record import ShoeRecord as Shoe
from pitbook.shoe.vault import Vault
from pitbook.text import say

__all__ = ["proof", "unproved"]

NAMING = ("turn", "expose")


def proof(
    record: RoundRecord, vault: Vault, viewer: Viewer | None = None, *, named: bool = True
) -> Json:
    """The round as `pitbook verify-deal` reads it; raises ShoeError before its time.

    With what `viewer` may see of it, or with everything, for the auditor.
    """
    if (why := unproved(record, whole=viewer is None)) is not None:
        raise ShoeError(say("table.past.unproved", round=record.id, why=why))
    assert record.before.shoe is not None
    shoe, state = Shoe.of(record.before.shoe), record.state
    if shoe.format == CARDWISE:
        return _opening(record, shoe, vault, viewer, named=named)
    assert record.revealed is not None
    return revealed(
        shoe,
        vault,
        seat_seeds=dict(record.revealed.seat_seeds),
        drawn=record.before.drawn,
        round=store(on_layout(state), state.actions),
        round_id=record.id,
    )


def unproved(record: RoundRecord, *, whole: bool) -> str | None:
    """Why there is no proof yet, if there is none."""
    if not record.before.cardwise or whole:
        untold = record.revealed is None or record.revealed.seed is None
        return say("table.past.no-seed-told") if untold else None
    return None if record.settled is not None else say("table.past.not-over")


def _opening(
    record: RoundRecord, shoe: Shoe, vault: Vault, viewer: Viewer | None, *, named: bool
) -> Json:
    state = record.state
    told = state if named else nameless(record).state
    round = store(on_layout(told), told.actions)
    if viewer is not None:
        round["actions"] = _seen(state, round["actions"], viewer)
    *past, deal = state.past
    return opening(
        shoe,
        vault,
        seeds=deal.seeds,
        past=tuple(past),
        round=round,
        round_id=record.id,
        whole=viewer is None,
    )


def _seen(state: TableState, actions: list[Json], viewer: Viewer) -> list[Json]:
    """The actions with null for each card that the viewer may not see."""
    named: Counter[int | str] = Counter()
    told = []
    for action in actions:
        if action["do"] in NAMING:
            place, number = action["place"], named[action["place"]]
            named[place] += 1
            seat = parse_place(place)
            if seat > BOARD and not card_audience(state, seat, number).has(viewer):
                action = {**action, "card": None}  # noqa: PLW2901  The one that is told.
        told.append(action)
    return told
