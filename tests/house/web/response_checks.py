"""Checks every response of a test client against the OpenAPI document."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import httpx
import jsonschema_rs
from jsonschema import Draft202012Validator
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

from pitbook.house.web.app import ROUTERS, DocumentedApi

Json = dict[str, Any]
JSON = "application/json"
DOCUMENT_URI = "urn:pitbook"


@functools.cache
def closed_openapi() -> Json:
    """The OpenAPI document, with additional properties forbidden."""
    app = DocumentedApi(title="Pitbook", version="0")
    for router in ROUTERS:
        app.include_router(router)
    schema_document: Json = close_objects(app.openapi())
    return schema_document


def close_objects(schema: Any) -> Any:
    """The schema with additional properties forbidden, unless allowed explicitly."""
    if isinstance(schema, list):
        return [close_objects(element) for element in schema]
    if not isinstance(schema, dict):
        return schema
    closed_schema = {key: close_objects(value) for key, value in schema.items()}
    if isinstance(schema.get("properties"), dict) and schema.get("type") == "object":
        closed_schema.setdefault("additionalProperties", False)
    return closed_schema


async def check_response(response: httpx.Response) -> None:
    """An httpx hook: JSON responses must match the OpenAPI document."""
    if response.headers.get("content-type", "").startswith(JSON):
        await response.aread()
        method, path = response.request.method, response.request.url.path
        wrong = list(response_errors(method, path, response.status_code, response.json()))
        assert not wrong, wrong[:3]


def response_errors(method: str, path: str, status: int, document: Any) -> Iterator[str]:
    """Differences between an answer and its schema."""
    schema = _schema(method.lower(), path, status)
    if schema is not None:
        yield from schema_errors(schema, document)


def frame_errors(frame: Json) -> list[str]:
    """Differences between a socket frame and its schema."""
    return list(schema_errors("/components/schemas/ServerFrame", frame))


def schema_errors(pointer: str, document: Any) -> Iterator[str]:
    """Differences between a value and the schema at a pointer."""
    if not _fast_validator(pointer).is_valid(document):
        errors = list(_validator(pointer).iter_errors(document))
        assert errors, "two judges of a schema disagree"
        for error in errors:
            yield from _error_lines(error)


def _error_lines(error: Any) -> Iterator[str]:
    best = min(
        error.context, key=lambda context_error: -len(context_error.absolute_path), default=None
    )
    where = "/".join(map(str, error.absolute_path))
    yield f"{where}: {error.message[:300]}"
    if best is not None:
        yield f"  {'/'.join(map(str, best.absolute_path))}: {best.message[:300]}"


@functools.cache
def _fast_validator(pointer: str) -> jsonschema_rs.Draft202012Validator:
    """A fast validator that only says yes or no; the other one explains errors."""
    registry = jsonschema_rs.Registry([(DOCUMENT_URI, closed_openapi())])
    reference = {"$ref": f"{DOCUMENT_URI}#{quote(pointer)}"}
    return jsonschema_rs.Draft202012Validator(reference, registry=registry)


@functools.cache
def _validator(pointer: str) -> Draft202012Validator:
    resource = Resource.from_contents(closed_openapi(), default_specification=DRAFT202012)
    registry: Registry[Any] = Registry().with_resource(DOCUMENT_URI, resource)
    return Draft202012Validator({"$ref": f"{DOCUMENT_URI}#{pointer}"}, registry=registry)


def _schema(method: str, path: str, status: int) -> str | None:
    """The pointer to an answer's schema; None for a route that is not ours."""
    template_path = template(path)
    if template_path is None or method not in closed_openapi()["paths"][template_path]:
        return None
    answers = closed_openapi()["paths"][template_path][method]["responses"]
    if status >= 400:
        return None
    assert JSON in answers[str(status)].get("content", {}), f"{method} {template_path} {status}"
    steps = ("paths", template_path, method, "responses", str(status), "content", JSON, "schema")
    return "".join(f"/{step.replace('~', '~0').replace('/', '~1')}" for step in steps)


@functools.cache
def _patterns() -> list[tuple[re.Pattern[str], str]]:
    """Routes without path parameters come first."""
    paths = sorted(closed_openapi()["paths"], key=lambda path: (path.count("{"), path))
    return [(re.compile(re.sub(r"\{[^}]*\}", "[^/]+", path)), path) for path in paths]


def template(path: str) -> str | None:
    """The path template of a route; None if it is not ours."""
    return next(
        (known_path for pattern, known_path in _patterns() if pattern.fullmatch(path)), None
    )
