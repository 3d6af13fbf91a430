"""Bodies as they come: an address has so many bytes under way, and whoever stalls with most goes.

Whoever came last was refused first, so a few lines that sent much and then nothing kept everybody
of their address from sending anything.
"""

from __future__ import annotations

from collections import Counter
from http import HTTPStatus

from starlette.types import Receive, Scope

from pitbook.house.web.network.lines import PacedLine, line_of

__all__ = ["Bodies", "Body", "TooMuch"]

BODIES_MAX = 50  # Of the largest size, under way from one address.
FREE_BYTES = 4_096  # Of each body: nobody is kept from signing in, or from a seat.


class TooMuch(Exception):
    """With the status that tells so: of one body, or of all that an address sends at once."""

    def __init__(self, status: HTTPStatus) -> None:
        super().__init__(status)
        self.status = status


class Bodies:
    """All that is under way, by the crowd that sends it."""

    def __init__(self, body_bytes: int) -> None:
        self.body_bytes = body_bytes
        self._bytes: Counter[str] = Counter()
        self._unfinished: dict[str, dict[Body, None]] = {}  # The oldest first.

    def begin(self, body: Body) -> None:
        """A body is about to come."""
        self._unfinished.setdefault(body.crowd, {})[body] = None

    def add(self, body: Body, count: int) -> None:
        """More of it is kept; where that is too much, the largest that is not whole goes."""
        self._bytes[body.crowd] += count
        while self._bytes[body.crowd] > BODIES_MAX * self.body_bytes:
            largest = max(self._unfinished[body.crowd], key=lambda one: len(one.text))
            if largest is body or largest.line is None:
                raise TooMuch(HTTPStatus.TOO_MANY_REQUESTS)
            largest.line.abort()
            largest.let_go()

    def end(self, body: Body) -> None:
        """It is whole, or given up."""
        here = self._unfinished.get(body.crowd, {})
        here.pop(body, None)
        if not here:
            self._unfinished.pop(body.crowd, None)

    def remove(self, body: Body, count: int) -> None:
        """It is not kept any more."""
        self._bytes[body.crowd] -= count
        if not self._bytes[body.crowd]:
            del self._bytes[body.crowd]


class Body:
    """A body as it comes, counted while it is kept."""

    def __init__(self, under_way: Bodies, crowd: str, scope: Scope) -> None:
        self.text = bytearray()
        self.crowd = crowd
        self.line: PacedLine | None = line_of(scope)
        self._under_way, self._counted, self._gone = under_way, 0, False
        self._declared = dict(scope["headers"]).get(b"content-length", b"0")

    async def read(self, receive: Receive) -> bool:
        """All of it; False when the asker has gone."""
        most = self._under_way.body_bytes
        if self._declared.isdigit() and int(self._declared[:20]) > most:
            raise TooMuch(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
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
                raise TooMuch(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
            counted, self._counted = self._counted, max(0, len(self.text) - FREE_BYTES)
            if self._counted > counted:
                self._under_way.add(self, self._counted - counted)
            if not message.get("more_body", False):
                return True

    def let_go(self) -> None:
        """It is not kept any more; nor is what still comes of it."""
        self._under_way.end(self)
        if self._counted:
            self._under_way.remove(self, self._counted)
        self.text, self._counted, self._gone = bytearray(), 0, True
