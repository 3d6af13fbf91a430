"""Pages to print: their own style, pictures inside them, and nothing fetched but our fonts."""

from __future__ import annotations

import base64
import hashlib
import re
from functools import cache

from starlette.responses import HTMLResponse

from pitbook.house.web.pages.page import STATIC

STYLE = re.compile("<style>(.*?)</style>", re.DOTALL)
FACE = re.compile(r"@font-face\{[^}]*\}")


def paper(html: str) -> HTMLResponse:
    """A page whose style the browser is told to expect; no script runs in it."""
    html = html.replace("<style>", f"<style>{faces()}</style><style>", 1)
    styles = (hashlib.sha256(one.encode()).digest() for one in STYLE.findall(html))
    known = " ".join(f"'sha256-{base64.b64encode(one).decode()}'" for one in styles)
    fetched = f"style-src {known}; img-src data:; font-src 'self'"
    policy = f"default-src 'none'; {fetched}; frame-ancestors 'none'"
    return HTMLResponse(html, headers={"Content-Security-Policy": policy})


@cache
def faces() -> str:
    """The fonts of the page, as its own style names them; none where it is not built."""
    styles = sorted((STATIC / "assets").glob("*.css"))
    return "".join(face for one in styles for face in FACE.findall(one.read_text(encoding="utf-8")))
