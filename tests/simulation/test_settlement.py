"""Rounds dealt by number match the engine's settlement to the cent, line by line."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.lanes import examples
from tests.random_sheets.sheets import hi_lo_sheets, street_stud_sheets
from tests.sheets.samples import IDS
from tests.simulation.plans import (
    ODD,
    first_mismatch,
    odd_plan,
    prepare_cached,
    prepared_odd,
    single_seat_plan,
    six_seat_plan,
)

from pitbook.rules.game import Seat
from pitbook.rules.payout_caps import apply_payout_caps
from pitbook.sheets.model import Sheet
from pitbook.simulation.dealing import deal
from pitbook.simulation.job import Job
from pitbook.simulation.plan import Plan, plan
from pitbook.simulation.prepare import ReadyPlan, prepare_job
from pitbook.simulation.replay import plays_of, round_document
from pitbook.simulation.run import round_nets

THROUGH_THE_ENGINE = examples(150, 600)  # Rounds per sheet, every step of them.
# Rounds per sheet, settlement only, with the engine's own functions.
SETTLED = examples(1_000, 6_000)


@pytest.mark.long
@pytest.mark.random
@pytest.mark.parametrize("sheet", IDS)
def test_six_seats_with_side_wagers_and_caps(sheet: str) -> None:
    assert first_mismatch(prepare_cached(six_seat_plan(sheet)), 0, THROUGH_THE_ENGINE) == ""


@pytest.mark.random
@pytest.mark.parametrize("sheet", IDS)
def test_one_seat(sheet: str) -> None:
    assert (
        first_mismatch(
            prepare_cached(single_seat_plan(sheet)), 10**9 + 1, 10**9 + 1 + THROUGH_THE_ENGINE
        )
        == ""
    )


@pytest.mark.random
@pytest.mark.parametrize("name", ODD)
def test_odd_games_and_ways_to_play(name: str) -> None:
    assert first_mismatch(prepared_odd(name), 0, THROUGH_THE_ENGINE // 3) == ""


@pytest.mark.slow_cases("louisiana-stud/standard", "oceanfront/mississippi-stud")
@pytest.mark.long
@pytest.mark.random
@pytest.mark.parametrize("sheet", IDS)
def test_many_rounds_match_the_engine(sheet: str) -> None:
    ready_plan = prepare_cached(six_seat_plan(sheet))
    assert mismatched_rounds(ready_plan, 10**6, 10**6 + SETTLED) == []


@pytest.mark.slow
@pytest.mark.parametrize("sheet", IDS)
def test_a_hundred_thousand_rounds_a_sheet(sheet: str) -> None:
    for start in range(0, 100_000, 5_000):
        assert first_mismatch(prepare_cached(six_seat_plan(sheet)), start, start + 5_000) == ""


@pytest.mark.slow
@pytest.mark.parametrize("sheet", IDS)
def test_a_hundred_thousand_rounds_of_one_seat(sheet: str) -> None:
    for start in range(0, 100_000, 5_000):
        assert first_mismatch(prepare_cached(single_seat_plan(sheet)), start, start + 5_000) == ""


def mismatched_rounds(ready_plan: ReadyPlan, start: int, stop: int) -> list[int]:
    """Rounds whose net differs from the engine's settlement and limits."""
    all_nets = round_nets(ready_plan, start, stop).tolist()
    return [
        number
        for number, net in enumerate(all_nets, start=start)
        if net != settled_net(ready_plan.plan, number)
    ]


def settled_net(plan: Plan, number: int) -> int:
    """Net of all seats: cards dealt by number, hands settled by the game, then every cap."""
    game, dealt = plan.game, deal(plan.game, plan.seed, number, plan.seats)
    hands = []
    for place, plays in enumerate(plays_of(plan, number, dealt)):
        seat = Seat(place + 1, "", ((game.main[0], plan.ante),), plan.side)
        seat = seat._replace(cards=dealt.hands[place])
        for play in plays:
            seat = seat.after_play(play)
        hands.append(game.settle(seat, dealt.board))
    after, _ = apply_payout_caps(plan.sheet, hands)
    return sum(hand.net for hand in after)


@pytest.mark.parametrize("name", ["three hole cards, alone", "bets taken back, alone"])
def test_automaton_and_table_kernel_agree_for_one_seat(name: str) -> None:
    """The two one-seat kernels deal and count alike; only the automaton uses no actual cards."""
    automaton_plan, table_plan = prepared_odd(name), prepare_job(odd_plan(name), without=("alone",))
    assert isinstance(automaton_plan.job, Job)
    assert isinstance(table_plan.job, Job)
    assert type(automaton_plan.job.tables) is not type(table_plan.job.tables)
    assert settlement_counts(automaton_plan, 0, 20_000) == settlement_counts(table_plan, 0, 20_000)


@pytest.mark.parametrize("sheet", IDS)
def test_automaton_and_table_kernel_agree_for_bundled_sheets(sheet: str) -> None:
    automaton_plan, table_plan = (
        prepare_cached(single_seat_plan(sheet)),
        prepare_job(single_seat_plan(sheet), without=("alone",)),
    )
    assert settlement_counts(automaton_plan, 77, 50_000) == settlement_counts(
        table_plan, 77, 50_000
    )


def settlement_counts(ready_plan: ReadyPlan, start: int, stop: int) -> dict[object, int]:
    """How often each settlement occurred, regardless of cell numbers."""
    counts = ready_plan.job.play(start, stop).counts[0]
    cells = ready_plan.cells.cells
    return {cells[cell].lines: int(times) for cell, times in enumerate(counts) if times}


def test_a_round_file_is_settled_like_any_other() -> None:
    import pitbook

    document = round_document(six_seat_plan(IDS[0]), 12)
    assert pitbook.settle(document).document()["result"] == "settled"
    assert len(document["seats"]) == 6


@pytest.mark.long
@settings(max_examples=examples(10, 60))
@given(street_stud_sheets(), st.data())
def test_generated_street_stud_sheets_match_the_engine(sheet: Sheet, data: st.DataObject) -> None:
    _assert_matches_engine(sheet, data)


@pytest.mark.long
@settings(max_examples=examples(8, 40))
@given(hi_lo_sheets(), st.data())
def test_generated_hi_lo_sheets_match_the_engine(sheet: Sheet, data: st.DataObject) -> None:
    assume(sheet.hand_cards < 5 and sheet.board_cards < 7)  # Larger ones take minutes to solve.
    _assert_matches_engine(sheet, data)


def _assert_matches_engine(sheet: Sheet, data: st.DataObject) -> None:
    """Unusual streets, withdrawals, caps of all scopes that apply constantly, shares to the
    cent.
    """
    seats = data.draw(st.integers(1, sheet.seats.count))
    ante = data.draw(st.sampled_from([sheet.main_wager.min, sheet.main_wager.max]))
    side = {
        wager: rule.stake.max
        for wager, rule in sheet.side.items()
        if rule.stake.required or data.draw(st.booleans())
    }
    strategy = data.draw(st.sampled_from(["best", "best:0.25"]))
    seed = data.draw(st.integers(0, 2**64 - 1))
    ready_plan = prepare_job(
        plan(sheet, ante=ante, side=side, seats=seats, strategy=strategy, seed=seed)
    )
    start = data.draw(st.integers(0, 2**40))
    assert first_mismatch(ready_plan, start, start + 25) == ""
