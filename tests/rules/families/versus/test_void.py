"""Versus games: void hands, stages and refusals, payouts owed, rules in words."""

from __future__ import annotations

from typing import Any

import pytest

import pitbook
from pitbook.cards import cards
from pitbook.money import Cents
from pitbook.rules.game import Seat, compile_game
from pitbook.rules.refusals import Code, Refusal
from pitbook.rules.settlement_lines import Line, Settlement
from pitbook.sheets.largest_payout import exposure
from pitbook.sheets.prose import rule_texts

THREE, ULTIMATE = "pennsylvania/three-card-poker", "pennsylvania/ultimate-texas-holdem"
WAR, FOUR = "classic/casino-war", "pennsylvania/four-card-poker"
SIDES = (("pair-plus", Cents(500)), ("six-card-bonus", Cents(500)))
RETURNED = (None, "void", None, Cents(0), "X-1")
LOST = ("fold", "lose", None, Cents(0), "649a.11")
LIVE = {"irregularities.misdeal.returns": "live-wagers"}


def hand(*, folded: bool) -> Seat:
    return Seat(4, "ann", (("ante", Cents(1000)),), SIDES, folded=folded)


@pytest.mark.parametrize(
    ("changes", "folded", "expected"),
    [
        ({}, True, [RETURNED, RETURNED, RETURNED]),
        (LIVE, False, [RETURNED, RETURNED, RETURNED]),
        (LIVE, True, [LOST, LOST, RETURNED]),  # What the fold lost stays lost.
    ],
)
def test_returns_of_a_void_hand(
    changes: dict[str, Any], folded: bool, expected: list[tuple[Any, ...]]
) -> None:
    game = compile_game(pitbook.changed(THREE, changes))
    seat = hand(folded=folded)
    lines = zip(seat.stakes, expected, strict=True)
    expected_lines = tuple(Line(wager, stake, *rest) for (wager, stake), rest in lines)
    assert game.void(seat, "X-1") == Settlement(4, expected_lines)


def test_a_side_wager_that_survives_the_fold_uses_the_board() -> None:
    game = compile_game(pitbook.load(THREE))
    folded_hand = hand(folded=True)
    assert game.looks_at_board(folded_hand)
    assert not game.looks_at_board(folded_hand._replace(side=SIDES[:1]))  # Lost with the hand.
    assert not game.looks_at_board(hand(folded=False)._replace(main=(), side=SIDES[:1]))
    assert game.looks_at_hand(hand(folded=False)._replace(main=(), side=SIDES[:1]))


@pytest.mark.parametrize(("counted", "wins"), [(False, 500), (True, 0)])
def test_a_side_wager_is_paid_by_its_own_clause_and_as_the_sheet_counts(
    counted: bool, wins: int
) -> None:
    game = compile_game(pitbook.changed(THREE, {"payouts.stake_counted.is": counted}))
    seat = hand(folded=False)._replace(main=(), side=SIDES[:1], cards=cards("9s 9h 2c"))
    (line,) = game.price(game.read(seat.cards, ()), seat)
    assert (line.outcome, line.wins, line.clause) == ("pair", wins, "649a.12")


def test_a_war_is_three_stages() -> None:
    stages = compile_game(pitbook.load(WAR)).stages
    assert [(stage.id, stage.title, stage.clause) for stage in stages] == [
        ("deal", "first cards", "CWR-4"),
        ("tie", "After a tie", "CWR-5"),
        ("war", "war", "CWR-4"),
    ]


@pytest.mark.parametrize(
    ("play", "code", "message"),
    [
        ("rais", Code.UNKNOWN_PLAY, '"rais" is not a play here. Use one of "check", "3x", "4x".'),
        (
            "2x",
            Code.UNKNOWN_PLAY,
            "2x is not a raise here. The Before the flop is check or 3x or 4x.",
        ),
        (
            "5x",
            Code.ABOVE_MAXIMUM,
            "5x is not a raise here. The Before the flop is check or 3x or 4x.",
        ),
    ],
)
def test_refusal_of_unknown_plays(play: str, code: Code, message: str) -> None:
    assert compile_game(pitbook.load(ULTIMATE)).unknown_play(0, play) == Refusal(
        code, message, "653a.11"
    )


def test_wager_titles() -> None:
    game = compile_game(pitbook.load(THREE))
    assert [game.wager_title(wager) for wager in ("play", "ante-bonus")] == ["Play", "Ante Bonus"]


def test_half_of_an_ante_that_was_surrendered_stays_lost() -> None:
    game = compile_game(pitbook.changed(WAR, LIVE))
    (line,) = game.void(hand(folded=True)._replace(side=()), "X-1").lines
    assert (line.result, line.lost, line.back) == ("lose", 500, 500)


def test_a_folded_hand_waits_for_the_cards_of_its_side_wagers() -> None:
    game = compile_game(pitbook.load(ULTIMATE))
    stakes = (("ante", Cents(1000)), ("blind", Cents(1000)))
    plain = Seat(1, "ann", stakes, cards=cards("2s 3h"), folded=True)
    trips = plain._replace(side=(("trips", Cents(500)),))
    board = cards("2c 2d 9h Js Kd")
    assert game.certain(plain, (), ())
    assert not game.certain(trips, board[:3], ())
    assert game.certain(trips, board, ())
    assert not game.certain(plain._replace(folded=False), board, ())
    assert game.looks_at_board(plain._replace(folded=False))


@pytest.mark.parametrize(
    ("sheet", "changes", "owed"),
    [
        # Ante, Play and a bonus of five on a straight flush; 40 on Pair Plus, 1,000 on six cards.
        (THREE, {}, (100 + 100 + 500 + 40 * 100 + 1000 * 25)),
        (WAR, {}, 100 + 10 * 100),  # The Ante or the Raise, plus a tie: a bound.
        (FOUR, {}, 100 + 300 + 25 * 100 + 50 * 100),
        (ULTIMATE, {}, 50_000),  # As much as the limit on a hand allows.
    ],
)
def test_largest_payout_of_a_hand(sheet: str, changes: dict[str, Any], owed: int) -> None:
    loaded = pitbook.changed(sheet, changes)
    bound = exposure(loaded)
    assert (bound.hand, bound.round) == (owed * 100, owed * 100 * loaded.seats.count)


def test_a_round_limit_bounds_the_payout_of_a_full_table() -> None:
    limit = {"per": "round", "pays_max": "30000", "clause": "X-1"}
    sheet = pitbook.changed(THREE, {"uncapped": None, "limits": [limit]})
    bound = exposure(sheet)
    assert (bound.hand, bound.round) == (29_700_00, 30_000_00)


@pytest.mark.parametrize(
    ("sheet", "sentence"),
    [
        (ULTIMATE, "the dealer qualifies with a pair or better"),
        ("classic/caribbean-stud", "the dealer qualifies with ace-king or better"),
        ("classic/caribbean-stud", "the dealer shall receive five cards, one of them face up"),
        (
            FOUR,
            "a player's hand is the best four of five cards, "
            "and the dealer's hand is the best four of six",
        ),
        (ULTIMATE, "the table shall have five community cards"),
        (WAR, "players' cards shall be dealt face up"),
        (
            WAR,
            "after a tie, each player who goes to war and the dealer shall receive one more card",
        ),
        (
            "pennsylvania/crazy-4-poker",
            "Play 1x, 2x or 3x the Ante on the Play, or fold; "
            "2x or more requires a pair of aces or better",
        ),
        (
            ULTIMATE,
            "After the flop 2x the Ante on the Play, or check, with three community cards exposed; "
            "only for players who have not raised",
        ),
        (
            WAR,
            "the Ante is paid by the pay table if the player wins; loses if the dealer wins or if "
            "the dealer wins the war; pushes if the player wins the war or on a tie in the war; "
            "loses half on a surrender",
        ),
        (THREE, "the Pair Plus may be placed without the Ante"),
        (THREE, "the document also permits Pair Plus 40/30/6/4/1 (+pair-plus-flush-4)"),
    ],
)
def test_rules_in_words(sheet: str, sentence: str) -> None:
    assert sentence in [text.sentence for text in rule_texts(pitbook.load(sheet))]
