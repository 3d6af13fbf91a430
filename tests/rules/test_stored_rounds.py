"""Stored rounds replay to the cent; altered ones are refused."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from tests.clauses.one_line_rounds import (
    CMS,
    LAS,
    LAS_STAX,
    MHL,
    OMS,
    Json,
    minimum_seat,
    round_document,
    seat,
    with_field,
)
from tests.rules.test_actions import nest_lists

import pitbook
from pitbook.errors import RoundError
from pitbook.money import Cents
from pitbook.rules import round_file, stored_rounds
from pitbook.rules.actions import (
    BOARD,
    Action,
    Close,
    Deal,
    Wager,
)
from pitbook.rules.result_json import report
from pitbook.rules.round import Round, open_round
from pitbook.rules.stored_rounds import replay
from pitbook.sheets.check import check
from pitbook.sheets.family_registry import models
from pitbook.sheets.findings import errors
from pitbook.sheets.hashes import digest
from pitbook.sheets.model import Sheet

ROYAL = (seat(1, "As Ks", "3x 3x 3x", ante=10, three_card_bonus=5), seat(2, None, "fold", ante=5))
FILES: dict[str, tuple[Sheet, Json]] = {
    "capped": (CMS, round_document(CMS, "Qs Js Ts", *ROYAL)),
    "misdeal": (CMS, round_document(CMS, "Qs Js Ts", *ROYAL, misdeal="a boxed card")),
    "wrong count": (CMS, round_document(CMS, "Qs Js Ts 9s", *ROYAL)),
    "information": (
        CMS,
        round_document(CMS, "Qs Js Ts", *ROYAL, voided=[{"seat": 1, "reason": "information"}]),
    ),
    "hand cap": (OMS, round_document(OMS, "Qs Js Ts", seat(6, "As Ks", "1x 1x 1x", ante=4))),
    "all fold": (LAS, round_document(LAS, "", seat(1, None, "fold", ante=5))),
    "stax": (LAS, round_document(LAS, "Qs Js Ts", seat(1, "As Ks", "1x fold", ante=5, stax=3))),
    "required": (
        LAS_STAX,
        round_document(LAS_STAX, "2h 4s Tc", minimum_seat(LAS_STAX, 1, "Jc Jd", "1x 1x 1x")),
    ),
    "hi-lo": (
        MHL,
        round_document(
            MHL, "2c 2d 3h Jc Kd", seat(1, "2s 3s 4s", "high+double", bet=10, poker_bonus=5)
        ),
    ),
}


def stored_round(name: str) -> Json:
    sheet, document = FILES[name]
    document_stored = stored_rounds.store(
        *round_file.play(round_file.parse(json.dumps(document)), sheet)
    )
    return json.loads(json.dumps(document_stored))  # type: ignore[no-any-return]


@pytest.mark.parametrize("name", FILES)
def test_replay_equals_play(name: str) -> None:
    sheet, document = FILES[name]
    round, actions = round_file.play(round_file.parse(json.dumps(document)), sheet)
    document_stored = stored_round(name)
    assert (
        document_stored["settlement"] == report(round) == pitbook.replay(document_stored).document()
    )
    replayed_round = stored_rounds.replay_stored(document_stored)
    assert replace(replayed_round, game=round.game) == round
    assert stored_rounds.restore(document_stored)[1] == actions
    assert replayed_round.game.sheet == sheet
    assert document_stored["sheet"]["hash"] == digest(sheet) == report(round)["hash"]


def test_a_stored_sheet_is_exempt_from_newer_checks() -> None:
    old = with_field(MHL, "best_play.ties", "fold")
    assert [finding.path for finding in errors(check(old, thorough=False))] == [
        ("best_play", "ties")
    ]
    assert stored_rounds.stored_sheet(stored_rounds.sheet_document(old)) == old


def test_a_round_may_be_stored_before_it_is_over() -> None:
    actions: list[Action] = [Wager(1, "ann", "ante", Cents(500)), Close(), Deal(BOARD)]
    round = replay(open_round(CMS), actions)
    document = stored_rounds.store(round, actions)
    assert document["settlement"] is None
    assert replace(stored_rounds.replay_stored(document), game=round.game) == round
    with pytest.raises(RoundError, match="The round is not over"):
        pitbook.replay(document).document()
    with pytest.raises(RoundError, match="does not give the settlement"):
        stored_rounds.replay_stored(document | {"settlement": {}})


def test_a_refused_action_is_named_by_its_number() -> None:
    document = stored_round("capped")
    document["actions"].insert(2, {"do": "settle"})
    with pytest.raises(RoundError) as error:
        stored_rounds.replay_stored(document)
    assert str(error.value) == (
        "Action 3 (settle) is not allowed. The hands cannot be settled yet."
    )


Change = Callable[[Json], Any]
TAMPERED: dict[str, tuple[Change, str]] = {
    "hash": (
        lambda document: document["sheet"].update(hash="0" * 64),
        "does not have the hash that is stored with it",
    ),
    "no hash": (lambda document: document["sheet"].pop("hash"), "does not have the hash"),
    "pay line": (
        lambda document: document["sheet"]["body"]["main"]["pays"].update({"flush": "7:1"}),
        "does not have the hash",
    ),
    "cap": (
        lambda document: document["sheet"]["body"]["limits"][0].update(pays_max="50000.00"),
        "does not have the hash",
    ),
    "order of pay lines": (
        lambda document: document["sheet"]["body"]["main"]["pays"].update(
            {"royal-flush": document["sheet"]["body"]["main"]["pays"].pop("royal-flush")}
        ),
        "does not have the hash",
    ),
    "unknown field": (
        lambda document: document["sheet"]["body"].update(x=1),
        "the stored sheet is damaged at x: ",
    ),
    "field gone": (
        lambda document: document["sheet"]["body"].pop("deck"),
        "the stored sheet is damaged at deck: ",
    ),
    "no body": (lambda document: document["sheet"].pop("body"), "has no body of a known family"),
    "family": (
        lambda document: document["sheet"]["body"].update(family="baccarat"),
        "has no body of a known family",
    ),
    "sheet is a name": (
        lambda document: document.update(sheet="cms"),
        "has no body of a known family",
    ),
    "body nested without end": (
        lambda document: document["sheet"]["body"].update(title=nest_lists(5000)),
        "the stored sheet is not the JSON of a sheet",
    ),
    "stake": (
        lambda document: document["actions"][0].update(amount="20.00"),
        "does not give the settlement that is stored",
    ),
    "card": (
        lambda document: next(
            action for action in document["actions"] if action.get("card") == "As"
        ).update(card="2s"),
        "does not give the settlement that is stored",
    ),
    "play": (
        lambda document: next(
            action for action in document["actions"] if action.get("play") == "3x"
        ).update(play="2x"),
        "does not give the settlement that is stored",
    ),
    "action gone": (lambda document: document["actions"].pop(), "does not give the settlement"),
    "action twice": (
        lambda document: document["actions"].insert(0, document["actions"][1]),
        "Action 1 (wager) is not allowed. ",
    ),
    "actions turned round": (lambda document: document["actions"].reverse(), "Action 1 "),
    "actions gone": (lambda document: document.pop("actions"), "a stored round has the fields "),
    "actions no list": (lambda document: document.update(actions={}), "actions must be a list"),
    "settlement": (
        lambda document: document["settlement"]["seats"][0].update(net="25201.00"),
        "does not give the settlement that is stored",
    ),
    "settlement empty": (
        lambda document: document.update(settlement={}),
        "does not give the settlement",
    ),
    "field added": (lambda document: document.update(x=1), "a stored round has the fields "),
    "format": (
        lambda document: document.update(format=2),
        "format 2 is not known; this is format 1",
    ),
    "format true": (lambda document: document.update(format=True), "format true is not known"),
    "engine": (
        lambda document: document.update(engine=0),
        "engine 0 is not known; this is engine 1",
    ),
    "engine 1.0": (lambda document: document.update(engine=1.0), "engine 1.0 is not known"),
    "engine null": (lambda document: document.update(engine=None), "engine null is not known"),
}


@pytest.mark.parametrize("what", TAMPERED)
def test_a_stored_round_that_was_tampered_with_is_refused(what: str) -> None:
    document = stored_round("capped")
    change, message = TAMPERED[what]
    change(document)
    with pytest.raises(RoundError) as error:
        stored_rounds.replay_stored(document)
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_prose_changes_do_not_affect_replay() -> None:
    document = stored_round("capped")
    document["sheet"]["body"]["source"]["document"] = "Another title page"
    assert pitbook.replay(document).document() == document["settlement"]


@pytest.mark.parametrize("document", [None, [], "x", 1, {}, {"sheet": {}}, {"actions": []}])
def test_invalid_stored_rounds_are_refused(document: Any) -> None:
    with pytest.raises(RoundError, match="a stored round has the fields format, engine, sheet"):
        stored_rounds.replay_stored(document)


def leaves(part: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    children: Any = part.items() if isinstance(part, dict) else ()
    children = enumerate(part) if isinstance(part, list) else children
    yield from (leaf for name, value in children for leaf in leaves(value, (*path, name)))
    if not isinstance(part, dict | list):
        yield path


def altered_values(value: Any) -> list[Any]:
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int):
        return [value + 1, -1]
    return ["x", None, 0, []] if value is None else [f"{value}0", "1", ""]


PROSE_FIELDS = {"clause", "note", "title", "document", "venue", "layout", "area", "departs"}


@pytest.mark.slow_cases("hand cap")
@pytest.mark.long
@pytest.mark.parametrize("name", ["hand cap", "hi-lo"])
def test_a_changed_leaf_is_harmless_or_refused(name: str) -> None:
    """Even with a new hash, a changed sheet settles differently or not at all."""
    document = stored_round(name)
    for path in leaves(document):
        container: Any = document
        for step in path[:-1]:
            container = container[step]
        original = container[path[-1]]
        for value in altered_values(original)[: 1 if path[0] == "sheet" else 3]:
            container[path[-1]] = value
            assert_refused_or_same(document)
            if path[:2] == ("sheet", "body") and path[-1] not in PROSE_FIELDS:
                assert_refused_or_settled(document)
        container[path[-1]] = original
    assert pitbook.replay(document).document() == document["settlement"]


def assert_refused_or_same(document: Json) -> None:
    sentence, replayed_round = try_replay(document)
    assert replayed_round is not None or "\n" not in sentence
    assert replayed_round is None or document["settlement"] in (None, report(replayed_round))


def assert_refused_or_settled(document: Json) -> None:
    forged = copy.copy(document) | {"settlement": None}
    body = document["sheet"]["body"]
    try:
        sheet = models()[body["family"]].model_validate_json(json.dumps(body))
    except (KeyError, ValueError):
        return
    forged["sheet"] = {"hash": digest(sheet), "body": body}
    sentence, replayed_round = try_replay(forged)
    assert sentence or replayed_round is not None


def try_replay(document: Json) -> tuple[str, Round | None]:
    """The replay, or the error message; only RoundError may be raised."""
    try:
        return "", stored_rounds.replay_stored(document)
    except RoundError as error:
        return str(error), None
