"""Sign-in delays by address, device, name and link, and the queue for password hashing."""

from __future__ import annotations

import asyncio
import contextvars
import math
import os
import threading
import time
from collections import Counter, OrderedDict
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from http import HTTPStatus
from types import TracebackType
from typing import TypeVar

from starlette.requests import Request
from starlette.responses import Response

from pitbook.house.people.names import name_key
from pitbook.house.people.passwords import HASHES_AT_ONCE
from pitbook.house.people.sessions import Device, Devices
from pitbook.house.people.sign_in import Authenticated, retry_delay
from pitbook.house.settings import Settings
from pitbook.house.web.errors import Problem
from pitbook.house.web.rate_limits import (
    Limiter,
    ReadSeconds,
    RoundRobin,
    TokenBuckets,
    address_of,
    current_queue_place,
)
from pitbook.text import say


class SignInAttempt:
    """Context manager that reports one try to the throttles of its address, device or name.

    A failure counts with the throttles. A try that does not fail spends one of `successes`, a
    person's own budget.
    """

    def __init__(
        self,
        throttles: Sequence[tuple[Throttle, str]],
        *,
        known_device: bool = False,
    ) -> None:
        self._throttles, self.known_device = tuple(throttles), known_device
        self.successes: tuple[TokenBuckets, str] | None = None
        self._has_failed = False

    def fail(self) -> None:
        """Count this try as a failure."""
        self._has_failed = True
        for throttle, key in self._throttles:
            throttle.add_failure(key)

    def __enter__(self) -> SignInAttempt:
        for throttle, key in self._throttles:
            throttle.begin(key)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for throttle, key in self._throttles:
            throttle.end(key)
        if isinstance(error, asyncio.CancelledError):  # A dropped connection still counts as a try.
            self.fail()
        elif self.successes is not None and not self._has_failed:
            budget, person = self.successes
            budget.spend(person)


Result = TypeVar("Result")
# One core is left to the tables, no matter how many people sign in at once.
HASHING_THREADS = max(1, min(HASHES_AT_ONCE, (os.cpu_count() or 1) - 1))
_EXECUTOR = ThreadPoolExecutor(HASHING_THREADS, thread_name_prefix="hashing")


async def run_on_hashing_thread(work: Callable[[], Result]) -> Result:
    """Run work that hashes a password on a hashing thread."""
    context = contextvars.copy_context()  # Keeps the request ID in log records.
    loop = asyncio.get_running_loop()
    return await loop.run_in_executor(_EXECUTOR, lambda: context.run(work))


class HashQueue:
    """Fair queue for the hashing threads: addresses take turns, then the people at each address."""

    def __init__(self, threads: int = HASHING_THREADS) -> None:
        self._free = threads
        self._waiting: RoundRobin[asyncio.Future[None]] = RoundRobin()

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Wait for a free hashing thread and hold it for the length of the block."""
        await self._acquire()
        try:
            yield
        finally:
            self._release()

    async def _acquire(self) -> None:
        if self._free:
            self._free -= 1
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.add(current_queue_place(), turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():  # It had the thread already.
                self._release()
            raise

    def _release(self) -> None:
        while self._waiting:
            turn = self._waiting.next()
            if not turn.done():
                turn.set_result(None)
                return
        self._free += 1


FORGIVE_EVERY_S = 60.0  # Throttles forgive one failure a minute: people mistype.
BUSY_RETRY_S = 1.0  # By then the attempt in flight should be over.
KEYS_MAX = 20_000
ADDRESS_DELAY_MAX_S = 60.0  # A whole hall shares one address, and one guesser must not stop it.
DEVICE_DELAY_MAX_S = 60.0
PERSON_FAILURES_MAX = 10  # On all devices of one person. One device alone is delayed long before.


class LoginThrottle:
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
            delay_max_s=ADDRESS_DELAY_MAX_S,
            concurrent=True,
            clock=clock,
        )
        self.known_devices = Throttle(free=free, delay_max_s=DEVICE_DELAY_MAX_S, clock=clock)
        self.persons = Throttle(
            free=PERSON_FAILURES_MAX, delay_max_s=DEVICE_DELAY_MAX_S, clock=clock
        )
        self.devices_by_address = Throttle(
            free=settings.sign_in.address_failures_max, delay_max_s=ADDRESS_DELAY_MAX_S, clock=clock
        )
        self.own_passwords = Throttle(free=free, delay_max_s=DEVICE_DELAY_MAX_S, clock=clock)
        self.links = Throttle(free=1, delay_max_s=DEVICE_DELAY_MAX_S, clock=clock)
        self.queue = HashQueue()
        minute = settings.limits.sign_ins_per_minute * settings.limits.address_multiplier
        self.link_views = TokenBuckets(minute / 60, max(1.0, minute), clock=clock)
        self._limiter, self._beat_s = limiter, settings.sign_in.failure_delay_seconds

    def known_device(self, cookies: Mapping[str, str], name: str) -> Device | None:
        """The known device for this name, if the browser has a valid cookie for it."""
        return self.devices.find(cookies, name)

    def check_link_view(self, request: Request) -> None:
        """Raise Problem 429 if an address opens too many links; costs no sign-in attempt."""
        _refuse_if_delayed("address", self.link_views.take(address_of(request.scope)))

    def attempt(self, request: Request, device: Device | None = None) -> SignInAttempt:
        """Begin a try that counts for the known device, or else for the address.

        Raises Problem 429 during a delay. Ask on a turn of `queue`: tries in flight may all fail,
        and few turns run at once, so a burst gets no more free failures than a series.
        """
        address = address_of(request.scope)
        if device is None or not self._trusts(device, address):
            _refuse_if_delayed("address", self.addresses.seconds_left(address))
            return SignInAttempt([(self.addresses, address)])
        _refuse_if_delayed("device", self.known_devices.seconds_left(device.nonce))
        counted = [
            (self.known_devices, device.nonce),
            (self.persons, device.who),
            (self.devices_by_address, address),
        ]
        return SignInAttempt(counted, known_device=True)

    def sign_in_attempt(self, request: Request, name: str, device: Device | None) -> SignInAttempt:
        """Begin a sign-in, which also spends the person's budget of correct passwords.

        Known devices share one budget, and each address has its own: a thief with the password
        cannot lock the owner out.
        """
        attempt = self.attempt(request, device)
        place = "known" if attempt.known_device else address_of(request.scope)
        person = f"{place} {name_key(name)}"
        _refuse_if_delayed("name", self._limiter.sign_ins.wait(person))
        attempt.successes = (self._limiter.sign_ins, person)
        return attempt

    def _trusts(self, device: Device, address: str) -> bool:
        """Whether a device still counts as known; other devices' failures alone do not end that."""
        if self.persons.count(device.who) >= self.persons.free:
            return False
        is_crowded = self.devices_by_address.count(address) >= self.devices_by_address.free
        return not (is_crowded and self.known_devices.count(device.nonce))

    def own_attempt(self, name: str) -> SignInAttempt:
        """Begin to confirm one's own password; raises Problem 429 during a delay."""
        _refuse_if_delayed("name", self.own_passwords.seconds_left(name))
        return SignInAttempt([(self.own_passwords, name)])

    def link_attempt(self, token: str) -> SignInAttempt:
        """Begin to use a link, which works once; raises Problem 429 while it is in use."""
        _refuse_if_delayed("link", self.links.seconds_left(token))
        return SignInAttempt([(self.links, token)])

    def remember_device(
        self,
        response: Response,
        entry: Authenticated,
        *,
        by_link: bool = False,
        previous: Device | None = None,
    ) -> None:
        """Mark the browser of a signed-in person as a known device."""
        self.own_passwords.forgive(entry.person.name)
        self.devices.set_cookie(response, entry, by_link=by_link, previous=previous)

    async def pad_response_time(self, began: float) -> None:
        """Wait until a full beat has passed, so that the time taken reveals nothing."""
        if self._beat_s:
            spent = time.monotonic() - began
            await asyncio.sleep(math.ceil(spent / self._beat_s) * self._beat_s - spent)


class Throttle:
    """Exponential back-off by key after failures. Bounded memory; never locks anyone out.

    Attempts in flight may all fail, so a key that has used up its free failures gets one attempt
    at a time. `concurrent` lifts that for keys that many people share, such as an address.
    """

    def __init__(
        self,
        *,
        free: int,
        delay_max_s: float,
        concurrent: bool = False,
        clock: ReadSeconds = time.monotonic,
    ) -> None:
        self.free, self.delay_max_s = free, delay_max_s
        self.concurrent, self._clock = concurrent, clock
        self._failures: OrderedDict[str, tuple[float, float]] = OrderedDict()  # Count, last time.
        self._in_flight: Counter[str] = Counter()
        self._lock = threading.Lock()

    def seconds_left(self, key: str) -> float:
        """Seconds until the next attempt is allowed; 0.0 means now."""
        failures, last = self._failures.get(key, (0.0, 0.0))
        delay = retry_delay(math.ceil(failures), free=self.free, delay_max_s=self.delay_max_s)
        left = max(0.0, last + delay - self._clock()) if failures else 0.0
        return left or (BUSY_RETRY_S if self._is_busy(key) else 0.0)

    def count(self, key: str) -> int:
        """Failures not yet forgiven, plus attempts in flight."""
        failures, last = self._failures.get(key, (0.0, 0.0))
        left = max(0.0, failures - (self._clock() - last) / FORGIVE_EVERY_S)
        return math.ceil(left) + self._in_flight[key]

    def _is_busy(self, key: str) -> bool:
        in_flight = bool(self._in_flight[key])
        return not self.concurrent and in_flight and self.count(key) >= self.free

    def begin(self, key: str) -> None:
        """Start an attempt."""
        with self._lock:
            self._in_flight[key] += 1

    def end(self, key: str) -> None:
        """Finish an attempt."""
        with self._lock:
            self._in_flight[key] -= 1
            if not self._in_flight[key]:
                del self._in_flight[key]

    def add_failure(self, key: str) -> None:
        """Count a failure. Over KEYS_MAX keys, forget the one that failed least recently."""
        now = self._clock()
        failures, last = self._failures.pop(key, (0.0, now))
        left = max(0.0, failures - (now - last) / FORGIVE_EVERY_S)
        self._failures[key] = left + 1, now
        if len(self._failures) > KEYS_MAX:
            self._failures.popitem(last=False)

    def forgive(self, key: str) -> None:
        """Forget all failures of a key."""
        self._failures.pop(key, None)


def _refuse_if_delayed(place: str, wait: float) -> None:
    """Raise Problem 429 if there are seconds to wait for this address, device, name or link."""
    if wait:
        message = say("web.people.too-many-attempts", place=place)
        raise Problem(HTTPStatus.TOO_MANY_REQUESTS, message, wait)
