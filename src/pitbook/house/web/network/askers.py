"""Who asks: a connection, an address and a person, each of which has so much to spend."""

from __future__ import annotations

import ipaddress
from collections.abc import Callable
from contextvars import ContextVar

from starlette.requests import cookie_parser
from starlette.types import Scope

from pitbook.errors import PitbookError
from pitbook.house.people.sessions import SESSION_COOKIE, Sessions

__all__ = [
    "ASKING",
    "LINE",
    "NAMED",
    "Asker",
    "Recognise",
    "address_of",
    "asker_of",
    "place_of_asker",
    "recogniser",
]

NAMED = "pitbook.asker"  # Where a scope keeps it.
LINE = "pitbook.line"  # And where its state keeps the two ends of the network's line.


class Asker:
    """Whoever asks; guests and strangers of one address share what members do not depend on."""

    __slots__ = ("address", "connection", "crowd", "keys", "member", "person", "place")

    def __init__(
        self, connection: str, address: str, person: str = "", *, member: bool = False
    ) -> None:
        self.connection = connection  # Empty where a proxy's own carry everybody's requests.
        self.address = address
        self.person, self.member = person, member  # Empty where nobody is signed in.
        # As whom it has a budget of its own; and with whom it shares that of the address.
        named = (connection, f"person {person}" if person else "")
        self.keys = tuple(key for key in named if key)
        self.crowd = f"{'members' if member else 'guests'} {address}"
        # The line that it stands in: a member's own, or that of all guests of the address.
        own = self.keys[-1] if self.keys else self.crowd
        self.place = (own if member else self.crowd, own)


Recognise = Callable[[Scope], Asker]
ASKING: ContextVar[Asker | None] = ContextVar("asking", default=None)


def recogniser(sessions: Sessions) -> Recognise:
    """Tells who asks by the cookie and the network."""

    def recognise(scope: Scope) -> Asker:
        person, role = _signed_in(sessions, scope)
        member = role not in ("", "guest")
        return Asker(_connection(scope), address_of(scope), person, member=member)

    return recognise


def _signed_in(sessions: Sessions, scope: Scope) -> tuple[str, str]:
    token = _token(scope)
    try:
        found = None if token is None else sessions.read(token)
    except PitbookError:  # The register cannot be read; the route will say so.
        found = None
    return ("", "") if found is None else (found.name, found.role)


def _token(scope: Scope) -> str | None:
    """The cookie that the route will read too: the last, in however many headers they come."""
    token = None
    for name, value in scope.get("headers", ()):
        if name == b"cookie" and SESSION_COOKIE.encode() in value:
            token = cookie_parser(value.decode("latin-1")).get(SESSION_COOKIE, token)
    return token


def asker_of(scope: Scope) -> Asker:
    """Who asks, as it was recognised at the gate."""
    found: Asker | None = scope.get(NAMED)
    return Asker(_connection(scope), address_of(scope)) if found is None else found


def place_of_asker() -> tuple[str, str]:
    """The line in which whoever is being answered stands."""
    asker = ASKING.get()
    return ("", "") if asker is None else asker.place


def _connection(scope: Scope) -> str:
    """The line of the network; none where a proxy says for whom it asks."""
    client = scope.get("client") or ("unknown", 0)
    host, port = scope.get("state", {}).get(LINE, client)
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
