"""Rate limits and quotas by connection, person and address, and fair queues for whoever waits."""

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
from pitbook.house.web.errors import Problem
from pitbook.house.web.settings import RequestLimits
from pitbook.text import say

CLIENT_KEY = "pitbook.asker"  # Where a scope keeps it.
PEER_KEY = "pitbook.line"  # And where its state keeps the two ends of the network's line.


class Client:
    """Whoever asks; guests and strangers of one address share what members do not depend on."""

    __slots__ = ("address", "connection", "group", "keys", "member", "person", "place")

    def __init__(
        self, connection: str, address: str, person: str = "", *, member: bool = False
    ) -> None:
        self.connection = connection  # Empty where a proxy's own carry everybody's requests.
        self.address = address
        self.person, self.member = person, member  # Empty where nobody is signed in.
        # As whom it has a budget of its own; and with whom it shares that of the address.
        named = (connection, f"person {person}" if person else "")
        self.keys = tuple(key for key in named if key)
        self.group = f"{'members' if member else 'guests'} {address}"
        # The line that it stands in: a member's own, or that of all guests of the address.
        own = self.keys[-1] if self.keys else self.group
        self.place = (own if member else self.group, own)


IdentifyClient = Callable[[Scope], Client]
CURRENT_CLIENT: ContextVar[Client | None] = ContextVar("asking", default=None)


def client_identifier(sessions: Sessions) -> IdentifyClient:
    """Tells who asks by the cookie and the network."""

    def recognise(scope: Scope) -> Client:
        person, role = _session_of(sessions, scope)
        member = role not in ("", "guest")
        return Client(_connection_key(scope), address_of(scope), person, member=member)

    return recognise


def _session_of(sessions: Sessions, scope: Scope) -> tuple[str, str]:
    token = _session_token(scope)
    try:
        found = None if token is None else sessions.read(token)
    except PitbookError:  # The register cannot be read; the route will say so.
        found = None
    return ("", "") if found is None else (found.name, found.role)


def _session_token(scope: Scope) -> str | None:
    """The cookie that the route will read too: the last, in however many headers they come."""
    token = None
    for name, value in scope.get("headers", ()):
        if name == b"cookie" and SESSION_COOKIE.encode() in value:
            token = cookie_parser(value.decode("latin-1")).get(SESSION_COOKIE, token)
    return token


def client_of(scope: Scope) -> Client:
    """Who asks, as it was recognised at the gate."""
    found: Client | None = scope.get(CLIENT_KEY)
    return Client(_connection_key(scope), address_of(scope)) if found is None else found


def current_queue_place() -> tuple[str, str]:
    """The line in which whoever is being answered stands."""
    client = CURRENT_CLIENT.get()
    return ("", "") if client is None else client.place


def _connection_key(scope: Scope) -> str:
    """The line of the network; none where a proxy says for whom it asks."""
    client = scope.get("client") or ("unknown", 0)
    host, port = scope.get("state", {}).get(PEER_KEY, client)
    return f"line {host} {port}" if host == client[0] and port else ""


def address_of(scope: Scope) -> str:
    """Who asks, as far as the network tells; of IPv6 the part that belongs to one household."""
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
CREDIT_S = 10.0  # Beyond that nothing is remembered.

ReadSeconds = Callable[[], float]


class TokenBuckets:
    """One bucket for each key: a burst at once, then so many a second."""

    def __init__(self, rate: float, burst: float, *, clock: ReadSeconds = time.monotonic) -> None:
        self.rate, self.burst, self._clock = rate, burst, clock
        self._levels: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def wait(self, key: str) -> float:
        """The seconds until the key may have one more; 0.0 for at once."""
        return max(0.0, (1 - self._level(key, self._clock())) / self.rate)

    def take(self, key: str) -> float:
        """0.0 when it is granted, else the seconds to wait; asking in vain costs nothing."""
        now = self._clock()
        level = self._level(key, now)
        if level < 1:
            return (1 - level) / self.rate
        self._keep(key, level - 1, now)
        return 0.0

    def spend(self, key: str, amount: float = 1.0) -> float:
        """Granted at all events, on credit if need be: the seconds until it is paid for.

        Whoever waits so long before going on is served in the order of asking.
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
        if len(self._levels) > KEYS_MAX:  # The one that rested longest is full again, or nearly.
            self._levels.popitem(last=False)

    def _level(self, key: str, now: float) -> float:
        if (kept := self._levels.get(key)) is None:
            return self.burst
        level = kept[0] + (now - kept[1]) * self.rate
        return level if level < self.burst else self.burst


class Quota:
    """So many things at once for each key."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._owners: dict[str, str] = {}
        self._counts: Counter[str] = Counter()

    def take(self, key: str, thing: str) -> bool:
        """Whether the key may have one more."""
        if self._counts[key] >= self.most:
            return False
        self._owners[thing] = key
        self._counts[key] += 1
        return True

    def held(self, key: str) -> list[str]:
        """What a key has, the oldest first."""
        return [thing for thing, owner in self._owners.items() if owner == key]

    def release(self, thing: str) -> None:
        """The thing is gone."""
        key = self._owners.pop(thing, None)
        if key is None:
            return
        self._counts[key] -= 1
        if not self._counts[key]:
            del self._counts[key]


QueuePlace = tuple[str, str]  # The group, and the person in it.
Item = TypeVar("Item")


class RoundRobin(Generic[Item]):
    """Things that wait in lines; the groups' lines are called in turn, and in each the people's."""

    def __init__(self) -> None:
        self._groups: OrderedDict[str, OrderedDict[str, deque[Item]]] = OrderedDict()

    def __bool__(self) -> bool:
        return bool(self._groups)

    def add(self, place: QueuePlace, thing: Item) -> None:
        """At the end of somebody's line."""
        group, person = place
        self._groups.setdefault(group, OrderedDict()).setdefault(person, deque()).append(thing)

    def next(self) -> Item:
        """Whatever is first in the next line; then that line is the last."""
        group, people = self._groups.popitem(last=False)
        person, line = people.popitem(last=False)
        thing = line.popleft()
        if line:
            people[person] = line
        if people:
            self._groups[group] = people
        return thing


class FairQueue:
    """Lets so many through at each turn of the loop, of every group and person in turn.

    Where things take no time, more than that: as many as begin within the spare seconds.
    """

    def __init__(self, each_turn: int, spare_seconds: float = 0.0) -> None:
        self._each_turn, self._let = each_turn, 0
        self._spare_seconds, self._begun = spare_seconds, 0.0
        self._waiting: RoundRobin[asyncio.Future[None]] = RoundRobin()
        self._turning = False

    async def enter(self, place: QueuePlace) -> None:
        """Wait for one's turn."""
        if not self._waiting and (self._let < self._each_turn or self._is_spare()):
            self._pass()
            return
        waiting: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.add(place, waiting)
        await waiting

    def _is_spare(self) -> bool:
        return monotonic() - self._begun < self._spare_seconds

    def _pass(self) -> None:
        self._let += 1
        if not self._turning:
            self._turning, self._begun = True, monotonic()
            asyncio.get_running_loop().call_soon(self._turn)

    def _turn(self) -> None:
        """The next turn of the loop: as many more."""
        self._let, self._turning = 0, False
        while self._waiting and self._let < self._each_turn:
            if not (waiting := self._waiting.next()).done():  # Else it has gone away.
                waiting.set_result(None)
                self._pass()


FRAMES_PER_COMMAND = 3  # Of any kind: a command, a look at what came of it, a sign of life.
GUEST_VIEW_SHARE = (
    0.3  # A guest plays at one table alone, and needs no more looks for each command.
)
REQUESTS_PER_TURN, FRAMES_PER_TURN, VIEWS_PER_TURN = 2, 3, 1
VIEW_WAIT_MAX_S = 1.0  # That a request for a view waits; it holds a line meanwhile.
GUEST_WORK_DIVISOR = 4  # The part of an address's lines on which guests' requests are worked on.
SPARE_S = 0.004  # Of a turn, in which more may come where they cost next to nothing.
REFUSALS_BURST, REFUSALS_PER_SECOND = 20, 1.0
HEALTH_PER_SECOND, HEALTH_BURST = 100, 200  # Of all; more than that, and whoever asks often waits.
HEALTH_PER_SECOND_OF_ADDRESS, HEALTH_BURST_OF_ADDRESS = (
    8,
    16,
)  # Of one address, by however many lines.


class Budget:
    """So much of one kind for each connection and person, and many times that for an address."""

    def __init__(self, rate: float, burst: float, times: float, *, clock: ReadSeconds) -> None:
        self.per_client = TokenBuckets(rate, burst, clock=clock)
        self.per_address = TokenBuckets(rate * times, burst * times, clock=clock)

    def take(self, client: Client) -> float:
        """0.0 when it is granted, else the seconds to wait; asking in vain costs nothing."""
        wait = self.wait(client)
        if not wait:
            self.spend(client)
        return wait

    def wait(self, client: Client) -> float:
        """The seconds until one more is paid for; 0.0 for at once."""
        wait = max((self.per_client.wait(key) for key in client.keys), default=0.0)
        return max(wait, self.per_address.wait(client.group))

    def spend(self, client: Client) -> float:
        """Granted on credit: the seconds to wait before going on."""
        wait = self.per_address.spend(client.group)
        for key in client.keys:
            wait = max(wait, self.per_client.spend(key))
        return wait

    async def turn(self, client: Client, queue: FairQueue, most: float = float("inf")) -> float:
        """Wait until it is paid for, and then for one's turn; how long the first of it took."""
        if wait := self.spend(client):
            wait = min(wait, most)
            await asyncio.sleep(wait)
        await queue.enter(client.place)
        return wait


class Limiter:
    """All the budgets and quotas of a server."""

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
        self.sockets_of_one = Quota(limits.sockets_per_person)
        self.under_way = Quota(limits.connections_per_address)
        at_work = max(1, limits.connections_per_address // GUEST_WORK_DIVISOR)
        self.guests_at_work = Quota(at_work)
        self.request_queue = FairQueue(REQUESTS_PER_TURN, SPARE_S)
        self.frame_queue = FairQueue(FRAMES_PER_TURN, SPARE_S)
        self.view_queue = FairQueue(VIEWS_PER_TURN)

    async def allow_health(self, address: str) -> bool:
        """Wait a little before health is told, where that is asked for more than anybody needs."""
        own = self.health_of_one.spend(address)
        if wait := min(own, self.health.spend("")):
            await asyncio.sleep(min(wait, 1 / HEALTH_PER_SECOND_OF_ADDRESS))
        return not wait

    async def acquire_frame(self, client: Client) -> float:
        """Wait until a frame may be read; the seconds that it came too early."""
        return await self.frames.turn(client, self.frame_queue)

    async def acquire_view(self, client: Client, most: float = float("inf")) -> None:
        """Wait until a view may be built: one at each turn of the loop, whoever asks."""
        await self._views(client).turn(client, self.view_queue, most)

    async def try_acquire_view(self, client: Client) -> None:
        """The same for a request, which does not wait for long; raises Problem where it would."""
        if (wait := self._views(client).wait(client)) > VIEW_WAIT_MAX_S:
            raise Problem(HTTPStatus.TOO_MANY_REQUESTS, say("web.network.looks"), wait)
        await self.acquire_view(client)

    def _views(self, client: Client) -> Budget:
        return self.views if client.member else self.guests_views

    def acquire_socket(self, client: Client, thing: str) -> str | None:
        """Take a place for a socket or a stream of events; or why there is none."""
        if not self.sockets.take(client.group, thing):
            return say("web.network.sockets-of-address", most=self.sockets.most)
        if client.person and not self.sockets_of_one.take(client.person, thing):
            self.sockets.release(thing)
            return say("web.network.sockets-of-one", most=self.sockets_of_one.most)
        return None

    def release_socket(self, thing: str) -> None:
        """The socket is gone."""
        self.sockets.release(thing)
        self.sockets_of_one.release(thing)
