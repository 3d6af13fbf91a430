"""Example request bodies from the OpenAPI document."""

from __future__ import annotations

from typing import Any

Json = dict[str, Any]
DEPTH_MAX = 5


def example(document: Json, body: Json) -> Any:
    """An example of a documented body; None if it is not JSON."""
    content = body.get("content", {}).get("application/json", {})
    if "example" in content:
        return content["example"]
    return _of_schema(document, content["schema"]) if content.get("schema") else None


def _of_schema(document: Json, schema: Json, depth: int = 0) -> Any:
    if "$ref" in schema:
        schema = document["components"]["schemas"][schema["$ref"].rsplit("/", 1)[1]]
    if schema.get("examples"):
        return schema["examples"][0]
    if schema.get("type") == "array":
        return [_of_schema(document, schema.get("items", {}), depth + 1)]
    if depth > DEPTH_MAX or "properties" not in schema:
        return schema.get("default", schema.get("const", schema.get("type")))
    return {
        name: _of_schema(document, inner, depth + 1) for name, inner in schema["properties"].items()
    }
