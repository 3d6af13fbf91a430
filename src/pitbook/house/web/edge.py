"""Middleware in front of the app: security headers, rate limits, request bodies and strict JSON."""

from __future__ import annotations

import asyncio
import json
import math
import re
from collections import Counter
from collections.abc import Callable
from functools import partial
from http import HTTPStatus
from typing import Any, NoReturn

from starlette.datastructures import MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pitbook.errors import PitbookError
from pitbook.house.web.connections import PacedConnection, connection_of, idle
from pitbook.house.web.errors import error_response
from pitbook.house.web.rate_limits import (
    CLIENT_KEY,
    CURRENT_CLIENT,
    Client,
    IdentifyClient,
    Limiter,
    address_of,
    client_of,
)
from pitbook.house.web.settings import RequestLimits
from pitbook.sheets.findings import printable
from pitbook.text import say, sentence_of

SECURITY_HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",  # An invitation's address is a secret.
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
TLS_HEADERS = {"Strict-Transport-Security": "max-age=31536000"}


class SecurityHeaders:
    """Adds them where a route has not set its own."""

    def __init__(self, app: ASGIApp, *, secure: bool) -> None:
        self._app = app
        self._headers = SECURITY_HEADERS | (TLS_HEADERS if secure else {})

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on; look at the answer's first message."""
        if scope["type"] != "http":
            return await self._app(scope, receive, send)

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                given = MutableHeaders(scope=message)
                for name, value in self._headers.items():
                    given.setdefault(name, value)
            await send(message)

        return await self._app(scope, receive, with_headers)


FIELD_SHOWN = 60
DIGITS_MAX = 400  # Of a whole number; the largest float has 309.


class NotStrictJson(PitbookError):
    """JSON with a repeated field or with a number that is not allowed."""


def parse_json(text: str | bytes) -> Any:
    """The document of a JSON text; raises NotPlain, and ValueError if it is not JSON."""
    if isinstance(text, str) and not text.startswith("\ufeff"):
        return _DECODER.decode(text)
    return json.loads(text, **_JSON_RULES)


def _unique_fields(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    for name, value in pairs:
        if name in fields:
            field = printable(name[:FIELD_SHOWN])
            raise NotStrictJson(say("web.network.field-twice", field=field))
        fields[name] = value
    return fields


def _reject_constant(name: str) -> NoReturn:
    raise NotStrictJson(say("web.network.no-number", name=name))


def _whole_number(number: str) -> int:
    if (digits := len(number.lstrip("-"))) > DIGITS_MAX:
        raise NotStrictJson(say("web.network.long-number", digits=digits, most=DIGITS_MAX))
    return int(number)


def _decimal_number(number: str) -> float:
    if math.isinf(value := float(number)):
        raise NotStrictJson(say("web.network.large-number", number=number[:FIELD_SHOWN]))
    return value


_JSON_RULES: dict[str, Any] = {
    "object_pairs_hook": _unique_fields,
    "parse_constant": _reject_constant,
    "parse_int": _whole_number,
    "parse_float": _decimal_number,
}
_DECODER = json.JSONDecoder(**_JSON_RULES)


class StrictJson:
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
                parse_json(body)
        except NotStrictJson as given:
            return await error_response(HTTPStatus.BAD_REQUEST, sentence_of(given))(
                scope, receive, send
            )
        except (ValueError, RecursionError):
            pass
        return await self._app(scope, replay_message(message, receive), send)


def replay_message(message: Message, receive: Receive) -> Receive:
    """What receives a message that was taken out already, and then all that follows."""
    given = False

    async def again() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return message

    return again


BODIES_PER_ADDRESS_MAX = 50  # Of the largest size, under way from one address.
FREE_BYTES = 4_096  # Of each body: nobody is kept from signing in, or from a seat.


class BodyTooLarge(Exception):
    """With the status that tells so: of one body, or of all that an address sends at once."""

    def __init__(self, status: HTTPStatus) -> None:
        super().__init__(status)
        self.status = status


class BodyTracker:
    """All that is under way, by the crowd that sends it."""

    def __init__(self, body_bytes: int) -> None:
        self.body_bytes = body_bytes
        self._bytes: Counter[str] = Counter()
        self._unfinished: dict[str, dict[Body, None]] = {}  # The oldest first.

    def begin(self, body: Body) -> None:
        """A body is about to come."""
        self._unfinished.setdefault(body.group, {})[body] = None

    def add(self, body: Body, count: int) -> None:
        """More of it is kept; where that is too much, the largest that is not whole goes."""
        self._bytes[body.group] += count
        while self._bytes[body.group] > BODIES_PER_ADDRESS_MAX * self.body_bytes:
            largest = max(self._unfinished[body.group], key=lambda one: len(one.text))
            if largest is body or largest.line is None:
                raise BodyTooLarge(HTTPStatus.TOO_MANY_REQUESTS)
            largest.line.abort()
            largest.discard()

    def end(self, body: Body) -> None:
        """It is whole, or given up."""
        here = self._unfinished.get(body.group, {})
        here.pop(body, None)
        if not here:
            self._unfinished.pop(body.group, None)

    def remove(self, body: Body, count: int) -> None:
        """It is not kept any more."""
        self._bytes[body.group] -= count
        if not self._bytes[body.group]:
            del self._bytes[body.group]


class Body:
    """A body as it comes, counted while it is kept."""

    def __init__(self, under_way: BodyTracker, group: str, scope: Scope) -> None:
        self.text = bytearray()
        self.group = group
        self.line: PacedConnection | None = connection_of(scope)
        self._under_way, self._counted, self._gone = under_way, 0, False
        self._declared = dict(scope["headers"]).get(b"content-length", b"0")

    async def read(self, receive: Receive) -> bool:
        """All of it; False when the asker has gone."""
        most = self._under_way.body_bytes
        if self._declared.isdigit() and int(self._declared[:20]) > most:
            raise BodyTooLarge(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
        self._under_way.begin(self)
        try:
            return await self._read(receive, most)
        finally:
            self._under_way.end(self)

    async def _read(self, receive: Receive, most: int) -> bool:
        while True:
            message = await receive()
            if self._gone or message["type"] == "http.disconnect":
                return False
            self.text += message.get("body", b"")
            if len(self.text) > most:
                raise BodyTooLarge(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
            counted, self._counted = self._counted, max(0, len(self.text) - FREE_BYTES)
            if self._counted > counted:
                self._under_way.add(self, self._counted - counted)
            if not message.get("more_body", False):
                return True

    def discard(self) -> None:
        """It is not kept any more; nor is what still comes of it."""
        self._under_way.end(self)
        if self._counted:
            self._under_way.remove(self, self._counted)
        self.text, self._counted, self._gone = bytearray(), 0, True


REFUSAL_WAIT_MAX_S = 2.0  # Whoever goes on asking waits no longer for each no.
GUEST_VALUES_DIVISOR = 20  # A guest's or stranger's body has so many times fewer values.
HEALTH_PATH, HEALTH_ANSWER = "/api/health", {"status": "up"}
_STRINGS = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"?', re.DOTALL)
_BRACES_TO_BRACKETS = bytes.maketrans(b"{}", b"[]")
_NOT_BRACKETS = bytes(set(range(256)) - set(b"[]{}"))


class RequestGate:
    """Stands before the app: who asks too often, too much or too deep is told so and goes."""

    def __init__(
        self, app: ASGIApp, limiter: Limiter, recognise: IdentifyClient = client_of
    ) -> None:
        self._app, self._limiter, self._recognise = app, limiter, recognise
        self._bodies = BodyTracker(limiter.limits.body_bytes_max)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, with its whole body, or refuse it."""
        if scope["type"] == "lifespan":
            return await self._app(scope, receive, send)
        if _is_health_check(scope):
            return await self._answer_health(scope, receive, send)
        client = scope[CLIENT_KEY] = self._recognise(scope)
        CURRENT_CLIENT.set(client)
        if wait := self._limiter.requests.take(client):
            return await self._refuse(client, wait, scope, receive, send)
        if scope["type"] == "websocket":
            await self._wait_turn(client, scope)
            return await self._app(scope, receive, send)
        return await self._read_and_handle(client, scope, receive, send)

    async def _wait_turn(self, client: Client, scope: Scope) -> None:
        with idle(scope):
            await self._limiter.request_queue.enter(client.place)

    async def _answer_health(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Health is told under any flood; whoever floods with it waits and costs little."""
        with idle(scope):
            seldom = await self._limiter.allow_health(address_of(scope))
        await (self._app if seldom else JSONResponse(HEALTH_ANSWER))(scope, receive, send)

    async def _refuse(
        self, client: Client, wait: float, scope: Scope, receive: Receive, send: Send
    ) -> None:
        """Told when to come again; whoever does not listen is told later and later."""
        refusal = error_response(HTTPStatus.TOO_MANY_REQUESTS, say("web.network.requests"), wait)
        if hold := self._limiter.refusals.spend(client):
            refusal.headers["Connection"] = "close"  # What else came with it is not read.
            with idle(scope):
                await asyncio.sleep(min(hold, REFUSAL_WAIT_MAX_S))
        return await refusal(scope, receive, send)

    async def _read_and_handle(
        self, client: Client, scope: Scope, receive: Receive, send: Send
    ) -> None:
        limits = self._limiter.limits
        body = Body(self._bodies, client.group, scope)
        try:
            async with asyncio.timeout(limits.body_timeout_seconds):
                come = await body.read(receive)
        except (TimeoutError, BodyTooLarge) as failed:
            body.discard()
            return await _body_refusal(failed, limits)(scope, receive, send)
        try:
            if not come:
                return None
            text = bytes(body.text)
            if (why := _body_error(text, limits, member=client.member)) is not None:
                return await error_response(HTTPStatus.BAD_REQUEST, why)(scope, receive, send)
            whole = {"type": "http.request", "body": text, "more_body": False}
            return await self._handle(client, scope, replay_message(whole, receive), send)
        finally:
            body.discard()

    async def _handle(self, client: Client, scope: Scope, receive: Receive, send: Send) -> None:
        """In turn; and guests' requests at a part of the lines, so that some are left for all."""
        limiter, thing = self._limiter, f"request {id(scope)}"
        if not limiter.under_way.take(client.group, thing):
            return await self._refuse(client, REFUSAL_WAIT_MAX_S, scope, receive, send)
        try:
            await self._wait_turn(client, scope)
            if not client.member and not limiter.guests_at_work.take(client.group, thing):
                return await self._refuse(client, REFUSAL_WAIT_MAX_S, scope, receive, send)
            given_back = partial(limiter.guests_at_work.release, thing)
            return await self._app(scope, receive, _on_stream_start(send, given_back))
        finally:
            limiter.guests_at_work.release(thing)
            limiter.under_way.release(thing)


def _is_health_check(scope: Scope) -> bool:
    return (scope["type"], scope.get("path"), scope.get("method")) == ("http", HEALTH_PATH, "GET")


def _on_stream_start(send: Send, begun: Callable[[], None]) -> Send:
    """Streams of events have a quota of their own: where one begins, that is told."""

    async def sent(message: Message) -> None:
        if message["type"] == "http.response.start" and _is_stream(message):
            begun()
        await send(message)

    return sent


def _is_stream(message: Message) -> bool:
    kinds = (value for name, value in message.get("headers", ()) if name == b"content-type")
    return any(kind.startswith(b"text/event-stream") for kind in kinds)


def _body_refusal(failed: Exception, limits: RequestLimits) -> JSONResponse:
    """Why a body is not waited for any more; what is left of it will not be read."""
    if not isinstance(failed, BodyTooLarge):
        refusal = error_response(HTTPStatus.REQUEST_TIMEOUT, say("web.network.body-slow"))
    elif failed.status == HTTPStatus.REQUEST_ENTITY_TOO_LARGE:
        refusal = error_response(
            failed.status, say("web.network.body-large", most=limits.body_bytes_max)
        )
    else:
        refusal = error_response(failed.status, say("web.network.bodies"), 1)
    refusal.headers["Connection"] = "close"
    return refusal


def _body_error(text: bytes, limits: RequestLimits, *, member: bool) -> str | None:
    """Why a body is not even read: each value in it costs more than its bytes do."""
    if not json.detect_encoding(text).startswith("utf-8"):  # In others nothing here is counted.
        return say("web.network.body-no-text")
    if exceeds_depth(text, limits.json_depth_max):
        return say("web.network.body-deep", most=limits.json_depth_max)
    most = (
        limits.json_values_max if member else max(1, limits.json_values_max // GUEST_VALUES_DIVISOR)
    )
    if text.count(b",") >= most and _STRINGS.sub(b"", text).count(b",") >= most:
        return say("web.network.body-rich", most=most)
    return None


def exceeds_depth(body: bytes, most: int) -> bool:
    """Whether brackets are nested deeper in a JSON text; where they do not match, it may be.

    >>> exceeds_depth(b'{"a": [1, "[[["]}', 2), exceeds_depth(b'{"a": [1, "[[["]}', 1)
    (False, True)
    """
    if body.count(b"[") + body.count(b"{") <= most:
        return False
    brackets = _STRINGS.sub(b"", body).translate(_BRACES_TO_BRACKETS, _NOT_BRACKETS)
    for _ in range(most):  # Each time the innermost pairs go, all at once.
        if b"[]" not in brackets:
            break
        brackets = brackets.replace(b"[]", b"")
    return brackets.count(b"[") > most or b"[]" in brackets
