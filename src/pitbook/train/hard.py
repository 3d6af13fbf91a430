"""Hard ones: hands dealt by lot until the best play and the next lie close together."""

from __future__ import annotations

import time
from collections.abc import Callable
from fractions import Fraction

from pitbook.errors import PitbookError
from pitbook.rules.game import Game
from pitbook.rules.round import Round
from pitbook.train.coach import Weighed, weigh
from pitbook.train.daily.hands import asked, hand, mine

HANDS, SECONDS = 60, 1.5
HANDS_MAX = 1_000  # Until there is a decision: Casino War asks for one in every 14 hands.
Pick = Callable[[int], int]  # A number below another, each as likely.


def hard_spot(game: Game, seed: str, pick: Pick) -> Round | None:
    """The closest of some random decisions in hands dealt from a seed; None if there is none."""
    best: tuple[Fraction, Round] | None = None
    began = time.monotonic()
    for number in range(1, HANDS_MAX + 1):
        round = _somewhere(game, seed, number, pick)
        close = None if round is None else _close(round)
        if round is not None and close is not None and (best is None or close < best[0]):
            best = close, round
        if best is not None and (number >= HANDS or time.monotonic() - began > SECONDS):
            break
    return None if best is None else best[1]


def _somewhere(game: Game, seed: str, number: int, pick: Pick) -> Round | None:
    """A hand at one of its decisions that a table can arrange, played on cheaply until there."""
    wanted, plays = pick(len(game.stages)), list[str]()
    round = hand(game, seed, number)
    while round.waiting and round.stage < wanted:
        plays.append(_on(round))
        after = hand(game, seed, number, plays)
        if not after.waiting:
            break
        round = after
    if not round.waiting or any(game.stages[round.stage].opens[2:]):
        return None
    return round


def _on(round: Round) -> str:
    """The cheapest play that gives nothing up."""
    plays = {str(play): play for play in round.game.plays(round.stage)}
    able = [play for play in asked(round) if not plays[play].folds]
    return min(able, key=lambda play: plays[play].times) if able else next(asked(round))


def _close(round: Round) -> Fraction | None:
    try:
        return closeness(weigh(round, mine(round)))
    except PitbookError:  # Too large a sum, say.
        return None


def closeness(weighed: Weighed) -> Fraction | None:
    """What the second-best play gives away, in cents; None where all are as good."""
    costs = sorted({weighed.cost(play) for play in weighed.covered})
    return costs[1] if len(costs) > 1 else None
