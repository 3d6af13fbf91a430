"""Types of requests, answers and frames of the table API."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, NotRequired, get_args, get_type_hints

from pydantic import WithJsonSchema
from typing_extensions import TypedDict

from pitbook.house.nights.api_types import ClockBoard
from pitbook.house.nights.tournament import commands as tournament_commands
from pitbook.house.table import commands
from pitbook.house.table.limits import PayoutCap
from pitbook.house.table.round_types import (
    PastRound,
    Proof,
    RecordedAdvice,
    ReplayStep,
    RoundBalance,
    RoundShoe,
)
from pitbook.house.table.state import TableKind
from pitbook.house.table.view_types import (
    MessageField,
    Presence,
    Recorded,
    RefusalJson,
    SheetId,
    TableEvent,
    View,
)
from pitbook.house.web.sheet_types import FullSheet
from pitbook.rules.actions import without_defaults
from pitbook.rules.result_json import RoundResult


class PracticeSeat(TypedDict):
    """A seat at the caller's own table."""

    player: str
    table: str
    seat: int
    view: View


class TableSummary(TypedDict):
    """A table's summary."""

    table: str
    kind: TableKind
    unit: str
    sheet: SheetId
    seats: int
    players: list[str]
    phase: str


class TableList(TypedDict):
    """The tables that the caller may see."""

    tables: list[TableSummary]


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
    caps: list[PayoutCap]


class RoundsPage(TypedDict):
    """Past rounds, newest first; `before=` or `after=` one of them gives the next page."""

    player: str
    rounds: list[PastRound]
    older: str | None
    newer: str | None


class ReplaySteps(TypedDict):
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
    steps: list[ReplayStep]
    mine: list[int]
    settlement: RoundResult | None
    shoe: RoundShoe | None
    rules: FullSheet


class RoundReplay(ReplaySteps):
    """A round step by step, as a person at the table may see it."""

    advice: list[RecordedAdvice]
    balance: RoundBalance | None


class SharedRound(ReplaySteps):
    """A round as its sharer may see it, without names; without a proof, why there is none."""

    shared_by: str
    until: str | None
    proof: Proof | None
    proof_why: str | None


class CommandOutcome(TypedDict):
    """The answer to a command: accepted, refused by the rules, or an error."""

    accepted: NotRequired[Recorded]
    refused: NotRequired[RefusalJson]
    error: NotRequired[str]
    key: NotRequired[str]
    fields: NotRequired[dict[str, MessageField]]
    retry_after: NotRequired[float]


class CommandAnswer(CommandOutcome):
    """The answer to a command, with the id of its request."""

    request: str


class ViewFrame(TypedDict):
    """The table's current view; if views are pushed, perhaps with the answer to a command."""

    view: View
    answer: NotRequired[CommandAnswer]


class EventsFrame(TypedDict):
    """Events in order, with the view after them if views are pushed, and the answer to the command
    that caused them.
    """

    events: list[TableEvent]
    view: NotRequired[View]
    answer: NotRequired[CommandAnswer]


class PresenceFrame(TypedDict):
    """Who is connected; sent when it changes, if views are pushed."""

    presence: Presence


class AnswerFrame(TypedDict):
    """An answer without events."""

    answer: CommandAnswer


class ErrorFrame(TypedDict):
    """Why a frame is invalid."""

    error: str
    key: NotRequired[str]
    fields: NotRequired[dict[str, MessageField]]


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
    return {
        "oneOf": [
            _command_schema(command_name, kind, already_known)
            for command_name, kind in kinds.items()
        ]
    }


def _field_schema(key: str, hint: Any) -> Schema:
    plain = without_defaults(hint)
    choices = [choice for choice in get_args(plain) if isinstance(choice, str)]
    schema = WRITTEN.get(key) or ({**TEXT, "enum": choices} if choices else PLAIN[plain])
    return {"anyOf": [schema, {"type": "null"}]} if type(None) in get_args(hint) else schema


def _command_schema(command_name: str, kind: Any, already_known: frozenset[str]) -> Schema:
    hints = {key: hint for key, hint in get_type_hints(kind).items() if key not in already_known}
    fields = {key: _field_schema(key, hint) for key, hint in hints.items()}
    needed = [key for key in hints if key not in kind._field_defaults]
    return {
        "type": "object",
        "description": kind.__doc__.partition("\n")[0],
        "properties": {"do": {"type": "string", "const": command_name}, **fields},
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


ServerFrame = (
    ViewFrame | EventsFrame | PresenceFrame | AnswerFrame | ErrorFrame | PingFrame | PongFrame
)
ClientFrame = CommandFrame | LookFrame | PingFrame | PongFrame

# The schemas of frames in the API description. The last two are event streams: a table for
# spectators, and a clock board.
FRAMES: dict[str, Any] = {
    "ServerFrame": ServerFrame,
    "ClientFrame": ClientFrame,
    "WatchFrame": View | EventsFrame,
    "ClockFrame": ClockBoard,
}


TournamentCommand = Annotated[
    dict[str, Any],
    # The address names the tournament; only live tables report their counts themselves.
    WithJsonSchema(
        _commands_schema(tournament_commands.KINDS, frozenset({"tournament", "in_book"}))
    ),
]
