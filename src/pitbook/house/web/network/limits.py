"""How much anybody may ask for: by connection, by person and by address, and how large it may be.

A person's own budget does the work. What an address has to spend is many times as much, for a hall
of phones stands behind one; and members never share it with guests. Frames and looks at a table
that come too fast over a socket are not read until it is their turn; requests that do are refused,
and whoever goes on all the same waits for the refusal.
"""

from __future__ import annotations

import asyncio
import time
from http import HTTPStatus

from pitbook.house.web.answers import Problem
from pitbook.house.web.network.askers import Asker, address_of
from pitbook.house.web.network.buckets import Buckets, Quota, ReadSeconds
from pitbook.house.web.network.turnstile import Turnstile
from pitbook.house.web.running.settings import RequestLimits
from pitbook.text import say

__all__ = ["Buckets", "Budget", "Limiter", "Quota", "address_of"]

FRAMES_A_COMMAND = 3  # Of any kind: a command, a look at what came of it, a sign of life.
GUESTS_VIEWS = 0.3  # A guest plays at one table alone, and needs no more looks for each command.
REQUESTS_A_TURN, FRAMES_A_TURN, VIEWS_A_TURN = 2, 3, 1
LOOK_SECONDS_MAX = 1.0  # That a request for a view waits; it holds a line meanwhile.
GUESTS_AT_WORK = 4  # The part of an address's lines on which guests' requests are worked on.
SPARE_SECONDS = 0.004  # Of a turn, in which more may come where they cost next to nothing.
REFUSED_AT_ONCE, REFUSED_A_SECOND = 20, 1.0
HEALTH_A_SECOND, HEALTH_BURST = 100, 200  # Of all; more than that, and whoever asks often waits.
HEALTH_OFTEN, HEALTH_OFTEN_BURST = 8, 16  # Of one address, by however many lines.


class Budget:
    """So much of one kind for each connection and person, and many times that for an address."""

    def __init__(self, rate: float, burst: float, times: float, *, clock: ReadSeconds) -> None:
        self.own = Buckets(rate, burst, clock=clock)
        self.crowd = Buckets(rate * times, burst * times, clock=clock)

    def take(self, asker: Asker) -> float:
        """0.0 when it is granted, else the seconds to wait; asking in vain costs nothing."""
        wait = self.wait(asker)
        if not wait:
            self.spend(asker)
        return wait

    def wait(self, asker: Asker) -> float:
        """The seconds until one more is paid for; 0.0 for at once."""
        wait = max((self.own.wait(key) for key in asker.keys), default=0.0)
        return max(wait, self.crowd.wait(asker.crowd))

    def spend(self, asker: Asker) -> float:
        """Granted on credit: the seconds to wait before going on."""
        wait = self.crowd.spend(asker.crowd)
        for key in asker.keys:
            wait = max(wait, self.own.spend(key))
        return wait

    async def turn(self, asker: Asker, turnstile: Turnstile, most: float = float("inf")) -> float:
        """Wait until it is paid for, and then for one's turn; how long the first of it took."""
        if wait := self.spend(asker):
            wait = min(wait, most)
            await asyncio.sleep(wait)
        await turnstile.enter(asker.place)
        return wait


class Limiter:
    """All the budgets and quotas of a server."""

    def __init__(self, limits: RequestLimits, *, clock: ReadSeconds = time.monotonic) -> None:
        self.limits = limits
        times, rate, burst = limits.address_times, limits.commands_per_second, limits.commands_burst
        self.requests = Budget(
            limits.requests_per_second, limits.requests_burst, times, clock=clock
        )
        self.commands = Buckets(rate, burst, clock=clock)
        self.views = Budget(rate, burst, times, clock=clock)
        self.guests_views = Budget(GUESTS_VIEWS * rate, burst, times, clock=clock)
        frames = FRAMES_A_COMMAND
        self.frames = Budget(frames * rate, frames * burst, times, clock=clock)
        self.refusals = Budget(REFUSED_A_SECOND, REFUSED_AT_ONCE, times, clock=clock)
        self.health = Buckets(HEALTH_A_SECOND, HEALTH_BURST, clock=clock)
        self.health_of_one = Buckets(HEALTH_OFTEN, HEALTH_OFTEN_BURST, clock=clock)
        minute = limits.sign_ins_per_minute
        self.sign_ins = Buckets(minute / 60, max(1.0, minute), clock=clock)
        self.guests = Buckets(limits.guests_per_minute / 60, limits.guests_per_minute, clock=clock)
        self.guest_tables = Quota(limits.guest_tables)
        self.sockets = Quota(limits.sockets_per_address)
        self.sockets_of_one = Quota(limits.sockets_per_person)
        self.under_way = Quota(limits.connections_per_address)
        at_work = max(1, limits.connections_per_address // GUESTS_AT_WORK)
        self.guests_at_work = Quota(at_work)
        self.at_the_door = Turnstile(REQUESTS_A_TURN, SPARE_SECONDS)
        self.at_the_table = Turnstile(FRAMES_A_TURN, SPARE_SECONDS)
        self.at_the_glass = Turnstile(VIEWS_A_TURN)

    async def well(self, address: str) -> bool:
        """Wait a little before health is told, where that is asked for more than anybody needs."""
        own = self.health_of_one.spend(address)
        if wait := min(own, self.health.spend("")):
            await asyncio.sleep(min(wait, 1 / HEALTH_OFTEN))
        return not wait

    async def frame(self, asker: Asker) -> float:
        """Wait until a frame may be read; the seconds that it came too early."""
        return await self.frames.turn(asker, self.at_the_table)

    async def look(self, asker: Asker, most: float = float("inf")) -> None:
        """Wait until a view may be built: one at each turn of the loop, whoever asks."""
        await self._views(asker).turn(asker, self.at_the_glass, most)

    async def look_soon(self, asker: Asker) -> None:
        """The same for a request, which does not wait for long; raises Problem where it would."""
        if (wait := self._views(asker).wait(asker)) > LOOK_SECONDS_MAX:
            raise Problem(HTTPStatus.TOO_MANY_REQUESTS, say("web.network.looks"), wait)
        await self.look(asker)

    def _views(self, asker: Asker) -> Budget:
        return self.views if asker.member else self.guests_views

    def socket(self, asker: Asker, thing: str) -> str | None:
        """Take a place for a socket or a stream of events; or why there is none."""
        if not self.sockets.take(asker.crowd, thing):
            return say("web.network.sockets-of-address", most=self.sockets.most)
        if asker.person and not self.sockets_of_one.take(asker.person, thing):
            self.sockets.give_back(thing)
            return say("web.network.sockets-of-one", most=self.sockets_of_one.most)
        return None

    def hang_up(self, thing: str) -> None:
        """The socket is gone."""
        self.sockets.give_back(thing)
        self.sockets_of_one.give_back(thing)
