"""Pages to print: their own style, pictures inside them, and nothing that is fetched."""

from __future__ import annotations

import base64
import hashlib
import re

from starlette.responses import HTMLResponse

__all__ = ["paper"]

STYLE = re.compile("<style>(.*?)</style>", re.DOTALL)


def paper(html: str) -> HTMLResponse:
    """A page whose style the browser is told to expect; no script runs in it."""
    styles = (hashlib.sha256(one.encode()).digest() for one in STYLE.findall(html))
    known = " ".join(f"'sha256-{base64.b64encode(one).decode()}'" for one in styles)
    policy = f"default-src 'none'; style-src {known}; img-src data:; frame-ancestors 'none'"
    return HTMLResponse(html, headers={"Content-Security-Policy": policy})
