"""The loop that plays any game from its description: held against the kernels, and on its own."""

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
from tests.rules.rounds.toys import CHECK, TOYS, Toy, raised
from tests.sheets.samples import CMS, IDS, LAS, MHL
from tests.simulate.plans import SEED, alone, laid, mismatch, odd, six

import pitbook
from pitbook.exact.methods.plain.method import PLAIN, PlainStrategy
from pitbook.exact.rule_files import StrategyError
from pitbook.money import Cents
from pitbook.rules.game import Game, Place, Seat, Stage
from pitbook.rules.settlement import Line
from pitbook.sheets.families import known_families, register
from pitbook.sheets.model import Sheet
from pitbook.simulate.check import check
from pitbook.simulate.expected import expected
from pitbook.simulate.methods.plain import Loop
from pitbook.simulate.methods.spot_strategy import Choosing
from pitbook.simulate.plan import Plan, SimulationError, plan
from pitbook.simulate.prepare import METHODS, ReadyPlan, ready
from pitbook.simulate.run import keep, kept, nets, play_on, run
from pitbook.simulate.sessions.answer import answer
from pitbook.simulate.sessions.levels import levels
from pitbook.simulate.sessions.session import nets_of, session
from pitbook.simulate.strategy import Strategy
from pitbook.simulate.summary import outcome_counts, summary
from pitbook.simulate.totals import Totals

RED_DOG = Path(__file__).parents[1] / "red_dog" / "red-dog.toml"


def by_description(asked: Plan) -> ReadyPlan:
    """A plan that a kernel would fit, played without any."""
    return ready(asked, without=tuple(method.name for method in METHODS))


@pytest.fixture
def red_dog() -> Iterator[Sheet]:
    register(FAMILY)
    yield pitbook.load(str(RED_DOG))
    del known_families()[FAMILY.name]


# Against the kernels ------------------------------------------------------------------------------

PLANS: dict[str, Callable[[], Plan]] = {
    **{f"{name}, alone": partial(alone, name) for name in IDS},
    **{f"{name}, six seats": partial(six, name) for name in (CMS, MHL, LAS)},
    **{
        name: partial(odd, name)
        for name in ("mistakes at a table", "mistakes at hi-lo", "bets taken back")
    },
}


@pytest.mark.parametrize("name", PLANS)
def test_the_same_cards_come_to_the_same_lines(name: str) -> None:
    asked = PLANS[name]()
    quick, slow = laid(asked), by_description(asked)
    assert isinstance(slow.job, Loop)
    one, other = quick.job.trace(100, 160), slow.job.trace(100, 160)
    for fast, plain in zip(one.ravel().tolist(), other.ravel().tolist(), strict=True):
        assert quick.cells.every[fast] == slow.cells.every[plain]


@pytest.mark.long
@pytest.mark.parametrize("name", PLANS)
def test_so_the_figures_are_the_same(name: str) -> None:
    asked = PLANS[name]()
    told = []
    for made in (laid(asked), by_description(asked)):
        totals = Totals(made)
        totals.add(made.job.play(0, 200))
        told.append((summary(totals, hands_per_hour=40), nets(made, 0, 50).tolist()))
    assert told[0] == told[1]


# Totals whose cells are met one by one ------------------------------------------------------------


def test_pieces_may_come_in_any_order_and_from_anywhere() -> None:
    asked = six(CMS)
    straight = Totals(by_description(asked))
    straight.add(straight.ready.job.play(0, 120))
    pieces = [(60, 120), (0, 25), (25, 60)]
    shuffled = Totals(by_description(asked))
    for start, stop in pieces:
        elsewhere = by_description(asked).job  # A worker numbers cells of his own.
        shuffled.add(elsewhere.play(start, stop))
    assert shuffled.equals(straight)
    assert shuffled.nets() == straight.nets()
    assert shuffled.caps() == straight.caps()


@pytest.mark.long
def test_a_run_goes_on_from_its_file(tmp_path: Path) -> None:
    asked, path = six(MHL), tmp_path / "kept.json"
    first = Totals(by_description(asked))
    play_on(first, 40, piece=16)
    keep(path, first)
    again = kept(path, by_description(asked))
    assert again.equals(first)
    play_on(again, 90, piece=16, workers=2)
    whole = Totals(by_description(asked))
    play_on(whole, 90)
    assert again.equals(whole)


def test_there_is_no_gpu_for_it() -> None:
    with pytest.raises(SimulationError, match="no kernel for a GPU"):
        play_on(Totals(by_description(alone(CMS))), 10, on="gpu")


# A family that no kernel knows --------------------------------------------------------------------


@pytest.mark.long
def test_red_dog_is_simulated_settled_and_agrees_with_its_figures(red_dog: Sheet) -> None:
    totals = run(plan(red_dog, ante=Cents(10_00), seats=2, seed=SEED), 6_000)
    judged = check(totals)
    assert judged.agrees, judged.document()
    assert judged.unknown == {}
    assert mismatch(totals.ready, 0, 150) == ""
    told = summary(totals, hands_per_hour=40)
    assert told["rounds"] == 6_000
    assert {row["outcome"] for row in told["wagers"]["main"]} > {"nothing", "pair"}


@pytest.mark.long
def test_red_dog_with_mistakes_and_by_one_play(red_dog: Sheet) -> None:
    for strategy in ("best:0.25", "always-raise"):
        totals = run(plan(red_dog, strategy=strategy, seed=SEED), 4_000)
        assert check(totals).agrees
    with pytest.raises(StrategyError, match="known are best, always-stand, always-raise"):
        plan(red_dog, strategy="always-fold")


@pytest.mark.long
def test_the_exact_side_of_red_dog_is_the_method_s_own_figure(red_dog: Sheet) -> None:
    asked = plan(red_dog, ante=Cents(10_00))
    found = expected(asked)
    assert sum(found.rows.values()) == 1
    assert isinstance(asked.strategy.followed, Choosing)
    assert found.mean == asked.strategy.followed.plain.value() * 10_00
    assert found.variance is not None


@pytest.mark.long
def test_a_session_of_red_dog(red_dog: Sheet) -> None:
    asked = plan(red_dog, ante=Cents(10_00), seed=SEED)
    assert [level.least for level in levels(asked)] == [10_00, 20_00]
    poor = levels(asked)[0].plan
    assert sum(nets_of(poor).values()) == 1
    assert min(nets_of(poor)) == -10_00
    assert min(nets_of(asked)) == -20_00
    evening = session(asked, bankroll=Cents(60_00), hours=Fraction(1, 4))
    exact, played = answer(evening), answer(evening, simulate=400)
    assert exact.method == "exact"
    assert abs(float(played.mean - exact.mean)) < 5 * float(exact.square / 400) ** 0.5


@pytest.mark.long
def test_the_command_plays_it_unchanged(red_dog: Sheet) -> None:
    told = pitbook.simulate(red_dog, 2_000, seed=3, check=True)
    assert (told.rounds, told.agrees) == (2_000, True)
    assert told.round(7).result == "settled"


@pytest.mark.long
def test_its_rounds_on_record_tell_every_wager(red_dog: Sheet, tmp_path: Path) -> None:
    totals = Totals(ready(plan(red_dog, ante=Cents(10_00), seats=2, seed=SEED)))
    play_on(totals, 300, parquet=tmp_path, piece=128, workers=2)
    table = import_module("pyarrow.parquet").read_table(tmp_path)
    assert table.num_rows == 600
    assert table.column_names[2:] == ["outcome", "bet", "raised", "staked", "net", "withheld"]
    assert set(table["raised"].to_pylist()) >= {"", "nothing"}
    assert sum(table["net"].to_pylist()) == totals.nets().total


@pytest.mark.long
def test_a_job_travels(red_dog: Sheet) -> None:
    made = ready(plan(red_dog, strategy="best", seed=SEED))
    sent = pickle.loads(pickle.dumps(made.job))
    here, there = Totals(made), Totals(ready(plan(red_dog, seed=SEED)))
    here.add(made.job.play(0, 300))
    there.add(sent.owned().play(0, 300))
    assert here.equals(there)


# Whatever a description can say -------------------------------------------------------------------


def followed(game: Game, name: str, ante: Cents) -> Choosing:
    found = PLAIN.follow(game, name, ante)
    assert isinstance(found, PlainStrategy)
    return Choosing(found)


def toy_plan(name: str, *, seats: int, mistakes: Fraction) -> Plan:
    """A game that no sheet has, always played by one play that some seats get wrong."""
    game = {**TOYS, "blind": blind}[name]()
    game.sheet = game.sheet.model_copy(update={"id": f"toys/{name}"})
    ante = Cents(10_00)
    first = next(play for stage in game.stages for play in stage.plays if not play.folds)
    strategy = followed(game, f"always-{first}", ante)
    made = Plan(game.sheet, ante, (), seats, Strategy(strategy.name, mistakes, strategy), SEED)
    made.__dict__["game"] = game
    return made


@pytest.mark.long
@pytest.mark.parametrize("name", TOYS)
def test_whatever_a_description_says_is_played_as_the_engine_plays_it(name: str) -> None:
    asked = toy_plan(name, seats=3, mistakes=Fraction(2, 5))
    assert mismatch(ready(asked), 0, 120) == ""


def test_what_has_too_many_cards_to_go_through_is_not_judged() -> None:
    totals = run(toy_plan("caribbean", seats=1, mistakes=Fraction(1, 5)), 500)
    judged = check(totals)
    assert judged.agrees
    assert (judged.judgements, set(judged.unknown)) == (0, {"main", "mean"})
    assert sum(outcome_counts(totals).values()) == 500


class Blind(Toy):
    """One card against one; a Blind beside the Ante, which pushes where the Ante wins."""

    def price(self, showdown: Any, seat: Seat) -> tuple[Line, ...]:
        lines = super().price(showdown, seat)
        return tuple(
            line._replace(result="push", wins=Cents(0))
            if line.wager == "blind" and line.result == "win"
            else line
            for line in lines
        )


def blind() -> Toy:
    places = (Place("own", "own", 1), Place("dealer", "dealer", 1))
    plays = (CHECK, *raised("play", 1))
    game = Blind(places, (Stage("raise", "raise", "TOY-8", (1, 0), plays),))
    game.equals = ("blind",)
    return game


@pytest.mark.long
def test_wagers_that_end_apart_are_counted_one_by_one_beside_their_sum() -> None:
    asked = toy_plan("blind", seats=2, mistakes=Fraction(1, 2))
    totals = run(asked, 3_000)
    assert mismatch(totals.ready, 0, 100) == ""
    judged = check(totals)
    assert judged.agrees
    assert {one.outcome.wager for one in judged.outcomes} == {"main", "ante", "blind", "play"}
    counts = outcome_counts(totals, 1)
    of = {(one.wager, one.result): 0 for one in counts}
    for one, times in counts.items():
        of[one.wager, one.result] += times
    assert of["ante", "win"] == of["main", "win"] == of["blind", "push"] - of["ante", "push"]
    assert ("blind", "win") not in of
    told = summary(totals, hands_per_hour=40)["wagers"]
    assert list(told) == ["main", "ante", "blind", "play"]


def test_best_play_that_cannot_be_worked_out_is_said() -> None:
    asked = toy_plan("ultimate", seats=1, mistakes=Fraction(0))
    best = followed(asked.game, "best", asked.ante)
    made = replace(asked, strategy=Strategy("best", Fraction(0), best))
    made.__dict__["game"] = asked.game
    with pytest.raises(StrategyError, match="best play cannot be worked out"):
        ready(made).job.play(0, 1)


def test_kernels_fit_by_structure_and_no_mistakes_where_ranks_alone_are_read(
    red_dog: Sheet,
) -> None:
    assert [one.name for one in METHODS if one.fits(plan(red_dog))] == ["ranks"]
    assert not any(one.fits(plan(red_dog, strategy="best:0.1")) for one in METHODS)
    fits = {name: [m.name for m in METHODS if m.fits(alone(name))] for name in (CMS, MHL)}
    assert fits == {CMS: ["alone", "ladder"], MHL: ["points"]}
