"""People at three tables over sockets: each asks for several things at once, and remembers."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from time import monotonic
from typing import Any, NamedTuple

from tests.chaos.server_house import DEALER, PLAYERS
from tests.chaos.tables import SHEETS
from tests.house.web.conftest import PASSWORD
from tests.house.web.live import choice, wagers

from pitbook.house.client import Accepted, Answer, Client, ClientError, Live
from pitbook.house.table.visibility import Viewer

Json = dict[str, Any]
PATIENCE = 180.0
PAUSE = 0.4  # At most, between two looks at a table: a load, not a contest for the processor.


class Heard(NamedTuple):
    """What somebody was told about a request, when, and when it was asked."""

    table: str
    command: Json
    answer: Answer | str
    at: float
    asked: float = 0.0


class Seat:
    """One person at one table, with every event that came; the dealer has no seat."""

    def __init__(self, live: Live, name: str, seat: int) -> None:
        self.live, self.seat = live, seat
        self.viewer = Viewer(name, "player" if seat else "dealer")
        self.first = live.view["version"]
        self.events: list[Json] = []

    async def listen(self) -> None:
        """Take down what happens."""
        async for event in self.live.events():
            self.events.append(event)

    async def until(self, version: int) -> None:
        """Returns when all up to a version was heard."""
        async with asyncio.timeout(PATIENCE):
            while not self.events or self.events[-1]["version"] < version:
                await asyncio.sleep(0.01)


class Players:
    """All of them, and what they asked for and heard."""

    def __init__(self, seed: str) -> None:
        self.luck = random.Random(seed)
        self.heard: dict[str, Heard] = {}
        self.seats: list[Seat] = []
        self.acknowledged = 0
        self._number = 0
        self._enough, self._over = asyncio.Event(), asyncio.Event()
        self._playing: list[asyncio.Task[None]] = []
        self._dealing: list[asyncio.Task[None]] = []

    async def more(self, count: int) -> None:
        """Returns when so many more commands were accepted."""
        wanted = self.acknowledged + count
        async with asyncio.timeout(PATIENCE):
            while self.acknowledged < wanted:
                await asyncio.sleep(0.005)

    async def sit(self) -> None:
        """Everybody takes a seat."""
        for seat in self.seats:
            if seat.seat:
                await self._ask(seat, {"do": "sit", "seat": seat.seat})

    def begin(self) -> None:
        """Play, everybody at every table at once."""
        for seat in self.seats:
            acting = self._playing if seat.seat else self._dealing
            acting.append(asyncio.create_task(self._act(seat)))

    async def end(self) -> None:
        """No new round; hands on the tables are finished, and everything is heard of."""
        self._enough.set()
        await asyncio.gather(*self._playing)
        self._over.set()
        await asyncio.gather(*self._dealing)
        last: dict[str, int] = {}
        for seat in self.seats:
            view = await seat.live.look()
            last[seat.live.table] = max(view["version"], last.get(seat.live.table, 0))
        for seat in self.seats:
            await seat.until(last[seat.live.table])

    async def leave(self) -> None:
        """Stop whatever one is doing."""
        acting = (*self._playing, *self._dealing)
        for one in acting:
            one.cancel()
        await asyncio.gather(*acting, return_exceptions=True)

    async def _act(self, seat: Seat) -> None:
        while not self._over.is_set():
            view = await seat.live.look()
            if seat.seat and self._enough.is_set() and _nothing_lies(view):
                return
            await asyncio.gather(*(self._ask(seat, one) for one in self._wishes(seat, view)))
            await asyncio.sleep(self.luck.random() * PAUSE)

    def _wishes(self, seat: Seat, view: Json) -> Sequence[Json]:
        """What somebody wants at once; much of it comes too late, and is refused."""
        if not seat.seat:
            return [{"do": "close-betting"}] if view["phase"] == "wagers" else []
        mine = {"seat": seat.seat}
        seed = {"do": "seat-seed", **mine, "text": f"{self.luck.random()}"}
        if view["phase"] == "agreement":
            return [{"do": "agree", **mine, "finish": True}, seed]
        if (play := choice(view, seat.seat)) is not None:
            plays = [{"do": "decide", **mine, "play": play}] * 2
            return [*plays, seed] if self.luck.random() < 0.7 else plays[:1]
        if self._enough.is_set():
            return []
        bets = [{"do": "put-wager", **mine, **one} for one in wagers(view, seat.seat)]
        undo = {"do": "undo", **mine}
        return [seed, *bets, undo, *bets]

    async def _ask(self, seat: Seat, command: Json) -> None:
        self._number += 1
        request = f"{seat.live.table}-{self._number}"
        answer: Answer | str
        asked = monotonic()
        try:
            answer = await seat.live.send(command, request)
        except ClientError as error:
            answer = str(error)
        self.acknowledged += isinstance(answer, Accepted)
        heard = Heard(seat.live.table, command, answer, monotonic(), asked)
        self.heard[f"{seat.viewer.name}/{request}"] = heard


@asynccontextmanager
async def seated(addresses: Sequence[str], seed: str) -> AsyncIterator[Players]:
    """Everybody signed in and seated at every table."""
    players = Players(seed)
    async with AsyncExitStack() as stack:
        listening: list[asyncio.Task[None]] = []
        for number, name in enumerate((DEALER, *PLAYERS)):
            client = await stack.enter_async_context(Client(addresses, patience=PATIENCE))
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
            for one in listening:
                one.cancel()
            await asyncio.gather(*listening, return_exceptions=True)


def _nothing_lies(view: Json) -> bool:
    return not any(seat.get("held", "0.00") != "0.00" for seat in view["seats"])
