"""A lesson says what the description says, on a felt that shows what its player may see."""

from __future__ import annotations

import pytest
from tests.sheets.samples import EVERY

from pitbook import load
from pitbook.house.table.lesson import TERMS, Lesson, build_lesson, glossary
from pitbook.rules.game import compile_game
from pitbook.sheets.model import Sheet
from pitbook.text import in_language


@pytest.fixture(scope="module", params=EVERY)
def sheet(request: pytest.FixtureRequest) -> Sheet:
    return load(request.param)


@pytest.fixture(scope="module")
def taught(sheet: Sheet) -> Lesson:
    return build_lesson(sheet)


@pytest.mark.long
def test_a_game_is_taught_in_five_steps_that_each_say_something(taught: Lesson) -> None:
    assert [step["id"] for step in taught["steps"]] == ["bet", "cards", "decide", "then", "paid"]
    assert all(step["told"] for step in taught["steps"])


def test_every_play_of_the_first_decision_is_explained(sheet: Sheet, taught: Lesson) -> None:
    first = next(stage for stage in compile_game(sheet).stages if stage.plays)
    (step,) = (step for step in taught["steps"] if step["id"] == "decide")
    assert [choice["play"] for choice in step["choices"]] == list(first.plays)
    assert all(choice["means"] for choice in step["choices"])


def test_what_is_pointed_at_is_on_the_felt_and_bet(sheet: Sheet, taught: Lesson) -> None:
    bet = taught["steps"][0]
    (mine,) = (seat for seat in bet["view"]["seats"] if seat["seat"] == taught["seat"])
    assert sorted(bet["wagers"]) == sorted(wager for wager, _ in mine["wagers"])
    assert bet["view"]["phase"] == "wagers"


def test_the_example_ends_with_a_win_and_shows_no_card_too_soon(taught: Lesson) -> None:
    *early, paid = (step["view"] for step in taught["steps"])
    assert paid["result"] is not None
    assert any(float(seat["net"]) > 0 for seat in paid["result"]["seats"])
    first = early[1]
    common = [card for place in first["common"] for card in place["cards"]]
    assert None in common or all(common)  # Closed cards have no face,
    assert early[0]["common"] == [] or not any(  # and before the deal there are none.
        card for place in early[0]["common"] for card in place["cards"]
    )


@pytest.mark.long
def test_a_lesson_is_the_same_for_everybody(sheet: Sheet, taught: Lesson) -> None:
    assert build_lesson(sheet) == taught


@pytest.mark.long
def test_giving_up_costs_what_the_table_takes() -> None:
    """In war half of the bet comes back; elsewhere all is lost."""
    means = {
        choice["play"]: choice["means"]
        for step in build_lesson(load("classic/casino-war"))["steps"]
        for choice in step["choices"]
    }
    assert means["surrender"] == "you give up the hand, and lose $5 of the $10 bet on it"


@pytest.mark.parametrize("language", ["en", "es"])
def test_every_word_is_explained_once_and_found_by_its_forms(language: str) -> None:
    told = [
        {
            "term": one["term"],
            "word": in_language(one["word"], language),
            "forms": in_language(one["forms"], language),
            "means": in_language(one["means"], language),
        }
        for one in glossary()
    ]
    assert [one["term"] for one in told] == list(TERMS)
    forms = [form for one in told for form in one["forms"].split("|")]
    assert all(form == form.strip() and form for form in forms)
    assert sorted({form for form in forms if forms.count(form) > 1}) == []
    assert all(one["means"].endswith(".") and one["word"] != one["term"][:0] for one in told)
    assert len({one["means"] for one in told}) == len(TERMS)
