"""Sessions worked out: against every path by hand, and floating point against whole numbers."""

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
from tests.simulate.plans import bundled, unusual

from pitbook.money import Cents
from pitbook.sheets.model import Sheet
from pitbook.simulate.plan import SimulationError, plan
from pitbook.simulate.sessions.answer import answer
from pitbook.simulate.sessions.chain import AWAY, chained, descents, error_bound, lattice, work
from pitbook.simulate.sessions.session import (
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
def asked(
    sheet: str, bankroll: int, rounds: int, ante: int, *, strategy: str = "best", **stops: Any
) -> Session:
    rules: Sheet = unusual(sheet) if sheet.startswith(("bets", "three", "four")) else bundled(sheet)
    side = {"stax": Cents(100)} if sheet == STAX else {}
    return session(
        plan(rules, ante=Cents(ante), side=side, strategy=strategy),
        bankroll=Cents(bankroll),
        hours=Fraction(rounds),
        hands_per_hour=1,
        **stops,
    )


def exactly(given: Session) -> Outlook:
    return chained(given, lattice(given, exact=True))


def quickly(given: Session) -> Outlook:
    return chained(given, lattice(given, exact=False))


def paths(given: Session, bankroll: int, done: int, chance: Fraction) -> Iterator[Path]:
    """Every way the rest of a session can go, one by one: how and when it ends, and with what."""
    if done:
        reached = given.goal is not None and bankroll - given.bankroll >= given.goal
        if bankroll < given.stake_min:
            yield RUIN, done, bankroll, chance
            return
        if given.stop_loss is not None and given.bankroll - bankroll >= given.stop_loss:
            yield STOP_LOSS, done, bankroll, chance
            return
        if reached:
            yield GOAL, done, bankroll, chance
            return
    if done == given.rounds:
        yield TIME, done, bankroll, chance
        return
    covered = [n for n, level in enumerate(given.played_at) if level.least <= bankroll]
    for net, likely in given.nets[covered[-1]].items():
        yield from paths(given, bankroll + net, done + 1, chance * likely)


TINY = [
    asked(CMS, 40_00, 3, 10_00),
    asked(CMS, 90_00, 3, 10_00, goal=50_00),
    asked(CMS, 120_00, 2, 10_00, stop_loss=30_00, goal=10_00),
    asked(OMS, 40_00, 3, 4_00),
    asked(MHL, 25_00, 5, 10_00),
    asked(MHL, 60_00, 5, 10_00, stop_loss=20_00, goal=25_00),
    asked(STAX, 60_00, 2, 10_00),
    asked("bets-withdrawn", 30_00, 3, 5_00, stop_loss=25_00),
    asked(CMS, 55_00, 2, 10_00, strategy="always-1x"),
]


@pytest.mark.slow_cases("oceanfront/mississippi-stud 4000")
@pytest.mark.long
@pytest.mark.parametrize("given", TINY, ids=lambda one: f"{one.plan.sheet.id} {one.bankroll}")
def test_tiny_sessions_by_hand(given: Session) -> None:
    ends: Counter[str] = Counter()
    late: Counter[str] = Counter()
    left: Counter[int] = Counter()
    for how, done, bankroll, chance in paths(given, given.bankroll, 0, Fraction(1)):
        ends[how] += chance  # type: ignore[assignment]
        late[how] += chance * done  # type: ignore[assignment]
        left[bankroll] += chance  # type: ignore[assignment]
    found = exactly(given)
    assert found.method == "exact"
    assert {how: end.chance for how, end in found.ends.items()} == {
        how: ends[how] for how in (RUIN, STOP_LOSS, GOAL, TIME)
    }
    assert sum(end.chance for end in found.ends.values()) == 1
    for how in ends:
        assert found.ends[how].rounds == late[how] / ends[how]
    nets = {bankroll - given.bankroll: chance for bankroll, chance in left.items()}
    assert found.played == sum(late.values())
    assert found.mean == sum(net * chance for net, chance in nets.items())
    assert found.square == sum(net * net * chance for net, chance in nets.items())
    _same_spread(found, left)


def _same_spread(found: Outlook, left: Counter[int]) -> None:
    sums = Fraction(0)
    for amount in sorted(left):
        sums += left[amount]
        if amount <= int(found.final.amounts[-1]):
            assert found.final.upto(amount) == sums
        for share, quantile in zip(QUANTILES, found.marks[-1].quantiles, strict=True):
            assert (quantile <= amount) == (sums >= share)


LONGER = [
    asked(CMS, 100_00, 12, 10_00),
    asked(CMS, 200_00, 20, 10_00, goal=300_00),
    asked(CMS, 200_00, 20, 10_00, stop_loss=150_00, goal=100_00),
    asked(MHL, 100_00, 40, 10_00),
    asked(STAX, 100_00, 4, 10_00),
]


@pytest.mark.parametrize("given", LONGER, ids=lambda one: f"{one.plan.sheet.id} {one.bankroll}")
def test_floating_point_keeps_its_bound(given: Session) -> None:
    exact, quick = exactly(given), quickly(given)
    bound = quick.error
    assert bound is not None
    assert AWAY < bound < 1e-11
    for how, end in exact.ends.items():
        assert apart(quick.ends[how].chance, end.chance) <= bound
        if end.rounds is not None:
            assert quick.ends[how].rounds == pytest.approx(float(end.rounds), rel=1e-11)
    assert apart(sum(end.chance for end in quick.ends.values()), 1) <= bound
    assert quick.mean == pytest.approx(float(exact.mean), abs=1e-6)
    assert quick.deviation == pytest.approx(exact.deviation, rel=1e-10)
    for mark, other in zip(exact.marks, quick.marks, strict=True):
        assert mark.quantiles == other.quantiles
        assert apart(mark.playing, other.playing) <= bound
    for amount in exact.final.amounts.tolist():
        assert apart(quick.final.upto(amount), exact.final.upto(amount)) <= bound


def apart(one: Number, other: Number) -> Fraction:
    """The distance of two chances, without any rounding."""
    return abs(Fraction(one) - Fraction(other))


def test_a_rich_player_is_never_stopped_and_loses_the_edge_on_every_round() -> None:
    given = asked(CMS, 1_000_000_00, 200, 10_00)
    found = quickly(given)
    assert found.ends[TIME].chance == pytest.approx(1, abs=1e-12)
    mean = Fraction(-13924, 270725) * 1000  # A round at $10, caps applied, in cents.
    assert found.mean == pytest.approx(float(200 * mean), rel=1e-10)
    variance = sum(net * net * likely for net, likely in given.nets[-1].items()) - mean**2
    assert found.deviation**2 == pytest.approx(float(200 * variance), rel=1e-10)


def test_nobody_can_come_home_with_more_than_the_house_takes_from_him() -> None:
    """Wald: what is lost on average is the edge on every round that is played in full."""
    given = asked(CMS, 300_00, 80, 10_00, stop_loss=200_00, goal=250_00)
    found = quickly(given)
    assert len(given.played_at) == 1
    edge = float(Fraction(-13924, 270725) * 1000)
    assert found.mean == pytest.approx(edge * float(found.played), rel=1e-10)


@pytest.mark.long
@pytest.mark.parametrize(("sheet", "ante"), [(CMS, 10_00), (OMS, 4_00), (MHL, 10_00)])
@pytest.mark.parametrize(
    ("rounds", "step"), [(4, 1), (60, 2), pytest.param(60, 1, marks=pytest.mark.slow)]
)
def test_a_larger_bankroll_never_has_a_higher_risk_of_ruin(
    sheet: str, ante: int, rounds: int, step: int
) -> None:
    risks = [
        quickly(asked(sheet, bankroll, rounds, ante)).ends[RUIN].chance
        for bankroll in (*range(4 * ante, 13 * ante, step * ante), 20 * ante, 40 * ante)
    ]
    assert all(after <= before + 1e-11 for before, after in pairwise(risks))
    assert risks[0] > risks[-1]


def test_a_longer_session_has_no_smaller_risk_and_a_nearer_goal_no_smaller_chance() -> None:
    risks = [quickly(asked(CMS, 200_00, many, 10_00)).ends[RUIN].chance for many in (5, 20, 80)]
    assert risks == sorted(risks)
    goals = [
        quickly(asked(CMS, 200_00, 40, 10_00, goal=goal)).ends[GOAL].chance
        for goal in (400_00, 200_00, 50_00)
    ]
    assert goals == sorted(goals)


@pytest.mark.parametrize("net", [-30_00, -10_00, 40_00])
def test_stops_are_looked_at_below_at_and_above(net: int) -> None:
    """One round: whoever nets exactly so much stops; for a cent more he does not."""
    likely = asked(CMS, 200_00, 1, 10_00).nets[-1]
    name, end = ("stop_loss", STOP_LOSS) if net < 0 else ("goal", GOAL)
    chances = []
    for cent in (-1, 0, 1):
        given = asked(CMS, 200_00, 1, 10_00, **{name: abs(net) + cent})
        chances.append(exactly(given).ends[end].chance)
    further = sum(one for other, one in likely.items() if other / net >= 1)
    assert chances == [further, further, further - likely[net]]


def test_ruin_prevails_over_a_stop_loss_in_the_same_round() -> None:
    found = exactly(asked(CMS, 60_00, 2, 10_00, stop_loss=20_00))
    assert found.ends[RUIN].chance > 0
    assert found.ends[STOP_LOSS].chance > 0


def test_who_is_counted_as_safe_comes_down_less_often_than_the_bound_says() -> None:
    """Rounds of hi-lo: the chance to lose so many places, by the chain itself."""
    given = asked(MHL, 5_000_00, 30, 10_00)
    rung = lattice(given, exact=False).rungs[-1]
    certain, likely = (descents(rung, 600, certain=one) for one in (True, False))
    assert likely[0] == certain[0] == 0
    assert likely[10] == certain[10]
    assert likely[600] < certain[600] / 2
    assert likely == sorted(likely)
    deep = asked(MHL, (likely[200] + 1) * 10_00, 200, 10_00)
    assert quickly(deep).ends[RUIN].chance <= AWAY


@pytest.mark.long
def test_a_thousand_rounds_take_little_work_and_tell_all_quantiles() -> None:
    given = asked(CMS, 500_00, 1_000, 10_00)
    assert work(given, lattice(given, exact=False), certain=False) < 10**9
    found = answer(given)
    assert found.method == "computed"
    assert error_bound(given, lattice(given, exact=False)) < 1e-10
    assert all(len(mark.quantiles) == len(QUANTILES) for mark in found.marks)


@pytest.mark.long
def test_short_sessions_are_exact_and_endless_ones_are_played(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert answer(asked(CMS, 200_00, 10, 10_00)).method == "exact"
    assert answer(asked(CMS, 200_00, 100, 10_00)).method == "computed"
    monkeypatch.setattr("pitbook.simulate.sessions.answer.EXACT_MAX", 10)
    assert answer(asked(CMS, 200_00, 10, 10_00)).method == "computed"
    monkeypatch.setattr("pitbook.simulate.sessions.answer.WORK_MAX", 10)
    monkeypatch.setattr("pitbook.simulate.sessions.answer.SESSIONS", 100)
    found = answer(asked(CMS, 200_00, 10, 10_00))
    assert (found.method, found.sessions) == ("simulated", 100)
    assert "too long to compute" in str(found.why)


REFUSED = [
    ({"bankroll": 39_00}, "a bankroll of $39 plays no round; at these stakes it takes $40"),
    ({"hours": Fraction(0)}, "a session is 1 to 100,000 rounds; 0 hours at 40 hands make 0"),
    ({"hours": Fraction(1, 41)}, "hours at 40 hands make 0"),
    ({"hours": Fraction(2_501)}, "make 100,040"),
    ({"hands_per_hour": 0}, "hands an hour are 1 to 10,000, not 0"),
    ({"stop_loss": 0}, "a stop-loss is more than nothing and at most the bankroll of $500"),
    ({"stop_loss": 500_01}, "not $500.01"),
    ({"goal": 0}, "a goal is a sum to win, more than nothing"),
]


@pytest.mark.parametrize(("change", "reason"), REFUSED, ids=lambda one: str(one)[:40])
def test_sessions_that_cannot_be_played(change: dict[str, Any], reason: str) -> None:
    good: dict[str, Any] = {"bankroll": 500_00, "hours": Fraction(4)}
    ten = plan(bundled(CMS), ante=Cents(10_00))
    assert session(ten, **good).rounds == 160
    with pytest.raises(SimulationError, match=re.escape(reason)):
        session(ten, **(good | change))


def test_all_of_the_bankroll_may_be_the_stop_loss() -> None:
    found = exactly(asked(CMS, 40_00, 2, 10_00, stop_loss=40_00))
    assert found.ends[STOP_LOSS].chance == 0
    assert found.ends[RUIN].chance > 0


def test_louisiana_s_sides_are_on_a_finer_lattice() -> None:
    given = asked(STAX, 100_00, 4, 10_00)
    assert lattice(given, exact=False).unit == 100
    assert lattice(asked(LAS, 100_00, 5, 10_00), exact=False).unit == 1000


def test_a_house_s_fortune_needs_no_more_room_than_what_can_be_lost() -> None:
    given = asked(CMS, 10**14, 20, 10_00, stop_loss=100_00)
    poor = asked(CMS, 1_000_00, 20, 10_00, stop_loss=100_00)
    assert quickly(given).ends == quickly(poor).ends


def test_long_sessions_are_looked_at_now_and_then() -> None:
    given = asked(CMS, 200_00, 1_000, 10_00)  # A round an hour.
    assert len(given.hourly) < 130
    assert given.hourly[:2] == (0, 9)
    assert given.marks[-1] == 1_000
