"""Who may use which route: access is denied unless a route lists the role."""

from __future__ import annotations

from collections.abc import Iterable
from http import HTTPStatus
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends
from starlette.requests import HTTPConnection

from pitbook.house.people.account_register import ROLES, Person, Role
from pitbook.house.people.sessions import SESSION_COOKIE, Session
from pitbook.house.settings import is_loopback
from pitbook.house.web.errors import Error, Problem
from pitbook.house.web.server import Server, get_server
from pitbook.text import Sentence, say
from pitbook.text.english import with_article

Stranger = Literal["stranger"]
STRANGER: Stranger = "stranger"
CallerRole = Role | Stranger

SIGNED_IN: frozenset[CallerRole] = frozenset(ROLES)
ANYONE: frozenset[CallerRole] = frozenset((*ROLES, STRANGER))
SUPERVISOR: frozenset[CallerRole] = frozenset(("supervisor",))
READERS: frozenset[CallerRole] = frozenset(("supervisor", "auditor"))
CASHIERS: frozenset[CallerRole] = frozenset(("cashier", "supervisor"))  # May serve at the cage.

# Roles by route name. Route modules add their routes beside their router.
ROUTE_ROLES: dict[str, frozenset[CallerRole]] = {}
# Signed-in routes that a ticket allows, at its own tournament.
TICKET_ROUTES = {"me", "list_tables", "see_table", "table_sheet", "command", "socket", "watch"}
TICKET_ROUTES.add("screens")  # Each answer is checked as a request.
TICKET_ROUTES |= {"rounds", "round", "share_round", "proof", "my_rounds"}

# Routes for staff without a second factor, if the server requires one.
FACTOR_SETUP_ROUTES = frozenset(
    ("me", "sign_out", "my_account", "change_password", "begin_factor", "confirm_factor")
)


def allow_routes(routes: dict[str, Iterable[CallerRole]]) -> None:
    """Add routes to the catalog. Each name may be listed only once."""
    for name, roles in routes.items():
        assert name not in ROUTE_ROLES, f"route {name} is listed twice"
        ROUTE_ROLES[name] = frozenset(roles)


def current_session(connection: HTTPConnection) -> Session | None:
    """The session of a request, if it is valid and sufficient for this route."""
    session = _read_session(connection)
    return None if session and _needs_factor_first(connection, session) else session


def _read_session(connection: HTTPConnection) -> Session | None:
    return get_server(connection).sessions.read(connection.cookies.get(SESSION_COOKIE))


def _needs_factor_first(connection: HTTPConnection, session: Session) -> bool:
    """Whether the caller must set up a second factor before using this route."""
    return _route_name(connection) not in FACTOR_SETUP_ROUTES and get_server(
        connection
    ).people.needs_factor(session.person)


def _route_name(connection: HTTPConnection) -> str:
    return getattr(connection.scope.get("route"), "name", "")


def find_caller(connection: HTTPConnection) -> Person | None:
    """The caller, or None without a session."""
    session = current_session(connection)
    return session.person if session else None


def require_caller(connection: HTTPConnection) -> Person:
    """The caller; raises Problem 401 without a session, or 403 if a second factor must be set up
    first.
    """
    caller = find_caller(connection)
    if caller is None:
        if _read_session(connection):
            raise Problem(HTTPStatus.FORBIDDEN, say("web.access.factor-first"))
        reason = get_server(connection).sessions.end_reason_of_token(
            connection.cookies.get(SESSION_COOKIE)
        )
        raise Problem(HTTPStatus.UNAUTHORIZED, reason or say("web.access.nobody"))
    return caller


async def check_access(connection: HTTPConnection) -> None:
    """Check the role of a caller. Every route depends on this; `web.edge` comes before it."""
    roles = ROUTE_ROLES.get(_route_name(connection), frozenset())
    if STRANGER in roles:
        return
    caller = require_caller(connection)
    if caller.role not in roles:
        fields = {"askers": _role_list(roles), "asker": _role_list((caller.role,))}
        raise Problem(HTTPStatus.FORBIDDEN, say("web.access.not-for", **fields))
    if caller.tournament and _route_name(connection) not in TICKET_ROUTES:
        ticket = say("web.access.by-ticket", tournament=caller.tournament)
        raise Problem(HTTPStatus.FORBIDDEN, ticket)


def _role_list(roles: Iterable[CallerRole]) -> Sentence:
    """The roles as a message."""
    role_names = tuple(
        say("web.access.role", role=role, one=with_article(role)) for role in sorted(roles)
    )
    return say("web.access.roles", roles=role_names) if role_names else say("web.access.no-role")


def is_local(connection: HTTPConnection) -> bool:
    """Whether the request comes from this machine directly, not through a proxy."""
    forwarded = any(name in connection.headers for name in ("forwarded", "x-forwarded-for"))
    return bool(connection.client and is_loopback(connection.client.host) and not forwarded)


async def _caller_dep(connection: HTTPConnection) -> Person:
    return require_caller(connection)  # In the event loop: a lookup in memory needs no thread.


async def _server_dep(connection: HTTPConnection) -> Server:
    return get_server(connection)


Caller = Annotated[Person, Depends(_caller_dep)]
ServerDep = Annotated[Server, Depends(_server_dep)]


# Every route may answer with these errors.
ROUTE_DEFAULTS: dict[str, Any] = {
    "dependencies": [Depends(check_access)],
    "responses": {code: {"model": Error} for code in (400, 401, 403, 422, 429)},
}


def authenticated_router(tag: str) -> APIRouter:
    """A router whose routes all check access and describe their errors.

    Dependencies are set on the routes, not on the app's router: FastAPI would search router
    after router for each request.
    """
    return APIRouter(tags=[tag], **ROUTE_DEFAULTS)
