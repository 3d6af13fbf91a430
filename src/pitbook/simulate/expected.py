"""The exact figures that a simulation's totals are compared with."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

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
from pitbook.exact.work import TooLarge
from pitbook.hands.ranking import classes
from pitbook.money import Cents, Odds
from pitbook.rules.game import compile_game
from pitbook.rules.limits import apply_limits
from pitbook.rules.plays import Play
from pitbook.rules.pricing import pay_by_kind, price_line
from pitbook.rules.settlement import Line, Settlement
from pitbook.sheets.model import Sheet
from pitbook.sheets.pay_tables import falls_under, pays_of, settles_after_fold
from pitbook.simulate.methods import plain
from pitbook.simulate.methods.spot_strategy import Choosing
from pitbook.simulate.plan import Plan
from pitbook.simulate.summary import MAIN, Outcome, ends_apart, outcomes
from pitbook.text import say

Floats = NDArray[np.float64]
Number = Fraction | float


class End(NamedTuple):
    """A way to end: with these bets at stake, shown down with a kind or folded (None)."""

    purse: Purse
    kind: int | None
    likely: Number


def ladder_endings(followed: LadderStrategy, mistakes: Fraction) -> Iterator[End]:
    """Every way a seat that follows it by class ends."""
    if mistakes:
        yield from _erring(followed, float(mistakes))
        return
    rounds = sum(one.count for one in followed.endings)
    for one in followed.endings:
        yield End(one.purse, one.kind, Fraction(one.count, rounds))


def _erring(followed: LadderStrategy, rate: float) -> Iterator[End]:
    solution = followed.solution
    terms, ace = solution.terms, solution.ace
    ways = class_sizes(solution.seen[0], ace)
    reached: dict[Purse, Floats] = {terms.purses[0][0]: ways / ways.sum()}
    last = len(solution.streets) - 1
    for street in range(last + 1):
        following: dict[Purse, Floats] = {}
        for purse, weights in reached.items():
            choice, best = solution.streets[street][purse], followed.policy[street][purse]
            for place, play in enumerate(choice.plays):
                made = weights * _shares(len(choice.plays), best == place, rate)
                if play.folds:
                    yield End(purse, None, float(made.sum()))
                    continue
                bigger = terms.purse_after(street, purse, play)
                following[bigger] = following.get(bigger, 0) + made
        if street == last:
            yield from _showdown_endings(following, kind_counts(solution.seen[street], ace))
            return
        step = transition(
            solution.seen[street], solution.seen[street + 1] - solution.seen[street], ace
        )
        size = len(classes(solution.seen[street + 1], ace))
        reached = {purse: _carried(made, step, size) for purse, made in following.items()}


def _shares(plays: int, best: Any, rate: float) -> Any:
    """How often a play is made where it is the best one, and where it is another."""
    if plays == 1:
        return 1.0
    return np.where(best, 1 - rate, rate / (plays - 1))


def _carried(weights: Floats, step: Any, size: int) -> Floats:
    spread = weights[:, None] * (step.ways / step.ways.sum(axis=1, keepdims=True))
    after: Any = np.bincount(step.targets.ravel(), spread.ravel(), minlength=size)
    return np.asarray(after, np.float64)


def _showdown_endings(reached: dict[Purse, Floats], counts: Any) -> Iterator[End]:
    shares = counts / counts.sum(axis=1, keepdims=True)
    for purse, weights in reached.items():
        for kind, likely in enumerate((weights @ shares).tolist()):
            if likely:
                yield End(purse, kind, likely)


def declarations(
    followed: PointsStrategy, mistakes: Fraction
) -> Iterator[tuple[Play, int, Fraction]]:
    """Every declaration, who is ahead (0 the player, 1 nobody, 2 the dealer), and how likely."""
    solution = followed.solution
    deals = sum(spot.ways for spot in solution.spots)
    for spot in solution.spots:
        best, plays = followed.plays[spot.ranks], tuple(spot.worth)
        wrong = mistakes / (len(plays) - 1) if len(plays) > 1 else Fraction(0)
        for play in plays if mistakes else (best,):
            made = 1 - wrong * (len(plays) - 1) if play == best else wrong
            tally = solution.ahead[spot.ranks][play.said]
            for place, ways in enumerate(tally):
                if ways:
                    yield play, place, made * Fraction(spot.ways * ways, deals * sum(tally))


DuelWay = tuple[Fraction, tuple[Line, ...]]


def fought(plan: Plan) -> pairs.Solution | boards.Solution | None:
    """What the seats follow, worked out over every deal; None where it is not of this kind."""
    followed = plan.strategy.followed
    if not isinstance(followed, Choosing) or not isinstance(followed.followed, DealerStrategy):
        return None
    solution = followed.followed.solution
    assert isinstance(solution, pairs.Solution | boards.Solution)
    return solution


def why_not(plan: Plan) -> str | None:
    """Why the endings are not known; None where they are."""
    shared = any(limit.per == "round" for limit in plan.sheet.limits)
    if plan.seats > 1 and shared and fought(plan) is not None:
        return say("simulate.not-exact.others-win")
    if plan.strategy.mistakes and isinstance(fought(plan), boards.Solution):
        return say("simulate.not-exact.later-mistakes")
    return None


def duel_endings(plan: Plan) -> Iterator[DuelWay]:
    """How likely each way of the main game to end is, and its lines after caps."""
    solution = fought(plan)
    assert solution is not None
    if isinstance(solution, boards.Solution):
        for lines, count in solution.end_lines():
            yield Fraction(count, solution.rounds), lines
        return
    for play, kind, event, likely in _made(solution, plan.strategy.mistakes):
        ended = solution.terms.lines(solution.terms.seat.made(play), kind, event)
        assert ended is not None
        yield likely, ended


def kinds_shown(plan: Plan) -> dict[int, Fraction] | None:
    """How likely a seat shows down each kind of hand; None where that is not counted."""
    solution, found = fought(plan), dict[int, Fraction]()
    if not isinstance(solution, pairs.Solution):
        return None
    for play, kind, _, likely in _made(solution, plan.strategy.mistakes):
        if not play.folds:
            found[kind] = found.get(kind, Fraction(0)) + likely
    return found


def _made(
    solution: pairs.Solution, mistakes: Fraction
) -> Iterator[tuple[Play, int, int, Fraction]]:
    """Every play with each kind and event: as the strategy says, or by a mistake."""
    met, rounds = solution.event_counts, solution.rounds
    for kind in range(len(next(iter(met.values())))):
        plays = [play for play in met if play.needs is None or kind >= play.needs.least]
        for event in range(len(met[plays[0]][kind])):
            every = sum(sums[kind][event] for sums in met.values())
            for play in plays:
                said, share = met[play][kind][event], Fraction(0)
                if len(plays) > 1:
                    share = mistakes
                wrong = share * Fraction(every - said, max(len(plays) - 1, 1))
                if likely := Fraction((1 - share) * said + wrong, rounds):
                    yield play, kind, event, likely


@dataclass
class Expected:
    """What is expected of one seat; whatever has no exact figure is named in `unknown`, and why."""

    rows: dict[Outcome, Number]
    mean: Number | None = None  # Cents a round.
    nets: dict[int, Number] | None = None  # Cents and their probability.
    unknown: dict[str, str] = field(default_factory=dict)
    by_wager: bool = False  # Whether the main game's wagers can end apart, and are told one by one.
    sums: bool = True  # Whether it is known how they end on balance: not under a cap with others.

    @property
    def variance(self) -> Number | None:
        """Of one round, in cents squared."""
        if self.nets is None or self.mean is None:
            return None
        squares = sum(net * net * likely for net, likely in self.nets.items())
        return squares - self.mean * self.mean

    def add(self, outcome: Outcome, likely: Number) -> None:
        """One way to come to an outcome."""
        self.rows[outcome] = self.rows.get(outcome, Fraction(0)) + likely


def expected(plan: Plan) -> Expected:
    """The exact side of a plan."""
    sheet = _alone(plan.sheet) if plan.seats > 1 else plan.sheet
    if fought(plan) is None and isinstance(plan.strategy.followed, Choosing):
        return _gone_through(plan, sheet)
    if (why := why_not(plan)) is not None:
        return _nothing(plan, why)
    ways = tuple(_main(plan, sheet))
    apart = fought(plan) is not None and any(ends_apart(lines, ()) for _, lines in ways)
    found = Expected({}, nets={}, mean=Fraction(0), by_wager=apart)
    for likely, lines in ways:
        net = Settlement(1, lines).net
        assert found.nets is not None
        assert found.mean is not None
        found.nets[net] = found.nets.get(net, Fraction(0)) + likely
        found.mean += likely * net
        for outcome in outcomes(lines, (), plan.ante, by_wager=apart):
            found.add(outcome, likely)
    for wager, stake in plan.side:
        _side(plan, sheet, wager, stake, found)
    if plan.side:
        _together(plan, sheet, found)
    return found


def _nothing(plan: Plan, why: str) -> Expected:
    """No exact figure at all, and why."""
    return Expected({}, unknown=dict.fromkeys((MAIN, *dict(plan.side), "mean"), why))


def _gone_through(plan: Plan, sheet: Sheet) -> Expected:
    """Every wager of a round at once, where all cards can be gone through."""
    side = dict(plan.side)
    if (why := plain.why_not(plan)) is not None:
        return _nothing(plan, why)
    game = plan.game if sheet is plan.sheet else compile_game(sheet)
    ways = tuple(plain.endings(plan, game))
    apart = any(ends_apart(lines, side) for _, lines in ways)
    found = Expected({}, nets={}, mean=Fraction(0), by_wager=apart)
    assert found.nets is not None
    for likely, lines in ways:
        net = Settlement(1, lines).net
        found.nets[net] = found.nets.get(net, Fraction(0)) + likely
        for outcome in outcomes(lines, side, plan.ante, by_wager=apart):
            found.add(outcome, likely)
    found.mean = sum((net * likely for net, likely in found.nets.items()), Fraction(0))
    return found


def _alone(sheet: Sheet) -> Sheet:
    kept = tuple(limit for limit in sheet.limits if limit.per != "round")
    return sheet if kept == sheet.limits else sheet.model_copy(update={"limits": kept})


def _main(plan: Plan, sheet: Sheet) -> Iterator[tuple[Number, tuple[Line, ...]]]:
    """Every way the main game ends by itself: how likely, and its lines after caps."""
    game, followed = compile_game(sheet), plan.strategy.followed
    if fought(plan) is not None:
        yield from duel_endings(plan)
        return
    if isinstance(followed, LadderStrategy):
        terms = Terms(game, plan.ante, True, {})
        for end in ladder_endings(followed, plan.strategy.mistakes):
            settled = terms.fold_lines if end.kind is None else terms.lines
            yield end.likely, settled(end.purse, terms.showdown_of(end.kind))
        return
    assert isinstance(followed, PointsStrategy)
    lines = play_lines(game, plan.ante, capped=True)
    for play, place, likely in declarations(followed, plan.strategy.mistakes):
        yield likely, lines[play][place]


def _side(plan: Plan, sheet: Sheet, wager: str, stake: Cents, found: Expected) -> None:
    """A side wager by itself: its outcomes, and what it adds to the mean."""
    rule = sheet.side[wager]
    if settles_after_fold(rule) or not sheet.has_fold:
        try:
            ways = kind_ways(sheet, wager)
        except TooLarge as error:
            found.unknown[wager], found.mean = str(error), None
            return
        kinds: dict[int, Number] = {
            kind: Fraction(count, sum(ways)) for kind, count in enumerate(ways) if count
        }
    elif plan.game.looks_at(wager) == plan.game.looks_at(MAIN) and (
        shown := _kind_probabilities(plan)
    ):
        kinds = shown
    else:
        found.unknown[wager] = say("simulate.not-exact.lost-by-fold")
        found.mean = None
        return
    pays, counted = pay_by_kind(sheet, wager), sheet.payouts.stake_counted.value
    lost = Fraction(1) - sum(kinds.values())
    for kind, likely in kinds.items():
        line = price_line(wager, stake, pays[kind], rule.clause, stake_counted=counted)
        (after,), _ = apply_limits(sheet, [Settlement(1, (line,))])
        _, outcome = outcomes((_BARE, *after.lines), (wager,), stake)
        found.add(outcome, likely)
        if found.mean is not None:
            found.mean += likely * after.net
    if lost:
        found.add(Outcome(wager, "fold", 1, "lose", None), lost)
        if found.mean is not None:
            found.mean -= lost * stake


_BARE = Line(MAIN, Cents(1), "nothing", "lose", None, Cents(0), "")


def _kind_probabilities(plan: Plan) -> dict[int, Number] | None:
    """How likely a seat shows down each kind of hand; None where that is not counted."""
    if fought(plan) is not None:
        counted = kinds_shown(plan)
        return None if counted is None else dict(counted)
    assert isinstance(plan.strategy.followed, LadderStrategy)
    kinds: dict[int, Number] = {}
    for end in ladder_endings(plan.strategy.followed, plan.strategy.mistakes):
        if end.kind is not None:
            kinds[end.kind] = kinds.get(end.kind, Fraction(0)) + end.likely
    return kinds


def _together(plan: Plan, sheet: Sheet, found: Expected) -> None:
    """The whole round: what wagers net together where that is known, and what caps they share."""
    side = dict(plan.side)
    best = plan.strategy.name == "best" and not plan.strategy.mistakes
    dies = any(not settles_after_fold(sheet.side[wager]) for wager in side) and sheet.has_fold
    shares = any(_counted(sheet, wager) for wager in side)
    alike = sheet.limits == plan.sheet.limits  # Else best play would be that of other caps.
    counted = fought(plan) is None  # Hands of both are not counted together.
    if counted and best and alike and not dies and not (shares and plan.strategy.knows_classes):
        round = whole_round(sheet, plan.ante, side)
        found.nets = {}
        for row in round.rows:
            net = int(row.net * plan.ante)
            likely = Fraction(row.count, round.rounds)
            found.nets[net] = found.nets.get(net, Fraction(0)) + likely
        found.mean = round.expected * plan.ante
        return
    found.nets = None
    if shares:
        found.mean, found.sums = None, not found.by_wager
        found.unknown["mean"] = say("simulate.not-exact.side-caps")


def _counted(sheet: Sheet, wager: str) -> bool:
    """Whether a side wager's wins count towards a cap on more than one bet."""
    pays: Mapping[str, Any] = pays_of(sheet, wager)
    return any(
        isinstance(pay, Odds) and limit.per != "bet" and falls_under(limit, wager, line, pay)
        for line, pay in pays.items()
        for limit in sheet.limits
    )
