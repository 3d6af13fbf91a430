"""Serves the built page and its files, pages to print, and links that open in a browser."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import mimetypes
import re
from collections.abc import Mapping
from functools import cache, lru_cache
from html import escape
from http import HTTPStatus
from pathlib import Path
from typing import NamedTuple

from fastapi import Request
from pydantic import BaseModel
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response

from pitbook.house.web.access import ANYONE, allow_routes, authenticated_router
from pitbook.house.web.errors import Problem
from pitbook.text import say

STATIC = Path(__file__).with_name("static")
UNBUILT = (
    "Pitbook's page is not built here. In a checkout, make page builds it; "
    "an installed Pitbook has it inside. The API answers meanwhile: /api/openapi.json\n"
)
# Every address that the page itself knows how to show.
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
ITS_POLICY = "default-src 'none'; connect-src 'self'"  # The worker's: it asks the house alone.
FOR_GOOD = "public, max-age=31536000, immutable"  # A changed file has another name.
SHORTLY = "no-cache"  # Kept, and asked after each time.

# Of the installed page, by their addresses: what a browser asks after each time.
APP = {"page_manifest": "manifest.webmanifest", "page_worker": "worker.js"}
MANIFEST = "application/manifest+json"

router = authenticated_router("page")
allow_routes(dict.fromkeys((*PATHS, "page_asset", "page_icon", *APP), ANYONE))


class File(NamedTuple):
    """A file of the page, and what it is."""

    body: bytes
    zipped: bytes
    media_type: str


@lru_cache(maxsize=256)
def _file(path: Path, _changed: float) -> File:
    body = path.read_bytes()
    kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    return File(body, gzip.compress(body, 9, mtime=0), kind)


def page_file(name: str) -> File | None:
    """A file of the built page by its name; None where there is none."""
    path = STATIC / name
    try:
        return _file(path, path.stat().st_mtime)
    except (OSError, ValueError):
        return None


async def page(request: Request) -> Response:
    """The page; which screen it shows is the address's and the browser's affair."""
    file = page_file("index.html")
    if file is None:
        return PlainTextResponse(UNBUILT, HTTPStatus.NOT_FOUND)
    headers = {"Content-Security-Policy": POLICY, "Cache-Control": SHORTLY}
    return _response(request, file, headers)


def page_at_screen(told: Mapping[str, str], status: int = HTTPStatus.OK) -> Response:
    """The page at an address that does not say by itself which screen it is of: it is told so."""
    file = page_file("index.html")
    if file is None:
        return PlainTextResponse(UNBUILT, status)
    meta = f'<meta name="screen" content="{escape(json.dumps(told))}" />'
    body = file.body.replace(b"</head>", f"{meta}</head>".encode(), 1)
    headers = {"Content-Security-Policy": POLICY, "Vary": "Accept"}
    return Response(body, status, headers, file.media_type)


async def asset(request: Request, name: str) -> Response:
    """A script, a style or a picture of the page."""
    file = page_file(f"assets/{name}")
    if file is None:
        raise Problem(HTTPStatus.NOT_FOUND, say("web.app.no-such-file"))
    return _response(request, file, {"Cache-Control": FOR_GOOD})


async def icon(request: Request, name: str) -> Response:
    """A picture of the installed page."""
    file = page_file(f"icons/{name}")
    if file is None:
        raise Problem(HTTPStatus.NOT_FOUND, say("web.app.no-such-file"))
    return _response(request, file, {"Cache-Control": SHORTLY})


async def manifest(request: Request) -> Response:
    """What a browser needs to install the page."""
    file = page_file(APP["page_manifest"])
    if file is None:
        return PlainTextResponse(UNBUILT, HTTPStatus.NOT_FOUND)
    return _response(request, file._replace(media_type=MANIFEST), {"Cache-Control": SHORTLY})


async def worker(request: Request) -> Response:
    """What keeps the page at hand without a line; it is told which files there are."""
    file = page_file(APP["page_worker"])
    if file is None:
        return PlainTextResponse(UNBUILT, HTTPStatus.NOT_FOUND)
    names = sorted(one.name for one in (STATIC / "assets").iterdir())
    files, version = [f"/assets/{one}" for one in names], hashlib.sha256()
    for one in (*names, file.body.decode()):
        version.update(one.encode())
    head = f"const FILES={json.dumps(files)},VERSION={json.dumps(version.hexdigest()[:16])};\n"
    body = head.encode() + file.body
    made = File(body, gzip.compress(body, 9, mtime=0), "text/javascript")
    headers = {"Cache-Control": SHORTLY, "Content-Security-Policy": ITS_POLICY}
    return _response(request, made, headers)


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


STYLE = re.compile("<style>(.*?)</style>", re.DOTALL)
FACE = re.compile(r"@font-face\{[^}]*\}")


def printed_page(html: str) -> HTMLResponse:
    """A page whose style the browser is told to expect; no script runs in it."""
    html = html.replace("<style>", f"<style>{font_faces()}</style><style>", 1)
    styles = (hashlib.sha256(one.encode()).digest() for one in STYLE.findall(html))
    known = " ".join(f"'sha256-{base64.b64encode(one).decode()}'" for one in styles)
    fetched = f"style-src {known}; img-src data:; font-src 'self'"
    policy = f"default-src 'none'; {fetched}; frame-ancestors 'none'"
    return HTMLResponse(html, headers={"Content-Security-Policy": policy})


@cache
def font_faces() -> str:
    """The fonts of the page, as its own style names them; none where it is not built."""
    styles = sorted((STATIC / "assets").glob("*.css"))
    return "".join(face for one in styles for face in FACE.findall(one.read_text(encoding="utf-8")))


def open_link(request: Request, told: BaseModel, *, kind: str) -> Response:
    """What a link is good for, or the form that uses it."""
    if _by_browser(request):
        return page_at_screen({"at": kind, **told.model_dump(exclude={"remedy"})})
    return JSONResponse(told.model_dump())


def closed_link(request: Request, why: str, *, kind: str) -> Response:
    """A link that is good for nothing any more; raises Problem for a program."""
    if not _by_browser(request):
        raise Problem(HTTPStatus.NOT_FOUND, why)
    return page_at_screen({"at": "closed", "link": kind}, HTTPStatus.NOT_FOUND)


def _by_browser(request: Request) -> bool:
    return "text/html" in request.headers.get("accept", "")
