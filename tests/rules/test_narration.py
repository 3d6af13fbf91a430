"""The dealer's words for plays of particular games."""

from __future__ import annotations

from tests.rules.test_any_game import apply_all, deal_round, turn_hands
from tests.rules.toy_games import crazy, let_it_ride, ultimate

from pitbook.money import Cents
from pitbook.rules.actions import Action, Decide
from pitbook.rules.narration import action_sentence, line_sentences
from pitbook.rules.round import Round
from pitbook.rules.settlement_lines import Line


def describe(round: Round, action: Action) -> str | None:
    return action_sentence(round, action, apply_all(round, action))


def test_a_bet_that_is_pulled_back() -> None:
    round = turn_hands(deal_round(let_it_ride(), 1), {1: "As Ks Qs"})
    assert describe(round, Decide(1, "pull")) == "Seat 1 pulls back the first."
    assert describe(round, Decide(1, "ride")) == "Seat 1 lets it ride."


def test_a_raise_that_skips_later_stages() -> None:
    round = turn_hands(deal_round(ultimate(), 1), {1: "As Ks"})
    assert describe(round, Decide(1, "check")) == "Seat 1 checks."
    assert describe(round, Decide(1, "4x")) == "Seat 1 bets 4x ($20) on the Play."


def test_multiples_and_folds() -> None:
    assert describe(deal_round(crazy(), 1), Decide(1, "1x")) == ("Seat 1 bets 1x ($5) on the play.")
    assert describe(deal_round(crazy(), 1), Decide(1, "fold")) == "Seat 1 folds and loses $5."


def test_a_wager_that_is_half_lost() -> None:
    half = Line("ante", Cents(500), None, "lose", None, Cents(0), "TOY-2", Cents(250))
    sentences = line_sentences(deal_round(crazy(), 1), [half])
    assert sentences == ("Ante ($5) loses $2.50, $2.50 returned (TOY-2).",)
