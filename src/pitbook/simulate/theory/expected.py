"""The exact side of a simulation: how likely every outcome is, and what a seat can expect.

Counts come from `exact`, prices from the same pricing that the kernels are made from. With several
seats, caps that they share are left out: what other seats win under them has no exact figure.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from pitbook.exact.methods.ladder.strategies import LadderStrategy
from pitbook.exact.methods.ladder.structure import Terms
from pitbook.exact.methods.points.solve import play_lines
from pitbook.exact.methods.points.strategies import PointsStrategy
from pitbook.exact.sheet_figures import whole_round
from pitbook.exact.side_wagers import kind_ways
from pitbook.exact.work import TooLarge
from pitbook.money import Cents, Odds
from pitbook.rules.game import compile_game
from pitbook.rules.limits import apply_limits
from pitbook.rules.pricing import pay_by_kind, price_line
from pitbook.rules.settlement import Line, Settlement
from pitbook.sheets.limits import falls_under
from pitbook.sheets.model import Sheet
from pitbook.sheets.pays import pays_of, settles_after_fold
from pitbook.simulate.counts.outcomes import MAIN, Outcome, ends_apart, outcomes
from pitbook.simulate.methods.plain import endings as plain
from pitbook.simulate.methods.plain.choosing import Choosing
from pitbook.simulate.plans.plan import Plan
from pitbook.simulate.theory import duels
from pitbook.simulate.theory.mixed import declarations, endings
from pitbook.text import say

Number = Fraction | float


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
    if duels.fought(plan) is None and isinstance(plan.strategy.followed, Choosing):
        return _gone_through(plan, sheet)
    if (why := duels.why_not(plan)) is not None:
        return _nothing(plan, why)
    ways = tuple(_main(plan, sheet))
    apart = duels.fought(plan) is not None and any(ends_apart(lines, ()) for _, lines in ways)
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
    if duels.fought(plan) is not None:
        yield from duels.endings(plan)
        return
    if isinstance(followed, LadderStrategy):
        terms = Terms(game, plan.ante, True, {})
        for end in endings(followed, plan.strategy.mistakes):
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
    elif plan.game.looks_at(wager) == plan.game.looks_at(MAIN) and (shown := _shown(plan)):
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


def _shown(plan: Plan) -> dict[int, Number] | None:
    """How likely a seat shows down each kind of hand; None where that is not counted."""
    if duels.fought(plan) is not None:
        counted = duels.kinds_shown(plan)
        return None if counted is None else dict(counted)
    assert isinstance(plan.strategy.followed, LadderStrategy)
    kinds: dict[int, Number] = {}
    for end in endings(plan.strategy.followed, plan.strategy.mistakes):
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
    counted = duels.fought(plan) is None  # Hands of both are not counted together.
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
