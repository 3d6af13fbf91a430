"""Results of wagers as written in sheets, and their events."""

from __future__ import annotations

from typing import Annotated, Literal, NamedTuple

from pydantic import BeforeValidator, WithJsonSchema

from pitbook.errors import MoneyError
from pitbook.money import Odds, odds
from pitbook.sheets.values import from_text
from pitbook.text import say

# An event's number is its index: how hands compare, the same when the dealer does not
# qualify, how a war ends, and a fold.
COMPARED = ("lose", "tie", "win")
WARS = ("war_lose", "war_tie", "war_win")
TIE, BELOW, WAR, FOLD = 1, 3, 6, 9

BY_TABLE, OR = "pays", " or "


class ResultRule(NamedTuple):
    """Whether the pay table applies first, and the result otherwise."""

    by_table: bool
    otherwise: Odds | Literal["lose", "push", "half"]


EXAMPLE = '"1:1"'


def parse_result(text: str) -> ResultRule:
    """Parse a result of a sheet; raises MoneyError.

    >>> parse_result("pays or push")
    ResultRule(by_table=True, otherwise='push')
    """
    if text == BY_TABLE:
        return ResultRule(by_table=True, otherwise="lose")
    by_table = text.startswith(BY_TABLE + OR)
    fallback = text.removeprefix(BY_TABLE + OR)
    if fallback in ("lose", "push") or (fallback == "half" and not by_table):
        return ResultRule(by_table, fallback)  # type: ignore[arg-type]
    return ResultRule(by_table, odds(fallback))


def _validate_result(text: str) -> str:
    """The text if it is a valid result; raises MoneyError."""
    try:
        parse_result(text)
    except MoneyError:
        raise MoneyError(say("findings.versus.no-result", given=text)) from None
    return text


_PATTERN = "^(lose|push|half|[0-9]+:[0-9]+|pays( or (lose|push|[0-9]+:[0-9]+))?)$"
ResultWritten = Annotated[
    str,
    BeforeValidator(from_text(_validate_result, EXAMPLE)),
    WithJsonSchema({"type": "string", "pattern": _PATTERN, "examples": ["1:1", "pays or push"]}),
]
