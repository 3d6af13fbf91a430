"""Who may try a password now: strangers wait by their address, a known device only for itself.

Known devices that fail too often, all of one person together or many at one address, are strangers.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Mapping
from http import HTTPStatus

from starlette.requests import Request
from starlette.responses import Response

from pitbook.web.answers import Problem
from pitbook.web.network.buckets import Buckets
from pitbook.web.network.limits import Limiter, address_of
from pitbook.web.people.attempts import Attempt
from pitbook.web.people.devices import Device, Devices
from pitbook.web.people.entering import Entered
from pitbook.web.people.throttle import ReadSeconds, Throttle
from pitbook.web.running.settings import Settings
from pitbook.wording import say

__all__ = ["Doorway"]

ADDRESS_WAIT_MAX = 60.0  # A hall shares one address; it must not stand still for one who guesses.
DEVICE_WAIT_MAX = 60.0
PERSON_FAILURES_MAX = 10  # Of all devices of one person; one alone waits too long to come so far.


class Doorway:
    """The throttles of a server, in memory; those by name are on record, for every process."""

    def __init__(
        self,
        secret: bytes,
        settings: Settings,
        limiter: Limiter,
        *,
        clock: ReadSeconds = time.monotonic,
    ) -> None:
        free = settings.sign_in.failures_max
        self.devices = Devices(secret, settings)
        self.addresses = Throttle(
            free=settings.sign_in.address_failures_max,
            longest=ADDRESS_WAIT_MAX,
            at_once=True,
            clock=clock,
        )
        self.known = Throttle(free=free, longest=DEVICE_WAIT_MAX, clock=clock)
        self.persons = Throttle(free=PERSON_FAILURES_MAX, longest=DEVICE_WAIT_MAX, clock=clock)
        self.nearby = Throttle(
            free=settings.sign_in.address_failures_max, longest=ADDRESS_WAIT_MAX, clock=clock
        )
        self.own = Throttle(free=free, longest=DEVICE_WAIT_MAX, clock=clock)
        self.links = Throttle(free=1, longest=DEVICE_WAIT_MAX, clock=clock)
        minute = settings.limits.sign_ins_per_minute * settings.limits.address_times
        self.crowds = Buckets(minute / 60, max(1.0, minute), clock=clock)
        self.lookers = Buckets(minute / 60, max(1.0, minute), clock=clock)
        self._limiter, self._least = limiter, settings.sign_in.failure_seconds

    def device(self, cookies: Mapping[str, str], name: str) -> Device | None:
        """The device that somebody tries a name from, if its cookie is ours and not too old."""
        return self.devices.known(cookies, name)

    def pass_by(self, request: Request, device: Device | None = None) -> None:
        """Raise Problem 429 for who has to wait; no stranger can make a known device wait."""
        address = address_of(request.scope)
        if device is not None:
            place, wait = "device", self.known.wait(device.nonce) or self._taken(device, address)
        else:
            place = "address"
            wait = self.addresses.wait(address) or self._limiter.sign_ins.take(address)
        if wait:
            raise _too_many(place, wait)

    def look_at_link(self, request: Request) -> None:
        """Raise Problem 429 for an address that opens too many; that spends no sign-in."""
        if wait := self.lookers.take(address_of(request.scope)):
            raise _too_many("address", wait)

    def _taken(self, device: Device, address: str) -> float:
        """One sign-in of the person, in whichever browser; a hall has many times as many."""
        person = f"person {device.who}"
        wait = max(self._limiter.sign_ins.wait(person), self.crowds.wait(address))
        if not wait:
            self._limiter.sign_ins.spend(person)
            self.crowds.spend(address)
        return wait

    def attempt(self, request: Request, device: Device | None = None) -> Attempt:
        """Try a password now: of the device if it is a known one, else of the address.

        Raises Problem 429 for who has to wait.
        """
        address = address_of(request.scope)
        if device is None or not self._trusts(device, address):
            self.pass_by(request)
            return Attempt([(self.addresses, address)])
        self.pass_by(request, device)
        counted = [(self.known, device.nonce), (self.persons, device.who), (self.nearby, address)]
        return Attempt(counted, known=True)

    def _trusts(self, device: Device, address: str) -> bool:
        """Whether a device is a known one still; what others fail at its address does not count."""
        if self.persons.count(device.who) >= self.persons.free:
            return False
        is_crowded = self.nearby.count(address) >= self.nearby.free
        return not (is_crowded and self.known.count(device.nonce))

    def own_attempt(self, name: str) -> Attempt:
        """Prove to be oneself now; raises Problem 429 for who has failed to."""
        if wait := self.own.wait(name):
            raise _too_many("name", wait)
        return Attempt([(self.own, name)])

    def link_attempt(self, token: str) -> Attempt:
        """Use a link now, which works once; raises Problem 429 while somebody does."""
        if wait := self.links.wait(token):
            raise _too_many("link", wait)
        return Attempt([(self.links, token)])

    def welcome(
        self,
        response: Response,
        entered: Entered,
        *,
        by_link: bool = False,
        before: Device | None = None,
    ) -> None:
        """The browser of somebody who proved to be this person is a known one."""
        self.own.forgive(entered.person.name)
        self.devices.hand_over(response, entered, by_link=by_link, before=before)

    async def tell_nothing(self, began: float) -> None:
        """Wait, so that what was wrong does not show in how long it took."""
        if self._least:
            spent = time.monotonic() - began
            await asyncio.sleep(math.ceil(spent / self._least) * self._least - spent)


def _too_many(place: str, wait: float) -> Problem:
    """Whoever tried too often waits: by the device, the address, the name or the link."""
    told = say("web.people.too-many-attempts", place=place)
    return Problem(HTTPStatus.TOO_MANY_REQUESTS, told, wait)
