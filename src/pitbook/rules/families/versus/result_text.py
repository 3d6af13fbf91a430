"""What a sheet says of a wager's result, and the events that it says it of."""

from __future__ import annotations

from typing import Annotated, Literal, NamedTuple

from pydantic import BeforeValidator, WithJsonSchema

from pitbook.errors import MoneyError
from pitbook.money import Odds, odds
from pitbook.sheets.values import from_text
from pitbook.text import say

# What a sheet says of a wager's result, and the events that it says it of.


# The number of an event is its place here: how hands compare, the same where the dealer does not
# qualify, how a war ends, and a hand that is given up.
COMPARED = ("lose", "tie", "win")
WARS = ("war_lose", "war_tie", "war_win")
TIE, BELOW, WAR, FOLD = 1, 3, 6, 9

BY_TABLE, OR = "pays", " or "


class ResultRule(NamedTuple):
    """A result: whether the pay table is asked first, and what holds else."""

    by_table: bool
    otherwise: Odds | Literal["lose", "push", "half"]


EXAMPLE = '"1:1"'


def told(text: str) -> ResultRule:
    """What a text of a sheet says; raises MoneyError.

    >>> told("pays or push")
    ResultRule(by_table=True, otherwise='push')
    """
    if text == BY_TABLE:
        return ResultRule(by_table=True, otherwise="lose")
    by_table = text.startswith(BY_TABLE + OR)
    rest = text.removeprefix(BY_TABLE + OR)
    if rest in ("lose", "push") or (rest == "half" and not by_table):
        return ResultRule(by_table, rest)  # type: ignore[arg-type]
    return ResultRule(by_table, odds(rest))


def _as_written(text: str) -> str:
    """The text, where it is a result; raises MoneyError."""
    try:
        told(text)
    except MoneyError:
        raise MoneyError(say("findings.versus.no-result", given=text)) from None
    return text


_PATTERN = "^(lose|push|half|[0-9]+:[0-9]+|pays( or (lose|push|[0-9]+:[0-9]+))?)$"
ResultWritten = Annotated[
    str,
    BeforeValidator(from_text(_as_written, EXAMPLE)),
    WithJsonSchema({"type": "string", "pattern": _PATTERN, "examples": ["1:1", "pays or push"]}),
]
