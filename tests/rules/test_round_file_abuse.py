"""Any round file gives a settlement or one short error message, quickly."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.clauses.one_line_rounds import CMS, MHL, Json, round_document, seat

import pitbook
from pitbook.errors import PitbookError, RoundError
from pitbook.rules import round_file
from pitbook.sheets.model import Sheet

STUD = round_document(
    CMS,
    "Qs Js Ts",
    seat(1, "As Ks", "3x 3x 3x", ante=10, three_card_bonus=5),
    seat(2, "7d 2c", "fold", ante=5),
    voided=[{"seat": 2, "reason": "information"}],
    format=1,
)
HI_LO = round_document(
    MHL, "2c 2d 3h Jc Kd", seat(1, "2s 3s 4s", "high+double", bet=10, poker_bonus=5), voided=[]
)
Step = str | int
ODD: list[Any] = [
    *(None, True, False, 0, -1, 2, 1.0, 1.5, 1e308, float("nan"), float("inf"), 10**30),
    *("", " ", "x", "1", "\n", "\x1b[2J", "\ud800", "🂡", "x" * 5000),
    *([], {}, [[]], [None], {"": None}, {"x": 1}),
]


def sheets(argument: str) -> Sheet:
    sheet = {CMS.id: CMS, MHL.id: MHL}.get(argument)
    if sheet is None:
        raise RoundError("there is no such sheet")
    return sheet


def settle(text: str) -> str | None:
    """None if the round settles, else the error message; only RoundError may be raised."""
    try:
        assert round_file.settle(round_file.parse(text), sheets).phase == "over"
    except RoundError as error:
        return str(error)
    return None


def one_line(sentence: str) -> bool:
    return sentence.isprintable() and 0 < len(sentence) <= 300


def paths(document: Any, path: tuple[Step, ...] = ()) -> Iterator[tuple[Step, ...]]:
    yield path
    children: Any = document.items() if isinstance(document, dict) else ()
    for name, value in enumerate(document) if isinstance(document, list) else children:
        yield from paths(value, (*path, name))


def with_value(document: Json, path: tuple[Step, ...], value: Any) -> Any:
    if not path:
        return value
    changed = copy.deepcopy(document)
    container: Any = changed
    for name in path[:-1]:
        container = container[name]
    container[path[-1]] = value
    return changed


EVERYWHERE = [
    pytest.param(document, path, id=f"{family}-{'.'.join(map(str, path))}")
    for family, document in (("stud", STUD), ("hi-lo", HI_LO))
    for path in paths(document)
]


@pytest.mark.parametrize(("document", "path"), EVERYWHERE)
def test_any_value_in_any_field_settles_or_is_refused_in_one_line(
    document: Json, path: tuple[Step, ...]
) -> None:
    for odd_value in ODD:
        sentence = settle(json.dumps(with_value(document, path, odd_value)))
        assert sentence is None or one_line(sentence)


@pytest.mark.parametrize(
    ("path", "values", "message_start"),
    [
        (("format",), [True, 1.0, 0, 2, "1", None, [1]], "format must be 1, not "),
        (("sheet",), [None, 1, [], {}, True], "sheet must be text, not "),
        (("community",), ["Qs", {}, 1, True], "community must be a list, not "),
        (("community", 0), [None, 1, [], True], "community[0] must be text, not "),
        (("seats",), [None, {}, "x", 1], "seats must be a list, not "),
        (("seats", 0), [None, [], "x", 1], "seats[0] must be an object, not "),
        (("seats", 0, "seat"), [None, "1", 1.0, True, []], "seats[0].seat must be a whole number"),
        (("seats", 0, "player"), [1, [], True, "\ud800"], "seats[0].player must be text, not "),
        (("seats", 0, "wagers"), [None, [], "5", 5], "seats[0].wagers must be an object, not "),
        (("seats", 0, "wagers", "ante"), [5, 5.0, None], "seats[0].wagers.ante must be text, not "),
        (("seats", 0, "cards"), ["AsKs", {}, 1], "seats[0].cards must be a list, not "),
        (("seats", 0, "cards", 1), [None, 1, []], "seats[0].cards[1] must be text, not "),
        (("seats", 0, "play"), ["fold", None, {}], "seats[0].play must be a list, not "),
        (("seats", 0, "play", 0), [3, None, []], "seats[0].play[0] must be text, not "),
        (("voided",), [None, {}, "x"], "voided must be a list, not "),
        (("voided", 0), [None, [], 2], "voided[0] must be an object, not "),
        (("voided", 0, "seat"), ["2", 2.0, True], "voided[0].seat must be a whole number, not "),
        (
            ("voided", 0, "reason"),
            [None, "x", 1],
            "voided[0].reason must be 'information' or 'supervisor', not ",
        ),
        (("misdeal",), [1, [], True], "misdeal must be text, not "),
        ((), [None, [], "x", 1, True], "the file must be an object, not "),
    ],
)
def test_a_wrong_type_is_reported_with_its_path(
    path: tuple[Step, ...], values: list[Any], message_start: str
) -> None:
    for value in values:
        sentence = settle(json.dumps(with_value(STUD, path, value)))
        assert sentence is not None
        assert sentence.startswith(message_start)
        assert one_line(sentence)


@pytest.mark.parametrize(
    ("path", "value", "sentence"),
    [
        (("seats",), [], "seats must not be empty"),
        (("misdeal",), "", "misdeal must not be empty"),
        (("seats", 0, "player"), "", "seats[0].player must not be empty"),
        (("seats", 0, "player"), "x" * 101, "seats[0].player is longer than 100 characters"),
        (("x",), 1, "x is not a field of a round file"),
        (("seats", 0, "hand"), [], "seats[0].hand is not a field of a round file"),
        (("voided", 0, "x"), 1, "voided[0].x is not a field of a round file"),
        (("a\nb",), 1, "a\\nb is not a field of a round file"),
    ],
)
def test_empty_long_and_unknown_fields_are_refused(
    path: tuple[Step, ...], value: Any, sentence: str
) -> None:
    assert settle(json.dumps(with_value(STUD, path, value))) == sentence


def test_a_player_may_have_a_name_of_a_hundred_characters_in_any_script() -> None:
    for name in ("x" * 100, "Åse 陳 🂡", " "):
        assert settle(json.dumps(with_value(STUD, ("seats", 0, "player"), name))) is None


@pytest.mark.parametrize("path", [path for path in paths(STUD) if path and path[-1] != 0])
def test_a_field_left_out_is_a_default_or_is_missing(path: tuple[Step, ...]) -> None:
    changed = copy.deepcopy(STUD)
    container: Any = changed
    for name in path[:-1]:
        container = container[name]
    del container[path[-1]]
    sentence = settle(json.dumps(changed))
    field_path = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)[1:]
    if path[-1] in ("sheet", "seats", "seat", "wagers", "reason"):
        assert sentence == f"{field_path} is missing"
    else:
        assert sentence is None or one_line(sentence)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "line 1, column 1: this is not valid JSON: Expecting value"),
        ("nul", "line 1, column 1: this is not valid JSON: Expecting value"),
        (
            '{"sheet": "x",\n "seats": }',
            "line 2, column 11: this is not valid JSON: Expecting value",
        ),
        ('{"sheet": "x"} {}', "line 1, column 16: this is not valid JSON: Extra data"),
        ("\ufeff{}", None),
        ('{"format": NaN}', "format must be 1, not NaN"),
        ('{"format": -Infinity}', "format must be 1, not -Infinity"),
        ('{"sheet": "x", "sheet": "y"}', '"sheet" is written twice in one object'),
        ('{"seats": [{"seat": 1, "seat": 2}]}', '"seat" is written twice in one object'),
        ('{"a\\nb": 1, "a\\nb": 2}', '"a\\nb" is written twice in one object'),
        ("[" * 100_000, "this is not the JSON of a round"),
        ('{"a":' * 100_000, "this is not the JSON of a round"),
        (f'{{"format": {"9" * 5000}}}', "this is not the JSON of a round"),
        (" " * 1_000_001, "the text is longer than 1,000,000 characters; no round is"),
    ],
    ids=range(14),
)
def test_text_that_is_not_a_round_is_refused(text: str, sentence: str | None) -> None:
    message = settle(text)
    assert message is not None
    assert one_line(message)
    assert sentence in (None, message)


@pytest.mark.parametrize("depth", [10, 500, 900, 950, 990])
@pytest.mark.parametrize("field_name", ["format", "sheet", "x"])
def test_deep_nesting_is_refused_at_any_depth(depth: int, field_name: str) -> None:
    sentence = settle(f'{{"{field_name}": {"[" * depth}{"]" * depth}}}')
    assert sentence is not None
    assert one_line(sentence)


def test_a_document_that_is_not_json_is_refused() -> None:
    cyclic: Json = {}
    cyclic["x"] = cyclic
    for document in ({"x": object()}, {"x": 10**5000}, cyclic, {"x": {1, 2}}, {"x": b"1"}):
        with pytest.raises(RoundError, match="This JSON does not describe a round"):
            pitbook.settle(document)


@pytest.mark.long
def test_many_seats_cards_wagers_and_plays_are_refused_quickly() -> None:
    count = 10_000
    many_seats = {**STUD, "seats": STUD["seats"] * count}
    many_wagers = with_value(STUD, ("seats", 0, "wagers"), {f"w{n}": "5" for n in range(count)})
    many_plays = with_value(STUD, ("seats", 0, "play"), ["3x"] * 4 * count)
    many_cards = with_value(STUD, ("community",), ["Qs"] * 2 * count)
    many_voids = with_value(STUD, ("voided",), STUD["voided"] * 2 * count)
    for document in (many_wagers, many_plays, many_cards, many_voids, many_seats):
        sentence = settle(json.dumps(document))
        assert sentence is not None
        assert one_line(sentence)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["seat", "wagers", "ante", "play", "x"]), inner)
    ),
    max_leaves=8,
)


@pytest.mark.long
@settings(max_examples=100)
@given(st.data())
def test_a_file_changed_at_random_settles_or_is_refused(data: st.DataObject) -> None:
    document: Any = data.draw(st.sampled_from([STUD, HI_LO]))
    for _ in range(data.draw(st.integers(1, 3))):
        path = data.draw(st.sampled_from([candidate for candidate in paths(document) if candidate]))
        document = with_value(document, path, data.draw(json_values))
    sentence = settle(json.dumps(document))
    assert sentence is None or one_line(sentence)


@pytest.mark.long
@settings(max_examples=100)
@given(st.text(max_size=40) | json_values.map(json.dumps))
def test_random_text_is_refused(text: str) -> None:
    assert settle(text) is not None


@pytest.mark.parametrize("name", ["", "x", "../x", "nowhere/nothing", "x.toml", "\x00", "@"])
def test_a_missing_sheet_is_a_pitbook_error(name: str) -> None:
    with pytest.raises(PitbookError):
        pitbook.settle({**STUD, "sheet": name})
