"""What a dealer would say of plays that only some games have."""

from __future__ import annotations

from tests.rules.rounds.test_any_game import dealt, done, shown
from tests.rules.rounds.toys import crazy, let_it_ride, ultimate

from pitbook.money import Cents
from pitbook.rules.actions import Action, Decide
from pitbook.rules.narration import action_sentence, line_sentences
from pitbook.rules.round import Round
from pitbook.rules.settlement import Line


def told(round: Round, action: Action) -> str | None:
    return action_sentence(round, action, done(round, action))


def test_a_bet_that_is_taken_back() -> None:
    round = shown(dealt(let_it_ride(), 1), {1: "As Ks Qs"})
    assert told(round, Decide(1, "pull")) == "Seat 1 takes back the first."
    assert told(round, Decide(1, "ride")) == "Seat 1 lets it ride."


def test_a_raise_after_which_stages_are_passed_over() -> None:
    round = shown(dealt(ultimate(), 1), {1: "As Ks"})
    assert told(round, Decide(1, "check")) == "Seat 1 says check."
    assert told(round, Decide(1, "4x")) == "Seat 1 bets 4x, $20, on the Play."


def test_multiples_and_folds() -> None:
    assert told(dealt(crazy(), 1), Decide(1, "1x")) == "Seat 1 bets 1x, $5, on the play."
    assert told(dealt(crazy(), 1), Decide(1, "fold")) == "Seat 1 folds: $5 taken."


def test_a_wager_that_is_half_lost() -> None:
    half = Line("ante", Cents(500), None, "lose", None, Cents(0), "TOY-2", Cents(250))
    told_of = line_sentences(dealt(crazy(), 1), [half])
    assert told_of == ("Ante, $5, loses $2.50; $2.50 comes back (TOY-2).",)
