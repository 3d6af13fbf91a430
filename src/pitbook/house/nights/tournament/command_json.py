"""Commands to a tournament as JSON."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, get_args

from pitbook.errors import RoundError
from pitbook.house.nights.tournament import commands
from pitbook.house.nights.tournament.commands import Command, RoomSeat
from pitbook.money import Cents, dollars
from pitbook.rules.actions import ActionJson
from pitbook.sheets.findings import shown
from pitbook.text import say

# A command to a tournament as JSON: {"do": "enter", "player": "ann"}; its id stands elsewhere.


TEXT_MAX = 200
MANY_MAX = 500  # More than sit in any room.


def word(kind: type) -> str:
    """ReBuy is re-buy."""
    return "".join(f"-{c.lower()}" if c.isupper() else c for c in kind.__name__).lstrip("-")


# A schedule is a file of its own; of cards and stops the tables tell, and tickets of themselves.
UNSPOKEN = (commands.SetUp, *commands.UNASKED)
KINDS: dict[str, type] = {word(kind): kind for kind in get_args(Command) if kind not in UNSPOKEN}


def decode(tournament: str, document: Any) -> Command:
    """The command that a JSON object stands for; raises RoundError with a sentence."""
    if isinstance(document, dict):
        document = {**document, "tournament": tournament}
    return _WRITTEN.decode(document)


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise RoundError(say("nights.spoken.text", given=shown(value)))
    _bounded(str, "", value)
    return value


def _number(value: Any) -> int:
    if type(value) is not int:
        raise RoundError(say("nights.spoken.number", given=shown(value)))
    return value


def _bounded(kind: type, key: str, value: Any) -> None:
    """What comes from outside is of a size that a night can keep, and no table's own word."""
    if key == "in_book" and value:
        raise RoundError(say("nights.spoken.in-book"))
    if isinstance(value, str) and len(value) > TEXT_MAX:
        raise RoundError(say("nights.spoken.too-long", given=shown(value), most=TEXT_MAX))
    if isinstance(value, str) and not value.isprintable():
        raise RoundError(say("nights.spoken.printable", given=shown(value)))


def _each(value: Any) -> list[Any]:
    if not isinstance(value, list) or len(value) > MANY_MAX:
        raise RoundError(say("nights.spoken.list", given=shown(value), most=MANY_MAX))
    return value


def _names(value: Any) -> tuple[str, ...]:
    return tuple(_text(one) for one in _each(value))


def _moves(value: Any) -> tuple[RoomSeat, ...]:
    return tuple(_move(one) for one in _each(value))


def _move(value: Any) -> RoomSeat:
    if not isinstance(value, dict) or set(value) != set(RoomSeat._fields):
        raise RoundError(say("nights.spoken.move", given=shown(value)))
    return RoomSeat(_text(value["player"]), _number(value["table"]), _number(value["seat"]))


def _counts(value: Any) -> tuple[tuple[str, Cents], ...]:
    """What each has now, by name: {"ann": "1200", "bob": "800"}."""
    if not isinstance(value, dict) or len(value) > MANY_MAX:
        example = '{"ann": "1200"}'
        raise RoundError(say("nights.spoken.counts", given=shown(value), example=example))
    return tuple((_text(player), dollars(_text(chips))) for player, chips in value.items())


_READERS: dict[str, Callable[[Any], Any]] = {
    "players": _names,
    "agreed": _names,
    "moves": _moves,
    "counts": _counts,
}
_WRITTEN: ActionJson[Command] = ActionJson(
    "tournament command", KINDS, readers=_READERS, check=_bounded
)
