"""Commands to a tournament, and their JSON. `tournament` is the full id, as in "gala-2026.t1"."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any, NamedTuple, TypeAlias, get_args

from pitbook.errors import RoundError
from pitbook.house.ledger.codec import Row
from pitbook.house.nights.tournament.schedule import Schedule
from pitbook.money import Cents, dollars
from pitbook.rules.actions import ActionJson
from pitbook.sheets.findings import show_value
from pitbook.text import say

ChipCounts: TypeAlias = tuple[tuple[str, Cents], ...]  # (player, chips)


class RoomSeat(NamedTuple):
    """A player's place in the room."""

    player: str
    table: int
    seat: int


class SetUp(NamedTuple):
    """A tournament with its schedule; people may enter from here on."""

    tournament: str
    schedule: Schedule


class Announce(NamedTuple):
    """The brush has told the cost, in the schedule's words; free ones may be added."""

    tournament: str
    brush: str = ""
    words: str = ""


class Enter(NamedTuple):
    """A player pays the buy-in."""

    tournament: str
    player: str


class ReBuy(NamedTuple):
    """A player pays for more chips while re-buys are sold."""

    tournament: str
    player: str


class AddOn(NamedTuple):
    """A player pays for an add-on while they are sold."""

    tournament: str
    player: str


class Refund(NamedTuple):
    """All that a player spent goes back; `in_doubt`: the first card may have been dealt."""

    tournament: str
    player: str
    in_doubt: bool = False


class CheckIn(NamedTuple):
    """A player is here, entered or about to."""

    tournament: str
    player: str


class RotateTicket(NamedTuple):
    """A player gets a new ticket; earlier ones, and whoever plays by them, end."""

    tournament: str
    player: str
    why: str = ""


class RevokeTicket(NamedTuple):
    """A player's ticket ends, and with it whoever plays by it; `rotate-ticket` gives a new one."""

    tournament: str
    player: str
    why: str = ""


class OpenTicket(NamedTuple):
    """A browser takes a seat by its ticket; told by the ticket itself, never by the floor."""

    tournament: str
    player: str
    edition: int
    opening: str  # By which the browser's sign-in is known from here on.


class DrawSeats(NamedTuple):
    """Seats for everybody who has none, by lot."""

    tournament: str


class Start(NamedTuple):
    """Play is called: from here on rounds begin."""

    tournament: str


class StartClock(NamedTuple):
    """The first level begins."""

    tournament: str


class PauseClock(NamedTuple):
    """The clock stands still."""

    tournament: str


class ResumeClock(NamedTuple):
    """The clock goes on."""

    tournament: str


class NextLevel(NamedTuple):
    """The next level begins now, whatever was left of this one."""

    tournament: str


class PreviousLevel(NamedTuple):
    """The level before begins anew; in a break, the level that it is behind."""

    tournament: str


class AdjustClock(NamedTuple):
    """So many seconds more for this level or break, or fewer."""

    tournament: str
    seconds: int


class Message(NamedTuple):
    """A line for the board, for so many minutes; 0: until another; without words: none."""

    tournament: str
    text: str = ""
    stays: int = 0


class Register(NamedTuple):
    """Players are expected: they enter when they come and pay."""

    tournament: str
    players: tuple[str, ...]


class Unregister(NamedTuple):
    """A player is not expected any more."""

    tournament: str
    player: str


class Break(NamedTuple):
    """A break outside the schedule; the level waits for it."""

    tournament: str
    minutes: int


class BeginRound(NamedTuple):
    """A round is being dealt at a table."""

    tournament: str
    table: int


class CardDealt(NamedTuple):
    """A live table has dealt; told by the tables, never by a person."""

    tournament: str
    table: int


class RoundFound(NamedTuple):
    """A live table has a hand that nobody had begun; told by the tables, never by a person."""

    tournament: str
    table: int


class CountChips(NamedTuple):
    """The chips at a table after its round; players who are not named have what they had.

    `in_book`: a live table has moved these chips in the ledger already.
    """

    tournament: str
    table: int
    counts: ChipCounts = ()
    in_book: bool = False


class Eliminate(NamedTuple):
    """Players are out; those named together share their places."""

    tournament: str
    players: tuple[str, ...]


class Balance(NamedTuple):
    """Players change tables; without moves the proposed ones are made."""

    tournament: str
    moves: tuple[Row[RoomSeat], ...] = ()


class BreakTable(NamedTuple):
    """A table is given up; without moves the proposed ones are made."""

    tournament: str
    table: int
    moves: tuple[Row[RoomSeat], ...] = ()


class PostPrizes(NamedTuple):
    """Nothing more is sold, and what each place is paid stands."""

    tournament: str


class Finish(NamedTuple):
    """The tournament is over: one is left, or the clock has run out."""

    tournament: str


class PayOut(NamedTuple):
    """A player is paid what is due: a prize, a part of what is divided, or a return."""

    tournament: str
    player: str


class Interrupt(NamedTuple):
    """A power failure, or anything beyond control, has cut the tournament short."""

    tournament: str
    why: str


class Stopped(NamedTuple):
    """The machine stopped in the midst of hands; told by the tables, never by a person."""

    tournament: str
    at: datetime
    why: str
    tables: tuple[int, ...]


class GoOn(NamedTuple):
    """After a stop of the machine: the hands are played on as if nothing had been.

    `through`: the clock ran on meanwhile; else it goes on from where it stood.
    """

    tournament: str
    through: bool = False


class RuleHand(NamedTuple):
    """Whether a hand in play at the interruption can be read, and who agrees to complete it."""

    tournament: str
    table: int
    readable: bool
    agreed: tuple[str, ...] = ()


class SettleInterruption(NamedTuple):
    """End an interrupted tournament, where that has been undone."""

    tournament: str


class Undo(NamedTuple):
    """Take the last thing back; `of` is its sequence number, so that nothing else is hit."""

    tournament: str
    of: int
    why: str = ""


TOLD_BY_TABLES = (CardDealt, RoundFound, Stopped)
OF_TICKETS = (RotateTicket, RevokeTicket)  # They concern no table and no chip.
UNASKED = (*TOLD_BY_TABLES, OpenTicket)  # No person of the floor gives these.

Command: TypeAlias = (
    SetUp
    | Announce
    | Enter
    | ReBuy
    | AddOn
    | Refund
    | CheckIn
    | RotateTicket
    | RevokeTicket
    | OpenTicket
    | DrawSeats
    | Start
    | StartClock
    | PauseClock
    | ResumeClock
    | NextLevel
    | PreviousLevel
    | AdjustClock
    | Message
    | Register
    | Unregister
    | Break
    | BeginRound
    | CardDealt
    | RoundFound
    | CountChips
    | Eliminate
    | Balance
    | BreakTable
    | PostPrizes
    | Finish
    | PayOut
    | Interrupt
    | Stopped
    | GoOn
    | RuleHand
    | SettleInterruption
    | Undo
)


TEXT_MAX = 200
MANY_MAX = 500  # More than sit in any room.


def word(kind: type) -> str:
    """ReBuy is re-buy."""
    return "".join(f"-{c.lower()}" if c.isupper() else c for c in kind.__name__).lstrip("-")


# A schedule is a file of its own; of cards and stops the tables tell, and tickets of themselves.
UNSPOKEN = (SetUp, *UNASKED)
KINDS: dict[str, type] = {word(kind): kind for kind in get_args(Command) if kind not in UNSPOKEN}


def decode(tournament: str, document: Any) -> Command:
    """The command that a JSON object stands for; raises RoundError with a sentence."""
    if isinstance(document, dict):
        document = {**document, "tournament": tournament}
    return _WRITTEN.decode(document)


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise RoundError(say("nights.spoken.text", given=show_value(value)))
    _bounded(str, "", value)
    return value


def _number(value: Any) -> int:
    if type(value) is not int:
        raise RoundError(say("nights.spoken.number", given=show_value(value)))
    return value


def _bounded(kind: type, key: str, value: Any) -> None:
    """What comes from outside is of a size that a night can keep, and no table's own word."""
    if key == "in_book" and value:
        raise RoundError(say("nights.spoken.in-book"))
    if isinstance(value, str) and len(value) > TEXT_MAX:
        raise RoundError(say("nights.spoken.too-long", given=show_value(value), most=TEXT_MAX))
    if isinstance(value, str) and not value.isprintable():
        raise RoundError(say("nights.spoken.printable", given=show_value(value)))


def _each(value: Any) -> list[Any]:
    if not isinstance(value, list) or len(value) > MANY_MAX:
        raise RoundError(say("nights.spoken.list", given=show_value(value), most=MANY_MAX))
    return value


def _names(value: Any) -> tuple[str, ...]:
    return tuple(_text(one) for one in _each(value))


def _moves(value: Any) -> tuple[RoomSeat, ...]:
    return tuple(_move(one) for one in _each(value))


def _move(value: Any) -> RoomSeat:
    if not isinstance(value, dict) or set(value) != set(RoomSeat._fields):
        raise RoundError(say("nights.spoken.move", given=show_value(value)))
    return RoomSeat(_text(value["player"]), _number(value["table"]), _number(value["seat"]))


def _counts(value: Any) -> tuple[tuple[str, Cents], ...]:
    """What each has now, by name: {"ann": "1200", "bob": "800"}."""
    if not isinstance(value, dict) or len(value) > MANY_MAX:
        example = '{"ann": "1200"}'
        raise RoundError(say("nights.spoken.counts", given=show_value(value), example=example))
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
