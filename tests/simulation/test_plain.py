"""The loop that plays any game from its description, compared with the kernels and by itself."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from tests.red_dog import FAMILY
from tests.rules.toy_games import CHECK, TOYS, ToyGame, raises
from tests.sheets.samples import CMS, IDS, LAS, MHL
from tests.simulation.plans import (
    SEED,
    first_mismatch,
    odd_plan,
    prepare_cached,
    single_seat_plan,
    six_seat_plan,
)

import pitbook
from pitbook.exact.methods.plain.method import PLAIN, PlainStrategy
from pitbook.exact.rule_files import StrategyError
from pitbook.money import Cents
from pitbook.rules.game import Game, Place, Seat, Stage
from pitbook.rules.settlement_lines import Line
from pitbook.sheets.family_registry import known_families, register
from pitbook.sheets.model import Sheet
from pitbook.simulation.answer import simulation_answer
from pitbook.simulation.compare_with_exact import check, expected_figures
from pitbook.simulation.methods.plain import PlainJob
from pitbook.simulation.plan import Plan, SimulationError, plan
from pitbook.simulation.prepare import METHODS, ReadyPlan, prepare_job
from pitbook.simulation.run import load_totals, play_on, round_nets, run, save_totals
from pitbook.simulation.sessions.answer import find_outlook
from pitbook.simulation.sessions.session import levels, nets_of, session
from pitbook.simulation.strategy import SpotStrategy, Strategy
from pitbook.simulation.totals import Totals, outcome_counts

RED_DOG = Path(__file__).parents[1] / "red_dog" / "red-dog.toml"


def by_description(simulation_plan: Plan) -> ReadyPlan:
    """Prepare a plan without kernels."""
    return prepare_job(simulation_plan, without=tuple(method.name for method in METHODS))


@pytest.fixture
def red_dog() -> Iterator[Sheet]:
    register(FAMILY)
    yield pitbook.load(str(RED_DOG))
    del known_families()[FAMILY.name]


# Against the kernels ------------------------------------------------------------------------------

PLANS: dict[str, Callable[[], Plan]] = {
    **{f"{name}, alone": partial(single_seat_plan, name) for name in IDS},
    **{f"{name}, six seats": partial(six_seat_plan, name) for name in (CMS, MHL, LAS)},
    **{
        name: partial(odd_plan, name)
        for name in ("mistakes at a table", "mistakes at hi-lo", "bets taken back")
    },
}


@pytest.mark.parametrize("name", PLANS)
def test_same_cards_give_the_same_lines(name: str) -> None:
    simulation_plan = PLANS[name]()
    kernel_plan, plain_plan = prepare_cached(simulation_plan), by_description(simulation_plan)
    assert isinstance(plain_plan.job, PlainJob)
    kernel_trace, plain_trace = kernel_plan.job.trace(100, 160), plain_plan.job.trace(100, 160)
    for kernel_cell, plain_cell in zip(
        kernel_trace.ravel().tolist(), plain_trace.ravel().tolist(), strict=True
    ):
        assert kernel_plan.cells.cells[kernel_cell] == plain_plan.cells.cells[plain_cell]


@pytest.mark.long
@pytest.mark.parametrize("name", PLANS)
def test_kernels_and_loop_give_the_same_figures(name: str) -> None:
    simulation_plan = PLANS[name]()
    results = []
    for ready_plan in (prepare_cached(simulation_plan), by_description(simulation_plan)):
        totals = Totals(ready_plan)
        totals.add(ready_plan.job.play(0, 200))
        results.append(
            (
                simulation_answer(totals, hands_per_hour=40).document(),
                round_nets(ready_plan, 0, 50).tolist(),
            )
        )
    assert results[0] == results[1]


# Totals whose cells are numbered as they occur ---------------------------------------------------


def test_pieces_may_come_in_any_order_and_from_anywhere() -> None:
    simulation_plan = six_seat_plan(CMS)
    straight = Totals(by_description(simulation_plan))
    straight.add(straight.ready.job.play(0, 120))
    pieces = [(60, 120), (0, 25), (25, 60)]
    shuffled = Totals(by_description(simulation_plan))
    for start, stop in pieces:
        elsewhere = by_description(simulation_plan).job  # Each worker numbers its own cells.
        shuffled.add(elsewhere.play(start, stop))
    assert shuffled.equals(straight)
    assert shuffled.nets() == straight.nets()
    assert shuffled.caps() == straight.caps()


@pytest.mark.long
def test_simulation_resumes_from_its_file(tmp_path: Path) -> None:
    simulation_plan, path = six_seat_plan(MHL), tmp_path / "kept.json"
    first = Totals(by_description(simulation_plan))
    play_on(first, 40, piece=16)
    save_totals(path, first)
    resumed = load_totals(path, by_description(simulation_plan))
    assert resumed.equals(first)
    play_on(resumed, 90, piece=16, workers=2)
    uninterrupted = Totals(by_description(simulation_plan))
    play_on(uninterrupted, 90)
    assert resumed.equals(uninterrupted)


def test_loop_cannot_run_on_a_gpu() -> None:
    with pytest.raises(SimulationError, match="This game cannot run on a GPU"):
        play_on(Totals(by_description(single_seat_plan(CMS))), 10, on="gpu")


# A family that no kernel knows --------------------------------------------------------------------


@pytest.mark.long
def test_red_dog_is_simulated_settled_and_agrees_with_its_figures(red_dog: Sheet) -> None:
    totals = run(plan(red_dog, ante=Cents(10_00), seats=2, seed=SEED), 6_000)
    theory_check = check(totals)
    assert theory_check.agrees, theory_check.document()
    assert theory_check.unknown == {}
    assert first_mismatch(totals.ready, 0, 150) == ""
    figures = simulation_answer(totals, hands_per_hour=40).document()
    assert figures["rounds"] == 6_000
    assert {row["outcome"] for row in figures["wagers"]["main"]} > {"nothing", "pair"}


@pytest.mark.long
def test_red_dog_with_mistakes_and_by_one_play(red_dog: Sheet) -> None:
    for strategy in ("best:0.25", "always-raise"):
        totals = run(plan(red_dog, strategy=strategy, seed=SEED), 4_000)
        assert check(totals).agrees
    with pytest.raises(StrategyError, match="Use one of best, always-stand, always-raise"):
        plan(red_dog, strategy="always-fold")


@pytest.mark.long
def test_the_exact_side_of_red_dog_is_the_method_s_own_figure(red_dog: Sheet) -> None:
    simulation_plan = plan(red_dog, ante=Cents(10_00))
    exact_figures = expected_figures(simulation_plan)
    assert sum(exact_figures.rows.values()) == 1
    assert isinstance(simulation_plan.strategy.base, SpotStrategy)
    assert exact_figures.mean == simulation_plan.strategy.base.plain.value() * 10_00
    assert exact_figures.variance is not None


@pytest.mark.long
def test_a_session_of_red_dog(red_dog: Sheet) -> None:
    simulation_plan = plan(red_dog, ante=Cents(10_00), seed=SEED)
    assert [level.least for level in levels(simulation_plan)] == [10_00, 20_00]
    limited_plan = levels(simulation_plan)[0].plan
    assert sum(nets_of(limited_plan).values()) == 1
    assert min(nets_of(limited_plan)) == -10_00
    assert min(nets_of(simulation_plan)) == -20_00
    short_session = session(simulation_plan, bankroll=Cents(60_00), hours=Fraction(1, 4))
    exact, played = find_outlook(short_session), find_outlook(short_session, simulate=400)
    assert exact.method == "exact"
    assert abs(float(played.mean - exact.mean)) < 5 * float(exact.square / 400) ** 0.5


@pytest.mark.long
def test_api_simulates_a_new_family(red_dog: Sheet) -> None:
    simulation = pitbook.simulate(red_dog, 2_000, seed=3, check=True)
    assert (simulation.rounds, simulation.agrees) == (2_000, True)
    assert simulation.round(7).result == "settled"


@pytest.mark.long
def test_parquet_has_a_column_for_every_wager(red_dog: Sheet, tmp_path: Path) -> None:
    totals = Totals(prepare_job(plan(red_dog, ante=Cents(10_00), seats=2, seed=SEED)))
    play_on(totals, 300, parquet=tmp_path, piece=128, workers=2)
    table = import_module("pyarrow.parquet").read_table(tmp_path)
    assert table.num_rows == 600
    assert table.column_names[2:] == ["outcome", "bet", "raised", "staked", "net", "withheld"]
    assert set(table["raised"].to_pylist()) >= {"", "nothing"}
    assert sum(table["net"].to_pylist()) == totals.nets().total


@pytest.mark.long
def test_job_can_be_serialized(red_dog: Sheet) -> None:
    ready_plan = prepare_job(plan(red_dog, strategy="best", seed=SEED))
    unpickled = pickle.loads(pickle.dumps(ready_plan.job))
    local_totals, remote_totals = Totals(ready_plan), Totals(prepare_job(plan(red_dog, seed=SEED)))
    local_totals.add(ready_plan.job.play(0, 300))
    remote_totals.add(unpickled.with_own_arrays().play(0, 300))
    assert local_totals.equals(remote_totals)


# Generated descriptions -------------------------------------------------------------------------


def plain_strategy(game: Game, name: str, ante: Cents) -> SpotStrategy:
    strategy = PLAIN.follow(game, name, ante)
    assert isinstance(strategy, PlainStrategy)
    return SpotStrategy(strategy)


def toy_plan(name: str, *, seats: int, mistakes: Fraction) -> Plan:
    """A game without a sheet, always played by one play with some mistakes."""
    game = {**TOYS, "blind": blind}[name]()
    game.sheet = game.sheet.model_copy(update={"id": f"toys/{name}"})
    ante = Cents(10_00)
    first = next(play for stage in game.stages for play in stage.plays if not play.folds)
    strategy = plain_strategy(game, f"always-{first}", ante)
    new_plan = Plan(game.sheet, ante, (), seats, Strategy(strategy.name, mistakes, strategy), SEED)
    new_plan.__dict__["game"] = game
    return new_plan


@pytest.mark.long
@pytest.mark.parametrize("name", TOYS)
def test_loop_plays_any_description_as_the_engine_does(name: str) -> None:
    simulation_plan = toy_plan(name, seats=3, mistakes=Fraction(2, 5))
    assert first_mismatch(prepare_job(simulation_plan), 0, 120) == ""


def test_game_too_large_to_enumerate_is_not_tested() -> None:
    totals = run(toy_plan("caribbean", seats=1, mistakes=Fraction(1, 5)), 500)
    theory_check = check(totals)
    assert theory_check.agrees
    assert (theory_check.comparisons, set(theory_check.unknown)) == (0, {"main", "mean"})
    assert sum(outcome_counts(totals).values()) == 500


class Blind(ToyGame):
    """One card against one; a Blind beside the Ante, which pushes when the Ante wins."""

    def price(self, showdown: Any, seat: Seat) -> tuple[Line, ...]:
        lines = super().price(showdown, seat)
        return tuple(
            line._replace(result="push", wins=Cents(0))
            if line.wager == "blind" and line.result == "win"
            else line
            for line in lines
        )


def blind() -> ToyGame:
    places = (Place("own", "own", 1), Place("dealer", "dealer", 1))
    plays = (CHECK, *raises("play", 1))
    game = Blind(places, (Stage("raise", "raise", "TOY-8", (1, 0), plays),))
    game.equals = ("blind",)
    return game


@pytest.mark.long
def test_wagers_that_end_differently_are_also_counted_one_by_one() -> None:
    simulation_plan = toy_plan("blind", seats=2, mistakes=Fraction(1, 2))
    totals = run(simulation_plan, 3_000)
    assert first_mismatch(totals.ready, 0, 100) == ""
    theory_check = check(totals)
    assert theory_check.agrees
    assert {outcome_test.outcome.wager for outcome_test in theory_check.outcomes} == {
        "main",
        "ante",
        "blind",
        "play",
    }
    counts = outcome_counts(totals, 1)
    counts_by_result = {(outcome.wager, outcome.result): 0 for outcome in counts}
    for outcome, times in counts.items():
        counts_by_result[outcome.wager, outcome.result] += times
    assert (
        counts_by_result["ante", "win"]
        == counts_by_result["main", "win"]
        == counts_by_result["blind", "push"] - counts_by_result["ante", "push"]
    )
    assert ("blind", "win") not in counts_by_result
    rows_by_wager = simulation_answer(totals, hands_per_hour=40).document()["wagers"]
    assert list(rows_by_wager) == ["main", "ante", "blind", "play"]


def test_best_play_that_is_too_large_is_refused() -> None:
    simulation_plan = toy_plan("ultimate", seats=1, mistakes=Fraction(0))
    best = plain_strategy(simulation_plan.game, "best", simulation_plan.ante)
    best_plan = replace(simulation_plan, strategy=Strategy("best", Fraction(0), best))
    best_plan.__dict__["game"] = simulation_plan.game
    with pytest.raises(StrategyError, match="Best play cannot be computed"):
        prepare_job(best_plan).job.play(0, 1)


def test_rank_kernel_needs_a_strategy_without_mistakes(
    red_dog: Sheet,
) -> None:
    assert [method.name for method in METHODS if method.fits(plan(red_dog))] == ["ranks"]
    assert not any(method.fits(plan(red_dog, strategy="best:0.1")) for method in METHODS)
    fits = {
        name: [m.name for m in METHODS if m.fits(single_seat_plan(name))] for name in (CMS, MHL)
    }
    assert fits == {CMS: ["alone", "ladder"], MHL: ["points"]}
