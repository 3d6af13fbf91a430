"""GEN-6, GEN-7, GEN-9 and GEN-13: void rounds and hands."""

from __future__ import annotations

import pytest
from tests.clauses.one_line_rounds import (
    CMS,
    LAS,
    LAS_STAX,
    MHL,
    OMS,
    all_returned,
    board,
    close_bets,
    deal_round,
    decide,
    do,
    expect_refusal,
    hand,
    minimum_seat,
    nets,
    notes,
    play_round,
    refusal_text,
    results,
    seat,
    settle_round,
    turn,
    with_field,
)

from pitbook.cards import card
from pitbook.rules.actions import Deal, Decide, Fouled, Interrupted, Misdeal, Settle, VoidHand
from pitbook.rules.refusals import Code
from pitbook.rules.round import Round, open_round
from pitbook.sheets.model import Sheet

ALL = [CMS, OMS, LAS, LAS_STAX, MHL]
PLAYERS = (
    seat(1, "As Ks", ante=10, three_card_bonus=5),
    seat(2, "7d 2c", ante=20, three_card_bonus=1),
    seat(4, "9c 9d", ante=30),
)
STAKES = {1: 4500, 2: 2100, 4: 3000 + 9000 + 9000 + 9000}


def sheet_name(sheet: Sheet) -> str:
    return sheet.id


def ready(sheet: Sheet = CMS) -> Round:
    """A round about to be settled: seat 1 bets 1x, seat 2 folds, seat 4 bets 3x."""
    round = do(deal_round(sheet, *PLAYERS), Decide(1, "1x"), Decide(2, "fold"), Decide(4, "3x"))
    for turned in ("Qs", "Js"):
        round = do(board(round, turned), Decide(1, "1x"), Decide(4, "3x"))
    return board(round, "Ts")


@pytest.mark.parametrize("seats_settled", [0, 1, 2])
def test_gen_6_found_before_the_last_seat_is_settled_the_round_is_void(seats_settled: int) -> None:
    round = do(ready(), *[Settle()] * seats_settled, Misdeal("two cards stuck together"))
    assert round.ending == "misdeal"
    assert all_returned(round)
    assert {
        settlement.seat: sum(line.stake for line in settlement.lines)
        for settlement in round.settlements
    } == STAKES
    assert nets(round) == {1: "0.00", 2: "0.00", 4: "0.00"}
    assert {line.clause for settlement in round.settlements for line in settlement.lines} == {
        "GEN-6"
    }


def test_gen_6_side_wagers_and_wagers_of_folded_seats_are_returned() -> None:
    round = do(ready(), Misdeal("boxed card"))
    assert results(round, 2) == {"ante": "void", "three-card-bonus": "void"}
    assert results(round, 1)["three-card-bonus"] == "void"


def test_gen_6_found_after_the_last_seat_results_stand_and_the_finding_is_recorded() -> None:
    over = settle_round(ready())
    after = do(over, Misdeal("two cards stuck together"))
    assert after.settlements == over.settlements
    assert after.ending == "settled"
    assert notes(after) == [
        ("misdeal: two cards stuck together", "GEN-6"),
        ("found too late: results stand", "GEN-6"),
    ]


def test_gen_6_a_fouled_deck_found_after_the_last_seat_is_recorded_too() -> None:
    over = settle_round(ready())
    after = do(over, Fouled(card("As")))
    assert after.settlements == over.settlements
    assert notes(after) == [
        ("fouled deck: As", "GEN-9"),
        ("found too late: results stand", "GEN-6"),
    ]


@pytest.mark.parametrize("steps", [1, 2, 3])
def test_gen_6_a_hand_that_is_settled_keeps_its_result(steps: int) -> None:
    round = do(ready(), *[Settle()] * steps)
    after = settle_round(do(round, VoidHand(4, "information")))
    assert hand(after, 4) == hand(settle_round(ready()), 4)
    assert notes(after) == [("seat 4 void (information) found too late: results stand", "GEN-6")]


def test_gen_6_a_hand_voided_by_the_supervisor_gets_every_wager_back() -> None:
    round = settle_round(do(ready(), VoidHand(1, "supervisor"), VoidHand(2, "supervisor")))
    assert set(results(round, 1).values()) == {"void"}
    assert results(round, 2) == {"ante": "void", "three-card-bonus": "void"}
    assert nets(round) == {1: "0.00", 2: "0.00", 4: "0.00"}


@pytest.mark.parametrize("sheet", ALL, ids=sheet_name)
def test_gen_6_a_misdeal_is_refused_before_the_deal(sheet: Sheet) -> None:
    assert expect_refusal(open_round(sheet), Misdeal("none")).code is Code.NOT_NOW
    round = do(close_bets(sheet, minimum_seat(sheet, 1)), Misdeal("first card shown"))
    assert all_returned(round)


def test_gen_6_the_last_seat_of_the_last_pass_is_the_limit() -> None:
    round = do(
        deal_round(LAS, seat(1, "As Ks", ante=5, three_up=1), seat(2, "2c 7d", ante=5)),
        *decide("fold", 1, 2),
    )
    round = do(board(round, "Qs Js Ts"), Settle(), Settle())  # 3-UP at 1, main at 2.
    assert all_returned(do(round, Misdeal("found in time")))
    assert not all_returned(do(round, Settle(), Misdeal("found too late")))


def test_gen_7_a_misdeal_prevails_over_an_offense_which_is_recorded() -> None:
    round = do(ready(), VoidHand(1, "information"), Misdeal("boxed card"))
    assert all_returned(round)
    assert [what for what, _ in notes(round)] == [
        "the hand of seat 1 is void: information",
        "misdeal: boxed card",
    ]


def test_gen_7_an_offense_found_after_the_misdeal_is_recorded() -> None:
    round = do(ready(), Misdeal("boxed card"), VoidHand(1, "information"))
    assert all_returned(round)
    assert notes(round)[-1] == (
        "seat 1 void (information) found too late: results stand",
        "GEN-6",
    )


@pytest.mark.parametrize("play", ["", "1x 1x 1x", "1x", "fold"])
def test_gen_7_a_round_file_records_the_offense_beside_the_misdeal(play: str) -> None:
    others = seat(2, "9c 9d", play or "1x", ante=5)
    round = play_round(
        CMS,
        "Qs Js Ts",
        seat(1, "As Ks", play, ante=10),
        others,
        voided=[{"seat": 1, "reason": "information"}],
        misdeal="boxed card",
    )
    assert all_returned(round)
    assert [what for what, _ in notes(round)] == [
        "the hand of seat 1 is void: information",
        "misdeal: boxed card",
    ]


@pytest.mark.parametrize(("sheet", "copies"), [(CMS, 1), (OMS, 1), (LAS, 1), (MHL, 6)])
def test_gen_9_a_file_with_a_card_too_many_is_refused(sheet: Sheet, copies: int) -> None:
    main = "bet" if sheet is MHL else "ante"
    cards_text = "Ac" if sheet is not MHL else "Ac Ac Ac"
    first = seat(
        1,
        f"{cards_text} {cards_text}" if copies == 1 else cards_text,
        "low" if copies > 1 else "1x 1x 1x",
    )
    second = seat(2, cards_text if copies > 1 else "2c 3c", "low" if copies > 1 else "1x 1x 1x")
    wagers = {"wagers": {main: "4" if sheet is OMS else "5"}}
    dealer = "Ac 2c 3c 4c 5c" if copies > 1 else "4c 5c 6c"
    times = 7 if copies > 1 else 2
    decks = "6 decks have 6" if copies > 1 else "one deck has 1"
    assert refusal_text(sheet, dealer, first | wagers, second | wagers) == (
        f"Ac appears {times} times; {decks} (GEN-9)"
    )


def test_gen_9_six_decks_hold_a_card_six_times() -> None:
    seats = [seat(number, "Ac Ac Ac", "low", bet=5) for number in (1, 2)]
    assert nets(play_round(MHL, "2c 3c 4c 5c 6c", *seats)) == {1: "5.00", 2: "5.00"}


def test_gen_9_at_a_table_the_card_cannot_be_named_and_the_round_is_void() -> None:
    round = deal_round(CMS, seat(1, "As Ks", ante=5), seat(2, ante=5))
    refusal = expect_refusal(round, turn(2, "As"))
    assert (refusal.code, refusal.clause) == (Code.NO_SUCH_CARD, "GEN-9")
    round = do(round, Fouled(card("As")))
    assert round.ending == "misdeal"
    assert all_returned(round)
    assert {line.clause for settlement in round.settlements for line in settlement.lines} == {
        "GEN-9"
    }
    assert notes(round) == [("fouled deck: As", "GEN-9")]


def test_gen_9_a_sixth_card_can_be_turned_and_a_seventh_cannot() -> None:
    round = deal_round(MHL, *(seat(n, "Ac Ac", bet=5) for n in (1, 2, 3)))
    assert expect_refusal(round, turn(1, "Ac")).code is Code.NO_SUCH_CARD
    round_with_five = deal_round(MHL, seat(1, "Ac Ac Ac", bet=5), seat(2, "Ac Ac", bet=5))
    assert isinstance(do(round_with_five, turn(2, "Ac")), Round)


@pytest.mark.parametrize("sheet", [OMS, LAS, LAS_STAX], ids=sheet_name)
@pytest.mark.parametrize("cards_text", ["", "As", "As Ks Qs"])
def test_gen_13_a_players_hand_with_a_wrong_number_of_cards_is_a_misdeal(
    sheet: Sheet, cards_text: str
) -> None:
    others = minimum_seat(sheet, 2, "9c 9d", "1x 1x 1x")
    round = play_round(sheet, "2c 3d 4h", minimum_seat(sheet, 1, cards_text, "1x 1x 1x"), others)
    assert round.ending == "misdeal"
    assert all_returned(round)
    assert notes(round) == [
        (f"misdeal: cards at seat 1: {len(cards_text.split())} instead of 2", "GEN-13")
    ]


@pytest.mark.parametrize("sheet", [OMS, LAS, LAS_STAX], ids=sheet_name)
def test_gen_13_a_board_of_four_is_a_misdeal(sheet: Sheet) -> None:
    round = play_round(sheet, "2c 3d 4h 5s", minimum_seat(sheet, 1, "9c 9d", "1x 1x 1x"))
    assert all_returned(round)
    assert notes(round) == [("misdeal: community cards: 4 instead of 3", "GEN-13")]


@pytest.mark.parametrize("sheet", [CMS, OMS, LAS, LAS_STAX], ids=sheet_name)
@pytest.mark.parametrize("turned", ["", "2c", "2c 3d"])
def test_gen_13_a_board_not_yet_complete_is_an_unfinished_round(sheet: Sheet, turned: str) -> None:
    assert refusal_text(sheet, turned, minimum_seat(sheet, 1, "9c 9d", "1x 1x 1x")) == (
        f"a community card is missing: {len(turned.split())} of 3 are given "
        "and a live wager needs the next"
    )


def test_gen_13_the_dealer_declares_it_at_a_table() -> None:
    round = do(deal_round(LAS, seat(1, ante=5)), Misdeal("three cards at seat 1", card_count=True))
    assert all_returned(round)
    assert notes(round) == [("misdeal: three cards at seat 1", "GEN-13")]


def test_gen_6_a_round_in_which_every_hand_is_void_needs_no_board() -> None:
    round = do(close_bets(CMS, seat(1, ante=5), seat(2, ante=5)), VoidHand(1, "supervisor"))
    round = do(round, VoidHand(2, "supervisor"))
    round = do(round, *map(Deal, round.to_deal))
    assert round.phase == "settle"
    assert all_returned(settle_round(round))


def test_gen_6_a_dead_hand_returns_wagers_of_folded_seats_too() -> None:
    round = deal_round(OMS, seat(1, ante=4), seat(2, ante=2))
    round = do(round, Decide(1, "fold"), Decide(2, "3x"), Interrupted(agreed=False))
    assert all_returned(round)
    assert nets(round) == {1: "0.00", 2: "0.00"}


def test_gen_7_a_house_may_keep_the_forfeit_in_a_misdeal() -> None:
    sheet = with_field(CMS, "irregularities.misdeal_over_offence", False)
    round = do(ready(sheet), VoidHand(1, "information"), Misdeal("boxed card"))
    assert nets(round) == {1: "-45.00", 2: "0.00", 4: "0.00"}
