"""What is said of a round file that holds no round: one line of sane length."""

from __future__ import annotations

from collections import Counter
from typing import Any

from pydantic import ValidationError

from pitbook.errors import RoundError
from pitbook.sheets.findings import printable, shown
from pitbook.text import Sentence, say

__all__ = ["no_repeats", "refused", "sentence"]

SENTENCE_MAX = 300


def refused(message: str) -> RoundError:
    """One line of sane length, whatever the file holds."""
    text = printable(message)
    return RoundError(text if len(text) <= SENTENCE_MAX else _cut(text))


def _cut(text: str) -> str:
    return f"{text[: SENTENCE_MAX - 3]}..."


def no_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of the file, if it names nothing twice."""
    repeated = [key for key, times in Counter(key for key, _ in pairs).items() if times > 1]
    if repeated:
        raise refused(say("rounds.written-twice", name=repeated[0]))
    return dict(pairs)


def sentence(error: ValidationError) -> Sentence:
    """The first thing that is wrong with a file, in words."""
    first = error.errors(include_url=False)[0]
    dotted = "".join(f"[{one}]" if isinstance(one, int) else f".{one}" for one in first["loc"])
    where = dotted.removeprefix(".") or say("rounds.the-file")
    if first["type"] == "missing":
        return say("rounds.missing", where=where)
    if first["type"] == "extra_forbidden":
        return say("rounds.no-field", where=where)
    context = first.get("ctx", {})
    if first["type"] in ("too_short", "string_too_short"):
        return say("rounds.empty", where=where)
    if first["type"] == "string_too_long":
        return say("rounds.field-too-long", where=where, most=context["max_length"])
    wanted = _WANTED.get(first["type"], "other"), str(context.get("expected", "otherwise"))
    told = {"kind": wanted[0], "expected": wanted[1], "given": shown(first["input"])}
    return say("rounds.must-be", where=where, **told)


_WANTED = {
    "string_type": "text",
    "string_unicode": "text",
    "int_type": "number",
    "list_type": "list",
    "dict_type": "object",
    "model_type": "object",
}
