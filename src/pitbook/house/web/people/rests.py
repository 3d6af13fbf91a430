"""A guest's break goes along with the browser: the next guest there is the same person.

A signed cookie says until when. Whoever clears it is somebody new, as everywhere without an
account; an account's break is on record by its name.
"""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from starlette.requests import HTTPConnection
from starlette.responses import Response

from pitbook.house.web.people.signed import SignedTokens
from pitbook.house.web.running.server import Server
from pitbook.rules.refusals import Code, Refusal, refuse

__all__ = ["COOKIE", "keep_rest", "rests_here"]

COOKIE = "pitbook-rest"
FOR_GOOD = "9999-12-31T00:00:00+00:00"
YEARS = 10 * 31_536_000


class _Rest(NamedTuple):
    until: str


def keep_rest(response: Response, server: Server, until: datetime | None) -> None:
    """Tell the browser until when."""
    token = _signed(server).token(_Rest(until.isoformat() if until else FOR_GOOD))
    secure = server.settings.secure
    response.set_cookie(
        COOKIE, token, YEARS, path="/", secure=secure, httponly=True, samesite="strict"
    )


def rests_here(connection: HTTPConnection, server: Server, now: datetime) -> Refusal | None:
    """Why a new guest of a browser cannot play yet."""
    found = _signed(server).read(connection.cookies.get(COOKIE) or "")
    if found is None or datetime.fromisoformat(found.until) <= now:
        return None
    until = found.until[:16].replace("T", " ")
    return refuse(Code.EXCLUDED, "web.care.this-browser", until=until)


def _signed(server: Server) -> SignedTokens[_Rest]:
    secret = server.house.folder.keys.sealing
    return SignedTokens(secret, _Rest, purpose=b"pitbook rest of a browser", longest=300)
