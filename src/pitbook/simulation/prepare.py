"""Choose the fastest method for a plan, build its job, and estimate how long it takes."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from pitbook.exact.long_computations import TooLarge, duration_text
from pitbook.exact.methods.choose import choose_method
from pitbook.exact.methods.plain.method import PlainStrategy
from pitbook.exact.time_estimates import Estimate, strategy_seconds
from pitbook.rules.game import Game
from pitbook.sheets.model import Sheet
from pitbook.simulation.job import Job
from pitbook.simulation.kernel_tables import KernelTable, OneSeatTables
from pitbook.simulation.methods import duels, ladder, points, ranks
from pitbook.simulation.methods.plain import PlainJob
from pitbook.simulation.methods.ranks import depends_on_few_ranks
from pitbook.simulation.outcome_cells import Cells
from pitbook.simulation.plan import Plan, SimulationError
from pitbook.simulation.strategy import CACHED_SPOTS, SpotStrategy
from pitbook.text import say, sentence_of


class Method(NamedTuple):
    """A method to play: the plans that it fits, and the tables for its kernels."""

    name: str
    fits: Callable[[Plan], bool]
    tables: Callable[[Plan, Cells], OneSeatTables | KernelTable]


METHODS = (
    Method("alone", ladder.fits_one_seat, ladder.automaton),
    Method("ladder", ladder.fits_table, ladder.ladder_table),
    Method("points", points.fits, points.points_table),
    Method("duels", duels.fits, duels.duel_table),
    Method("ranks", ranks.fits, ranks.rank_table),
)


class ReadyPlan(NamedTuple):
    """A plan with its cells and the job for its workers."""

    plan: Plan
    cells: Cells
    job: Job | PlainJob


def prepare_job(plan: Plan, *, without: tuple[str, ...] = ()) -> ReadyPlan:
    """The plan's job by the first method that fits; `without` excludes methods by name."""
    cells = Cells(plan)
    for method in METHODS:
        if method.name not in without and method.fits(plan):
            tables = method.tables(plan, cells)
            return ReadyPlan(plan, cells, Job(plan.seed, plan.seats, len(cells.cells), tables))
    return ReadyPlan(plan, cells, PlainJob(plan, cells))


# Estimates ----------------------------------------------------------------------------------------


ROUNDS = 10_000_000  # The default of `pitbook simulate`.
KERNEL_ROUNDS = 2e6  # Per second, in machine code on two cores.
LOOP_ROUNDS = 4e3  # Per second, without a kernel.
START_SECONDS = 3.0
STRATEGY_SECONDS_MAX = 1_800.0
SUGGESTED_SECONDS = 300.0


def simulate_estimate(sheet: Sheet, rounds: int = ROUNDS) -> Estimate:
    """Estimate for `pitbook simulate` without options: best play, one seat."""
    game, method = choose_method(sheet)
    if method.name != "plain":
        return Estimate(START_SECONDS + method.seconds(game) + rounds / KERNEL_ROUNDS)
    if depends_on_few_ranks(game):
        return Estimate(START_SECONDS + method.seconds(game) + rounds / KERNEL_ROUNDS)
    if refusal := _refusal(game, "best", rounds):
        return Estimate(0.0, refusal)
    seconds = strategy_seconds(game, "best", rounds, spots_max=CACHED_SPOTS)
    return Estimate(START_SECONDS + seconds + rounds / LOOP_ROUNDS)


def expect_strategy(plan: Plan, rounds: int) -> None:
    """Raise SimulationError if the strategy takes too long to work out for this many rounds."""
    followed = plan.strategy.base
    if not isinstance(followed, SpotStrategy) or type(followed.strategy) is not PlainStrategy:
        return  # Computed over every deal before the first round.
    if depends_on_few_ranks(plan.game) and not plan.strategy.mistakes:
        return
    if refusal := _refusal(plan.game, followed.name, rounds):
        raise SimulationError(refusal)


def _refusal(game: Game, strategy: str, rounds: int) -> str:
    """Why a strategy cannot play this many rounds, with an alternative; empty if it can."""
    try:
        seconds = strategy_seconds(game, strategy, rounds, spots_max=CACHED_SPOTS)
    except TooLarge as error:
        details = {"strategy": strategy, "why": sentence_of(error)}
        return say("simulate.no-strategy", instead=_alternative(game, strategy, rounds), **details)
    if seconds <= STRATEGY_SECONDS_MAX:
        return ""
    details = {"strategy": strategy, "long": duration_text(seconds)}
    instead = _alternative(game, strategy, rounds)
    return say("simulate.long-strategy", rounds=rounds, instead=instead, **details)


def _alternative(game: Game, strategy: str, rounds: int) -> str:
    options = (
        *_suggest_fewer_rounds(game, strategy, rounds),
        *_suggest_simpler_strategy(game, rounds),
    )
    return say("simulate.use", options=options) if options else say("simulate.nothing-instead")


def _suggest_fewer_rounds(game: Game, strategy: str, rounds: int) -> list[str]:
    """The largest round number of rounds for which the strategy can be computed."""
    for fewer_rounds in (1_000_000, 100_000, 10_000, 1_000):
        try:
            seconds = strategy_seconds(game, strategy, fewer_rounds, spots_max=CACHED_SPOTS)
        except TooLarge:
            return []
        if fewer_rounds < rounds and seconds <= SUGGESTED_SECONDS:
            return [say("simulate.fewer-rounds", rounds=fewer_rounds)]
    return []


def _suggest_simpler_strategy(game: Game, rounds: int) -> list[str]:
    """A strategy that always makes the same play and needs no computation."""
    plays = dict.fromkeys(play for stage in game.stages for play in stage.plays if not play.folds)
    for play in plays:
        name = f"always-{play}"
        try:
            seconds = strategy_seconds(game, name, rounds, spots_max=CACHED_SPOTS)
        except TooLarge:
            continue
        if seconds <= SUGGESTED_SECONDS:
            return [say("simulate.simpler", strategy=name)]
    return []
