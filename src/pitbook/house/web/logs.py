"""Log lines without secrets or cards, as JSON or words, and limits on repeated warnings."""

from __future__ import annotations

import asyncio
import json
import logging
import sys
import time
import traceback
from collections import Counter
from collections.abc import MutableMapping
from datetime import UTC, datetime
from typing import Any, Literal, TextIO, TypeAlias

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pitbook.house.web.metrics import Metrics
from pitbook.house.web.rate_limits import address_of
from pitbook.sheets.findings import printable

log = logging.getLogger("pitbook.web")
UNMATCHED_ROUTE = "(none)"
SERVER_ERROR = 500
LogForm: TypeAlias = Literal["auto", "json", "words"]
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")


def log_event(level: int, event: str, **fields: Any) -> None:
    """Log an event with its fields."""
    log.log(level, event, extra={"fields": fields})


class _JsonFormatter(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        line: dict[str, Any] = {"at": at, "level": record.levelname.lower()}
        line["event"] = record.getMessage()
        line |= getattr(record, "fields", {})
        if record.exc_info and record.exc_info[1] is not None:
            line["error"] = "".join(traceback.format_exception(record.exc_info[1]))
        return json.dumps(line, ensure_ascii=True, default=str)


class _TextFormatter(logging.Formatter):
    """A line for a person: when, what, and what belongs to it."""

    def format(self, record: logging.LogRecord) -> str:
        at = datetime.fromtimestamp(record.created).astimezone()
        text = f"{at:%H:%M:%S}  {printable(_describe(record))}"
        if record.exc_info and record.exc_info[1] is not None:
            text += "\n" + "".join(traceback.format_exception(record.exc_info[1])).rstrip()
        return text


def _describe(record: logging.LogRecord) -> str:
    event, fields = record.getMessage(), dict(getattr(record, "fields", {}))
    if event == "closed":
        return "The house is closed, and its book is signed."
    if event == "request":
        event = f"our own mistake at {fields.pop('method')} {fields.pop('route')}"
    more = ", ".join(f"{name} {value}" for name, value in fields.items())
    return f"{event}: {more}" if more else event


def _is_worth_showing(record: logging.LogRecord) -> bool:
    """Neither what the opening has said already nor requests that went well."""
    if record.levelno >= logging.WARNING:
        return True
    if record.getMessage() == "request":
        return int(getattr(record, "fields", {}).get("status", 0)) >= SERVER_ERROR
    return record.name.startswith("pitbook") and record.getMessage() != "open"


def configure_logging(level: str, stream: TextIO | None = None, form: LogForm = "auto") -> None:
    """Send our log and the server's to standard error, a line each."""
    out = stream or sys.stderr
    handler = logging.StreamHandler(out)
    if form == "words" or (form == "auto" and out.isatty()):
        handler.setFormatter(_TextFormatter())
        handler.addFilter(_is_worth_showing)
    else:
        handler.setFormatter(_JsonFormatter())
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


class RequestLog:
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
        route = getattr(scope.get("route"), "path", UNMATCHED_ROUTE)
        method = scope["method"] if scope["method"] in METHODS else "other"
        self._metrics.requests.labels(route, method, str(status)).inc()
        self._metrics.seconds.labels(route).observe(seconds)
        log_event(
            logging.INFO,
            "request",
            method=method,
            route=route,
            status=status,
            ms=round(seconds * 1000, 2),
            address=address_of(scope),
        )


SUMMARY_EVERY_S = 1.0
ADDRESSES_COUNTED_MAX = 1_000  # That are told apart within the second.


class WarningCounter:
    """Counts what is malformed, by address; the first is told at once, the others together."""

    def __init__(self) -> None:
        self._counts: Counter[tuple[str, str]] = Counter()
        self._next_summary: asyncio.Handle | None = None

    def count(self, what: str, address: str) -> None:
        """Once more."""
        key = (what, address)
        if key not in self._counts and len(self._counts) >= ADDRESSES_COUNTED_MAX:
            key = (what, "others")
        self._counts[key] += 1
        if self._next_summary is None:
            self._log_summary()

    def _log_summary(self) -> None:
        """One line for all of it: who did most, and how many did."""
        self._next_summary = None
        if not self._counts:
            return
        ((what, address), _), count = self._counts.most_common(1)[0], self._counts.total()
        addresses = len({one for _, one in self._counts})
        self._counts.clear()
        log_event(logging.WARNING, what, address=address, count=count, addresses=addresses)
        self._next_summary = asyncio.get_running_loop().call_later(
            SUMMARY_EVERY_S, self._log_summary
        )


class CountingLogger(logging.LoggerAdapter[logging.Logger]):
    """Uvicorn's log of one line: its warnings are counted, anything else is logged as it is."""

    def __init__(self, logger: logging.Logger, counter: WarningCounter, address: str) -> None:
        super().__init__(logger, {})
        self._counter, self._address = counter, address

    @property
    def level(self) -> int:
        """As uvicorn asks for it."""
        return self.logger.level

    def process(
        self, msg: Any, kwargs: MutableMapping[str, Any]
    ) -> tuple[Any, MutableMapping[str, Any]]:
        """As it is."""
        return msg, kwargs

    def warning(self, msg: object, *args: object, **_: Any) -> None:
        """Whoever sends what is no HTTP is told so, and the log hears of it once a second."""
        self._counter.count(str(msg) % args if args else str(msg), self._address)

    def exception(self, msg: object, *args: object, exc_info: Any = True, **more: Any) -> None:
        """Text that is no text is the sender's fault and no news; our own mistakes are."""
        if str(msg).startswith("Invalid UTF-8"):
            self.warning(msg)
        else:
            super().exception(msg, *args, exc_info=exc_info, **more)
