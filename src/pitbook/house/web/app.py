"""Builds the server's application: routes, edge, error answers, OpenAPI description."""

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
from pitbook.house.cage import routes as cage_routes
from pitbook.house.incidents import routes as incident_routes
from pitbook.house.inspect import routes as inspect_routes
from pitbook.house.nights import routes as night_routes
from pitbook.house.nights import routes_door, routes_tournament
from pitbook.house.people import player_limits_routes
from pitbook.house.people import routes as people_routes
from pitbook.house.people.accounts import People
from pitbook.house.people.login_throttle import LoginThrottle
from pitbook.house.people.sessions import Sessions
from pitbook.house.pit import routes as pit_routes
from pitbook.house.school import daily_routes, drill_routes, table_test_routes
from pitbook.house.settings import Settings
from pitbook.house.table import routes, routes_rounds, socket
from pitbook.house.table import socket as table_socket
from pitbook.house.table.api_types import FRAMES
from pitbook.house.table.live_tables import LiveTables
from pitbook.house.web import (
    coach_api,
    health_api,
    lab_api,
    math_api,
    page_files,
    papers_api,
    screen_socket,
    sharing_api,
    sheets_api,
)
from pitbook.house.web.access import ROUTE_DEFAULTS, ROUTE_ROLES
from pitbook.house.web.edge import Edge
from pitbook.house.web.errors import (
    RefusedPlay,
    content_type_of,
    describe_invalid,
    error_response,
    refused_response,
    to_problem,
)
from pitbook.house.web.journal_health import JournalHealth
from pitbook.house.web.logs import log, log_event
from pitbook.house.web.metrics import Metrics
from pitbook.house.web.page_files import page_at_screen
from pitbook.house.web.rate_limits import Limiter, client_identifier
from pitbook.house.web.server import Server
from pitbook.house.web.services import build_services
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
    routes.opening_router,
    pit_routes.router,
    inspect_routes.router,
    incident_routes.router,
    cage_routes.router,
    night_routes.router,
    routes_tournament.router,
    routes_door.router,
    routes_tournament.clock_router,
    routes.router,
    routes_rounds.router,
    coach_api.router,
    daily_routes.router,
    routes_rounds.export_router,
    drill_routes.router,
    table_test_routes.router,
    sharing_api.router,
    table_socket.events_router,
    socket.socket_router,
    screen_socket.router,
    page_files.router,
)


JSON = "application/json"
REF = "#/components/schemas/{model}"
OpenApi = dict[str, Any]


class DocumentedApi(FastAPI):
    """FastAPI app whose OpenAPI document includes response and socket frame types.

    "x-for" lists the roles that may call an operation; "stranger" means no sign-in.
    """

    def openapi(self) -> OpenApi:
        """The OpenAPI document, with models that no route names among the schemas."""
        if self.openapi_schema is None:
            _add_descriptions(super().openapi())
        assert self.openapi_schema is not None
        return self.openapi_schema


def _add_descriptions(document: OpenApi) -> None:
    for route in _routes():
        for method in route.methods or ():
            operation = document["paths"][route.path_format][method.lower()]
            operation["x-for"] = sorted(ROUTE_ROLES[route.name])
    answers = dict(_response_contents(document))
    types = [(key, answer[1]) for key, answer in answers.items()] + list(FRAMES.items())
    adapters = [(key, "serialization", TypeAdapter(kind)) for key, kind in types]
    schemas, definitions = TypeAdapter.json_schemas(adapters, ref_template=REF)  # type: ignore[arg-type]
    for key, (content, _) in answers.items():
        content["schema"] = schemas[key, "serialization"]
    components = document.setdefault("components", {}).setdefault("schemas", {})
    for name, schema in definitions.get("$defs", {}).items():
        assert components.setdefault(name, schema) == schema, f"two models are called {name}"
    for name in FRAMES:
        components.setdefault(name, schemas[name, "serialization"])


def _routes() -> Iterator[APIRoute]:
    for route in (route for router in ROUTERS for route in router.routes):
        if isinstance(route, APIRoute) and route.include_in_schema:
            yield route


def _response_contents(document: OpenApi) -> Iterator[tuple[str, tuple[Any, Any]]]:
    """The place and type of each JSON response in the OpenAPI document."""
    for route in _routes():
        kind = content_type_of(get_type_hints(route.endpoint, include_extras=True).get("return"))
        if kind is None:
            continue
        for method in route.methods or ():
            responses = document["paths"][route.path_format][method.lower()]["responses"]
            answer = responses[str(route.status_code or 200)].setdefault("content", {})
            yield f"{method} {route.path_format}", (answer.setdefault(JSON, {}), kind)


REGISTER_CHECK_S = 1.0
JOURNAL_CHECK_S = 5.0
PROGRAM_PATHS = ("/api/", "/assets/")  # Paths that programs request, and the page's own files.
DESCRIPTION = "Tables, people and the book of a house. Every no is a sentence."


def create_app(house: LiveTables, people: People, settings: Settings) -> FastAPI:
    """The FastAPI app of an open server."""
    metrics, secret, limiter = Metrics(house), house.folder.keys.sealing, Limiter(settings.limits)
    app = DocumentedApi(
        title="Pitbook",
        version=version("pitbook"),
        description=DESCRIPTION,
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
    identify = client_identifier(server.sessions)
    app.add_middleware(Edge, settings, limiter, metrics=metrics, identify=identify)
    return app


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    server: Server = app.state.server
    tasks = [
        asyncio.create_task(watcher)
        for watcher in (_watch_register(server.people), _watch_journal(server.journal_health))
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
    """Read accounts that other processes changed."""
    while True:
        await asyncio.sleep(REGISTER_CHECK_S)
        try:
            await asyncio.to_thread(people.catch_up)
        except PitbookError as error:
            log_event(logging.WARNING, "register_read_failed", reason=str(error))


async def _watch_journal(health: JournalHealth) -> None:
    """Periodically check disk and ledger, and log failures."""
    while True:
        await asyncio.sleep(JOURNAL_CHECK_S)
        await asyncio.to_thread(health.problem)


async def _handle_pitbook_error(_: HTTPConnection, error: Exception) -> JSONResponse:
    assert isinstance(error, PitbookError)
    problem = to_problem(error)
    return error_response(problem.status, sentence_of(problem), problem.retry_after)


async def _handle_refused_play(connection: HTTPConnection, error: Exception) -> JSONResponse:
    assert isinstance(error, RefusedPlay)
    server: Server = connection.app.state.server
    server.metrics.count_answer(error.refusal)
    return refused_response(error.refusal)


async def _handle_invalid_request(_: HTTPConnection, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError | WebSocketRequestValidationError)
    return error_response(HTTPStatus.UNPROCESSABLE_ENTITY, describe_invalid(error.errors()[0]))


async def _handle_http_error(connection: HTTPConnection, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    if error.status_code == HTTPStatus.NOT_FOUND and _reads_pages(connection):
        return page_at_screen({"kind": "not-found"}, error.status_code)
    response = error_response(error.status_code, _http_error_message(error))
    response.headers.update(error.headers or {})
    return response


def _reads_pages(connection: HTTPConnection) -> bool:
    """Whether the client is a browser. Programs call /api or accept JSON."""
    if connection.scope["type"] != "http" or f"{connection.url.path}/".startswith(PROGRAM_PATHS):
        return False
    accepted = connection.headers.get("accept", "")
    asks = connection.scope["method"] in ("GET", "HEAD")
    return asks and ("text/html" in accepted or "application/json" not in accepted)


def _http_error_message(error: HTTPException) -> str:
    if error.status_code == HTTPStatus.NOT_FOUND:
        return say("web.app.nothing-here")
    if error.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
        return say("web.app.no-such-method")
    return str(error.detail)


async def _handle_bug(_: HTTPConnection, error: Exception) -> JSONResponse:
    log.error("internal_error", exc_info=error)
    return error_response(HTTPStatus.INTERNAL_SERVER_ERROR, say("web.app.our-mistake"))


_HANDLERS: dict[type[Exception], ExceptionHandler] = {
    PitbookError: _handle_pitbook_error,
    RefusedPlay: _handle_refused_play,
    RequestValidationError: _handle_invalid_request,
    WebSocketRequestValidationError: _handle_invalid_request,
    HTTPException: _handle_http_error,
    Exception: _handle_bug,
}
