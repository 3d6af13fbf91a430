"""Routes for operators: health, readiness, metrics and the OpenAPI description."""

from __future__ import annotations

from http import HTTPStatus
from typing import Annotated, Literal

from fastapi import Depends, FastAPI, Request
from pydantic import BaseModel, Field
from starlette.responses import JSONResponse, Response

from pitbook.house.web.access import (
    ANYONE,
    READERS,
    ServerDep,
    allow_routes,
    authenticated_router,
    find_caller,
    is_local,
    require_caller,
)
from pitbook.house.web.errors import Error, Problem
from pitbook.text import say

router = authenticated_router("running")
allow_routes(
    {
        "health": ANYONE,
        "ready": ANYONE,
        "metrics": ANYONE,  # The route itself checks: this machine, or READERS.
        "openapi": ANYONE,
    }
)


class Health(BaseModel):
    """The process is up."""

    status: Literal["up"] = "up"


class HouseReady(BaseModel):
    """The ledger can be read and written, and tables accept commands."""

    status: Literal["ready"] = "ready"
    tables: int | None = Field(
        examples=[4], description="Tables of this process; shown on this machine and to staff."
    )


@router.get("/api/health", name="health", summary="Check that the process is up")
async def health() -> Health:
    """A constant answer from memory."""
    return Health()


@router.get(
    "/api/ready",
    name="ready",
    summary="Check that the server is ready",
    responses={
        503: {"model": Error, "description": "The server is stopping, or the disk or ledger fails."}
    },
)
def ready(request: Request, server: ServerDep) -> HouseReady:
    """Checks disk and ledger; a load balancer can rely on it."""
    if server.stopping.is_set():
        raise Problem(HTTPStatus.SERVICE_UNAVAILABLE, say("web.app.closing"), retry_after=5)
    if (problem := server.journal_health.problem()) is not None:
        raise Problem(HTTPStatus.SERVICE_UNAVAILABLE, problem, retry_after=5)
    caller = find_caller(request)
    shows_tables = is_local(request) or (caller is not None and caller.role in READERS)
    return HouseReady(tables=len(server.house.tables) if shows_tables else None)


async def _may_measure(request: Request) -> None:
    if not is_local(request) and require_caller(request).role not in READERS:
        raise Problem(HTTPStatus.FORBIDDEN, say("web.app.metrics"))


@router.get(
    "/metrics",
    name="metrics",
    summary="Get Prometheus metrics",
    response_class=Response,
    responses={200: {"content": {"text/plain": {}}}},
)
def metrics(server: ServerDep, _: Annotated[None, Depends(_may_measure)]) -> Response:
    """For anyone on this machine, otherwise for supervisors and auditors."""
    return Response(server.metrics.text(), media_type="text/plain; version=0.0.4")


@router.get("/api/openapi.json", name="openapi", include_in_schema=False)
async def openapi(request: Request) -> Response:
    """The OpenAPI document; /api/docs shows it to people."""
    return Response(_cached_openapi(request.app), media_type="application/json")


def _cached_openapi(app: FastAPI) -> bytes:
    """The OpenAPI document, rendered once."""
    if not hasattr(app.state, "described"):
        app.state.described = bytes(JSONResponse(app.openapi()).body)
    described: bytes = app.state.described
    return described
