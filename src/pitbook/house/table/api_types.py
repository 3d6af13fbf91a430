"""Types of requests, answers and frames of the table API."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, NotRequired, get_args, get_type_hints

from pydantic import WithJsonSchema
from typing_extensions import TypedDict

from pitbook.house.nights.tournament import commands as spoken
from pitbook.house.nights.view_types import ClockBoard
from pitbook.house.table import commands
from pitbook.house.table.limits import CapTold
from pitbook.house.table.round_types import (
    AdviceNoted,
    Proof,
    Recalled,
    RoundBalance,
    ShoeTold,
    Step,
)
from pitbook.house.table.state import TableKind
from pitbook.house.table.view_types import FieldSaid, RefusalShown, SheetId, TableEvent, View
from pitbook.house.web.sheet_types import FullSheet
from pitbook.rules.actions import without_defaults
from pitbook.rules.report import RoundResult


class Recorded(TypedDict):
    """An entry's place in the ledger."""

    seq: int
    hash: str


class Seated(TypedDict):
    """A seat at the caller's own table."""

    player: str
    table: str
    seat: int
    view: View


class TableNamed(TypedDict):
    """A table's summary."""

    table: str
    kind: TableKind
    unit: str
    sheet: SheetId
    seats: int
    players: list[str]
    phase: str


class Tables(TypedDict):
    """The tables that the caller may see."""

    tables: list[TableNamed]


class TableOpened(TypedDict):
    """An open table, and the version of its rules."""

    table: str
    kind: TableKind
    unit: str
    sheet: SheetId


class LimitsChanged(TypedDict):
    """A table's recorded limits from the next round on."""

    table: str
    accepted: Recorded
    sheet: SheetId
    limits: dict[str, dict[str, str]]
    caps: list[CapTold]


class Rounds(TypedDict):
    """Past rounds, newest first; `before=` or `after=` one of them gives the next page."""

    player: str
    rounds: list[Recalled]
    older: str | None
    newer: str | None


class RoundAgain(TypedDict):
    """A round step by step; `mine` lists the viewer's seats, `rules` is the sheet of that time."""

    round: str
    table: str
    unit: str
    sheet: SheetId
    opened: str
    over: bool
    arranged: bool
    replay: bool
    viewer: str
    steps: list[Step]
    mine: list[int]
    settlement: RoundResult | None
    shoe: ShoeTold | None
    rules: FullSheet


class Replayed(RoundAgain):
    """A round step by step, as a person at the table may see it."""

    advice: list[AdviceNoted]
    balance: RoundBalance | None


class SharedRound(RoundAgain):
    """A round as its sharer may see it, without names; without a proof, why there is none."""

    shared_by: str
    until: str | None
    proof: Proof | None
    proof_why: str | None


class Answered(TypedDict):
    """The answer to a command: accepted, refused by the rules, or an error."""

    accepted: NotRequired[Recorded]
    refused: NotRequired[RefusalShown]
    error: NotRequired[str]
    key: NotRequired[str]
    fields: NotRequired[dict[str, FieldSaid]]
    retry_after: NotRequired[float]


class CommandAnswer(Answered):
    """The answer to a command, with the id of its request."""

    request: str


class ViewFrame(TypedDict):
    """The table's current view."""

    view: View


class EventsFrame(TypedDict):
    """Events in order, with the answer to the command that caused them."""

    events: list[TableEvent]
    answer: NotRequired[CommandAnswer]


class AnswerFrame(TypedDict):
    """An answer without events."""

    answer: CommandAnswer


class ErrorFrame(TypedDict):
    """Why a frame is invalid."""

    error: str
    key: NotRequired[str]
    fields: NotRequired[dict[str, FieldSaid]]


class PingFrame(TypedDict):
    """A ping; answer with its number."""

    ping: int


class PongFrame(TypedDict):
    """The answer to a ping."""

    pong: int


Schema = dict[str, Any]
PLAIN: dict[type, Schema] = {
    int: {"type": "integer"},
    bool: {"type": "boolean"},
    str: {"type": "string"},
}
TEXT, WHOLE = PLAIN[str], PLAIN[int]
NAMES: Schema = {"type": "array", "items": TEXT}
# These differ from the stored form; money and cards are text.
WRITTEN: dict[str, Schema] = {
    "amount": TEXT,
    "card": TEXT,
    "place": {"anyOf": [WHOLE, TEXT]},
    "sheet": {"type": "object", "additionalProperties": TEXT},
    "players": NAMES,
    "agreed": NAMES,
    "moves": {
        "type": "array",
        "items": {
            "type": "object",
            "properties": {"player": TEXT, "table": WHOLE, "seat": WHOLE},
            "required": ["player", "table", "seat"],
        },
    },
    "counts": {"type": "object", "additionalProperties": TEXT},
}


def _commands_schema(
    kinds: Mapping[str, type], already_known: frozenset[str] = frozenset()
) -> Schema:
    """One of the commands, without fields that are `already_known`."""
    return {"oneOf": [_command_schema(do, kind, already_known) for do, kind in kinds.items()]}


def _field_schema(key: str, hint: Any) -> Schema:
    plain = without_defaults(hint)
    choices = [choice for choice in get_args(plain) if isinstance(choice, str)]
    schema = WRITTEN.get(key) or ({**TEXT, "enum": choices} if choices else PLAIN[plain])
    return {"anyOf": [schema, {"type": "null"}]} if type(None) in get_args(hint) else schema


def _command_schema(do: str, kind: Any, already_known: frozenset[str]) -> Schema:
    hints = {key: hint for key, hint in get_type_hints(kind).items() if key not in already_known}
    fields = {key: _field_schema(key, hint) for key, hint in hints.items()}
    needed = [key for key in hints if key not in kind._field_defaults]
    return {
        "type": "object",
        "description": kind.__doc__.partition("\n")[0],
        "properties": {"do": {"type": "string", "const": do}, **fields},
        "required": ["do", *needed],
        "additionalProperties": False,
    }


TableCommand = Annotated[dict[str, Any], WithJsonSchema(_commands_schema(commands.KINDS))]


class CommandFrame(TypedDict):
    """A command, and the request id that identifies repeats."""

    request: str
    command: TableCommand


class LookFrame(TypedDict):
    """Request a new view."""

    view: Literal[True]


SocketTold = ViewFrame | EventsFrame | AnswerFrame | ErrorFrame | PingFrame | PongFrame
SocketAsked = CommandFrame | LookFrame | PingFrame | PongFrame

# By the name of each in the API's description. The last two are streams: of a table's watchers, for
# whom the view comes as it is, and of a clock board.
FRAMES: dict[str, Any] = {
    "SocketTold": SocketTold,
    "SocketAsked": SocketAsked,
    "WatchTold": View | EventsFrame,
    "ClockTold": ClockBoard,
}


TournamentCommand = Annotated[
    dict[str, Any],
    # Its address names the tournament, and of live tables they tell themselves.
    WithJsonSchema(_commands_schema(spoken.KINDS, frozenset({"tournament", "in_book"}))),
]
