"""Serves the built page and its files, and links that open in a browser."""

from __future__ import annotations

import gzip
import hashlib
import json
import mimetypes
from collections.abc import Mapping
from functools import lru_cache
from html import escape
from http import HTTPStatus
from pathlib import Path
from typing import NamedTuple

from fastapi import Request
from pydantic import BaseModel
from starlette.responses import JSONResponse, PlainTextResponse, Response

from pitbook.house.web.access import ANYONE, allow_routes, authenticated_router
from pitbook.house.web.errors import Problem
from pitbook.text import say

STATIC = Path(__file__).with_name("static")
NOT_BUILT_MESSAGE = (
    "Pitbook's page is not built here. In a checkout, make page builds it; "
    "an installed Pitbook has it inside. The API answers meanwhile: /api/openapi.json\n"
)
# Every address that the page can show.
PATHS = {
    "page": "/",
    "page_table": "/table/{rest:path}",
    "page_rules": "/rules/{rest:path}",
    "page_clause": "/clause/{rest:path}",
    "page_shared": "/shared/{rest:path}",
    "page_rounds": "/rounds",
    "page_coach": "/coach",
    "page_learn": "/learn",
    "page_learn_sheet": "/learn/{rest:path}",
    "page_glossary": "/glossary",
    "page_daily": "/daily",
    "page_care": "/care",
    "page_train": "/train",
    "page_train_part": "/train/{rest:path}",
    "page_certificate": "/certificate/{rest:path}",
    "page_verify": "/verify",
    "page_explore": "/explore",
    "page_explore_sheet": "/explore/{rest:path}",
    "page_lab": "/lab",
    "page_lab_sheet": "/lab/{rest:path}",
    "page_cage": "/cage",
    "page_pit": "/pit",
    "page_pit_part": "/pit/{rest:path}",
    "page_nights": "/night",
    "page_night": "/night/{rest:path}",
    "page_board": "/board/{rest:path}",
    "page_check_in": "/check-in/{rest:path}",
    "page_sign_in": "/sign-in",
    "page_account": "/account",
    "docs": "/api/docs",
}
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "font-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; "
    "form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
)
WORKER_POLICY = "default-src 'none'; connect-src 'self'"  # The worker may only call this server.
CACHE_FOREVER = "public, max-age=31536000, immutable"  # A changed file has another name.
REVALIDATE = "no-cache"  # Cached, but revalidated each time.

# Files of the installed page by route name; browsers revalidate them.
APP = {"page_manifest": "manifest.webmanifest", "page_worker": "worker.js"}
MANIFEST = "application/manifest+json"

router = authenticated_router("page")
allow_routes(dict.fromkeys((*PATHS, "page_asset", "page_icon", *APP), ANYONE))


class File(NamedTuple):
    """A file of the page with its media type."""

    body: bytes
    zipped: bytes
    media_type: str


@lru_cache(maxsize=256)
def _file(path: Path, _changed: float) -> File:
    body = path.read_bytes()
    kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    return File(body, gzip.compress(body, 9, mtime=0), kind)


def page_file(name: str) -> File | None:
    """A file of the built page, or None."""
    path = STATIC / name
    try:
        return _file(path, path.stat().st_mtime)
    except (OSError, ValueError):
        return None


async def page(request: Request) -> Response:
    """The page. The address and the browser decide which screen it shows."""
    file = page_file("index.html")
    if file is None:
        return PlainTextResponse(NOT_BUILT_MESSAGE, HTTPStatus.NOT_FOUND)
    headers = {"Content-Security-Policy": POLICY, "Cache-Control": REVALIDATE}
    return _response(request, file, headers)


def page_at_screen(screen: Mapping[str, str], status: int = HTTPStatus.OK) -> Response:
    """The page with a given screen, for addresses that do not imply one."""
    file = page_file("index.html")
    if file is None:
        return PlainTextResponse(NOT_BUILT_MESSAGE, status)
    meta = f'<meta name="screen" content="{escape(json.dumps(screen))}" />'
    body = file.body.replace(b"</head>", f"{meta}</head>".encode(), 1)
    headers = {"Content-Security-Policy": POLICY, "Vary": "Accept"}
    return Response(body, status, headers, file.media_type)


async def asset(request: Request, name: str) -> Response:
    """A script, style or image of the page."""
    file = page_file(f"assets/{name}")
    if file is None:
        raise Problem(HTTPStatus.NOT_FOUND, say("web.app.no-such-file"))
    return _response(request, file, {"Cache-Control": CACHE_FOREVER})


async def icon(request: Request, name: str) -> Response:
    """An icon of the installed page."""
    file = page_file(f"icons/{name}")
    if file is None:
        raise Problem(HTTPStatus.NOT_FOUND, say("web.app.no-such-file"))
    return _response(request, file, {"Cache-Control": REVALIDATE})


async def manifest(request: Request) -> Response:
    """The web app manifest."""
    file = page_file(APP["page_manifest"])
    if file is None:
        return PlainTextResponse(NOT_BUILT_MESSAGE, HTTPStatus.NOT_FOUND)
    return _response(request, file._replace(media_type=MANIFEST), {"Cache-Control": REVALIDATE})


async def worker(request: Request) -> Response:
    """The service worker, with the list of files to cache."""
    file = page_file(APP["page_worker"])
    if file is None:
        return PlainTextResponse(NOT_BUILT_MESSAGE, HTTPStatus.NOT_FOUND)
    names = sorted(file.name for file in (STATIC / "assets").iterdir())
    files, version = [f"/assets/{name}" for name in names], hashlib.sha256()
    for text in (*names, file.body.decode()):
        version.update(text.encode())
    head = f"const FILES={json.dumps(files)},VERSION={json.dumps(version.hexdigest()[:16])};\n"
    body = head.encode() + file.body
    script = File(body, gzip.compress(body, 9, mtime=0), "text/javascript")
    headers = {"Cache-Control": REVALIDATE, "Content-Security-Policy": WORKER_POLICY}
    return _response(request, script, headers)


def _response(request: Request, file: File, headers: dict[str, str]) -> Response:
    headers = {**headers, "Vary": "Accept-Encoding"}
    if "gzip" in request.headers.get("accept-encoding", "") and len(file.zipped) < len(file.body):
        headers["Content-Encoding"] = "gzip"
        return Response(file.zipped, headers=headers, media_type=file.media_type)
    return Response(file.body, headers=headers, media_type=file.media_type)


for _name, _path in PATHS.items():
    router.add_api_route(_path, page, name=_name, include_in_schema=False)
for _name, _path, _shows in (
    ("page_manifest", "/manifest.webmanifest", manifest),
    ("page_worker", "/worker.js", worker),
    ("page_icon", "/icons/{name}", icon),
):
    router.add_api_route(_path, _shows, name=_name, include_in_schema=False)
router.add_api_route("/assets/{name}", asset, name="page_asset", include_in_schema=False)


def open_link(request: Request, link: BaseModel, *, kind: str) -> Response:
    """A link's content as JSON, or the page with a form for it."""
    if _is_browser(request):
        return page_at_screen({"kind": kind, **link.model_dump(exclude={"remedy"})})
    return JSONResponse(link.model_dump())


def closed_link(request: Request, message: str, *, kind: str) -> Response:
    """The page for an invalid link; raises Problem for a program."""
    if not _is_browser(request):
        raise Problem(HTTPStatus.NOT_FOUND, message)
    return page_at_screen({"kind": "closed", "link": kind}, HTTPStatus.NOT_FOUND)


def _is_browser(request: Request) -> bool:
    return "text/html" in request.headers.get("accept", "")
