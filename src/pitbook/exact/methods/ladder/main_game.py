"""The main game of a ladder as an outcome table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction

from pitbook.exact.figures import FigureRow, Figures, figures, main_row
from pitbook.exact.methods.ladder.solving import PurseEnding, Solution, endings


def main_figures(solution: Solution, ends: Iterable[PurseEnding] | None = None) -> Figures:
    """The figures of the main game under best play, or under the play that the endings tell."""
    return figures(_rows(solution, endings(solution) if ends is None else ends))


def fold_rates(
    solution: Solution, ends: Iterable[PurseEnding] | None = None
) -> dict[str, Fraction]:
    """For each street the share of all rounds that fold there."""
    found = list(endings(solution) if ends is None else ends)
    rounds = sum(one.count for one in found)
    return {
        stage.id: Fraction(sum(one.count for one in found if one.street == number), rounds)
        for number, stage in enumerate(solution.terms.game.stages)
        if solution.terms.plays[number][-1].folds
    }


def _rows(solution: Solution, ends: Iterable[PurseEnding]) -> Iterator[FigureRow]:
    terms = solution.terms
    for end in ends:
        shown = terms.shown(end.kind)
        folds = end.kind is None
        lines = terms.folded(end.purse, shown) if folds else terms.lines(end.purse, shown)
        main = [line for line in lines if line.wager not in terms.side]
        yield main_row(main, terms.ante, end.count)
