"""Checks of versus sheets."""

from __future__ import annotations

from typing import Any

import pytest

import pitbook
from pitbook.rules.game import compile_game
from pitbook.sheets.check import check
from pitbook.sheets.findings import SheetInvalid

THREE, ULTIMATE = "pennsylvania/three-card-poker", "pennsylvania/ultimate-texas-holdem"
CRAZY, FOUR = "pennsylvania/crazy-4-poker", "pennsylvania/four-card-poker"
STUD, WAR = "classic/caribbean-stud", "classic/casino-war"
SETTLES = {"win": "1:1", "tie": "push", "lose": "lose", "clause": "X-1"}
BONUS = {"title": "Bonus", "made": "on-ante", "clause": "X-1", "settles": SETTLES}
FOLD = {"clause": "X-1"}


@pytest.mark.parametrize(
    ("sheet", "changes", "message"),
    [
        (THREE, {"hands.cards": 2}, "hands of two cards have no order here"),
        (THREE, {"deal.player": 2}, "the player has 2 cards for a hand of 3"),
        (THREE, {"deal.dealer": 2}, "the dealer has 2 cards for a hand of 3"),
        (THREE, {"deal.up": 4}, "4 cards up are more than lie closed"),
        (THREE, {"deck.decks": 2}, "hands of one deck are compared"),
        (THREE, {"deck.fresh": "cut-card", "deck.cut_card": 10}, "a fresh deck each round"),
        (THREE, {"deal.order": ["players"]}, "the deal names players and dealer, each once"),
        (WAR, {"side.tie.looks_at": "both-hands"}, "both hands have 2 cards; 5 are looked at"),
        (THREE, {"side.pair-plus.looks_at": "duel"}, 'no pay table can look at "duel"'),
        (THREE, {"dealer.qualifies": "queen"}, '"queen" is not a hand of 3 cards'),
        (THREE, {"dealer.qualifies": "full-house"}, '"full-house" is not a hand of 3 cards'),
        (
            FOUR,
            {"dealer": {"qualifies": "high-card-5", "clause": "X-1"}},
            "is not a hand of 4 cards",
        ),
        (THREE, {"ante.settles.tie": "half"}, "half of $5 is what no chips make up"),
        (THREE, {"ante.settles.tie": "3:2"}, '$5 at 3:2 for "tie" wins what no chips make up'),
        (THREE, {"ante.settles.fold": "pays"}, "a hand that is given up is not read"),
        (WAR, {"main.pays": {"high-card-A": "2:1", "high-card": "1:1"}}, "paid alike"),
        (ULTIMATE, {"dealer.kicker": "K"}, "beside a high card alone"),
        (
            THREE,
            {"ante.settles.below": None, "wagers.play.settles.below": None},
            'no wager says what it does where the dealer is "below"',
        ),
        (FOUR, {"ante.settles.below": "push"}, "the dealer always plays here"),
        (THREE, {"wagers.ante": BONUS}, "the main wager has a table of its own"),
        (THREE, {"wagers.more": {**BONUS, "made": "by-play"}}, 'puts anything on "more"'),
        (THREE, {"wagers.play.made": "with-ante"}, 'say made = "by-play"'),
        (
            THREE,
            {"wagers.more": {**BONUS, "settles": {**SETTLES, "fold": "half"}}},
            "no stake to lose half of",
        ),
        (STUD, {"wagers.raise.settles.win": "1:1"}, "no wager is settled by the pay table"),
        (THREE, {"decisions[0].puts": "plya"}, '"plya" is not a wager of this sheet; did you mean'),
        (ULTIMATE, {"decisions[1].id": "pre-flop"}, '"pre-flop" is named twice'),
        (ULTIMATE, {"decisions[0].times": [4, 3]}, "multiples must rise, each named once"),
        (ULTIMATE, {"decisions[1].community": 0, "decisions[0].community": 3}, "cannot lie open"),
        (ULTIMATE, {"decisions[0].once": True}, "nobody has raised before the first decision"),
        (
            ULTIMATE,
            {"decisions[1].instead": "fold", "decisions[2].once": False},
            "who raises here would be asked again",
        ),
        (THREE, {"decisions[0].instead": "surrender"}, "a surrender goes with a war"),
        (CRAZY, {"decisions[0].needs[0].hand": "aces"}, '"aces" is not a hand of 4 cards'),
        (CRAZY, {"decisions[0].needs[0].times": 4}, "no raise is so large"),
        (CRAZY, {"decisions[0].needs[0].hand": "high-card"}, "every hand is as good"),
        (
            ULTIMATE,
            {"decisions[0].needs": [{"times": 4, "hand": "pair", "clause": "X-1"}]},
            "the hand is not whole yet when this is decided",
        ),
        (THREE, {"ante.settles.win": None}, 'say what becomes of it: "win"'),
        (THREE, {"ante.settles.war_win": "push"}, 'that never comes to it: "war_win"'),
        (WAR, {"ante.settles.war_tie": None}, 'say what becomes of it: "war_tie"'),
        (WAR, {"wagers.raise.settles.win": "1:1"}, 'that never comes to it: "win"'),
        (WAR, {"decisions[0].instead": "fold"}, "a war has one decision"),
        (WAR, {"decisions[0].times": [1, 2]}, "a war has one decision"),
        (WAR, {"deal.player": 2}, "a war is fought with one card each"),
        (WAR, {"dealer": {"qualifies": "high-card-Q", "clause": "X-1"}}, "always qualifies"),
        (WAR, {"deal.up": 1}, "1 cards up are more"),
        (THREE, {"fold": None}, "a hand may be given up, but the sheet has no [fold]"),
        (THREE, {"side.pair-plus.after_fold": None}, 'say in "after_fold" what "pair-plus" does'),
        (ULTIMATE, {"decisions[2].instead": "check"}, "this game has no fold; leave [fold] out"),
        (ULTIMATE, {"decisions[1].title": "before the Flop"}, "two decisions are called"),
        (
            WAR,
            {"ante.step": "0.01", "ante.min": "10", "house.chips.values": ["0.01", "1"]},
            "half of $10.01 is what no chips make up",
        ),
        (THREE, {"ante.settles.win": "even"}, '"even" is not a result; write "lose"'),
        (THREE, {"ante.settles.win": 1}, "must be text in quotes"),
    ],
)
def test_inconsistent_sheets_are_refused(sheet: str, changes: dict[str, Any], message: str) -> None:
    with pytest.raises(SheetInvalid) as error:
        pitbook.changed(sheet, changes)
    assert message in str(error.value)


def test_turning_an_open_dealer_hand_is_reported_as_idle() -> None:
    changes = {"deal.up": 3, "fold.dealer_when_all_fold": "always"}
    sheet = pitbook.changed(THREE, changes)
    assert "the dealer's cards lie open anyway" in " ".join(
        finding.message for finding in check(sheet, thorough=False)
    )


@pytest.mark.parametrize(
    ("changes", "play"),
    [
        ({"decisions[0].instead": "check", "fold": None, "absent": "smallest-bet"}, "check"),
        ({"absent": "smallest-bet"}, "1x"),
        ({}, "fold"),
    ],
)
def test_play_of_an_absent_player(changes: dict[str, Any], play: str) -> None:
    if "fold" in changes:
        changes |= {f"side.{wager}.after_fold": None for wager in ("pair-plus", "six-card-bonus")}
    game = compile_game(pitbook.changed(THREE, changes))
    seat: Any = None
    assert game.absent_play(seat, 0) == play
