"""What every request meets before its route, in this order.

1. Language: from address, cookie or headers.
2. Log and headers: around the response.
3. Health checks: answered under any load.
4. Rate limits, by connection, person and address.
5. Host and origin: no page of another site may write or open a socket.
6. Body: read whole, within limits of size, time and memory.
7. Turn: clients and guests share the server fairly.
8. Strict JSON.

Then the route's `access.check_access` looks up who may call it.
"""

from __future__ import annotations

import asyncio
import json
import math
import re
import time
from collections import Counter
from http import HTTPStatus
from typing import Any, NoReturn
from urllib.parse import urlsplit

from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pitbook.errors import PitbookError
from pitbook.house.settings import RequestLimits, Settings, is_loopback
from pitbook.house.web.connections import PacedConnection, connection_of, idle
from pitbook.house.web.errors import error_response
from pitbook.house.web.languages import requested_language, set_language
from pitbook.house.web.logs import SERVER_ERROR, log_request
from pitbook.house.web.metrics import Metrics
from pitbook.house.web.rate_limits import (
    CLIENT_KEY,
    CURRENT_CLIENT,
    Client,
    IdentifyClient,
    Limiter,
    address_of,
    client_of,
)
from pitbook.text import Sentence, say, sentence_of
from pitbook.text.catalog import ENGLISH
from pitbook.text.user_input import printable

REFUSAL_WAIT_MAX_S = 2.0  # Longest delay of a refusal.
GUEST_VALUES_DIVISOR = 20  # Guests' bodies may have this many times fewer values.
HEALTH_PATH, HEALTH_ANSWER = "/api/health", {"status": "up"}


class Edge:
    """Everything between the network and the routes."""

    def __init__(
        self,
        app: ASGIApp,
        settings: Settings,
        limiter: Limiter,
        *,
        metrics: Metrics | None = None,
        identify: IdentifyClient = client_of,
    ) -> None:
        self._app, self._settings, self._limiter = app, settings, limiter
        self._metrics, self._identify = metrics, identify
        self._headers = SECURITY_HEADERS | (TLS_HEADERS if settings.https else {})
        self._bodies = BodyTracker(limiter.limits.body_bytes_max)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Log a request and its response; the steps follow in `_admit`."""
        if scope["type"] == "lifespan":
            return await self._app(scope, receive, send)
        language = requested_language(scope)
        set_language(language)
        if scope["type"] == "websocket":
            return await self._admit(scope, receive, send)
        began, responded = time.perf_counter(), False

        async def send_response(message: Message) -> None:
            nonlocal responded
            if message["type"] == "http.response.start":
                responded = True
                self._add_headers(message, language)
                log_request(self._metrics, scope, message["status"], time.perf_counter() - began)
            await send(message)

        try:
            return await self._admit(scope, receive, send_response)
        except Exception:
            if not responded:
                log_request(self._metrics, scope, SERVER_ERROR, time.perf_counter() - began)
            raise

    async def _admit(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on with its whole body, or refuse it."""
        if _is_health_check(scope):
            return await self._answer_health(scope, receive, send)
        client = scope[CLIENT_KEY] = self._identify(scope)
        CURRENT_CLIENT.set(client)
        if wait := self._limiter.requests.take(client):
            return await self._refuse(client, wait, scope, receive, send)
        if (problem := _site_problem(scope, self._settings)) is not None:
            return await error_response(HTTPStatus.FORBIDDEN, problem)(scope, receive, send)
        if scope["type"] == "websocket":
            await self._wait_turn(client, scope)
            return await self._app(scope, receive, send)
        return await self._read_and_handle(client, scope, receive, send)

    def _add_headers(self, response: Message, language: str) -> None:
        """Add headers that the route has not set itself."""
        headers = MutableHeaders(scope=response)
        for name, value in self._headers.items():
            headers.setdefault(name, value)
        if language != ENGLISH:
            headers.setdefault("Content-Language", language)

    async def _answer_health(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer health checks under any load. Frequent callers are delayed and answered from
        memory.
        """
        with idle(scope):
            allowed = await self._limiter.allow_health(address_of(scope))
        if not allowed:
            return await JSONResponse(HEALTH_ANSWER)(scope, receive, send)
        if (problem := _site_problem(scope, self._settings)) is not None:
            return await error_response(HTTPStatus.FORBIDDEN, problem)(scope, receive, send)
        return await self._app(scope, receive, send)

    async def _wait_turn(self, client: Client, scope: Scope) -> None:
        with idle(scope):
            await self._limiter.request_queue.enter(client.place)

    async def _refuse(
        self, client: Client, wait: float, scope: Scope, receive: Receive, send: Send
    ) -> None:
        """Refuse with a Retry-After header. Clients that ignore it get ever longer delays."""
        refusal = error_response(HTTPStatus.TOO_MANY_REQUESTS, say("web.network.requests"), wait)
        if delay := self._limiter.refusals.spend(client):
            refusal.headers["Connection"] = "close"  # What else the client sent is not read.
            with idle(scope):
                await asyncio.sleep(min(delay, REFUSAL_WAIT_MAX_S))
        return await refusal(scope, receive, send)

    async def _read_and_handle(
        self, client: Client, scope: Scope, receive: Receive, send: Send
    ) -> None:
        """Read the whole body, and handle the request while it counts."""
        limits = self._limiter.limits
        body = Body(self._bodies, client.group, scope)
        try:
            async with asyncio.timeout(limits.body_timeout_seconds):
                is_complete = await body.read(receive)
        except (TimeoutError, BodyTooLarge) as error:
            body.discard()
            return await _body_refusal(error, limits)(scope, receive, send)
        try:
            if not is_complete:
                return None
            text = bytes(body.text)
            if (problem := _body_error(text, limits, member=client.member)) is not None:
                return await error_response(HTTPStatus.BAD_REQUEST, problem)(scope, receive, send)
            return await self._handle(client, text, scope, receive, send)
        finally:
            body.discard()

    async def _handle(
        self, client: Client, body: bytes, scope: Scope, receive: Receive, send: Send
    ) -> None:
        """Handle the request in turn. Guests get only part of an address's slots."""
        limiter, request_key = self._limiter, f"request {id(scope)}"
        if not limiter.requests_in_flight.take(client.group, request_key):
            return await self._refuse(client, REFUSAL_WAIT_MAX_S, scope, receive, send)
        try:
            await self._wait_turn(client, scope)
            if not client.member and not limiter.guest_requests.take(client.group, request_key):
                return await self._refuse(client, REFUSAL_WAIT_MAX_S, scope, receive, send)
            if (problem := _json_problem(body)) is not None:
                return await error_response(HTTPStatus.BAD_REQUEST, problem)(scope, receive, send)

            async def send_and_release(message: Message) -> None:
                if message["type"] == "http.response.start" and _is_stream(message):
                    limiter.guest_requests.release(request_key)  # Streams have their own quota.
                await send(message)

            return await self._app(scope, _replay(body, receive), send_and_release)
        finally:
            limiter.guest_requests.release(request_key)
            limiter.requests_in_flight.release(request_key)


# 2. Headers.

SECURITY_HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",  # An invitation's address is a secret.
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
TLS_HEADERS = {"Strict-Transport-Security": "max-age=31536000"}


# 3. Health checks.


def _is_health_check(scope: Scope) -> bool:
    return (scope["type"], scope.get("path"), scope.get("method")) == ("http", HEALTH_PATH, "GET")


# 5. Host and origin.

_SAFE = ("GET", "HEAD", "OPTIONS")


def _site_problem(scope: Scope, settings: Settings) -> Sentence | None:
    """Why a request may come from a page of another site, or None."""
    connection = HTTPConnection(scope)
    return _host_problem(connection, settings) or _origin_problem(connection, settings)


def _host_problem(connection: HTTPConnection, settings: Settings) -> Sentence | None:
    """Accept only loopback names on a loopback server, which stops DNS rebinding."""
    host = _host_name(f"//{connection.headers.get('host', '')}")
    hosts = {_host_name(origin) for origin in settings.origins} | {"localhost", settings.host}
    if settings.is_loopback and host not in hosts and not is_loopback(host):
        return say("web.access.other-host", host=host)
    return None


def _host_name(url: str) -> str:
    try:
        return urlsplit(url).hostname or ""
    except ValueError:  # Brackets that are not an IPv6 address.
        return ""


def _origin_problem(connection: HTTPConnection, settings: Settings) -> Sentence | None:
    """Refuse writes and sockets that a page of another site starts."""
    socket = connection.scope["type"] == "websocket"
    if not socket and connection.scope["method"] in _SAFE:
        return None
    origin = connection.headers.get("origin")
    site = connection.headers.get("sec-fetch-site", "none")
    if origin is None and site in ("none", "same-origin"):
        return None  # Not a browser, or a browser that vouches for the origin.
    if origin == _own_origin(connection, settings) or origin in settings.origins:
        return None
    return say("web.access.other-origin", site=origin or say("web.access.another-site"))


def _own_origin(connection: HTTPConnection, settings: Settings) -> str:
    secure = settings.https or connection.url.scheme in ("https", "wss")
    return f"{'https' if secure else 'http'}://{connection.headers.get('host', '')}"


# 6. Body.

_STRINGS = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"?', re.DOTALL)
_BRACES_TO_BRACKETS = bytes.maketrans(b"{}", b"[]")
_NOT_BRACKETS = bytes(set(range(256)) - set(b"[]{}"))
BODIES_PER_ADDRESS_MAX = 50  # Of the largest size, in flight from one address.
FREE_BYTES = 4_096  # Of each body, uncounted: everyone can sign in or play.


class BodyTooLarge(Exception):
    """A body, or all bodies of an address together, exceed the limit."""

    def __init__(self, status: HTTPStatus) -> None:
        super().__init__(status)
        self.status = status


class BodyTracker:
    """Counts the bytes of bodies in flight by client group."""

    def __init__(self, body_bytes: int) -> None:
        self.body_bytes = body_bytes
        self._bytes: Counter[str] = Counter()
        self._unfinished: dict[str, dict[Body, None]] = {}  # Oldest first.

    def begin(self, body: Body) -> None:
        """Start tracking a body."""
        self._unfinished.setdefault(body.group, {})[body] = None

    def add(self, body: Body, count: int) -> None:
        """Count more bytes. Over the limit, drop the largest incomplete body."""
        self._bytes[body.group] += count
        while self._bytes[body.group] > BODIES_PER_ADDRESS_MAX * self.body_bytes:
            largest = max(self._unfinished[body.group], key=lambda body: len(body.text))
            if largest is body or largest.connection is None:
                raise BodyTooLarge(HTTPStatus.TOO_MANY_REQUESTS)
            largest.connection.abort()
            largest.discard()

    def end(self, body: Body) -> None:
        """Stop tracking a body that is complete or discarded."""
        bodies = self._unfinished.get(body.group, {})
        bodies.pop(body, None)
        if not bodies:
            self._unfinished.pop(body.group, None)

    def remove(self, body: Body, count: int) -> None:
        """Subtract the bytes of a discarded body."""
        self._bytes[body.group] -= count
        if not self._bytes[body.group]:
            del self._bytes[body.group]


class Body:
    """A request body, counted while it is held in memory."""

    def __init__(self, tracker: BodyTracker, group: str, scope: Scope) -> None:
        self.text = bytearray()
        self.group = group
        self.connection: PacedConnection | None = connection_of(scope)
        self._tracker, self._counted, self._discarded = tracker, 0, False
        self._declared = dict(scope["headers"]).get(b"content-length", b"0")

    async def read(self, receive: Receive) -> bool:
        """Read the whole body; False if the client disconnected."""
        size_max = self._tracker.body_bytes
        if self._declared.isdigit() and int(self._declared[:20]) > size_max:
            raise BodyTooLarge(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
        self._tracker.begin(self)
        try:
            return await self._read(receive, size_max)
        finally:
            self._tracker.end(self)

    async def _read(self, receive: Receive, size_max: int) -> bool:
        while True:
            message = await receive()
            if self._discarded or message["type"] == "http.disconnect":
                return False
            self.text += message.get("body", b"")
            if len(self.text) > size_max:
                raise BodyTooLarge(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
            counted, self._counted = self._counted, max(0, len(self.text) - FREE_BYTES)
            if self._counted > counted:
                self._tracker.add(self, self._counted - counted)
            if not message.get("more_body", False):
                return True

    def discard(self) -> None:
        """Free the body, and ignore what still arrives."""
        self._tracker.end(self)
        if self._counted:
            self._tracker.remove(self, self._counted)
        self.text, self._counted, self._discarded = bytearray(), 0, True


def _body_refusal(error: Exception, limits: RequestLimits) -> JSONResponse:
    """The response if a body is too slow or too large; the rest of it is not read."""
    if not isinstance(error, BodyTooLarge):
        refusal = error_response(HTTPStatus.REQUEST_TIMEOUT, say("web.network.body-slow"))
    elif error.status == HTTPStatus.REQUEST_ENTITY_TOO_LARGE:
        refusal = error_response(
            error.status, say("web.network.body-large", most=limits.body_bytes_max)
        )
    else:
        refusal = error_response(error.status, say("web.network.bodies"), 1)
    refusal.headers["Connection"] = "close"
    return refusal


def _body_error(text: bytes, limits: RequestLimits, *, member: bool) -> str | None:
    """Why a body is not parsed: each value costs more than its bytes do."""
    # Values in other encodings are not counted.
    if not json.detect_encoding(text).startswith("utf-8"):
        return say("web.network.body-no-text")
    if exceeds_depth(text, limits.json_depth_max):
        return say("web.network.body-deep", most=limits.json_depth_max)
    values_max = (
        limits.json_values_max if member else max(1, limits.json_values_max // GUEST_VALUES_DIVISOR)
    )
    if text.count(b",") >= values_max and _STRINGS.sub(b"", text).count(b",") >= values_max:
        return say("web.network.body-rich", most=values_max)
    return None


def exceeds_depth(body: bytes, depth_max: int) -> bool:
    """Whether brackets are nested deeper in a JSON text; where they do not match, it may be.

    >>> exceeds_depth(b'{"a": [1, "[[["]}', 2), exceeds_depth(b'{"a": [1, "[[["]}', 1)
    (False, True)
    """
    if body.count(b"[") + body.count(b"{") <= depth_max:
        return False
    brackets = _STRINGS.sub(b"", body).translate(_BRACES_TO_BRACKETS, _NOT_BRACKETS)
    for _ in range(depth_max):  # Each pass removes the innermost pairs.
        if b"[]" not in brackets:
            break
        brackets = brackets.replace(b"[]", b"")
    return brackets.count(b"[") > depth_max or b"[]" in brackets


def _replay(body: bytes, receive: Receive) -> Receive:
    """A `receive` that returns a body already read, and then all that follows."""
    replayed = False

    async def receive_again() -> Message:
        nonlocal replayed
        if replayed:
            return await receive()
        replayed = True
        return {"type": "http.request", "body": body, "more_body": False}

    return receive_again


# 7. Turn.


def _is_stream(message: Message) -> bool:
    content_types = (value for name, value in message.get("headers", ()) if name == b"content-type")
    return any(content_type.startswith(b"text/event-stream") for content_type in content_types)


# 8. Strict JSON, of bodies and of frames.

FIELD_SHOWN = 60
DIGITS_MAX = 400  # Of a whole number; the largest float has 309.


class NotStrictJson(PitbookError):
    """JSON with a repeated field or with a number that is not allowed."""


def parse_json(text: str | bytes) -> Any:
    """Parse JSON; raises NotStrictJson, or ValueError if it is not JSON."""
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


def _json_problem(body: bytes) -> str | None:
    """Why a body is refused whatever its headers, which parsers may interpret differently.

    Routes report what is not JSON at all.
    """
    if not body:
        return None
    try:
        parse_json(body)
    except NotStrictJson as error:
        return sentence_of(error)
    except (ValueError, RecursionError):
        pass
    return None
