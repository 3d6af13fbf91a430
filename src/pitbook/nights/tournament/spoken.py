"""A command to a tournament as JSON: {"do": "enter", "player": "ann"}; its id stands elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, get_args

from pitbook.engine.written import Written
from pitbook.errors import RoundError
from pitbook.money import Cents, dollars
from pitbook.nights.tournament import commands
from pitbook.nights.tournament.commands import Command, Seat
from pitbook.sheets.findings import shown

__all__ = ["KINDS", "decode", "word"]

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
        raise RoundError(f"{shown(value)} must be text in quotes")
    _bounded(str, "", value)
    return value


def _number(value: Any) -> int:
    if type(value) is not int:
        raise RoundError(f"{shown(value)} must be a whole number")
    return value


def _bounded(kind: type, key: str, value: Any) -> None:
    """What comes from outside is of a size that a night can keep, and no table's own word."""
    if key == "in_book" and value:
        raise RoundError("in_book is said by live tables alone; leave it out")
    if isinstance(value, str) and len(value) > TEXT_MAX:
        raise RoundError(f"{shown(value)} is longer than {TEXT_MAX} characters")
    if isinstance(value, str) and not value.isprintable():
        raise RoundError(f"{shown(value)} must be printable text, in one line")


def _each(value: Any) -> list[Any]:
    if not isinstance(value, list) or len(value) > MANY_MAX:
        raise RoundError(f"{shown(value)} must be a list of {MANY_MAX} at most")
    return value


def _names(value: Any) -> tuple[str, ...]:
    return tuple(_text(one) for one in _each(value))


def _moves(value: Any) -> tuple[Seat, ...]:
    return tuple(_move(one) for one in _each(value))


def _move(value: Any) -> Seat:
    if not isinstance(value, dict) or set(value) != set(Seat._fields):
        raise RoundError(f"{shown(value)} is no move; it has a player, a table and a seat")
    return Seat(_text(value["player"]), _number(value["table"]), _number(value["seat"]))


def _counts(value: Any) -> tuple[tuple[str, Cents], ...]:
    """What each has now, by name: {"ann": "1200", "bob": "800"}."""
    if not isinstance(value, dict) or len(value) > MANY_MAX:
        raise RoundError(f'{shown(value)} must name players and chips, as in {{"ann": "1200"}}')
    return tuple((_text(player), dollars(_text(chips))) for player, chips in value.items())


_READERS: dict[str, Callable[[Any], Any]] = {
    "players": _names,
    "agreed": _names,
    "moves": _moves,
    "counts": _counts,
}
_WRITTEN: Written[Command] = Written("tournament command", KINDS, readers=_READERS, check=_bounded)
