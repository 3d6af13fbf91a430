"""What comes over a socket: one JSON object a frame, of a few kinds, or a sentence why not."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

from pitbook.errors import PitbookError
from pitbook.house.web.network.gate import is_deeper
from pitbook.house.web.network.plain_json import NotPlain, parsed
from pitbook.house.web.tables.present import checked_request
from pitbook.text import say, sentence_of

__all__ = ["Frame", "FrameError", "read"]

NUMBER_MAX = 2**53
KINDS = ('{"request", "command"}', '{"ping"}', '{"pong"}', '{"view": true}')


class FrameError(PitbookError):
    """A frame that says nothing we understand; with its request's id where it has one."""

    def __init__(self, message: str, request: str | None = None) -> None:
        super().__init__(message)
        self.request = request


class Frame(NamedTuple):
    """What somebody wants: a command taken, a sign of life, or a look at the table."""

    kind: Literal["command", "ping", "pong", "view"]
    request: str = ""
    command: Any = None
    number: int = 0


def read(text: str, *, depth_max: int) -> Frame:
    """The frame of a text; raises FrameError."""
    document = _parsed(text, depth_max)
    fields = set(document)
    if fields == {"request", "command"}:
        return _command(document)
    if fields in ({"ping"}, {"pong"}):
        (kind,) = fields
        return Frame("ping" if kind == "ping" else "pong", number=_number(document[kind]))
    if fields == {"view"} and document["view"] is True:
        return Frame("view")
    raise FrameError(say("web.frames.kinds", kinds=KINDS))


def _command(document: dict[str, Any]) -> Frame:
    try:
        request = checked_request(document["request"])
    except PitbookError as error:
        raise FrameError(sentence_of(error)) from None
    if not isinstance(document["command"], dict):
        raise FrameError(say("web.frames.no-object"), request)
    return Frame("command", request, document["command"])


def _number(value: Any) -> int:
    if type(value) is not int or abs(value) > NUMBER_MAX:
        raise FrameError(say("web.frames.no-number"))
    return value


def _parsed(text: str, depth_max: int) -> dict[str, Any]:
    if is_deeper(text.encode(errors="replace"), depth_max):
        raise FrameError(say("web.frames.deep", most=depth_max))
    try:
        document = parsed(text)
    except NotPlain as given:
        raise FrameError(sentence_of(given)) from None
    except (ValueError, RecursionError):
        raise FrameError(say("web.frames.no-json")) from None
    if not isinstance(document, dict):
        raise FrameError(say("web.frames.kinds", kinds=KINDS))
    return document
