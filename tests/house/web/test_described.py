"""What the API says of itself is what it does: every answer has a type, and holds to it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from tests.house.web import held_answers
from tests.house.web.conftest import Running
from tests.house.web.held_answers import JSON, against, described, template, wrongs
from tests.house.web.walked import walk

Json = dict[str, Any]
SOURCE = Path(__file__).resolve().parents[3] / "frontend" / "src" / "described"
# What changes by its kind, whole sheets and rounds as they are stored.
OPEN = {
    "ExceptionShown.after",
    "ExceptionShown.before",
    "NewTournament.schedule",
    "ScheduleGiven.schedule",
    "ScheduleRead.schedule",
    "SheetStored.body",
    "SignificantShown.after",
    "SignificantShown.before",
}


def answers() -> list[tuple[str, str, str, Json]]:
    """Method, path, status and schema of each answer in JSON that is a yes."""
    return [
        (method, path, status, told["content"][JSON]["schema"])
        for path, methods in described()["paths"].items()
        for method, one in methods.items()
        for status, told in one["responses"].items()
        if status < "4" and JSON in told.get("content", {})
    ]


def test_every_answer_says_what_it_holds() -> None:
    for method, path, _, schema in answers():
        assert schema.keys() & {"$ref", "anyOf"}, (method, path)


def test_what_is_said_to_be_open_is_a_short_list() -> None:
    """Whoever adds to it should think twice, and then add it here."""
    found = {
        f"{name}.{field}"
        for name, model in described()["components"]["schemas"].items()
        for field, told in model.get("properties", {}).items()
        if _is_open(told)
    }
    assert found == OPEN


def _is_open(told: Any) -> bool:
    if isinstance(told, list):
        return any(map(_is_open, told))
    if not isinstance(told, dict):
        return False
    return told.get("additionalProperties") is True or any(map(_is_open, told.values()))


def test_names_of_models_are_short() -> None:
    """Two of one name would get the names of their modules, and so would the page's types."""
    assert [name for name in described()["components"]["schemas"] if "__" in name] == []


def test_the_page_knows_every_part_of_the_api() -> None:
    """The page lists the parts in its own order; one that it does not know has no name there."""
    source = (SOURCE / "described.ts").read_text(encoding="utf-8")
    (listed,) = re.findall(r"export const PARTS = \[(.*?)\] as const;", source, re.DOTALL)
    parts = re.findall(r'"([a-z-]+)"', listed)
    routes = [one for methods in described()["paths"].values() for one in methods.values()]
    assert sorted(parts) == sorted({one["tags"][0] for one in routes})
    assert all(len(one["tags"]) == 1 for one in routes)


@pytest.mark.long
def test_every_route_answers_as_it_says(
    run: Running, app: FastAPI, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard: set[tuple[str, str, str]] = set()

    def wrongs_of(method: str, path: str, status: int, told: Any) -> Any:
        heard.add((method.lower(), template(path) or path, str(status)))
        return wrongs(method, path, status, told)

    monkeypatch.setattr(held_answers, "wrongs", wrongs_of)
    run(walk(app))
    assert {one[:3] for one in answers()} - heard == set()


def test_a_model_that_lies_is_noticed() -> None:
    pointer, told = "/components/schemas/SheetId", {"id": "a/b", "title": "B", "hash": "c365"}
    assert list(against(pointer, told)) == []
    for lie in ({**told, "venue": "A"}, {"id": "a/b", "title": "B"}, {**told, "hash": None}):
        assert len(list(against(pointer, lie))) == 1, lie
    wrong = wrongs("GET", "/api/health", 200, {"status": "up", "more": 1})
    assert list(wrong) == [
        ": Additional properties are not allowed ('more' was unexpected)",
    ]
