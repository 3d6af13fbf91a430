"""The state of a table from one door: `model` says what it is, `evolve` how it changes."""

from __future__ import annotations

from pitbook.house.table.evolve import evolve, folded
from pitbook.house.table.model import (
    TableKind,
    TableState,
    game_of,
    kept_sheet,
    named_at,
    put_right,
)
from pitbook.house.table.snapshot import restored, snapshot

__all__ = [
    "TableKind",
    "TableState",
    "evolve",
    "folded",
    "game_of",
    "kept_sheet",
    "named_at",
    "put_right",
    "restored",
    "snapshot",
]
