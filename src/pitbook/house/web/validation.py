"""Why pydantic refused a value, as a message in any language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic_core import ErrorDetails

from pitbook.text import Sentence, say

_LIMITS = ("max_length", "min_length", "ge", "gt", "le", "lt", "expected")


def validation_reason(detail: ErrorDetails | Mapping[str, Any]) -> Sentence:
    """Why a value is refused: its error kind and the limit it violates."""
    context = detail.get("ctx", {})
    reason = str(detail["msg"]).removeprefix("Value error, ").replace("Input should", "it should")
    limit = next((context[limit_name] for limit_name in _LIMITS if limit_name in context), "")
    return say("web.invalid.reason", kind=detail["type"], limit=limit, reason=reason)
