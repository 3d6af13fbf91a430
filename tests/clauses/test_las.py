"""LAS: Louisiana Stud, with STAX optional and with STAX required."""

from __future__ import annotations

import pytest
from tests.clauses.example_hands import FIVE_CARDS, PAIRS, THREE_CARDS
from tests.clauses.one_line_rounds import (
    LAS,
    LAS_STAX,
    applied_caps,
    bet,
    board,
    cents,
    close_bets,
    deal_round,
    decide,
    do,
    expect_refusal,
    hand,
    line,
    minimum_seat,
    nets,
    play_round,
    refusal_text,
    results,
    seat,
    seat_at,
    settle_round,
    turn,
    wins,
)

from pitbook.money import Cents, money
from pitbook.rules.actions import BOARD, Close, Decide, Settle, VoidHand, Wager
from pitbook.rules.game import compile_game
from pitbook.rules.refusals import Code
from pitbook.rules.round import open_round
from pitbook.sheets.check import check
from pitbook.sheets.model import Sheet

both_sheets = pytest.mark.parametrize("sheet", [LAS, LAS_STAX], ids=lambda sheet: str(sheet.id))
MAIN = {
    "royal-flush": 500,
    "straight-flush": 100,
    "four-of-a-kind": 40,
    "full-house": 10,
    "flush": 6,
    "straight": 4,
    "three-of-a-kind": 3,
    "two-pair": 2,
}
THREE_UP = {"straight-flush": 40, "three-of-a-kind": 30, "straight": 6, "flush": 3, "pair": 1}
STAX = {
    "royal-flush": 500,
    "straight-flush": 200,
    "four-of-a-kind": 100,
    "full-house": 25,
    "flush": 15,
    "straight": 10,
    "three-of-a-kind": 7,
    "two-pair": 4,
}


@both_sheets
def test_las_1_two_cards_a_player_then_three_community_cards_all_face_down(sheet: Sheet) -> None:
    round = close_bets(sheet, minimum_seat(sheet, 2), minimum_seat(sheet, 5))
    assert round.to_deal == (2, 2, 5, 5, BOARD, BOARD, BOARD)
    assert (sheet.deck.decks, sheet.deck.shuffle, sheet.deck.fresh.value) == (
        1,
        "automatic",
        "each-round",
    )
    round = deal_round(sheet, minimum_seat(sheet, 1), minimum_seat(sheet, 2))
    assert (round.board, seat_at(round, 1).cards) == ((), ())


@both_sheets
@pytest.mark.parametrize(("number", "exists"), [(0, False), (1, True), (6, True), (7, False)])
def test_las_1_six_seats_and_one_hand_a_player(sheet: Sheet, number: int, exists: bool) -> None:
    action = Wager(number, "ann", "ante", cents(5))
    if not exists:
        assert expect_refusal(open_round(sheet), action).code is Code.UNKNOWN_SEAT
        return
    round = do(open_round(sheet), action)
    assert expect_refusal(round, Wager(3, "ann", "ante", cents(5))).code is Code.TOO_MANY_SPOTS


@both_sheets
def test_las_1_information_voids_and_forfeits(sheet: Sheet) -> None:
    round = deal_round(sheet, seat(1, ante=5, stax=1), seat(2, "Jc Jd", ante=5, stax=1))
    round = settle_round(do(round, VoidHand(1, "information"), VoidHand(2, "information")))
    assert {(wager_line.result, wager_line.clause) for wager_line in hand(round, 1).lines} == {
        ("forfeit", "LAS-1")
    }
    assert nets(round) == {1: "-6.00", 2: "-6.00"}


@both_sheets
@pytest.mark.parametrize(
    ("wager", "amount", "code"),
    [
        ("ante", "4", Code.BELOW_MINIMUM),
        ("ante", "5", None),
        ("ante", "5.50", Code.NOT_A_STEP),
        ("ante", "6", None),
        ("ante", "499", None),
        ("ante", "500", None),
        ("ante", "501", Code.ABOVE_MAXIMUM),
        ("three-up", "0.99", Code.BELOW_MINIMUM),
        ("three-up", "1", None),
        ("three-up", "1.01", Code.NOT_A_STEP),
        ("three-up", "100", None),
        ("three-up", "101", Code.ABOVE_MAXIMUM),
        ("stax", "0.99", Code.BELOW_MINIMUM),
        ("stax", "1", None),
        ("stax", "1.01", Code.NOT_A_STEP),
        ("stax", "100", None),
        ("stax", "101", Code.ABOVE_MAXIMUM),
    ],
)
def test_las_10_ante_of_5_to_500_and_side_wagers_of_1_to_100(
    sheet: Sheet, wager: str, amount: str, code: Code | None
) -> None:
    round = open_round(sheet) if wager == "ante" else bet(open_round(sheet), seat(1, ante=5))
    action = Wager(1, "p1", wager, cents(amount))
    if code is None:
        assert dict(seat_at(do(round, action), 1).stakes)[wager] == cents(amount)
    else:
        assert expect_refusal(round, action).code is code


def test_las_2_stax_is_optional_or_required_as_the_house_configures() -> None:
    for sheet in (LAS, LAS_STAX):
        assert (
            expect_refusal(open_round(sheet), Wager(1, "a", "stax", cents(1))).code
            is Code.NO_MAIN_WAGER
        )
    assert do(bet(open_round(LAS), seat(1, ante=5)), Close()).phase == "deal"
    without = bet(open_round(LAS_STAX), seat(1, ante=5, stax=1), seat(2, ante=5, three_up=1))
    refusal = expect_refusal(without, Close())
    assert (refusal.code, refusal.clause) == (Code.WAGER_MISSING, "LAS-2")
    assert str(refusal) == ("Seat 2 needs a bet on 5 Card Poker STAX to be dealt in (LAS-2)")
    assert do(without, Wager(2, "p2", "stax", cents(1)), Close()).phase == "deal"


@both_sheets
@pytest.mark.parametrize("street", [0, 1, 2])
@pytest.mark.parametrize(
    ("play", "units"), [("0x", None), ("1x", 1), ("2x", 2), ("3x", 3), ("4x", None)]
)
def test_las_3_each_raise_is_one_to_three_times_the_ante(
    sheet: Sheet, street: int, play: str, units: int | None
) -> None:
    round = deal_round(sheet, seat(1, ante=10, stax=1))
    for turned in ("2h", "4s")[:street]:
        assert expect_refusal(round, turn(BOARD, turned)).code is Code.NOT_NOW
        round = board(do(round, Decide(1, "1x")), turned)
    if units is None:
        assert expect_refusal(round, Decide(1, play)).clause == "LAS-3"
    else:
        raised = seat_at(do(round, Decide(1, play)), 1).main[-1]
        assert raised == (("1st-raise", "2nd-raise", "3rd-raise")[street], cents(10 * units))


@both_sheets
@pytest.mark.parametrize(
    ("plays", "lost"), [("fold", "10.00"), ("2x fold", "30.00"), ("2x 3x fold", "60.00")]
)
def test_las_4_a_fold_forfeits_the_ante_and_the_raises(sheet: Sheet, plays: str, lost: str) -> None:
    round = play_round(sheet, "2h 4s Tc", seat(1, "Jc Jd", plays, ante=10, stax=1))
    folded = [wager_line for wager_line in hand(round, 1).lines if wager_line.wager != "stax"]
    assert {
        (wager_line.outcome, wager_line.result, wager_line.clause) for wager_line in folded
    } == {("fold", "lose", "LAS-4")}
    assert money(sum(wager_line.stake for wager_line in folded)) == lost


@both_sheets
@pytest.mark.parametrize("fold_at", [0, 1, 2])
def test_las_5_after_a_fold_3_up_stays_and_the_cards_go_under_it(
    sheet: Sheet, fold_at: int
) -> None:
    round = deal_round(sheet, seat(1, "Jc Jd", ante=10, three_up=5, stax=1))
    for turned in ("7s", "7d")[:fold_at]:
        round = board(do(round, Decide(1, "1x")), turned)
    round = do(round, Decide(1, "fold"))
    assert compile_game(sheet).tucked_under(seat_at(round, 1)) == "three-up"
    for turned in ("7s", "7d", "8c")[fold_at:]:
        round = board(round, turned)
    assert wins(settle_round(round), 1)["three-up"] == "5.00"


@both_sheets
@pytest.mark.parametrize("fold_at", [0, 1, 2])
def test_las_6_after_any_fold_stax_stays_and_without_3_up_holds_the_cards(
    sheet: Sheet, fold_at: int
) -> None:
    round = deal_round(sheet, seat(1, "Jc Jd", ante=10, stax=5))
    for turned in ("2h", "4s")[:fold_at]:
        round = board(do(round, Decide(1, "1x")), turned)
    round = do(round, Decide(1, "fold"))
    assert compile_game(sheet).tucked_under(seat_at(round, 1)) == "stax"
    for turned in ("2h", "4s", "Tc")[fold_at:]:
        round = board(round, turned)
    assert wins(settle_round(round), 1)["stax"] == "10.00"


def test_las_6_stax_needs_the_folded_cards_and_3_up_does_not() -> None:
    folded = seat(1, None, "fold", ante=5, three_up=1)
    assert nets(play_round(LAS, "7s 7d 8c", folded)) == {1: "-4.00"}
    assert refusal_text(LAS, "7s 7d 8c", seat(1, None, "fold", ante=5, stax=1)) == (
        "seat 1 has no cards, and a live wager looks at them"
    )
    assert compile_game(LAS).tucked_under(seat_at(deal_round(LAS, seat(1, ante=5)), 1)) is None


def test_las_7_3_up_is_settled_for_all_seats_before_any_hand_is_opened() -> None:
    seats = [seat(1, ante=5, three_up=1), seat(2, ante=5), seat(3, ante=5, three_up=1, stax=1)]
    round = do(deal_round(LAS, *seats), Decide(3, "fold"), *decide("1x", 1, 2))
    for turned in ("7s", "7d"):
        round = do(board(round, turned), *decide("1x", 1, 2))
    round = board(round, "8c")
    main = ("main", "stax")
    assert round.to_settle == (
        (3, ("three-up",)),
        (1, ("three-up",)),
        (3, main),
        (2, main),
        (1, main),
    )
    round = do(round, Settle(), Settle())  # No hand is open yet.
    assert all(played_seat.cards == () for played_seat in round.seats)
    refusal = expect_refusal(round, Settle())
    assert (refusal.code, refusal.clause) == (Code.CARDS_UNKNOWN, "LAS-9")
    round = do(round, turn(3, "2c"), turn(3, "3c"), Settle())
    round = do(round, turn(2, "Kc"), turn(2, "Kd"), Settle(), turn(1, "4c"), turn(1, "9d"))
    assert nets(settle_round(round)) == {1: "1.00", 2: "40.00", 3: "-5.00"}


@both_sheets
@pytest.mark.parametrize(("community", "kind"), THREE_CARDS)
def test_las_7_3_up_depends_on_the_community_cards_only(
    sheet: Sheet, community: str, kind: str
) -> None:
    held = "4c 4d" if "4" not in community else "6c 6d"
    round = play_round(sheet, community, seat(1, held, "fold", ante=5, three_up=10, stax=1))
    three_up = line(round, 1, "three-up")
    odds = THREE_UP.get(kind, 0)
    assert (three_up.outcome, three_up.clause) == (kind, "LAS-7")
    assert three_up.wins == 1000 * odds
    assert three_up.result == ("win" if odds else "lose")


@both_sheets
@pytest.mark.parametrize(("hole", "community", "kind"), FIVE_CARDS)
def test_las_10_main_and_stax_pay_by_the_posted_tables(
    sheet: Sheet, hole: str, community: str, kind: str
) -> None:
    round = play_round(sheet, community, seat(1, hole, "1x 2x 3x", ante=5, stax=10))
    main = [wager_line for wager_line in hand(round, 1).lines if wager_line.wager != "stax"]
    stax = line(round, 1, "stax")
    assert {(wager_line.outcome, wager_line.clause) for wager_line in main} == {(kind, "LAS-8")}
    assert (stax.outcome, stax.clause) == (kind, "LAS-9")
    net = 3500 * MAIN.get(kind, -1) + 1000 * STAX.get(kind, -1)
    assert nets(round) == {1: money(Cents(net))}


@both_sheets
@pytest.mark.parametrize(("rank", "hole", "community"), PAIRS)
def test_las_8_jacks_or_better_win_sixes_to_tens_push_lower_pairs_lose(
    sheet: Sheet, rank: str, hole: str, community: str
) -> None:
    main, stax = {
        **dict.fromkeys("2345", ("lose", "lose")),
        **dict.fromkeys(("6", "7", "8", "9", "10"), ("push", "lose")),
        **dict.fromkeys("JQKA", ("win", "win")),
    }[rank]
    round = play_round(sheet, community, seat(1, hole, "1x 1x 1x", ante=5, stax=10))
    assert results(round, 1) == {
        "ante": main,
        "1st-raise": main,
        "2nd-raise": main,
        "3rd-raise": main,
        "stax": stax,
    }
    assert wins(round, 1)["stax"] == ("20.00" if stax == "win" else "0.00")


def test_las_9_seat_by_seat_main_then_stax() -> None:
    round = play_round(LAS, "2h 4s Tc", seat(1, "Jc Jd", "1x 1x 1x", ante=5, three_up=1, stax=1))
    assert LAS.settlement.passes == (("three-up",), ("main", "stax"))
    assert LAS.settlement.direction == "right-to-left"
    assert nets(round) == {1: "21.00"}


@both_sheets
def test_las_11_there_is_no_cap(sheet: Sheet) -> None:
    assert sheet.limits == ()
    round = play_round(sheet, "Qs Js Ts", seat(1, "As Ks", "3x 3x 3x", ante=500, stax=100))
    assert nets(round) == {1: "2550000.00"}
    assert applied_caps(round) == []


def test_las_11_the_check_reports_the_largest_payout() -> None:
    findings = [finding for finding in check(LAS, thorough=True) if finding.clause == "LAS-11"]
    assert [finding.level for finding in findings] == ["notice"]
    assert "$" in findings[0].message
