"""The gate before the app: budgets first, then the body, then everybody in turn."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable
from functools import partial
from http import HTTPStatus

from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pitbook.house.web.answers import error
from pitbook.house.web.network.askers import ASKING, NAMED, Asker, Recognise, address_of, asker_of
from pitbook.house.web.network.bodies import Bodies, Body, TooMuch
from pitbook.house.web.network.limits import Limiter
from pitbook.house.web.network.lines import parked
from pitbook.house.web.network.plain_json import given_back
from pitbook.house.web.running.settings import RequestLimits
from pitbook.text import say

__all__ = ["Gate", "is_deeper"]

REFUSED_SECONDS_MAX = 2.0  # Whoever goes on asking waits no longer for each no.
GUESTS_SHARE = 20  # A guest's or stranger's body has so many times fewer values.
HEALTH, UP = "/api/health", {"status": "up"}
_STRINGS = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"?', re.DOTALL)
_ALIKE = bytes.maketrans(b"{}", b"[]")
_OTHERS = bytes(set(range(256)) - set(b"[]{}"))


class Gate:
    """Stands before the app: who asks too often, too much or too deep is told so and goes."""

    def __init__(self, app: ASGIApp, limiter: Limiter, recognise: Recognise = asker_of) -> None:
        self._app, self._limiter, self._recognise = app, limiter, recognise
        self._bodies = Bodies(limiter.limits.body_bytes)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, with its whole body, or refuse it."""
        if scope["type"] == "lifespan":
            return await self._app(scope, receive, send)
        if _asks_for_health(scope):
            return await self._well(scope, receive, send)
        asker = scope[NAMED] = self._recognise(scope)
        ASKING.set(asker)
        if wait := self._limiter.requests.take(asker):
            return await self._refuse(asker, wait, scope, receive, send)
        if scope["type"] == "websocket":
            await self._in_turn(asker, scope)
            return await self._app(scope, receive, send)
        return await self._with_body(asker, scope, receive, send)

    async def _in_turn(self, asker: Asker, scope: Scope) -> None:
        with parked(scope):
            await self._limiter.at_the_door.enter(asker.place)

    async def _well(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Health is told under any flood; whoever floods with it waits and costs little."""
        with parked(scope):
            seldom = await self._limiter.well(address_of(scope))
        await (self._app if seldom else JSONResponse(UP))(scope, receive, send)

    async def _refuse(
        self, asker: Asker, wait: float, scope: Scope, receive: Receive, send: Send
    ) -> None:
        """Told when to come again; whoever does not listen is told later and later."""
        refusal = error(HTTPStatus.TOO_MANY_REQUESTS, say("web.network.requests"), wait)
        if hold := self._limiter.refusals.spend(asker):
            refusal.headers["Connection"] = "close"  # What else came with it is not read.
            with parked(scope):
                await asyncio.sleep(min(hold, REFUSED_SECONDS_MAX))
        return await refusal(scope, receive, send)

    async def _with_body(self, asker: Asker, scope: Scope, receive: Receive, send: Send) -> None:
        limits = self._limiter.limits
        body = Body(self._bodies, asker.crowd, scope)
        try:
            async with asyncio.timeout(limits.body_seconds):
                come = await body.read(receive)
        except (TimeoutError, TooMuch) as failed:
            body.let_go()
            return await _closing(failed, limits)(scope, receive, send)
        try:
            if not come:
                return None
            text = bytes(body.text)
            if (why := _too_rich(text, limits, member=asker.member)) is not None:
                return await error(HTTPStatus.BAD_REQUEST, why)(scope, receive, send)
            whole = {"type": "http.request", "body": text, "more_body": False}
            return await self._worked_on(asker, scope, given_back(whole, receive), send)
        finally:
            body.let_go()

    async def _worked_on(self, asker: Asker, scope: Scope, receive: Receive, send: Send) -> None:
        """In turn; and guests' requests at a part of the lines, so that some are left for all."""
        limiter, thing = self._limiter, f"request {id(scope)}"
        if not limiter.under_way.take(asker.crowd, thing):
            return await self._refuse(asker, REFUSED_SECONDS_MAX, scope, receive, send)
        try:
            await self._in_turn(asker, scope)
            if not asker.member and not limiter.guests_at_work.take(asker.crowd, thing):
                return await self._refuse(asker, REFUSED_SECONDS_MAX, scope, receive, send)
            given_back = partial(limiter.guests_at_work.give_back, thing)
            return await self._app(scope, receive, _streaming(send, given_back))
        finally:
            limiter.guests_at_work.give_back(thing)
            limiter.under_way.give_back(thing)


def _asks_for_health(scope: Scope) -> bool:
    return (scope["type"], scope.get("path"), scope.get("method")) == ("http", HEALTH, "GET")


def _streaming(send: Send, begun: Callable[[], None]) -> Send:
    """Streams of events have a quota of their own: where one begins, that is told."""

    async def sent(message: Message) -> None:
        if message["type"] == "http.response.start" and _is_stream(message):
            begun()
        await send(message)

    return sent


def _is_stream(message: Message) -> bool:
    kinds = (value for name, value in message.get("headers", ()) if name == b"content-type")
    return any(kind.startswith(b"text/event-stream") for kind in kinds)


def _closing(failed: Exception, limits: RequestLimits) -> JSONResponse:
    """Why a body is not waited for any more; what is left of it will not be read."""
    if not isinstance(failed, TooMuch):
        refusal = error(HTTPStatus.REQUEST_TIMEOUT, say("web.network.body-slow"))
    elif failed.status == HTTPStatus.REQUEST_ENTITY_TOO_LARGE:
        refusal = error(failed.status, say("web.network.body-large", most=limits.body_bytes))
    else:
        refusal = error(failed.status, say("web.network.bodies"), 1)
    refusal.headers["Connection"] = "close"
    return refusal


def _too_rich(text: bytes, limits: RequestLimits, *, member: bool) -> str | None:
    """Why a body is not even read: each value in it costs more than its bytes do."""
    if not json.detect_encoding(text).startswith("utf-8"):  # In others nothing here is counted.
        return say("web.network.body-no-text")
    if is_deeper(text, limits.json_depth):
        return say("web.network.body-deep", most=limits.json_depth)
    most = limits.json_values if member else max(1, limits.json_values // GUESTS_SHARE)
    if text.count(b",") >= most and _STRINGS.sub(b"", text).count(b",") >= most:
        return say("web.network.body-rich", most=most)
    return None


def is_deeper(body: bytes, most: int) -> bool:
    """Whether brackets are nested deeper in a JSON text; where they do not match, it may be.

    >>> is_deeper(b'{"a": [1, "[[["]}', 2), is_deeper(b'{"a": [1, "[[["]}', 1)
    (False, True)
    """
    if body.count(b"[") + body.count(b"{") <= most:
        return False
    brackets = _STRINGS.sub(b"", body).translate(_ALIKE, _OTHERS)
    for _ in range(most):  # Each time the innermost pairs go, all at once.
        if b"[]" not in brackets:
            break
        brackets = brackets.replace(b"[]", b"")
    return brackets.count(b"[") > most or b"[]" in brackets
