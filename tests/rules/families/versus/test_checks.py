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
        (THREE, {"hands.cards": 2}, "Two-card hands cannot be ranked here."),
        (THREE, {"deal.player": 2}, "The player has 2 cards, too few for a hand of 3."),
        (THREE, {"deal.dealer": 2}, "The dealer has 2 cards, too few for a hand of 3."),
        (THREE, {"deal.up": 4}, "4 cards up is more than are face down before a decision"),
        (THREE, {"deck.decks": 2}, "compares hands from one deck"),
        (THREE, {"deck.fresh": "cut-card", "deck.cut_card": 10}, "is shuffled every round"),
        (THREE, {"deal.order": ["players"]}, "The deal must list players and dealer, each once."),
        (
            WAR,
            {"side.tie.looks_at": "both-hands"},
            "Both hands together have 2 cards, but 5 are used.",
        ),
        (THREE, {"side.pair-plus.looks_at": "duel"}, 'No pay table in this game can use "duel"'),
        (THREE, {"dealer.qualifies": "queen"}, '"queen" is not a 3-card hand'),
        (THREE, {"dealer.qualifies": "full-house"}, '"full-house" is not a 3-card hand'),
        (
            FOUR,
            {"dealer": {"qualifies": "high-card-5", "clause": "X-1"}},
            "is not a 4-card hand",
        ),
        (THREE, {"ante.settles.tie": "half"}, "The table's chips cannot pay half of $5."),
        (
            THREE,
            {"ante.settles.tie": "3:2"},
            '$5 at 3:2 for "tie" wins an amount that the table\'s chips cannot pay.',
        ),
        (THREE, {"ante.settles.fold": "pays"}, "A folded hand is not read"),
        (WAR, {"main.pays": {"high-card-A": "2:1", "high-card": "1:1"}}, "pays the same"),
        (ULTIMATE, {"dealer.kicker": "K"}, "only applies to a high card alone"),
        (
            THREE,
            {"ante.settles.below": None, "wagers.play.settles.below": None},
            'No wager says what happens when the dealer is "below".',
        ),
        (FOUR, {"ante.settles.below": "push"}, "The dealer always plays here"),
        (THREE, {"wagers.ante": BONUS}, "The main wager has its own table."),
        (
            THREE,
            {"wagers.more": {**BONUS, "made": "by-play"}},
            'No decision places a bet on "more"',
        ),
        (THREE, {"wagers.play.made": "with-ante"}, 'Set made = "by-play"'),
        (
            THREE,
            {"wagers.more": {**BONUS, "settles": {**SETTLES, "fold": "half"}}},
            "cannot lose half of",
        ),
        (STUD, {"wagers.raise.settles.win": "1:1"}, "No wager is settled by the pay table"),
        (THREE, {"decisions[0].puts": "plya"}, 'This sheet has no wager "plya". Did you mean'),
        (ULTIMATE, {"decisions[1].id": "pre-flop"}, '"pre-flop" is listed twice.'),
        (ULTIMATE, {"decisions[0].times": [4, 3]}, "List multiples in ascending order, each once."),
        (ULTIMATE, {"decisions[1].community": 0, "decisions[0].community": 3}, "cannot be face up"),
        (ULTIMATE, {"decisions[0].once": True}, "Nobody has raised before the first decision"),
        (
            ULTIMATE,
            {"decisions[1].instead": "fold", "decisions[2].once": False},
            "who raises here would decide again",
        ),
        (THREE, {"decisions[0].instead": "surrender"}, "Surrender is only for a war"),
        (CRAZY, {"decisions[0].needs[0].hand": "aces"}, '"aces" is not a 4-card hand'),
        (CRAZY, {"decisions[0].needs[0].times": 4}, "No raise can be that large."),
        (CRAZY, {"decisions[0].needs[0].hand": "high-card"}, "Every hand is equally good."),
        (
            ULTIMATE,
            {"decisions[0].needs": [{"times": 4, "hand": "pair", "clause": "X-1"}]},
            "The hand is not complete at this decision.",
        ),
        (THREE, {"ante.settles.win": None}, 'Set the result for "win".'),
        (THREE, {"ante.settles.war_win": "push"}, '"war_win" never happens to this wager.'),
        (WAR, {"ante.settles.war_tie": None}, 'Set the result for "war_tie".'),
        (WAR, {"wagers.raise.settles.win": "1:1"}, '"win" never happens to this wager.'),
        (WAR, {"decisions[0].instead": "fold"}, "A war has one decision"),
        (WAR, {"decisions[0].times": [1, 2]}, "A war has one decision"),
        (WAR, {"deal.player": 2}, "In a war, player and dealer get one card each."),
        (WAR, {"dealer": {"qualifies": "high-card-Q", "clause": "X-1"}}, "always qualifies"),
        (WAR, {"deal.up": 1}, "1 cards up is more"),
        (THREE, {"fold": None}, "A player can fold, but the sheet has no [fold]."),
        (
            THREE,
            {"side.pair-plus.after_fold": None},
            'Set in "after_fold" what happens to "pair-plus"',
        ),
        (ULTIMATE, {"decisions[2].instead": "check"}, "This game has no fold. Remove [fold]."),
        (ULTIMATE, {"decisions[1].title": "before the Flop"}, "Two decisions are called"),
        (
            WAR,
            {"ante.step": "0.01", "ante.min": "10", "house.chips.values": ["0.01", "1"]},
            "The table's chips cannot pay half of $10.01.",
        ),
        (THREE, {"ante.settles.win": "even"}, '"even" is not a result. Write "lose"'),
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
    assert "The dealer's cards are face up anyway." in " ".join(
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
