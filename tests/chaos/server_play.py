"""Players at three tables over sockets: each sends several requests at once and records the
answers.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from time import monotonic
from typing import Any, NamedTuple

from tests.chaos.live_tables import SHEETS
from tests.chaos.server_house import DEALER, PLAYERS
from tests.house.web.conftest import PASSWORD
from tests.house.web.live_server import choice, wagers

from pitbook.house.client import Accepted, Answer, Client, ClientError, Live
from pitbook.house.table.visibility import Viewer

Json = dict[str, Any]
TIMEOUT_SECONDS = 180.0
PAUSE = 0.4  # At most, between two views of a table: load, without starving the processor.


class Heard(NamedTuple):
    """The answer to a request, when it came, and when the request was sent."""

    table: str
    command: Json
    answer: Answer | str
    answered_at: float
    asked_at: float = 0.0


class Seat:
    """One person at one table, with every event received; the dealer has no seat."""

    def __init__(self, live: Live, name: str, seat: int) -> None:
        self.live, self.seat = live, seat
        self.viewer = Viewer(name, "player" if seat else "dealer")
        self.first = live.view["version"]
        self.events: list[Json] = []

    async def listen(self) -> None:
        """Record the events."""
        async for event in self.live.events():
            self.events.append(event)

    async def wait_for_version(self, version: int) -> None:
        """Wait until all events up to a version have come."""
        async with asyncio.timeout(TIMEOUT_SECONDS):
            while not self.events or self.events[-1]["version"] < version:
                await asyncio.sleep(0.01)


class Players:
    """All players, and what they asked and heard."""

    def __init__(self, seed: str) -> None:
        self.rng = random.Random(seed)
        self.heard: dict[str, Heard] = {}
        self.seats: list[Seat] = []
        self.acknowledged = 0
        self._number = 0
        self._finishing, self._over = asyncio.Event(), asyncio.Event()
        self._playing: list[asyncio.Task[None]] = []
        self._dealing: list[asyncio.Task[None]] = []

    async def wait_for_accepted(self, count: int) -> None:
        """Wait until this many more commands are accepted."""
        target = self.acknowledged + count
        async with asyncio.timeout(TIMEOUT_SECONDS):
            while self.acknowledged < target:
                await asyncio.sleep(0.005)

    async def sit(self) -> None:
        """Seat everybody."""
        for seat in self.seats:
            if seat.seat:
                await self._ask(seat, {"do": "sit", "seat": seat.seat})

    def begin(self) -> None:
        """Start everybody playing at every table at once."""
        for seat in self.seats:
            acting = self._playing if seat.seat else self._dealing
            acting.append(asyncio.create_task(self._act(seat)))

    async def end(self) -> None:
        """Start no new rounds, finish the current hands, and wait for all events."""
        self._finishing.set()
        await asyncio.gather(*self._playing)
        self._over.set()
        await asyncio.gather(*self._dealing)
        last: dict[str, int] = {}
        for seat in self.seats:
            view = await seat.live.look()
            last[seat.live.table] = max(view["version"], last.get(seat.live.table, 0))
        for seat in self.seats:
            await seat.wait_for_version(last[seat.live.table])

    async def leave(self) -> None:
        """Cancel everything in progress."""
        acting = (*self._playing, *self._dealing)
        for task in acting:
            task.cancel()
        await asyncio.gather(*acting, return_exceptions=True)

    async def _act(self, seat: Seat) -> None:
        while not self._over.is_set():
            view = await seat.live.look()
            if seat.seat and self._finishing.is_set() and _has_no_bets(view):
                return
            await asyncio.gather(
                *(self._ask(seat, command) for command in self._commands(seat, view))
            )
            await asyncio.sleep(self.rng.random() * PAUSE)

    def _commands(self, seat: Seat, view: Json) -> Sequence[Json]:
        """Commands that a person sends at once; many come too late and are refused."""
        if not seat.seat:
            return [{"do": "close-betting"}] if view["phase"] == "wagers" else []
        own_seat = {"seat": seat.seat}
        seed = {"do": "seat-seed", **own_seat, "text": f"{self.rng.random()}"}
        if view["phase"] == "agreement":
            return [{"do": "agree", **own_seat, "finish": True}, seed]
        if (play := choice(view, seat.seat)) is not None:
            plays = [{"do": "decide", **own_seat, "play": play}] * 2
            return [*plays, seed] if self.rng.random() < 0.7 else plays[:1]
        if self._finishing.is_set():
            return []
        bets = [{"do": "put-wager", **own_seat, **wager} for wager in wagers(view, seat.seat)]
        undo = {"do": "undo", **own_seat}
        return [seed, *bets, undo, *bets]

    async def _ask(self, seat: Seat, command: Json) -> None:
        self._number += 1
        request = f"{seat.live.table}-{self._number}"
        answer: Answer | str
        asked_at = monotonic()
        try:
            answer = await seat.live.send(command, request)
        except ClientError as error:
            answer = str(error)
        self.acknowledged += isinstance(answer, Accepted)
        heard = Heard(seat.live.table, command, answer, monotonic(), asked_at)
        self.heard[f"{seat.viewer.name}/{request}"] = heard


@asynccontextmanager
async def seat_players(addresses: Sequence[str], seed: str) -> AsyncIterator[Players]:
    """Everybody signed in and seated at every table."""
    players = Players(seed)
    async with AsyncExitStack() as stack:
        listening: list[asyncio.Task[None]] = []
        for number, name in enumerate((DEALER, *PLAYERS)):
            client = await stack.enter_async_context(Client(addresses, patience=TIMEOUT_SECONDS))
            await client.sign_in(name, PASSWORD)
            for table in SHEETS:
                live = await stack.enter_async_context(client.live(table))
                seat = Seat(live, name, number)
                listening.append(asyncio.create_task(seat.listen()))
                players.seats.append(seat)
        try:
            await players.sit()
            yield players
        finally:
            await players.leave()
            for task in listening:
                task.cancel()
            await asyncio.gather(*listening, return_exceptions=True)


def _has_no_bets(view: Json) -> bool:
    return not any(seat.get("held", "0.00") != "0.00" for seat in view["seats"])
