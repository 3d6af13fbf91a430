"""What every answer tells a browser: keep nothing, frame nothing, guess nothing, tell nobody."""

from __future__ import annotations

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

__all__ = ["Headers"]

ALWAYS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",  # An invitation's address is a secret.
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
BEHIND_TLS = {"Strict-Transport-Security": "max-age=31536000"}


class Headers:
    """Adds them where a route has not set its own."""

    def __init__(self, app: ASGIApp, *, secure: bool) -> None:
        self._app = app
        self._headers = ALWAYS | (BEHIND_TLS if secure else {})

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on; look at the answer's first message."""
        if scope["type"] != "http":
            return await self._app(scope, receive, send)

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                given = MutableHeaders(scope=message)
                for name, value in self._headers.items():
                    given.setdefault(name, value)
            await send(message)

        return await self._app(scope, receive, with_headers)
