"""Why pydantic refused a value, as a message in any language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic_core import ErrorDetails

from pitbook.text import Sentence, say

_LIMITS = ("max_length", "min_length", "ge", "gt", "le", "lt", "expected")


def validation_reason(detail: ErrorDetails | Mapping[str, Any]) -> Sentence:
    """Why a value is refused: by its kind, and by the limit that it does not keep."""
    context = detail.get("ctx", {})
    told = str(detail["msg"]).removeprefix("Value error, ").replace("Input should", "it should")
    limit = next((context[one] for one in _LIMITS if one in context), "")
    return say("web.invalid.reason", kind=detail["type"], limit=limit, reason=told)
