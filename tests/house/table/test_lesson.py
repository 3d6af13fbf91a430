"""Lessons match the game's description, on a layout that its player may see."""

from __future__ import annotations

import pytest
from tests.sheets.samples import ALL_IDS

from pitbook import load
from pitbook.house.table.lesson import TERMS, Lesson, build_lesson, glossary
from pitbook.rules.game import compile_game
from pitbook.sheets.model import Sheet
from pitbook.text import in_language


@pytest.fixture(scope="module", params=ALL_IDS)
def sheet(request: pytest.FixtureRequest) -> Sheet:
    return load(request.param)


@pytest.fixture(scope="module")
def taught(sheet: Sheet) -> Lesson:
    return build_lesson(sheet)


@pytest.mark.long
def test_lesson_has_five_nonempty_steps(taught: Lesson) -> None:
    assert [step["id"] for step in taught["steps"]] == ["bet", "cards", "decide", "then", "paid"]
    assert all(step["told"] for step in taught["steps"])


def test_every_play_of_the_first_decision_is_explained(sheet: Sheet, taught: Lesson) -> None:
    first = next(stage for stage in compile_game(sheet).stages if stage.plays)
    (step,) = (step for step in taught["steps"] if step["id"] == "decide")
    assert [choice["play"] for choice in step["choices"]] == list(first.plays)
    assert all(choice["means"] for choice in step["choices"])


def test_lesson_highlights_exist_on_the_layout(sheet: Sheet, taught: Lesson) -> None:
    bet = taught["steps"][0]
    (mine,) = (seat for seat in bet["view"]["seats"] if seat["seat"] == taught["seat"])
    assert sorted(bet["wagers"]) == sorted(wager for wager, _ in mine["wagers"])
    assert bet["view"]["phase"] == "wagers"


def test_lesson_example_ends_with_a_win_and_shows_no_card_early(taught: Lesson) -> None:
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
def test_lesson_is_deterministic(sheet: Sheet, taught: Lesson) -> None:
    assert build_lesson(sheet) == taught


@pytest.mark.long
def test_lesson_fold_cost_matches_the_table() -> None:
    """In war, half of the bet is returned; elsewhere all is lost."""
    means = {
        choice["play"]: choice["means"]
        for step in build_lesson(load("classic/casino-war"))["steps"]
        for choice in step["choices"]
    }
    assert means["surrender"] == "give up the hand and lose $5 of your $10"


@pytest.mark.parametrize("language", ["en", "es"])
def test_every_word_is_explained_once_and_found_by_its_forms(language: str) -> None:
    terms = [
        {
            "term": term["term"],
            "word": in_language(term["word"], language),
            "forms": in_language(term["forms"], language),
            "means": in_language(term["means"], language),
        }
        for term in glossary()
    ]
    assert [term["term"] for term in terms] == list(TERMS)
    forms = [form for term in terms for form in term["forms"].split("|")]
    assert all(form == form.strip() and form for form in forms)
    assert sorted({form for form in forms if forms.count(form) > 1}) == []
    assert all(term["means"].endswith(".") and term["word"] != term["term"][:0] for term in terms)
    assert len({term["means"] for term in terms}) == len(TERMS)
