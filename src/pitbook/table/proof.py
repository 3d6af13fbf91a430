"""A round on record as a file by which anybody can deal it again, once its shoe has ended."""

from __future__ import annotations

from pitbook.errors import ShoeError
from pitbook.games.stored import store
from pitbook.shoe.proof import revealed
from pitbook.shoe.record import Record as Shoe
from pitbook.shoe.vault import Vault
from pitbook.table.facts import Json
from pitbook.table.records import Record, on_layout

__all__ = ["proof"]


def proof(record: Record, vault: Vault) -> Json:
    """The revealed round, as `pitbook verify-deal` reads it; raises ShoeError before its time."""
    if record.revealed is None or record.revealed["seed"] is None:
        raise ShoeError(f"the shoe of round {record.id} has told no seed; a proof needs one")
    assert record.before.shoe is not None
    state = record.state
    return revealed(
        Shoe.of(record.before.shoe),
        vault,
        seat_seeds=dict(record.revealed["seat_seeds"]),
        drawn=record.before.drawn,
        round=store(on_layout(state), state.actions),
        round_id=record.id,
    )
