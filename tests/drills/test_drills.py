"""Drills of every sheet: each answer is confirmed a second time, and no question tells it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from tests.drills.check_answers import confirm
from tests.drills.check_steps import option
from tests.generated_sheets import sheets
from tests.generated_versus import versus_sheets
from tests.lanes import examples

import pitbook
from pitbook.drills.item import Item
from pitbook.drills.kinds import KINDS, allowed, drill
from pitbook.errors import PitbookError
from pitbook.rules.game import Game, compile_game
from pitbook.sheets.edit import change_sheet
from pitbook.sheets.library import Library
from pitbook.sheets.model import Sheet

BUNDLED = sorted({entry.sheet.id for entry in Library().entries() if entry.sheet})
EACH = 3  # Of each kind of each sheet; test_hundred_thousand.py has the rest.


@cache
def game_of(sheet: str) -> Game:
    return compile_game(pitbook.load(sheet))


def confirm_all(sheet: Sheet, each: int, kinds: Iterable[str] = ()) -> Iterator[Item]:
    """So many questions of every kind that a sheet has, or of some, each when it is confirmed."""
    game = compile_game(sheet)
    for kind in kinds or allowed(game):
        for seed in range(each):
            item = drill(game, kind, str(seed))
            assert item.kind == kind
            confirm(sheet, item)
            yield item


@pytest.mark.parametrize("sheet", BUNDLED)
def test_every_answer_is_confirmed(sheet: str) -> None:
    assert len(list(confirm_all(game_of(sheet).sheet, EACH))) >= EACH * 12


@pytest.mark.long
@settings(
    max_examples=examples(6, 50),
    deadline=None,
    phases=(Phase.generate,),  # A shorter sheet would say no more than the one that was met.
    suppress_health_check=list(HealthCheck),
)
@given(sheet=sheets() | versus_sheets())
def test_sheets_that_no_house_has_written_get_their_drills(sheet: Sheet) -> None:
    assert len(list(confirm_all(sheet, 1))) >= 6


def test_a_kind_comes_where_the_rules_have_it() -> None:
    """What is asked follows from the structure: nobody has listed games."""
    by_sheet = {sheet: set(allowed(game_of(sheet))) for sheet in BUNDLED}
    everywhere = set.intersection(*by_sheet.values())
    assert everywhere >= {"pay-hand", "settle-table", "odds", "bounds", "next-step", "spot-error"}
    assert set.union(*by_sheet.values()) == set(KINDS)
    arranged = {sheet for sheet, kinds in by_sheet.items() if "arrange" in kinds}
    assert arranged == {"catfish-bend/matchem-hi-lo"}
    assert "qualifies" in by_sheet["pennsylvania/three-card-poker"]
    assert "best-cards" in by_sheet["pennsylvania/ultimate-texas-holdem"]
    assert "best-cards" not in by_sheet["classic/ultimate-three-card-poker"]
    assert "after-fold" not in by_sheet["pennsylvania/let-it-ride"]
    assert "shares" not in by_sheet["louisiana-stud/standard"]


def test_one_seed_asks_one_question() -> None:
    game = game_of("catfish-bend/mississippi-stud")
    assert drill(game, "pay-hand", "7") == drill(game, "pay-hand", "7")
    asked = [drill(game, "pay-hand", str(seed)).question for seed in range(30)]
    assert len({one.lies for one in asked}) == 30


def test_an_unknown_kind_and_one_that_a_sheet_has_not_are_refused_in_a_sentence() -> None:
    game = game_of("louisiana-stud/standard")
    with pytest.raises(
        PitbookError, match='"pay-hnd" is not a kind of drill; did you mean "pay-hand"'
    ):
        drill(game, "pay-hnd", "1")
    with pytest.raises(PitbookError, match="has no questions of the kind"):
        drill(game, "shares", "1")


def test_a_changed_pay_line_changes_the_answers() -> None:
    sheet = game_of("catfish-bend/mississippi-stud").sheet
    other = change_sheet(sheet, {"main.pays.flush": "9:1"})
    item = next(
        item
        for seed in range(400)
        if (item := drill(compile_game(other), "odds", str(seed))).fact == "odds/main/flush"
    )
    assert option(item).text == "9 to 1"
    before = next(
        item
        for seed in range(400)
        if (item := drill(compile_game(sheet), "odds", str(seed))).fact == "odds/main/flush"
    )
    assert option(before).text == "6 to 1"
    assert list(confirm_all(other, 2))


def test_no_question_has_its_answer_in_what_is_sent() -> None:
    """Neither a field nor the place of an option tells: right ones stand anywhere."""
    game = game_of("catfish-bend/mississippi-stud")
    places: Counter[str] = Counter()
    for seed in range(400):
        item = drill(game, "odds", str(seed))
        places[item.answer] += 1
        sent = json.dumps(item.question.document())
        assert set(item.question.document()) == {
            *("ask", "form", "common", "seats", "lines", "options", "chips", "pick")
        }
        assert all(word not in sent for word in ('"answer"', '"right"', '"correct"'))
    assert set(places) == set("abcd")
    assert min(places.values()) > 60
    for seed in range(200):
        item = drill(game, "shares", str(seed))
        assert item.answer not in json.dumps(item.question.document())
