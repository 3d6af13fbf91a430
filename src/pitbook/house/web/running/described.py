"""The API's description with what every answer holds, worked out when somebody asks for it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, get_type_hints

from fastapi import FastAPI
from fastapi.routing import APIRoute
from pydantic import TypeAdapter

from pitbook.house.table.api_types import FRAMES
from pitbook.house.web.access import ROUTE_ROLES
from pitbook.house.web.errors import content_type_of
from pitbook.house.web.routers import ROUTERS

JSON = "application/json"
REF = "#/components/schemas/{model}"
OpenApi = dict[str, Any]


class Described(FastAPI):
    """An API whose description knows the types of answers, and of frames that no route answers.

    It knows who may ask, too: "x-for" names the roles, and "stranger" for whoever has none.
    """

    def openapi(self) -> OpenApi:
        """OpenAPI; models that no route names stand among the others."""
        if self.openapi_schema is None:
            _describe(super().openapi())
        assert self.openapi_schema is not None
        return self.openapi_schema


def _describe(document: OpenApi) -> None:
    for route in _routes():
        for method in route.methods or ():
            asked = document["paths"][route.path_format][method.lower()]
            asked["x-for"] = sorted(ROUTE_ROLES[route.name])
    answers = dict(_answers(document))
    told = [(key, one[1]) for key, one in answers.items()] + list(FRAMES.items())
    adapters = [(key, "serialization", TypeAdapter(kind)) for key, kind in told]
    made, defined = TypeAdapter.json_schemas(adapters, ref_template=REF)  # type: ignore[arg-type]
    for key, (content, _) in answers.items():
        content["schema"] = made[key, "serialization"]
    named = document.setdefault("components", {}).setdefault("schemas", {})
    for name, schema in defined.get("$defs", {}).items():
        assert named.setdefault(name, schema) == schema, f"two models are called {name}"
    for name in FRAMES:
        named.setdefault(name, made[name, "serialization"])


def _routes() -> Iterator[APIRoute]:
    for route in (one for router in ROUTERS for one in router.routes):
        if isinstance(route, APIRoute) and route.include_in_schema:
            yield route


def _answers(document: OpenApi) -> Iterator[tuple[str, tuple[Any, Any]]]:
    """Where the description of each answer stands, and its type."""
    for route in _routes():
        kind = content_type_of(get_type_hints(route.endpoint, include_extras=True).get("return"))
        if kind is None:
            continue
        for method in route.methods or ():
            at = document["paths"][route.path_format][method.lower()]["responses"]
            answer = at[str(route.status_code or 200)].setdefault("content", {})
            yield f"{method} {route.path_format}", (answer.setdefault(JSON, {}), kind)
