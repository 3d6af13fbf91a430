"""CMS: Mississippi Stud, Catfish Bend Casino II. Pay tables and the cap are in test_cms_pays."""

from __future__ import annotations

import datetime
from dataclasses import replace

import pytest
from tests.clauses.one_line_rounds import (
    CMS,
    all_returned,
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
    nets,
    notes,
    play_document,
    play_round,
    refusal_text,
    results,
    round_document,
    seat,
    seat_at,
    settle_round,
    turn,
    wins,
    without_fields,
)

import pitbook
from pitbook.errors import RoundError, SheetUnknown
from pitbook.rules.actions import BOARD, Close, Deal, Decide, Settle, VoidHand, Wager, Warn
from pitbook.rules.game import compile_game
from pitbook.rules.refusals import Code
from pitbook.rules.round import open_round

BONUS = "three-card-bonus"


def test_cms_1_hands_play_against_the_pay_table_only() -> None:
    # Both beat the pay table; the better hand has no advantage over the other.
    aces = seat(1, "Ac Ad", "1x 1x 1x", ante=10)
    kings = seat(2, "Kc Kd", "1x 1x 1x", ante=10)
    assert nets(play_round(CMS, "2h 4s Tc", aces, kings)) == {1: "40.00", 2: "40.00"}
    file = round_document(CMS, "", aces) | {"dealer": ["2h", "4s", "Tc"]}
    with pytest.raises(RoundError, match="no place in this game"):
        play_document(without_fields(["community"], file), CMS)


@pytest.mark.parametrize(
    ("wager", "amount", "code"),
    [
        ("ante", "4", Code.BELOW_MINIMUM),
        ("ante", "4.99", Code.BELOW_MINIMUM),
        ("ante", "5", None),
        ("ante", "6", None),
        ("ante", "499", None),
        ("ante", "500", None),
        ("ante", "500.01", Code.ABOVE_MAXIMUM),
        ("ante", "501", Code.ABOVE_MAXIMUM),
        (BONUS, "0", Code.BELOW_MINIMUM),
        (BONUS, "0.99", Code.BELOW_MINIMUM),
        (BONUS, "1", None),
        (BONUS, "2", None),
        (BONUS, "99", None),
        (BONUS, "100", None),
        (BONUS, "100.01", Code.ABOVE_MAXIMUM),
        (BONUS, "101", Code.ABOVE_MAXIMUM),
    ],
)
def test_cms_2_ante_of_5_to_500_and_bonus_of_1_to_100(
    wager: str, amount: str, code: Code | None
) -> None:
    round = open_round(CMS) if wager == "ante" else bet(open_round(CMS), seat(1, ante=5))
    action = Wager(1, "p1", wager, cents(amount))
    if code is None:
        assert dict(seat_at(do(round, action), 1).stakes)[wager] == cents(amount)
    else:
        assert (expect_refusal(round, action).code, expect_refusal(round, action).clause) == (
            code,
            "CMS-2",
        )


def test_cms_2_the_ante_is_required_and_the_bonus_is_not() -> None:
    assert (
        expect_refusal(open_round(CMS), Wager(1, "ann", BONUS, cents(5))).code is Code.NO_MAIN_WAGER
    )
    assert do(bet(open_round(CMS), seat(1, ante=5)), Close()).phase == "deal"


@pytest.mark.parametrize(("number", "exists"), [(0, False), (1, True), (6, True), (7, False)])
def test_cms_2_there_are_six_seats(number: int, exists: bool) -> None:
    action = Wager(number, "ann", "ante", cents(5))
    if exists:
        assert seat_at(do(open_round(CMS), action), number).player == "ann"
    else:
        assert (expect_refusal(open_round(CMS), action).code, CMS.seats.clause) == (
            Code.UNKNOWN_SEAT,
            "CMS-2",
        )


def test_cms_2_six_players_play_at_once() -> None:
    round = close_bets(CMS, *(seat(number, ante=5) for number in range(1, 7)))
    assert len(round.to_deal) == 3 + 6 * 2


def test_cms_3_one_deck_from_a_shuffler_and_no_game_without_it() -> None:
    deck = CMS.deck
    assert (deck.decks, deck.shuffle, deck.fallback.value) == (1, "automatic", "no-game")
    assert (deck.fresh.value, deck.clause) == ("each-round", "CMS-3")
    round = deal_round(CMS, seat(1, "As Ks", ante=5), seat(2, ante=5))
    assert expect_refusal(round, turn(2, "As")).code is Code.NO_SUCH_CARD


def test_cms_4_the_board_is_dealt_first_then_two_cards_to_each_left_to_right() -> None:
    round = close_bets(CMS, seat(5, ante=5), seat(1, ante=5), seat(3, ante=5))
    assert round.to_deal == (BOARD, BOARD, BOARD, 1, 1, 3, 3, 5, 5)
    refusal = expect_refusal(round, Deal(1))
    assert (refusal.code, refusal.clause) == (Code.DEAL_ORDER, "CMS-4")
    assert str(refusal) == "The next card goes to the community cards (CMS-4)"
    round = do(round, *map(Deal, round.to_deal))
    assert (round.board_laid, round.board) == (3, ())
    assert [played_seat.cards_dealt for played_seat in round.seats] == [2, 2, 2]


@pytest.mark.parametrize("street", [0, 1, 2])
@pytest.mark.parametrize(
    ("play", "units"),
    [("0x", None), ("1x", 1), ("2x", 2), ("3x", 3), ("4x", None), ("1.5x", None), ("raise", None)],
)
def test_cms_5_each_street_is_1x_2x_or_3x_the_ante(
    street: int, play: str, units: int | None
) -> None:
    round = deal_round(CMS, seat(1, ante=25))
    for turned in ("2h", "4s")[:street]:
        round = board(do(round, Decide(1, "1x")), turned)
    if units is None:
        assert expect_refusal(round, Decide(1, play)).clause == "CMS-5"
    else:
        bets = seat_at(do(round, Decide(1, play)), 1).main
        assert bets[-1] == (("flop", "turn", "river")[street], cents(25 * units))


@pytest.mark.parametrize(
    ("plays", "lost"),
    [
        ("fold", "-10.00"),
        ("1x fold", "-20.00"),
        ("3x fold", "-40.00"),
        ("1x 1x fold", "-30.00"),
        ("3x 2x fold", "-60.00"),
        ("3x 3x fold", "-70.00"),
        ("3x 3x 3x", "-100.00"),
    ],
)
def test_cms_6_a_fold_loses_the_bets_made_so_far(plays: str, lost: str) -> None:
    round = play_round(CMS, "2h 4s Tc", seat(1, "7c 9d", plays, ante=10))
    assert nets(round) == {1: lost}
    if "fold" in plays:
        assert {(wager_line.outcome, wager_line.clause) for wager_line in hand(round, 1).lines} == {
            ("fold", "CMS-6")
        }


def test_cms_6_a_folded_seat_cannot_play() -> None:
    round = do(deal_round(CMS, seat(1, ante=5), seat(2, ante=5)), Decide(1, "fold"))
    assert expect_refusal(round, Decide(1, "1x")).code is Code.ALREADY_FOLDED
    round = board(do(round, Decide(2, "1x")), "2h")
    assert round.waiting == (2,)
    assert expect_refusal(round, Decide(1, "1x")).code is Code.ALREADY_FOLDED


def test_cms_7_one_card_is_turned_when_everyone_still_in_has_decided() -> None:
    round = deal_round(CMS, seat(1, ante=5), seat(2, ante=5), seat(3, ante=5))
    for number, turned in enumerate(("2h", "4s", "Tc"), start=1):
        for decided in (3, 1):  # In any order: no decision depends on another.
            assert expect_refusal(round, turn(BOARD, turned)).code is Code.NOT_NOW
            round = do(round, Decide(decided, "1x"))
            assert expect_refusal(round, Decide(decided, "1x")).code is Code.ALREADY_DECIDED
        assert str(expect_refusal(round, turn(BOARD, turned))) == "Seat 2 still has to act."
        round = board(do(round, Decide(2, "1x")), turned)
        assert len(round.board) == number
    assert round.phase == "settle"


def test_cms_7_no_decision_before_the_card_is_turned() -> None:
    round = do(deal_round(CMS, seat(1, ante=5)), Decide(1, "1x"))
    assert expect_refusal(round, Decide(1, "1x")).code is Code.ALREADY_DECIDED
    assert expect_refusal(close_bets(CMS, seat(1, ante=5)), Decide(1, "1x")).code is Code.NOT_NOW


def test_cms_8_settlement_runs_right_to_left_main_wagers_before_the_bonus() -> None:
    seats = [seat(number, ante=5, three_card_bonus=1) for number in (1, 3, 6)]
    round = do(deal_round(CMS, *seats), *decide("fold", 1, 3, 6))
    round = board(round, "2h 4s Tc")
    assert round.to_settle == ((6, ("main", BONUS)), (3, ("main", BONUS)), (1, ("main", BONUS)))
    assert [wager_line.wager for wager_line in hand(settle_round(round), 6).lines] == [
        "ante",
        BONUS,
    ]


def test_cms_8_a_hand_is_opened_before_it_is_settled() -> None:
    round = do(deal_round(CMS, seat(1, ante=5)), Decide(1, "1x"))
    for turned in ("2h", "4s"):
        round = do(board(round, turned), Decide(1, "1x"))
    round = board(round, "Tc")
    refusal = expect_refusal(round, Settle())
    assert (refusal.code, refusal.clause) == (Code.CARDS_UNKNOWN, "CMS-8")
    round = do(round, turn(1, "Jc"))
    assert expect_refusal(round, Settle()).code is Code.CARDS_UNKNOWN
    assert nets(do(round, turn(1, "Jd"), Settle())) == {1: "20.00"}


def test_cms_11_the_bonus_has_action_after_a_fold() -> None:
    round = play_round(CMS, "7s 7d 8c", seat(1, None, "fold", ante=10, three_card_bonus=5))
    assert results(round, 1) == {"ante": "lose", BONUS: "win"}
    assert nets(round) == {1: "-5.00"}


@pytest.mark.parametrize("street", [0, 1, 2])
def test_cms_11_the_folded_cards_are_tucked_under_the_bonus(street: int) -> None:
    game = compile_game(CMS)
    with_bonus, without_bonus = seat(1, ante=5, three_card_bonus=1), seat(2, ante=5)
    round = deal_round(CMS, with_bonus, without_bonus)
    assert game.tucked_under(seat_at(round, 1)) is None
    for turned in ("2h", "4s")[:street]:
        round = board(do(round, *decide("1x", 1, 2)), turned)
    round = do(round, *decide("fold", 1, 2))
    assert game.tucked_under(seat_at(round, 1)) == BONUS
    assert game.tucked_under(seat_at(round, 2)) is None


def test_cms_13_a_wrong_number_of_cards_voids_all_hands() -> None:
    good = seat(2, "As Ks", "3x 3x 3x", ante=500, three_card_bonus=100)
    for cards_text, count in (("", 0), ("7c", 1), ("7c 9d 2s", 3)):
        round = play_round(CMS, "Qs Js Ts", seat(1, cards_text, "1x 1x 1x", ante=10), good)
        assert all_returned(round)
        assert notes(round) == [(f"misdeal: cards at seat 1: {count} instead of 2", "CMS-13")]


def test_cms_13_the_board_counts_as_the_dealers_hand() -> None:
    round = play_round(CMS, "Qs Js Ts 9s", seat(1, "As Ks", "3x 3x 3x", ante=500))
    assert all_returned(round)
    assert notes(round) == [("misdeal: community cards: 4 instead of 3", "CMS-13")]


def test_cms_14_one_hand_per_player_and_one_player_per_position() -> None:
    round = do(open_round(CMS), Wager(1, "ann", "ante", cents(5)))
    second = expect_refusal(round, Wager(2, "ann", "ante", cents(5)))
    assert (second.code, second.clause) == (Code.TOO_MANY_SPOTS, "CMS-14")
    taken = expect_refusal(round, Wager(1, "bob", BONUS, cents(5)))
    assert (taken.code, taken.clause) == (Code.SEAT_TAKEN, "CMS-14")
    do(round, Wager(2, "bob", "ante", cents(5)))


def test_cms_15_cards_off_the_table_are_warned_and_recorded() -> None:
    round = deal_round(CMS, seat(1, "Jc Jd", ante=5))
    warned = do(round, Warn(1, "cards off the table"))
    assert replace(warned, notes=()) == round
    assert notes(warned) == [("seat 1 warned: cards off the table", "CMS-15")]
    void = do(warned, VoidHand(1, "supervisor"))
    assert all_returned(settle_round(void))


def test_cms_16_information_voids_the_hand_and_forfeits_every_wager_on_it() -> None:
    giver = seat(1, "As Ks", "3x 3x 3x", ante=10, three_card_bonus=5)
    taker = seat(2, "9c 9d", "1x fold", ante=20, three_card_bonus=5)
    third = seat(3, "Ac Ad", "1x 1x 1x", ante=10, three_card_bonus=5)
    voided = [{"seat": number, "reason": "information"} for number in (1, 2)]
    round = play_round(CMS, "Qs Js Ts", giver, taker, third, voided=voided)
    assert nets(round) == {1: "-105.00", 2: "-45.00", 3: "240.00"}
    lines = [*hand(round, 1).lines, *hand(round, 2).lines]
    assert {(wager_line.result, wager_line.outcome, wager_line.clause) for wager_line in lines} == {
        ("forfeit", None, "CMS-16")
    }
    assert line(round, 3, BONUS).result == "win"


def test_cms_16_a_void_hand_has_no_further_decisions() -> None:
    round = do(deal_round(CMS, seat(1, ante=5), seat(2, ante=5)), VoidHand(1, "information"))
    assert round.waiting == (2,)
    assert expect_refusal(round, Decide(1, "1x")).code is Code.ALREADY_VOID
    assert expect_refusal(round, VoidHand(1, "supervisor")).code is Code.ALREADY_VOID
    assert expect_refusal(round, VoidHand(5, "information")).code is Code.UNKNOWN_SEAT
    round = do(round, VoidHand(2, "information"))
    assert nets(settle_round(round)) == {1: "-5.00", 2: "-5.00"}


@pytest.mark.parametrize(
    ("day", "in_force"),
    [
        (datetime.date(2018, 3, 11), False),
        (datetime.date(2018, 3, 12), True),
        (datetime.date(2018, 3, 13), True),
    ],
)
def test_cms_17_the_sheet_carries_its_approval_and_holds_from_that_day(
    day: datetime.date, in_force: bool
) -> None:
    approval = CMS.house.approval
    assert approval is not None
    assert approval.by == "Iowa Racing and Gaming Commission"
    assert (approval.on, approval.clause) == (datetime.date(2018, 3, 12), "CMS-17")
    if in_force:
        assert pitbook.load(CMS.id, day) == CMS
    else:
        with pytest.raises(SheetUnknown, match="effective from 2018-03-12"):
            pitbook.load(CMS.id, day)


def test_cms_10_the_bonus_depends_on_the_board_only() -> None:
    # The player's own nines make four of a kind with the board; the bonus sees a pair.
    round = play_round(CMS, "9h 9s 2c", seat(1, "9c 9d", "1x 1x 1x", ante=5, three_card_bonus=5))
    assert wins(round, 1)[BONUS] == "5.00"
    assert wins(round, 1)["ante"] == "200.00"
    assert refusal_text(CMS, "9h 9s", seat(1, None, "fold", ante=5, three_card_bonus=5)) == (
        "a community card is missing: 2 of 3 are given and a live wager needs the next"
    )
