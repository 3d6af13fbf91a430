"""A guest's break, kept in a signed cookie."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from starlette.requests import HTTPConnection
from starlette.responses import Response

from pitbook.house.people.sessions import SignedTokens
from pitbook.house.web.server import Server
from pitbook.rules.refusals import Code, Refusal, refuse

BREAK_COOKIE = "pitbook-rest"
FOR_GOOD = "9999-12-31T00:00:00+00:00"
BREAK_COOKIE_MAX_AGE_S = 10 * 31_536_000


class _Break(NamedTuple):
    until: str


def set_break_cookie(response: Response, server: Server, until: datetime | None) -> None:
    """Remember a guest's break in the browser."""
    token = _break_tokens(server).token(_Break(until.isoformat() if until else FOR_GOOD))
    secure = server.settings.https
    response.set_cookie(
        BREAK_COOKIE,
        token,
        BREAK_COOKIE_MAX_AGE_S,
        path="/",
        secure=secure,
        httponly=True,
        samesite="strict",
    )


def break_refusal(connection: HTTPConnection, server: Server, now: datetime) -> Refusal | None:
    """Why this browser's guest may not play yet, if it is taking a break."""
    break_ = _break_tokens(server).read(connection.cookies.get(BREAK_COOKIE) or "")
    if break_ is None or datetime.fromisoformat(break_.until) <= now:
        return None
    until = break_.until[:16].replace("T", " ")
    return refuse(Code.EXCLUDED, "web.care.this-browser", until=until)


def _break_tokens(server: Server) -> SignedTokens[_Break]:
    secret = server.house.folder.keys.sealing
    return SignedTokens(secret, _Break, purpose=b"pitbook rest of a browser", longest=300)
