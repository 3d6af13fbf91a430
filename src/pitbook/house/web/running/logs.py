"""What happens, with no secret and no card in it: JSON lines, or words for a terminal."""

from __future__ import annotations

import json
import logging
import sys
import time
import traceback
from datetime import UTC, datetime
from typing import Any, Literal, TextIO, TypeAlias

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pitbook.house.web.network.askers import address_of
from pitbook.house.web.running.metrics import Metrics
from pitbook.sheets.findings import printable

__all__ = ["RequestWatch", "log", "note", "set_up"]

log = logging.getLogger("pitbook.web")
UNMATCHED = "(none)"
MISTAKE = 500
LogForm: TypeAlias = Literal["auto", "json", "words"]
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")


def note(level: int, event: str, **fields: Any) -> None:
    """Log an event with its fields."""
    log.log(level, event, extra={"fields": fields})


class _Lines(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        line: dict[str, Any] = {"at": at, "level": record.levelname.lower()}
        line["event"] = record.getMessage()
        line |= getattr(record, "fields", {})
        if record.exc_info and record.exc_info[1] is not None:
            line["error"] = "".join(traceback.format_exception(record.exc_info[1]))
        return json.dumps(line, ensure_ascii=True, default=str)


class _Words(logging.Formatter):
    """A line for a person: when, what, and what belongs to it."""

    def format(self, record: logging.LogRecord) -> str:
        at = datetime.fromtimestamp(record.created).astimezone()
        text = f"{at:%H:%M:%S}  {printable(_told(record))}"
        if record.exc_info and record.exc_info[1] is not None:
            text += "\n" + "".join(traceback.format_exception(record.exc_info[1])).rstrip()
        return text


def _told(record: logging.LogRecord) -> str:
    event, fields = record.getMessage(), dict(getattr(record, "fields", {}))
    if event == "closed":
        return "The house is closed, and its book is signed."
    if event == "request":
        event = f"our own mistake at {fields.pop('method')} {fields.pop('route')}"
    more = ", ".join(f"{name} {value}" for name, value in fields.items())
    return f"{event}: {more}" if more else event


def _is_for_a_person(record: logging.LogRecord) -> bool:
    """Neither what the opening has said already nor requests that went well."""
    if record.levelno >= logging.WARNING:
        return True
    if record.getMessage() == "request":
        return int(getattr(record, "fields", {}).get("status", 0)) >= MISTAKE
    return record.name.startswith("pitbook") and record.getMessage() != "open"


def set_up(level: str, stream: TextIO | None = None, form: LogForm = "auto") -> None:
    """Send our log and the server's to standard error, a line each."""
    out = stream or sys.stderr
    handler = logging.StreamHandler(out)
    if form == "words" or (form == "auto" and out.isatty()):
        handler.setFormatter(_Words())
        handler.addFilter(_is_for_a_person)
    else:
        handler.setFormatter(_Lines())
    for name in ("pitbook", "uvicorn"):
        logger = logging.getLogger(name)
        logger.handlers[:] = [handler]
        logger.setLevel(level.upper())
        logger.propagate = False
    for name in ("uvicorn.error", "uvicorn.access"):  # Whatever an earlier server left there.
        logger = logging.getLogger(name)
        logger.handlers[:] = []
        logger.setLevel(logging.NOTSET)
        logger.propagate = True


class RequestWatch:
    """Times, counts and logs every request by its route; paths can hold secrets, routes cannot."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self._app, self._metrics = app, metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on and look at the status that comes back."""
        if scope["type"] != "http":
            return await self._app(scope, receive, send)
        began, begun = time.perf_counter(), False

        async def watched(message: Message) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                begun = True
                self._note(scope, message["status"], time.perf_counter() - began)
            await send(message)

        try:
            return await self._app(scope, receive, watched)
        except Exception:
            if not begun:
                self._note(scope, 500, time.perf_counter() - began)
            raise

    def _note(self, scope: Scope, status: int, seconds: float) -> None:
        route = getattr(scope.get("route"), "path", UNMATCHED)
        method = scope["method"] if scope["method"] in METHODS else "other"
        self._metrics.requests.labels(route, method, str(status)).inc()
        self._metrics.seconds.labels(route).observe(seconds)
        note(
            logging.INFO,
            "request",
            method=method,
            route=route,
            status=status,
            ms=round(seconds * 1000, 2),
            address=address_of(scope),
        )
