"""JSON that says each thing once. Two readers of a field that is written twice may read two values.

Over HTTP this stands between the gate, which has the whole body, and every route; sockets read
their frames by the same rule.
"""

from __future__ import annotations

import json
from http import HTTPStatus
from typing import Any, NoReturn

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pitbook.errors import PitbookError
from pitbook.sheets.findings import printable
from pitbook.web.answers import error
from pitbook.wording import say, sentence_of

__all__ = ["NotPlain", "PlainJson", "given_back", "parsed"]

FIELD_SHOWN = 60


class NotPlain(PitbookError):
    """JSON with a field twice in one object, or with a number that is none."""


def parsed(text: str | bytes) -> Any:
    """The document of a JSON text; raises NotPlain, and ValueError for what is no JSON."""
    if isinstance(text, str) and not text.startswith("\ufeff"):
        return _DECODER.decode(text)
    return json.loads(text, object_pairs_hook=_once, parse_constant=_no_number)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    for name, value in pairs:
        if name in fields:
            told = printable(name[:FIELD_SHOWN])
            raise NotPlain(say("web.network.field-twice", field=told))
        fields[name] = value
    return fields


def _no_number(name: str) -> NoReturn:
    raise NotPlain(say("web.network.no-number", name=name))


_DECODER = json.JSONDecoder(object_pairs_hook=_once, parse_constant=_no_number)


class PlainJson:
    """Passes on what says each thing once; what is no JSON at all is for the route to tell."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Look at every body: headers that call it something else may be read in two ways too."""
        if scope["type"] != "http":
            return await self._app(scope, receive, send)
        message = await receive()
        try:
            if body := message.get("body", b""):
                parsed(body)
        except NotPlain as given:
            return await error(HTTPStatus.BAD_REQUEST, sentence_of(given))(scope, receive, send)
        except (ValueError, RecursionError):
            pass
        return await self._app(scope, given_back(message, receive), send)


def given_back(message: Message, receive: Receive) -> Receive:
    """What receives a message that was taken out already, and then all that follows."""
    given = False

    async def again() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return message

    return again
