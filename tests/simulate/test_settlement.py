"""Rounds dealt by number come to the engine's settlement to the cent, line by line."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.generated_sheets import hi_lo_sheets, street_stud_sheets
from tests.lanes import examples
from tests.sheets.samples import IDS
from tests.simulate.plans import ODD, alone, laid, mismatch, odd, readied, six

from pitbook.rules.game import Seat
from pitbook.rules.limits import apply_limits
from pitbook.sheets.model import Sheet
from pitbook.simulate.dealing import deal
from pitbook.simulate.job import Job
from pitbook.simulate.plan import Plan, plan
from pitbook.simulate.prepare import ReadyPlan, ready
from pitbook.simulate.replay import plays_of, round_document
from pitbook.simulate.run import nets

THROUGH_THE_ENGINE = examples(150, 600)  # Rounds a sheet, every step of them.
# Rounds a sheet, their settlement alone: the engine's own functions, unhurried.
SETTLED = examples(1_000, 6_000)


@pytest.mark.long
@pytest.mark.random
@pytest.mark.parametrize("sheet", IDS)
def test_six_seats_with_side_wagers_and_caps(sheet: str) -> None:
    assert mismatch(laid(six(sheet)), 0, THROUGH_THE_ENGINE) == ""


@pytest.mark.random
@pytest.mark.parametrize("sheet", IDS)
def test_one_seat(sheet: str) -> None:
    assert mismatch(laid(alone(sheet)), 10**9 + 1, 10**9 + 1 + THROUGH_THE_ENGINE) == ""


@pytest.mark.random
@pytest.mark.parametrize("name", ODD)
def test_odd_games_and_ways_to_play(name: str) -> None:
    assert mismatch(readied(name), 0, THROUGH_THE_ENGINE // 3) == ""


@pytest.mark.slow_cases("louisiana-stud/standard", "oceanfront/mississippi-stud")
@pytest.mark.long
@pytest.mark.random
@pytest.mark.parametrize("sheet", IDS)
def test_many_rounds_come_to_what_the_engine_settles(sheet: str) -> None:
    made = laid(six(sheet))
    assert settled_otherwise(made, 10**6, 10**6 + SETTLED) == []


@pytest.mark.slow
@pytest.mark.parametrize("sheet", IDS)
def test_a_hundred_thousand_rounds_a_sheet(sheet: str) -> None:
    for start in range(0, 100_000, 5_000):
        assert mismatch(laid(six(sheet)), start, start + 5_000) == ""


@pytest.mark.slow
@pytest.mark.parametrize("sheet", IDS)
def test_a_hundred_thousand_rounds_of_one_seat(sheet: str) -> None:
    for start in range(0, 100_000, 5_000):
        assert mismatch(laid(alone(sheet)), start, start + 5_000) == ""


def settled_otherwise(made: ReadyPlan, start: int, stop: int) -> list[int]:
    """Rounds whose net is not what the engine's settlement and limits give."""
    found = nets(made, start, stop).tolist()
    return [
        number
        for number, net in enumerate(found, start=start)
        if net != settled_net(made.plan, number)
    ]


def settled_net(plan: Plan, number: int) -> int:
    """What all seats net: cards dealt by number, hands settled by the game, then every cap."""
    game, dealt = plan.game, deal(plan.game, plan.seed, number, plan.seats)
    hands = []
    for place, plays in enumerate(plays_of(plan, number, dealt)):
        seat = Seat(place + 1, "", ((game.main[0], plan.ante),), plan.side)
        seat = seat._replace(cards=dealt.hands[place])
        for play in plays:
            seat = seat.made(play)
        hands.append(game.settle(seat, dealt.board))
    after, _ = apply_limits(plan.sheet, hands)
    return sum(hand.net for hand in after)


@pytest.mark.parametrize("name", ["three hole cards, alone", "bets taken back, alone"])
def test_a_seat_at_a_table_is_the_automaton_s(name: str) -> None:
    """The two kernels of one seat deal and count alike; only the automaton names no card."""
    quick, slow = readied(name), ready(odd(name), without=("alone",))
    assert isinstance(quick.job, Job)
    assert isinstance(slow.job, Job)
    assert type(quick.job.tables) is not type(slow.job.tables)
    assert money_of(quick, 0, 20_000) == money_of(slow, 0, 20_000)


@pytest.mark.parametrize("sheet", IDS)
def test_so_it_is_for_every_bundled_sheet(sheet: str) -> None:
    quick, slow = laid(alone(sheet)), ready(alone(sheet), without=("alone",))
    assert money_of(quick, 77, 50_000) == money_of(slow, 77, 50_000)


def money_of(made: ReadyPlan, start: int, stop: int) -> dict[object, int]:
    """How often each settlement came, whatever number its cell has."""
    counts = made.job.play(start, stop).counts[0]
    every = made.cells.every
    return {every[cell].lines: int(times) for cell, times in enumerate(counts) if times}


def test_a_round_file_is_settled_like_any_other() -> None:
    import pitbook

    document = round_document(six(IDS[0]), 12)
    assert pitbook.settle(document)["result"] == "settled"
    assert len(document["seats"]) == 6


@pytest.mark.long
@settings(max_examples=examples(10, 60))
@given(street_stud_sheets(), st.data())
def test_whatever_street_stud_a_house_writes(sheet: Sheet, data: st.DataObject) -> None:
    _plays_as_the_engine(sheet, data)


@pytest.mark.long
@settings(max_examples=examples(8, 40))
@given(hi_lo_sheets(), st.data())
def test_whatever_hi_lo_a_house_writes(sheet: Sheet, data: st.DataObject) -> None:
    assume(sheet.hand_cards < 5 and sheet.board_cards < 7)  # Larger ones take minutes to solve.
    _plays_as_the_engine(sheet, data)


def _plays_as_the_engine(sheet: Sheet, data: st.DataObject) -> None:
    """Odd streets, withdrawals, caps of all scopes that bite all the time, shares to the cent."""
    seats = data.draw(st.integers(1, sheet.seats.count))
    ante = data.draw(st.sampled_from([sheet.main_wager.min, sheet.main_wager.max]))
    side = {
        wager: rule.stake.max
        for wager, rule in sheet.side.items()
        if rule.stake.required or data.draw(st.booleans())
    }
    strategy = data.draw(st.sampled_from(["best", "best:0.25"]))
    seed = data.draw(st.integers(0, 2**64 - 1))
    made = ready(plan(sheet, ante=ante, side=side, seats=seats, strategy=strategy, seed=seed))
    start = data.draw(st.integers(0, 2**40))
    assert mismatch(made, start, start + 25) == ""
