"""One rule sheet in; the table, the mathematics, the coach and the book out.

The public names, imported when they are first used:

load(sheet, on=None)      a rule sheet by id, id@date or path
open(sheet)               a round with nothing on the table yet
step(round, action)       the next round, or a Refusal
legal(round)              what may be done now
settle(document)          a round file (text or JSON object) settled, as `pitbook settle --json`
replay(document)          a stored round played again to the same settlement
actions                   Wager, Close, Deal, Turn, Decide, Settle, ...
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pitbook.engine import actions as actions
    from pitbook.engine.legal import legal as legal
    from pitbook.engine.refusals import Refusal as Refusal
    from pitbook.engine.round import Round as Round
    from pitbook.engine.step import step as step
    from pitbook.games import open as open
    from pitbook.games.public import load as load
    from pitbook.games.public import replay as replay
    from pitbook.games.public import settle as settle

__all__ = [
    "Refusal",
    "Round",
    "actions",
    "legal",
    "load",
    "open",
    "replay",
    "settle",
    "step",
]
__version__ = "0.1.0"

_HOMES = {
    "Refusal": "pitbook.engine.refusals",
    "Round": "pitbook.engine.round",
    "legal": "pitbook.engine.legal",
    "load": "pitbook.games.public",
    "open": "pitbook.games",
    "replay": "pitbook.games.public",
    "settle": "pitbook.games.public",
    "step": "pitbook.engine.step",
}


def __getattr__(name: str) -> Any:
    if name == "actions":
        return importlib.import_module("pitbook.engine.actions")
    if name in _HOMES:
        return getattr(importlib.import_module(_HOMES[name]), name)
    raise AttributeError(f"pitbook has no {name}")


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
