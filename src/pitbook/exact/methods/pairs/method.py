"""The answers for one decision against a dealer's hand, counted by inclusion and exclusion."""

from __future__ import annotations

from fractions import Fraction
from math import comb

from pitbook.exact.methods.duels.answers import names
from pitbook.exact.methods.duels.kept import is_kept
from pitbook.exact.methods.duels.method import Solving, kept_solutions
from pitbook.exact.methods.method import Method, Rates
from pitbook.exact.methods.pairs.advice import advise
from pitbook.exact.methods.pairs.counting import seconds
from pitbook.exact.methods.pairs.facing import together
from pitbook.exact.methods.pairs.solving import Solution, solve, structure
from pitbook.exact.methods.pairs.strategies import entries, follow, follow_rules
from pitbook.exact.methods.pairs.structure import shape, shape_of
from pitbook.rules.game import Game
from pitbook.text import say

__all__ = ["PAIRS"]


LONG = 2.0  # Seconds.


def _work(game: Game) -> str | None:
    """What was counted before is read; little is counted at once."""
    form = shape(game)
    if seconds(form) < LONG or is_kept(structure(form)):
        return None
    own, other = comb(52 - form.up, form.own), comb(52 - form.up, form.other - form.up)
    return say("exact.large.hands", own=own, dealers=other)


def _seconds(game: Game) -> float:
    return 1 + seconds(shape(game))


def _kinds(solution: Solution) -> Rates:
    """How often each kind is played."""
    found: dict[int | str, Fraction] = {}
    for play, sums in solution.met.items():
        for kind, events in enumerate(sums if not play.folds else ()):
            found[kind] = found.get(kind, Fraction(0)) + Fraction(sum(events), solution.rounds)
    return found


SOLVING = Solving(solve, kept_solutions(solve), _kinds, together)
PAIRS = Method(
    name="pairs",
    fits=lambda game: shape_of(game) is not None,
    work=_work,
    seconds=_seconds,
    spot_seconds=lambda game: 2.0,
    advise=advise,
    names=names,
    follow=follow,
    follow_rules=follow_rules,
    entries=entries,
    **SOLVING.answers(),
)
