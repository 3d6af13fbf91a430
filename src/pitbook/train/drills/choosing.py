"""The next question: what is due first, then one that is neither too easy nor too hard."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Literal, NamedTuple

from pitbook.rules.game import Game
from pitbook.train.drills.heart import facts_of
from pitbook.train.drills.item import Item
from pitbook.train.drills.kinds import allowed, by_fact, drill, kind_of_fact
from pitbook.train.drills.learning import Standing, level_of
from pitbook.train.drills.luck import Draws

Bias = Literal["none", "errors", "hard"]
TRIED = 4  # Questions of which the one that fits best is asked.
TARGET = 0.8  # The share of right answers that teaches most.


class ChosenItem(NamedTuple):
    """A question and the seed that makes it again."""

    item: Item
    seed: str


def choose(
    game: Game,
    standing: Standing,
    seed: str,
    now: datetime,
    *,
    kinds: Sequence[str] = (),
    bias: Bias = "none",
) -> ChosenItem:
    """What to ask next of these kinds, or of all that the sheet has."""
    wanted = tuple(kinds) or allowed(game)
    luck = Draws(seed)
    if bias == "errors" and (again := _missed(game, standing, wanted, luck)) is not None:
        return again
    if (fact := _due(game, standing, wanted, now)) is not None:
        return _of(game, kind_of_fact(fact), by_fact(fact, seed))
    kind = luck.one_of(wanted)
    tried = [_of(game, kind, f"{seed}.{number}") for number in range(TRIED)]
    return min(tried, key=_distance(game, standing, bias))


def _missed(game: Game, standing: Standing, kinds: Sequence[str], luck: Draws) -> ChosenItem | None:
    """A question that was missed before, the very same."""
    missed = [one for one in standing.missed(game.digest) if one.kind in kinds]
    if not missed:
        return None
    one = luck.one_of(missed)
    return _of(game, one.kind, one.seed)


def _due(game: Game, standing: Standing, kinds: Sequence[str], now: datetime) -> str | None:
    facts = [fact for fact in facts_of(game) if kind_of_fact(fact) in kinds]
    return next(iter(standing.due(game.sheet.id, facts, now)), None)


def _distance(game: Game, standing: Standing, bias: Bias) -> Callable[[ChosenItem], float]:
    """How badly a question fits: far from what four of five get right; for hard ones, how easy."""

    def far(one: ChosenItem) -> float:
        ease = standing.ease((game.sheet.id, one.item.kind, level_of(one.item.work)))
        return ease if bias == "hard" else abs(ease - TARGET)

    return far


def _of(game: Game, kind: str, seed: str) -> ChosenItem:
    return ChosenItem(drill(game, kind, seed), seed)
