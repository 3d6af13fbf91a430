"""Strategies on a ladder: named ones, a player's own rules, short ones, and their tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import chain
from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pitbook.exact.compiled_games import exact_ante
from pitbook.exact.methods.ladder import solve
from pitbook.exact.methods.ladder.solve import (
    PurseValues,
    Solution,
    cached_solution,
    fold_rates,
    main_figures,
    solve_terms,
)
from pitbook.exact.methods.ladder.structure import CARDS, Purse, Terms
from pitbook.exact.methods.ladder.transitions import IntArray, class_sizes, transition
from pitbook.exact.methods.method import StrategyLine
from pitbook.exact.outcome_figures import Figures
from pitbook.exact.rule_files import PointValues, Rules, StrategyError, StreetRule
from pitbook.hands.kinds import RANK_NAMES, Ace, atoms, hand_kinds
from pitbook.hands.ranking import HandClass, classes, key, rank_table
from pitbook.money import Cents
from pitbook.rules.actions import FOLD, Play
from pitbook.rules.game import Game
from pitbook.rules.settlement_lines import pay_by_kind
from pitbook.sheets.model import Sheet
from pitbook.sheets.pay_tables import pay_value
from pitbook.sheets.phrases import outcome
from pitbook.text import Sentence, say


@dataclass(frozen=True)
class StrategyCell:
    """One class of cards before one street: the play, its worth in antes, and whether it occurs."""

    hand: HandClass
    play: Play
    worth: Fraction
    reached: bool


@dataclass(frozen=True, eq=False)
class LadderStrategy:
    """A strategy for every class and purse."""

    name: str
    solution: solve.Solution
    policy: ClassPolicy

    @cached_property
    def endings(self) -> tuple[solve.PurseEnding, ...]:
        """Every way a round ends."""
        return tuple(solve.endings(self.solution, self.policy))

    @cached_property
    def figures(self) -> Figures:
        """The main game's figures."""
        return main_figures(self.solution, self.endings)

    @property
    def fold_rates(self) -> dict[str, Fraction]:
        """For each street the share of all rounds that fold there."""
        return fold_rates(self.solution, self.endings)

    @property
    def expected(self) -> Fraction:
        """The value of a round in antes."""
        (purse,) = self._worth[0]
        ways = class_sizes(self.solution.cards_seen[0], self.solution.ace)
        total = sum(int(a) * int(b) for a, b in zip(self._worth[0][purse], ways, strict=True))
        choice = self.solution.streets[0][purse]
        return Fraction(total, int(ways.sum()) * choice.ways * self.solution.terms.ante)

    def purses(self, street: int) -> tuple[Purse, ...]:
        """The stakes with which a street can be reached, smallest first."""
        return tuple(sorted(self.policy[street], key=self.solution.terms.units))

    def spots(self, street: int, purse: Purse) -> Iterator[StrategyCell]:
        """Every class before a street, best cards first."""
        choice, value = self.solution.streets[street][purse], self._worth[street][purse]
        weights = self._reached[street].get(purse)
        hands = classes(self.solution.cards_seen[street], self.solution.ace)
        scale = choice.ways * self.solution.terms.ante
        for index in range(len(hands) - 1, -1, -1):
            yield StrategyCell(
                hands[index],
                choice.plays[self.policy[street][purse][index]],
                Fraction(int(value[index]), scale),
                weights is not None and bool(weights[index]),
            )

    @cached_property
    def _worth(self) -> list[dict[Purse, NDArray[Any]]]:
        """Backward: the value of following the strategy in every class, in cents times ways."""
        levels: list[dict[Purse, NDArray[Any]]] = []
        for street in range(len(self.solution.streets) - 1, -1, -1):
            next_worths = levels[0] if levels else None
            level = self.solution.streets[street]
            levels.insert(0, {p: self._worth_of(street, p, next_worths) for p in level})
        return levels

    def _worth_of(
        self, street: int, purse: Purse, next_worths: dict[Purse, NDArray[Any]] | None
    ) -> NDArray[Any]:
        choice = self.solution.streets[street][purse]
        value = choice.worth
        if next_worths is not None:  # Later streets are played by this strategy, not by the best.
            value = np.stack(
                [
                    choice.worth[index]
                    if play.folds
                    else self._later(street, new_purse, next_worths)
                    for index, play in enumerate(choice.plays)
                    for new_purse in [self._purse_after(street, purse, play)]
                ]
            )
        places = self.policy[street][purse].astype(np.intp)[None]
        followed: NDArray[Any] = np.take_along_axis(value, places, 0)[0]
        return followed

    def _later(
        self, street: int, purse: Purse, next_worths: dict[Purse, NDArray[Any]]
    ) -> NDArray[Any]:
        reveals = self.solution.terms.ladder.reveals[street]
        step = transition(self.solution.cards_seen[street], reveals, self.solution.ace)
        return step.backward(next_worths[purse])

    def _purse_after(self, street: int, purse: Purse, play: Play) -> Purse:
        return purse if play.folds else self.solution.terms.purse_after(street, purse, play)

    @cached_property
    def _reached(self) -> list[dict[Purse, IntArray]]:
        """Forward: how often each class is met before each street with each purse."""
        terms, ace = self.solution.terms, self.solution.ace
        levels = [{terms.empty_purse: class_sizes(self.solution.cards_seen[0], ace)}]
        for street, reveals in enumerate(terms.ladder.reveals[:-1]):
            size = len(classes(self.solution.cards_seen[street + 1], ace))
            step = transition(self.solution.cards_seen[street], reveals, ace)
            next_reached: dict[Purse, IntArray] = {}
            for purse, weights in levels[-1].items():
                for index, play in enumerate(self.solution.streets[street][purse].plays):
                    play_weights = np.where(self.policy[street][purse] == index, weights, 0)
                    if not play.folds and play_weights.any():
                        carried = step.forward(play_weights, size)
                        new_purse = self._purse_after(street, purse, play)
                        next_reached[new_purse] = (
                            next_reached.get(new_purse, np.zeros_like(carried)) + carried
                        )
            levels.append(next_reached)
        return levels


def follow(game: Game, name: str, ante: Cents | None = None) -> LadderStrategy:
    """A strategy by its name; raises StrategyError."""
    solution = solve_named(game, name, ante)
    best = [{purse: values.best for purse, values in level.items()} for level in solution.streets]
    return LadderStrategy(name, solution, dict(enumerate(best)))


def follow_rules(game: Game, rules: Rules, ante: Cents | None = None) -> LadderStrategy:
    """A player's own rules; raises StrategyError."""
    solution = cached_solution(game.sheet, ante)
    return LadderStrategy(rules.name, solution, build_policy(solution, rule_chooser(game, rules)))


Chooser = Callable[[int, HandClass, int], str]  # street, class, antes at stake -> play
ClassPolicy = dict[int, dict[Purse, NDArray[np.int8]]]


def strategy_lines(game: Game, ante: Cents | None, purse: Cents | None) -> Iterator[StrategyLine]:
    """The whole best strategy, line by line. `purse` is the money left after the ante; None means
    no limit.
    """
    antes_left = purse // ante if purse is not None and ante else None
    solution = cached_solution(game.sheet, ante, antes_left)
    for number, level in enumerate(solution.streets):
        for bets, choice in level.items():
            if solution.terms.antes_left is not None and sum(bets) > solution.terms.antes_left:
                continue  # No player has that much to bet.
            for index, hand in enumerate(classes(solution.cards_seen[number], solution.ace)):
                best = int(choice.best[index])
                value = Fraction(int(choice.worth[best, index]), choice.ways * solution.terms.ante)
                street, units = game.stages[number].id, solution.terms.units(bets)
                yield StrategyLine(street, class_name(hand), units, choice.plays[best], value)


def class_name(hand: HandClass) -> str:
    """A class as players write it.

    >>> class_name(HandClass((12, 11), True, 0)), class_name(HandClass((8, 8), False, 0))
    ('A K suited', '10 10')
    """
    suited = " suited" if hand.suited and len(hand.ranks) > 1 else ""
    return " ".join(RANK_NAMES[rank] for rank in hand.ranks) + suited


def solve_named(game: Game, name: str, ante: Cents | None = None) -> Solution:
    """Best play among the plays that a strategy of that name allows."""
    if name == "best":
        return cached_solution(game.sheet, ante)
    kind, _, play = name.partition("-")
    plays = _all_plays(game)
    if kind == "never" and play in plays:
        return _solve_without(game, (play,), ante)
    if kind == "always" and play in plays[1:]:
        return _solve_without(
            game, tuple(other_play for other_play in plays if other_play != play), ante
        )
    names = strategy_names(game)
    raise StrategyError(say("exact.strategy.unknown-or-file", name=name, known=names))


def _solve_without(game: Game, plays: tuple[str, ...], ante: Cents | None) -> Solution:
    for stage in game.stages:
        if all(play.folds or play in plays for play in stage.plays):
            raise StrategyError(say("exact.strategy.without", plays=plays, title=stage.title))
    stake = ante or exact_ante(game.sheet)
    terms = Terms(game, stake, ante is not None, {}, excluded_plays=frozenset(plays))
    for stage, bets in zip(game.stages, terms.bets, strict=True):
        if not bets:  # A maximum in dollars forbids the remaining bets.
            fields = {"stake": stake, "title": stage.title, "plays": plays}
            raise StrategyError(say("exact.strategy.none-left", **fields))
    return solve_terms(terms)


def strategy_names(game: Game) -> tuple[str, ...]:
    """The strategies that need no rule file."""
    fold, *bets = _all_plays(game)
    folds = any(play.folds for stage in game.stages for play in stage.plays)
    never = [fold, *bets] if folds else bets
    return ("best", *(f"never-{bet}" for bet in never), *(f"always-{bet}" for bet in bets))


def _all_plays(game: Game) -> list[Play]:
    """A fold, then every other play of any street, in ascending order of the stake."""
    bets = {play for stage in game.stages for play in stage.plays if not play.folds}
    return [FOLD, *sorted(bets, key=lambda play: (play.times, not play.takes))]


def build_policy(solution: Solution, choose: Chooser) -> ClassPolicy:
    """The policy of a chooser for every class and purse."""
    policy: ClassPolicy = {}
    for number, level in enumerate(solution.streets):
        hands = classes(solution.cards_seen[number], solution.ace)
        policy[number] = {}
        for purse, choice in level.items():
            units = solution.terms.units(purse)
            plays = [choose(number, hand, units) for hand in hands]
            policy[number][purse] = np.array([_play_index(choice, play) for play in plays], np.int8)
    return policy


def _play_index(choice: PurseValues, play: str) -> int:
    if play not in choice.plays:
        allowed = {"play": play, "plays": tuple(choice.plays)}
        raise StrategyError(say("exact.strategy.no-play", **allowed))
    return choice.plays.index(play)


HIGH, MIDDLE = 9, 4  # Ranks from a jack, and from a six.


@dataclass(frozen=True)
class _HandFacts:
    hand: HandClass
    street: str
    units: int
    ace: Ace


def rule_chooser(game: Game, rules: Rules) -> Chooser:
    """A chooser that follows the rules; raises StrategyError for unknown words."""
    if rules.street is None:
        raise StrategyError(say("exact.strategy.street-rules", family=game.sheet.family))
    names = [stage.id for stage in game.stages]
    _check_words(names, rules.street)
    ace = game.sheet.payouts.ace_in_straights.value
    conditions = [(rule, _kinds_by_size(rule)) for rule in rules.street]

    def choose(number: int, hand: HandClass, units: int) -> str:
        facts = _HandFacts(hand, names[number], units, ace)
        for rule, needed_kinds in conditions:
            if _rule_fits(rules, rule, needed_kinds, facts):
                return rule.play
        raise StrategyError(say("exact.strategy.none-fits-on", street=facts.street))

    return choose


def _kinds_by_size(rule: StreetRule) -> Mapping[int, frozenset[str]] | None:
    """The kinds of hands that a rule requires, by number of cards; None if it requires none.

    Cached: a rule may name thousands of hands, and it is tried on thousands of spots.
    """
    if rule.made is None:
        return None
    return {
        size: frozenset(chain.from_iterable(atoms(line, size) or () for line in set(rule.made)))
        for size in range(2, 6)
    }


def _rule_fits(
    rules: Rules,
    rule: StreetRule,
    needed_kinds: Mapping[int, frozenset[str]] | None,
    facts: _HandFacts,
) -> bool:
    """Whether a hand meets every condition of a rule; the most expensive checks come last."""
    hand = facts.hand
    return (
        (rule.on is None or facts.street in rule.on)
        and (rule.suited is None or hand.suited == rule.suited)
        and (rule.units_at_least is None or facts.units >= rule.units_at_least)
        and (rule.high_cards_at_least is None or _high_cards(hand) >= rule.high_cards_at_least)
        and (rule.span_at_most is None or _rank_span(hand) <= rule.span_at_most)
        and (rule.points_at_least is None or _points(rules.points, hand) >= rule.points_at_least)
        and (needed_kinds is None or _makes_hand(hand, needed_kinds))
        and (rule.at_least is None or _is_at_least(facts, _parse_ranks(rule.at_least)))
    )


def _high_cards(hand: HandClass) -> int:
    return sum(rank >= HIGH for rank in hand.ranks)


def _rank_span(hand: HandClass) -> float:
    """The distance from the highest rank to the lowest; infinite with a pair."""
    has_pair = len(set(hand.ranks)) < len(hand.ranks)
    return inf if has_pair else hand.ranks[0] - hand.ranks[-1]


def _makes_hand(hand: HandClass, needed_kinds: Mapping[int, frozenset[str]]) -> bool:
    size = len(hand.ranks)
    return bool(hand_kinds(size)[hand.kind].fits & needed_kinds.get(size, frozenset()))


def _is_at_least(facts: _HandFacts, ranks: tuple[int, ...]) -> bool:
    """Whether a hand is at least as high as an unsuited hand of these ranks.

    Two cards only compare as pair or no pair: they make no straight or flush.
    """
    hand = facts.hand
    if len(ranks) != len(hand.ranks):
        return False
    if len(ranks) == 2:
        return _two_card_key(hand.ranks) >= _two_card_key(ranks)
    table = rank_table(len(ranks), facts.ace)
    return table[key(hand.ranks, hand.suited)] >= table[key(ranks, False)]


def _two_card_key(ranks: tuple[int, ...]) -> tuple[bool, tuple[int, ...]]:
    return ranks[0] == ranks[1], ranks


def _parse_ranks(text: str) -> tuple[int, ...]:
    names = text.split()
    if not 2 <= len(names) <= 5 or not set(names) <= set(RANK_NAMES):
        raise StrategyError(say("exact.strategy.no-ranks", ranks=text))
    return tuple(sorted(map(RANK_NAMES.index, names), reverse=True))


def _points(values: PointValues, hand: HandClass) -> int:
    value = {True: values.high, False: values.middle}
    return sum(value[r >= HIGH] if r >= MIDDLE else values.low for r in hand.ranks)


def _check_words(streets: list[str], rules: list[StreetRule]) -> None:
    for rule in rules:
        for name in rule.on or ():
            if name not in streets:
                fields = {"street": name, "streets": tuple(streets)}
                raise StrategyError(say("exact.strategy.no-street", **fields))
        if rule.at_least is not None:
            _parse_ranks(rule.at_least)
        for line in rule.made or ():
            if all(atoms(line, size) is None for size in range(2, 6)):
                raise StrategyError(say("exact.strategy.no-hand", line=line))


def short_strategy(best: LadderStrategy) -> LadderStrategy:
    """Best play as with the fewest units at which each hand occurs; the figures are exact."""
    solution = best.solution
    plays: dict[tuple[int, HandClass], Play] = {}
    for street in range(len(solution.streets)):
        for reached in (True, False):
            for purse in best.purses(street):
                for spot in best.spots(street, purse):
                    if spot.reached == reached:
                        plays.setdefault((street, spot.hand), spot.play)
    policy = build_policy(solution, lambda street, hand, _: str(plays[street, hand]))
    return LadderStrategy("short", solution, policy)


Plays = Mapping[Play, tuple[str, ...]]  # Each play with its hands.
RankCounts = tuple[int, ...]  # The number of cards in each rank group.
ACE = 12
WHEEL = frozenset({ACE, 0, 1, 2, 3})
RESULTS = {1: "high", 0: "middle", -1: "low"}


@dataclass(frozen=True)
class RankGroup:
    """Ranks whose pairs pay alike."""

    name: str
    ranks: tuple[int, ...]
    result: str | None = None  # The result of a pair, if no other group has it.

    @property
    def span(self) -> str:
        """The ranks as text: J-A."""
        return _span_text(self.ranks)

    @property
    def meaning(self) -> Sentence | None:
        """The meaning of the name: "high J-A"; None if the name is the ranks."""
        text = say("exact.held.group-is", group=self.name, ranks=self.span)
        return None if self.name == self.span else text


@dataclass(frozen=True, order=True)
class Draw:
    """What a hand without a pair can still become."""

    suited: bool
    straights: int


@dataclass(frozen=True)
class StreetTable:
    """A strategy's plays before one street at one stake, for hands that reach it."""

    street: str
    title: str
    units: int
    purse: Purse
    made_hands: Mapping[str, Plays]
    unpaired_hands: Mapping[tuple[RankCounts, Draw], Plays]


def rank_groups(sheet: Sheet) -> tuple[RankGroup, ...]:
    """The ranks grouped by what a pair of them pays, best first."""
    kinds = [kind.name for kind in hand_kinds(CARDS)]
    pays = pay_by_kind(sheet, "main")
    ranks_by_value: dict[Fraction, list[int]] = {}
    for rank, name in enumerate(RANK_NAMES):
        pay = pays[kinds.index(f"pair-{name}")]
        value = pay_value("push" if pay.result == "push" else pay.odds)
        ranks_by_value.setdefault(value, []).append(rank)
    signs = Counter((value > 0) - (value < 0) for value in ranks_by_value)
    groups = []
    for value in sorted(ranks_by_value, reverse=True):
        sign, ranks = (value > 0) - (value < 0), tuple(ranks_by_value[value])
        is_only_group = signs[sign] == 1
        name = say("exact.held.group", group=RESULTS[sign]) if is_only_group else _span_text(ranks)
        groups.append(RankGroup(name, ranks, RESULTS[sign] if is_only_group else None))
    return tuple(groups)


def street_tables(strategy: LadderStrategy, street: int) -> Iterator[StreetTable]:
    """A table for each stake with which the strategy reaches a street."""
    game = strategy.solution.terms.game
    groups, rule = rank_groups(game.sheet), game.stages[street]
    for purse in strategy.purses(street):
        spots = [spot for spot in strategy.spots(street, purse) if spot.reached]
        if spots:
            paired_hands = [(spot.hand, spot.play) for spot in spots if _has_pair(spot.hand)]
            unpaired_hands = [(spot.hand, spot.play) for spot in spots if not _has_pair(spot.hand)]
            yield StreetTable(
                rule.id,
                rule.title,
                strategy.solution.terms.units(purse),
                purse,
                _made_rows(paired_hands, groups),
                _unpaired_rows(unpaired_hands, groups, strategy.solution.ace),
            )


def format_rank_counts(counts: RankCounts, groups: tuple[RankGroup, ...]) -> str:
    """The number of cards of each group: 2 high, 1 low."""
    texts = tuple(
        _count_text(count, group) for count, group in zip(counts, groups, strict=True) if count
    )
    return say("exact.held.mix", groups=texts)


def _count_text(count: int, group: RankGroup) -> Sentence:
    if group.result is None:
        return say("exact.held.many", many=count, group=group.name)
    return say("exact.held.many-of", many=count, group=group.result)


def _has_pair(hand: HandClass) -> bool:
    return len(set(hand.ranks)) < len(hand.ranks)


def _unpaired_rows(
    hands: list[tuple[HandClass, Play]], groups: tuple[RankGroup, ...], ace: Ace
) -> dict[tuple[RankCounts, Draw], Plays]:
    rows = [((_rank_counts(hand, groups), _draw_of(hand, ace)), hand, play) for hand, play in hands]
    return {
        key: _group_plays([(hand, play) for row_key, hand, play in rows if row_key == key])
        for key in sorted({key for key, _, _ in rows}, reverse=True)
    }


def _rank_counts(hand: HandClass, groups: tuple[RankGroup, ...]) -> RankCounts:
    """The number of the hand's unpaired cards in each group."""
    single = [rank for rank in hand.ranks if hand.ranks.count(rank) == 1]
    return tuple(sum(rank in group.ranks for rank in single) for group in groups)


def _draw_of(hand: HandClass, ace: Ace) -> Draw:
    windows = [frozenset(range(low, low + 5)) for low in range(9)]
    windows += [WHEEL] if ace == "high-or-low" else []
    straights = sum(set(hand.ranks) <= window for window in windows)
    return Draw(hand.suited and len(hand.ranks) > 1, straights)


def _made_rows(
    hands: list[tuple[HandClass, Play]], groups: tuple[RankGroup, ...]
) -> dict[str, Plays]:
    """By made hand; if that does not decide, by the other cards too."""
    table: dict[str, Plays] = {}
    named = [(_made_hand_name(hand, groups), hand, play) for hand, play in hands]
    for name in dict.fromkeys(name for name, _, _ in named):
        named_hands = [(hand, play) for row_name, hand, play in named if row_name == name]
        if len({play for _, play in named_hands}) == 1:
            table[name] = _group_plays(named_hands)
            continue
        for counts in sorted({_rank_counts(hand, groups) for hand, _ in named_hands}, reverse=True):
            matching = [
                (hand, play) for hand, play in named_hands if _rank_counts(hand, groups) == counts
            ]
            label = say("exact.held.with", hand=name, mix=format_rank_counts(counts, groups))
            table[label if any(counts) else name] = _group_plays(matching)
    return table


def _made_hand_name(hand: HandClass, groups: tuple[RankGroup, ...]) -> str:
    counts = Counter(hand.ranks)
    most_alike = max(counts.values())
    if most_alike > 2:
        return outcome("four-of-a-kind" if most_alike == 4 else "three-of-a-kind")
    paired = [rank for rank, count in counts.items() if count == 2]
    if len(paired) == 2:
        return outcome("two-pair")
    (group,) = (group for group in groups if paired[0] in group.ranks)
    first, last = RANK_NAMES[group.ranks[0]], RANK_NAMES[group.ranks[-1]]
    if len(group.ranks) == len(RANK_NAMES):
        return outcome("pair")
    if not _is_run(group.ranks):
        return say("exact.held.pair-of", ranks=group.span)
    return outcome(f"pair-{first}" if first == last else f"pair-{first}-{last}")


def _group_plays(hands: list[tuple[HandClass, Play]]) -> Plays:
    """Plays with their hands, the most common play first."""
    hands_by_play: dict[Play, list[str]] = {}
    for hand, play in hands:
        hands_by_play.setdefault(play, []).append(class_name(hand))
    ordered = sorted(hands_by_play, key=lambda play: -len(hands_by_play[play]))
    return {play: tuple(hands_by_play[play]) for play in ordered}


def _is_run(ranks: tuple[int, ...]) -> bool:
    return ranks[-1] - ranks[0] == len(ranks) - 1


def _span_text(ranks: tuple[int, ...]) -> str:
    if len(ranks) > 1 and _is_run(ranks):
        return f"{RANK_NAMES[ranks[0]]}-{RANK_NAMES[ranks[-1]]}"
    return " ".join(RANK_NAMES[rank] for rank in ranks)
