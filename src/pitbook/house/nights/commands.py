"""Commands to a night."""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias, get_args

from pitbook.errors import RoundError
from pitbook.money import Cents
from pitbook.rules.actions import ActionJson
from pitbook.sheets.findings import show_value
from pitbook.text import say

TEXT_MAX = 200


class Make(NamedTuple):
    """A night with its charity, its licence, its day and the rules of its house."""

    event: str
    charity: str
    licence: str
    gaming_date: str
    zone: str
    house: dict[str, Any]
    rehearsal: bool = False  # Any day, in play money.


class Correct(NamedTuple):
    """What was wrong about a night, before its doors open; what is not named stays."""

    charity: str | None = None
    licence: str | None = None
    gaming_date: str | None = None
    zone: str | None = None


class Open(NamedTuple):
    """The doors open, on the gaming date and no other day."""


class BringFloat(NamedTuple):
    """Change for the drawer, lent to the night and given back at closing."""

    amount: Cents


class Sell(NamedTuple):
    """Cash in, chips out."""

    player: str
    amount: Cents


class Redeem(NamedTuple):
    """Chips in, cash out, at face value."""

    player: str
    amount: Cents


class Undo(NamedTuple):
    """A slip of the cage was wrong: what it moved goes back, and both stay on record."""

    slip: int
    why: str


class AdmitTable(NamedTuple):
    """A table of chance on a sheet; derived brings a sheet that exceeds them within the limits."""

    table: str
    sheet: dict[str, Any]
    derived: bool = False
    limits: dict[str, Any] | None = None


class Interrupt(NamedTuple):
    """Something beyond control stopped the evening; `dead`: no hand in play can be read."""

    why: str
    dead: bool = False


class Close(NamedTuple):
    """The night is over: chips that nobody redeemed expire, the float goes back."""


class PayUnclaimed(NamedTuple):
    """After closing: somebody comes for what was owed, all of it at once."""

    player: str


Command: TypeAlias = (
    Make
    | Correct
    | Open
    | BringFloat
    | Sell
    | Redeem
    | Undo
    | AdmitTable
    | Interrupt
    | Close
    | PayUnclaimed
)


def _word(kind: type) -> str:
    """BringFloat is bring-float."""
    return "".join(f"-{c.lower()}" if c.isupper() else c for c in kind.__name__).lstrip("-")


KINDS: dict[str, type] = {_word(kind): kind for kind in get_args(Command)}


ALWAYS = ("derived",)  # What was written from the beginning; requests on record are compared.


def encode(command: Command) -> dict[str, Any]:
    """A command as JSON: {"do": "sell", "player": "ann", "amount": "20.00"}."""
    document = _WRITTEN.encode(command)
    return {name: said for name, said in document.items() if said is not False or name in ALWAYS}


def decode(document: Any) -> Command:
    """The command that a JSON object stands for; raises RoundError with a sentence."""
    return _WRITTEN.decode(document)


def _bounded(kind: type, key: str, value: Any) -> None:
    """What comes from outside is of a size that a night can keep."""
    if isinstance(value, str) and len(value) > TEXT_MAX:
        raise RoundError(say("nights.spoken.too-long", given=show_value(value), most=TEXT_MAX))
    if isinstance(value, str) and not value.isprintable():
        raise RoundError(say("nights.spoken.printable", given=show_value(value)))


def _document(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise RoundError(say("nights.spoken.table", given=show_value(value)))
    return value


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise RoundError(say("nights.spoken.text", given=show_value(value)))
    return value


_WRITTEN: ActionJson[Command] = ActionJson(
    "command",
    KINDS,
    readers={
        **dict.fromkeys(("house", "sheet", "limits"), _document),
        **dict.fromkeys(("charity", "licence", "gaming_date", "zone"), _text),
    },
    check=_bounded,
)
