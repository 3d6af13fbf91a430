"""Sockets in bad hands: who comes with them, what is sent, and how it ends."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from contextlib import suppress
from random import Random

from tests.fuzz.floor import Asker, Floor
from tests.fuzz.frames import ENDINGS, VERSIONS, Frames, Sent
from tests.fuzz.spoken import Json, said
from tests.fuzz.visit import Visit, is_guests
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidStatus

from pitbook.errors import LedgerError
from pitbook.house.people.sessions import SESSION_COOKIE
from pitbook.house.table import socket as route
from pitbook.house.table.commands import CLOCK, Envelope, Tick
from pitbook.house.table.views import table_view

SECONDS = 120  # A machine with much else to do is no fault of the server's.
WRONG_MAX = 50
BATCHES = (1, 1, 2, 5, 10, 25)
NO_ROUTE = "..%2f"
STRANGE = ("nowhere", "gone", "bobs", "%00", NO_ROUTE, "typed", "past")
WHO: dict[Asker, int] = {
    "player": 8,
    "guest": 3,
    "dealer": 2,
    "supervisor": 2,
    "auditor": 1,
    "organiser": 1,
    "brush": 1,
    "nobody": 1,
}


class Attack:
    """Somebody who sends frames as fast as they are answered, under many names."""

    def __init__(self, floor: Floor, base: str, luck: Random) -> None:
        self.floor, self.luck = floor, luck
        self._base, self._frames = base, Frames(luck)
        self.pulse = asyncio.Event()  # Whoever plays meanwhile takes a turn.
        self.wrong: list[str] = []
        self.sent = self.visits = self.accepted = 0
        self.kinds: Counter[str] = Counter()
        self.ends: Counter[int] = Counter()

    async def run(self, count: int) -> None:
        """Until so many frames were sent, or so much is wrong that it makes no difference."""
        while self.sent < count and len(self.wrong) < WRONG_MAX:
            await self.floor.mend()
            if self.luck.random() < 0.3:
                await self.floor.advance()
            await self._come(count)
            await self._quiet()

    def fault(self, what: str, about: object = "") -> None:
        """Keep what went wrong."""
        if len(self.wrong) < WRONG_MAX:
            self.wrong.append(f"{what}: {about!s:.1500}")

    def frames(self, asker: Asker, table: str, count: int) -> list[Sent]:
        """What somebody at a table sends next."""
        found = self.floor.house.tables.get(table)
        offers: list[Json] = []
        if found is not None:
            seen = table_view(found.state, self.floor.viewer(asker, table), found.env.wallet)
            offers = [one for offer in seen["offers"] for one in said(dict(offer), self.luck)]
        garbage = count > route.GARBAGE_MAX and self.luck.random() < 0.15
        made = [self._frames.next(offers, garbage=garbage) for _ in range(count)]
        self.kinds.update(one.kind for one in made)
        self.sent += count
        return made

    async def _come(self, count: int) -> None:
        asker = self.luck.choices(list(WHO), weights=list(WHO.values()))[0]
        own = self.floor.own if asker == "guest" else self.floor.live
        table = self.luck.choice(STRANGE) if self.luck.random() < 0.1 else own
        ending = self.luck.choice(ENDINGS if self.luck.random() < 0.15 else VERSIONS)
        token = self.floor.token(asker)
        url = f"{self._base.replace('http', 'ws')}/api/tables/{table}/socket?{ending}"
        headers = {} if token is None else {"Cookie": f"{SESSION_COOKIE}={token}"}
        self.visits += 1
        try:
            line = await connect(
                url,
                additional_headers=headers,
                max_size=10**7,
                compression=None,
                ping_interval=None,
                open_timeout=SECONDS,
            )
        except InvalidStatus as refused:
            self._turned_away(refused, table, f"{asker} with {ending:.100}")
            return
        visit = Visit(self, line, asker, table)
        await visit.begin()
        while line.close_code is None and self.sent < count and self.luck.random() < 0.8:
            await visit.batch(self.luck.choice(BATCHES))
            self.pulse.set()
        if line.close_code is not None:
            self.ends[line.close_code] += 1
        await self._leave(line)

    async def _leave(self, line: ClientConnection) -> None:
        """Politely, or as a bad network would."""
        if self.luck.random() < 0.3:
            line.transport.abort()
        await line.close()

    def _turned_away(self, refused: InvalidStatus, table: str, about: str) -> None:
        status = refused.response.status_code
        self.ends[status] += 1
        try:
            told = json.loads(refused.response.body or b"")["error"]
        except (ValueError, KeyError, TypeError):
            told = ""
        if table == NO_ROUTE and status == 403:
            return  # An address that no route has: the framework says no, and no more.
        if not 400 <= status < 500 or status == 421 or not told:
            self.fault(f"turned away from {table} with {status} {told!r}", about)

    async def _quiet(self) -> None:
        """Wait until the house has seen the socket off, and its table has done what it does."""
        tables = [one for one in self.floor.house.tables.values() if not is_guests(one.stream)]
        async with asyncio.timeout(SECONDS):
            while any(len(one.subscribers) for one in tables):
                await asyncio.sleep(0)
        for table in tables:
            with suppress(LedgerError):  # Its owner has retired it, and it is cleared away by now.
                await table.send(Envelope(CLOCK, Tick()))
