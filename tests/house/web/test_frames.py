"""Frames are parsed or answered with a message."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitbook.house.web.frames import Frame, FrameError, read_frame

KEYS = st.sampled_from(["request", "command", "ping", "pong", "view", "do", "seat"])
LEAVES = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20)


def _larger(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.lists(inner, max_size=3) | st.dictionaries(KEYS | st.text(), inner, max_size=3)


JSON = st.recursive(LEAVES, _larger, max_leaves=12)


@given(st.text() | JSON.map(json.dumps) | st.dictionaries(KEYS, JSON, max_size=3).map(json.dumps))
def test_any_text_is_a_frame_or_a_frame_error(text: str) -> None:
    with suppress(FrameError):
        assert read_frame(text, depth_max=8).kind in ("command", "ping", "pong", "view")


def test_each_kind_of_frame_is_read() -> None:
    command = {"do": "sit", "seat": 1}
    text = json.dumps({"request": "a", "command": command})
    assert read_frame(text, depth_max=8) == Frame("command", "a", command)
    assert read_frame('{"ping": 7}', depth_max=8) == Frame("ping", number=7)
    assert read_frame('{"pong": -7}', depth_max=8) == Frame("pong", number=-7)
    assert read_frame('{"view": true}', depth_max=8) == Frame("view")


def test_error_of_a_readable_request_has_its_id() -> None:
    with pytest.raises(FrameError) as error:
        read_frame('{"request": "a", "command": 7}', depth_max=8)
    assert (error.value.request, str(error.value)) == (
        "a",
        '"command" must be an object with a "do" field.',
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[[[[[[[[[]]]]]]]]]", "The frame is nested deeper than 8 levels."),
        ("{", "The frame is not valid JSON."),
        ('{"ping": NaN}', "NaN is not a number in JSON."),
        ('{"ping": 1, "ping": 1}', 'Field "ping" appears twice in one object'),
        ('{"ping": 9007199254740993}', "ping and pong need a whole number."),
        ('{"ping": true}', "ping and pong need a whole number."),
        ('{"request": "", "command": {}}', '"request" must be an id of your choice'),
    ],
)
def test_frame_error_says_what_is_wrong(text: str, message: str) -> None:
    with pytest.raises(FrameError) as error:
        read_frame(text, depth_max=8)
    assert str(error.value).startswith(message)
    assert error.value.request is None
