"""Actions to and from JSON, and errors of damaged journals."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any, get_args

import pytest

import pitbook
from pitbook.cards import card
from pitbook.errors import RoundError
from pitbook.money import Cents
from pitbook.rules import stored_rounds
from pitbook.rules.actions import (
    BOARD,
    Absent,
    Action,
    Close,
    Deal,
    Decide,
    Expose,
    Fouled,
    Interrupted,
    Misdeal,
    Settle,
    Turn,
    VoidHand,
    Wager,
    Warn,
    Withdraw,
)
from pitbook.rules.result_json import report
from pitbook.rules.round import open_round
from pitbook.rules.stored_rounds import ENGINE, KINDS, decode, encode, replay

CMS = pitbook.load("catfish-bend/mississippi-stud")

EXAMPLES: list[tuple[Action, dict[str, Any]]] = [
    (
        Wager(3, "ann", "ante", Cents(1050)),
        {"do": "wager", "seat": 3, "player": "ann", "wager": "ante", "amount": "10.50"},
    ),
    (Withdraw(3, "ante"), {"do": "withdraw", "seat": 3, "wager": "ante"}),
    (Close(), {"do": "close"}),
    (Deal(BOARD), {"do": "deal", "place": "board"}),
    (Deal(4), {"do": "deal", "place": 4}),
    (Turn(BOARD, card("Qs")), {"do": "turn", "place": "board", "card": "Qs"}),
    (Turn(2, card("2c")), {"do": "turn", "place": 2, "card": "2c"}),
    (Decide(1, "3x"), {"do": "decide", "seat": 1, "play": "3x"}),
    (Absent(1), {"do": "absent", "seat": 1}),
    (Settle(), {"do": "settle"}),
    (
        Misdeal("boxed card", card_count=True),
        {"do": "misdeal", "reason": "boxed card", "card_count": True},
    ),
    (VoidHand(2, "information"), {"do": "void-hand", "seat": 2, "reason": "information"}),
    (
        VoidHand(2, "information", "took"),
        {"do": "void-hand", "seat": 2, "reason": "information", "part": "took"},
    ),
    (Expose(2, card("Td")), {"do": "expose", "place": 2, "card": "Td"}),
    (Fouled(card("Ah")), {"do": "fouled", "card": "Ah"}),
    (Warn(6, "telephone"), {"do": "warn", "seat": 6, "breach": "telephone"}),
    (Interrupted(agreed=False), {"do": "interrupted", "agreed": False}),
]
ROUND: list[Action] = [
    Wager(1, "ann", "ante", Cents(500)),
    Close(),
    *(Deal(place) for place in (BOARD, BOARD, BOARD, 1, 1)),
    Decide(1, "fold"),
    Settle(),
]


@pytest.mark.parametrize(("action", "document"), EXAMPLES)
def test_every_action_round_trips(action: Action, document: dict[str, Any]) -> None:
    assert encode(action) == document
    decoded = decode(json.loads(json.dumps(document)))
    assert (type(decoded), decoded) == (type(action), action)


def test_every_kind_of_action_has_an_example() -> None:
    assert set(KINDS.values()) == set(get_args(Action))
    assert {type(action) for action, _ in EXAMPLES} == set(KINDS.values())


def test_card_count_defaults_to_false() -> None:
    assert decode({"do": "misdeal", "reason": "boxed"}) == Misdeal("boxed", card_count=False)


KNOWN = ", ".join(KINDS)


def nest_lists(depth: int) -> Any:
    value: Any = []
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize(
    ("document", "sentence"),
    [
        (None, f'null is not a valid action. "do" must be one of {KNOWN}.'),
        ([], f'[] is not a valid action. "do" must be one of {KNOWN}.'),
        ({}, f'{{}} is not a valid action. "do" must be one of {KNOWN}.'),
        (
            {"do": "shuffle"},
            f'{{"do": "shuffle"}} is not a valid action. "do" must be one of {KNOWN}.',
        ),
        ({"do": []}, f'{{"do": []}} is not a valid action. "do" must be one of {KNOWN}.'),
        ({"do": "turn"}, 'Action "turn" has the fields place, card.'),
        ({"do": "close", "seat": 1}, 'Action "close" has no fields.'),
        ({"do": "absent", "seat": "1"}, 'seat: "1" must be a whole number'),
        ({"do": "absent", "seat": True}, "seat: true must be a whole number"),
        ({"do": "absent", "seat": 1.0}, "seat: 1.0 must be a whole number"),
        ({"do": "deal", "place": "dealer"}, 'place: "dealer" must be a whole number'),
        ({"do": "decide", "seat": 1, "play": 3}, "play: 3 must be text in quotes"),
        ({"do": "interrupted", "agreed": 1}, "agreed: 1 must be true or false"),
        ({"do": "fouled", "card": 5}, "card: 5 must be text in quotes"),
        (
            {"do": "fouled", "card": "1s"},
            'card: "1s" is not a card; write rank and suit as in "Qs", "Td" or "2h"',
        ),
        (
            {"do": "void-hand", "seat": 1, "reason": "exposed"},
            'reason: "exposed" must be information or supervisor',
        ),
        (
            {"do": "wager", "seat": 1, "player": "ann", "wager": "ante", "amount": "-5"},
            'amount: "-5" is not an amount. It must not be negative.',
        ),
        (
            {"do": "wager", "seat": 1, "player": "ann", "wager": "ante", "amount": 5},
            "amount: 5 must be text in quotes",
        ),
    ],
)
def test_errors_of_invalid_actions(document: Any, sentence: str) -> None:
    with pytest.raises(RoundError) as error:
        decode(document)
    assert str(error.value) == sentence


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ({"do": {}}, "is not a valid action"),
        ({"do": None}, "is not a valid action"),
        (nest_lists(5000), "is not a valid action"),
        ({"do": "deal"}, 'Action "deal" has the fields place.'),
        ({"do": "deal", "place": True}, "place: true must be a whole number"),
        ({"do": "deal", "place": 1.0}, "place: 1.0 must be a whole number"),
        ({"do": "deal", "place": "seat 1"}, 'place: "seat 1" must be a whole number'),
        ({"do": "fouled", "card": "a\nb"}, r'card: "a\\nb" is not a card'),
        ({"do": "decide", "seat": 1, "play": nest_lists(5000)}, "must be text in quotes"),
    ],
    ids=range(9),
)
def test_an_error_of_an_invalid_action_is_one_line(document: Any, message: str) -> None:
    with pytest.raises(RoundError, match=message) as error:
        decode(document)
    assert "\n" not in str(error.value)


def test_a_refused_action_stops_the_replay_with_its_number() -> None:
    with pytest.raises(RoundError) as error:
        replay(open_round(CMS), [ROUND[0], Close(), Settle()])
    sentence = "Action 3 (settle) is not allowed. The hands cannot be settled yet."
    assert str(error.value) == sentence


def test_a_finished_round_is_stored_and_replays() -> None:
    over = replay(open_round(CMS), ROUND)
    document = stored_rounds.store(over, ROUND)
    assert list(document) == ["format", "engine", "sheet", "actions", "settlement"]
    assert (document["format"], document["engine"]) == (1, ENGINE)
    assert document["actions"] == [encode(action) for action in ROUND]
    assert document["settlement"] == report(over)
    replayed = stored_rounds.replay_stored(json.loads(json.dumps(document)))
    assert replace(replayed, game=over.game) == over


def test_a_round_in_play_is_stored_without_settlement() -> None:
    halfway = replay(open_round(CMS), ROUND[:5])
    document = stored_rounds.store(halfway, ROUND[:5])
    assert document["settlement"] is None
    assert replace(stored_rounds.replay_stored(document), game=halfway.game) == halfway


def stored_document(**fields: Any) -> dict[str, Any]:
    document = stored_rounds.store(replay(open_round(CMS), ROUND), ROUND)
    document_with_fields: dict[str, Any] = json.loads(json.dumps(document)) | fields
    return {key: value for key, value in document_with_fields.items() if value != "left out"}


def stored_sheet_fields(**fields: Any) -> dict[str, Any]:
    sheet: dict[str, Any] = stored_document()["sheet"]
    return {"sheet": {**sheet, "body": sheet["body"] | fields}}


HASH_MISMATCH = "the stored sheet does not have the hash that is stored with it"


@pytest.mark.parametrize(
    ("document", "sentence"),
    [
        ([], "a stored round has the fields format, engine, sheet, actions, settlement"),
        (stored_document(sheet="left out"), "a stored round has the fields"),
        (stored_document(players=2), "a stored round has the fields"),
        (stored_document(format=2), "format 2 is not known; this is format 1"),
        (stored_document(format=True), "format true is not known; this is format 1"),
        (stored_document(engine=99), f"engine 99 is not known; this is engine {ENGINE}"),
        (stored_document(actions={}), "actions must be a list"),
        (
            stored_document(actions=[{"do": "close"}]),
            "Action 1 (close) is not allowed. No one has bet.",
        ),
        (stored_document(sheet=None), "the stored sheet has no body of a known family"),
        (
            stored_document(**stored_sheet_fields(family="craps")),
            "the stored sheet has no body of a known family",
        ),
        (stored_document(**stored_sheet_fields(ante=5)), "the stored sheet is damaged at ante: "),
        (stored_document(**stored_sheet_fields(title="Other")), HASH_MISMATCH),
        (
            stored_document(settlement={"result": "settled"}),
            "the replay does not give the settlement that is stored",
        ),
    ],
)
def test_errors_of_damaged_stored_rounds(document: Any, sentence: str) -> None:
    with pytest.raises(RoundError) as error:
        stored_rounds.replay_stored(document)
    assert str(error.value).startswith(sentence)


def test_a_stored_round_that_stops_short_of_its_settlement_is_refused() -> None:
    document = stored_document(actions=[encode(action) for action in ROUND[:-1]])
    with pytest.raises(RoundError, match="the replay does not give the settlement that is stored"):
        stored_rounds.replay_stored(document)


def test_format_and_engine_may_be_left_out() -> None:
    document = stored_document(format="left out", engine="left out", settlement="left out")
    assert stored_rounds.replay_stored(document).phase == "over"


def test_an_invalid_stored_sheet_is_refused() -> None:
    unsound = CMS.model_copy(update={"deck": CMS.deck.model_copy(update={"decks": 2})})
    document = stored_rounds.store(open_round(unsound), [])
    with pytest.raises(
        RoundError, match="the stored sheet is not sound: Street-stud games use one deck"
    ):
        stored_rounds.restore(document)
