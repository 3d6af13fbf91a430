"""A player's own rules on every street: the first that fits what is held."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import chain
from math import inf

from pitbook.exact.methods.ladder.strategies import Chooser
from pitbook.exact.rule_files import PointValues, Rules, StrategyError, StreetRule
from pitbook.hands.kinds import RANK_NAMES, Ace, atoms, catalogue
from pitbook.hands.ranking import HandClass, key, rank_table
from pitbook.rules.game import Game
from pitbook.text import say

__all__ = ["rule_chooser"]

HIGH, MIDDLE = 9, 4  # Ranks from a jack and from a six.


@dataclass(frozen=True)
class _Facts:
    hand: HandClass
    street: str
    units: int
    ace: Ace


def rule_chooser(game: Game, rules: Rules) -> Chooser:
    """What the rules say on every street; raises StrategyError for words the sheet has not."""
    if rules.street is None:
        raise StrategyError(say("exact.strategy.street-rules", family=game.sheet.family))
    names = [stage.id for stage in game.stages]
    _known_words(names, rules.street)
    ace = game.sheet.payouts.ace_in_straights.value
    conditions = [(rule, _kinds_by_size(rule)) for rule in rules.street]

    def choose(number: int, hand: HandClass, units: int) -> str:
        facts = _Facts(hand, names[number], units, ace)
        for rule, needed_kinds in conditions:
            if _fits(rules, rule, needed_kinds, facts):
                return rule.play
        raise StrategyError(say("exact.strategy.none-fits-on", street=facts.street))

    return choose


def _kinds_by_size(rule: StreetRule) -> Mapping[int, frozenset[str]] | None:
    """The kinds of hands that a rule asks for, by their number of cards; None if it asks for none.

    Combined once: a rule may name thousands of hands, and it is tried on thousands of spots.
    """
    if rule.made is None:
        return None
    return {
        size: frozenset(chain.from_iterable(atoms(line, size) or () for line in set(rule.made)))
        for size in range(2, 6)
    }


def _fits(
    rules: Rules, rule: StreetRule, needed_kinds: Mapping[int, frozenset[str]] | None, facts: _Facts
) -> bool:
    """Whether a hand meets every condition of a rule; the most expensive checks come last."""
    hand = facts.hand
    return (
        (rule.on is None or facts.street in rule.on)
        and (rule.suited is None or hand.suited == rule.suited)
        and (rule.units_at_least is None or facts.units >= rule.units_at_least)
        and (rule.high_cards_at_least is None or _high(hand) >= rule.high_cards_at_least)
        and (rule.span_at_most is None or _span(hand) <= rule.span_at_most)
        and (rule.points_at_least is None or _points(rules.points, hand) >= rule.points_at_least)
        and (needed_kinds is None or _is_made(hand, needed_kinds))
        and (rule.at_least is None or _reaches(facts, _ranks(rule.at_least)))
    )


def _high(hand: HandClass) -> int:
    return sum(rank >= HIGH for rank in hand.ranks)


def _span(hand: HandClass) -> float:
    """From the highest rank to the lowest; without end where two are alike."""
    alike = len(set(hand.ranks)) < len(hand.ranks)
    return inf if alike else hand.ranks[0] - hand.ranks[-1]


def _is_made(hand: HandClass, needed_kinds: Mapping[int, frozenset[str]]) -> bool:
    size = len(hand.ranks)
    return bool(catalogue(size)[hand.kind].fits & needed_kinds.get(size, frozenset()))


def _reaches(facts: _Facts, ranks: tuple[int, ...]) -> bool:
    """Whether a hand of as many cards is no lower, suits of the one that is named aside.

    Two cards are a pair or are not: they make no straight and no flush.
    """
    hand = facts.hand
    if len(ranks) != len(hand.ranks):
        return False
    if len(ranks) == 2:
        return _of_two(hand.ranks) >= _of_two(ranks)
    table = rank_table(len(ranks), facts.ace)
    return table[key(hand.ranks, hand.suited)] >= table[key(ranks, False)]


def _of_two(ranks: tuple[int, ...]) -> tuple[bool, tuple[int, ...]]:
    return ranks[0] == ranks[1], ranks


def _ranks(text: str) -> tuple[int, ...]:
    names = text.split()
    if not 2 <= len(names) <= 5 or not set(names) <= set(RANK_NAMES):
        raise StrategyError(say("exact.strategy.no-ranks", ranks=text))
    return tuple(sorted(map(RANK_NAMES.index, names), reverse=True))


def _points(values: PointValues, hand: HandClass) -> int:
    worth = {True: values.high, False: values.middle}
    return sum(worth[r >= HIGH] if r >= MIDDLE else values.low for r in hand.ranks)


def _known_words(streets: list[str], rules: list[StreetRule]) -> None:
    for rule in rules:
        for name in rule.on or ():
            if name not in streets:
                known = {"street": name, "streets": tuple(streets)}
                raise StrategyError(say("exact.strategy.no-street", **known))
        if rule.at_least is not None:
            _ranks(rule.at_least)
        for line in rule.made or ():
            if all(atoms(line, size) is None for size in range(2, 6)):
                raise StrategyError(say("exact.strategy.no-hand", line=line))
