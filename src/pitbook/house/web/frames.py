"""Frames that clients send over a socket: commands, pings, pongs and requests for a view."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

from pitbook.errors import PitbookError
from pitbook.house.table.table_session import check_request_id
from pitbook.house.web.edge import NotStrictJson, exceeds_depth, parse_json
from pitbook.text import say, sentence_of

NUMBER_MAX = 2**53
SCREEN_FRAME_KINDS = ('{"watch"}', '{"pong"}')
FRAME_KINDS = ('{"request", "command"}', '{"ping"}', '{"pong"}', '{"view": true}')


class FrameError(PitbookError):
    """An invalid frame, with its request id if it has one."""

    def __init__(self, message: str, request: str | None = None) -> None:
        super().__init__(message)
        self.request = request


class Frame(NamedTuple):
    """A parsed frame: a command, a ping or pong, or a request for a view."""

    kind: Literal["command", "ping", "pong", "view"]
    request: str = ""
    command: Any = None
    number: int = 0


def read_frame(text: str, *, depth_max: int) -> Frame:
    """Parse a frame; raises FrameError."""
    document = _parse_object(text, depth_max)
    fields = set(document)
    if fields == {"request", "command"}:
        return _command_frame(document)
    if fields in ({"ping"}, {"pong"}):
        (kind,) = fields
        return Frame("ping" if kind == "ping" else "pong", number=_ping_number(document[kind]))
    if fields == {"view"} and document["view"] is True:
        return Frame("view")
    raise FrameError(say("web.frames.kinds", kinds=FRAME_KINDS))


def read_screen_frame(text: str, *, depth_max: int) -> list[str] | None:
    """The addresses that a page wants to watch, or None for a pong; raises FrameError."""
    document = _parse_object(text, depth_max)
    if set(document) == {"pong"}:
        _ping_number(document["pong"])
        return None
    paths = document.get("watch")
    if set(document) != {"watch"} or not isinstance(paths, list):
        raise FrameError(say("web.frames.kinds", kinds=SCREEN_FRAME_KINDS))
    if not all(isinstance(path, str) for path in paths):
        raise FrameError(say("web.frames.kinds", kinds=SCREEN_FRAME_KINDS))
    return paths


def _command_frame(document: dict[str, Any]) -> Frame:
    try:
        request = check_request_id(document["request"])
    except PitbookError as error:
        raise FrameError(sentence_of(error)) from None
    if not isinstance(document["command"], dict):
        raise FrameError(say("web.frames.no-object"), request)
    return Frame("command", request, document["command"])


def _ping_number(value: Any) -> int:
    if type(value) is not int or abs(value) > NUMBER_MAX:
        raise FrameError(say("web.frames.no-number"))
    return value


def _parse_object(text: str, depth_max: int) -> dict[str, Any]:
    if exceeds_depth(text.encode(errors="replace"), depth_max):
        raise FrameError(say("web.frames.deep", most=depth_max))
    try:
        document = parse_json(text)
    except NotStrictJson as error:
        raise FrameError(sentence_of(error)) from None
    except (ValueError, RecursionError):
        raise FrameError(say("web.frames.no-json")) from None
    if not isinstance(document, dict):
        raise FrameError(say("web.frames.kinds", kinds=FRAME_KINDS))
    return document
