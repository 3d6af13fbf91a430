"""Two kinds of field that are no choices, marked so in the schema: words, and what always holds."""

from __future__ import annotations

from typing import Any

from pydantic import Field

DESCRIPTIVE, STATED = "descriptive", "stated"


def descriptive(says: str) -> Any:
    """A field of words about the rules: nothing follows from it."""
    return Field(description=says, json_schema_extra={DESCRIPTIVE: True})


def stated(says: str) -> Any:
    """A field that says what always holds here, with its clause: a file that differs is refused."""
    return Field(description=says, json_schema_extra={STATED: True})
