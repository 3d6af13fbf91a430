"""Hostile sockets: who opens them, what is sent, and how they end."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from contextlib import suppress
from random import Random

from tests.fuzz.commands import Json, offer_commands
from tests.fuzz.frames import ENDINGS, PUSHES, VERSIONS, Frames, Sent
from tests.fuzz.house import Asker, Floor
from tests.fuzz.socket_session import Visit, is_guests
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidStatus

from pitbook.errors import LedgerError
from pitbook.house.people.sessions import SESSION_COOKIE
from pitbook.house.table import socket as route
from pitbook.house.table.commands import CLOCK, Envelope, Tick
from pitbook.house.table.views import table_view

SECONDS = 120  # A busy machine is not the server's fault.
WRONG_MAX = 50
BATCHES = (1, 1, 2, 5, 10, 25)
NO_ROUTE = "..%2f"
OTHER_TABLES = ("nowhere", "gone", "bobs", "%00", NO_ROUTE, "typed", "past")
ASKER_WEIGHTS: dict[Asker, int] = {
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
    """Sends frames as fast as they are answered, as many people."""

    def __init__(self, floor: Floor, base: str, rng: Random) -> None:
        self.floor, self.rng = floor, rng
        self._base, self._frames = base, Frames(rng)
        self.pulse = asyncio.Event()  # Set when the honest guest may take a turn.
        self.wrong: list[str] = []
        self.sent = self.visits = self.accepted = 0
        self.kinds: Counter[str] = Counter()
        self.ends: Counter[int] = Counter()

    async def run(self, count: int) -> None:
        """Send frames until the count is reached or too much is wrong."""
        while self.sent < count and len(self.wrong) < WRONG_MAX:
            await self.floor.restore()
            if self.rng.random() < 0.3:
                await self.floor.advance()
            await self._visit(count)
            await self._wait_until_idle()

    def record_error(self, what: str, about: object = "") -> None:
        """Record an error."""
        if len(self.wrong) < WRONG_MAX:
            self.wrong.append(f"{what}: {about!s:.1500}")

    def frames(self, asker: Asker, table: str, count: int) -> list[Sent]:
        """The next frames of a player at a table."""
        live_table = self.floor.house.tables.get(table)
        offers: list[Json] = []
        if live_table is not None:
            view = table_view(
                live_table.state, self.floor.viewer(asker, table), live_table.env.wallet
            )
            offers = [
                command
                for offer in view["offers"]
                for command in offer_commands(dict(offer), self.rng)
            ]
        garbage = count > route.GARBAGE_MAX and self.rng.random() < 0.15
        batch = [self._frames.next(offers, garbage=garbage) for _ in range(count)]
        self.kinds.update(frame.kind for frame in batch)
        self.sent += count
        return batch

    async def _visit(self, count: int) -> None:
        asker = self.rng.choices(list(ASKER_WEIGHTS), weights=list(ASKER_WEIGHTS.values()))[0]
        own_table = self.floor.own if asker == "guest" else self.floor.live
        table = self.rng.choice(OTHER_TABLES) if self.rng.random() < 0.1 else own_table
        pushes = self.rng.random() < 0.3
        endings = ENDINGS if self.rng.random() < 0.15 else PUSHES if pushes else VERSIONS
        ending = self.rng.choice(endings)
        token = self.floor.token(asker)
        url = f"{self._base.replace('http', 'ws')}/api/tables/{table}/socket?{ending}"
        headers = {} if token is None else {"Cookie": f"{SESSION_COOKIE}={token}"}
        self.visits += 1
        try:
            connection = await connect(
                url,
                additional_headers=headers,
                max_size=10**7,
                compression=None,
                ping_interval=None,
                open_timeout=SECONDS,
            )
        except InvalidStatus as rejection:
            self._check_rejection(rejection, table, f"{asker} with {ending:.100}")
            return
        visit = Visit(self, connection, asker, table, is_pushed=ending in PUSHES)
        await visit.begin()
        while connection.close_code is None and self.sent < count and self.rng.random() < 0.8:
            await visit.batch(self.rng.choice(BATCHES))
            self.pulse.set()
        if connection.close_code is not None:
            self.ends[connection.close_code] += 1
        await self._leave(connection)

    async def _leave(self, connection: ClientConnection) -> None:
        """Close in an orderly way, or as a bad network would."""
        if self.rng.random() < 0.3:
            connection.transport.abort()
        await connection.close()

    def _check_rejection(self, rejection: InvalidStatus, table: str, about: str) -> None:
        status = rejection.response.status_code
        self.ends[status] += 1
        try:
            message = json.loads(rejection.response.body or b"")["error"]
        except (ValueError, KeyError, TypeError):
            message = ""
        if table == NO_ROUTE and status == 403:
            return  # No route has this address; the framework refuses without a sentence.
        if not 400 <= status < 500 or status == 421 or not message:
            self.record_error(f"turned away from {table} with {status} {message!r}", about)

    async def _wait_until_idle(self) -> None:
        """Wait until the server has closed the socket and its table is idle."""
        tables = [
            table for table in self.floor.house.tables.values() if not is_guests(table.stream)
        ]
        async with asyncio.timeout(SECONDS):
            while any(len(table.subscribers) for table in tables):
                await asyncio.sleep(0)
        for table in tables:
            with suppress(LedgerError):  # Its owner has retired it, and it is already removed.
                await table.send(Envelope(CLOCK, Tick()))
