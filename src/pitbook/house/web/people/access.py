"""Who may do what over the network. What is not listed here is denied."""

from __future__ import annotations

from collections.abc import Iterable
from http import HTTPStatus
from typing import Annotated, Literal
from urllib.parse import urlsplit

from fastapi import Depends
from starlette.requests import HTTPConnection

from pitbook.house.web.answers import Problem
from pitbook.house.web.people.people import Person
from pitbook.house.web.people.register import MEMBERS, ROLES, Role
from pitbook.house.web.people.sign_ins import COOKIE, SignedIn
from pitbook.house.web.running.server import Server, server_of
from pitbook.house.web.running.settings import Settings, is_loopback
from pitbook.text import Sentence, say
from pitbook.text.english import an

__all__ = [
    "ANYONE",
    "BY_TICKET",
    "MEMBERS",
    "ROUTES",
    "SIGNED_IN",
    "STRANGER",
    "Caller",
    "Serving",
    "allowed",
    "caller",
    "person",
    "session",
]

Stranger = Literal["stranger"]
STRANGER: Stranger = "stranger"
AskingRole = Role | Stranger

SIGNED_IN: frozenset[AskingRole] = frozenset(ROLES)
ANYONE: frozenset[AskingRole] = frozenset((*ROLES, STRANGER))
SUPERVISOR: frozenset[AskingRole] = frozenset(("supervisor",))
READERS: frozenset[AskingRole] = frozenset(("supervisor", "auditor"))
COUNTER: frozenset[AskingRole] = frozenset(("cashier", "supervisor"))  # Who serves at the cage.

# Each route by its name, and who may ask for it. Route modules add their own beside their router.
ROUTES: dict[str, frozenset[AskingRole]] = {}
# Of those that are not for strangers too: what a ticket is good for, at its own tournament.
BY_TICKET = {"me", "list_tables", "see_table", "table_sheet", "command", "socket", "watch"}
BY_TICKET |= {"rounds", "round", "share_round", "proof", "my_rounds"}

# What a person of staff may ask for who has no second factor yet, where the house asks for one.
SET_UP = frozenset(
    ("me", "sign_out", "my_account", "change_password", "begin_factor", "confirm_factor")
)
_SAFE = ("GET", "HEAD", "OPTIONS")


def list_routes(routes: dict[str, Iterable[AskingRole]]) -> None:
    """Add routes to the catalogue; a name is listed once."""
    for name, askers in routes.items():
        assert name not in ROUTES, f"route {name} is listed twice"
        ROUTES[name] = frozenset(askers)


def session(connection: HTTPConnection) -> SignedIn | None:
    """The sign-in that a request came with, if it is good, and good for what is asked."""
    found = _signed_in(connection)
    return None if found and _is_half(connection, found) else found


def _signed_in(connection: HTTPConnection) -> SignedIn | None:
    return server_of(connection).sessions.read(connection.cookies.get(COOKIE))


def _is_half(connection: HTTPConnection, found: SignedIn) -> bool:
    """Whether a second factor has to be set up before this may be asked for."""
    return _route(connection) not in SET_UP and server_of(connection).people.needs_factor(
        found.person
    )


def _route(connection: HTTPConnection) -> str:
    return getattr(connection.scope.get("route"), "name", "")


def caller(connection: HTTPConnection) -> Person | None:
    """Who asks; None for a stranger."""
    found = session(connection)
    return found.person if found else None


def person(connection: HTTPConnection) -> Person:
    """Who asks; a stranger is told to sign in."""
    found = caller(connection)
    if found is None:
        if _signed_in(connection):
            raise Problem(HTTPStatus.FORBIDDEN, say("web.access.factor-first"))
        ended = server_of(connection).sessions.why_ended(connection.cookies.get(COOKIE))
        raise Problem(HTTPStatus.UNAUTHORIZED, ended or say("web.access.nobody"))
    return found


async def allowed(connection: HTTPConnection) -> None:
    """Let a request pass that the catalogue allows; every route depends on this."""
    server = server_of(connection)
    _check_host(connection, server.settings)
    _check_origin(connection, server.settings)
    askers = ROUTES.get(_route(connection), frozenset())
    if STRANGER in askers:
        return
    asking = person(connection)
    if asking.role not in askers:
        fields = {"askers": _spoken(askers), "asker": _spoken((asking.role,))}
        raise Problem(HTTPStatus.FORBIDDEN, say("web.access.not-for", **fields))
    if asking.tournament and _route(connection) not in BY_TICKET:
        ticket = say("web.access.by-ticket", tournament=asking.tournament)
        raise Problem(HTTPStatus.FORBIDDEN, ticket)


def _spoken(askers: Iterable[AskingRole]) -> Sentence:
    """Who may, in words."""
    named = tuple(say("web.access.role", role=role, one=an(role)) for role in sorted(askers))
    return say("web.access.roles", roles=named) if named else say("web.access.no-role")


def is_here(connection: HTTPConnection) -> bool:
    """Whether the asker sits at this machine, and not at the other side of a proxy."""
    forwarded = any(name in connection.headers for name in ("forwarded", "x-forwarded-for"))
    return bool(connection.client and is_loopback(connection.client.host) and not forwarded)


def _check_host(connection: HTTPConnection, settings: Settings) -> None:
    """A loopback server answers to loopback names: a page elsewhere cannot rebind its own to us."""
    host = _host(f"//{connection.headers.get('host', '')}")
    known = {_host(one) for one in settings.origins} | {"localhost", settings.host}
    if settings.is_loopback and host not in known and not is_loopback(host):
        raise Problem(HTTPStatus.FORBIDDEN, say("web.access.other-host", host=host))


def _host(url: str) -> str:
    try:
        return urlsplit(url).hostname or ""
    except ValueError:  # Brackets that are no IPv6 address.
        return ""


def _check_origin(connection: HTTPConnection, settings: Settings) -> None:
    """A page of another site may neither write nor open a socket in somebody's name."""
    socket = connection.scope["type"] == "websocket"
    if not socket and connection.scope["method"] in _SAFE:
        return
    origin = connection.headers.get("origin")
    site = connection.headers.get("sec-fetch-site", "none")
    if origin is None and site in ("none", "same-origin"):
        return  # No browser, or one that vouches for it.
    if origin != _own(connection, settings) and origin not in settings.origins:
        site = origin or say("web.access.another-site")
        raise Problem(HTTPStatus.FORBIDDEN, say("web.access.other-origin", site=site))


def _own(connection: HTTPConnection, settings: Settings) -> str:
    secure = settings.secure or connection.url.scheme in ("https", "wss")
    return f"{'https' if secure else 'http'}://{connection.headers.get('host', '')}"


async def _person(connection: HTTPConnection) -> Person:
    return person(connection)  # In the loop: what is looked up in memory needs no thread.


async def _server(connection: HTTPConnection) -> Server:
    return server_of(connection)


Caller = Annotated[Person, Depends(_person)]
Serving = Annotated[Server, Depends(_server)]
