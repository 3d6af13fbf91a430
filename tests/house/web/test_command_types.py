"""Commands are documented as tables and tournaments decode them, field by field."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from tests.house.web.response_checks import closed_openapi

from pitbook.errors import RoundError
from pitbook.house.nights.tournament import commands as spoken
from pitbook.house.table import commands

Json = dict[str, Any]
SAMPLES: dict[str, Any] = {"amount": "10", "card": "Qs", "place": 1, "why": "broken", "moves": []}
BY_TYPE = {"integer": 1, "boolean": True, "string": "ann", "array": ["ann"], "object": {}}
READ: dict[str, Callable[[Json], Any]] = {
    "CommandRequest": commands.decode,
    "CommandFrame": commands.decode,
    "TournamentCommandRequest": lambda command: spoken.decode("gala.t1", command),
}


def kinds(model: str) -> Iterator[Json]:
    """Every kind of command that a model accepts."""
    yield from closed_openapi()["components"]["schemas"][model]["properties"]["command"]["oneOf"]


def sample(kind: Json, fields: list[str]) -> Json:
    """A command with those fields."""
    return {name: _value(name, kind["properties"][name]) for name in fields}


def _value(name: str, schema: Json) -> Any:
    if name in SAMPLES:
        return SAMPLES[name]
    if name == "sheet":
        return {"hash": "0", "body": "{}"}
    schema = next(iter(schema.get("anyOf", [schema])))
    return schema.get("const") or next(iter(schema.get("enum", [BY_TYPE[schema["type"]]])))


@pytest.mark.parametrize("model", READ)
def test_command_decodes_with_all_or_only_required_fields(model: str) -> None:
    for kind in kinds(model):
        for fields in (list(kind["properties"]), kind["required"]):
            assert READ[model](sample(kind, fields)) is not None


@pytest.mark.parametrize("model", READ)
def test_command_without_a_required_field_is_refused(model: str) -> None:
    for kind in kinds(model):
        for name in kind["required"]:
            fields = [field for field in kind["required"] if field != name]
            with pytest.raises(RoundError):
                READ[model](sample(kind, fields))


def test_every_command_kind_is_documented() -> None:
    assert [kind["properties"]["do"]["const"] for kind in kinds("CommandRequest")] == [
        *commands.KINDS
    ]
    assert [kind["properties"]["do"]["const"] for kind in kinds("TournamentCommandRequest")] == [
        *spoken.KINDS
    ]
