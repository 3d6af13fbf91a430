"""Three games without code of their own play whole rounds from their sheets."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from tests.clauses.one_line_rounds import (
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
    round_document,
    seat,
    seat_at,
    settle_round,
    turn,
    wins,
)

import pitbook
from pitbook.rules import stored_rounds
from pitbook.rules.actions import BOARD, Absent, Deal, Decide, Settle, VoidHand, Wager
from pitbook.rules.game import compile_game
from pitbook.rules.refusals import Code
from pitbook.rules.round import open_round

FOLDER = Path(__file__).parents[1] / "sheets" / "unusual"
THREE_HOLE_CARDS = pitbook.load(str(FOLDER / "three-hole-cards.toml"))
BETS_WITHDRAWN = pitbook.load(str(FOLDER / "bets-withdrawn.toml"))
FOUR_CARD_HI_LO = pitbook.load(str(FOLDER / "four-card-hi-lo.toml"))


# Three hole cards, one street of two cards: fold, or 1x to 4x ------------------------------------


def test_three_hole_cards_are_dealt_one_at_a_time() -> None:
    round = close_bets(THREE_HOLE_CARDS, seat(4, ante=5), seat(1, ante=5))
    assert round.to_deal == (1, 4, 1, 4, 1, 4, BOARD, BOARD)


def test_three_hole_cards_a_whole_round() -> None:
    quads = seat(1, "9c 9d 9h", "4x", ante=10, trio=5)
    folded = seat(2, "5h 6h 7h", "fold", ante=5, trio=1)
    nothing = seat(5, "Ks Qd 4c", "1x", ante=100)
    round = play_round(THREE_HOLE_CARDS, "9s 2c", quads, folded, nothing)
    # 25 to 1 on 10 and 40, 30 to 1 on the trio of 5.
    assert wins(round, 1) == {"ante": "250.00", "play": "1000.00", "trio": "150.00"}
    # The ante is lost, the trio stays: a straight flush, 40 to 1.
    assert results(round, 2) == {"ante": "lose", "trio": "win"}
    assert nets(round) == {1: "1400.00", 2: "35.00", 5: "-200.00"}
    assert pitbook.settle(
        round_document(THREE_HOLE_CARDS, "9s 2c", quads)
        | {"sheet": str(FOLDER / "three-hole-cards.toml")}
    ).document()


@pytest.mark.parametrize(
    ("play", "stake"), [("0x", None), ("1x", 5), ("2x", 10), ("3x", 15), ("4x", 20), ("5x", None)]
)
def test_three_hole_cards_one_to_four_times_the_ante(play: str, stake: int | None) -> None:
    round = deal_round(THREE_HOLE_CARDS, seat(1, ante=5))
    if stake is None:
        assert expect_refusal(round, Decide(1, play)).clause == "UNU-5"
    else:
        assert seat_at(do(round, Decide(1, play)), 1).main[-1] == ("play", cents(stake))


def test_three_hole_cards_both_community_cards_come_after_the_one_decision() -> None:
    round = do(deal_round(THREE_HOLE_CARDS, seat(1, "Jc Jd 2h", ante=5)), Decide(1, "1x"))
    round = board(round, "4s")
    assert round.phase == "play"
    assert nets(settle_round(board(round, "7c"))) == {1: "10.00"}


def test_three_hole_cards_the_trio_is_settled_first_and_left_to_right() -> None:
    seats = [seat(1, ante=5, trio=1), seat(2, ante=5), seat(3, ante=5, trio=1)]
    round = board(do(deal_round(THREE_HOLE_CARDS, *seats), *decide("1x", 1, 2, 3)), "4s 7c")
    assert round.to_settle == (
        (1, ("trio",)),
        (3, ("trio",)),
        (1, ("main",)),
        (2, ("main",)),
        (3, ("main",)),
    )
    assert expect_refusal(round, Settle()).code is Code.CARDS_UNKNOWN  # The trio looks at the hand.


def test_three_hole_cards_if_all_fold_the_board_stays_closed_and_the_trio_plays() -> None:
    round = do(deal_round(THREE_HOLE_CARDS, seat(1, "8c 8d 2h", ante=5, trio=1)), Decide(1, "fold"))
    assert compile_game(THREE_HOLE_CARDS).tucked_under(seat_at(round, 1)) == "trio"
    assert round.phase == "settle"
    assert nets(settle_round(round)) == {1: "-4.00"}
    assert refusal_text(THREE_HOLE_CARDS, "", seat(1, None, "fold", ante=5, trio=1)) == (
        "seat 1 has no cards, and a live wager looks at them"
    )


@pytest.mark.parametrize(
    ("ante", "play", "paid", "capped"),
    [
        (50, "3x", "50000.00", False),  # 200 at 250 to 1: the cap exactly.
        (55, "3x", "50000.00", True),
        (45, "3x", "45000.00", False),
    ],
)
def test_three_hole_cards_a_hand_is_paid_50_000_at_most(
    ante: int, play: str, paid: str, capped: bool
) -> None:
    round = play_round(THREE_HOLE_CARDS, "Js Ts", seat(1, "As Ks Qs", play, ante=ante))
    assert (nets(round), bool(applied_caps(round))) == ({1: paid}, capped)


def test_three_hole_cards_the_cap_is_shared_over_main_and_trio() -> None:
    round = play_round(THREE_HOLE_CARDS, "Js Ts", seat(1, "As Ks Qs", "4x", ante=100, trio=50))
    # Due 25,000 + 100,000 + 2,000 = 127,000; in cents 984,251.97 / 3,937,007.87 / 78,740.16.
    assert applied_caps(round) == [("UNU-10", "127000.00", "50000.00", 1)]
    assert wins(round, 1) == {"ante": "9842.52", "play": "39370.08", "trio": "787.40"}


def test_three_hole_cards_information_returns_the_wagers_in_this_house() -> None:
    round = do(deal_round(THREE_HOLE_CARDS, seat(1, ante=5, trio=1)), VoidHand(1, "information"))
    assert all_returned(settle_round(round))
    assert {wager_line.clause for wager_line in hand(settle_round(round), 1).lines} == {"UNU-12"}


@pytest.mark.parametrize(
    ("amount", "code"),
    [
        (4, Code.BELOW_MINIMUM),
        (5, None),
        (6, Code.NOT_A_STEP),
        (100, None),
        (105, Code.ABOVE_MAXIMUM),
    ],
)
def test_three_hole_cards_antes_are_in_increments_of_five(amount: int, code: Code | None) -> None:
    action = Wager(1, "ann", "ante", cents(amount))
    if code is None:
        do(open_round(THREE_HOLE_CARDS), action)
    else:
        assert expect_refusal(open_round(THREE_HOLE_CARDS), action).code is code
    assert (
        expect_refusal(open_round(THREE_HOLE_CARDS), Wager(6, "ann", "ante", cents(5))).code
        is Code.UNKNOWN_SEAT
    )


@pytest.mark.parametrize("cards_text", ["9c 9d", "9c 9d 9h 2s"])
def test_three_hole_cards_two_or_four_cards_are_a_misdeal(cards_text: str) -> None:
    round = play_round(THREE_HOLE_CARDS, "9s 2c", seat(1, cards_text, "1x", ante=5))
    assert all_returned(round)
    assert notes(round)[0][1] == "UNU-11"


# Bets that may be withdrawn: 0x or 1x, no fold


@pytest.mark.parametrize(
    ("plays", "stakes", "net"),
    [
        ("0x 0x", {"ante": 1000}, "10.00"),
        ("1x 0x", {"ante": 1000, "bet-1": 1000}, "20.00"),
        ("0x 1x", {"ante": 1000, "bet-2": 1000}, "20.00"),
        ("1x 1x", {"ante": 1000, "bet-1": 1000, "bet-2": 1000}, "30.00"),
    ],
)
def test_bets_withdrawn_are_neither_won_nor_lost(
    plays: str, stakes: dict[str, int], net: str
) -> None:
    tens = play_round(BETS_WITHDRAWN, "4s 7c", seat(1, "Tc Td 2h", plays, ante=10))
    assert {wager_line.wager: wager_line.stake for wager_line in hand(tens, 1).lines} == stakes
    assert nets(tens) == {1: net}
    nines = play_round(BETS_WITHDRAWN, "4s 7c", seat(1, "9c 9d 2h", plays, ante=10))
    assert nets(nines) == {1: f"-{net}"}


def test_bets_withdrawn_has_no_fold() -> None:
    round = deal_round(BETS_WITHDRAWN, seat(7, ante=5))
    assert expect_refusal(round, Decide(7, "fold")).code is Code.UNKNOWN_PLAY
    assert expect_refusal(round, Decide(7, "2x")).code is Code.ABOVE_MAXIMUM
    assert (
        expect_refusal(open_round(BETS_WITHDRAWN), Wager(8, "ann", "ante", cents(5))).code
        is Code.UNKNOWN_SEAT
    )


def test_bets_withdrawn_an_absent_players_bets_are_returned() -> None:
    round = do(deal_round(BETS_WITHDRAWN, seat(1, "Ac Ad 2h", ante=5)), Absent(1))
    round = do(board(round, "4s"), Absent(1))
    assert nets(settle_round(board(round, "7c"))) == {1: "5.00"}
    assert notes(round) == [("seat 1 was absent: 0x", "UNU-12")] * 2


def test_bets_withdrawn_a_whole_round_with_the_bonus_on_the_hole_cards() -> None:
    royal = seat(1, "As Ks Qs", "1x 1x", ante=200, three_card_bonus=25)
    trips = seat(2, "8c 8d 8h", "1x 0x", ante=5, three_card_bonus=1)
    loser = seat(3, "2c 5d 9h", "0x 0x", ante=5, three_card_bonus=1)
    round = play_round(BETS_WITHDRAWN, "Js Ts", royal, trips, loser)
    # 1,000 to 1 on 600 and 40 to 1 on 25; 3 to 1 on 10 and 30 to 1 on 1. There is no cap.
    assert nets(round) == {1: "601000.00", 2: "60.00", 3: "-6.00"}
    assert applied_caps(round) == []


# Hi-lo from two decks with four cards a player ----------------------------------------------------

SEVEN = "2c 3d 4h 5s 8c 9d Td"  # Low 2 + 3 + 4 + 5 = 14, shared 5, high 5 + 8 + 9 + 10 = 32.


def test_four_card_hi_lo_the_dealer_is_dealt_first() -> None:
    round = close_bets(FOUR_CARD_HI_LO, seat(2, bet=10), seat(1, bet=10))
    assert round.to_deal == (*[BOARD] * 7, 1, 1, 1, 1, 2, 2, 2, 2)
    assert expect_refusal(round, Deal(1)).clause == "UNU-4"


@pytest.mark.parametrize(
    ("held", "play", "dealer", "net"),
    [
        ("2d 3c 4s 4c", "low", SEVEN, "20.00"),  # 13 against 14, at 2 to 1.
        ("2d 3c 4s 5c", "low", SEVEN, "-10.00"),  # 14: the dealer wins ties.
        ("9c 9s 8d 7d", "high", SEVEN, "20.00"),  # 33 against 32.
        ("9c 9s 7d 7c", "high", SEVEN, "-10.00"),  # 32.
        # An ace in the low hand is not shared here: low 10, high 4 + 8 + 9 + 10 = 31.
        ("2s 3c 4c Kd", "low", "Ac 2d 3h 4s 8c 9d Td", "20.00"),  # 9.
        ("9c 9s 7d 7c", "high", "Ac 2d 3h 4s 8c 9d Td", "20.00"),  # 32.
        ("9c 8s 7d 7c", "high", "Ac 2d 3h 4s 8c 9d Td", "-10.00"),  # 31.
        ("As Ad Ts Kd", "high", "Ac 2d 3h 4s 8c 9d Td", "20.00"),  # 11 + 11 + 10 = 32.
    ],
)
def test_four_card_hi_lo_totals(held: str, play: str, dealer: str, net: str) -> None:
    assert nets(play_round(FOUR_CARD_HI_LO, dealer, seat(1, held, play, bet=10))) == {1: net}


def test_four_card_hi_lo_has_no_double() -> None:
    round = deal_round(FOUR_CARD_HI_LO, seat(1, bet=10))
    assert expect_refusal(round, Decide(1, "low+double")).code is Code.UNKNOWN_PLAY
    do(round, Decide(1, "low"))


@pytest.mark.parametrize(("held", "declared"), [("5c 5d Td Kh", "low"), ("5c 6d Td Kh", "high")])
def test_four_card_hi_lo_an_absent_hand_is_high_from_21_points(held: str, declared: str) -> None:
    assert seat_at(do(deal_round(FOUR_CARD_HI_LO, seat(1, held, bet=10)), Absent(1)), 1).plays == (
        declared,
    )


@pytest.mark.parametrize(
    ("dealer", "count", "paid"),
    [
        ("2c 2d 3c 3d 4c 4d 5c", 7, "500.00"),
        ("2c 2d 3c 3d 4c 4d 6c", 6, "50.00"),
        ("2c 2d 3c 3d 4c 7d 6c", 5, "15.00"),
        ("2c 2d 3c 3d 8c 7d 6c", 4, "4.00"),
        ("2c 2d 3c 9d 8c 7d 6c", 3, "1.00"),
        ("2c 2d Tc 9d 8c 7d 6c", 2, "0.00"),
    ],
)
def test_four_card_hi_lo_matches(dealer: str, count: int, paid: str) -> None:
    round = play_round(FOUR_CARD_HI_LO, dealer, seat(1, "2h 3h 4h 5h", "low", bet=10, match=1))
    assert wins(round, 1)["match"] == paid
    assert line(round, 1, "match").outcome == (f"match-{count}" if count > 2 else "nothing")


@pytest.mark.parametrize(
    ("stakes", "paid"),
    [
        ((20, 19), ["10000.00", "9500.00"]),
        ((20, 20), ["10000.00", "10000.00"]),  # The cap exactly.
        ((20, 21), ["9756.10", "10243.90"]),  # 20,000 in the ratio 20 : 21.
        ((25, 25), ["10000.00", "10000.00"]),
    ],
)
def test_four_card_hi_lo_seven_matches_are_paid_20_000_a_round(
    stakes: tuple[int, int], paid: list[str]
) -> None:
    first = seat(1, "2h 3h 4h 5h", "low", bet=10, match=stakes[0])
    second = seat(2, "2s 3s 4s 5s", "low", bet=10, match=stakes[1])
    round = play_round(FOUR_CARD_HI_LO, "2c 2d 3c 3d 4c 4d 5c", first, second)
    assert [wins(round, number)["match"] for number in (1, 2)] == paid


def test_four_card_hi_lo_two_decks_hold_a_card_twice() -> None:
    pair_seat = seat(1, "2h 2h 4h 5h", "low", bet=10)
    assert play_round(FOUR_CARD_HI_LO, SEVEN, pair_seat).ending == "settled"
    assert refusal_text(FOUR_CARD_HI_LO, SEVEN, seat(1, "2c 2c 4h 5h", "low", bet=10)) == (
        "2c appears 3 times; 2 decks have 2 (GEN-9)"
    )
    round = deal_round(FOUR_CARD_HI_LO, seat(1, "2h 2h", bet=10))
    assert expect_refusal(round, turn(1, "2h")).code is Code.NO_SUCH_CARD


@pytest.mark.parametrize(
    ("held", "dealer"), [("2d 3c 4s", SEVEN), ("2d 3c 4s 5c 6c", SEVEN), ("2d 3c 4s 5c", "2c 3d")]
)
def test_four_card_hi_lo_a_wrong_number_of_cards_is_a_misdeal(held: str, dealer: str) -> None:
    assert all_returned(play_round(FOUR_CARD_HI_LO, dealer, seat(1, held, "low", bet=10)))


def test_four_card_hi_lo_settles_left_to_right_main_before_matches() -> None:
    round = deal_round(
        FOUR_CARD_HI_LO, seat(1, "2h 3h 4h 5h", bet=10, match=1), seat(2, "2s 3s 4s 5s", bet=10)
    )
    round = board(do(round, *decide("low", 1, 2)), SEVEN)
    assert round.to_settle == ((1, ("main",)), (2, ("main",)), (1, ("match",)))


@pytest.mark.parametrize("name", ["three-hole-cards", "bets-withdrawn", "four-card-hi-lo"])
def test_an_unusual_round_is_stored_and_replayed_like_any_other(name: str) -> None:
    sheet = {
        "three-hole-cards": THREE_HOLE_CARDS,
        "bets-withdrawn": BETS_WITHDRAWN,
        "four-card-hi-lo": FOUR_CARD_HI_LO,
    }[name]
    main = "bet" if sheet is FOUR_CARD_HI_LO else "ante"
    actions = [Wager(1, "ann", main, cents(10))]
    round = do(open_round(sheet), *actions)
    document = stored_rounds.store(round, actions)
    assert replace(stored_rounds.replay_stored(document), game=round.game) == round
