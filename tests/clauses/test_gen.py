"""GEN: situations that no document settles. Caps and void rounds are in other files.

GEN-16 is about best play and is tested with the mathematics.
"""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.clauses.one_line_rounds import (
    CMS,
    LAS,
    LAS_STAX,
    MHL,
    OMS,
    all_returned,
    bet,
    board,
    cents,
    deal_round,
    decide,
    do,
    expect_refusal,
    line,
    minimum_seat,
    nets,
    notes,
    play_round,
    refusal_text,
    results,
    seat,
    seat_at,
    settle_round,
    turn,
    wins,
)

from pitbook.cards import card
from pitbook.rules.actions import (
    BOARD,
    Absent,
    Close,
    Decide,
    Expose,
    Interrupted,
    Settle,
    Wager,
    Withdraw,
)
from pitbook.rules.refusals import Code
from pitbook.rules.result_json import report
from pitbook.rules.round import open_round
from pitbook.sheets.model import Sheet

STUD = [CMS, OMS, LAS, LAS_STAX]
ALL = [*STUD, MHL]


def sheet_name(sheet: Sheet) -> str:
    return sheet.id


@pytest.mark.parametrize(
    ("hole", "community", "outcome"),
    [
        ("Ac 2d", "3h 4s 5c", "straight"),
        ("Ac Kd", "Qh Js Tc", "straight"),
        ("Kc Ad", "2h 3s 4c", "nothing"),
        ("Qc Kd", "Ah 2s 3c", "nothing"),
        ("Jc Qd", "Kh As 2c", "nothing"),
        ("As 2s", "3s 4s 5s", "straight-flush"),
        ("As Ks", "2s 3s 4s", "flush"),
    ],
)
def test_gen_1_an_ace_is_only_at_the_ends_of_a_straight(
    hole: str, community: str, outcome: str
) -> None:
    round = play_round(CMS, community, seat(1, hole, "1x 1x 1x", ante=10))
    assert line(round, 1, "ante").outcome == outcome


@pytest.mark.parametrize(
    ("three", "outcome"), [("Ac 2d 3h", "straight"), ("Qc Kd Ah", "straight"), ("Kc Ad 2h", None)]
)
def test_gen_1_holds_for_three_cards_too(three: str, outcome: str | None) -> None:
    stud = play_round(CMS, three, seat(1, None, "fold", ante=5, three_card_bonus=1))
    assert line(stud, 1, "three-card-bonus").outcome == (outcome or "nothing")
    hi_lo = play_round(MHL, "Jc Jd Jh Js 9c", seat(1, three, "low", bet=5, poker_bonus=1))
    assert line(hi_lo, 1, "poker-bonus").outcome == (outcome or "nothing")


def test_gen_2_a_hand_of_several_lines_is_paid_the_highest_only() -> None:
    royal = play_round(OMS, "Qs Js Ts", seat(1, "As Ks", "1x 1x 1x", ante=2))
    assert [wager_line.outcome for wager_line in royal.settlements[0].lines] == ["royal-flush"] * 4
    # A suited pair with a third card of its suit is a pair (1), a flush (2), a suited pair (3).
    pair = play_round(MHL, "Jc Jd Jh Js 9c", seat(1, "9h 9h 2h", "high", bet=5, poker_bonus=10))
    assert wins(pair, 1)["poker-bonus"] == "30.00"
    # Three of the same card: three of a kind (10), a flush (2), suited three of a kind (100).
    trips = play_round(MHL, "Jc Jd Jh Js 9c", seat(1, "9h 9h 9h", "high", bet=5, poker_bonus=10))
    assert wins(trips, 1)["poker-bonus"] == "1000.00"


def test_gen_3_winnings_exclude_the_stake() -> None:
    round = play_round(CMS, "2h 4s Tc", seat(1, "Jc Jd", "1x 2x 3x", ante=10))
    assert wins(round, 1) == {"ante": "10.00", "flop": "10.00", "turn": "20.00", "river": "30.00"}
    assert nets(round) == {1: "70.00"}


@pytest.mark.parametrize("fold_at", [0, 1, 2])
def test_gen_5_the_board_stays_closed_if_all_fold(fold_at: int) -> None:
    round = deal_round(CMS, seat(1, ante=5), seat(2, ante=5))
    for turned in ("Qs", "Js")[:fold_at]:
        round = board(do(round, *decide("1x", 1, 2)), turned)
    round = do(round, *decide("fold", 1, 2))
    assert round.phase == "settle"
    assert len(round.board) == fold_at
    assert expect_refusal(round, turn(BOARD, "Ts")).code is Code.NOT_NOW
    assert settle_round(round).ending == "settled"


def test_gen_5_a_live_bonus_turns_the_whole_board() -> None:
    round = deal_round(CMS, seat(1, ante=5), seat(2, ante=5, three_card_bonus=1))
    round = do(round, *decide("fold", 1, 2))
    for turned in ("7s", "7d", "8c"):
        assert round.phase == "play"
        assert expect_refusal(round, Settle()).code is Code.NOT_NOW
        round = board(round, turned)
    assert nets(settle_round(round)) == {1: "-5.00", 2: "-4.00"}


@pytest.mark.parametrize("sheet", [LAS, LAS_STAX], ids=sheet_name)
def test_gen_5_stax_uses_the_board_too(sheet: Sheet) -> None:
    round = do(deal_round(sheet, seat(1, "Jc Jd", ante=5, stax=1)), Decide(1, "fold"))
    assert round.phase == "play"
    assert nets(settle_round(board(round, "2h 4s Tc"))) == {1: "-3.00"}


@pytest.mark.parametrize("sheet", STUD, ids=sheet_name)
def test_gen_8_a_community_card_turned_too_early_voids_the_round(sheet: Sheet) -> None:
    round = do(deal_round(sheet, minimum_seat(sheet, 1)), Expose(BOARD, card("Qs")))
    assert round.ending == "misdeal"
    assert all_returned(round)
    assert notes(round) == [("Qs shown too early on the community cards", "GEN-8")]


def test_gen_8_a_dealers_card_seen_before_a_declaration_voids_the_round() -> None:
    round = deal_round(MHL, seat(1, "2c 3d 4h", bet=5), seat(2, "5c 6d 7h", bet=5, poker_bonus=1))
    round = do(round, Decide(1, "low"), Expose(BOARD, card("Qs")))
    assert all_returned(round)


def test_gen_8_a_card_is_early_only_while_decisions_are_pending() -> None:
    round = do(deal_round(CMS, seat(1, ante=5)), Decide(1, "1x"))
    assert expect_refusal(round, Expose(BOARD, card("Qs"))).code is Code.NOT_NOW
    assert board(round, "Qs").phase == "play"


@pytest.mark.parametrize("sheet", ALL, ids=sheet_name)
def test_gen_8_a_players_card_exposed_by_the_dealer_plays(sheet: Sheet) -> None:
    round = do(
        deal_round(sheet, minimum_seat(sheet, 1), minimum_seat(sheet, 2)), Expose(1, card("9h"))
    )
    assert round.phase == "play"
    assert round.waiting == (1, 2)
    assert seat_at(round, 1).cards == (card("9h"),)
    assert notes(round) == [("9h shown at seat 1", "GEN-8")]


@pytest.mark.parametrize("sheet", STUD, ids=sheet_name)
@pytest.mark.parametrize("street", [0, 1, 2])
def test_gen_10_an_absent_player_folds(sheet: Sheet, street: int) -> None:
    round = deal_round(sheet, minimum_seat(sheet, 1), minimum_seat(sheet, 2))
    for turned in ("2h", "4s")[:street]:
        round = board(do(round, *decide("1x", 1, 2)), turned)
    round = do(round, Absent(1))
    assert round.waiting == (2,)
    assert notes(round) == [("seat 1 was absent: fold", "GEN-10")]
    assert seat_at(round, 1).folded
    assert len(seat_at(round, 1).main) == 1 + street


@pytest.mark.parametrize(
    ("cards_text", "declared"),
    [
        ("6c 7d Kh", "low"),  # 13
        ("6c 8d Kh", "high"),  # 14
        ("6c 9d Kh", "high"),  # 15
        ("Ac 2d Kh", "low"),  # 13: an absent hand is counted as a high one
        ("Ac 3d Kh", "high"),  # 14
        ("Jc Qd Kh", "low"),  # 0
        ("Ac Ad Ah", "high"),  # 33
    ],
)
def test_gen_10_an_absent_hi_lo_hand_is_high_from_14_points_and_never_doubled(
    cards_text: str, declared: str
) -> None:
    round = do(deal_round(MHL, seat(1, cards_text, bet=5)), Absent(1))
    assert seat_at(round, 1).plays == (declared,)
    assert seat_at(round, 1).main == (("bet", 500),)


def test_gen_10_an_absent_hi_lo_hand_must_be_turned_first() -> None:
    refusal = expect_refusal(deal_round(MHL, seat(1, bet=5)), Absent(1))
    assert (refusal.code, refusal.clause) == (Code.CARDS_UNKNOWN, "GEN-10")


def test_gen_10_there_is_no_all_in() -> None:
    round = deal_round(CMS, seat(1, ante=5))
    for play in ("all-in", "0x", "0.5x"):
        assert expect_refusal(round, Decide(1, play)).code is Code.UNKNOWN_PLAY


@pytest.mark.parametrize("play", ["1x", "2x", "3x"])
def test_gen_11_a_street_bet_is_limited_by_its_multiple_only(play: str) -> None:
    round = do(deal_round(CMS, seat(1, ante=500)), Decide(1, play))
    assert seat_at(round, 1).main == (("ante", 50_000), ("flop", 50_000 * int(play[0])))


@pytest.mark.parametrize("sheet", STUD, ids=sheet_name)
def test_gen_11_a_street_bet_is_at_least_1x_and_at_most_3x(sheet: Sheet) -> None:
    round = deal_round(sheet, minimum_seat(sheet, 1))
    assert expect_refusal(round, Decide(1, "0x")).code is Code.UNKNOWN_PLAY
    for play in ("1x", "2x", "3x"):
        do(round, Decide(1, play))
    assert expect_refusal(round, Decide(1, "4x")).code is Code.ABOVE_MAXIMUM


@pytest.mark.parametrize(("amount", "doubled"), [(5, 500), (499, 49_900), (500, 50_000)])
def test_gen_11_a_double_is_exactly_the_bet_and_may_pass_the_maximum(
    amount: int, doubled: int
) -> None:
    round = do(deal_round(MHL, seat(1, "2c 3d 4h", bet=amount)), Decide(1, "low+double"))
    assert seat_at(round, 1).main == (("bet", doubled), ("double", doubled))


def test_gen_12_no_side_wager_without_the_main_wager() -> None:
    for sheet, side in ((CMS, "three-card-bonus"), (LAS, "stax"), (MHL, "poker-bonus")):
        refusal = expect_refusal(open_round(sheet), Wager(1, "ann", side, cents(5)))
        assert (refusal.code, refusal.clause) == (Code.NO_MAIN_WAGER, "GEN-12")


def test_gen_12_a_seat_without_a_main_wager_is_refused() -> None:
    assert refusal_text(CMS, "", seat(1, None, "fold", three_card_bonus=5)) == (
        "Seat 1 needs the Ante before the 3 Card Bonus (GEN-12)"
    )
    assert expect_refusal(open_round(CMS), Close()).code is Code.NO_SEATS


def test_gen_12_wagers_may_be_changed_and_returned_until_betting_closes() -> None:
    round = bet(open_round(CMS), seat(1, ante=5, three_card_bonus=1), seat(2, ante=5))
    raised = do(round, Wager(1, "p1", "ante", cents(6)))
    assert seat_at(raised, 1).stakes == (("ante", 600), ("three-card-bonus", 100))
    assert seat_at(do(round, Withdraw(1, "three-card-bonus")), 1).stakes == (("ante", 500),)
    assert do(round, Withdraw(1, "ante")).seat(1) is None  # The bonus goes with it.
    assert expect_refusal(round, Withdraw(2, "three-card-bonus")).code is Code.UNKNOWN_WAGER
    assert expect_refusal(round, Withdraw(3, "ante")).code is Code.UNKNOWN_SEAT
    for late in (Withdraw(1, "ante"), Wager(1, "p1", "ante", cents(6)), Close()):
        assert expect_refusal(do(round, Close()), late).code is Code.NOT_NOW


@pytest.mark.parametrize("amount", ["5.01", "5.50", "5.99", "499.99"])
def test_gen_12_wagers_are_whole_dollars(amount: str) -> None:
    refusal = expect_refusal(open_round(CMS), Wager(1, "ann", "ante", cents(amount)))
    assert (refusal.code, refusal.clause) == (Code.NOT_A_STEP, "GEN-12")
    with_ante = bet(open_round(MHL), seat(1, bet=5))
    assert (
        expect_refusal(with_ante, Wager(1, "p1", "poker-bonus", cents("1.50"))).code
        is Code.NOT_A_STEP
    )


def test_gen_14_a_folded_hand_without_live_wagers_is_never_turned() -> None:
    round = do(deal_round(CMS, seat(1, ante=5), seat(2, ante=5)), Decide(1, "fold"))
    refusal = expect_refusal(round, turn(1, "As"))
    assert (refusal.code, refusal.clause) == (Code.NOT_NOW, "GEN-14")
    do(round, turn(2, "As"))


def test_gen_14_a_report_names_no_cards() -> None:
    round = play_round(
        CMS, "Qs Js Ts", seat(1, "7d 2c", "fold", ante=5), seat(2, "As Ks", "1x 1x 1x", ante=5)
    )
    document = report(round)
    assert "7d" not in str([document["seats"], document["notes"]])
    assert "2c" not in str([document["seats"], document["notes"]])


@pytest.mark.parametrize("sheet", [CMS, LAS, LAS_STAX, MHL], ids=sheet_name)
@pytest.mark.parametrize("agreed", [True, False])
def test_gen_15_an_interrupted_round_resumes_where_it_stopped(sheet: Sheet, agreed: bool) -> None:
    round = deal_round(sheet, minimum_seat(sheet, 1), minimum_seat(sheet, 2))
    round = do(round, Decide(2, "high" if sheet is MHL else "2x"))
    resumed = do(round, Interrupted(agreed=agreed))
    assert replace(resumed, notes=()) == round
    assert notes(resumed) == [("interrupted; resumed", "GEN-15")]


def test_gen_15_play_cannot_be_interrupted_before_or_after_a_round() -> None:
    assert expect_refusal(open_round(CMS), Interrupted(agreed=True)).code is Code.NOT_NOW
    over = settle_round(do(deal_round(CMS, seat(1, ante=5)), Decide(1, "fold")))
    assert expect_refusal(over, Interrupted(agreed=False)).code is Code.NOT_NOW
    assert results(over, 1) == {"ante": "lose"}
