"""Links that people are handed: a browser is shown a screen, a program is told the same as JSON."""

from __future__ import annotations

from http import HTTPStatus

from pydantic import BaseModel
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from pitbook.house.web.errors import Problem
from pitbook.house.web.pages.page import screen


def open_link(request: Request, told: BaseModel, *, kind: str) -> Response:
    """What a link is good for, or the form that uses it."""
    if _by_browser(request):
        return screen({"at": kind, **told.model_dump(exclude={"remedy"})})
    return JSONResponse(told.model_dump())


def closed_link(request: Request, why: str, *, kind: str) -> Response:
    """A link that is good for nothing any more; raises Problem for a program."""
    if not _by_browser(request):
        raise Problem(HTTPStatus.NOT_FOUND, why)
    return screen({"at": "closed", "link": kind}, HTTPStatus.NOT_FOUND)


def _by_browser(request: Request) -> bool:
    return "text/html" in request.headers.get("accept", "")
