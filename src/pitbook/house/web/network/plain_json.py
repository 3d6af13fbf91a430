"""Strict JSON: each field once per object, and only numbers that every parser reads alike.

Over HTTP this stands between the gate, which has the whole body, and every route. Sockets read
their frames by the same rules.
"""

from __future__ import annotations

import json
import math
from http import HTTPStatus
from typing import Any, NoReturn

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pitbook.errors import PitbookError
from pitbook.house.web.answers import error
from pitbook.sheets.findings import printable
from pitbook.text import say, sentence_of

__all__ = ["NotPlain", "PlainJson", "given_back", "parsed"]

FIELD_SHOWN = 60
DIGITS_MAX = 400  # Of a whole number; the largest float has 309.


class NotPlain(PitbookError):
    """JSON with a repeated field or with a number that is not allowed."""


def parsed(text: str | bytes) -> Any:
    """The document of a JSON text; raises NotPlain, and ValueError if it is not JSON."""
    if isinstance(text, str) and not text.startswith("\ufeff"):
        return _DECODER.decode(text)
    return json.loads(text, **_RULES)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    for name, value in pairs:
        if name in fields:
            field = printable(name[:FIELD_SHOWN])
            raise NotPlain(say("web.network.field-twice", field=field))
        fields[name] = value
    return fields


def _no_number(name: str) -> NoReturn:
    raise NotPlain(say("web.network.no-number", name=name))


def _whole_number(number: str) -> int:
    if (digits := len(number.lstrip("-"))) > DIGITS_MAX:
        raise NotPlain(say("web.network.long-number", digits=digits, most=DIGITS_MAX))
    return int(number)


def _decimal_number(number: str) -> float:
    if math.isinf(value := float(number)):
        raise NotPlain(say("web.network.large-number", number=number[:FIELD_SHOWN]))
    return value


_RULES: dict[str, Any] = {
    "object_pairs_hook": _once,
    "parse_constant": _no_number,
    "parse_int": _whole_number,
    "parse_float": _decimal_number,
}
_DECODER = json.JSONDecoder(**_RULES)


class PlainJson:
    """Refuses bodies that break these rules; the route reports what is not JSON at all."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Check every body, whatever its headers say: readers may interpret those differently."""
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
