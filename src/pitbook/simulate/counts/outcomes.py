"""What became of each wager, told as a pay table tells it: outcome, stake, result, odds.

The main game is the sum of its wagers. Where they all end alike that says everything; where one can
win while another pushes, each of them is told besides.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from pitbook.money import Cents
from pitbook.rules.settlement import Line

MAIN = "main"


class Outcome(NamedTuple):
    """One line of an outcome table, before any cap; `units` are stakes of the wager's own kind."""

    wager: str
    outcome: str
    units: int
    result: str
    odds: str | None


def outcomes(
    lines: Sequence[Line], side: Collection[str], ante: Cents, *, by_wager: bool = False
) -> Iterator[Outcome]:
    """The outcomes of a seat: the main game as a sum, its wagers if asked for, each side wager."""
    main = _main(lines, side)
    yield _sum(main, ante)
    for line in main if by_wager else ():
        yield _outcome(line.wager, line, line.stake // ante)
    for line in lines:
        if line.wager in side:
            yield _outcome(line.wager, line, 1)


def ends_apart(lines: Sequence[Line], side: Collection[str]) -> bool:
    """Whether the main game's wagers do not all end in the same way."""
    return len({_end(line) for line in _main(lines, side)}) > 1


def _main(lines: Sequence[Line], side: Collection[str]) -> list[Line]:
    return [line for line in lines if line.wager not in side]


def _end(line: Line) -> tuple[object, ...]:
    return line.outcome, line.result, line.odds


def _sum(main: Sequence[Line], ante: Cents) -> Outcome:
    """The wagers together: how all of them ended, or each, and the result on balance."""
    units = sum(line.stake for line in main) // ante
    if not ends_apart(main, ()):
        return _outcome(MAIN, main[0], units)
    net = sum(line.net for line in main)
    result = "win" if net > 0 else "lose" if net < 0 else "push"
    outcome = " + ".join(dict.fromkeys(str(line.outcome) for line in main))
    return Outcome(MAIN, outcome, units, result, None)


def _outcome(wager: str, line: Line, units: int) -> Outcome:
    odds = str(line.odds) if line.odds else None
    return Outcome(wager, str(line.outcome), units, line.result, odds)
