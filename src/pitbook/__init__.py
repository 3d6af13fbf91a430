"""One rule sheet in; the table, the mathematics, the coach and the book out.

The public names, imported when they are first used; docs/python.md shows them at work. Sheets
are given by id, by path or as `load` and `changed` make them, cards as text ("As Kd", "AsKd"),
dollars as text ("10"). What cannot be is refused with PitbookError and one sentence.

list_sheets()             every sheet that is known
load(sheet, on=None)      a rule sheet by id, id@date or path
changed(sheet, changes)   another sheet, checked like a file: {"main.pays.flush": "10:1"}
figures(sheet)            exact figures of every wager, as `pitbook math`
advice(sheet, cards)      what every play in a spot is worth, as `pitbook advise`
strategy(sheet, name)     what to do with which cards, as `pitbook strategy`
compare(a, b)             what the differences of two sheets are worth, as `pitbook compare`
simulate(sheet, rounds)   rounds by the million, as `pitbook simulate`
session(sheet, ...)       a bankroll's odds, as `pitbook session`
settle(document)          a round file settled, as `pitbook settle`
replay(document)          a stored round played again, as `pitbook rounds replay`
open(sheet)               a round with nothing on the table yet
step(round, action)       the next round, or a Refusal
legal(round)              what may be done now
actions                   Wager, Close, Deal, Turn, Decide, Settle, ...

Whatever is not in `__all__` here is our own affair and may change tomorrow: other modules, and
every name with a leading underscore.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pitbook.api.comparing import Comparison as Comparison
    from pitbook.api.comparing import compare as compare
    from pitbook.api.figures import GameFigures as GameFigures
    from pitbook.api.figures import OutcomeRow as OutcomeRow
    from pitbook.api.figures import WagerFigures as WagerFigures
    from pitbook.api.figures import figures as figures
    from pitbook.api.rounds import SettledLine as SettledLine
    from pitbook.api.rounds import SettledRound as SettledRound
    from pitbook.api.rounds import SettledSeat as SettledSeat
    from pitbook.api.rounds import replay as replay
    from pitbook.api.rounds import settle as settle
    from pitbook.api.shelf import ListedSheet as ListedSheet
    from pitbook.api.shelf import SheetList as SheetList
    from pitbook.api.shelf import changed as changed
    from pitbook.api.shelf import list_sheets as list_sheets
    from pitbook.api.shelf import load as load
    from pitbook.api.simulations import CountRow as CountRow
    from pitbook.api.simulations import SessionEnd as SessionEnd
    from pitbook.api.simulations import SessionOutlook as SessionOutlook
    from pitbook.api.simulations import Simulation as Simulation
    from pitbook.api.simulations import session as session
    from pitbook.api.simulations import simulate as simulate
    from pitbook.api.spots import SpotAdvice as SpotAdvice
    from pitbook.api.spots import advice as advice
    from pitbook.api.strategies import GameStrategy as GameStrategy
    from pitbook.api.strategies import StrategyRow as StrategyRow
    from pitbook.api.strategies import strategy as strategy
    from pitbook.errors import PitbookError as PitbookError
    from pitbook.rules import actions
    from pitbook.rules.legal import legal
    from pitbook.rules.refusals import Refusal
    from pitbook.rules.round import Round
    from pitbook.rules.round import open_round as open
    from pitbook.rules.step import step

__all__ = [
    "Comparison",
    "CountRow",
    "GameFigures",
    "GameStrategy",
    "ListedSheet",
    "OutcomeRow",
    "PitbookError",
    "Refusal",
    "Round",
    "SessionEnd",
    "SessionOutlook",
    "SettledLine",
    "SettledRound",
    "SettledSeat",
    "SheetList",
    "Simulation",
    "SpotAdvice",
    "StrategyRow",
    "WagerFigures",
    "actions",
    "advice",
    "changed",
    "compare",
    "figures",
    "legal",
    "list_sheets",
    "load",
    "open",
    "replay",
    "session",
    "settle",
    "simulate",
    "step",
    "strategy",
]
__version__ = "0.1.0"

_HOMES = {
    "pitbook.api.comparing": ("Comparison", "compare"),
    "pitbook.api.figures": ("GameFigures", "OutcomeRow", "WagerFigures", "figures"),
    "pitbook.api.rounds": ("SettledLine", "SettledRound", "SettledSeat", "replay", "settle"),
    "pitbook.api.simulations": (
        "CountRow",
        "SessionEnd",
        "SessionOutlook",
        "Simulation",
        "session",
    ),
    "pitbook.api.shelf": ("ListedSheet", "SheetList", "changed", "list_sheets", "load"),
    "pitbook.api.spots": ("SpotAdvice", "advice"),
    "pitbook.api.strategies": ("GameStrategy", "StrategyRow", "strategy"),
    "pitbook.rules.legal": ("legal",),
    "pitbook.rules.refusals": ("Refusal",),
    "pitbook.rules.round": ("Round", "open"),
    "pitbook.rules.step": ("step",),
    "pitbook.errors": ("PitbookError",),
}
_HOME = {name: module for module, names in _HOMES.items() for name in names}
_NAMES_THERE = {"open": "open_round"}  # Names that differ in their module.
_MODULES = {"actions": "pitbook.rules.actions", "simulate": "pitbook.simulate"}

if not TYPE_CHECKING:  # Who checks types shall find a wrong name.

    def __getattr__(name: str) -> Any:
        if name in _MODULES:
            return importlib.import_module(_MODULES[name])
        if name in _HOME:
            return getattr(importlib.import_module(_HOME[name]), _NAMES_THERE.get(name, name))
        raise AttributeError(f"pitbook has no {name}")


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
