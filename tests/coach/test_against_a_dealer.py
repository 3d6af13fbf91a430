"""Reviews of rounds against a dealer's hand: the advised play costs nothing."""

from __future__ import annotations

from fractions import Fraction
from itertools import takewhile
from random import Random

import pytest
from tests.coach.play_rounds import PlayedRound, all_wagers, play_round, shuffled_deck
from tests.rules.plays import play_of

from pitbook import load
from pitbook.cards import cards
from pitbook.coach.review import ReviewedDecision, review
from pitbook.coach.verdicts import weigh
from pitbook.exact.side_wagers import side_figures
from pitbook.money import Cents
from pitbook.rules.actions import Decide
from pitbook.rules.stored_rounds import replay

CRAZY, THREE = "pennsylvania/crazy-4-poker", "pennsylvania/three-card-poker"
WAR = "classic/casino-war"
TIE = "9c 9d Ks 2h"  # The player, the dealer; then the same for the war.


def decision_for(round: PlayedRound, play: str) -> ReviewedDecision:
    """The round's first decision, as if this play had been made."""
    before = list(takewhile(lambda action: not isinstance(action, Decide), round.actions))
    (decision,) = review(round.opened, [*before, Decide(1, play)], 1).decisions
    return decision


@pytest.mark.long
@pytest.mark.parametrize("name", [CRAZY, THREE])
def test_advised_play_costs_nothing_and_no_play_costs_less(name: str) -> None:
    sheet, rng = load(name), Random(f"advised {name}")
    for _ in range(2):
        round = play_round(
            sheet, [all_wagers(sheet, rng)], shuffled_deck(sheet, rng), lambda *_: "fold"
        )
        best = decision_for(round, "fold").weighed.best
        costs = {
            play: decision_for(round, play).cost
            for play in decision_for(round, best).weighed.covered
        }
        assert costs[best] == 0
        assert min(costs.values()) == 0 < max(costs.values())


def test_cwr_5_tie_is_reviewed_as_a_decision() -> None:
    """The first cards are not a play that led to the decision."""
    round = play_round(load(WAR), [{"ante": 1_000}], cards(TIE), lambda *_: "war")
    war, surrender = decision_for(round, "war"), decision_for(round, "surrender")
    assert (war.street, war.before, war.board) == ("tie", (), cards("9d"))
    assert war.weighed.best == surrender.weighed.best == "war"
    assert war.cost == 0
    assert surrender.cost == war.weighed.worth("war") + 500 > 0


def test_coach_evaluates_a_tie() -> None:
    round = play_round(load(WAR), [{"ante": 1_000}], cards(TIE), lambda *_: "war")
    before = list(takewhile(lambda action: not isinstance(action, Decide), round.actions))
    at = replay(round.opened, before)
    seat = at.seat(1)
    assert seat is not None
    weighed = weigh(at, seat)
    assert list(weighed.covered) == [
        play_of(at.game, at.stage, play) for play in ("surrender", "war")
    ]
    # Six decks less two nines; of 310 * 309 pairs of cards, ties pay like wins.
    ties = sum(many * (many - 1) for many in [24] * 12 + [22])
    lost = Fraction(310 * 309 - ties, 2)
    assert weighed.worth("war") == 1_000 * (1 - 3 * lost / (310 * 309))


@pytest.mark.slow
def test_casino_war_reckoning_adds_up() -> None:
    for deck, play in ((TIE, "war"), (TIE, "surrender"), ("9c 8d", "war"), ("8c 9d", "war")):
        round = play_round(load(WAR), [{"ante": 1_000}], cards(deck), lambda *_, play=play: play)
        reviewed = review(round.opened, round.actions, 1)
        breakdown = reviewed.breakdown
        assert breakdown is not None
        assert (
            breakdown.expected - breakdown.cost + breakdown.luck
            == breakdown.net
            == round.final.settlements[0].net
        )
        assert bool(reviewed.decisions) == (deck == TIE)


def test_round_without_decisions_is_expected_loss_plus_luck() -> None:
    """Pair Plus may stand alone (649a.7)."""
    sheet = load(THREE)
    deck = shuffled_deck(sheet, Random(649))
    round = play_round(sheet, [{"pair-plus": 500}], deck, lambda *_: "fold")
    reviewed = review(round.opened, round.actions, 1)
    assert reviewed.decisions == ()
    breakdown = reviewed.breakdown
    assert breakdown is not None
    assert breakdown.expected == side_figures(sheet, "pair-plus", Cents(500)).expected * 500 < 0
    assert breakdown.cost == breakdown.shortage_cost == breakdown.absence_cost == 0
    assert breakdown.expected + breakdown.luck == breakdown.net == round.final.settlements[0].net
