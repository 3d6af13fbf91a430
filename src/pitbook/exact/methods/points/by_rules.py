"""A player's own rules for a declaration: the first that fits the hand's points."""

from __future__ import annotations

from pitbook.exact.methods.points.solving import HandWorth
from pitbook.exact.methods.points.strategies import Declarer
from pitbook.exact.rule_files import Rules, StrategyError
from pitbook.rules.game import Game
from pitbook.text import say

__all__ = ["rule_declarer"]

ACE = 12


def rule_declarer(game: Game, rules: Rules) -> Declarer:
    """What the rules say of every hand."""
    if rules.declare is None:
        raise StrategyError(say("exact.strategy.declare-rules", family=game.sheet.family))
    return lambda spot: _declared(rules, spot)


def _declared(rules: Rules, spot: HandWorth) -> str:
    for rule in rules.declare or ():
        tests = (
            rule.low_at_most is None or spot.low <= rule.low_at_most,
            rule.high_at_least is None or spot.high >= rule.high_at_least,
            rule.ace is None or (ACE in spot.ranks) == rule.ace,
        )
        if all(tests):
            return rule.play
    raise StrategyError(say("exact.strategy.none-fits"))
