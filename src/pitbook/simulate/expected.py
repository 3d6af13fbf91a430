"""The exact side of a simulation: how likely every outcome is, and what a seat can expect.

Counts come from `exact`, prices from the same pricing that the kernels are made from. With several
seats, caps that they share are left out: what other seats win under them has no exact figure.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from pitbook.exact.followed import Declared, Followed
from pitbook.exact.methods.ladder.terms import Terms
from pitbook.exact.methods.points.solving import play_lines
from pitbook.exact.service import whole_round
from pitbook.exact.sides import kind_ways
from pitbook.families.hi_lo.compile import HiLoGame
from pitbook.families.street_stud.compile import Showdown
from pitbook.families.street_stud.sheet import StreetStud
from pitbook.game.limits import limits
from pitbook.game.pricing import pay_by_kind, priced
from pitbook.game.settlement import Line, Settlement
from pitbook.money import Cents, Odds
from pitbook.sheets.limits import falls_under
from pitbook.sheets.model import Sheet
from pitbook.sheets.pays import pays_of, settles_after_fold
from pitbook.simulate.mixed import declarations, endings
from pitbook.simulate.outcomes import MAIN, Outcome, outcomes
from pitbook.simulate.plan import Plan

__all__ = ["Expected", "expected"]

Number = Fraction | float
NOBODY = Showdown(None, None, None)


@dataclass
class Expected:
    """What is expected of one seat; whatever has no exact figure is named in `unknown`, and why."""

    rows: dict[Outcome, Number]
    mean: Number | None = None  # Cents a round.
    nets: dict[int, Number] | None = None  # Cents and their probability.
    unknown: dict[str, str] = field(default_factory=dict)

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
    found = Expected({}, nets={}, mean=Fraction(0))
    for likely, lines in _main(plan, sheet):
        net = Settlement(1, lines).net
        assert found.nets is not None
        assert found.mean is not None
        found.nets[net] = found.nets.get(net, Fraction(0)) + likely
        found.mean += likely * net
        found.add(next(outcomes(lines, (), plan.ante)), likely)
    for wager, stake in plan.side:
        _side(plan, sheet, wager, stake, found)
    if plan.side:
        _together(plan, sheet, found)
    return found


def _alone(sheet: Sheet) -> Sheet:
    kept = tuple(limit for limit in sheet.limits if limit.per != "round")
    return sheet.model_copy(update={"limits": kept})


def _main(plan: Plan, sheet: Sheet) -> Iterator[tuple[Number, tuple[Line, ...]]]:
    """Every way the main game ends by itself: how likely, and its lines after caps."""
    if isinstance(sheet, StreetStud):
        terms = Terms(sheet, plan.ante, True, {})
        assert isinstance(plan.strategy.followed, Followed)
        for end in endings(plan.strategy.followed, plan.strategy.mistakes):
            if end.kind is None:
                yield end.likely, terms.folded(end.purse, NOBODY)
            else:
                yield end.likely, terms.lines(end.purse, Showdown(end.kind, None, None))
        return
    assert isinstance(plan.strategy.followed, Declared)
    settled = play_lines(HiLoGame(sheet), plan.ante, capped=True)
    for play, place, likely in declarations(plan.strategy.followed, plan.strategy.mistakes):
        yield likely, settled[play][place]


def _side(plan: Plan, sheet: Sheet, wager: str, stake: Cents, found: Expected) -> None:
    """A side wager by itself: its outcomes, and what it adds to the mean."""
    rule = sheet.side[wager]
    if settles_after_fold(rule) or not _folds(plan):
        ways = kind_ways(sheet, wager)
        kinds: dict[int, Number] = {
            kind: Fraction(count, sum(ways)) for kind, count in enumerate(ways) if count
        }
    elif rule.looks_at == "hand":
        kinds = _shown(plan)
    else:
        found.unknown[wager] = "it is lost by a fold, and looks at some of the seat's cards alone"
        found.mean = None
        return
    pays, counted = pay_by_kind(sheet, wager), sheet.payouts.stake_counted.value
    lost = Fraction(1) - sum(kinds.values())
    for kind, likely in kinds.items():
        line = priced(wager, stake, pays[kind], rule.clause, stake_counted=counted)
        (after,), _ = limits(sheet, [Settlement(1, (line,))])
        _, outcome = outcomes((_BARE, *after.lines), (wager,), stake)
        found.add(outcome, likely)
        if found.mean is not None:
            found.mean += likely * after.net
    if lost:
        found.add(Outcome(wager, "fold", 1, "lose", None), lost)
        if found.mean is not None:
            found.mean -= lost * stake


_BARE = Line(MAIN, Cents(1), "nothing", "lose", None, Cents(0), "")


def _folds(plan: Plan) -> bool:
    return isinstance(plan.sheet, StreetStud) and plan.sheet.fold is not None


def _shown(plan: Plan) -> dict[int, Number]:
    """How likely a seat shows down each kind of hand."""
    assert isinstance(plan.strategy.followed, Followed)
    kinds: dict[int, Number] = {}
    for end in endings(plan.strategy.followed, plan.strategy.mistakes):
        if end.kind is not None:
            kinds[end.kind] = kinds.get(end.kind, Fraction(0)) + end.likely
    return kinds


def _together(plan: Plan, sheet: Sheet, found: Expected) -> None:
    """The whole round: what wagers net together where that is known, and what caps they share."""
    side = dict(plan.side)
    best = plan.strategy.name == "best" and not plan.strategy.mistakes
    dies = any(not settles_after_fold(sheet.side[wager]) for wager in side) and _folds(plan)
    shares = any(_counted(sheet, wager) for wager in side)
    alike = sheet.limits == plan.sheet.limits  # Else best play would be that of other caps.
    if best and alike and not dies and not (shares and isinstance(sheet, StreetStud)):
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
        found.mean = None
        found.unknown["mean"] = "side wagers share a cap with others"


def _counted(sheet: Sheet, wager: str) -> bool:
    """Whether a side wager's wins count towards a cap on more than one bet."""
    pays: Mapping[str, Any] = pays_of(sheet, wager)
    return any(
        isinstance(pay, Odds) and limit.per != "bet" and falls_under(limit, wager, line, pay)
        for line, pay in pays.items()
        for limit in sheet.limits
    )
