"""Builds the server's application: routes, middleware, error answers, OpenAPI description."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from http import HTTPStatus
from importlib.metadata import version
from typing import Any, get_type_hints

from fastapi import APIRouter, FastAPI
from fastapi.exceptions import RequestValidationError, WebSocketRequestValidationError
from fastapi.routing import APIRoute
from pydantic import TypeAdapter
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection
from starlette.responses import JSONResponse, Response
from starlette.types import ExceptionHandler

from pitbook.errors import PitbookError
from pitbook.house.cage import routes as cage
from pitbook.house.incidents import routes as incidents
from pitbook.house.inspect import routes as inspect
from pitbook.house.nights import routes as night_routes
from pitbook.house.nights import routes_door, routes_tournament
from pitbook.house.people import player_limits_routes
from pitbook.house.people import routes as people_routes
from pitbook.house.people.accounts import People
from pitbook.house.people.login_throttle import LoginThrottle
from pitbook.house.people.sessions import Sessions
from pitbook.house.pit import routes as pit
from pitbook.house.school import daily_routes, drill_routes, table_test_routes
from pitbook.house.table import routes, routes_rounds, socket
from pitbook.house.table import socket as watch
from pitbook.house.table.api_types import FRAMES
from pitbook.house.table.tables import LiveTables
from pitbook.house.web import (
    autoplay_api,
    coach_api,
    explore_api,
    health_api,
    lab_api,
    math_api,
    pages,
    papers_api,
    sharing_api,
    sheets_api,
)
from pitbook.house.web.access import ROUTE_DEFAULTS, ROUTE_ROLES
from pitbook.house.web.edge import RequestGate, SecurityHeaders, StrictJson
from pitbook.house.web.errors import (
    RefusedPlay,
    content_type_of,
    describe_invalid,
    error_response,
    refused_response,
    to_problem,
)
from pitbook.house.web.journal_health import JournalHealth
from pitbook.house.web.languages import LanguageMiddleware
from pitbook.house.web.logs import RequestLog, log, log_event
from pitbook.house.web.metrics import Metrics
from pitbook.house.web.pages import page_at_screen
from pitbook.house.web.rate_limits import Limiter, client_identifier
from pitbook.house.web.server import Server
from pitbook.house.web.services import build_services
from pitbook.house.web.settings import Settings
from pitbook.sheets.library import Library
from pitbook.text import say, sentence_of

ROUTERS: tuple[APIRouter, ...] = (
    health_api.router,
    people_routes.router,
    player_limits_routes.router,
    sheets_api.router,
    math_api.router,
    papers_api.router,
    lab_api.router,
    sheets_api.lessons_router,
    explore_api.router,
    routes.opening_router,
    pit.router,
    inspect.router,
    incidents.router,
    cage.router,
    night_routes.router,
    routes_tournament.router,
    routes_door.router,
    routes_tournament.clock_router,
    routes.router,
    routes_rounds.router,
    coach_api.router,
    daily_routes.router,
    autoplay_api.router,
    routes_rounds.export_router,
    drill_routes.router,
    table_test_routes.router,
    sharing_api.router,
    watch.events_router,
    socket.socket_router,
    pages.router,
)


JSON = "application/json"
REF = "#/components/schemas/{model}"
OpenApi = dict[str, Any]


class Described(FastAPI):
    """An API whose description knows the types of answers, and of frames that no route answers.

    It knows who may ask, too: "x-for" names the roles, and "stranger" for whoever has none.
    """

    def openapi(self) -> OpenApi:
        """OpenAPI; models that no route names stand among the others."""
        if self.openapi_schema is None:
            _describe(super().openapi())
        assert self.openapi_schema is not None
        return self.openapi_schema


def _describe(document: OpenApi) -> None:
    for route in _routes():
        for method in route.methods or ():
            asked = document["paths"][route.path_format][method.lower()]
            asked["x-for"] = sorted(ROUTE_ROLES[route.name])
    answers = dict(_answers(document))
    told = [(key, one[1]) for key, one in answers.items()] + list(FRAMES.items())
    adapters = [(key, "serialization", TypeAdapter(kind)) for key, kind in told]
    made, defined = TypeAdapter.json_schemas(adapters, ref_template=REF)  # type: ignore[arg-type]
    for key, (content, _) in answers.items():
        content["schema"] = made[key, "serialization"]
    named = document.setdefault("components", {}).setdefault("schemas", {})
    for name, schema in defined.get("$defs", {}).items():
        assert named.setdefault(name, schema) == schema, f"two models are called {name}"
    for name in FRAMES:
        named.setdefault(name, made[name, "serialization"])


def _routes() -> Iterator[APIRoute]:
    for route in (one for router in ROUTERS for one in router.routes):
        if isinstance(route, APIRoute) and route.include_in_schema:
            yield route


def _answers(document: OpenApi) -> Iterator[tuple[str, tuple[Any, Any]]]:
    """Where the description of each answer stands, and its type."""
    for route in _routes():
        kind = content_type_of(get_type_hints(route.endpoint, include_extras=True).get("return"))
        if kind is None:
            continue
        for method in route.methods or ():
            at = document["paths"][route.path_format][method.lower()]["responses"]
            answer = at[str(route.status_code or 200)].setdefault("content", {})
            yield f"{method} {route.path_format}", (answer.setdefault(JSON, {}), kind)


REGISTER_CHECK_S = 1.0
JOURNAL_CHECK_S = 5.0
BELOW = ("/api/", "/assets/")  # What programs ask for, and the page itself.
ABOUT = "Tables, people and the book of a house. Every no is a sentence."


def create_app(house: LiveTables, people: People, settings: Settings) -> FastAPI:
    """The API of a house that is open."""
    metrics, secret, limiter = Metrics(house), house.folder.keys.sealing, Limiter(settings.limits)
    app = Described(
        title="Pitbook",
        version=version("pitbook"),
        description=ABOUT,
        lifespan=_lifespan,
        **ROUTE_DEFAULTS,
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        redirect_slashes=False,
        swagger_ui_oauth2_redirect_url=None,
    )
    app.state.server = Server(
        house=house,
        people=people,
        sessions=Sessions(secret, people, settings),
        settings=settings,
        limiter=limiter,
        login_throttle=LoginThrottle(secret, settings, limiter),
        metrics=metrics,
        library=Library(list(settings.sheets)),
        journal_health=JournalHealth(house.folder, house.is_superseded),
    )
    app.state.services = build_services(app.state.server)
    app.router.routes.extend(route for router in ROUTERS for route in router.routes)
    for kind, handler in _HANDLERS.items():
        app.add_exception_handler(kind, handler)
    server: Server = app.state.server
    app.add_middleware(StrictJson)  # Behind the gate, which hands it the whole body.
    app.add_middleware(RequestGate, limiter=limiter, recognise=client_identifier(server.sessions))
    app.add_middleware(SecurityHeaders, secure=settings.https)
    app.add_middleware(LanguageMiddleware)
    app.add_middleware(RequestLog, metrics=metrics)
    return app


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    server: Server = app.state.server
    tasks = [
        asyncio.create_task(one)
        for one in (_watch_register(server.people), _watch_journal(server.journal_health))
    ]
    try:
        yield
    finally:
        server.stopping.set()
        await app.state.services.jobs.end()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _watch_register(people: People) -> None:
    """Hear of what other processes decide about people."""
    while True:
        await asyncio.sleep(REGISTER_CHECK_S)
        try:
            await asyncio.to_thread(people.catch_up)
        except PitbookError as failed:
            log_event(logging.WARNING, "register_read_failed", reason=str(failed))


async def _watch_journal(health: JournalHealth) -> None:
    """The log hears of a full disk and of a book that fails, whether anybody asks or not."""
    while True:
        await asyncio.sleep(JOURNAL_CHECK_S)
        await asyncio.to_thread(health.problem)


async def _misuse(_: HTTPConnection, given: Exception) -> JSONResponse:
    assert isinstance(given, PitbookError)
    found = to_problem(given)
    return error_response(found.status, sentence_of(found), found.retry_after)


async def _refusal(connection: HTTPConnection, given: Exception) -> JSONResponse:
    assert isinstance(given, RefusedPlay)
    server: Server = connection.app.state.server
    server.metrics.count_answer(given.refusal)
    return refused_response(given.refusal)


async def _invalid(_: HTTPConnection, given: Exception) -> JSONResponse:
    assert isinstance(given, RequestValidationError | WebSocketRequestValidationError)
    return error_response(HTTPStatus.UNPROCESSABLE_ENTITY, describe_invalid(given.errors()[0]))


async def _other(connection: HTTPConnection, given: Exception) -> Response:
    assert isinstance(given, HTTPException)
    if given.status_code == HTTPStatus.NOT_FOUND and _reads_pages(connection):
        return page_at_screen({"at": "nowhere"}, given.status_code)
    answer = error_response(given.status_code, _told(given))
    answer.headers.update(given.headers or {})
    return answer


def _reads_pages(connection: HTTPConnection) -> bool:
    """Whether a person is at the other end: programs ask below /api, or for JSON."""
    if connection.scope["type"] != "http" or f"{connection.url.path}/".startswith(BELOW):
        return False
    accepted = connection.headers.get("accept", "")
    asks = connection.scope["method"] in ("GET", "HEAD")
    return asks and ("text/html" in accepted or "application/json" not in accepted)


def _told(given: HTTPException) -> str:
    if given.status_code == HTTPStatus.NOT_FOUND:
        return say("web.app.nothing-here")
    if given.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
        return say("web.app.no-such-method")
    return str(given.detail)


async def _bug(_: HTTPConnection, given: Exception) -> JSONResponse:
    log.error("internal_error", exc_info=given)
    return error_response(HTTPStatus.INTERNAL_SERVER_ERROR, say("web.app.our-mistake"))


_HANDLERS: dict[type[Exception], ExceptionHandler] = {
    PitbookError: _misuse,
    RefusedPlay: _refusal,
    RequestValidationError: _invalid,
    WebSocketRequestValidationError: _invalid,
    HTTPException: _other,
    Exception: _bug,
}
