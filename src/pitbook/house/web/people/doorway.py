"""Sign-in throttle: failures delay an address, a device or a name; successes delay nobody else.

An unknown browser waits for the failures of its address. A known device waits only for its own,
unless too many devices of its person or address fail: then it counts as unknown.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Mapping
from http import HTTPStatus

from starlette.requests import Request
from starlette.responses import Response

from pitbook.house.people.names import key
from pitbook.house.web.answers import Problem
from pitbook.house.web.network.buckets import Buckets
from pitbook.house.web.network.limits import Limiter, address_of
from pitbook.house.web.people.attempts import Attempt
from pitbook.house.web.people.devices import Device, Devices
from pitbook.house.web.people.entering import Entered
from pitbook.house.web.people.hashing import HashQueue
from pitbook.house.web.people.throttle import ReadSeconds, Throttle
from pitbook.house.web.running.settings import Settings
from pitbook.text import say

__all__ = ["Doorway"]

ADDRESS_WAIT_MAX = 60.0  # A whole hall shares one address, and one guesser must not stop it.
DEVICE_WAIT_MAX = 60.0
PERSON_FAILURES_MAX = 10  # On all devices of one person. One device alone is delayed long before.


class Doorway:
    """This process's throttles, in memory. Delays by name are in the ledger, for every process."""

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
        self.queue = HashQueue()
        minute = settings.limits.sign_ins_per_minute * settings.limits.address_times
        self.lookers = Buckets(minute / 60, max(1.0, minute), clock=clock)
        self._limiter, self._least = limiter, settings.sign_in.failure_seconds

    def device(self, cookies: Mapping[str, str], name: str) -> Device | None:
        """The known device for this name, if the browser has a valid cookie for it."""
        return self.devices.known(cookies, name)

    def look_at_link(self, request: Request) -> None:
        """Raise Problem 429 if an address opens too many links; costs no sign-in attempt."""
        _refuse_during("address", self.lookers.take(address_of(request.scope)))

    def attempt(self, request: Request, device: Device | None = None) -> Attempt:
        """Begin a try that counts for the known device, or else for the address.

        Raises Problem 429 during a delay. Ask on a turn of `queue`: tries in flight may all fail,
        and few turns run at once, so a burst gets no more free failures than a series.
        """
        address = address_of(request.scope)
        if device is None or not self._trusts(device, address):
            _refuse_during("address", self.addresses.wait(address))
            return Attempt([(self.addresses, address)])
        _refuse_during("device", self.known.wait(device.nonce))
        counted = [(self.known, device.nonce), (self.persons, device.who), (self.nearby, address)]
        return Attempt(counted, known=True)

    def sign_in_attempt(self, request: Request, name: str, device: Device | None) -> Attempt:
        """Begin a sign-in, which also spends the person's budget of correct passwords.

        Known devices share one budget, and each address has its own: a thief with the password
        cannot lock the owner out.
        """
        attempt = self.attempt(request, device)
        place = "known" if attempt.known else address_of(request.scope)
        person = f"{place} {key(name)}"
        _refuse_during("name", self._limiter.sign_ins.wait(person))
        attempt.successes = (self._limiter.sign_ins, person)
        return attempt

    def _trusts(self, device: Device, address: str) -> bool:
        """Whether a device still counts as known; other devices' failures alone do not end that."""
        if self.persons.count(device.who) >= self.persons.free:
            return False
        is_crowded = self.nearby.count(address) >= self.nearby.free
        return not (is_crowded and self.known.count(device.nonce))

    def own_attempt(self, name: str) -> Attempt:
        """Begin to confirm one's own password; raises Problem 429 during a delay."""
        _refuse_during("name", self.own.wait(name))
        return Attempt([(self.own, name)])

    def link_attempt(self, token: str) -> Attempt:
        """Begin to use a link, which works once; raises Problem 429 while it is in use."""
        _refuse_during("link", self.links.wait(token))
        return Attempt([(self.links, token)])

    def welcome(
        self,
        response: Response,
        entered: Entered,
        *,
        by_link: bool = False,
        before: Device | None = None,
    ) -> None:
        """Mark the browser of a signed-in person as a known device."""
        self.own.forgive(entered.person.name)
        self.devices.hand_over(response, entered, by_link=by_link, before=before)

    async def tell_nothing(self, began: float) -> None:
        """Wait until a full beat has passed, so that the time taken reveals nothing."""
        if self._least:
            spent = time.monotonic() - began
            await asyncio.sleep(math.ceil(spent / self._least) * self._least - spent)


def _refuse_during(place: str, wait: float) -> None:
    """Raise Problem 429 if there are seconds to wait for this address, device, name or link."""
    if wait:
        message = say("web.people.too-many-attempts", place=place)
        raise Problem(HTTPStatus.TOO_MANY_REQUESTS, message, wait)
