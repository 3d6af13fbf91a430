"""Hands against a dealer's by kernels: the very rounds that the description itself plays."""

from __future__ import annotations

from functools import cache
from math import sqrt
from pathlib import Path

import pytest
from tests.sheets.samples import AGAINST_THE_DEALER
from tests.simulate.plans import SEED, bundled, kernels, mismatch
from tests.simulate.test_gpu import OWN_MEMORY, device, needs_compiler, on_one_thread

from pitbook.exact.methods.dealer.common import DealerStrategy
from pitbook.exact.rule_files import StrategyError
from pitbook.money import Cents
from pitbook.simulate.methods.plain import Loop
from pitbook.simulate.methods.spot_strategy import Choosing
from pitbook.simulate.plan import Plan, plan
from pitbook.simulate.prepare import METHODS, ReadyPlan, ready
from pitbook.simulate.run import play_on, run
from pitbook.simulate.summary import summary
from pitbook.simulate.totals import Totals

THREE, ULTIMATE = "pennsylvania/three-card-poker", "classic/ultimate-three-card-poker"
WAR = "classic/casino-war"
QUICK = (THREE, WAR)  # What others are worked out from takes half a minute.
ERRORS_MAX = 3.9  # Standard errors: luck strays so far once in ten thousand times.

SHEETS = [
    name if name in QUICK else pytest.param(name, marks=pytest.mark.slow)
    for name in AGAINST_THE_DEALER
]
BOTH_WAYS = pytest.mark.parametrize("seats", [1, 3])


@cache
def asked(name: str, seats: int, strategy: str = "best") -> Plan:
    """One seat with the main game alone; several with every side wager."""
    sheet = bundled(name)
    side = {wager: rule.stake.min for wager, rule in sheet.side.items()} if seats > 1 else {}
    return plan(sheet, ante=Cents(100_00), side=side, seats=seats, strategy=strategy, seed=SEED)


@cache
def made(name: str, seats: int, strategy: str = "best") -> ReadyPlan:
    return ready(asked(name, seats, strategy))


def unlike(made: ReadyPlan, start: int, stop: int) -> list[int]:
    """Rounds in which the kernels and the description do not say the same."""
    plain = ready(made.plan, without=tuple(method.name for method in METHODS))
    assert isinstance(plain.job, Loop)
    ours, theirs = kernels(made).trace(start, stop), plain.job.trace(start, stop)
    return [
        number
        for number, one, other in zip(range(start, stop), ours, theirs, strict=True)
        if [made.cells.every[cell] for cell in one] != [plain.cells.every[cell] for cell in other]
    ]


@pytest.mark.long
@BOTH_WAYS
@pytest.mark.parametrize("name", SHEETS)
def test_every_round_is_the_one_that_the_description_plays(name: str, seats: int) -> None:
    assert unlike(made(name, seats), 100, 180) == []


@pytest.mark.long
@BOTH_WAYS
@pytest.mark.parametrize("name", SHEETS)
def test_the_engine_settles_them_alike(name: str, seats: int) -> None:
    assert mismatch(made(name, seats), 500, 520) == ""


WAYS = [
    (THREE, "always-1x"),
    (THREE, "never-fold"),
    (THREE, "best:0.3"),
    (ULTIMATE, "never-3x"),
    (ULTIMATE, "always-3x:0.5"),
    *(
        pytest.param(*one, marks=pytest.mark.slow)
        for one in (
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
@pytest.mark.parametrize(("name", "strategy"), WAYS)
def test_so_are_those_of_other_strategies_and_of_mistakes(name: str, strategy: str) -> None:
    assert unlike(made(name, 3, strategy), 0, 60) == []


RULES = """
name = "mine"

[[street]]
made = ["pair", "flush", "straight"]
play = "1x"

[[street]]
play = "fold"
"""


@pytest.mark.long
def test_so_are_those_of_a_rule_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(RULES)
    found = ready(plan(bundled(THREE), seats=2, strategy=str(path), seed=SEED))
    assert found.plan.strategy.name == "mine"
    assert unlike(found, 0, 80) == []
    folds = sum(times for cell, times in _met(found) if found.cells.every[cell].net < 0)
    assert folds > 200


def test_a_rule_file_says_what_is_wrong_with_it(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(RULES.replace('"1x"', '"4x"'))
    with pytest.raises(StrategyError, match=r'mine.toml:6:8: "4x" is no play here'):
        plan(bundled(THREE), strategy=str(path))
    path.write_text('name = "mine"\n[[street]]\nplay = "surrender"\n')
    with pytest.raises(StrategyError, match="there are no rule files for versus"):
        plan(bundled(WAR), strategy=str(path))


def _met(found: ReadyPlan) -> list[tuple[int, int]]:
    totals = Totals(found)
    totals.add(found.job.play(0, 500))
    return list(totals.met())


def test_a_war_with_mistakes_is_left_to_the_description() -> None:
    assert isinstance(made(WAR, 1, "best:0.5").job, Loop)


def test_the_summary_is_the_same() -> None:
    told = []
    for found in (made(THREE, 3), ready(asked(THREE, 3), without=("duels",))):
        totals = Totals(found)
        totals.add(found.job.play(0, 150))
        told.append(summary(totals, hands_per_hour=40))
    assert told[0] == told[1]


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
    found = asked(name, 1)
    followed = found.strategy.followed
    assert isinstance(followed, Choosing)
    assert isinstance(followed.followed, DealerStrategy)
    figures = followed.followed.figures
    nets = run(found, rounds).nets()
    deviation = float(figures.variance) ** 0.5 * found.ante
    away = float(nets.mean - figures.expected * found.ante) / (deviation / sqrt(rounds))
    assert abs(away) < ERRORS_MAX, f"{away} standard errors, seed {SEED}"
    assert nets.deviation == pytest.approx(deviation, rel=0.05)


@pytest.mark.long
@pytest.mark.parametrize("rounds", [10**6, pytest.param(10**9, marks=pytest.mark.slow)])
def test_a_war_comes_to_its_figures(rounds: int) -> None:
    found = asked(WAR, 1)
    followed = found.strategy.followed
    assert isinstance(followed, Choosing)
    figures, nets = followed.followed.figures, run(found, rounds).nets()
    deviation = float(figures.variance) ** 0.5 * found.ante
    assert abs(float(nets.mean - figures.expected * found.ante)) < ERRORS_MAX * (
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
PLAYED = pytest.mark.parametrize(("name", "seats", "strategy"), ON_A_GPU)


@pytest.mark.long
@needs_compiler
@PLAYED
def test_the_kernels_of_a_gpu_count_alike(
    tmp_path: Path, name: str, seats: int, strategy: str
) -> None:
    found = made(name, seats, strategy)
    ours, theirs = Totals(found), Totals(found)
    start, stop = 2**35 + 11, 2**35 + 5_012
    ours.add(found.job.play(start, stop))
    theirs.add(on_one_thread(kernels(found), tmp_path, start, stop, OWN_MEMORY))
    assert theirs.document() == ours.document()


@pytest.mark.skipif(device() is not None, reason=str(device()))
@PLAYED
def test_a_gpu_counts_alike(name: str, seats: int, strategy: str) -> None:
    found = made(name, seats, strategy)
    ours, theirs = Totals(found), Totals(found)
    play_on(ours, 1_000_001)
    play_on(theirs, 1_000_001, on="gpu", piece=400_000)
    assert theirs.document() == ours.document()
