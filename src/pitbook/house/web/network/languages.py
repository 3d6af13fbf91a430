"""The language that a request asks for, decided here alone; English where it asks for none.

By its address ("?language=es"), else by the cookie that the page sets where somebody has chosen,
else by what the browser sends as Accept-Language. A socket or a stream keeps the language that it
was opened in. Answers are worded where they are written out; whatever is kept or shared is not.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextvars import ContextVar
from urllib.parse import parse_qs

from starlette.datastructures import MutableHeaders
from starlette.requests import cookie_parser
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pitbook.text import languages, speech
from pitbook.text.catalogue import ENGLISH

__all__ = ["COOKIE", "QUERY", "Languages", "asked_for", "dealt_in", "spoken"]

QUERY = "language"
COOKIE = "pitbook-language"
_ASKED: ContextVar[str] = ContextVar("language", default=ENGLISH)
_NAMED = (QUERY.encode(), COOKIE.encode())
PREFERRED_MAX = 20  # Languages that a browser may name; nobody speaks more.


def spoken() -> str:
    """The language in which whoever asks now is answered."""
    return _ASKED.get()


def dealt_in(currency: str | None) -> None:
    """What is answered from here on is of a sheet whose money is of this currency."""
    _ASKED.set(speech(_ASKED.get(), currency))


class Languages:
    """Stands before all that answers, and says in which language."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on; an answer in another language than English says so."""
        if scope["type"] == "lifespan":
            return await self._app(scope, receive, send)
        language = asked_for(scope)
        _ASKED.set(language)
        if language == ENGLISH or scope["type"] != "http":
            return await self._app(scope, receive, send)

        async def named(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).setdefault("Content-Language", language)
            await send(message)

        return await self._app(scope, receive, named)


def asked_for(scope: Scope) -> str:
    """The first language that a request names and that there is a catalogue of."""
    return next((one for one in _named(scope) if one in languages()), ENGLISH)


def _named(scope: Scope) -> Iterator[str]:
    if _NAMED[0] in (query := scope.get("query_string", b"")):
        yield from parse_qs(query.decode("latin-1")).get(QUERY, ())
    headers = scope.get("headers", ())
    for name, value in headers:
        if name == b"cookie" and _NAMED[1] in value:
            yield cookie_parser(value.decode("latin-1")).get(COOKIE, "")
    for name, value in headers:
        if name == b"accept-language":
            yield from _preferred(value.decode("latin-1"))


def _preferred(header: str) -> list[str]:
    """The languages of a header, the dearest first: "es-MX;q=0.8, en" names en, then es."""
    found = [_weighed(one) for one in header.split(",")[:PREFERRED_MAX]]
    return [tag for weight, tag in sorted(found, key=lambda one: -one[0]) if weight > 0]


def _weighed(part: str) -> tuple[float, str]:
    tag, _, rest = part.partition(";")
    weight = rest.strip().lower().removeprefix("q=")
    try:
        value = float(weight) if weight else 1.0
    except ValueError:
        value = 0.0
    return value if 0 <= value <= 1 else 0.0, tag.strip().lower().partition("-")[0]
