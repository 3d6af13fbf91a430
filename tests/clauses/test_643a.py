"""58 Pa. Code 643a: Let It Ride Poker."""

from __future__ import annotations

import pytest
from tests.clauses.dealer_hands import lines, nets, play_round, start_table
from tests.clauses.example_hands import THREE_CARDS
from tests.clauses.one_line_rounds import do, expect_refusal, load

import pitbook
from pitbook.cards import cards
from pitbook.money import Cents
from pitbook.rules.actions import BOARD, Absent, Close, Deal, Decide, Fouled, Misdeal, Turn, Wager
from pitbook.rules.refusals import Code
from pitbook.rules.round import open_round
from pitbook.shoe.packs import next_pack

RIDE = "pennsylvania/let-it-ride"
HANDS = ("As Kd 2h", "Qs Jd 3h", "9s 8d 6h")  # No paying hand.


def test_643a_2_six_places_and_a_layout_with_its_odds() -> None:
    sheet = load(RIDE)
    assert sheet.seats.count == 6
    assert sheet.equipment is not None
    assert sheet.equipment.odds_printed
    assert expect_refusal(open_round(sheet), Wager(7, "ann", "ante", Cents(500))).clause == "643a.2"


def test_643a_3_two_decks_alternate() -> None:
    first = next_pack(load(RIDE), None)
    assert (first, next_pack(load(RIDE), 1)) == ((1, "643a.3"), (2, "643a.3"))
    assert next_pack(load(RIDE), 2) == first


@pytest.mark.parametrize(
    ("hand", "board", "odds"),
    [
        ("As 2d 3h", "4c 5s", "5:1"),  # The ace is low,
        ("As Kd Qh", "Jc Ts", "5:1"),  # or high,
        ("Ks Ad 2h", "3c 4s", None),  # and never in the middle.
    ],
)
def test_643a_6_an_ace_ends_a_straight(hand: str, board: str, odds: str | None) -> None:
    paid_odds = lines(play_round(RIDE, hand, "", board, "pull pull", ante=5))["ante"].odds
    assert (str(paid_odds) if paid_odds else None) == odds


def test_643a_7_three_bets_of_one_size() -> None:
    table = start_table(RIDE, "As Kd 2h", board="4c 5s", ante=25)
    (seat,) = table.round.seats
    assert seat.main == (("ante", 2500), ("bet-1", 2500), ("bet-2", 2500))
    titles = [table.round.game.wager_title(wager) for wager, _ in seat.main]
    assert titles == ["3rd Bet", "1st Bet", "2nd Bet"]


@pytest.mark.parametrize(
    ("wager", "amount", "code"),
    [
        ("ante", 499, Code.BELOW_MINIMUM),
        ("ante", 500, None),
        ("ante", 550, Code.NOT_A_STEP),
        ("ante", 50_000, None),
        ("ante", 50_100, Code.ABOVE_MAXIMUM),
        ("bet-1", 500, Code.UNKNOWN_WAGER),  # Placed with the main one.
        ("three-card-bonus", 500, Code.NO_MAIN_WAGER),
    ],
)
def test_643a_7_wager_limits_and_required_ante(wager: str, amount: int, code: Code | None) -> None:
    action = Wager(1, "ann", wager, Cents(amount))
    if code is None:
        assert isinstance(pitbook.step(open_round(load(RIDE)), action), pitbook.Round)
    else:
        assert expect_refusal(open_round(load(RIDE)), action).code is code


def test_643a_9_three_cards_to_each_player_one_at_a_time_then_two_in_common() -> None:
    wagers = [Wager(number, f"p{number}", "ante", Cents(500)) for number in (1, 2)]
    round = do(open_round(load(RIDE)), *wagers, Close())
    assert round.to_deal == (1, 2, 1, 2, 1, 2, BOARD, BOARD)


def test_643a_11_bet_1_on_three_cards_bet_2_on_four() -> None:
    table = start_table(RIDE, "As Kd 2h", board="4c 5s", ante=10)
    assert (table.plays, table.round.board) == ({"pull", "ride"}, ())
    table = table.apply(Decide(1, "ride")).turn_due_cards()
    assert (table.plays, table.round.board) == ({"pull", "ride"}, cards("4c"))
    round = table.apply(Decide(1, "pull")).finish()
    assert round.board == cards("4c 5s")
    assert nets(round) == {"ante": "-10.00", "bet-1": "-10.00"}


@pytest.mark.parametrize(
    ("play", "stays"),
    [
        ("pull pull", ["ante"]),
        ("ride pull", ["ante", "bet-1"]),
        ("pull ride", ["ante", "bet-2"]),
        ("ride ride", ["ante", "bet-1", "bet-2"]),
    ],
)
@pytest.mark.parametrize(("hand", "net"), [("Ts Td 2h", "10.00"), ("9s 9d 2h", "-10.00")])
def test_643a_11_a_bet_pulled_back_neither_wins_nor_loses(
    play: str, stays: list[str], hand: str, net: str
) -> None:
    round = play_round(RIDE, hand, "", "4c 5s", play, ante=10)
    assert nets(round) == dict.fromkeys(stays, net)


@pytest.mark.parametrize("play", ["fold", "1x", "0x", "check", "Pull", ""])
def test_643a_11_fold_and_raise_are_refused(play: str) -> None:
    refusal = start_table(RIDE, "As Kd 2h", board="4c 5s", ante=10).refusal(play)
    assert (refusal.code, refusal.clause) == (Code.UNKNOWN_PLAY, "643a.11")


def test_643a_11_settlement_runs_right_to_left() -> None:
    round = open_round(load(RIDE))
    for seat in (1, 4, 6):
        round = do(round, Wager(seat, f"p{seat}", "ante", Cents(500)))
    round = do(round, Close())
    round = do(round, *map(Deal, round.to_deal))
    for index, seat in enumerate((1, 4, 6)):
        round = do(round, *(Turn(seat, card) for card in cards(HANDS[index])))
    for card in cards("4c 5s"):
        round = do(round, *(Decide(seat, "pull") for seat in (1, 4, 6)), Turn(BOARD, card))
    assert round.to_settle == tuple((seat, ("main", "three-card-bonus")) for seat in (6, 4, 1))


@pytest.mark.parametrize(
    ("hand", "board", "odds"),
    [
        ("As Ks Qs", "Js Ts", 1000),
        ("9s Ks Qs", "Js Ts", 200),
        ("As 2s 3s", "4s 5s", 200),
        ("2s 2d 2h", "2c As", 50),
        ("2s 2d 2h", "3c 3s", 11),
        ("As Ks Qs", "Js 9s", 8),
        ("As Kd Qs", "Js Ts", 5),
        ("2s 2d 2h", "3c 4s", 3),
        ("2s 2d 3h", "3c 4s", 2),
        ("As Ad 3h", "5c 4s", 1),
        ("Ts 2d 3h", "Tc 4s", 1),
        ("2s 3d 5h", "Tc Ts", 1),
        ("9s 9d Ah", "Kc Qs", -1),
        ("As Kd Qh", "Jc 9s", -1),
    ],
)
def test_643a_12_the_pay_table(hand: str, board: str, odds: int) -> None:
    assert nets(play_round(RIDE, hand, "", board, "ride ride", ante=5)) == dict.fromkeys(
        ("ante", "bet-1", "bet-2"), f"{5 * odds}.00"
    )


BONUS = {"straight-flush": 40, "three-of-a-kind": 30, "straight": 6, "flush": 3, "pair": 1}


@pytest.mark.parametrize(("hand", "kind"), THREE_CARDS)
@pytest.mark.parametrize("play", ["pull pull", "ride ride"])
def test_643a_12_the_bonus_looks_at_three_cards_of_the_player(
    hand: str, kind: str, play: str
) -> None:
    board = "6h 6c" if "6" not in hand else "Jh Jc"
    round = play_round(RIDE, hand, "", board, play, ante=5, three_card_bonus=7)
    assert nets(round)["three-card-bonus"] == f"{7 * BONUS.get(kind, -1)}.00"


def test_643a_12_no_limit_is_posted() -> None:
    round = play_round(RIDE, "As Ks Qs", "", "Js Ts", "ride ride", ante=500, three_card_bonus=100)
    assert round.applied_caps == ()
    assert nets(round)["bet-2"] == "500000.00"


def test_643a_13_a_wrong_number_of_cards_voids_the_round() -> None:
    table = start_table(RIDE, "As Ks Qs", board="Js Ts", ante=10, three_card_bonus=5)
    over = table.apply(Decide(1, "pull"), Misdeal("a card too many")).round
    # The first bet was pulled back before.
    assert set(nets(over)) == {"ante", "bet-2", "three-card-bonus"}
    assert set(nets(over).values()) == {"0.00"}


def test_643a_13_a_card_that_the_deck_cannot_hold_voids_the_round() -> None:
    table = start_table(RIDE, "As Ks Qs", board="Js Ts", ante=10)
    assert expect_refusal(table.apply(Decide(1, "ride")).round, Turn(BOARD, cards("As")[0])).code
    over = table.apply(Decide(1, "ride"), Fouled(cards("As")[0])).round
    assert nets(over) == {"ante": "0.00", "bet-1": "0.00", "bet-2": "0.00"}


def test_gen_10_an_absent_player_pulls_back_bets() -> None:
    table = start_table(RIDE, "As Ks Qs", board="Js Ts", ante=10).apply(Absent(1)).turn_due_cards()
    assert nets(table.apply(Absent(1)).finish()) == {"ante": "10000.00"}
