"""Sessions that are played: as the engine plays them, as theory says, the same for any workers."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cache
from math import sqrt
from typing import Any

import pytest
from tests.lanes import examples
from tests.sheets.samples import CMS, LAS, MHL, OMS, STAX
from tests.simulate.plans import SEED, bundled

from pitbook.money import Cents
from pitbook.rules import round_file
from pitbook.sheets.model import Sheet
from pitbook.simulate.plan import Plan, SimulationError, plan
from pitbook.simulate.replay import round_document
from pitbook.simulate.sessions import played as sessions_played
from pitbook.simulate.sessions.answer import answer, document
from pitbook.simulate.sessions.played import played
from pitbook.simulate.sessions.session import Session, session

ERRORS_MAX = 3.3  # Standard errors: luck strays so far once in a thousand times.
MANY = examples(16_000, 40_000)


def sat_down(asked: Plan, bankroll: int, rounds: int, **stops: Any) -> Session:
    return session(
        asked, bankroll=Cents(bankroll), hours=Fraction(rounds), hands_per_hour=1, **stops
    )


@cache
def plan_of(sheet: str, ante: int, strategy: str = "best", seats: int = 1) -> Plan:
    side = {"three-card-bonus": Cents(500)} if sheet == CMS else {}
    return plan(
        bundled(sheet), ante=Cents(ante), side=side, seats=seats, strategy=strategy, seed=SEED
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
    given = sat_down(plan_of(sheet, ante), bankroll, rounds, **stops)
    theory, play = answer(given), played(given, MANY)
    print(f"seed {SEED}")  # noqa: T201
    assert theory.method != "simulated"
    assert play.method == "simulated"
    assert sum(end.chance for end in play.ends.values()) == 1
    for how, end in theory.ends.items():
        assert strays(play.ends[how].chance, end.chance) < ERRORS_MAX
    for mark, other in zip(theory.marks, play.marks, strict=True):
        assert strays(other.playing, mark.playing) < ERRORS_MAX
    for share in (Fraction(1, 4), Fraction(1, 2), Fraction(3, 4)):
        amount = theory.final.quantile(share)
        assert amount is not None
        assert strays(play.final.upto(amount), theory.final.upto(amount)) < ERRORS_MAX
    assert abs(float(play.mean - theory.mean)) < ERRORS_MAX * theory.deviation / sqrt(MANY)


def strays(share: Fraction | float, chance: Fraction | float) -> float:
    """How far a share is from its chance, in standard errors; none of what cannot be."""
    if chance < 1e-12 or chance > 1 - 1e-12:
        return 0 if abs(float(share) - float(chance)) < 1e-9 else float("inf")
    return abs(float(share) - float(chance)) / sqrt(float(chance) * (1 - float(chance)) / MANY)


def by_the_engine(given: Session, number: int) -> tuple[int, int]:
    """Session `number` played through the engine: the rounds it lasts, and what is left."""
    bankroll = int(given.bankroll)
    for done in range(given.rounds):
        level = [one for one in given.levels if one.least <= bankroll][-1]
        bankroll += seat_net(given.plan, level.plan, number * given.rounds + done)
        stopped = bankroll < given.stake_min or bankroll <= given.leaves_at
        if stopped or bankroll >= (given.reached_at or bankroll + 1):
            return done + 1, bankroll
    return given.rounds, bankroll


def seat_net(others: Plan, own: Plan, number: int) -> int:
    """What seat 1 nets in a round where the others play in full, whatever it can cover itself."""
    file = round_document(others, number)
    file["seats"][0] = round_document(own, number)["seats"][0]
    final, _ = round_file.play(round_file.RoundFile.model_validate(file), others.sheet)
    return final.settlements[0].net


def tight(seats: int, strategy: str = "best") -> Plan:
    """A sheet whose cap on the round bites all the time."""
    sheet: Sheet = bundled(CMS)
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
    "short of money": lambda: sat_down(plan_of(OMS, 4_00), 40_00, 12),
    "stops": lambda: sat_down(plan_of(CMS, 10_00), 200_00, 10, stop_loss=80_00, goal=60_00),
    "mistakes": lambda: sat_down(plan_of(OMS, 4_00, "best:0.3"), 40_00, 12),
    "hi-lo with mistakes": lambda: sat_down(plan_of(MHL, 10_00, "best:0.3"), 40_00, 10),
    "a cap that seats share": lambda: sat_down(tight(5), 120_00, 10),
}


@pytest.mark.long
@pytest.mark.parametrize("name", ENGINE)
def test_the_engine_plays_the_same_sessions(name: str) -> None:
    given, many = ENGINE[name](), 24
    lasted, left = zip(*(by_the_engine(given, number) for number in range(many)), strict=True)
    found = played(given, many)
    assert found.played == Fraction(sum(lasted), many)
    amounts = [
        amount
        for amount, times in zip(found.final.amounts, found.final.weights, strict=True)
        for _ in range(times)
    ]
    assert amounts == sorted(left)


def test_a_shared_cap_bites_there() -> None:
    """Else the test above would not see what other seats do to a seat's wins."""
    given = sat_down(tight(5), 120_00, 10)
    assert any(
        seat_net(given.plan, given.plan, number) < seat_net_alone(given.plan, number)
        for number in range(300)
    )


def seat_net_alone(plan: Plan, number: int) -> int:
    file = round_document(plan, number)
    file["seats"] = file["seats"][:1]
    final, _ = round_file.play(round_file.RoundFile.model_validate(file), plan.sheet)
    return final.settlements[0].net


@pytest.mark.long
def test_seats_that_share_no_cap_do_not_matter() -> None:
    given = sat_down(plan_of(LAS, 10_00, seats=3), 300_00, 20)
    found = answer(given)
    assert found.method == "exact"
    assert found.ends == answer(sat_down(plan_of(LAS, 10_00), 300_00, 20)).ends


@pytest.mark.long
def test_one_seed_gives_one_answer_for_any_workers_and_pieces(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    given = sat_down(plan_of(MHL, 10_00, "best:0.05"), 60_00, 25)
    first = document(played(given, 400, workers=1))
    for workers, piece in ((2, 2**20), (5, 1_000), (3, 100)):
        monkeypatch.setattr(sessions_played, "PIECE", piece)
        assert document(played(given, 400, workers=workers)) == first
    other = replace(given, plan=replace(given.plan, seed=SEED + 1))
    assert document(played(other, 400))["net"] != first["net"]


def test_what_is_done_is_told() -> None:
    told: list[tuple[int, int]] = []
    given = sat_down(plan_of(MHL, 10_00), 60_00, 5)
    played(given, 500, told=lambda *one: told.append(one))
    assert told == [(2_500, 2_500)]
    answer(given, told=lambda *one: told.append(one))
    assert told[-1] == (5, 5)


@pytest.mark.long
def test_mistakes_are_played_and_cost_money() -> None:
    right, wrong = (
        answer(sat_down(plan_of(MHL, 10_00, name), 80_00, 20), simulate=5_000)
        for name in ("best", "best:0.5")
    )
    assert right.mean > wrong.mean
    assert right.why is wrong.why is None  # It was asked for.


@pytest.mark.long
def test_where_theory_ends_sessions_are_played_and_it_says_why() -> None:
    found = answer(sat_down(plan_of(MHL, 10_00, "best:0.5"), 80_00, 2))
    assert (found.method, found.sessions) == ("simulated", 100_000)
    assert "mistakes" in str(found.why)


@pytest.mark.parametrize(
    ("many", "workers", "reason"),
    [(0, 1, "sessions to play are 1 to"), (10**9, 1, "not 1,000,000,000"), (5, 0, "workers are")],
)
def test_refuses_what_nobody_can_play(many: int, workers: int, reason: str) -> None:
    with pytest.raises(SimulationError, match=reason):
        played(sat_down(plan_of(OMS, 4_00), 60_00, 5), many, workers=workers)
