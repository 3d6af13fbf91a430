"""A round against a dealer's hand looked at afterwards: what was advised gives nothing away."""

from __future__ import annotations

from fractions import Fraction
from itertools import takewhile
from random import Random

import pytest
from tests.coach.play_rounds import Played, all_wagers, played, shuffled
from tests.played import play_of

from pitbook import load
from pitbook.cards import cards
from pitbook.coach.review import ReviewedDecision, review
from pitbook.coach.verdicts import weigh
from pitbook.exact.side_wagers import side_figures
from pitbook.money import Cents
from pitbook.rules.actions import Decide
from pitbook.rules.stored import replay

CRAZY, THREE = "pennsylvania/crazy-4-poker", "pennsylvania/three-card-poker"
WAR = "classic/casino-war"
TIE = "9c 9d Ks 2h"  # The player, the dealer; then the same for the war.


def decided(round: Played, play: str) -> ReviewedDecision:
    """The round's first decision, had it been this play; nothing is dealt after it."""
    before = list(takewhile(lambda one: not isinstance(one, Decide), round.actions))
    (found,) = review(round.opened, [*before, Decide(1, play)], 1).decisions
    return found


@pytest.mark.long
@pytest.mark.parametrize("name", [CRAZY, THREE])
def test_what_is_advised_costs_nothing_and_any_other_play_no_less(name: str) -> None:
    sheet, luck = load(name), Random(f"advised {name}")
    for _ in range(2):
        round = played(sheet, [all_wagers(sheet, luck)], shuffled(sheet, luck), lambda *_: "fold")
        best = decided(round, "fold").weighed.best
        costs = {play: decided(round, play).cost for play in decided(round, best).weighed.covered}
        assert costs[best] == 0
        assert min(costs.values()) == 0 < max(costs.values())


def test_cwr_5_a_tie_is_a_decision_that_is_looked_at() -> None:
    """The first cards asked nobody anything, and are no play that led there."""
    round = played(load(WAR), [{"ante": 1_000}], cards(TIE), lambda *_: "war")
    war, surrender = decided(round, "war"), decided(round, "surrender")
    assert (war.street, war.before, war.board) == ("tie", (), cards("9d"))
    assert war.weighed.best == surrender.weighed.best == "war"
    assert war.cost == 0
    assert surrender.cost == war.weighed.worth("war") + 500 > 0


def test_the_coach_is_asked_about_a_tie() -> None:
    round = played(load(WAR), [{"ante": 1_000}], cards(TIE), lambda *_: "war")
    ahead = list(takewhile(lambda one: not isinstance(one, Decide), round.actions))
    at = replay(round.opened, ahead)
    seat = at.seat(1)
    assert seat is not None
    found = weigh(at, seat)
    assert list(found.covered) == [play_of(at.game, at.stage, one) for one in ("surrender", "war")]
    # Six decks less two nines; of 310 * 309 pairs of cards, ties pay like wins.
    ties = sum(many * (many - 1) for many in [24] * 12 + [22])
    lost = Fraction(310 * 309 - ties, 2)
    assert found.worth("war") == 1_000 * (1 - 3 * lost / (310 * 309))


@pytest.mark.slow
def test_a_war_adds_up() -> None:
    for deck, play in ((TIE, "war"), (TIE, "surrender"), ("9c 8d", "war"), ("8c 9d", "war")):
        round = played(load(WAR), [{"ante": 1_000}], cards(deck), lambda *_, play=play: play)
        found = review(round.opened, round.actions, 1)
        one = found.reckoning
        assert one is not None
        assert one.expected - one.cost + one.luck == one.net == round.final.settlements[0].net
        assert bool(found.decisions) == (deck == TIE)


def test_a_round_that_asks_nothing_is_luck_beside_what_it_was_worth() -> None:
    """Pair Plus may stand alone (649a.7)."""
    sheet = load(THREE)
    deck = shuffled(sheet, Random(649))
    round = played(sheet, [{"pair-plus": 500}], deck, lambda *_: "fold")
    found = review(round.opened, round.actions, 1)
    assert found.decisions == ()
    one = found.reckoning
    assert one is not None
    assert one.expected == side_figures(sheet, "pair-plus", Cents(500)).expected * 500 < 0
    assert one.cost == one.short == one.absent == 0
    assert one.expected + one.luck == one.net == round.final.settlements[0].net
