"""Commands to a tournament, and their JSON. `tournament` is the full id, as in "gala-2026.t1"."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any, NamedTuple, TypeAlias, get_args

from pitbook.errors import RoundError
from pitbook.house.ledger.fact_codec import Row
from pitbook.house.nights.tournament.schedule import Schedule
from pitbook.money import Cents, dollars
from pitbook.rules.actions import ActionJson
from pitbook.text import say
from pitbook.text.user_input import show_value

ChipCounts: TypeAlias = tuple[tuple[str, Cents], ...]  # (player, chips)


class RoomSeat(NamedTuple):
    """A player's table and seat."""

    player: str
    table: int
    seat: int


class SetUp(NamedTuple):
    """Create a tournament with its schedule; players may enter from now on."""

    tournament: str
    schedule: Schedule


class Announce(NamedTuple):
    """Announce the cost in the schedule's words, with optional remarks by the brush."""

    tournament: str
    brush: str = ""
    words: str = ""


class Enter(NamedTuple):
    """Sell a player the buy-in."""

    tournament: str
    player: str


class ReBuy(NamedTuple):
    """Sell a player a re-buy."""

    tournament: str
    player: str


class AddOn(NamedTuple):
    """Sell a player an add-on."""

    tournament: str
    player: str


class Refund(NamedTuple):
    """Refund everything a player spent."""

    tournament: str
    player: str
    in_doubt: bool = False


class CheckIn(NamedTuple):
    """Check a player in, before or after the buy-in."""

    tournament: str
    player: str


class RotateTicket(NamedTuple):
    """Give a player a new ticket. Earlier tickets and their sessions end."""

    tournament: str
    player: str
    why: str = ""


class RevokeTicket(NamedTuple):
    """Revoke a player's ticket and its sessions; `rotate-ticket` gives a new one."""

    tournament: str
    player: str
    why: str = ""


class OpenTicket(NamedTuple):
    """A browser takes a seat by its ticket. Sent by the ticket itself, never by the floor."""

    tournament: str
    player: str
    edition: int
    opening: str  # Identifies the browser's session from then on.


class DrawSeats(NamedTuple):
    """Draw seats for all players without one."""

    tournament: str


class Start(NamedTuple):
    """Start play: rounds may begin."""

    tournament: str


class StartClock(NamedTuple):
    """Start the clock at the first level."""

    tournament: str


class PauseClock(NamedTuple):
    """Pause the clock."""

    tournament: str


class ResumeClock(NamedTuple):
    """Resume the clock."""

    tournament: str


class NextLevel(NamedTuple):
    """Start the next level now."""

    tournament: str


class PreviousLevel(NamedTuple):
    """Restart the previous level; during a break, the level before it."""

    tournament: str


class AdjustClock(NamedTuple):
    """Add seconds to this level or break, or remove them."""

    tournament: str
    seconds: int


class Message(NamedTuple):
    """Show a message on the clock board. 0 minutes: until the next one. No text: clear it."""

    tournament: str
    text: str = ""
    stays: int = 0


class Register(NamedTuple):
    """Register expected players; they enter when they come and pay."""

    tournament: str
    players: tuple[str, ...]


class Unregister(NamedTuple):
    """Remove a player from the list of expected players."""

    tournament: str
    player: str


class Break(NamedTuple):
    """Start a break outside the schedule; the level waits for it."""

    tournament: str
    minutes: int


class BeginRound(NamedTuple):
    """Begin a round at a table."""

    tournament: str
    table: int


class CardDealt(NamedTuple):
    """A live table dealt its first card. Sent by the tables, never by a person."""

    tournament: str
    table: int


class RoundFound(NamedTuple):
    """A live table has a hand that the floor did not begin. Never sent by a person."""

    tournament: str
    table: int


class CountChips(NamedTuple):
    """Count the chips at a table after its round. Players left out keep their chips."""

    tournament: str
    table: int
    counts: ChipCounts = ()
    in_book: bool = False


class Eliminate(NamedTuple):
    """Eliminate players; those named together share their places."""

    tournament: str
    players: tuple[str, ...]


class Balance(NamedTuple):
    """Balance the tables with the proposed moves, or with your own."""

    tournament: str
    moves: tuple[Row[RoomSeat], ...] = ()


class BreakTable(NamedTuple):
    """Break a table with the proposed moves, or with your own."""

    tournament: str
    table: int
    moves: tuple[Row[RoomSeat], ...] = ()


class PostPrizes(NamedTuple):
    """Post the payouts; sales end."""

    tournament: str


class Finish(NamedTuple):
    """Finish the tournament when one player is left or the clock has run out."""

    tournament: str


class PayOut(NamedTuple):
    """Pay a player a prize, a share or a refund."""

    tournament: str
    player: str


class Interrupt(NamedTuple):
    """Interrupt the tournament after a power failure or anything beyond control."""

    tournament: str
    why: str


class Stopped(NamedTuple):
    """The server stopped mid-hand. Sent by the tables, never by a person."""

    tournament: str
    at: datetime
    why: str
    tables: tuple[int, ...]


class GoOn(NamedTuple):
    """Resume play after a server stop. The clock continues where it stopped."""

    tournament: str
    through: bool = False


class RuleHand(NamedTuple):
    """Rule whether an interrupted hand can be read, and who agrees to complete it."""

    tournament: str
    table: int
    readable: bool
    agreed: tuple[str, ...] = ()


class SettleInterruption(NamedTuple):
    """End an interrupted tournament again after an undo."""

    tournament: str


class Undo(NamedTuple):
    """Undo the last step, by its number."""

    tournament: str
    of: int
    why: str = ""


TABLE_COMMANDS = (CardDealt, RoundFound, Stopped)
TICKET_COMMANDS = (RotateTicket, RevokeTicket)  # They affect no table and no chips.
INTERNAL_COMMANDS = (*TABLE_COMMANDS, OpenTicket)  # Never given by a person.

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
MANY_MAX = 500  # More than any room seats.


def command_name(kind: type) -> str:
    """The command's JSON name: ReBuy is re-buy."""
    return "".join(f"-{c.lower()}" if c.isupper() else c for c in kind.__name__).lstrip("-")


# A schedule has its own file; tables and tickets send their commands directly.
NOT_IN_JSON = (SetUp, *INTERNAL_COMMANDS)
KINDS: dict[str, type] = {
    command_name(kind): kind for kind in get_args(Command) if kind not in NOT_IN_JSON
}


def decode(tournament: str, document: Any) -> Command:
    """Parse a command from JSON; raises RoundError with a message."""
    if isinstance(document, dict):
        document = {**document, "tournament": tournament}
    return _COMMAND_JSON.decode(document)


def _parse_text(value: Any) -> str:
    if not isinstance(value, str):
        raise RoundError(say("nights.spoken.text", given=show_value(value)))
    _check_value(str, "", value)
    return value


def _parse_number(value: Any) -> int:
    if type(value) is not int:
        raise RoundError(say("nights.spoken.number", given=show_value(value)))
    return value


def _check_value(kind: type, key: str, value: Any) -> None:
    """Refuse text that is too long or not printable, and fields reserved for tables."""
    if key == "in_book" and value:
        raise RoundError(say("nights.spoken.in-book"))
    if isinstance(value, str) and len(value) > TEXT_MAX:
        raise RoundError(say("nights.spoken.too-long", given=show_value(value), most=TEXT_MAX))
    if isinstance(value, str) and not value.isprintable():
        raise RoundError(say("nights.spoken.printable", given=show_value(value)))


def _parse_list(value: Any) -> list[Any]:
    if not isinstance(value, list) or len(value) > MANY_MAX:
        raise RoundError(say("nights.spoken.list", given=show_value(value), most=MANY_MAX))
    return value


def _parse_names(value: Any) -> tuple[str, ...]:
    return tuple(_parse_text(name) for name in _parse_list(value))


def _parse_moves(value: Any) -> tuple[RoomSeat, ...]:
    return tuple(_parse_move(move) for move in _parse_list(value))


def _parse_move(value: Any) -> RoomSeat:
    if not isinstance(value, dict) or set(value) != set(RoomSeat._fields):
        raise RoundError(say("nights.spoken.move", given=show_value(value)))
    return RoomSeat(
        _parse_text(value["player"]), _parse_number(value["table"]), _parse_number(value["seat"])
    )


def _parse_counts(value: Any) -> tuple[tuple[str, Cents], ...]:
    """Chip counts by name: {"ann": "1200", "bob": "800"}."""
    if not isinstance(value, dict) or len(value) > MANY_MAX:
        example = '{"ann": "1200"}'
        raise RoundError(say("nights.spoken.counts", given=show_value(value), example=example))
    return tuple(
        (_parse_text(player), dollars(_parse_text(chips))) for player, chips in value.items()
    )


_READERS: dict[str, Callable[[Any], Any]] = {
    "players": _parse_names,
    "agreed": _parse_names,
    "moves": _parse_moves,
    "counts": _parse_counts,
}
_COMMAND_JSON: ActionJson[Command] = ActionJson(
    "tournament command", KINDS, readers=_READERS, check=_check_value
)
