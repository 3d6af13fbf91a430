"""Every choice of ours is a field: another choice changes the sheet and no code."""

from __future__ import annotations

import pytest
from tests.clauses.one_line_rounds import (
    CMS,
    LAS,
    MHL,
    OMS,
    all_returned,
    applied_caps,
    board,
    cents,
    close_bets,
    deal_round,
    decide,
    do,
    expect_refusal,
    hand,
    line,
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
    with_field,
)

from pitbook.cards import card
from pitbook.money import odds
from pitbook.rules.actions import (
    BOARD,
    Absent,
    Deal,
    Decide,
    Expose,
    Fouled,
    Interrupted,
    Misdeal,
    Settle,
    VoidHand,
    Warn,
)
from pitbook.rules.game import compile_game
from pitbook.rules.refusals import Code
from pitbook.rules.round import Round
from pitbook.sheets.model import Sheet

BONUS = "three-card-bonus"


def bet_through(round: Round, community: str, *seats: int) -> Round:
    """These seats bet 1x on every street; the board is turned."""
    for turned in community.split():
        round = board(do(round, *decide("1x", *seats)), turned)
    return round


@pytest.mark.parametrize(
    ("ace", "wheel", "broadway"),
    [("high-or-low", "straight", "straight"), ("high", "nothing", "straight")],
)
def test_gen_1_an_ace_that_is_only_high(ace: str, wheel: str, broadway: str) -> None:
    sheet = with_field(CMS, "payouts.ace_in_straights", ace)
    for community, outcome in (("Ac 2d 3h", wheel), ("Qc Kd Ah", broadway)):
        round = play_round(sheet, community, seat(1, None, "fold", ante=5, three_card_bonus=1))
        assert line(round, 1, BONUS).outcome == outcome
    round_of_five = play_round(sheet, "3h 4s 5c", seat(1, "Ac 2d", "1x 1x 1x", ante=5))
    assert line(round_of_five, 1, "ante").outcome == wheel
    steel_wheel = play_round(sheet, "3s 4s 5s", seat(1, "As 2s", "1x 1x 1x", ante=5))
    assert line(steel_wheel, 1, "ante").outcome == ("flush" if ace == "high" else "straight-flush")
    hi_lo = with_field(MHL, "payouts.ace_in_straights", ace)
    bonus = play_round(hi_lo, "Jc Jd Jh Js 9c", seat(1, "Ac 2d 3h", "low", bet=5, poker_bonus=1))
    assert line(bonus, 1, "poker-bonus").outcome == wheel


def test_gen_2_a_house_may_pay_the_first_line_listed() -> None:
    listed = {name: odds(pay) for name, pay in (("flush", "3:1"), ("straight-flush", "40:1"))}
    for several, outcome in (("highest", "straight-flush"), ("first-listed", "flush")):
        sheet = with_field(CMS, f"side.{BONUS}.pays", listed)
        sheet = with_field(sheet, "payouts.several_lines", several)
        round = play_round(sheet, "7s 8s 9s", seat(1, None, "fold", ante=5, three_card_bonus=1))
        assert line(round, 1, BONUS).outcome == outcome


@pytest.mark.parametrize(
    ("ante", "lines", "capped"),
    [
        (5, ["2495.00", "7485.00", "7485.00", "7485.00"], False),  # Due 25,000 with the stakes.
        (6, ["2494.00", "7482.00", "7482.00", "7482.00"], True),  # Due 30,000, paid 25,000.
    ],
)
def test_gen_3_a_house_may_count_the_stake(ante: int, lines: list[str], capped: bool) -> None:
    sheet = with_field(CMS, "payouts.stake_counted", True)
    royal = play_round(sheet, "Qs Js Ts", seat(1, "As Ks", "3x 3x 3x", ante=ante))
    assert list(wins(royal, 1).values()) == lines
    assert applied_caps(royal) == ([("CMS-12", "30000.00", "25000.00", None)] if capped else [])
    even = play_round(sheet, "2h 4s Tc", seat(1, "Jc Jd", "1x 1x 1x", ante=ante))
    assert (nets(even), set(results(even, 1).values())) == ({1: "0.00"}, {"win"})


def test_gen_5_a_board_that_is_always_turned() -> None:
    sheet = with_field(CMS, "fold.board_when_all_fold", "always")
    round = do(deal_round(sheet, seat(1, ante=5)), Decide(1, "fold"))
    assert round.phase == "play"
    assert nets(settle_round(board(round, "2h 4s Tc"))) == {1: "-5.00"}


def test_gen_6_a_house_that_returns_live_wagers_only() -> None:
    sheet = with_field(CMS, "irregularities.misdeal.returns", "live-wagers")
    round = deal_round(sheet, seat(1, ante=10, three_card_bonus=5), seat(2, ante=20))
    round = do(round, Decide(1, "fold"), Decide(2, "2x"), Misdeal("boxed card"))
    assert results(round, 1) == {"ante": "lose", BONUS: "void"}
    assert line(round, 1, "ante").clause == "CMS-6"
    assert results(round, 2) == {"ante": "void", "flop": "void"}
    assert nets(round) == {1: "-10.00", 2: "0.00"}
    lost = with_field(sheet, f"side.{BONUS}.after_fold.plays", False)
    round = deal_round(lost, seat(1, ante=10, three_card_bonus=5))
    round = do(round, Misdeal("boxed card"))
    assert all_returned(round)
    round = deal_round(lost, seat(1, ante=10, three_card_bonus=5), seat(2, ante=5))
    round = do(round, Decide(1, "fold"), Misdeal("boxed card"))
    assert nets(round) == {1: "-15.00", 2: "0.00"}


@pytest.mark.parametrize("find", [Misdeal("boxed card"), Fouled(card("As"))])
@pytest.mark.parametrize(
    ("until", "void"), [("last-seat-settled", True), ("first-seat-settled", False)]
)
def test_gen_6_a_house_may_let_results_stand_from_the_first_seat(
    find: Misdeal | Fouled, until: str, void: bool
) -> None:
    sheet = with_field(CMS, "irregularities.misdeal.until", until)
    round = deal_round(sheet, seat(1, "Jc Jd", ante=5), seat(2, "Kc Kd", ante=5))
    round = bet_through(round, "2h 4s Tc", 1, 2)
    assert all_returned(do(round, find))
    after = do(round, Settle(), find)
    if void:
        assert all_returned(after)
    else:
        assert nets(settle_round(after)) == {1: "20.00", 2: "20.00"}
        assert notes(after)[-1] == ("found too late: results stand", "GEN-6")


def test_gen_8_an_early_card_that_plays() -> None:
    sheet = with_field(CMS, "irregularities.early_card", "plays")
    round = do(deal_round(sheet, seat(1, "Jc Jd", ante=5)), Expose(BOARD, card("2h")))
    assert round.waiting == (1,)
    round = do(round, Decide(1, "1x"))
    assert round.stage == 1  # The card is already open; the turn bet comes next.
    round = do(board(do(round, Decide(1, "1x")), "4s"), Decide(1, "1x"))
    assert nets(settle_round(board(round, "Tc"))) == {1: "20.00"}


def test_gen_8_an_early_card_during_the_deal() -> None:
    for rule, phase in (("plays", "deal"), ("void-round", "over")):
        sheet = with_field(CMS, "irregularities.early_card", rule)
        round = do(close_bets(sheet, seat(1, ante=5)), Deal(BOARD))
        assert do(round, Expose(BOARD, card("2h"))).phase == phase
        assert expect_refusal(round, Expose(1, card("2h"))).code is Code.NO_CARD_THERE


def test_gen_8_an_exposed_card_that_voids_the_hand() -> None:
    sheet = with_field(CMS, "irregularities.exposed_card", "void-hand")
    round = deal_round(sheet, seat(1, ante=5, three_card_bonus=1), seat(2, "Jc Jd", ante=5))
    round = do(round, Expose(1, card("As")))
    assert round.waiting == (2,)
    over = settle_round(bet_through(round, "2h 4s Tc", 2))
    assert nets(over) == {1: "0.00", 2: "20.00"}
    assert {(wager_line.result, wager_line.clause) for wager_line in hand(over, 1).lines} == {
        ("void", "GEN-8")
    }


def test_gen_8_an_exposed_card_that_voids_the_only_hand_during_the_deal() -> None:
    sheet = with_field(OMS, "irregularities.exposed_card", "void-hand")
    round = do(close_bets(sheet, seat(1, ante=2)), Deal(1), Expose(1, card("As")))
    round = do(round, *map(Deal, round.to_deal))
    assert round.phase == "settle"
    assert all_returned(settle_round(round))


@pytest.mark.parametrize("sheet", [CMS, MHL], ids=lambda sheet: str(sheet.id))
def test_gen_8_an_exposed_card_that_voids_the_round(sheet: Sheet) -> None:
    house = with_field(sheet, "irregularities.exposed_card", "void-round")
    main = {"wagers": {"bet" if sheet is MHL else "ante": "5"}}
    round = do(deal_round(house, seat(1) | main, seat(2) | main), Expose(1, card("As")))
    assert (round.ending, all_returned(round)) == ("misdeal", True)


def test_gen_10_an_absent_player_who_makes_the_smallest_bet() -> None:
    sheet = with_field(CMS, "absent", "smallest-bet")
    round = do(deal_round(sheet, seat(1, ante=5)), Absent(1))
    assert seat_at(round, 1).main == (("ante", 500), ("flop", 500))


@pytest.mark.parametrize(("points", "declared"), [(13, "high"), (14, "low"), (15, "low")])
def test_gen_10_the_points_of_an_absent_hand_are_a_field(points: int, declared: str) -> None:
    sheet = with_field(MHL, "declare.absent_high_at", points)
    round = do(deal_round(sheet, seat(1, "6c 7d Kh", bet=5)), Absent(1))  # 13 points.
    assert seat_at(round, 1).plays == (declared,)


@pytest.mark.parametrize(("amount", "code"), [(250, None), (251, Code.ABOVE_MAXIMUM)])
def test_gen_11_a_double_that_must_stay_within_the_maximum(amount: int, code: Code | None) -> None:
    sheet = with_field(MHL, "double.within_max", True)
    round = deal_round(sheet, seat(1, bet=amount))
    if code is None:
        do(round, Decide(1, "high+double"))
    else:
        refusal = expect_refusal(round, Decide(1, "high+double"))
        assert (refusal.code, refusal.clause) == (code, "GEN-11")
    do(round, Decide(1, "high"))


def test_gen_11_a_double_of_more_than_the_bet_and_no_double_at_all() -> None:
    double_of_two = with_field(MHL, "double.times", 2)
    assert (
        seat_at(do(deal_round(double_of_two, seat(1, bet=5)), Decide(1, "low+double")), 1).main[1][
            1
        ]
        == 1000
    )
    no_double = MHL.model_copy(update={"double": None})
    round = deal_round(no_double, seat(1, bet=5))
    assert expect_refusal(round, Decide(1, "low+double")).code is Code.UNKNOWN_PLAY
    do(round, Decide(1, "low"))


@pytest.mark.parametrize(
    ("ante", "allowed"), [(33, ["1x", "2x", "3x"]), (34, ["1x", "2x"]), (51, ["1x"])]
)
def test_gen_11_a_street_with_a_maximum_of_its_own(ante: int, allowed: list[str]) -> None:
    sheet = with_field(CMS, "streets.0.bet_max", cents(100))
    round = deal_round(sheet, seat(1, ante=ante))
    for play in ("1x", "2x", "3x"):
        if play in allowed:
            do(round, Decide(1, play))
        else:
            assert expect_refusal(round, Decide(1, play)).code is Code.ABOVE_MAXIMUM
    do(round, Decide(1, "fold"))


@pytest.mark.parametrize(
    ("result", "net"), [("forfeit", "-20.00"), ("void", "0.00"), ("warn", "20.00")]
)
def test_cms_16_what_information_costs_is_a_field(result: str, net: str) -> None:
    sheet = with_field(CMS, "irregularities.information.result", result)
    jacks = seat(1, "Jc Jd", "1x 1x 1x", ante=5)
    round = play_round(sheet, "2h 4s Tc", jacks, voided=[{"seat": 1, "reason": "information"}])
    assert nets(round) == {1: net}
    assert any("information" in what for what, _ in notes(round))
    assert {wager_line.clause for wager_line in hand(round, 1).lines} <= {"CMS-16", "CMS-9"}


@pytest.mark.parametrize(
    ("whose", "gave", "took"),
    [
        ("giver-and-taker", "-20.00", "-20.00"),
        ("giver", "-20.00", "20.00"),
        ("taker", "20.00", "-20.00"),
    ],
)
def test_cms_16_whose_hand_information_costs_is_a_field(whose: str, gave: str, took: str) -> None:
    sheet = with_field(CMS, "irregularities.information.whose", whose)
    seats = (seat(1, "Jc Jd", "1x 1x 1x", ante=5), seat(2, "Kc Kd", "1x 1x 1x", ante=5))
    parts = [
        {"seat": number, "reason": "information", "part": part}
        for number, part in ((1, "gave"), (2, "took"))
    ]
    assert nets(play_round(sheet, "2h 4s Tc", *seats, voided=parts)) == {1: gave, 2: took}
    without_parts = [{"seat": number, "reason": "information"} for number in (1, 2)]
    # As in files from before parts existed.
    void = play_round(sheet, "2h 4s Tc", *seats, voided=without_parts)
    assert nets(void) == {1: "-20.00", 2: "-20.00"}


def test_cms_16_only_information_has_a_part() -> None:
    jacks = seat(1, "Jc Jd", "1x 1x 1x", ante=5)
    wrong_reason = [{"seat": 1, "reason": "supervisor", "part": "gave"}]
    assert refusal_text(CMS, "2h 4s Tc", jacks, voided=wrong_reason).startswith(
        'Only "information" has a part'
    )
    unknown_part = [{"seat": 1, "reason": "information", "part": "heard"}]
    refusal = refusal_text(CMS, "2h 4s Tc", jacks, voided=unknown_part)
    assert refusal == "voided[0].part must be 'gave' or 'took', not \"heard\""


def test_cms_16_a_warned_hand_must_still_play() -> None:
    sheet = with_field(CMS, "irregularities.information.result", "warn")
    short_seat = seat(1, "Jc Jd", "1x", ante=5)
    voided = [{"seat": 1, "reason": "information"}]
    assert refusal_text(sheet, "2h 4s Tc", short_seat, voided=voided) == (
        "seat 1 has 1 play and still has to decide: fold, 1x, 2x or 3x"
    )
    round = do(deal_round(sheet, seat(1, ante=5)), VoidHand(1, "information"))
    assert (round.waiting, notes(round)) == ((1,), [("seat 1 warned: information", "CMS-16")])


def test_cms_15_a_house_that_voids_the_hand_but_not_once_it_is_settled() -> None:
    sheet = with_field(CMS, "irregularities.cards_off_table", "void")
    round = deal_round(sheet, seat(1, "Jc Jd", ante=5), seat(2, "Kc Kd", ante=5))
    round = do(bet_through(round, "2h 4s Tc", 1, 2), Settle())  # Seat 2 is paid.
    round = settle_round(do(round, Warn(2, "off the table"), Warn(1, "off the table")))
    assert nets(round) == {1: "0.00", 2: "20.00"}
    assert {wager_line.clause for wager_line in hand(round, 1).lines} == {"CMS-15"}


def test_oms_16_a_house_may_ask_the_players_when_play_is_interrupted() -> None:
    sheet = with_field(CMS, "irregularities.interruption", "agree-or-dead")
    round = deal_round(sheet, seat(1, ante=5))
    assert do(round, Interrupted(agreed=True)).waiting == (1,)
    assert all_returned(do(round, Interrupted(agreed=False)))


def test_cms_4_a_deal_from_right_to_left_one_card_at_a_time() -> None:
    seats = [seat(n, ante=5) for n in (1, 3)]
    left = close_bets(with_field(CMS, "deal.at_a_time", 1), *seats)
    assert left.to_deal == (BOARD, BOARD, BOARD, 1, 3, 1, 3)
    right = close_bets(with_field(CMS, "deal.direction", "right-to-left"), *seats)
    assert right.to_deal == (BOARD, BOARD, BOARD, 3, 3, 1, 1)
    both = with_field(with_field(CMS, "deal.direction", "right-to-left"), "deal.at_a_time", 1)
    assert close_bets(both, *seats).to_deal == (BOARD, BOARD, BOARD, 3, 1, 3, 1)
    two = with_field(MHL, "deal.at_a_time", 2)
    spots = [seat(n, bet=5) for n in (1, 2)]
    assert close_bets(two, *spots).to_deal == (1, 1, 2, 2, 1, 2, *[BOARD] * 5)


def test_cms_8_a_settlement_from_left_to_right_in_other_passes() -> None:
    sheet = with_field(CMS, "settlement.direction", "left-to-right")
    sheet = with_field(sheet, "settlement.passes", ((BONUS,), ("main",)))
    round = do(
        deal_round(sheet, *(seat(n, ante=5, three_card_bonus=1) for n in (1, 2))),
        *decide("fold", 1, 2),
    )
    round = board(round, "2h 4s Tc")
    assert round.to_settle == ((1, (BONUS,)), (2, (BONUS,)), (1, ("main",)), (2, ("main",)))


def test_cms_11_a_side_wager_that_is_lost_with_the_fold() -> None:
    sheet = with_field(CMS, f"side.{BONUS}.after_fold.plays", False)
    round = do(deal_round(sheet, seat(1, ante=5, three_card_bonus=1)), Decide(1, "fold"))
    assert compile_game(sheet).tucked_under(seat_at(round, 1)) is None
    round = settle_round(round)  # No live wager uses the board.
    assert results(round, 1) == {"ante": "lose", BONUS: "lose"}
    assert (line(round, 1, BONUS).outcome, line(round, 1, BONUS).clause) == ("fold", "CMS-11")


def test_las_5_the_house_orders_where_cards_are_tucked() -> None:
    sheet = with_field(LAS, "fold.tucks_under", ("stax", "three-up"))
    round = do(deal_round(sheet, seat(1, "Jc Jd", ante=5, three_up=1, stax=1)), Decide(1, "fold"))
    assert compile_game(sheet).tucked_under(seat_at(round, 1)) == "stax"


def test_las_11_a_house_may_add_a_cap_and_still_settles_3_up_first() -> None:
    sheet = with_field(LAS, "limits", CMS.limits)
    round = deal_round(sheet, seat(1, ante=500, three_up=1))
    round = do(bet_through(round, "Qs Js Ts", 1), Settle())
    assert expect_refusal(round, Settle()).code is Code.CARDS_UNKNOWN
    round = do(round, turn(1, "As"), turn(1, "Ks"))
    assert nets(settle_round(round)) == {1: "25040.00"}


@pytest.mark.parametrize(
    ("shared", "low", "high"),
    [("ace-then-highest", 4, 28), ("highest", 4, 19), ("none", 4, 17)],
)
def test_mhl_8_the_shared_card_is_a_field(shared: str, low: int, high: int) -> None:
    sheet = with_field(MHL, "dealer.shared", shared)
    for total, cards_text in ((17, "8d 9h Kd"), (19, "Td 9h Kd"), (28, "Td 9h 9s")):
        round = play_round(sheet, "Ac Ad 2h 8s 9c", seat(1, cards_text, "high", bet=5))
        assert results(round, 1)["bet"] == ("win" if total >= high else "lose")
    for total, cards_text in ((4, "4d Kd Kh"), (5, "5d Kd Kh")):
        round = play_round(sheet, "Ac Ad 2h 8s 9c", seat(1, cards_text, "low", bet=5))
        assert results(round, 1)["bet"] == ("win" if total <= low else "lose")
