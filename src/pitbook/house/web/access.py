"""Who may use which route: access is denied unless a route lists the role."""

from __future__ import annotations

from collections.abc import Iterable
from http import HTTPStatus
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from fastapi import APIRouter, Depends
from starlette.requests import HTTPConnection

from pitbook.house.people.register import ROLES, Person, Role
from pitbook.house.people.sessions import SESSION_COOKIE, Session
from pitbook.house.web.errors import Error, Problem
from pitbook.house.web.server import Server, get_server
from pitbook.house.web.settings import Settings, is_loopback
from pitbook.text import Sentence, say
from pitbook.text.english import an

Stranger = Literal["stranger"]
STRANGER: Stranger = "stranger"
CallerRole = Role | Stranger

SIGNED_IN: frozenset[CallerRole] = frozenset(ROLES)
ANYONE: frozenset[CallerRole] = frozenset((*ROLES, STRANGER))
SUPERVISOR: frozenset[CallerRole] = frozenset(("supervisor",))
READERS: frozenset[CallerRole] = frozenset(("supervisor", "auditor"))
CASHIERS: frozenset[CallerRole] = frozenset(("cashier", "supervisor"))  # Who serves at the cage.

# Each route by its name, and who may ask for it. Route modules add their own beside their router.
ROUTE_ROLES: dict[str, frozenset[CallerRole]] = {}
# Of those that are not for strangers too: what a ticket is good for, at its own tournament.
TICKET_ROUTES = {"me", "list_tables", "see_table", "table_sheet", "command", "socket", "watch"}
TICKET_ROUTES |= {"rounds", "round", "share_round", "proof", "my_rounds"}

# What a person of staff may ask for who has no second factor yet, where the house asks for one.
FACTOR_SETUP_ROUTES = frozenset(
    ("me", "sign_out", "my_account", "change_password", "begin_factor", "confirm_factor")
)
_SAFE = ("GET", "HEAD", "OPTIONS")


def allow_routes(routes: dict[str, Iterable[CallerRole]]) -> None:
    """Add routes to the catalogue; a name is listed once."""
    for name, askers in routes.items():
        assert name not in ROUTE_ROLES, f"route {name} is listed twice"
        ROUTE_ROLES[name] = frozenset(askers)


def current_session(connection: HTTPConnection) -> Session | None:
    """The sign-in that a request came with, if it is good, and good for what is asked."""
    found = _read_session(connection)
    return None if found and _needs_factor_first(connection, found) else found


def _read_session(connection: HTTPConnection) -> Session | None:
    return get_server(connection).sessions.read(connection.cookies.get(SESSION_COOKIE))


def _needs_factor_first(connection: HTTPConnection, found: Session) -> bool:
    """Whether a second factor has to be set up before this may be asked for."""
    return _route_name(connection) not in FACTOR_SETUP_ROUTES and get_server(
        connection
    ).people.needs_factor(found.person)


def _route_name(connection: HTTPConnection) -> str:
    return getattr(connection.scope.get("route"), "name", "")


def find_caller(connection: HTTPConnection) -> Person | None:
    """Who asks; None for a stranger."""
    found = current_session(connection)
    return found.person if found else None


def require_caller(connection: HTTPConnection) -> Person:
    """Who asks; a stranger is told to sign in."""
    found = find_caller(connection)
    if found is None:
        if _read_session(connection):
            raise Problem(HTTPStatus.FORBIDDEN, say("web.access.factor-first"))
        ended = get_server(connection).sessions.why_ended(connection.cookies.get(SESSION_COOKIE))
        raise Problem(HTTPStatus.UNAUTHORIZED, ended or say("web.access.nobody"))
    return found


async def check_access(connection: HTTPConnection) -> None:
    """Let a request pass that the catalogue allows; every route depends on this."""
    server = get_server(connection)
    _check_host(connection, server.settings)
    _check_origin(connection, server.settings)
    askers = ROUTE_ROLES.get(_route_name(connection), frozenset())
    if STRANGER in askers:
        return
    asking = require_caller(connection)
    if asking.role not in askers:
        fields = {"askers": _role_list(askers), "asker": _role_list((asking.role,))}
        raise Problem(HTTPStatus.FORBIDDEN, say("web.access.not-for", **fields))
    if asking.tournament and _route_name(connection) not in TICKET_ROUTES:
        ticket = say("web.access.by-ticket", tournament=asking.tournament)
        raise Problem(HTTPStatus.FORBIDDEN, ticket)


def _role_list(askers: Iterable[CallerRole]) -> Sentence:
    """Who may, in words."""
    named = tuple(say("web.access.role", role=role, one=an(role)) for role in sorted(askers))
    return say("web.access.roles", roles=named) if named else say("web.access.no-role")


def is_local(connection: HTTPConnection) -> bool:
    """Whether the asker sits at this machine, and not at the other side of a proxy."""
    forwarded = any(name in connection.headers for name in ("forwarded", "x-forwarded-for"))
    return bool(connection.client and is_loopback(connection.client.host) and not forwarded)


def _check_host(connection: HTTPConnection, settings: Settings) -> None:
    """A loopback server answers to loopback names: a page elsewhere cannot rebind its own to us."""
    host = _host_name(f"//{connection.headers.get('host', '')}")
    known = {_host_name(one) for one in settings.origins} | {"localhost", settings.host}
    if settings.is_loopback and host not in known and not is_loopback(host):
        raise Problem(HTTPStatus.FORBIDDEN, say("web.access.other-host", host=host))


def _host_name(url: str) -> str:
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
    if origin != _own_origin(connection, settings) and origin not in settings.origins:
        site = origin or say("web.access.another-site")
        raise Problem(HTTPStatus.FORBIDDEN, say("web.access.other-origin", site=site))


def _own_origin(connection: HTTPConnection, settings: Settings) -> str:
    secure = settings.https or connection.url.scheme in ("https", "wss")
    return f"{'https' if secure else 'http'}://{connection.headers.get('host', '')}"


async def _caller_dep(connection: HTTPConnection) -> Person:
    return require_caller(connection)  # In the loop: what is looked up in memory needs no thread.


async def _server_dep(connection: HTTPConnection) -> Server:
    return get_server(connection)


Caller = Annotated[Person, Depends(_caller_dep)]
ServerDep = Annotated[Server, Depends(_server_dep)]


# Whoever comes may be sent away in these ways.
ROUTE_DEFAULTS: dict[str, Any] = {
    "dependencies": [Depends(check_access)],
    "responses": {code: {"model": Error} for code in (400, 401, 403, 422, 429)},
}


def authenticated_router(tag: str) -> APIRouter:
    """A room for routes of one kind, to be listed in `web/routes`.

    The routes themselves are behind the door, and not the room: FastAPI would look for each
    request in room after room.
    """
    return APIRouter(tags=[tag], **ROUTE_DEFAULTS)
