"""Commands to a night."""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias, get_args

from pitbook.errors import RoundError
from pitbook.money import Cents
from pitbook.rules.actions import ActionJson
from pitbook.text import say
from pitbook.text.user_input import show_value

TEXT_MAX = 200


class Make(NamedTuple):
    """Create a night with its charity, license, date and house rules."""

    event: str
    charity: str
    licence: str
    gaming_date: str
    zone: str
    house: dict[str, Any]
    rehearsal: bool = False  # Any date, in play money.


class Correct(NamedTuple):
    """Correct a night's description before it opens. Fields left out stay."""

    charity: str | None = None
    licence: str | None = None
    gaming_date: str | None = None
    zone: str | None = None


class Open(NamedTuple):
    """Open the night. Allowed only on its gaming date."""


class BringFloat(NamedTuple):
    """Bring change for the drawer. The night returns it at closing."""

    amount: Cents


class Sell(NamedTuple):
    """Sell chips for cash."""

    player: str
    amount: Cents


class Redeem(NamedTuple):
    """Redeem chips for cash at face value."""

    player: str
    amount: Cents


class Undo(NamedTuple):
    """Void a slip: its transfers are reversed and both stay on record."""

    slip: int
    why: str


class AdmitTable(NamedTuple):
    """Admit a table of chance. `derived` lowers the sheet's bets to the house's limits."""

    table: str
    sheet: dict[str, Any]
    derived: bool = False
    limits: dict[str, Any] | None = None


class Interrupt(NamedTuple):
    """Interrupt the night. `dead`: no hand in play can be read."""

    why: str
    dead: bool = False


class Close(NamedTuple):
    """Close the night: unredeemed chips expire and the float is returned."""


class PayUnclaimed(NamedTuple):
    """Pay a player's unclaimed money after closing, all at once."""

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


def _command_name(kind: type) -> str:
    """The command's JSON name: BringFloat is bring-float."""
    return "".join(f"-{c.lower()}" if c.isupper() else c for c in kind.__name__).lstrip("-")


KINDS: dict[str, type] = {_command_name(kind): kind for kind in get_args(Command)}


ALWAYS_ENCODED = ("derived",)  # Recorded requests contain it and are compared.


def encode(command: Command) -> dict[str, Any]:
    """A command as JSON: {"do": "sell", "player": "ann", "amount": "20.00"}."""
    document = _COMMAND_JSON.encode(command)
    return {
        name: value
        for name, value in document.items()
        if value is not False or name in ALWAYS_ENCODED
    }


def decode(document: Any) -> Command:
    """Parse a command from JSON; raises RoundError with a message."""
    return _COMMAND_JSON.decode(document)


def _check_text(kind: type, key: str, value: Any) -> None:
    """Refuse text that is too long or not printable."""
    if isinstance(value, str) and len(value) > TEXT_MAX:
        raise RoundError(say("nights.spoken.too-long", given=show_value(value), most=TEXT_MAX))
    if isinstance(value, str) and not value.isprintable():
        raise RoundError(say("nights.spoken.printable", given=show_value(value)))


def _parse_document(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise RoundError(say("nights.spoken.table", given=show_value(value)))
    return value


def _parse_text(value: Any) -> str:
    if not isinstance(value, str):
        raise RoundError(say("nights.spoken.text", given=show_value(value)))
    return value


_COMMAND_JSON: ActionJson[Command] = ActionJson(
    "command",
    KINDS,
    readers={
        **dict.fromkeys(("house", "sheet", "limits"), _parse_document),
        **dict.fromkeys(("charity", "licence", "gaming_date", "zone"), _parse_text),
    },
    check=_check_text,
)
