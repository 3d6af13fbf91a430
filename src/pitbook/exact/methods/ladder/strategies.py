"""Strategies on a ladder: named ones, a player's own rules, short ones, and tables of them."""

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

from pitbook.exact.figures import Figures
from pitbook.exact.games import exact_ante
from pitbook.exact.methods.ladder import solve
from pitbook.exact.methods.ladder.solve import (
    PurseWorths,
    Solution,
    cached_solution,
    fold_rates,
    main_figures,
    solve_terms,
)
from pitbook.exact.methods.ladder.structure import CARDS, Purse, Terms
from pitbook.exact.methods.ladder.transitions import IntArray, class_sizes, transition
from pitbook.exact.methods.method import StrategyLine
from pitbook.exact.rule_files import PointValues, Rules, StrategyError, StreetRule
from pitbook.hands.kinds import RANK_NAMES, Ace, atoms, catalogue
from pitbook.hands.ranking import HandClass, classes, key, rank_table
from pitbook.money import Cents
from pitbook.rules.game import Game
from pitbook.rules.plays import FOLD, Play
from pitbook.rules.pricing import pay_by_kind
from pitbook.sheets.model import Sheet
from pitbook.sheets.pay_tables import pay_value
from pitbook.sheets.prose.words import outcome
from pitbook.text import Sentence, say


@dataclass(frozen=True)
class StrategyCell:
    """One class of cards before one street: what to do, its worth in antes, and if it comes up."""

    hand: HandClass
    play: Play
    worth: Fraction
    reached: bool


@dataclass(frozen=True, eq=False)
class LadderStrategy:
    """A strategy over every class and purse."""

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
        ways = class_sizes(self.solution.seen[0], self.solution.ace)
        total = sum(int(a) * int(b) for a, b in zip(self._worth[0][purse], ways, strict=True))
        choice = self.solution.streets[0][purse]
        return Fraction(total, int(ways.sum()) * choice.ways * self.solution.terms.ante)

    def purses(self, street: int) -> tuple[Purse, ...]:
        """The stakes with which a street can be met, smallest first."""
        return tuple(sorted(self.policy[street], key=self.solution.terms.units))

    def spots(self, street: int, purse: Purse) -> Iterator[StrategyCell]:
        """Every class before a street, best cards first."""
        choice, worth = self.solution.streets[street][purse], self._worth[street][purse]
        weights = self._reached[street].get(purse)
        hands = classes(self.solution.seen[street], self.solution.ace)
        scale = choice.ways * self.solution.terms.ante
        for place in range(len(hands) - 1, -1, -1):
            yield StrategyCell(
                hands[place],
                choice.plays[self.policy[street][purse][place]],
                Fraction(int(worth[place]), scale),
                weights is not None and bool(weights[place]),
            )

    @cached_property
    def _worth(self) -> list[dict[Purse, NDArray[Any]]]:
        """Backward: what following the strategy is worth in every class, in cents times ways."""
        levels: list[dict[Purse, NDArray[Any]]] = []
        for street in range(len(self.solution.streets) - 1, -1, -1):
            after = levels[0] if levels else None
            level = self.solution.streets[street]
            levels.insert(0, {p: self._worth_of(street, p, after) for p in level})
        return levels

    def _worth_of(
        self, street: int, purse: Purse, after: dict[Purse, NDArray[Any]] | None
    ) -> NDArray[Any]:
        choice = self.solution.streets[street][purse]
        worth = choice.worth
        if after is not None:  # What comes later is played by this strategy, not by the best.
            worth = np.stack(
                [
                    choice.worth[place] if play.folds else self._later(street, bigger, after)
                    for place, play in enumerate(choice.plays)
                    for bigger in [self._bigger(street, purse, play)]
                ]
            )
        places = self.policy[street][purse].astype(np.intp)[None]
        own: NDArray[Any] = np.take_along_axis(worth, places, 0)[0]
        return own

    def _later(self, street: int, purse: Purse, after: dict[Purse, NDArray[Any]]) -> NDArray[Any]:
        reveals = self.solution.terms.ladder.reveals[street]
        step = transition(self.solution.seen[street], reveals, self.solution.ace)
        return step.backward(after[purse])

    def _bigger(self, street: int, purse: Purse, play: Play) -> Purse:
        return purse if play.folds else self.solution.terms.purse_after(street, purse, play)

    @cached_property
    def _reached(self) -> list[dict[Purse, IntArray]]:
        """Forward: how often each class is met before each street with each purse."""
        terms, ace = self.solution.terms, self.solution.ace
        levels = [{terms.nothing_bet: class_sizes(self.solution.seen[0], ace)}]
        for street, reveals in enumerate(terms.ladder.reveals[:-1]):
            size = len(classes(self.solution.seen[street + 1], ace))
            step = transition(self.solution.seen[street], reveals, ace)
            following: dict[Purse, IntArray] = {}
            for purse, weights in levels[-1].items():
                for place, play in enumerate(self.solution.streets[street][purse].plays):
                    taken = np.where(self.policy[street][purse] == place, weights, 0)
                    if not play.folds and taken.any():
                        moved = step.forward(taken, size)
                        bigger = self._bigger(street, purse, play)
                        following[bigger] = following.get(bigger, np.zeros_like(moved)) + moved
            levels.append(following)
        return levels


def follow(game: Game, name: str, ante: Cents | None = None) -> LadderStrategy:
    """A strategy by its name; raises StrategyError with a sentence."""
    solution = solve_named(game, name, ante)
    best = [{purse: one.best for purse, one in level.items()} for level in solution.streets]
    return LadderStrategy(name, solution, dict(enumerate(best)))


def follow_rules(game: Game, rules: Rules, ante: Cents | None = None) -> LadderStrategy:
    """A player's own rules; raises StrategyError with a sentence."""
    solution = cached_solution(game.sheet, ante)
    return LadderStrategy(rules.name, solution, build_policy(solution, rule_chooser(game, rules)))


Chooser = Callable[[int, HandClass, int], str]  # street, class, antes at stake -> play
ClassPolicy = dict[int, dict[Purse, NDArray[np.int8]]]


def strategy_lines(game: Game, ante: Cents | None, purse: Cents | None) -> Iterator[StrategyLine]:
    """The whole best strategy, line by line; `purse` is left beside the ante, None is enough."""
    room = purse // ante if purse is not None and ante else None
    solution = cached_solution(game.sheet, ante, room)
    for number, level in enumerate(solution.streets):
        for bets, choice in level.items():
            if solution.terms.room is not None and sum(bets) > solution.terms.room:
                continue  # Nobody has so much to bet.
            for place, hand in enumerate(classes(solution.seen[number], solution.ace)):
                best = int(choice.best[place])
                worth = Fraction(int(choice.worth[best, place]), choice.ways * solution.terms.ante)
                street, units = game.stages[number].id, solution.terms.units(bets)
                yield StrategyLine(street, class_name(hand), units, choice.plays[best], worth)


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
        return _solve_without(game, tuple(one for one in plays if one != play), ante)
    known = strategy_names(game)
    raise StrategyError(say("exact.strategy.unknown-or-file", name=name, known=known))


def _solve_without(game: Game, plays: tuple[str, ...], ante: Cents | None) -> Solution:
    for stage in game.stages:
        if all(one.folds or one in plays for one in stage.plays):
            raise StrategyError(say("exact.strategy.without", plays=plays, title=stage.title))
    stake = ante or exact_ante(game.sheet)
    terms = Terms(game, stake, ante is not None, {}, without=frozenset(plays))
    for stage, bets in zip(game.stages, terms.bets, strict=True):
        if not bets:  # A maximum in dollars forbids the bets that are left.
            none = {"stake": stake, "title": stage.title, "plays": plays}
            raise StrategyError(say("exact.strategy.none-left", **none))
    return solve_terms(terms)


def strategy_names(game: Game) -> tuple[str, ...]:
    """The strategies that need no rule file."""
    fold, *bets = _all_plays(game)
    folds = any(play.folds for stage in game.stages for play in stage.plays)
    never = [fold, *bets] if folds else bets
    return ("best", *(f"never-{one}" for one in never), *(f"always-{one}" for one in bets))


def _all_plays(game: Game) -> list[Play]:
    """A fold, then every other play of any street, rising in what it leaves at stake."""
    bets = {play for stage in game.stages for play in stage.plays if not play.folds}
    return [FOLD, *sorted(bets, key=lambda play: (play.times, not play.takes))]


def build_policy(solution: Solution, choose: Chooser) -> ClassPolicy:
    """A rule laid out over every class and purse."""
    policy: ClassPolicy = {}
    for number, level in enumerate(solution.streets):
        hands = classes(solution.seen[number], solution.ace)
        policy[number] = {}
        for purse, choice in level.items():
            units = solution.terms.units(purse)
            plays = [choose(number, hand, units) for hand in hands]
            policy[number][purse] = np.array([_play_index(choice, play) for play in plays], np.int8)
    return policy


def _play_index(choice: PurseWorths, play: str) -> int:
    if play not in choice.plays:
        allowed = {"play": play, "plays": tuple(choice.plays)}
        raise StrategyError(say("exact.strategy.no-play", **allowed))
    return choice.plays.index(play)


HIGH, MIDDLE = 9, 4  # Ranks from a jack and from a six.


@dataclass(frozen=True)
class _HandFacts:
    hand: HandClass
    street: str
    units: int
    ace: Ace


def rule_chooser(game: Game, rules: Rules) -> Chooser:
    """What the rules say on every street; raises StrategyError for words the sheet has not."""
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
    """The kinds of hands that a rule asks for, by their number of cards; None if it asks for none.

    Combined once: a rule may name thousands of hands, and it is tried on thousands of spots.
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
    """From the highest rank to the lowest; without end where two are alike."""
    alike = len(set(hand.ranks)) < len(hand.ranks)
    return inf if alike else hand.ranks[0] - hand.ranks[-1]


def _makes_hand(hand: HandClass, needed_kinds: Mapping[int, frozenset[str]]) -> bool:
    size = len(hand.ranks)
    return bool(catalogue(size)[hand.kind].fits & needed_kinds.get(size, frozenset()))


def _is_at_least(facts: _HandFacts, ranks: tuple[int, ...]) -> bool:
    """Whether a hand of as many cards is no lower, suits of the one that is named aside.

    Two cards are a pair or are not: they make no straight and no flush.
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
    worth = {True: values.high, False: values.middle}
    return sum(worth[r >= HIGH] if r >= MIDDLE else values.low for r in hand.ranks)


def _check_words(streets: list[str], rules: list[StreetRule]) -> None:
    for rule in rules:
        for name in rule.on or ():
            if name not in streets:
                known = {"street": name, "streets": tuple(streets)}
                raise StrategyError(say("exact.strategy.no-street", **known))
        if rule.at_least is not None:
            _parse_ranks(rule.at_least)
        for line in rule.made or ():
            if all(atoms(line, size) is None for size in range(2, 6)):
                raise StrategyError(say("exact.strategy.no-hand", line=line))


def short_strategy(best: LadderStrategy) -> LadderStrategy:
    """Best play as it is with the fewest units that it meets a hand with; figures are exact."""
    solution = best.solution
    made: dict[tuple[int, HandClass], Play] = {}
    for street in range(len(solution.streets)):
        for reached in (True, False):
            for purse in best.purses(street):
                for spot in best.spots(street, purse):
                    if spot.reached == reached:
                        made.setdefault((street, spot.hand), spot.play)
    policy = build_policy(solution, lambda street, hand, _: str(made[street, hand]))
    return LadderStrategy("short", solution, policy)


Plays = Mapping[Play, tuple[str, ...]]  # Each play with the hands that are played so.
Mix = tuple[int, ...]  # How many cards of each rank group.
ACE = 12
WHEEL = frozenset({ACE, 0, 1, 2, 3})
RESULTS = {1: "high", 0: "middle", -1: "low"}


@dataclass(frozen=True)
class RankGroup:
    """Ranks whose pairs are paid alike."""

    name: str
    ranks: tuple[int, ...]
    result: str | None = None  # What a pair of them does, where no other group's does.

    @property
    def span(self) -> str:
        """The ranks as one writes them: J-A."""
        return _span_text(self.ranks)

    @property
    def meaning(self) -> Sentence | None:
        """What the name means: "high J-A"; None where it says so itself."""
        told = say("exact.held.group-is", group=self.name, ranks=self.span)
        return None if self.name == self.span else told


@dataclass(frozen=True, order=True)
class Draw:
    """What a hand without a pair can still become."""

    suited: bool
    straights: int


@dataclass(frozen=True)
class StreetTable:
    """What a strategy does before one street with one stake; only hands that it brings there."""

    street: str
    title: str
    units: int
    purse: Purse
    made: Mapping[str, Plays]
    loose: Mapping[tuple[Mix, Draw], Plays]


def rank_groups(sheet: Sheet) -> tuple[RankGroup, ...]:
    """The ranks by what a pair of them pays, best first."""
    kinds = [kind.name for kind in catalogue(CARDS)]
    pays = pay_by_kind(sheet, "main")
    paid: dict[Fraction, list[int]] = {}
    for rank, name in enumerate(RANK_NAMES):
        pay = pays[kinds.index(f"pair-{name}")]
        value = pay_value("push" if pay.result == "push" else pay.odds)
        paid.setdefault(value, []).append(rank)
    signs = Counter((value > 0) - (value < 0) for value in paid)
    groups = []
    for value in sorted(paid, reverse=True):
        sign, ranks = (value > 0) - (value < 0), tuple(paid[value])
        alone = signs[sign] == 1
        name = say("exact.held.group", group=RESULTS[sign]) if alone else _span_text(ranks)
        groups.append(RankGroup(name, ranks, RESULTS[sign] if alone else None))
    return tuple(groups)


def street_tables(followed: LadderStrategy, street: int) -> Iterator[StreetTable]:
    """A table for each stake with which the strategy meets a street."""
    game = followed.solution.terms.game
    groups, rule = rank_groups(game.sheet), game.stages[street]
    for purse in followed.purses(street):
        spots = [one for one in followed.spots(street, purse) if one.reached]
        if spots:
            made = [(one.hand, one.play) for one in spots if _has_pair(one.hand)]
            loose = [(one.hand, one.play) for one in spots if not _has_pair(one.hand)]
            yield StreetTable(
                rule.id,
                rule.title,
                followed.solution.terms.units(purse),
                purse,
                _made_rows(made, groups),
                _unpaired_rows(loose, groups, followed.solution.ace),
            )


def mix_name(mix: Mix, groups: tuple[RankGroup, ...]) -> str:
    """How many cards of each group: 2 high, 1 low."""
    told = tuple(_count_text(many, one) for many, one in zip(mix, groups, strict=True) if many)
    return say("exact.held.mix", groups=told)


def _count_text(many: int, group: RankGroup) -> Sentence:
    if group.result is None:
        return say("exact.held.many", many=many, group=group.name)
    return say("exact.held.many-of", many=many, group=group.result)


def _has_pair(hand: HandClass) -> bool:
    return len(set(hand.ranks)) < len(hand.ranks)


def _unpaired_rows(
    hands: list[tuple[HandClass, Play]], groups: tuple[RankGroup, ...], ace: Ace
) -> dict[tuple[Mix, Draw], Plays]:
    told = [((_rank_mix(hand, groups), _draw_of(hand, ace)), hand, play) for hand, play in hands]
    return {
        key: _group_plays([(hand, play) for one, hand, play in told if one == key])
        for key in sorted({key for key, _, _ in told}, reverse=True)
    }


def _rank_mix(hand: HandClass, groups: tuple[RankGroup, ...]) -> Mix:
    """The hand's single cards by group."""
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
    """By what is made; where that does not decide, by the other cards too."""
    table: dict[str, Plays] = {}
    named = [(_made_hand_name(hand, groups), hand, play) for hand, play in hands]
    for name in dict.fromkeys(one for one, _, _ in named):
        own = [(hand, play) for one, hand, play in named if one == name]
        if len({play for _, play in own}) == 1:
            table[name] = _group_plays(own)
            continue
        for mix in sorted({_rank_mix(hand, groups) for hand, _ in own}, reverse=True):
            beside = [(hand, play) for hand, play in own if _rank_mix(hand, groups) == mix]
            more = say("exact.held.with", hand=name, mix=mix_name(mix, groups))
            table[more if any(mix) else name] = _group_plays(beside)
    return table


def _made_hand_name(hand: HandClass, groups: tuple[RankGroup, ...]) -> str:
    counts = Counter(hand.ranks)
    most = max(counts.values())
    if most > 2:
        return outcome("four-of-a-kind" if most == 4 else "three-of-a-kind")
    paired = [rank for rank, many in counts.items() if many == 2]
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
    """Plays with their hands, the commonest play first."""
    found: dict[Play, list[str]] = {}
    for hand, play in hands:
        found.setdefault(play, []).append(class_name(hand))
    ordered = sorted(found, key=lambda play: -len(found[play]))
    return {play: tuple(found[play]) for play in ordered}


def _is_run(ranks: tuple[int, ...]) -> bool:
    return ranks[-1] - ranks[0] == len(ranks) - 1


def _span_text(ranks: tuple[int, ...]) -> str:
    if len(ranks) > 1 and _is_run(ranks):
        return f"{RANK_NAMES[ranks[0]]}-{RANK_NAMES[ranks[-1]]}"
    return " ".join(RANK_NAMES[rank] for rank in ranks)
