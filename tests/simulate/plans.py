"""Plans that several tests play: every bundled sheet, alone and with six seats, and odd ones."""

from __future__ import annotations

from functools import cache

from tests.sheets.samples import CMS, LAS, MHL, OMS, STAX, UNUSUAL, sheet_of

import pitbook
from pitbook.money import Cents
from pitbook.sheets.model import Sheet
from pitbook.simulate.job import Job
from pitbook.simulate.plan import Plan, plan
from pitbook.simulate.prepare import ReadyPlan, ready
from pitbook.simulate.replay import settled

SEED = 20_261_115  # Whatever is random in these tests comes from it.

# Stakes at which caps bite, and every side wager there is.
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
def bundled(name: str) -> Sheet:
    return pitbook.load(name)


@cache
def unusual(name: str) -> Sheet:
    return sheet_of((UNUSUAL / f"{name}.toml").read_text(encoding="utf-8"))


@cache
def alone(name: str, strategy: str = "best") -> Plan:
    """One seat with the main game and what must be made beside it."""
    return plan(bundled(name), ante=ANTES[name], strategy=strategy, seed=SEED)


@cache
def six(name: str, strategy: str = "best") -> Plan:
    """Six seats with every side wager."""
    return plan(
        bundled(name),
        ante=ANTES[name],
        side=SIDES[name],
        seats=6,
        strategy=strategy,
        seed=SEED,
    )


ODD = {
    "one seat with a bonus on the board": lambda: plan(
        bundled(CMS), side=SIDES[CMS], ante=ANTES[CMS], seed=SEED
    ),
    "three hole cards": lambda: plan(
        unusual("three-hole-cards"), side={"trio": Cents(50_00)}, seats=5, seed=SEED
    ),
    "three hole cards, alone": lambda: plan(
        unusual("three-hole-cards"), side={"trio": Cents(50_00)}, seed=SEED
    ),
    "bets taken back": lambda: plan(
        unusual("bets-withdrawn"), side={"three-card-bonus": Cents(2_00)}, seats=7, seed=SEED
    ),
    "bets taken back, alone": lambda: plan(
        unusual("bets-withdrawn"), side={"three-card-bonus": Cents(2_00)}, seed=SEED
    ),
    "four cards against seven": lambda: plan(
        unusual("four-card-hi-lo"), side={"match": Cents(25_00)}, seats=5, seed=SEED
    ),
    "mistakes at a table": lambda: six(LAS, "best:0.05"),
    "mistakes alone": lambda: alone(OMS, "never-3x:0.5"),
    "mistakes at hi-lo": lambda: six(MHL, "never-double:0.3"),
}


_MADE: dict[int, ReadyPlan] = {}


def laid(plan: Plan) -> ReadyPlan:
    """A plan laid out for the kernels, once; plans of this module last as long as the tests."""
    if id(plan) not in _MADE:
        _MADE[id(plan)] = ready(plan)
    assert _MADE[id(plan)].plan is plan
    return _MADE[id(plan)]


def kernels(made: ReadyPlan) -> Job:
    """The job of a plan that kernels play."""
    assert isinstance(made.job, Job)
    return made.job


def mismatch(made: ReadyPlan, start: int, stop: int) -> str:
    """The first round in which the kernels and the engine do not say the same; "" for none."""
    trace = made.job.trace(start, stop)
    for number, cells in enumerate(trace.tolist(), start=start):
        final = settled(made.plan, number)
        ours = settlement(made, cells)
        if tuple(one.lines for one in final.settlements) != ours[0]:
            return f"round {number}, seed {made.plan.seed}: {final.settlements} and not {ours[0]}"
        if final.bites != ours[1]:
            return f"round {number}, seed {made.plan.seed}: {final.bites} and not {ours[1]}"
    return ""


def settlement(made: ReadyPlan, cells: list[int]) -> tuple[object, object]:
    """The lines of every seat and the caps that bit, as the kernels' cells have them."""
    own = [made.cells.every[cell] for cell in cells]
    bites = [bite._replace(seat=seat) for seat, cell in enumerate(own, 1) for bite in cell.bites]
    if made.plan.seats == 1:
        return (own[0].lines,), own[0].bites
    shared = made.cells.met(cells)
    lines = tuple(cut or cell.lines for cut, cell in zip(shared.lines, own, strict=True))
    ordered = sorted(made.plan.sheet.limits, key=lambda limit: limit.per != "bet")
    clauses = [limit.clause for limit in ordered]
    bites.sort(key=lambda bite: clauses.index(bite.clause))
    return lines, (*bites, *shared.bites)


def readied(name: str) -> ReadyPlan:
    """An odd plan, made ready."""
    return laid(odd(name))


@cache
def odd(name: str) -> Plan:
    """A plan that no bundled sheet asks for."""
    return ODD[name]()
