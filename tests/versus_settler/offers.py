"""The plays that each game's rules allow, decision by decision, for the visible cards."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tests.versus_settler.hands import ACE, at_least, best

Allowed = Callable[[Sequence[int]], Sequence[set[str]]]


def always(*stages: set[str]) -> Allowed:
    """The same plays at every decision."""
    return lambda hole: stages


def crazy(hole: Sequence[int]) -> Sequence[set[str]]:
    """657a: more than the Ante only with a pair of aces or better."""
    high = at_least(best(hole, 4), 4, "pair", ACE)
    return [{"fold", "1x", "2x", "3x"} if high else {"fold", "1x"}]


def ultimate_three(hole: Sequence[int]) -> Sequence[set[str]]:
    """Three times the Ante only with a pair or better."""
    return [{"fold", "1x", "3x"} if at_least(best(hole, 3), 3, "pair") else {"fold", "1x"}]


STREET = {"fold", "1x", "2x", "3x"}
PULLED = {"pull", "ride"}
ALLOWED: dict[str, Allowed] = {
    "pennsylvania/three-card-poker": always({"fold", "1x"}),
    "pennsylvania/ultimate-texas-holdem": always(
        {"check", "3x", "4x"}, {"check", "2x"}, {"fold", "1x"}
    ),
    "pennsylvania/let-it-ride": always(PULLED, PULLED),
    "pennsylvania/crazy-4-poker": crazy,
    "pennsylvania/four-card-poker": always(STREET),
    "pennsylvania/mississippi-stud": always(STREET, STREET, STREET),
    "classic/caribbean-stud": always({"fold", "2x"}),
    "classic/casino-holdem": always({"fold", "2x"}),
    "classic/ultimate-three-card-poker": ultimate_three,
    "classic/casino-war": always({"surrender", "war"}),
}
