"""Simulated sessions agree with the engine and with theory, for any number of workers."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cache
from math import sqrt
from typing import Any

import pytest
from tests.lanes import examples
from tests.sheets.samples import CMS, LAS, MHL, OMS, STAX
from tests.simulation.plans import SEED, bundled_sheet

from pitbook.money import Cents
from pitbook.rules import round_file
from pitbook.sheets.model import Sheet
from pitbook.simulation.plan import Plan, SimulationError, plan
from pitbook.simulation.replay import round_document
from pitbook.simulation.sessions import simulated_sessions as sessions_played
from pitbook.simulation.sessions.answer import find_outlook, session_outlook
from pitbook.simulation.sessions.session import Session, session
from pitbook.simulation.sessions.simulated_sessions import play_sessions

ERRORS_MAX = 3.3  # Standard errors: exceeded by chance once in a thousand times.
MANY = examples(16_000, 40_000)


def player_session(simulation_plan: Plan, bankroll: int, rounds: int, **stops: Any) -> Session:
    return session(
        simulation_plan, bankroll=Cents(bankroll), hours=Fraction(rounds), hands_per_hour=1, **stops
    )


@cache
def plan_of(sheet: str, ante: int, strategy: str = "best", seats: int = 1) -> Plan:
    side = {"three-card-bonus": Cents(500)} if sheet == CMS else {}
    return plan(
        bundled_sheet(sheet), ante=Cents(ante), side=side, seats=seats, strategy=strategy, seed=SEED
    )


AGREE = [
    (OMS, 4_00, 120_00, 60, {}),
    (OMS, 4_00, 60_00, 40, {"goal": 40_00}),
    (CMS, 10_00, 300_00, 30, {"stop_loss": 150_00, "goal": 200_00}),
    (MHL, 10_00, 100_00, 60, {}),
    (STAX, 10_00, 400_00, 40, {"stop_loss": 250_00}),
]


@pytest.mark.slow_cases(
    "catfish-bend/mississippi-stud-1000-30000-30-stops2",
    "oceanfront/mississippi-stud-400-6000-40-stops1",
)
@pytest.mark.long
@pytest.mark.random
@pytest.mark.parametrize(("sheet", "ante", "bankroll", "rounds", "stops"), AGREE)
def test_play_agrees_with_theory(
    sheet: str, ante: int, bankroll: int, rounds: int, stops: dict[str, Any]
) -> None:
    tested = player_session(plan_of(sheet, ante), bankroll, rounds, **stops)
    theory, play = find_outlook(tested), play_sessions(tested, MANY)
    print(f"seed {SEED}")  # noqa: T201
    assert theory.method != "simulated"
    assert play.method == "simulated"
    assert sum(end.chance for end in play.ends.values()) == 1
    for reason, end in theory.ends.items():
        assert deviation(play.ends[reason].chance, end.chance) < ERRORS_MAX
    for mark, other in zip(theory.marks, play.marks, strict=True):
        assert deviation(other.playing, mark.playing) < ERRORS_MAX
    for share in (Fraction(1, 4), Fraction(1, 2), Fraction(3, 4)):
        amount = theory.final.quantile(share)
        assert amount is not None
        assert (
            deviation(play.final.share_up_to(amount), theory.final.share_up_to(amount)) < ERRORS_MAX
        )
    assert abs(float(play.mean - theory.mean)) < ERRORS_MAX * theory.deviation / sqrt(MANY)


def deviation(share: Fraction | float, chance: Fraction | float) -> float:
    """Distance of a share from its probability in standard errors."""
    if chance < 1e-12 or chance > 1 - 1e-12:
        return 0 if abs(float(share) - float(chance)) < 1e-9 else float("inf")
    return abs(float(share) - float(chance)) / sqrt(float(chance) * (1 - float(chance)) / MANY)


def session_by_engine(tested: Session, number: int) -> tuple[int, int]:
    """Session `number` played by the engine: its number of rounds, and the final bankroll."""
    bankroll = int(tested.bankroll)
    for done in range(tested.rounds):
        level = [candidate for candidate in tested.levels if candidate.least <= bankroll][-1]
        bankroll += seat_net(tested.plan, level.plan, number * tested.rounds + done)
        stopped = bankroll < tested.stake_min or bankroll <= tested.stop_bankroll
        if stopped or bankroll >= (tested.goal_bankroll or bankroll + 1):
            return done + 1, bankroll
    return tested.rounds, bankroll


def seat_net(others: Plan, seat_plan: Plan, number: int) -> int:
    """Net of seat 1 in a round in which the other seats play in full."""
    file = round_document(others, number)
    file["seats"][0] = round_document(seat_plan, number)["seats"][0]
    final, _ = round_file.play(round_file.RoundFile.model_validate(file), others.sheet)
    return final.settlements[0].net


def tightly_capped(seats: int, strategy: str = "best") -> Plan:
    """A plan whose round cap applies constantly."""
    sheet: Sheet = bundled_sheet(CMS)
    (cap,) = sheet.limits
    lower = cap.model_copy(update={"pays_max": Cents(60_00), "counts": None})
    return plan(
        sheet.model_copy(update={"limits": (lower,)}),
        ante=Cents(10_00),
        seats=seats,
        strategy=strategy,
        seed=SEED,
    )


ENGINE = {
    "short of money": lambda: player_session(plan_of(OMS, 4_00), 40_00, 12),
    "stops": lambda: player_session(plan_of(CMS, 10_00), 200_00, 10, stop_loss=80_00, goal=60_00),
    "mistakes": lambda: player_session(plan_of(OMS, 4_00, "best:0.3"), 40_00, 12),
    "hi-lo with mistakes": lambda: player_session(plan_of(MHL, 10_00, "best:0.3"), 40_00, 10),
    "a cap that seats share": lambda: player_session(tightly_capped(5), 120_00, 10),
}


@pytest.mark.long
@pytest.mark.parametrize("name", ENGINE)
def test_the_engine_plays_the_same_sessions(name: str) -> None:
    tested, many = ENGINE[name](), 24
    lasted, final_bankrolls = zip(
        *(session_by_engine(tested, number) for number in range(many)), strict=True
    )
    outlook = play_sessions(tested, many)
    assert outlook.rounds_mean == Fraction(sum(lasted), many)
    amounts = [
        amount
        for amount, times in zip(outlook.final.amounts, outlook.final.weights, strict=True)
        for _ in range(times)
    ]
    assert amounts == sorted(final_bankrolls)


def test_a_shared_cap_bites_there() -> None:
    """Guards the test above, which needs an effective shared cap."""
    tested = player_session(tightly_capped(5), 120_00, 10)
    assert any(
        seat_net(tested.plan, tested.plan, number) < seat_net_alone(tested.plan, number)
        for number in range(300)
    )


def seat_net_alone(plan: Plan, number: int) -> int:
    file = round_document(plan, number)
    file["seats"] = file["seats"][:1]
    final, _ = round_file.play(round_file.RoundFile.model_validate(file), plan.sheet)
    return final.settlements[0].net


@pytest.mark.long
def test_seats_without_a_shared_cap_are_independent() -> None:
    tested = player_session(plan_of(LAS, 10_00, seats=3), 300_00, 20)
    outlook = find_outlook(tested)
    assert outlook.method == "exact"
    assert outlook.ends == find_outlook(player_session(plan_of(LAS, 10_00), 300_00, 20)).ends


@pytest.mark.long
def test_one_seed_gives_one_answer_for_any_workers_and_pieces(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tested = player_session(plan_of(MHL, 10_00, "best:0.05"), 60_00, 25)
    first = session_outlook(play_sessions(tested, 400, workers=1)).document()
    for workers, piece in ((2, 2**20), (5, 1_000), (3, 100)):
        monkeypatch.setattr(sessions_played, "PIECE_ROUNDS", piece)
        again = session_outlook(play_sessions(tested, 400, workers=workers))
        assert again.document() == first
    other = replace(tested, plan=replace(tested.plan, seed=SEED + 1))
    assert session_outlook(play_sessions(other, 400)).document()["net"] != first["net"]


def test_progress_is_reported() -> None:
    progress: list[tuple[int, int]] = []
    tested = player_session(plan_of(MHL, 10_00), 60_00, 5)
    play_sessions(tested, 500, on_progress=lambda *counts: progress.append(counts))
    assert progress == [(2_500, 2_500)]
    find_outlook(tested, on_progress=lambda *counts: progress.append(counts))
    assert progress[-1] == (5, 5)


@pytest.mark.long
def test_mistakes_are_played_and_cost_money() -> None:
    right, wrong = (
        find_outlook(player_session(plan_of(MHL, 10_00, name), 80_00, 20), simulate=5_000)
        for name in ("best", "best:0.5")
    )
    assert right.mean > wrong.mean
    assert right.simulated_reason is wrong.simulated_reason is None  # Simulation was requested.


@pytest.mark.long
def test_sessions_without_exact_figures_are_simulated_with_a_reason() -> None:
    outlook = find_outlook(player_session(plan_of(MHL, 10_00, "best:0.5"), 80_00, 2))
    assert (outlook.method, outlook.sessions) == ("simulated", 100_000)
    assert "mistakes" in str(outlook.simulated_reason)


@pytest.mark.parametrize(
    ("many", "workers", "reason"),
    [
        (0, 1, "The number of sessions must be 1 to"),
        (10**9, 1, "not 1,000,000,000"),
        (5, 0, "number of workers must be"),
    ],
)
def test_invalid_numbers_of_sessions_and_workers_are_refused(
    many: int, workers: int, reason: str
) -> None:
    with pytest.raises(SimulationError, match=reason):
        play_sessions(player_session(plan_of(OMS, 4_00), 60_00, 5), many, workers=workers)
