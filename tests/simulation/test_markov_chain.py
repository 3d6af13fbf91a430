"""Computed sessions compared with every path by hand, and floating point with integers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import pairwise
from typing import Any

import pytest
from tests.sheets.samples import CMS, LAS, MHL, OMS, STAX
from tests.simulation.plans import bundled_sheet, unusual_sheet

from pitbook.money import Cents
from pitbook.sheets.model import Sheet
from pitbook.simulation.plan import SimulationError, plan
from pitbook.simulation.sessions.answer import find_outlook
from pitbook.simulation.sessions.markov_chain import (
    TAIL_PROBABILITY,
    compute_outlook,
    descents,
    error_bound,
    lattice,
    work,
)
from pitbook.simulation.sessions.session import (
    GOAL,
    QUANTILES,
    RUIN,
    STOP_LOSS,
    TIME,
    Number,
    Outlook,
    Session,
    session,
)

Path = tuple[str, int, int, Fraction]


@cache
def player_session(
    sheet: str, bankroll: int, rounds: int, ante: int, *, strategy: str = "best", **stops: Any
) -> Session:
    rules: Sheet = (
        unusual_sheet(sheet)
        if sheet.startswith(("bets", "three", "four"))
        else bundled_sheet(sheet)
    )
    side = {"stax": Cents(100)} if sheet == STAX else {}
    return session(
        plan(rules, ante=Cents(ante), side=side, strategy=strategy),
        bankroll=Cents(bankroll),
        hours=Fraction(rounds),
        hands_per_hour=1,
        **stops,
    )


def exact_outlook(tested: Session) -> Outlook:
    return compute_outlook(tested, lattice(tested, exact=True))


def float_outlook(tested: Session) -> Outlook:
    return compute_outlook(tested, lattice(tested, exact=False))


def paths(tested: Session, bankroll: int, done: int, chance: Fraction) -> Iterator[Path]:
    """Every path of the rest of a session: how and when it ends, and the final bankroll."""
    if done:
        reached = tested.goal is not None and bankroll - tested.bankroll >= tested.goal
        if bankroll < tested.stake_min:
            yield RUIN, done, bankroll, chance
            return
        if tested.stop_loss is not None and tested.bankroll - bankroll >= tested.stop_loss:
            yield STOP_LOSS, done, bankroll, chance
            return
        if reached:
            yield GOAL, done, bankroll, chance
            return
    if done == tested.rounds:
        yield TIME, done, bankroll, chance
        return
    covered = [n for n, level in enumerate(tested.reachable_levels) if level.least <= bankroll]
    for net, probability in tested.nets[covered[-1]].items():
        yield from paths(tested, bankroll + net, done + 1, chance * probability)


TINY = [
    player_session(CMS, 40_00, 3, 10_00),
    player_session(CMS, 90_00, 3, 10_00, goal=50_00),
    player_session(CMS, 120_00, 2, 10_00, stop_loss=30_00, goal=10_00),
    player_session(OMS, 40_00, 3, 4_00),
    player_session(MHL, 25_00, 5, 10_00),
    player_session(MHL, 60_00, 5, 10_00, stop_loss=20_00, goal=25_00),
    player_session(STAX, 60_00, 2, 10_00),
    player_session("bets-withdrawn", 30_00, 3, 5_00, stop_loss=25_00),
    player_session(CMS, 55_00, 2, 10_00, strategy="always-1x"),
]


@pytest.mark.slow_cases("oceanfront/mississippi-stud 4000")
@pytest.mark.long
@pytest.mark.parametrize(
    "tested", TINY, ids=lambda session: f"{session.plan.sheet.id} {session.bankroll}"
)
def test_tiny_sessions_by_hand(tested: Session) -> None:
    ends: Counter[str] = Counter()
    rounds_by_end: Counter[str] = Counter()
    final_bankrolls: Counter[int] = Counter()
    for reason, done, bankroll, chance in paths(tested, tested.bankroll, 0, Fraction(1)):
        ends[reason] += chance  # type: ignore[assignment]
        rounds_by_end[reason] += chance * done  # type: ignore[assignment]
        final_bankrolls[bankroll] += chance  # type: ignore[assignment]
    outlook = exact_outlook(tested)
    assert outlook.method == "exact"
    assert {reason: end.chance for reason, end in outlook.ends.items()} == {
        ending: ends[ending] for ending in (RUIN, STOP_LOSS, GOAL, TIME)
    }
    assert sum(end.chance for end in outlook.ends.values()) == 1
    for reason in ends:
        assert outlook.ends[reason].rounds == rounds_by_end[reason] / ends[reason]
    nets = {bankroll - tested.bankroll: chance for bankroll, chance in final_bankrolls.items()}
    assert outlook.rounds_mean == sum(rounds_by_end.values())
    assert outlook.mean == sum(net * chance for net, chance in nets.items())
    assert outlook.square == sum(net * net * chance for net, chance in nets.items())
    _same_spread(outlook, final_bankrolls)


def _same_spread(outlook: Outlook, final_bankrolls: Counter[int]) -> None:
    sums = Fraction(0)
    for amount in sorted(final_bankrolls):
        sums += final_bankrolls[amount]
        if amount <= int(outlook.final.amounts[-1]):
            assert outlook.final.share_up_to(amount) == sums
        for share, quantile in zip(QUANTILES, outlook.marks[-1].quantiles, strict=True):
            assert (quantile <= amount) == (sums >= share)


LONGER = [
    player_session(CMS, 100_00, 12, 10_00),
    player_session(CMS, 200_00, 20, 10_00, goal=300_00),
    player_session(CMS, 200_00, 20, 10_00, stop_loss=150_00, goal=100_00),
    player_session(MHL, 100_00, 40, 10_00),
    player_session(STAX, 100_00, 4, 10_00),
]


@pytest.mark.parametrize(
    "tested", LONGER, ids=lambda session: f"{session.plan.sheet.id} {session.bankroll}"
)
def test_floating_point_keeps_its_bound(tested: Session) -> None:
    exact, quick = exact_outlook(tested), float_outlook(tested)
    bound = quick.error
    assert bound is not None
    assert TAIL_PROBABILITY < bound < 1e-11
    for reason, end in exact.ends.items():
        assert distance(quick.ends[reason].chance, end.chance) <= bound
        if end.rounds is not None:
            assert quick.ends[reason].rounds == pytest.approx(float(end.rounds), rel=1e-11)
    assert distance(sum(end.chance for end in quick.ends.values()), 1) <= bound
    assert quick.mean == pytest.approx(float(exact.mean), abs=1e-6)
    assert quick.deviation == pytest.approx(exact.deviation, rel=1e-10)
    for mark, other in zip(exact.marks, quick.marks, strict=True):
        assert mark.quantiles == other.quantiles
        assert distance(mark.playing, other.playing) <= bound
    for amount in exact.final.amounts.tolist():
        assert distance(quick.final.share_up_to(amount), exact.final.share_up_to(amount)) <= bound


def distance(left: Number, right: Number) -> Fraction:
    """The distance of two probabilities without rounding."""
    return abs(Fraction(left) - Fraction(right))


def test_a_rich_player_is_never_stopped_and_loses_the_edge_on_every_round() -> None:
    tested = player_session(CMS, 1_000_000_00, 200, 10_00)
    outlook = float_outlook(tested)
    assert outlook.ends[TIME].chance == pytest.approx(1, abs=1e-12)
    mean = Fraction(-13924, 270725) * 1000  # A round at $10 with payout limits, in cents.
    assert outlook.mean == pytest.approx(float(200 * mean), rel=1e-10)
    variance = (
        sum(net * net * probability for net, probability in tested.nets[-1].items()) - mean**2
    )
    assert outlook.deviation**2 == pytest.approx(float(200 * variance), rel=1e-10)


def test_mean_loss_is_the_edge_per_round_played_in_full() -> None:
    """Wald: the mean loss is the edge times the mean number of rounds played in full."""
    tested = player_session(CMS, 300_00, 80, 10_00, stop_loss=200_00, goal=250_00)
    outlook = float_outlook(tested)
    assert len(tested.reachable_levels) == 1
    edge = float(Fraction(-13924, 270725) * 1000)
    assert outlook.mean == pytest.approx(edge * float(outlook.rounds_mean), rel=1e-10)


@pytest.mark.long
@pytest.mark.parametrize(("sheet", "ante"), [(CMS, 10_00), (OMS, 4_00), (MHL, 10_00)])
@pytest.mark.parametrize(
    ("rounds", "step"), [(4, 1), (60, 2), pytest.param(60, 1, marks=pytest.mark.slow)]
)
def test_a_larger_bankroll_never_has_a_higher_risk_of_ruin(
    sheet: str, ante: int, rounds: int, step: int
) -> None:
    risks = [
        float_outlook(player_session(sheet, bankroll, rounds, ante)).ends[RUIN].chance
        for bankroll in (*range(4 * ante, 13 * ante, step * ante), 20 * ante, 40 * ante)
    ]
    assert all(after <= before + 1e-11 for before, after in pairwise(risks))
    assert risks[0] > risks[-1]


def test_a_longer_session_has_no_smaller_risk_and_a_nearer_goal_no_smaller_chance() -> None:
    risks = [
        float_outlook(player_session(CMS, 200_00, rounds, 10_00)).ends[RUIN].chance
        for rounds in (5, 20, 80)
    ]
    assert risks == sorted(risks)
    goals = [
        float_outlook(player_session(CMS, 200_00, 40, 10_00, goal=goal)).ends[GOAL].chance
        for goal in (400_00, 200_00, 50_00)
    ]
    assert goals == sorted(goals)


@pytest.mark.parametrize("net", [-30_00, -10_00, 40_00])
def test_stops_apply_at_and_above_their_value(net: int) -> None:
    """One round: a player who nets exactly the stop leaves; one cent less and he stays."""
    probabilities = player_session(CMS, 200_00, 1, 10_00).nets[-1]
    name, end = ("stop_loss", STOP_LOSS) if net < 0 else ("goal", GOAL)
    chances = []
    for cent in (-1, 0, 1):
        tested = player_session(CMS, 200_00, 1, 10_00, **{name: abs(net) + cent})
        chances.append(exact_outlook(tested).ends[end].chance)
    further = sum(
        probability for other_net, probability in probabilities.items() if other_net / net >= 1
    )
    assert chances == [further, further, further - probabilities[net]]


def test_ruin_prevails_over_a_stop_loss_in_the_same_round() -> None:
    outlook = exact_outlook(player_session(CMS, 60_00, 2, 10_00, stop_loss=20_00))
    assert outlook.ends[RUIN].chance > 0
    assert outlook.ends[STOP_LOSS].chance > 0


def test_safe_players_come_down_less_often_than_the_bound() -> None:
    """Hi-lo rounds: the chance to lose this many places, from the chain itself."""
    tested = player_session(MHL, 5_000_00, 30, 10_00)
    top_range = lattice(tested, exact=False).ranges[-1]
    certain, probable = (
        descents(top_range, 600, certain=is_certain) for is_certain in (True, False)
    )
    assert probable[0] == certain[0] == 0
    assert probable[10] == certain[10]
    assert probable[600] < certain[600] / 2
    assert probable == sorted(probable)
    deep_session = player_session(MHL, (probable[200] + 1) * 10_00, 200, 10_00)
    assert float_outlook(deep_session).ends[RUIN].chance <= TAIL_PROBABILITY


@pytest.mark.long
def test_a_thousand_rounds_take_little_work_and_tell_all_quantiles() -> None:
    tested = player_session(CMS, 500_00, 1_000, 10_00)
    assert work(tested, lattice(tested, exact=False), certain=False) < 10**9
    outlook = find_outlook(tested)
    assert outlook.method == "computed"
    assert error_bound(tested, lattice(tested, exact=False)) < 1e-10
    assert all(len(mark.quantiles) == len(QUANTILES) for mark in outlook.marks)


@pytest.mark.long
def test_short_sessions_are_exact_and_endless_ones_are_played(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert find_outlook(player_session(CMS, 200_00, 10, 10_00)).method == "exact"
    assert find_outlook(player_session(CMS, 200_00, 100, 10_00)).method == "computed"
    monkeypatch.setattr("pitbook.simulation.sessions.answer.EXACT_MAX", 10)
    assert find_outlook(player_session(CMS, 200_00, 10, 10_00)).method == "computed"
    monkeypatch.setattr("pitbook.simulation.sessions.answer.WORK_MAX", 10)
    monkeypatch.setattr("pitbook.simulation.sessions.answer.SESSIONS", 100)
    outlook = find_outlook(player_session(CMS, 200_00, 10, 10_00))
    assert (outlook.method, outlook.sessions) == ("simulated", 100)
    assert "too long to compute" in str(outlook.simulated_reason)


REFUSED = [
    ({"bankroll": 39_00}, "A bankroll of $39 is too small. One hand to the showdown takes $40."),
    (
        {"hours": Fraction(0)},
        "A session has 1 to 100,000 rounds. 0 hours at 40 hands per hour make 0.",
    ),
    ({"hours": Fraction(1, 41)}, "hours at 40 hands per hour make 0"),
    ({"hours": Fraction(2_501)}, "make 100,040"),
    ({"hands_per_hour": 0}, "Hands per hour must be 1 to 10,000, not 0"),
    ({"stop_loss": 0}, "The stop-loss must be above $0 and at most the bankroll of $500"),
    ({"stop_loss": 500_01}, "not $500.01"),
    ({"goal": 0}, "The goal must be above zero."),
]


@pytest.mark.parametrize(("change", "reason"), REFUSED, ids=lambda parameter: str(parameter)[:40])
def test_impossible_sessions_are_refused(change: dict[str, Any], reason: str) -> None:
    good: dict[str, Any] = {"bankroll": 500_00, "hours": Fraction(4)}
    ten = plan(bundled_sheet(CMS), ante=Cents(10_00))
    assert session(ten, **good).rounds == 160
    with pytest.raises(SimulationError, match=re.escape(reason)):
        session(ten, **(good | change))


def test_all_of_the_bankroll_may_be_the_stop_loss() -> None:
    outlook = exact_outlook(player_session(CMS, 40_00, 2, 10_00, stop_loss=40_00))
    assert outlook.ends[STOP_LOSS].chance == 0
    assert outlook.ends[RUIN].chance > 0


def test_louisiana_s_sides_are_on_a_finer_lattice() -> None:
    tested = player_session(STAX, 100_00, 4, 10_00)
    assert lattice(tested, exact=False).unit == 100
    assert lattice(player_session(LAS, 100_00, 5, 10_00), exact=False).unit == 1000


def test_work_depends_on_the_stop_loss_and_not_on_the_bankroll() -> None:
    tested = player_session(CMS, 10**14, 20, 10_00, stop_loss=100_00)
    poor = player_session(CMS, 1_000_00, 20, 10_00, stop_loss=100_00)
    assert float_outlook(tested).ends == float_outlook(poor).ends


def test_long_sessions_are_sampled() -> None:
    tested = player_session(CMS, 200_00, 1_000, 10_00)  # One round per hour.
    assert len(tested.hourly) < 130
    assert tested.hourly[:2] == (0, 9)
    assert tested.marks[-1] == 1_000
