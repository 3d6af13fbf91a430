"""How much anybody may ask for: buckets that fill with time, and sizes that do not."""

from __future__ import annotations

import asyncio
import ipaddress
import re
import time
from collections import Counter, OrderedDict
from collections.abc import Callable
from http import HTTPStatus

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pitbook.web.answers import error
from pitbook.web.settings import Limits

__all__ = ["Buckets", "Gate", "Limiter", "Quota", "address_of", "depth_of"]

KEYS_MAX = 20_000
_STRINGS = re.compile(rb'"(?:[^"\\]|\\.)*+"?', re.DOTALL)
_BRACKETS = re.compile(rb"[\[\]{}]")

Clock = Callable[[], float]


class Buckets:
    """One bucket for each key: a burst at once, then so many a second."""

    def __init__(self, rate: float, burst: float, *, clock: Clock = time.monotonic) -> None:
        self.rate, self.burst, self._clock = rate, burst, clock
        self._levels: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, key: str) -> float:
        """0.0 when it is granted, else the seconds to wait."""
        now = self._clock()
        level, at = self._levels.pop(key, (self.burst, now))
        level = min(self.burst, level + (now - at) * self.rate)
        wait = 0.0 if level >= 1 else (1 - level) / self.rate
        self._levels[key] = (level if wait else level - 1, now)
        if len(self._levels) > KEYS_MAX:  # The one that rested longest is full again, or nearly.
            self._levels.popitem(last=False)
        return wait


class Quota:
    """So many things at once for each key."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._owners: dict[str, str] = {}
        self._counts: Counter[str] = Counter()

    def take(self, key: str, thing: str) -> bool:
        """Whether the key may have one more."""
        if self._counts[key] >= self.most:
            return False
        self._owners[thing] = key
        self._counts[key] += 1
        return True

    def give_back(self, thing: str) -> None:
        """The thing is gone."""
        key = self._owners.pop(thing, None)
        if key is not None:
            self._counts[key] -= 1
            self._counts += Counter()  # Drops those without any.


class Limiter:
    """All the buckets and quotas of a server."""

    def __init__(self, limits: Limits, *, clock: Clock = time.monotonic) -> None:
        self.limits = limits
        self.requests = Buckets(limits.requests_per_second, limits.requests_burst, clock=clock)
        self.commands = Buckets(limits.commands_per_second, limits.commands_burst, clock=clock)
        minute = limits.sign_ins_per_minute
        self.sign_ins = Buckets(minute / 60, max(1.0, minute), clock=clock)
        self.guest_tables = Quota(limits.guest_tables)
        self.sockets = Quota(limits.sockets_per_address)


def address_of(scope: Scope) -> str:
    """Who asks, as far as the network tells; of IPv6 the part that belongs to one household."""
    client = scope.get("client")
    host = client[0] if client else "unknown"
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return str(host)
    if address.version == 4:
        return str(address)
    if address.ipv4_mapped:
        return str(address.ipv4_mapped)
    return str(ipaddress.ip_network((address, 64), strict=False))


def depth_of(body: bytes) -> int:
    """How deep brackets are nested in a JSON text.

    >>> depth_of(b'{"a": [1, "[[["]}')
    2
    """
    depth = deepest = 0
    for bracket in _BRACKETS.findall(_STRINGS.sub(b"", body)):
        depth += 1 if bracket in (b"[", b"{") else -1
        deepest = max(deepest, depth)
    return deepest


class _TooMuch(Exception):
    pass


class Gate:
    """Stands before the app: who asks too often, too much or too deep is told so and goes."""

    def __init__(self, app: ASGIApp, limiter: Limiter) -> None:
        self._app, self._limiter = app, limiter

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, with its whole body, or refuse it."""
        if scope["type"] == "lifespan":
            return await self._app(scope, receive, send)
        wait = self._limiter.requests.take(address_of(scope))
        if wait:
            refusal = error(HTTPStatus.TOO_MANY_REQUESTS, "too many requests; slow down", wait)
            return await refusal(scope, receive, send)
        if scope["type"] == "websocket":
            return await self._app(scope, receive, send)
        return await self._with_body(scope, receive, send)

    async def _with_body(self, scope: Scope, receive: Receive, send: Send) -> None:
        limits = self._limiter.limits
        try:
            async with asyncio.timeout(limits.body_seconds):
                body = await _read(scope, receive, limits.body_bytes)
        except TimeoutError:
            refusal = error(HTTPStatus.REQUEST_TIMEOUT, "the body took too long to come")
            return await refusal(scope, receive, send)
        except _TooMuch:
            message = f"the body is larger than {limits.body_bytes:,} bytes"
            refusal = error(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, message)
            refusal.headers["Connection"] = "close"
            return await refusal(scope, receive, send)
        if body is None:
            return None
        if depth_of(body) > limits.json_depth:
            message = f"the body is nested deeper than {limits.json_depth} levels"
            return await error(HTTPStatus.BAD_REQUEST, message)(scope, receive, send)
        return await self._app(scope, _replayed(body, receive), send)


async def _read(scope: Scope, receive: Receive, most: int) -> bytes | None:
    """The whole body; None when the asker has gone."""
    headers = dict(scope["headers"])
    declared = headers.get(b"content-length", b"0")
    if declared.isdigit() and int(declared[:20]) > most:
        raise _TooMuch
    body: bytes = b""
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return None
        body += message.get("body", b"")
        if len(body) > most:
            raise _TooMuch
        if not message.get("more_body", False):
            return body


def _replayed(body: bytes, receive: Receive) -> Receive:
    given = False

    async def again() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return again
