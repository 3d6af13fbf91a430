"""Drills of every sheet: each answer is confirmed, and no question reveals it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from tests.drills.check_answers import confirm
from tests.drills.check_steps import option
from tests.lanes import examples
from tests.random_sheets.sheets import sheets
from tests.random_sheets.versus import versus_sheets

import pitbook
from pitbook.drills.kinds import KINDS, drill, supported_kinds
from pitbook.drills.question import Item
from pitbook.errors import PitbookError
from pitbook.rules.game import Game, compile_game
from pitbook.sheets.edit import change_sheet
from pitbook.sheets.library import Library
from pitbook.sheets.model import Sheet

BUNDLED = sorted({entry.sheet.id for entry in Library().entries() if entry.sheet})
EACH = 3  # Of each kind of each sheet; test_many_questions.py has the rest.


@cache
def game_of(sheet: str) -> Game:
    return compile_game(pitbook.load(sheet))


def confirm_all(sheet: Sheet, each: int, kinds: Iterable[str] = ()) -> Iterator[Item]:
    """Yield this many questions of every kind, or of some, after confirming each."""
    game = compile_game(sheet)
    for kind in kinds or supported_kinds(game):
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
def test_generated_sheets_have_confirmed_drills(sheet: Sheet) -> None:
    assert len(list(confirm_all(sheet, 1))) >= 6


def test_supported_kinds_follow_from_the_rules() -> None:
    """The kinds follow from the structure of the rules; there is no list of games."""
    by_sheet = {sheet: set(supported_kinds(game_of(sheet))) for sheet in BUNDLED}
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


def test_seed_determines_the_question() -> None:
    game = game_of("catfish-bend/mississippi-stud")
    assert drill(game, "pay-hand", "7") == drill(game, "pay-hand", "7")
    questions = [drill(game, "pay-hand", str(seed)).question for seed in range(30)]
    assert len({question.lies for question in questions}) == 30


def test_unknown_or_unsupported_kind_is_refused() -> None:
    game = game_of("louisiana-stud/standard")
    with pytest.raises(
        PitbookError, match=r'"pay-hnd" is not a question type. Did you mean "pay-hand"'
    ):
        drill(game, "pay-hnd", "1")
    with pytest.raises(PitbookError, match="has no questions of the type"):
        drill(game, "shares", "1")


def test_changed_pay_line_changes_the_answer() -> None:
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


def test_sent_question_does_not_contain_its_answer() -> None:
    """Neither a field nor the position of an option reveals the answer."""
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
