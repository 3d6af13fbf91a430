"""`sheets check` predicts which commands answer and how long they take, and is right."""

from __future__ import annotations

import random
from pathlib import Path
from time import process_time
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.cli.test_play import session
from tests.command_line import Ask
from tests.exact.figures_json import math_document
from tests.random_sheets.sheets import sheets
from tests.random_sheets.versus import versus_sheets
from tests.sheets.samples import modified_text

from pitbook.cards import DECK, cards
from pitbook.cli.play_table import TerminalCoach
from pitbook.errors import PitbookError
from pitbook.exact.advice import advise
from pitbook.exact.long_computations import TooLarge
from pitbook.exact.methods.choose import choose_method
from pitbook.exact.methods.plain.solve import PlainSolver
from pitbook.exact.spots import Spot, cards_held_at, check_spot
from pitbook.exact.time_estimates import Estimate, advise_estimate, math_estimate
from pitbook.house.web.jobs import COUNTED_MAX, within_limits
from pitbook.rules.actions import Play
from pitbook.sheets.library import Library
from pitbook.sheets.load import load
from pitbook.sheets.model import Sheet
from pitbook.simulation.plan import plan
from pitbook.simulation.prepare import expect_strategy, simulate_estimate
from pitbook.simulation.run import run

pytestmark = pytest.mark.long
SEED = 20_261_118
REFUSED_SECONDS = 2.0
TRIED_SECONDS = 2.0  # Commands predicted to take longer are not run here.
CASINO = "classic/casino-holdem"


@pytest.fixture
def short_board(tmp_path: Path) -> str:
    """Two cards each, a board of three and a qualifying dealer: no special method applies."""
    text = modified_text(CASINO, ("community = 5", "board = 3"), ("community = 3", "community = 0"))
    path = tmp_path / "short-board.toml"
    path.write_text(text.replace("board = 3", "community = 3"), encoding="utf-8")
    return str(path)


def test_check_lists_the_commands_that_answer_on_a_short_board(ask: Ask, short_board: str) -> None:
    answer = ask("sheets", "check", short_board, "--json")
    commands = answer.document["commands"]
    assert [commands[name]["answers"] for name in ("math", "advise", "simulate")] == [
        False,
        True,
        False,
    ]
    assert commands["advise"]["seconds"] > 60
    output = ask("sheets", "check", short_board).out
    assert "math tries" not in output
    assert "advise takes up to about" in output
    for name in ("math", "simulate"):
        reason = commands[name]["reason"]
        assert f"{name} does not work: {reason}" in output
        assert "always-" in reason
        refused = ask(name, short_board)
        assert (refused.code, refused.out) == (1, "")
        assert reason in refused.err
        assert ask(name, short_board, "--json").document == {"error": reason}


def test_suggested_alternative_works(ask: Ask, short_board: str) -> None:
    reason = ask("sheets", "check", short_board, "--json").document["commands"]["simulate"][
        "reason"
    ]
    strategy = reason.rpartition("the strategy ")[2].strip('."')
    arguments = ("simulate", short_board, "--strategy", strategy, "--rounds", "200", "--json")
    assert ask(*arguments).document["rounds"] == 200


def test_check_prints_one_line_for_a_sheet_with_only_fast_commands(ask: Ask) -> None:
    output = ask("sheets", "check", "catfish-bend/mississippi-stud").out
    assert "mississippi-stud.toml: math, advise and simulate take seconds.\n" in output
    commands = ask("sheets", "check", "catfish-bend/mississippi-stud", "--json").document[
        "commands"
    ]
    assert all(command["answers"] and command["seconds"] <= 10 for command in commands.values())


def test_every_command_answers_for_every_bundled_sheet() -> None:
    for entry in Library().entries():
        assert entry.sheet is not None
        for estimate in (math_estimate, advise_estimate, simulate_estimate):
            assert not estimate(entry.sheet).refusal, entry.sheet.id


def test_hint_that_would_take_minutes_is_refused(
    short_board: str, capsys: pytest.CaptureFixture[str]
) -> None:
    table = session(short_board, "10,h,q")
    table.coach = TerminalCoach(on=True)
    began = process_time()
    table.run()
    output = " ".join(capsys.readouterr().out.split())
    assert (
        "Community ▒▒ ▒▒ ▒▒ Dealer ▒▒ ▒▒ Seat 1 8♠ 2♠ Ante $10 $990 The coach has no answer: "
        "It would take about 5 minutes" in output
    )
    assert process_time() - began < REFUSED_SECONDS


def test_server_refuses_too_much_work_at_once(short_board: str) -> None:
    sheet = load(Path(short_board))
    began = process_time()
    for ask in (lambda: advise(sheet, cards("As Kd")), lambda: math_document(sheet)):
        with pytest.raises(TooLarge):
            within_limits(ask, COUNTED_MAX)
    assert process_time() - began < REFUSED_SECONDS


@pytest.mark.slow
@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
@given(sheet=st.one_of(versus_sheets(), versus_sheets(), sheets()), seed=st.integers(0, 2**32))
def test_commands_take_as_long_as_check_says(sheet: Sheet, seed: int) -> None:
    keep_promises(sheet, seed)


@settings(max_examples=5, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
@given(sheet=versus_sheets())
def test_commands_take_as_long_as_check_says_for_a_few_sheets(sheet: Sheet) -> None:
    keep_promises(sheet, SEED)


def keep_promises(sheet: Sheet, seed: int) -> None:
    """Compare math, advise and simulate with the check's predictions."""
    hold(math_estimate(sheet), lambda: math_document(sheet), (sheet.id, seed))
    simulated = simulate_estimate(sheet)
    if simulated.refusal:
        simulation = plan(sheet, seed=1)
        hold(simulated, lambda: expect_strategy(simulation, 10_000_000), (sheet.id, seed))
    else:
        few = simulate_estimate(sheet, 200)
        hold(few, lambda: run(plan(sheet, seed=1), 200), (sheet.id, seed))
    advice, luck = advise_estimate(sheet), random.Random(seed)
    game, method = choose_method(sheet)
    for number, stage in enumerate(game.stages):
        spot = spot_at(sheet, number, luck) if stage.plays else None
        if spot is None:
            continue
        estimate = advice
        if method.name == "plain":
            plain = PlainSolver(game)
            why = plain.why_too_many(number)
            assert (why is None) or advice.refusal or stage.title in advice.slowest_part
            estimate = Estimate(plain.spot_deals(number) * 6e-5, why or "")
            assert why or estimate.seconds <= advice.seconds
        hold(estimate, lambda spot=spot: advise(sheet, spot.cards, spot.community, spot.bets), seed)


def spot_at(sheet: Sheet, number: int, luck: random.Random) -> Spot | None:
    """Random cards at a decision, after plays that stay in; None if none lead there."""
    game, _ = choose_method(sheet)
    bets: list[Play] = []
    for stage in game.stages[:number]:
        free_plays = [
            play
            for play in stage.plays
            if not play.folds and not play.puts and not play.declaration
        ]
        if stage.plays and not free_plays and any(later.once for later in game.stages[number:]):
            return None
        bets += free_plays[:1] or [play for play in stage.plays if not play.folds][:1]
    stage = game.stages[number]
    deck = luck.sample(list(DECK), 52)
    hand_size = cards_held_at(game, stage)
    community = tuple(deck[hand_size : hand_size + sum(stage.opens[1:])])
    spot = Spot(tuple(deck[:hand_size]), community, tuple(bets))
    try:
        return check_spot(game, spot)
    except PitbookError:
        return None


def hold(promise: Estimate, ask: Any, where: object) -> None:
    """Run a command that is predicted to refuse or to be quick, and check the prediction."""
    if not promise.refusal and promise.seconds > TRIED_SECONDS:
        return
    began = process_time()
    if promise.refusal:
        with pytest.raises(PitbookError):
            ask()
        assert process_time() - began < REFUSED_SECONDS, (where, promise)
    else:
        ask()
        assert process_time() - began < 10 + 5 * promise.seconds, (where, promise)
