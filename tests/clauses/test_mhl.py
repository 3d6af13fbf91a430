"""MHL: Match'em Hi-Lo, Catfish Bend Casino. Points, bonuses and the cap are in test_mhl_pays."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.clauses.one_line_rounds import (
    MHL,
    all_returned,
    bet,
    board,
    cents,
    close_bets,
    deal_round,
    do,
    expect_refusal,
    hand,
    house_choice,
    nets,
    notes,
    play_round,
    refusal_text,
    results,
    seat,
    seat_at,
    settle_round,
    turn,
    with_field,
)

from pitbook.rules.actions import BOARD, Close, Deal, Decide, Settle, VoidHand, Wager, Warn
from pitbook.rules.families.hi_lo.sheet import HiLo
from pitbook.rules.refusals import Code
from pitbook.rules.round import open_round

DEALER = "4c 5d 6h 8s 9c"  # Low 4 + 5 + 6 = 15, shared 6, high 6 + 8 + 9 = 23.


def hi_lo_sheet() -> HiLo:
    assert isinstance(MHL, HiLo)
    return MHL


def test_mhl_1_three_cards_are_declared_over_the_high_hand_or_under_the_low_one() -> None:
    over = seat(1, "9s 8h 7d", "high", bet=10)  # 24 against 23.
    under = seat(2, "2c 3d 4h", "low", bet=10)  # 9 against 15.
    between = seat(3, "6s 6d 7h", "low", bet=10)  # 19: under neither, over neither.
    round = play_round(MHL, DEALER, over, under, between)
    assert nets(round) == {1: "10.00", 2: "10.00", 3: "-10.00"}


def test_mhl_2_six_decks_and_the_blackjack_shuffle_three_times_if_the_machine_fails() -> None:
    deck = MHL.deck
    assert (deck.decks, deck.shuffle, deck.fresh.value) == (6, "automatic", "each-round")
    assert (deck.fallback.value, deck.fallback_times) == ("house-blackjack", 3)
    round = deal_round(MHL, seat(1, "Ac Ac Ac", bet=5), seat(2, "Ac Ac", bet=5), seat(3, bet=5))
    assert expect_refusal(do(round, turn(2, "Ac")), turn(3, "Ac")).code is Code.NO_SUCH_CARD


@pytest.mark.parametrize(
    ("wager", "amount", "code"),
    [
        ("bet", "4", Code.BELOW_MINIMUM),
        ("bet", "5", None),
        ("bet", "5.50", Code.NOT_A_STEP),
        ("bet", "6", None),
        ("bet", "499", None),
        ("bet", "500", None),
        ("bet", "501", Code.ABOVE_MAXIMUM),
        ("matchem-bonus", "0.99", Code.BELOW_MINIMUM),
        ("matchem-bonus", "1", None),
        ("matchem-bonus", "1.50", Code.NOT_A_STEP),
        ("matchem-bonus", "100", None),
        ("matchem-bonus", "101", Code.ABOVE_MAXIMUM),
        ("poker-bonus", "0.99", Code.BELOW_MINIMUM),
        ("poker-bonus", "1", None),
        ("poker-bonus", "1.50", Code.NOT_A_STEP),
        ("poker-bonus", "100", None),
        ("poker-bonus", "101", Code.ABOVE_MAXIMUM),
    ],
)
def test_mhl_4_bet_of_5_to_500_and_bonuses_of_1_to_100(
    wager: str, amount: str, code: Code | None
) -> None:
    round = open_round(MHL) if wager == "bet" else bet(open_round(MHL), seat(1, bet=5))
    action = Wager(1, "p1", wager, cents(amount))
    if code is None:
        assert dict(seat_at(do(round, action), 1).stakes)[wager] == cents(amount)
    else:
        assert expect_refusal(round, action).code is code


def test_mhl_4_the_bonuses_are_optional_and_independent() -> None:
    for bonuses in ({}, {"matchem-bonus": "1"}, {"poker-bonus": "100"}):
        wagers = {"bet": "7", **bonuses}
        assert close_bets(MHL, seat(1) | {"wagers": wagers}).phase == "deal"
    both = close_bets(MHL, seat(1, bet=5, matchem_bonus=100, poker_bonus=1))
    assert seat_at(both, 1).side == (("matchem-bonus", 10_000), ("poker-bonus", 100))
    assert (
        expect_refusal(open_round(MHL), Wager(1, "a", "double", cents(5))).code
        is Code.UNKNOWN_WAGER
    )


@pytest.mark.parametrize(("number", "exists"), [(0, False), (1, True), (6, True), (7, False)])
def test_mhl_4_there_are_six_spots(number: int, exists: bool) -> None:
    action = Wager(number, "ann", "bet", cents(5))
    if exists:
        assert seat_at(do(open_round(MHL), action), number).player == "ann"
    else:
        assert expect_refusal(open_round(MHL), action).clause == "MHL-4"


def test_mhl_5_three_at_a_time_clockwise_from_the_dealers_left_then_five_to_the_dealer() -> None:
    round = close_bets(MHL, seat(6, bet=5), seat(2, bet=5))
    assert round.to_deal == (2, 2, 2, 6, 6, 6, BOARD, BOARD, BOARD, BOARD, BOARD)
    refusal = expect_refusal(round, Deal(BOARD))
    assert (refusal.code, refusal.clause) == (Code.DEAL_ORDER, "MHL-5")
    assert str(expect_refusal(do(round, Deal(2)), Deal(6))) == (
        "The next card goes to seat 2 (MHL-5)"
    )


def test_mhl_6_the_player_declares_low_or_high() -> None:
    round = deal_round(MHL, seat(1, "2c 3d 4h", bet=5), seat(2, "9c 9d 9h", bet=5))
    for play in ("low", "high", "low+double", "high+double"):
        assert seat_at(do(round, Decide(1, play)), 1).plays == (play,)
    for play in ("fold", "1x", "middle", "LOW", ""):
        refusal = expect_refusal(round, Decide(1, play))
        assert (refusal.code, refusal.clause) == (Code.UNKNOWN_PLAY, "MHL-6")
    assert (hi_lo_sheet().declare.low, hi_lo_sheet().declare.high) == ("L", "H")
    assert (
        expect_refusal(do(round, Decide(1, "low")), Decide(1, "high")).code is Code.ALREADY_DECIDED
    )


def test_mhl_6_the_dealers_cards_stay_down_until_all_have_declared() -> None:
    round = deal_round(MHL, seat(1, bet=5), seat(2, bet=5))
    round = do(round, Decide(2, "low"))
    assert expect_refusal(round, turn(BOARD, "4c")).code is Code.NOT_NOW
    round = board(do(round, Decide(1, "high")), DEALER)
    assert round.phase == "settle"


@pytest.mark.parametrize(
    ("play", "net"),
    [("low", "10.00"), ("low+double", "20.00"), ("high", "-10.00"), ("high+double", "-20.00")],
)
def test_mhl_7_a_double_is_a_second_wager_equal_to_the_bet(play: str, net: str) -> None:
    round = play_round(MHL, DEALER, seat(1, "2c 3d 4h", play, bet=10))
    assert nets(round) == {1: net}
    wagers = ["bet", "double"] if "double" in play else ["bet"]
    assert [(wager_line.wager, wager_line.stake) for wager_line in hand(round, 1).lines] == [
        (wager, 1000) for wager in wagers
    ]


def test_mhl_10_settlement_runs_right_to_left() -> None:
    round = deal_round(MHL, *(seat(n, "2c 3d 4h", bet=5) for n in (1, 2, 5)))
    round = board(do(round, *(Decide(n, "low") for n in (1, 2, 5))), DEALER)
    assert [number for number, _ in round.to_settle] == [5, 2, 1]
    assert hi_lo_sheet().settlement.high_laid == "parallel to the dealer's cards"
    assert hi_lo_sheet().settlement.low_laid == "across the dealer's cards"
    assert settle_round(round).ending == "settled"


def test_mhl_10_the_players_hand_is_turned_over_first() -> None:
    round = board(do(deal_round(MHL, seat(1, bet=5)), Decide(1, "low")), DEALER)
    refusal = expect_refusal(round, Settle())
    assert (refusal.code, refusal.clause) == (Code.CARDS_UNKNOWN, "MHL-10")


@pytest.mark.parametrize(
    ("cards_text", "dealer", "reason"),
    [
        ("2c 3d", DEALER, "cards at seat 1: 2 instead of 3"),
        ("2c 3d 4h 5s", DEALER, "cards at seat 1: 4 instead of 3"),
        ("", DEALER, "cards at seat 1: 0 instead of 3"),
        ("2c 3d 4h", "4c 5d 6h 8s", "dealer cards: 4 instead of 5"),
        ("2c 3d 4h", "4c", "dealer cards: 1 instead of 5"),
        ("2c 3d 4h", "4c 5d 6h 8s 9c Tc", "dealer cards: 6 instead of 5"),
    ],
)
def test_mhl_14_a_wrong_number_of_cards_voids_all_hands(
    cards_text: str, dealer: str, reason: str
) -> None:
    first = seat(1, cards_text, "low", bet=10, poker_bonus=5)
    second = seat(2, "2d 3c 4s", "low+double", bet=20, matchem_bonus=5)
    round = play_round(MHL, dealer, first, second)
    assert round.ending == "misdeal"
    assert all_returned(round)
    assert notes(round) == [(f"misdeal: {reason}", "MHL-14")]
    assert results(round, 2) == {"bet": "void", "double": "void", "matchem-bonus": "void"}


def test_mhl_14_a_dealers_hand_not_given_is_an_unfinished_round() -> None:
    assert refusal_text(MHL, "", seat(1, "2c 3d 4h", "low", bet=10)) == (
        "a dealer card is missing: 0 of 5 are given and a live wager needs the next"
    )


@pytest.mark.parametrize(
    ("spots", "code"),
    [
        ((1,), None),
        ((1, 2), None),
        ((2, 1), None),
        ((5, 6), None),
        ((1, 3), Code.SPOTS_APART),
        ((2, 5), Code.SPOTS_APART),
        ((1, 6), Code.SPOTS_APART),
        ((6, 1), Code.SPOTS_APART),
        ((1, 2, 3), Code.TOO_MANY_SPOTS),
        ((3, 2, 4), Code.TOO_MANY_SPOTS),
    ],
)
def test_mhl_15_one_or_two_spots_next_to_each_other(
    spots: tuple[int, ...], code: Code | None
) -> None:
    *first, last = (Wager(number, "ann", "bet", cents(5)) for number in spots)
    round = do(open_round(MHL), *first)
    if code is None:
        assert len(do(round, last, Close()).seats) == len(spots)
    else:
        assert (expect_refusal(round, last).code, expect_refusal(round, last).clause) == (
            code,
            "MHL-15",
        )


def test_mhl_15_another_player_may_sit_between() -> None:
    round = do(
        open_round(MHL),
        Wager(1, "ann", "bet", cents(5)),
        Wager(2, "bob", "bet", cents(5)),
        Wager(3, "cyd", "bet", cents(5)),
    )
    assert expect_refusal(round, Wager(2, "ann", "bet", cents(5))).code is Code.SEAT_TAKEN
    assert expect_refusal(round, Wager(4, "bob", "bet", cents(5))).code is Code.SPOTS_APART
    do(round, Wager(4, "cyd", "bet", cents(5)))


def test_mhl_15_both_hands_may_be_seen_before_declaring() -> None:
    spots = [seat(n, bet=5, player="ann") for n in (1, 2)]
    round = deal_round(MHL, *spots)
    for place, cards_text in ((1, "2c 3d 4h"), (2, "9c 9d 9h")):
        round = do(round, *(turn(place, card_text) for card_text in cards_text.split()))
    assert round.waiting == (1, 2)
    round = board(do(round, Decide(2, "high"), Decide(1, "low")), DEALER)
    assert nets(settle_round(round)) == {1: "5.00", 2: "5.00"}
    assert hi_lo_sheet().declare.sees_all_spots is not None


@pytest.mark.parametrize(("meet", "code"), [(False, Code.SPOTS_APART), (True, None)])
def test_mhl_15_a_house_may_let_the_ends_of_the_layout_meet(meet: bool, code: Code | None) -> None:
    sheet_with_ends = with_field(MHL, "seats.ends_meet", meet)
    round = do(open_round(sheet_with_ends), Wager(1, "ann", "bet", cents(5)))
    last = Wager(6, "ann", "bet", cents(5))
    if code is None:
        do(round, last)
    else:
        assert expect_refusal(round, last).code is code
    assert expect_refusal(round, Wager(5, "ann", "bet", cents(5))).code is Code.SPOTS_APART


def test_mhl_15_a_house_may_allow_spots_anywhere() -> None:
    round = do(
        open_round(with_field(MHL, "seats.adjacent", False)), Wager(1, "ann", "bet", cents(5))
    )
    do(round, Wager(4, "ann", "bet", cents(5)))
    unsaid = MHL.model_copy(update={"seats": MHL.seats.model_copy(update={"adjacent": None})})
    round = do(open_round(unsaid), Wager(1, "ann", "bet", cents(5)))
    do(round, Wager(4, "ann", "bet", cents(5)))


def test_mhl_16_cards_off_the_table_are_warned_and_recorded() -> None:
    round = deal_round(MHL, seat(1, "2c 3d 4h", bet=5))
    warned = do(round, Warn(1, "cards held below the table"))
    assert replace(warned, notes=()) == round
    assert notes(warned) == [("seat 1 warned: cards held below the table", "MHL-16")]
    # No such rule here.
    assert expect_refusal(round, VoidHand(1, "information")).code is Code.NO_RULE
    void = settle_round(do(warned, VoidHand(1, "supervisor")))
    assert all_returned(void)


def test_mhl_16_a_house_may_void_the_hand() -> None:
    house = with_field(MHL, "irregularities.cards_off_table", "void")
    round = do(
        deal_round(house, seat(1, "2c 3d 4h", bet=5, poker_bonus=1)), Warn(1, "off the table")
    )
    assert all_returned(settle_round(round))
    assert {wager_line.clause for wager_line in hand(settle_round(round), 1).lines} == {"MHL-16"}
    silent = with_field(MHL, "irregularities.cards_off_table", house_choice("warn"))
    assert do(deal_round(silent, seat(1, bet=5)), Warn(1, "off the table")).phase == "play"
