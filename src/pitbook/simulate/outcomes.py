"""What became of each wager, told as a pay table tells it: outcome, stake, result, odds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from pitbook.game.settlement import Line
from pitbook.money import Cents

__all__ = ["MAIN", "Outcome", "outcomes"]

MAIN = "main"


class Outcome(NamedTuple):
    """One line of an outcome table, before any cap; `units` are stakes of the wager's own kind."""

    wager: str
    outcome: str
    units: int
    result: str
    odds: str | None


def outcomes(lines: Sequence[Line], side: Sequence[str], ante: Cents) -> Iterator[Outcome]:
    """The outcomes of a seat: the main game as a whole, then each side wager."""
    main = [line for line in lines if line.wager not in side]
    units = sum(line.stake for line in main) // ante
    yield _outcome(MAIN, main[0], units)
    for line in lines:
        if line.wager in side:
            yield _outcome(line.wager, line, 1)


def _outcome(wager: str, line: Line, units: int) -> Outcome:
    odds = str(line.odds) if line.odds else None
    return Outcome(wager, str(line.outcome), units, line.result, odds)
