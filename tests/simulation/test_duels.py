"""Duels played by kernels give the same rounds as the game description."""

from __future__ import annotations

from functools import cache
from math import sqrt
from pathlib import Path

import pytest
from tests.sheets.samples import AGAINST_THE_DEALER
from tests.simulation.plans import SEED, bundled_sheet, first_mismatch, kernels
from tests.simulation.test_gpu import SHARED_MEMORY, device, needs_compiler, on_one_thread

from pitbook.exact.methods.dealer.common import DealerStrategy
from pitbook.exact.rule_files import StrategyError
from pitbook.money import Cents
from pitbook.simulation.answer import simulation_answer
from pitbook.simulation.methods.plain import PlainJob
from pitbook.simulation.plan import Plan, plan
from pitbook.simulation.prepare import METHODS, ReadyPlan, prepare_job
from pitbook.simulation.run import play_on, run
from pitbook.simulation.strategy import SpotStrategy
from pitbook.simulation.totals import Totals

THREE, ULTIMATE = "pennsylvania/three-card-poker", "classic/ultimate-three-card-poker"
WAR = "classic/casino-war"
QUICK = (THREE, WAR)  # Solving the others takes half a minute.
ERRORS_MAX = 3.9  # Standard errors: exceeded by chance once in ten thousand times.

SHEETS = [
    name if name in QUICK else pytest.param(name, marks=pytest.mark.slow)
    for name in AGAINST_THE_DEALER
]
ONE_AND_THREE_SEATS = pytest.mark.parametrize("seats", [1, 3])


@cache
def duel_plan(name: str, seats: int, strategy: str = "best") -> Plan:
    """One seat with the main game alone; several seats with every side wager."""
    sheet = bundled_sheet(name)
    side = {wager: rule.stake.min for wager, rule in sheet.side.items()} if seats > 1 else {}
    return plan(sheet, ante=Cents(100_00), side=side, seats=seats, strategy=strategy, seed=SEED)


@cache
def ready_duel(name: str, seats: int, strategy: str = "best") -> ReadyPlan:
    return prepare_job(duel_plan(name, seats, strategy))


def different_rounds(ready_plan: ReadyPlan, start: int, stop: int) -> list[int]:
    """Rounds in which kernels and description differ."""
    plain = prepare_job(ready_plan.plan, without=tuple(method.name for method in METHODS))
    assert isinstance(plain.job, PlainJob)
    from_kernels, from_description = (
        kernels(ready_plan).trace(start, stop),
        plain.job.trace(start, stop),
    )
    return [
        number
        for number, kernel_cells, description_cells in zip(
            range(start, stop), from_kernels, from_description, strict=True
        )
        if [ready_plan.cells.cells[cell] for cell in kernel_cells]
        != [plain.cells.cells[cell] for cell in description_cells]
    ]


@pytest.mark.long
@ONE_AND_THREE_SEATS
@pytest.mark.parametrize("name", SHEETS)
def test_kernels_play_the_same_rounds_as_the_description(name: str, seats: int) -> None:
    assert different_rounds(ready_duel(name, seats), 100, 180) == []


@pytest.mark.long
@ONE_AND_THREE_SEATS
@pytest.mark.parametrize("name", SHEETS)
def test_engine_settles_rounds_the_same_way(name: str, seats: int) -> None:
    assert first_mismatch(ready_duel(name, seats), 500, 520) == ""


STRATEGIES = [
    (THREE, "always-1x"),
    (THREE, "never-fold"),
    (THREE, "best:0.3"),
    (ULTIMATE, "never-3x"),
    (ULTIMATE, "always-3x:0.5"),
    *(
        pytest.param(*case, marks=pytest.mark.slow)
        for case in (
            (WAR, "always-war"),
            ("pennsylvania/ultimate-texas-holdem", "best:0.3"),
            ("pennsylvania/ultimate-texas-holdem", "never-4x"),
            ("pennsylvania/ultimate-texas-holdem", "always-check"),
            ("pennsylvania/ultimate-texas-holdem", "never-fold"),
            ("classic/casino-holdem", "best:0.5"),
            ("pennsylvania/crazy-4-poker", "best:0.5"),
            ("pennsylvania/four-card-poker", "never-3x:0.2"),
            ("classic/caribbean-stud", "best:0.1"),
        )
    ),
]


@pytest.mark.long
@pytest.mark.parametrize(("name", "strategy"), STRATEGIES)
def test_kernels_match_with_other_strategies_and_mistakes(name: str, strategy: str) -> None:
    assert different_rounds(ready_duel(name, 3, strategy), 0, 60) == []


RULES = """
name = "mine"

[[street]]
made = ["pair", "flush", "straight"]
play = "1x"

[[street]]
play = "fold"
"""


@pytest.mark.long
def test_kernels_match_with_a_rule_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(RULES)
    ready_plan = prepare_job(plan(bundled_sheet(THREE), seats=2, strategy=str(path), seed=SEED))
    assert ready_plan.plan.strategy.name == "mine"
    assert different_rounds(ready_plan, 0, 80) == []
    folds = sum(
        times for cell, times in _cell_counts(ready_plan) if ready_plan.cells.cells[cell].net < 0
    )
    assert folds > 200


def test_rule_file_error_has_a_position(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(RULES.replace('"1x"', '"4x"'))
    with pytest.raises(StrategyError, match=r'mine.toml:6:8: "4x" is not a play here'):
        plan(bundled_sheet(THREE), strategy=str(path))
    path.write_text('name = "mine"\n[[street]]\nplay = "surrender"\n')
    with pytest.raises(StrategyError, match="versus has no rule files"):
        plan(bundled_sheet(WAR), strategy=str(path))


def _cell_counts(ready_plan: ReadyPlan) -> list[tuple[int, int]]:
    totals = Totals(ready_plan)
    totals.add(ready_plan.job.play(0, 500))
    return list(totals.cell_counts())


def test_war_with_mistakes_has_no_kernel() -> None:
    assert isinstance(ready_duel(WAR, 1, "best:0.5").job, PlainJob)


def test_the_summary_is_the_same() -> None:
    summaries = []
    for ready_plan in (ready_duel(THREE, 3), prepare_job(duel_plan(THREE, 3), without=("duels",))):
        totals = Totals(ready_plan)
        totals.add(ready_plan.job.play(0, 150))
        summaries.append(simulation_answer(totals, hands_per_hour=40).document())
    assert summaries[0] == summaries[1]


# Against the exact figures ------------------------------------------------------------------------

ROUNDS = [
    *((name, 10**7 if name == THREE else 10**6) for name in (THREE, ULTIMATE)),
    *(
        pytest.param(name, rounds, marks=pytest.mark.slow)
        for rounds in (10**7, 10**9)
        for name in AGAINST_THE_DEALER
        if name != WAR
    ),
]


@pytest.mark.long
@pytest.mark.parametrize(("name", "rounds"), ROUNDS)
def test_the_mean_and_the_deviation_are_the_exact_ones(name: str, rounds: int) -> None:
    simulation_plan = duel_plan(name, 1)
    base = simulation_plan.strategy.base
    assert isinstance(base, SpotStrategy)
    assert isinstance(base.strategy, DealerStrategy)
    figures = base.strategy.figures
    nets = run(simulation_plan, rounds).nets()
    deviation = float(figures.variance) ** 0.5 * simulation_plan.ante
    deviations = float(nets.mean - figures.expected * simulation_plan.ante) / (
        deviation / sqrt(rounds)
    )
    assert abs(deviations) < ERRORS_MAX, f"{deviations} standard errors, seed {SEED}"
    assert nets.deviation == pytest.approx(deviation, rel=0.05)


@pytest.mark.long
@pytest.mark.parametrize("rounds", [10**6, pytest.param(10**9, marks=pytest.mark.slow)])
def test_war_mean_agrees_with_exact_figures(rounds: int) -> None:
    simulation_plan = duel_plan(WAR, 1)
    base = simulation_plan.strategy.base
    assert isinstance(base, SpotStrategy)
    figures, nets = base.strategy.figures, run(simulation_plan, rounds).nets()
    deviation = float(figures.variance) ** 0.5 * simulation_plan.ante
    assert abs(float(nets.mean - figures.expected * simulation_plan.ante)) < ERRORS_MAX * (
        deviation / sqrt(rounds)
    )


# On a GPU -----------------------------------------------------------------------------------------

ON_A_GPU = [
    (THREE, 1, "best"),
    (THREE, 3, "best"),
    (ULTIMATE, 3, "best:0.3"),
    (WAR, 3, "best"),
    *(
        pytest.param(name, seats, strategy, marks=pytest.mark.slow)
        for name in AGAINST_THE_DEALER
        if name not in QUICK
        for seats, strategy in ((1, "best"), (3, "best"), (3, "best:0.3"))
    ),
]
GPU_CASES = pytest.mark.parametrize(("name", "seats", "strategy"), ON_A_GPU)


@pytest.mark.long
@needs_compiler
@GPU_CASES
def test_gpu_kernels_count_the_same(tmp_path: Path, name: str, seats: int, strategy: str) -> None:
    ready_plan = ready_duel(name, seats, strategy)
    cpu_totals, gpu_totals = Totals(ready_plan), Totals(ready_plan)
    start, stop = 2**35 + 11, 2**35 + 5_012
    cpu_totals.add(ready_plan.job.play(start, stop))
    gpu_totals.add(on_one_thread(kernels(ready_plan), tmp_path, start, stop, SHARED_MEMORY))
    assert gpu_totals.document() == cpu_totals.document()


@pytest.mark.skipif(device() is not None, reason=str(device()))
@GPU_CASES
def test_gpu_counts_the_same(name: str, seats: int, strategy: str) -> None:
    ready_plan = ready_duel(name, seats, strategy)
    cpu_totals, gpu_totals = Totals(ready_plan), Totals(ready_plan)
    play_on(cpu_totals, 1_000_001)
    play_on(gpu_totals, 1_000_001, on="gpu", piece=400_000)
    assert gpu_totals.document() == cpu_totals.document()
