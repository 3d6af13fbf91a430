"""Strategies of declarations: named ones, a player's own rules, and their tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from pitbook.exact.methods.method import StrategyLine
from pitbook.exact.methods.points.solve import HandValues, Ranks, Solution, play_lines, solve_game
from pitbook.exact.methods.points.structure import points_game
from pitbook.exact.outcome_figures import FigureRow, Figures, figures_from_rows, main_row
from pitbook.exact.rule_files import Rules, StrategyError
from pitbook.hands.kinds import RANK_NAMES
from pitbook.money import Cents
from pitbook.rules.actions import Play
from pitbook.rules.game import Game
from pitbook.text import say


@dataclass(frozen=True, eq=False)
class PointsStrategy:
    """A strategy for every hand of ranks."""

    name: str
    solution: Solution
    plays: dict[Ranks, Play]

    @cached_property
    def figures(self) -> Figures:
        """The main game's figures."""
        return evaluate_plays(self.solution, self.plays)

    @property
    def expected(self) -> Fraction:
        """The value of a round in Bets."""
        ways = sum(spot.ways for spot in self.solution.spots)
        values = (spot.worth[self.plays[spot.ranks]] * spot.ways for spot in self.solution.spots)
        return Fraction(sum(values), ways)


def follow(game: Game, name: str, ante: Cents | None = None) -> PointsStrategy:
    """A strategy by its name; raises StrategyError."""
    declare = named_declarer(game, name)
    solution = solve_game(game, ante)
    return PointsStrategy(name, solution, assign_plays(solution, declare))


def follow_rules(game: Game, rules: Rules, ante: Cents | None = None) -> PointsStrategy:
    """A player's own rules; raises StrategyError."""
    declare = rule_declarer(game, rules)
    solution = solve_game(game, ante)
    return PointsStrategy(rules.name, solution, assign_plays(solution, declare))


Declarer = Callable[[HandValues], str]
NEVER_DOUBLE = "never-double"


def strategy_lines(game: Game, ante: Cents | None, purse: Cents | None) -> Iterator[StrategyLine]:
    """The whole best strategy, hand by hand."""
    for spot in solve_game(game, ante, purse=purse).spots:
        hand_text = " ".join(RANK_NAMES[card_rank] for card_rank in reversed(spot.ranks))
        yield StrategyLine(game.stages[0].id, hand_text, 1, spot.best, spot.worth[spot.best])


def strategy_names(game: Game) -> tuple[str, ...]:
    """The strategies that need no rule file."""
    has_raise = any(play.puts for play in game.plays(0))
    return (
        _known_names(game)
        if has_raise
        else tuple(name for name in _known_names(game) if name != NEVER_DOUBLE)
    )


def named_declarer(game: Game, name: str) -> Declarer:
    """The declarer of a named strategy; "never-double" is known even without a double."""
    always = {f"always-{play}": play for play in game.plays(0) if not play.puts}
    if name in always:
        return lambda spot: always[name]
    if name == NEVER_DOUBLE:
        return _best_without_double
    if name == "best":
        return lambda spot: spot.best
    names = _known_names(game)
    raise StrategyError(say("exact.strategy.unknown-or-file", name=name, known=names))


def _known_names(game: Game) -> tuple[str, ...]:
    return ("best", NEVER_DOUBLE, *(f"always-{play}" for play in game.plays(0) if not play.puts))


def _best_without_double(spot: HandValues) -> Play:
    return max((play for play in spot.worth if not play.puts), key=lambda play: spot.worth[play])


def assign_plays(solution: Solution, declare: Declarer) -> dict[Ranks, Play]:
    """A declarer's play for every hand; raises StrategyError if it is not allowed."""
    plays = {}
    for spot in solution.spots:
        declaration = declare(spot)
        play = next((play for play in spot.worth if play == declaration), None)
        if play is None:
            allowed = {"play": declaration, "plays": tuple(spot.worth)}
            raise StrategyError(say("exact.strategy.no-play", **allowed))
        plays[spot.ranks] = play
    return plays


def evaluate_plays(solution: Solution, plays: dict[Ranks, Play]) -> Figures:
    """The main game's figures if every hand is played so."""
    return figures_from_rows(_figure_rows(solution, plays))


def _figure_rows(solution: Solution, plays: dict[Ranks, Play]) -> Iterator[FigureRow]:
    lines = play_lines(solution.game, solution.ante, capped=solution.capped)
    for spot in solution.spots:
        play = plays[spot.ranks]
        tally = solution.tallies[spot.ranks][play.declaration]
        for ways, settled_lines in zip(tally, lines[play], strict=True):
            if ways:
                yield main_row(settled_lines, solution.ante, spot.ways * ways)


ACE = 12


def rule_declarer(game: Game, rules: Rules) -> Declarer:
    """A declarer that follows the rules."""
    if rules.declare is None:
        raise StrategyError(say("exact.strategy.declare-rules", family=game.sheet.family))
    return lambda spot: _declare(rules, spot)


def _declare(rules: Rules, spot: HandValues) -> str:
    for rule in rules.declare or ():
        tests = (
            rule.low_at_most is None or spot.low <= rule.low_at_most,
            rule.high_at_least is None or spot.high >= rule.high_at_least,
            rule.ace is None or (ACE in spot.ranks) == rule.ace,
        )
        if all(tests):
            return rule.play
    raise StrategyError(say("exact.strategy.none-fits"))


@dataclass(frozen=True)
class PointsRow:
    """Hands of one total: plays with their hands, the share of deals, the value in Bets."""

    low: int
    high: int
    plays: dict[Play, tuple[str, ...]]
    share: Fraction
    worth: Fraction


def points_tables(strategy: PointsStrategy) -> dict[str, tuple[PointsRow, ...]]:
    """Hands by points: a table for each number of cards with another value in a high hand."""
    points = points_game(strategy.solution.game).shape.points
    two_value_ranks = [rank for rank in range(13) if points.low[rank] != points.high[rank]]
    tables: dict[str, list[HandValues]] = {}
    for spot in sorted(
        strategy.solution.spots, key=lambda spot: _count_held(spot.ranks, two_value_ranks)
    ):
        tables.setdefault(
            _count_name(_count_held(spot.ranks, two_value_ranks), two_value_ranks), []
        ).append(spot)
    return {name: tuple(_rows(strategy, spots)) for name, spots in tables.items()}


def _rows(strategy: PointsStrategy, spots: list[HandValues]) -> list[PointsRow]:
    total_ways = sum(spot.ways for spot in strategy.solution.spots)
    rows = []
    for low, high in sorted({(spot.low, spot.high) for spot in spots}):
        same_totals = [spot for spot in spots if (spot.low, spot.high) == (low, high)]
        ways = sum(spot.ways for spot in same_totals)
        value_sum = sum(spot.worth[strategy.plays[spot.ranks]] * spot.ways for spot in same_totals)
        plays = _group_plays(strategy, same_totals)
        rows.append(
            PointsRow(low, high, plays, Fraction(ways, total_ways), Fraction(value_sum) / ways)
        )
    return rows


def _group_plays(strategy: PointsStrategy, spots: list[HandValues]) -> dict[Play, tuple[str, ...]]:
    hands_by_play: dict[Play, list[str]] = {}
    for spot in spots:
        hands_by_play.setdefault(strategy.plays[spot.ranks], []).append(hand_name(spot.ranks))
    return {play: tuple(hands) for play, hands in hands_by_play.items()}


def hand_name(ranks: Ranks) -> str:
    """A hand of ranks, highest first."""
    return " ".join(RANK_NAMES[rank] for rank in reversed(ranks))


def _count_held(ranks: Ranks, two_value_ranks: Sequence[int]) -> int:
    return sum(rank in two_value_ranks for rank in ranks)


def _count_name(count: int, two_value_ranks: Sequence[int]) -> str:
    """The name of a table: "no ace", "two aces"."""
    if not two_value_ranks:
        return say("exact.held.all-hands")
    return say(
        "exact.held.aces" if list(two_value_ranks) == [ACE] else "exact.held.turning", many=count
    )
