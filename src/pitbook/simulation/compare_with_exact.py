"""Compare a simulation's totals with the exact figures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import erfc, exp, lgamma, log, sqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitbook.exact.long_computations import TooLarge
from pitbook.exact.methods.dealer import boards_solve as boards
from pitbook.exact.methods.dealer import pairs_solve as pairs
from pitbook.exact.methods.dealer.common import DealerStrategy
from pitbook.exact.methods.ladder.strategies import LadderStrategy
from pitbook.exact.methods.ladder.structure import Purse, Terms
from pitbook.exact.methods.ladder.transitions import class_sizes, kind_counts, transition
from pitbook.exact.methods.points.solve import play_lines
from pitbook.exact.methods.points.strategies import PointsStrategy
from pitbook.exact.sheet_figures import whole_round
from pitbook.exact.side_wagers import kind_ways
from pitbook.hands.ranking import classes
from pitbook.money import Cents, Odds
from pitbook.rules.actions import Play
from pitbook.rules.game import compile_game
from pitbook.rules.payout_caps import apply_payout_caps
from pitbook.rules.settlement_lines import Line, Settlement, pay_by_kind, price_line
from pitbook.sheets.model import Sheet
from pitbook.sheets.pay_tables import falls_under, pays_of, settles_after_fold
from pitbook.simulation.methods import plain
from pitbook.simulation.plan import Plan
from pitbook.simulation.strategy import SpotStrategy
from pitbook.simulation.totals import (
    MAIN,
    Outcome,
    Totals,
    main_wagers_differ,
    outcome_counts,
    outcomes,
)
from pitbook.text import say

# Exact figures ------------------------------------------------------------------------------------


Floats = NDArray[np.float64]
Number = Fraction | float


class End(NamedTuple):
    """A way to end: the bets made, and the hand kind shown down or None for a fold."""

    purse: Purse
    kind: int | None
    probability: Number


def ladder_endings(strategy: LadderStrategy, mistakes: Fraction) -> Iterator[End]:
    """Every ending of a seat that plays this strategy by class."""
    if mistakes:
        yield from _endings_with_mistakes(strategy, float(mistakes))
        return
    rounds = sum(ending.count for ending in strategy.endings)
    for ending in strategy.endings:
        yield End(ending.purse, ending.kind, Fraction(ending.count, rounds))


def _endings_with_mistakes(strategy: LadderStrategy, rate: float) -> Iterator[End]:
    solution = strategy.solution
    terms, ace = solution.terms, solution.ace
    ways = class_sizes(solution.cards_seen[0], ace)
    reached: dict[Purse, Floats] = {terms.purses[0][0]: ways / ways.sum()}
    last = len(solution.streets) - 1
    for street in range(last + 1):
        following: dict[Purse, Floats] = {}
        for purse, weights in reached.items():
            choice, best = solution.streets[street][purse], strategy.policy[street][purse]
            for index, play in enumerate(choice.plays):
                weights_made = weights * _play_probability(len(choice.plays), best == index, rate)
                if play.folds:
                    yield End(purse, None, float(weights_made.sum()))
                    continue
                raised = terms.purse_after(street, purse, play)
                following[raised] = following.get(raised, 0) + weights_made
        if street == last:
            yield from _showdown_endings(following, kind_counts(solution.cards_seen[street], ace))
            return
        step = transition(
            solution.cards_seen[street],
            solution.cards_seen[street + 1] - solution.cards_seen[street],
            ace,
        )
        size = len(classes(solution.cards_seen[street + 1], ace))
        reached = {purse: _move_weights(moved, step, size) for purse, moved in following.items()}


def _play_probability(plays: int, best: Any, rate: float) -> Any:
    """The probability of each play at this mistake rate, given which play is best."""
    if plays == 1:
        return 1.0
    return np.where(best, 1 - rate, rate / (plays - 1))


def _move_weights(weights: Floats, step: Any, size: int) -> Floats:
    spread = weights[:, None] * (step.ways / step.ways.sum(axis=1, keepdims=True))
    after: Any = np.bincount(step.targets.ravel(), spread.ravel(), minlength=size)
    return np.asarray(after, np.float64)


def _showdown_endings(reached: dict[Purse, Floats], counts: Any) -> Iterator[End]:
    shares = counts / counts.sum(axis=1, keepdims=True)
    for purse, weights in reached.items():
        for kind, probability in enumerate((weights @ shares).tolist()):
            if probability:
                yield End(purse, kind, probability)


def declaration_probabilities(
    strategy: PointsStrategy, mistakes: Fraction
) -> Iterator[tuple[Play, int, Fraction]]:
    """Each declaration, the side it leaves ahead (0 player, 1 tie, 2 dealer), its probability."""
    solution = strategy.solution
    deals = sum(spot.ways for spot in solution.spots)
    for spot in solution.spots:
        best, plays = strategy.plays[spot.ranks], tuple(spot.worth)
        mistake_rate = mistakes / (len(plays) - 1) if len(plays) > 1 else Fraction(0)
        for play in plays if mistakes else (best,):
            share = 1 - mistake_rate * (len(plays) - 1) if play == best else mistake_rate
            tally = solution.tallies[spot.ranks][play.declaration]
            for index, ways in enumerate(tally):
                if ways:
                    yield play, index, share * Fraction(spot.ways * ways, deals * sum(tally))


DuelWay = tuple[Fraction, tuple[Line, ...]]


def duel_solution(plan: Plan) -> pairs.Solution | boards.Solution | None:
    """The seats' strategy solved over every deal, or None if it is of another kind."""
    strategy = plan.strategy.base
    if not isinstance(strategy, SpotStrategy) or not isinstance(strategy.strategy, DealerStrategy):
        return None
    solution = strategy.strategy.solution
    assert isinstance(solution, pairs.Solution | boards.Solution)
    return solution


def unknown_reason(plan: Plan) -> str | None:
    """The reason why the endings are unknown, or None if they are known."""
    shared = any(limit.per == "round" for limit in plan.sheet.limits)
    if plan.seats > 1 and shared and duel_solution(plan) is not None:
        return say("simulate.not-exact.others-win")
    if plan.strategy.mistakes and isinstance(duel_solution(plan), boards.Solution):
        return say("simulate.not-exact.later-mistakes")
    return None


def duel_endings(plan: Plan) -> Iterator[DuelWay]:
    """Probability and capped lines of each ending of the main game."""
    solution = duel_solution(plan)
    assert solution is not None
    if isinstance(solution, boards.Solution):
        for lines, count in solution.end_lines():
            yield Fraction(count, solution.rounds), lines
        return
    for play, kind, event, probability in _play_probabilities(solution, plan.strategy.mistakes):
        ended = solution.terms.lines(solution.terms.seat.after_play(play), kind, event)
        assert ended is not None
        yield probability, ended


def kinds_shown(plan: Plan) -> dict[int, Fraction] | None:
    """Probability of each hand kind at showdown, or None if not counted."""
    solution, by_kind = duel_solution(plan), dict[int, Fraction]()
    if not isinstance(solution, pairs.Solution):
        return None
    for play, kind, _, probability in _play_probabilities(solution, plan.strategy.mistakes):
        if not play.folds:
            by_kind[kind] = by_kind.get(kind, Fraction(0)) + probability
    return by_kind


def _play_probabilities(
    solution: pairs.Solution, mistakes: Fraction
) -> Iterator[tuple[Play, int, int, Fraction]]:
    """Each play with its hand kind, its result against the dealer, and its probability, mistakes
    included.
    """
    counts, rounds = solution.event_counts, solution.rounds
    for kind in range(len(next(iter(counts.values())))):
        plays = [play for play in counts if play.needs is None or kind >= play.needs.least]
        for event in range(len(counts[plays[0]][kind])):
            all_rounds = sum(sums[kind][event] for sums in counts.values())
            for play in plays:
                chosen, share = counts[play][kind][event], Fraction(0)
                if len(plays) > 1:
                    share = mistakes
                share_of_others = share * Fraction(all_rounds - chosen, max(len(plays) - 1, 1))
                if probability := Fraction((1 - share) * chosen + share_of_others, rounds):
                    yield play, kind, event, probability


@dataclass
class Expected:
    """The expected figures of one seat; `unknown` names each missing figure and the reason."""

    rows: dict[Outcome, Number]
    mean: Number | None = None  # Cents a round.
    nets: dict[int, Number] | None = None  # Cents and their probability.
    unknown: dict[str, str] = field(default_factory=dict)
    by_wager: bool = False  # Whether main wagers can end differently, reported one by one.
    net_known: bool = True  # False if a cap shared with other wagers hides the net.

    @property
    def variance(self) -> Number | None:
        """Variance of one round, in cents squared."""
        if self.nets is None or self.mean is None:
            return None
        squares = sum(net * net * probability for net, probability in self.nets.items())
        return squares - self.mean * self.mean

    def add(self, outcome: Outcome, probability: Number) -> None:
        """Add a probability to an outcome."""
        self.rows[outcome] = self.rows.get(outcome, Fraction(0)) + probability


def expected_figures(plan: Plan) -> Expected:
    """The exact figures that a plan's totals should approach."""
    sheet = _without_round_limits(plan.sheet) if plan.seats > 1 else plan.sheet
    if duel_solution(plan) is None and isinstance(plan.strategy.base, SpotStrategy):
        return _enumerated_figures(plan, sheet)
    if (why := unknown_reason(plan)) is not None:
        return _no_figures(plan, why)
    ways = tuple(_main_endings(plan, sheet))
    apart = duel_solution(plan) is not None and any(
        main_wagers_differ(lines, ()) for _, lines in ways
    )
    figures = Expected({}, nets={}, mean=Fraction(0), by_wager=apart)
    for probability, lines in ways:
        net = Settlement(1, lines).net
        assert figures.nets is not None
        assert figures.mean is not None
        figures.nets[net] = figures.nets.get(net, Fraction(0)) + probability
        figures.mean += probability * net
        for outcome in outcomes(lines, (), plan.ante, by_wager=apart):
            figures.add(outcome, probability)
    for wager, stake in plan.side:
        _add_side_wager(plan, sheet, wager, stake, figures)
    if plan.side:
        _add_whole_round(plan, sheet, figures)
    return figures


def _no_figures(plan: Plan, why: str) -> Expected:
    """No exact figures, with the reason for each."""
    return Expected({}, unknown=dict.fromkeys((MAIN, *dict(plan.side), "mean"), why))


def _enumerated_figures(plan: Plan, sheet: Sheet) -> Expected:
    """All wagers of a round together, for games whose deals can be enumerated."""
    side = dict(plan.side)
    if (why := plain.unknown_reason(plan)) is not None:
        return _no_figures(plan, why)
    game = plan.game if sheet is plan.sheet else compile_game(sheet)
    ways = tuple(plain.endings(plan, game))
    apart = any(main_wagers_differ(lines, side) for _, lines in ways)
    figures = Expected({}, nets={}, mean=Fraction(0), by_wager=apart)
    assert figures.nets is not None
    for probability, lines in ways:
        net = Settlement(1, lines).net
        figures.nets[net] = figures.nets.get(net, Fraction(0)) + probability
        for outcome in outcomes(lines, side, plan.ante, by_wager=apart):
            figures.add(outcome, probability)
    figures.mean = sum(
        (net * probability for net, probability in figures.nets.items()), Fraction(0)
    )
    return figures


def _without_round_limits(sheet: Sheet) -> Sheet:
    limits = tuple(limit for limit in sheet.limits if limit.per != "round")
    return sheet if limits == sheet.limits else sheet.model_copy(update={"limits": limits})


def _main_endings(plan: Plan, sheet: Sheet) -> Iterator[tuple[Number, tuple[Line, ...]]]:
    """Probability and capped lines of every ending of the main game."""
    game, strategy = compile_game(sheet), plan.strategy.base
    if duel_solution(plan) is not None:
        yield from duel_endings(plan)
        return
    if isinstance(strategy, LadderStrategy):
        terms = Terms(game, plan.ante, True, {})
        for ending in ladder_endings(strategy, plan.strategy.mistakes):
            settled = terms.fold_lines if ending.kind is None else terms.lines
            yield ending.probability, settled(ending.purse, terms.showdown_of(ending.kind))
        return
    assert isinstance(strategy, PointsStrategy)
    lines = play_lines(game, plan.ante, capped=True)
    for play, place, probability in declaration_probabilities(strategy, plan.strategy.mistakes):
        yield probability, lines[play][place]


def _add_side_wager(plan: Plan, sheet: Sheet, wager: str, stake: Cents, figures: Expected) -> None:
    """Add a side wager's outcomes and its share of the mean."""
    rule = sheet.side[wager]
    if settles_after_fold(rule) or not sheet.has_fold:
        try:
            ways = kind_ways(sheet, wager)
        except TooLarge as error:
            figures.unknown[wager], figures.mean = str(error), None
            return
        kinds: dict[int, Number] = {
            kind: Fraction(count, sum(ways)) for kind, count in enumerate(ways) if count
        }
    elif plan.game.looks_at(wager) == plan.game.looks_at(MAIN) and (
        kinds_at_showdown := _kind_probabilities(plan)
    ):
        kinds = kinds_at_showdown
    else:
        figures.unknown[wager] = say("simulate.not-exact.lost-by-fold")
        figures.mean = None
        return
    pays, stake_counted = pay_by_kind(sheet, wager), sheet.payouts.stake_counted.value
    lost = Fraction(1) - sum(kinds.values())
    for kind, probability in kinds.items():
        line = price_line(wager, stake, pays[kind], rule.clause, stake_counted=stake_counted)
        (after,), _ = apply_payout_caps(sheet, [Settlement(1, (line,))])
        _, outcome = outcomes((_BARE, *after.lines), (wager,), stake)
        figures.add(outcome, probability)
        if figures.mean is not None:
            figures.mean += probability * after.net
    if lost:
        figures.add(Outcome(wager, "fold", 1, "lose", None), lost)
        if figures.mean is not None:
            figures.mean -= lost * stake


_BARE = Line(MAIN, Cents(1), "nothing", "lose", None, Cents(0), "")


def _kind_probabilities(plan: Plan) -> dict[int, Number] | None:
    """Probability of each hand kind at showdown, or None if not counted."""
    if duel_solution(plan) is not None:
        by_kind = kinds_shown(plan)
        return None if by_kind is None else dict(by_kind)
    assert isinstance(plan.strategy.base, LadderStrategy)
    kinds: dict[int, Number] = {}
    for end in ladder_endings(plan.strategy.base, plan.strategy.mistakes):
        if end.kind is not None:
            kinds[end.kind] = kinds.get(end.kind, Fraction(0)) + end.probability
    return kinds


def _add_whole_round(plan: Plan, sheet: Sheet, figures: Expected) -> None:
    """Add the net of the whole round if it is known, and note caps shared with side wagers."""
    side = dict(plan.side)
    best = plan.strategy.name == "best" and not plan.strategy.mistakes
    lost_by_fold = (
        any(not settles_after_fold(sheet.side[wager]) for wager in side) and sheet.has_fold
    )
    shares = any(_counts_toward_shared_cap(sheet, wager) for wager in side)
    # Otherwise best play would be that for other caps.
    same_limits = sheet.limits == plan.sheet.limits
    counted = duel_solution(plan) is None  # Duel hands and side wagers are not counted together.
    if (
        counted
        and best
        and same_limits
        and not lost_by_fold
        and not (shares and plan.strategy.knows_classes)
    ):
        whole = whole_round(sheet, plan.ante, side)
        figures.nets = {}
        for row in whole.rows:
            net = int(row.net * plan.ante)
            likely = Fraction(row.count, whole.rounds)
            figures.nets[net] = figures.nets.get(net, Fraction(0)) + likely
        figures.mean = whole.expected * plan.ante
        return
    figures.nets = None
    if shares:
        figures.mean, figures.net_known = None, not figures.by_wager
        figures.unknown["mean"] = say("simulate.not-exact.side-caps")


def _counts_toward_shared_cap(sheet: Sheet, wager: str) -> bool:
    """Whether a side wager's wins count toward a cap on more than one bet."""
    pays: Mapping[str, Any] = pays_of(sheet, wager)
    return any(
        isinstance(pay, Odds) and limit.per != "bet" and falls_under(limit, wager, line, pay)
        for line, pay in pays.items()
        for limit in sheet.limits
    )


# Comparison ---------------------------------------------------------------------------------------


POISSON_MAX = 1_000  # Above this, a count is treated as normally distributed.
STEPS_MAX = 100_000


def normal_tails(score: float) -> float:
    """The chance of a standard score at least as far from zero.

    >>> round(normal_tails(3.3), 5)
    0.00097
    """
    return erfc(abs(score) / sqrt(2))


def chi_square_tail(statistic: float, freedom: int) -> float:
    """The chance of a chi-square at least as large.

    >>> round(chi_square_tail(18.307, 10), 4)
    0.05
    """
    return upper_gamma(freedom / 2, statistic / 2)


def count_tails(count: int, expectation: float, share: float) -> float:
    """Two-sided probability of a count this far from its expectation, `share` being its chance per
    round.
    """
    if expectation > POISSON_MAX or share > 0.05:
        return normal_tails((count - expectation) / sqrt(expectation * (1 - share)))
    # A rare event's count: its upper tail is a lower gamma, its lower tail an upper one.
    upper = upper_gamma(count + 1, expectation)
    lower = 1 - upper_gamma(count, expectation) if count else 1.0
    return min(1.0, 2 * min(upper, lower))


def upper_gamma(shape: float, place: float) -> float:
    """The regularized upper incomplete gamma function."""
    if place <= 0:
        return 1.0
    scale = exp(shape * log(place) - place - lgamma(shape))
    if place < shape + 1:
        return max(0.0, 1 - scale * _gamma_series(shape, place))
    return scale * _gamma_continued_fraction(shape, place)


def _gamma_series(shape: float, place: float) -> float:
    term = total = 1 / shape
    for step in range(1, STEPS_MAX):
        term *= place / (shape + step)
        total += term
        if term < total * 1e-16:
            break
    return total


def _gamma_continued_fraction(shape: float, place: float) -> float:
    """Lentz's algorithm for the continued fraction."""
    tiny = 1e-300
    denominator = place + 1 - shape
    numerator, inverse = 1 / tiny, 1 / denominator
    fraction = inverse
    for step in range(1, STEPS_MAX):
        factor = -step * (step - shape)
        denominator += 2
        inverse = 1 / ((factor * inverse + denominator) or tiny)
        numerator = denominator + factor / numerator or tiny
        change = inverse * numerator
        fraction *= change
        if abs(change - 1) < 1e-15:
            break
    return fraction


SIGNIFICANCE = 0.001  # A correct simulation fails once in a thousand checks.
POOLED_BELOW = 10.0  # Rarer outcomes are pooled in a chi-square.


@dataclass(frozen=True)
class MeanTest:
    """A seat's mean net compared with the exact one, in cents per round."""

    seat: int
    mean: float
    expected: float
    z: float | None  # None: the result is certain, and the totals differ.
    chance: float


@dataclass(frozen=True)
class OutcomeTest:
    """Count of an outcome at a seat, compared with its expectation."""

    seat: int
    outcome: Outcome
    count: int
    expected: float
    z: float | None  # None: the outcome is certain or impossible, and the count differs.
    chance: float


@dataclass(frozen=True)
class TableTest:
    """Chi-square over the outcomes of one wager at one seat."""

    seat: int
    wager: str
    statistic: float
    freedom: int
    chance: float


@dataclass(frozen=True)
class TheoryCheck:
    """All tests and the overall verdict."""

    means: tuple[MeanTest, ...]
    outcomes: tuple[OutcomeTest, ...]
    tables: tuple[TableTest, ...]
    unknown: dict[str, str]

    @property
    def comparisons(self) -> int:
        """Number of tests."""
        return len(self.means) + len(self.outcomes) + len(self.tables)

    @property
    def significance(self) -> float:
        """Probability that chance alone causes the largest deviation."""
        chances = [test.chance for test in self.means]
        chances += [test.chance for test in self.outcomes]
        chances += [test.chance for test in self.tables]
        return min(1.0, self.comparisons * min(chances)) if chances else 1.0

    @property
    def threshold(self) -> float:
        """The significance below which totals and theory disagree."""
        return SIGNIFICANCE

    @property
    def agrees(self) -> bool:
        return self.significance >= SIGNIFICANCE

    def document(self) -> dict[str, Any]:
        """The check as JSON."""
        return {
            "verdict": "agrees" if self.agrees else "disagrees",
            "significance": self.significance,
            "threshold": SIGNIFICANCE,
            "judgements": self.comparisons,
            "means": [vars(test) for test in self.means],
            "chi_square": [vars(test) for test in self.tables],
            "outcomes": [
                {"seat": test.seat, **_outcome_json(test.outcome), **_test_figures_json(test)}
                for test in self.outcomes
            ],
            "unknown": self.unknown,
        }


def _outcome_json(outcome: Outcome) -> dict[str, Any]:
    return {**outcome._asdict(), "odds": str(outcome.odds) if outcome.odds else None}


def _test_figures_json(test: OutcomeTest) -> dict[str, Any]:
    return {
        "count": test.count,
        "expected": test.expected,
        "z": test.z,
        "chance": test.chance,
    }


def check(totals: Totals, exact: Expected | None = None) -> TheoryCheck:
    """Compare totals with the exact figures of their plan, or with `exact`."""
    reference = expected_figures(totals.ready.plan) if exact is None else exact
    means: list[MeanTest] = []
    rows: list[OutcomeTest] = []
    tables: list[TableTest] = []
    for seat in range(1, totals.ready.plan.seats + 1):
        means += _mean_tests(totals, reference, seat)
        seat_rows = [
            test
            for test in _outcome_tests(totals, reference, seat)
            if not _is_repeated(totals, test)
        ]
        rows += seat_rows
        tables += _table_tests(seat_rows, seat)
    return TheoryCheck(tuple(means), tuple(rows), tuple(tables), reference.unknown)


def _mean_tests(totals: Totals, exact: Expected, seat: int) -> Iterator[MeanTest]:
    if exact.mean is None:
        return
    nets = totals.seat_nets(seat)
    variance = nets.variance if exact.variance is None else exact.variance
    difference = float(nets.mean - exact.mean)
    error = sqrt(float(variance) / totals.rounds)
    if error:
        z: float | None = difference / error
        chance = normal_tails(difference / error)
    else:
        z, chance = (0.0, 1.0) if not difference else (None, 0.0)
    yield MeanTest(seat, float(nets.mean), float(exact.mean), z, chance)


def _outcome_tests(totals: Totals, exact: Expected, seat: int) -> Iterator[OutcomeTest]:
    counts = outcome_counts(totals, seat, by_wager=exact.by_wager)
    candidates = [
        outcome
        for outcome in {**exact.rows, **counts}
        if not _has_no_figure(totals, exact, outcome.wager)
    ]
    for outcome in candidates:
        count, share = counts.get(outcome, 0), float(exact.rows.get(outcome, 0))
        expectation = share * totals.rounds
        if share <= 0 or share >= 1:  # What cannot be, or cannot fail to be.
            matches = count == round(expectation)
            yield OutcomeTest(
                seat, outcome, count, expectation, *((0.0, 1.0) if matches else (None, 0.0))
            )
            continue
        z = (count - expectation) / sqrt(expectation * (1 - share))
        yield OutcomeTest(
            seat, outcome, count, expectation, z, count_tails(count, expectation, share)
        )


def _has_no_figure(totals: Totals, exact: Expected, wager: str) -> bool:
    """Whether a wager has no exact figure. Main-game wagers have none if `main` has none."""
    side = dict(totals.ready.plan.side)
    if wager == MAIN and not exact.net_known:
        return True
    return wager in exact.unknown or (MAIN in exact.unknown and wager not in side)


def _is_repeated(totals: Totals, test: OutcomeTest) -> bool:
    """Whether an earlier seat reported the same: the community cards are common to all seats."""
    game, wager = totals.ready.plan.game, test.outcome.wager
    rule = next((question for question in game.wager_rules if question.wager == wager), None)
    if test.seat == 1 or rule is None:
        return False
    return rule.survives and 0 not in game.hand(rule.hand).places


def _table_tests(rows: list[OutcomeTest], seat: int) -> Iterator[TableTest]:
    for wager in dict.fromkeys(row.outcome.wager for row in rows):
        counts = [(row.count, row.expected) for row in rows if row.outcome.wager == wager]
        pooled = _pool_rare(counts)
        freedom = len(pooled) - 1
        if freedom > 0:
            statistic = sum(
                (count - expected_count) ** 2 / expected_count for count, expected_count in pooled
            )
            chance = chi_square_tail(statistic, freedom)
            yield TableTest(seat, wager, statistic, freedom, chance)


def _pool_rare(rows: list[tuple[int, float]]) -> list[tuple[int, float]]:
    """Pool rare rows, adding the next rarest until the pool is large enough."""
    common = sorted((row for row in rows if row[1] >= POOLED_BELOW), key=lambda row: row[1])
    rare = [row for row in rows if row[1] < POOLED_BELOW]
    pooled = (sum(count for count, _ in rare), sum(expected_count for _, expected_count in rare))
    while common and 0 < pooled[1] < POOLED_BELOW:
        count, expected_count = common.pop(0)
        pooled = (pooled[0] + count, pooled[1] + expected_count)
    return [*common, pooled] if pooled[1] else common
