"""A guest who only wants to play, and must be able to despite hostile traffic."""

from __future__ import annotations

import asyncio

from tests.fuzz.house import STUD
from tests.house.web.live_server import choice, wagers

from pitbook.house.client import Client, Live, Refused

SEAT = 1
NOT_COVERED = "not-covered"


class Honest:
    """Plays one round after the other to its end; every refusal is an error."""

    def __init__(self, base: str) -> None:
        self._base = base
        self.rounds, self.tables = 0, 0
        self.refused: list[str] = []

    async def play(self, pulse: asyncio.Event, done: asyncio.Event) -> None:
        """Play a round at every pulse, until done."""
        async with Client(self._base) as guest:
            while not done.is_set():
                practice = await guest.practice(STUD)
                self.tables += 1
                async with guest.live(practice["table"]) as table:
                    while not done.is_set() and await self._round(table):
                        await pulse.wait()
                        pulse.clear()
                    self._check(await table.send({"do": "retire"}))

    async def _round(self, table: Live) -> bool:
        """Play one round; False if the money ran out."""
        for number, wager in enumerate(wagers(await table.look(), SEAT)):
            answer = await table.send({"do": "put-wager", "seat": SEAT, **wager})
            if isinstance(answer, Refused) and answer.code == NOT_COVERED:
                for _ in range(number):  # Take back the bets already placed.
                    self._check(await table.send({"do": "undo", "seat": SEAT}))
                return False
            self._check(answer)
        self._check(await table.send({"do": "close-betting"}))
        while (view := await table.look())["phase"] != "over":
            play = choice(view, SEAT)
            assert play is not None, view
            self._check(await table.send({"do": "decide", "seat": SEAT, "play": play}))
        assert view["result"]["result"] == "settled", view
        self.rounds += 1
        return True

    def _check(self, answer: object) -> None:
        if isinstance(answer, Refused):
            self.refused.append(str(answer))
