"""The main game of a street-stud sheet as an outcome table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction

from pitbook.exact.figures import Figures, Row, figures
from pitbook.exact.methods.ladder.solving import Ending, Solution, endings
from pitbook.exact.methods.ladder.terms import net
from pitbook.families.street_stud.compile import Showdown

NOBODY = Showdown(None, None, None)


def main_figures(solution: Solution, ends: Iterable[Ending] | None = None) -> Figures:
    """The figures of the main game under best play, or under the play that the endings tell."""
    return figures(_rows(solution, endings(solution) if ends is None else ends))


def fold_rates(solution: Solution, ends: Iterable[Ending] | None = None) -> dict[str, Fraction]:
    """For each street the share of all rounds that fold there."""
    found = list(endings(solution) if ends is None else ends)
    rounds = sum(one.count for one in found)
    return {
        street.id: Fraction(sum(one.count for one in found if one.street == number), rounds)
        for number, street in enumerate(solution.terms.sheet.streets)
        if street.fold
    }


def _rows(solution: Solution, ends: Iterable[Ending]) -> Iterator[Row]:
    terms = solution.terms
    for end in ends:
        if end.kind is None:
            lines = terms.folded(end.purse, NOBODY)
        else:
            lines = terms.lines(end.purse, Showdown(end.kind, None, None))
        main = tuple(line for line in lines if line.wager not in terms.side)
        won = Fraction(net(main), terms.ante)
        yield Row(str(main[0].outcome), terms.units(end.purse), main[0].result, won, end.count)
