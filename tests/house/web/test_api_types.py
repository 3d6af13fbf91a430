"""The OpenAPI document is correct: every answer has a type and matches it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from tests.house.web import response_checks
from tests.house.web.conftest import LoopRunner
from tests.house.web.response_checks import (
    JSON,
    closed_openapi,
    response_errors,
    schema_errors,
    template,
)
from tests.house.web.route_answers import walk

Json = dict[str, Any]
SOURCE = Path(__file__).resolve().parents[3] / "frontend" / "src" / "reference"
# Fields that depend on a kind, and sheets and rounds as stored.
OPEN = {
    "ExceptionView.after",
    "ExceptionView.before",
    "NewTournament.schedule",
    "ScheduleInput.schedule",
    "ScheduleView.schedule",
    "SheetStored.body",
    "SignificantEventView.after",
    "SignificantEventView.before",
}


def json_answers() -> list[tuple[str, str, str, Json]]:
    """Method, path, status and schema of each successful JSON answer."""
    return [
        (method, path, status, response["content"][JSON]["schema"])
        for path, methods in closed_openapi()["paths"].items()
        for method, operation in methods.items()
        for status, response in operation["responses"].items()
        if status < "4" and JSON in response.get("content", {})
    ]


def test_every_answer_has_a_named_schema() -> None:
    for method, path, _, schema in json_answers():
        assert schema.keys() & {"$ref", "anyOf"}, (method, path)


def test_open_schemas_are_a_short_list() -> None:
    """Think twice before adding to this list."""
    open_fields = {
        f"{name}.{field}"
        for name, model in closed_openapi()["components"]["schemas"].items()
        for field, schema in model.get("properties", {}).items()
        if _is_open(schema)
    }
    assert open_fields == OPEN


def _is_open(schema: Any) -> bool:
    if isinstance(schema, list):
        return any(map(_is_open, schema))
    if not isinstance(schema, dict):
        return False
    return schema.get("additionalProperties") is True or any(map(_is_open, schema.values()))


def test_names_of_models_are_short() -> None:
    """Two models of one name would get their modules' names, also in the page's types."""
    assert [name for name in closed_openapi()["components"]["schemas"] if "__" in name] == []


def test_page_lists_every_tag_of_the_api() -> None:
    """The page lists the tags in its own order; an unknown one has no name there."""
    source = (SOURCE / "openapi.ts").read_text(encoding="utf-8")
    (listed,) = re.findall(r"export const PARTS = \[(.*?)\] as const;", source, re.DOTALL)
    parts = re.findall(r'"([a-z-]+)"', listed)
    routes = [
        operation
        for methods in closed_openapi()["paths"].values()
        for operation in methods.values()
    ]
    assert sorted(parts) == sorted({operation["tags"][0] for operation in routes})
    assert all(len(operation["tags"]) == 1 for operation in routes)


@pytest.mark.long
def test_every_route_answers_by_its_schema(
    run: LoopRunner, app: FastAPI, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard: set[tuple[str, str, str]] = set()

    def wrongs_of(method: str, path: str, status: int, document: Any) -> Any:
        heard.add((method.lower(), template(path) or path, str(status)))
        return response_errors(method, path, status, document)

    monkeypatch.setattr(response_checks, "response_errors", wrongs_of)
    run(walk(app))
    assert {answer[:3] for answer in json_answers()} - heard == set()


def test_wrong_answer_is_noticed() -> None:
    pointer, sheet_id = "/components/schemas/SheetId", {"id": "a/b", "title": "B", "hash": "c365"}
    assert list(schema_errors(pointer, sheet_id)) == []
    for lie in (
        {**sheet_id, "venue": "A"},
        {"id": "a/b", "title": "B"},
        {**sheet_id, "hash": None},
    ):
        assert len(list(schema_errors(pointer, lie))) == 1, lie
    wrong = response_errors("GET", "/api/health", 200, {"status": "up", "more": 1})
    assert list(wrong) == [
        ": Additional properties are not allowed ('more' was unexpected)",
    ]
