"""Links that people are handed: a browser is shown a page, a program is told the same as JSON."""

from __future__ import annotations

from http import HTTPStatus

from pydantic import BaseModel
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response

from pitbook.web.answers import Problem
from pitbook.web.pages.plain_pages import closed_page, page_headers

__all__ = ["closed_link", "open_link"]


def open_link(request: Request, told: BaseModel, form: str) -> Response:
    """What a link is good for, or the form that uses it."""
    if _by_browser(request):
        return HTMLResponse(form, headers=page_headers())
    return JSONResponse(told.model_dump())


def closed_link(request: Request, why: str) -> Response:
    """A link that is good for nothing any more; raises Problem for a program."""
    if not _by_browser(request):
        raise Problem(HTTPStatus.NOT_FOUND, why)
    return HTMLResponse(closed_page(why), HTTPStatus.NOT_FOUND, headers=page_headers())


def _by_browser(request: Request) -> bool:
    return "text/html" in request.headers.get("accept", "")
