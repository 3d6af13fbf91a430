"""Plans shared by tests: every bundled sheet with one and six seats, and unusual ones."""

from __future__ import annotations

from functools import cache

from tests.sheets.samples import CMS, LAS, MHL, OMS, STAX, UNUSUAL, sheet_of

import pitbook
from pitbook.money import Cents
from pitbook.sheets.model import Sheet
from pitbook.simulation.job import Job
from pitbook.simulation.plan import Plan, plan
from pitbook.simulation.prepare import ReadyPlan, prepare_job
from pitbook.simulation.replay import settle_round

SEED = 20_261_115  # The seed of everything random in these tests.

# Stakes at which payout limits apply, and every side wager.
SIDES: dict[str, dict[str, Cents]] = {
    CMS: {"three-card-bonus": Cents(5_00)},
    OMS: {},
    MHL: {"matchem-bonus": Cents(100_00), "poker-bonus": Cents(100_00)},
    LAS: {"three-up": Cents(5_00), "stax": Cents(5_00)},
    STAX: {"stax": Cents(10_00), "three-up": Cents(1_00)},
}
ANTES = {
    CMS: Cents(100_00),
    OMS: Cents(4_00),
    MHL: Cents(10_00),
    LAS: Cents(10_00),
    STAX: Cents(5_00),
}


@cache
def bundled_sheet(name: str) -> Sheet:
    return pitbook.load(name)


@cache
def unusual_sheet(name: str) -> Sheet:
    return sheet_of((UNUSUAL / f"{name}.toml").read_text(encoding="utf-8"))


@cache
def single_seat_plan(name: str, strategy: str = "best") -> Plan:
    """One seat with the main game and any required side wager."""
    return plan(bundled_sheet(name), ante=ANTES[name], strategy=strategy, seed=SEED)


@cache
def six_seat_plan(name: str, strategy: str = "best") -> Plan:
    """Six seats with every side wager."""
    return plan(
        bundled_sheet(name),
        ante=ANTES[name],
        side=SIDES[name],
        seats=6,
        strategy=strategy,
        seed=SEED,
    )


ODD = {
    "one seat with a bonus on the board": lambda: plan(
        bundled_sheet(CMS), side=SIDES[CMS], ante=ANTES[CMS], seed=SEED
    ),
    "three hole cards": lambda: plan(
        unusual_sheet("three-hole-cards"), side={"trio": Cents(50_00)}, seats=5, seed=SEED
    ),
    "three hole cards, alone": lambda: plan(
        unusual_sheet("three-hole-cards"), side={"trio": Cents(50_00)}, seed=SEED
    ),
    "bets taken back": lambda: plan(
        unusual_sheet("bets-withdrawn"), side={"three-card-bonus": Cents(2_00)}, seats=7, seed=SEED
    ),
    "bets taken back, alone": lambda: plan(
        unusual_sheet("bets-withdrawn"), side={"three-card-bonus": Cents(2_00)}, seed=SEED
    ),
    "four cards against seven": lambda: plan(
        unusual_sheet("four-card-hi-lo"), side={"match": Cents(25_00)}, seats=5, seed=SEED
    ),
    "mistakes at a table": lambda: six_seat_plan(LAS, "best:0.05"),
    "mistakes alone": lambda: single_seat_plan(OMS, "never-3x:0.5"),
    "mistakes at hi-lo": lambda: six_seat_plan(MHL, "never-double:0.3"),
}


_PREPARED: dict[int, ReadyPlan] = {}


def prepare_cached(plan: Plan) -> ReadyPlan:
    """A prepared plan, cached; the plans of this module live as long as the tests."""
    if id(plan) not in _PREPARED:
        _PREPARED[id(plan)] = prepare_job(plan)
    assert _PREPARED[id(plan)].plan is plan
    return _PREPARED[id(plan)]


def kernels(ready_plan: ReadyPlan) -> Job:
    """The kernel job of a plan."""
    assert isinstance(ready_plan.job, Job)
    return ready_plan.job


def first_mismatch(ready_plan: ReadyPlan, start: int, stop: int) -> str:
    """The first round in which kernels and engine differ, or an empty string."""
    trace = ready_plan.job.trace(start, stop)
    for number, cells in enumerate(trace.tolist(), start=start):
        final = settle_round(ready_plan.plan, number)
        from_kernels = settlement(ready_plan, cells)
        name = f"round {number}, seed {ready_plan.plan.seed}"
        if tuple(seat_settlement.lines for seat_settlement in final.settlements) != from_kernels[0]:
            return f"{name}: {final.settlements} and not {from_kernels[0]}"
        if final.applied_caps != from_kernels[1]:
            return f"{name}: {final.applied_caps} and not {from_kernels[1]}"
    return ""


def settlement(ready_plan: ReadyPlan, cells: list[int]) -> tuple[object, object]:
    """The lines of every seat and the caps applied, according to the kernels' cells."""
    cells_by_seat = [ready_plan.cells.cells[cell] for cell in cells]
    applied = [
        cap._replace(seat=seat)
        for seat, seat_cell in enumerate(cells_by_seat, 1)
        for cap in seat_cell.applied_caps
    ]
    if ready_plan.plan.seats == 1:
        return (cells_by_seat[0].lines,), cells_by_seat[0].applied_caps
    shared = ready_plan.cells.apply_shared_caps(cells)
    lines = tuple(cut or cell.lines for cut, cell in zip(shared.lines, cells_by_seat, strict=True))
    ordered = sorted(ready_plan.plan.sheet.limits, key=lambda limit: limit.per != "bet")
    clauses = [limit.clause for limit in ordered]
    applied.sort(key=lambda bite: clauses.index(bite.clause))
    return lines, (*applied, *shared.applied_caps)


def prepared_odd(name: str) -> ReadyPlan:
    """A prepared unusual plan."""
    return prepare_cached(odd_plan(name))


@cache
def odd_plan(name: str) -> Plan:
    """A plan unlike those of the bundled sheets."""
    return ODD[name]()
