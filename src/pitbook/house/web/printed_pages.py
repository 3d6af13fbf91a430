"""Pages to print, with the page's fonts and no scripts."""

from __future__ import annotations

import base64
import hashlib
import re
from functools import cache

from starlette.responses import HTMLResponse

from pitbook.house.web.page_files import STATIC

STYLE = re.compile("<style>(.*?)</style>", re.DOTALL)
FACE = re.compile(r"@font-face\{[^}]*\}")


def printed_page(html: str) -> HTMLResponse:
    """A page to print. Its policy allows only its own styles and no scripts."""
    html = html.replace("<style>", f"<style>{font_faces()}</style><style>", 1)
    styles = (hashlib.sha256(style.encode()).digest() for style in STYLE.findall(html))
    hashes = " ".join(f"'sha256-{base64.b64encode(digest).decode()}'" for digest in styles)
    sources = f"style-src {hashes}; img-src data:; font-src 'self'"
    policy = f"default-src 'none'; {sources}; frame-ancestors 'none'"
    return HTMLResponse(html, headers={"Content-Security-Policy": policy})


@cache
def font_faces() -> str:
    """The page's font faces from its stylesheets; empty if it is not built."""
    styles = sorted((STATIC / "assets").glob("*.css"))
    return "".join(
        face
        for stylesheet in styles
        for face in FACE.findall(stylesheet.read_text(encoding="utf-8"))
    )
