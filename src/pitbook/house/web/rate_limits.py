"""Rate limits and quotas by connection, person and address, and fair queues."""

from __future__ import annotations

import asyncio
import ipaddress
import time
from collections import Counter, OrderedDict, deque
from collections.abc import Callable
from contextvars import ContextVar
from http import HTTPStatus
from time import monotonic
from typing import Generic, TypeVar

from starlette.requests import cookie_parser
from starlette.types import Scope

from pitbook.errors import PitbookError
from pitbook.house.people.sessions import SESSION_COOKIE, Sessions
from pitbook.house.settings import RequestLimits
from pitbook.house.web.errors import Problem
from pitbook.text import say

CLIENT_KEY = "pitbook.asker"  # Scope key for the client.
PEER_KEY = "pitbook.line"  # Key in a scope's state for the network peer.


class Client:
    """The sender of a request. Guests and strangers of one address share limits that members do
    not.
    """

    __slots__ = ("address", "connection", "group", "keys", "member", "person", "place")

    def __init__(
        self, connection: str, address: str, person: str = "", *, member: bool = False
    ) -> None:
        self.connection = connection  # Empty if the request came through a proxy.
        self.address = address
        self.person, self.member = person, member  # Empty if nobody is signed in.
        # Keys of its own budgets, and the group that shares the address's budget.
        keys = (connection, f"person {person}" if person else "")
        self.keys = tuple(key for key in keys if key)
        self.group = f"{'members' if member else 'guests'} {address}"
        # Its queue: a member's own, or that of all guests of the address.
        queue_key = self.keys[-1] if self.keys else self.group
        self.place = (queue_key if member else self.group, queue_key)


IdentifyClient = Callable[[Scope], Client]
CURRENT_CLIENT: ContextVar[Client | None] = ContextVar("asking", default=None)


def client_identifier(sessions: Sessions) -> IdentifyClient:
    """A function that identifies clients by cookie and address."""

    def identify(scope: Scope) -> Client:
        person, role = _session_of(sessions, scope)
        member = role not in ("", "guest")
        return Client(_connection_key(scope), address_of(scope), person, member=member)

    return identify


def _session_of(sessions: Sessions, scope: Scope) -> tuple[str, str]:
    token = _session_token(scope)
    try:
        session = None if token is None else sessions.read(token)
    except PitbookError:  # The register cannot be read; the route reports it.
        session = None
    return ("", "") if session is None else (session.name, session.role)


def _session_token(scope: Scope) -> str | None:
    """The cookie that the route will read: the last one, across all headers."""
    token = None
    for name, value in scope.get("headers", ()):
        if name == b"cookie" and SESSION_COOKIE.encode() in value:
            token = cookie_parser(value.decode("latin-1")).get(SESSION_COOKIE, token)
    return token


def client_of(scope: Scope) -> Client:
    """The client as identified by the gate."""
    client: Client | None = scope.get(CLIENT_KEY)
    return Client(_connection_key(scope), address_of(scope)) if client is None else client


def current_queue_place() -> tuple[str, str]:
    """The queue place of the current request."""
    client = CURRENT_CLIENT.get()
    return ("", "") if client is None else client.place


def _connection_key(scope: Scope) -> str:
    """A key for the client's connection; empty if the request came through a proxy."""
    client = scope.get("client") or ("unknown", 0)
    host, port = scope.get("state", {}).get(PEER_KEY, client)
    return f"line {host} {port}" if host == client[0] and port else ""


def address_of(scope: Scope) -> str:
    """The client's IP address; for IPv6, the /64 network of one household."""
    client = scope.get("client")
    host = client[0] if client else "unknown"
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return str(host)
    if address.version == 4:
        return str(address)
    if address.ipv4_mapped:
        return str(address.ipv4_mapped)
    return str(ipaddress.ip_network((address, 64), strict=False))


KEYS_MAX = 20_000
CREDIT_S = 10.0  # Debt beyond this is not recorded.

ReadSeconds = Callable[[], float]


class TokenBuckets:
    """Token buckets by key: a burst, then a steady rate."""

    def __init__(self, rate: float, burst: float, *, clock: ReadSeconds = time.monotonic) -> None:
        self.rate, self.burst, self._clock = rate, burst, clock
        self._levels: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def wait(self, key: str) -> float:
        """Seconds until the key may take one; 0.0 means now."""
        return max(0.0, (1 - self._level(key, self._clock())) / self.rate)

    def take(self, key: str) -> float:
        """0.0 if granted, or the seconds to wait. A refusal costs nothing."""
        now = self._clock()
        level = self._level(key, now)
        if level < 1:
            return (1 - level) / self.rate
        self._keep(key, level - 1, now)
        return 0.0

    def spend(self, key: str, amount: float = 1.0) -> float:
        """Spend tokens, on credit if needed; returns the seconds until they are paid for.

        Clients that wait that long are served in the order of asking.
        """
        now = self._clock()
        level = self._level(key, now) - amount
        if level >= 0:
            self._keep(key, level, now)
            return 0.0
        level = max(level, -self.burst - CREDIT_S * self.rate)
        self._keep(key, level, now)
        return -level / self.rate

    def _keep(self, key: str, level: float, now: float) -> None:
        self._levels[key] = (level, now)
        self._levels.move_to_end(key)
        if len(self._levels) > KEYS_MAX:  # The bucket idle for longest is full again, or nearly.
            self._levels.popitem(last=False)

    def _level(self, key: str, now: float) -> float:
        if (bucket := self._levels.get(key)) is None:
            return self.burst
        level = bucket[0] + (now - bucket[1]) * self.rate
        return level if level < self.burst else self.burst


class Quota:
    """A maximum number of holders per key."""

    def __init__(self, per_key_max: int) -> None:
        self.per_key_max = per_key_max
        self._owners: dict[str, str] = {}
        self._counts: Counter[str] = Counter()

    def take(self, key: str, holder: str) -> bool:
        """Take a slot; False if there is none."""
        if self._counts[key] >= self.per_key_max:
            return False
        self._owners[holder] = key
        self._counts[key] += 1
        return True

    def holders(self, key: str) -> list[str]:
        """The holders of a key, oldest first."""
        return [holder for holder, owner in self._owners.items() if owner == key]

    def release(self, holder: str) -> None:
        """Release a slot."""
        key = self._owners.pop(holder, None)
        if key is None:
            return
        self._counts[key] -= 1
        if not self._counts[key]:
            del self._counts[key]


QueuePlace = tuple[str, str]  # The group, and the person in it.
Item = TypeVar("Item")


class RoundRobin(Generic[Item]):
    """A queue that serves groups in turn, and the people of a group in turn."""

    def __init__(self) -> None:
        self._groups: OrderedDict[str, OrderedDict[str, deque[Item]]] = OrderedDict()

    def __bool__(self) -> bool:
        return bool(self._groups)

    def add(self, place: QueuePlace, waiting_item: Item) -> None:
        """Add an item at the end of a person's queue."""
        group, person = place
        self._groups.setdefault(group, OrderedDict()).setdefault(person, deque()).append(
            waiting_item
        )

    def next(self) -> Item:
        """The first item of the next person, who then goes last."""
        group, people = self._groups.popitem(last=False)
        person, queue = people.popitem(last=False)
        waiting_item = queue.popleft()
        if queue:
            people[person] = queue
        if people:
            self._groups[group] = people
        return waiting_item


class FairQueue:
    """Lets a few through per loop iteration, by group and person in turn.

    Fast work may exceed that: more may start within the spare seconds.
    """

    def __init__(self, each_turn: int, spare_seconds: float = 0.0) -> None:
        self._each_turn, self._passed = each_turn, 0
        self._spare_seconds, self._turn_started = spare_seconds, 0.0
        self._waiting: RoundRobin[asyncio.Future[None]] = RoundRobin()
        self._turning = False

    async def enter(self, place: QueuePlace) -> None:
        """Wait for a turn."""
        if not self._waiting and (self._passed < self._each_turn or self._is_spare()):
            self._pass()
            return
        waiting: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.add(place, waiting)
        await waiting

    def _is_spare(self) -> bool:
        return monotonic() - self._turn_started < self._spare_seconds

    def _pass(self) -> None:
        self._passed += 1
        if not self._turning:
            self._turning, self._turn_started = True, monotonic()
            asyncio.get_running_loop().call_soon(self._turn)

    def _turn(self) -> None:
        """Start the next loop iteration's turns."""
        self._passed, self._turning = 0, False
        while self._waiting and self._passed < self._each_turn:
            if not (waiting := self._waiting.next()).done():  # Otherwise it has disconnected.
                waiting.set_result(None)
                self._pass()


FRAMES_PER_COMMAND = 3  # Of any kind: a command, a view, a ping.
GUEST_VIEW_SHARE = 0.3  # A guest plays at one table only, and needs fewer views.
REQUESTS_PER_TURN, FRAMES_PER_TURN, VIEWS_PER_TURN = 2, 3, 1
VIEW_WAIT_MAX_S = 1.0  # Longest wait of a request for a view; it holds a connection meanwhile.
GUEST_WORK_DIVISOR = 4  # The share of an address's slots for guests' requests.
SPARE_S = 0.004  # Seconds of a turn in which cheap work may continue.
REFUSALS_BURST, REFUSALS_PER_SECOND = 20, 1.0
HEALTH_PER_SECOND, HEALTH_BURST = 100, 200  # For all clients; beyond that, frequent callers wait.
# Of one address.
HEALTH_PER_SECOND_OF_ADDRESS, HEALTH_BURST_OF_ADDRESS = 8, 16


class Budget:
    """Token buckets per connection and person, and a larger one per address."""

    def __init__(self, rate: float, burst: float, times: float, *, clock: ReadSeconds) -> None:
        self.per_client = TokenBuckets(rate, burst, clock=clock)
        self.per_address = TokenBuckets(rate * times, burst * times, clock=clock)

    def take(self, client: Client) -> float:
        """0.0 if granted, or the seconds to wait. A refusal costs nothing."""
        wait = self.wait(client)
        if not wait:
            self.spend(client)
        return wait

    def wait(self, client: Client) -> float:
        """Seconds until the next one is allowed; 0.0 means now."""
        wait = max((self.per_client.wait(key) for key in client.keys), default=0.0)
        return max(wait, self.per_address.wait(client.group))

    def spend(self, client: Client) -> float:
        """Spend on credit; returns the seconds to wait before going on."""
        wait = self.per_address.spend(client.group)
        for key in client.keys:
            wait = max(wait, self.per_client.spend(key))
        return wait

    async def wait_turn(
        self, client: Client, queue: FairQueue, wait_max: float = float("inf")
    ) -> float:
        """Wait for the budget, then for a turn; returns the seconds spent on the budget."""
        if wait := self.spend(client):
            wait = min(wait, wait_max)
            await asyncio.sleep(wait)
        await queue.enter(client.place)
        return wait


class Limiter:
    """All rate limits and quotas of a server."""

    def __init__(self, limits: RequestLimits, *, clock: ReadSeconds = time.monotonic) -> None:
        self.limits = limits
        times, rate, burst = (
            limits.address_multiplier,
            limits.commands_per_second,
            limits.commands_burst,
        )
        self.requests = Budget(
            limits.requests_per_second, limits.requests_burst, times, clock=clock
        )
        self.commands = TokenBuckets(rate, burst, clock=clock)
        self.views = Budget(rate, burst, times, clock=clock)
        self.guests_views = Budget(GUEST_VIEW_SHARE * rate, burst, times, clock=clock)
        frames = FRAMES_PER_COMMAND
        self.frames = Budget(frames * rate, frames * burst, times, clock=clock)
        self.refusals = Budget(REFUSALS_PER_SECOND, REFUSALS_BURST, times, clock=clock)
        self.health = TokenBuckets(HEALTH_PER_SECOND, HEALTH_BURST, clock=clock)
        self.health_of_one = TokenBuckets(
            HEALTH_PER_SECOND_OF_ADDRESS, HEALTH_BURST_OF_ADDRESS, clock=clock
        )
        minute = limits.sign_ins_per_minute
        self.sign_ins = TokenBuckets(minute / 60, max(1.0, minute), clock=clock)
        self.guests = TokenBuckets(
            limits.guests_per_minute / 60, limits.guests_per_minute, clock=clock
        )
        self.guest_tables = Quota(limits.practice_tables_per_address)
        self.sockets = Quota(limits.sockets_per_address)
        self.sockets_per_person = Quota(limits.sockets_per_person)
        self.requests_in_flight = Quota(limits.connections_per_address)
        guest_requests_max = max(1, limits.connections_per_address // GUEST_WORK_DIVISOR)
        self.guest_requests = Quota(guest_requests_max)
        self.request_queue = FairQueue(REQUESTS_PER_TURN, SPARE_S)
        self.frame_queue = FairQueue(FRAMES_PER_TURN, SPARE_S)
        self.view_queue = FairQueue(VIEWS_PER_TURN)

    async def allow_health(self, address: str) -> bool:
        """Delay frequent health checks a little; False if delayed."""
        address_wait = self.health_of_one.spend(address)
        if wait := min(address_wait, self.health.spend("")):
            await asyncio.sleep(min(wait, 1 / HEALTH_PER_SECOND_OF_ADDRESS))
        return not wait

    async def acquire_frame(self, client: Client) -> float:
        """Wait until a frame may be read; returns the seconds it came too early."""
        return await self.frames.wait_turn(client, self.frame_queue)

    async def acquire_view(self, client: Client, wait_max: float = float("inf")) -> None:
        """Wait until a view may be built: one per loop iteration."""
        await self._views(client).wait_turn(client, self.view_queue, wait_max)

    async def acquire_pushed_view(self, client: Client) -> None:
        """Wait until a view that follows a change may be built; it costs no budget."""
        await self.view_queue.enter(client.place)

    async def try_acquire_view(self, client: Client) -> None:
        """The same for a request, which raises Problem if the wait would be long."""
        if (wait := self._views(client).wait(client)) > VIEW_WAIT_MAX_S:
            raise Problem(HTTPStatus.TOO_MANY_REQUESTS, say("web.network.looks"), wait)
        await self.acquire_view(client)

    def _views(self, client: Client) -> Budget:
        return self.views if client.member else self.guests_views

    def acquire_socket(self, client: Client, holder: str) -> str | None:
        """Take a slot for a socket or event stream, or return why there is none."""
        if not self.sockets.take(client.group, holder):
            return say("web.network.sockets-of-address", most=self.sockets.per_key_max)
        if client.person and not self.sockets_per_person.take(client.person, holder):
            self.sockets.release(holder)
            return say("web.network.sockets-of-one", most=self.sockets_per_person.per_key_max)
        return None

    def release_socket(self, holder: str) -> None:
        """Release a socket's slot."""
        self.sockets.release(holder)
        self.sockets_per_person.release(holder)
