"""What goes over sockets and streams, as types: no route answers it, and the page reads it."""

from __future__ import annotations

from typing import Any, Literal, NotRequired

from typing_extensions import TypedDict

from pitbook.house.nights.shapes import ClockBoard
from pitbook.house.table.seen.offer_shapes import FieldSaid, RefusalShown
from pitbook.house.table.seen.shapes import TableEvent, View
from pitbook.house.web.models.commands import TableCommand
from pitbook.house.web.models.tables import Recorded

__all__ = ["FRAMES", "Answered", "CommandAnswer", "ErrorFrame", "SocketTold"]


class Answered(TypedDict):
    """What a command is answered: taken, refused by the rules, or why it could not be asked."""

    accepted: NotRequired[Recorded]
    refused: NotRequired[RefusalShown]
    error: NotRequired[str]
    key: NotRequired[str]
    fields: NotRequired[dict[str, FieldSaid]]
    retry_after: NotRequired[float]


class CommandAnswer(Answered):
    """The answer to a command, by the id of its request."""

    request: str


class ViewFrame(TypedDict):
    """The table as it stands."""

    view: View


class EventsFrame(TypedDict):
    """What happened, in order; with an answer where a command brought it about."""

    events: list[TableEvent]
    answer: NotRequired[CommandAnswer]


class AnswerFrame(TypedDict):
    """An answer with nothing before it."""

    answer: CommandAnswer


class ErrorFrame(TypedDict):
    """Why a frame said nothing."""

    error: str
    key: NotRequired[str]
    fields: NotRequired[dict[str, FieldSaid]]


class PingFrame(TypedDict):
    """A call: whoever hears it answers with its number."""

    ping: int


class PongFrame(TypedDict):
    """The answer to a call."""

    pong: int


class CommandFrame(TypedDict):
    """A command, and the id by which it is known when it is sent again."""

    request: str
    command: TableCommand


class LookFrame(TypedDict):
    """A wish to see the table anew."""

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
