"""Every answer that a test hears, held against what the API says of it: a model that lies fails."""

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

from pitbook.house.web.app import ROUTERS, Described

Json = dict[str, Any]
JSON = "application/json"
HERE = "urn:pitbook"


@functools.cache
def described() -> Json:
    """The API's description, in which no object has a field that is not named."""
    app = Described(title="Pitbook", version="0")
    for router in ROUTERS:
        app.include_router(router)
    found: Json = closed(app.openapi())
    return found


def closed(told: Any) -> Any:
    """The same with every object closed that does not say that it is open."""
    if isinstance(told, list):
        return [closed(one) for one in told]
    if not isinstance(told, dict):
        return told
    made = {key: closed(value) for key, value in told.items()}
    if isinstance(told.get("properties"), dict) and told.get("type") == "object":
        made.setdefault("additionalProperties", False)
    return made


async def held(response: httpx.Response) -> None:
    """For a client: whatever it is answered in JSON is as it is described."""
    if response.headers.get("content-type", "").startswith(JSON):
        await response.aread()
        method, path = response.request.method, response.request.url.path
        wrong = list(wrongs(method, path, response.status_code, response.json()))
        assert not wrong, wrong[:3]


def wrongs(method: str, path: str, status: int, told: Any) -> Iterator[str]:
    """What an answer has that is not described, and the other way round."""
    schema = _schema(method.lower(), path, status)
    if schema is not None:
        yield from against(schema, told)


def frame_wrongs(frame: Json) -> list[str]:
    """The same of a frame that came over a socket."""
    return list(against("/components/schemas/SocketTold", frame))


def against(pointer: str, told: Any) -> Iterator[str]:
    """What is wrong with a value by the schema at a place of the description."""
    if not _fast(pointer).is_valid(told):
        errors = list(_validator(pointer).iter_errors(told))
        assert errors, "two judges of a schema disagree"
        for error in errors:
            yield from _told(error)


def _told(error: Any) -> Iterator[str]:
    best = min(error.context, key=lambda one: -len(one.absolute_path), default=None)
    where = "/".join(map(str, error.absolute_path))
    yield f"{where}: {error.message[:300]}"
    if best is not None:
        yield f"  {'/'.join(map(str, best.absolute_path))}: {best.message[:300]}"


@functools.cache
def _fast(pointer: str) -> jsonschema_rs.Draft202012Validator:
    """Says yes or no in a hundredth of the time; what is wrong the other tells in words."""
    registry = jsonschema_rs.Registry([(HERE, described())])
    reference = {"$ref": f"{HERE}#{quote(pointer)}"}
    return jsonschema_rs.Draft202012Validator(reference, registry=registry)


@functools.cache
def _validator(pointer: str) -> Draft202012Validator:
    resource = Resource.from_contents(described(), default_specification=DRAFT202012)
    registry: Registry[Any] = Registry().with_resource(HERE, resource)
    return Draft202012Validator({"$ref": f"{HERE}#{pointer}"}, registry=registry)


def _schema(method: str, path: str, status: int) -> str | None:
    """Where the description says what the answer is; None for what is no route of ours."""
    ours = template(path)
    if ours is None or method not in described()["paths"][ours]:
        return None
    answers = described()["paths"][ours][method]["responses"]
    if status >= 400:
        return None
    assert JSON in answers[str(status)].get("content", {}), f"{method} {ours} {status}"
    steps = ("paths", ours, method, "responses", str(status), "content", JSON, "schema")
    return "".join(f"/{one.replace('~', '~0').replace('/', '~1')}" for one in steps)


@functools.cache
def _patterns() -> list[tuple[re.Pattern[str], str]]:
    """Routes without a place to fill come first."""
    paths = sorted(described()["paths"], key=lambda one: (one.count("{"), one))
    return [(re.compile(re.sub(r"\{[^}]*\}", "[^/]+", one)), one) for one in paths]


def template(path: str) -> str | None:
    """The path that a route has in the description; None for what is no route of ours."""
    return next((one for pattern, one in _patterns() if pattern.fullmatch(path)), None)
