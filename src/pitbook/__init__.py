"""Write a table game's rules once. Get the playable table, exact odds, a coach and a ledger.

Public functions and types; docs/python.md shows them at work. A sheet is an id, a path or a value
from `load` or `changed`. Cards are text ("As Kd", "AsKd"), dollars are text ("10"). Invalid input
raises PitbookError.

list_sheets()             all sheets
load(sheet, on=None)      a rule sheet by id, id@date or path
changed(sheet, changes)   a modified sheet, checked like a file: {"main.pays.flush": "10:1"}
check(sheet)              errors, notices and house edges, as `pitbook sheets check`
diff(a, b)                every rule that differs, as `pitbook sheets diff`
figures(sheet)            exact figures of every wager, as `pitbook math`
advice(sheet, cards)      the expected value of every play at a spot, as `pitbook advise`
strategy(sheet, name)     a play for every spot, as `pitbook strategy`
compare(a, b)             the effect of each rule difference on the edge, as `pitbook compare`
simulate(sheet, rounds)   rounds by the million, as `pitbook simulate`
session(sheet, ...)       the odds of a bankroll, as `pitbook session`
settle(document)          a settled round file, as `pitbook settle`
replay(document)          a stored round played again, as `pitbook rounds replay`
drill(sheet, kind)        training questions with answers, as `pitbook drill`
papers(sheet, only)       rules, report, cards, sign and layout, as `pitbook papers build`
open(sheet)               a new round
step(round, action)       the next round, or a Refusal
legal(round)              the legal actions
actions                   Wager, Close, Deal, Turn, Decide, Settle, ...

Everything else, including every other module, is not public and may change.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pitbook.drills.drill import Drill, DrillQuestion, drill
    from pitbook.errors import PitbookError as PitbookError
    from pitbook.exact.advice import SpotAdvice, advice
    from pitbook.exact.compare import Comparison, compare
    from pitbook.exact.edge_findings import SheetCheck
    from pitbook.exact.sheet_figures import GameFigures, OutcomeRow, WagerFigures, figures
    from pitbook.exact.strategies import GameStrategy, StrategyRow, strategy
    from pitbook.printing.packet import BuiltPaper, PaperPacket, papers
    from pitbook.rules import actions
    from pitbook.rules.legal_actions import legal
    from pitbook.rules.refusals import Refusal
    from pitbook.rules.round import Round
    from pitbook.rules.round import open_round as open
    from pitbook.rules.settlement_answer import (
        SettledLine,
        SettledRound,
        SettledSeat,
        replay,
        settle,
    )
    from pitbook.rules.step import step
    from pitbook.sheet_check import check
    from pitbook.sheets.arguments import load
    from pitbook.sheets.diff import SheetDiff, diff
    from pitbook.sheets.edit import changed
    from pitbook.sheets.library import ListedSheet, SheetList, list_sheets
    from pitbook.simulation.answer import CountRow, Simulation, simulate
    from pitbook.simulation.sessions.answer import SessionEnd, SessionOutlook, session

__all__ = [
    "BuiltPaper",
    "Comparison",
    "CountRow",
    "Drill",
    "DrillQuestion",
    "GameFigures",
    "GameStrategy",
    "ListedSheet",
    "OutcomeRow",
    "PaperPacket",
    "PitbookError",
    "Refusal",
    "Round",
    "SessionEnd",
    "SessionOutlook",
    "SettledLine",
    "SettledRound",
    "SettledSeat",
    "SheetCheck",
    "SheetDiff",
    "SheetList",
    "Simulation",
    "SpotAdvice",
    "StrategyRow",
    "WagerFigures",
    "actions",
    "advice",
    "changed",
    "check",
    "compare",
    "diff",
    "drill",
    "figures",
    "legal",
    "list_sheets",
    "load",
    "open",
    "papers",
    "replay",
    "session",
    "settle",
    "simulate",
    "step",
    "strategy",
]
__version__ = "0.1.0"

_NAMES_BY_MODULE = {
    "pitbook.drills.drill": ("Drill", "DrillQuestion", "drill"),
    "pitbook.errors": ("PitbookError",),
    "pitbook.exact.advice": ("SpotAdvice", "advice"),
    "pitbook.exact.compare": ("Comparison", "compare"),
    "pitbook.exact.edge_findings": ("SheetCheck",),
    "pitbook.exact.sheet_figures": ("GameFigures", "OutcomeRow", "WagerFigures", "figures"),
    "pitbook.exact.strategies": ("GameStrategy", "StrategyRow", "strategy"),
    "pitbook.printing.packet": ("BuiltPaper", "PaperPacket", "papers"),
    "pitbook.rules.legal_actions": ("legal",),
    "pitbook.rules.refusals": ("Refusal",),
    "pitbook.rules.round": ("Round", "open"),
    "pitbook.rules.settlement_answer": (
        *("SettledLine", "SettledRound", "SettledSeat"),
        *("replay", "settle"),
    ),
    "pitbook.rules.step": ("step",),
    "pitbook.sheet_check": ("check",),
    "pitbook.sheets.arguments": ("load",),
    "pitbook.sheets.diff": ("SheetDiff", "diff"),
    "pitbook.sheets.edit": ("changed",),
    "pitbook.sheets.library": ("ListedSheet", "SheetList", "list_sheets"),
    "pitbook.simulation.answer": ("CountRow", "Simulation", "simulate"),
    "pitbook.simulation.sessions.answer": ("SessionEnd", "SessionOutlook", "session"),
}
_MODULE_OF = {name: module for module, names in _NAMES_BY_MODULE.items() for name in names}
_NAME_IN_MODULE = {"open": "open_round"}
_MODULES = {"actions": "pitbook.rules.actions"}

if not TYPE_CHECKING:  # mypy reports unknown names only without a __getattr__.

    def __getattr__(name: str) -> Any:
        if name in _MODULES:
            return importlib.import_module(_MODULES[name])
        if name in _MODULE_OF:
            module = importlib.import_module(_MODULE_OF[name])
            return getattr(module, _NAME_IN_MODULE.get(name, name))
        raise AttributeError(f"pitbook has no {name}")


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
