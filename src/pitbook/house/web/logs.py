"""Logging without secrets or cards, as JSON or text, and limits on repeated warnings."""

from __future__ import annotations

import asyncio
import json
import logging
import sys
import traceback
from collections import Counter
from collections.abc import MutableMapping
from datetime import UTC, datetime
from typing import Any, Literal, TextIO, TypeAlias

from starlette.types import Scope

from pitbook.house.web.metrics import Metrics
from pitbook.house.web.rate_limits import address_of
from pitbook.text.user_input import printable

log = logging.getLogger("pitbook.web")
UNMATCHED_ROUTE = "(none)"
SERVER_ERROR = 500
LogFormat: TypeAlias = Literal["auto", "json", "text"]
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")


def log_event(level: int, event: str, **fields: Any) -> None:
    """Log a named event, such as `sign_in_failed`, with its fields."""
    log.log(level, event, extra={"fields": fields})


def _event_of(record: logging.LogRecord) -> str:
    return str(getattr(record, "event", None) or record.getMessage())


class _JsonFormatter(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        time = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        line: dict[str, Any] = {"time": time, "level": record.levelname.lower()}
        line["event"] = _event_of(record)
        line |= getattr(record, "fields", {})
        if record.exc_info and record.exc_info[1] is not None:
            line["traceback"] = "".join(traceback.format_exception(record.exc_info[1]))
        return json.dumps(line, ensure_ascii=True, default=str)


class _TextFormatter(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        local_time = datetime.fromtimestamp(record.created).astimezone()
        text = f"{local_time:%H:%M:%S}  {printable(_describe(record))}"
        if record.exc_info and record.exc_info[1] is not None:
            text += "\n" + "".join(traceback.format_exception(record.exc_info[1])).rstrip()
        return text


def _describe(record: logging.LogRecord) -> str:
    """The event and its fields, as in `event=sign_in_failed address=10.0.0.1`."""
    if (fields := getattr(record, "fields", None)) is None:
        return record.getMessage()
    pairs = {"event": _event_of(record), **fields}
    return " ".join(f"{name}={_quote(str(value))}" for name, value in pairs.items())


def _quote(value: str) -> str:
    plain = value and not any(character.isspace() or character in '"=' for character in value)
    return value if plain else json.dumps(value, ensure_ascii=False)


def _is_worth_showing(record: logging.LogRecord) -> bool:
    """Whether a person at a terminal needs the line; the start was announced already."""
    if record.levelno >= logging.WARNING:
        return True
    if record.getMessage() == "http_request":
        return int(getattr(record, "fields", {}).get("status", 0)) >= SERVER_ERROR
    return record.name.startswith("pitbook") and record.getMessage() != "server_started"


def configure_logging(level: str, stream: TextIO | None = None, form: LogFormat = "auto") -> None:
    """Write our log and uvicorn's to standard error, one record per line."""
    out = stream or sys.stderr
    handler = logging.StreamHandler(out)
    if form == "text" or (form == "auto" and out.isatty()):
        handler.setFormatter(_TextFormatter())
        handler.addFilter(_is_worth_showing)
    else:
        handler.setFormatter(_JsonFormatter())
    for name in ("pitbook", "uvicorn"):
        logger = logging.getLogger(name)
        logger.handlers[:] = [handler]
        logger.setLevel(level.upper())
        logger.propagate = False
    for name in ("uvicorn.error", "uvicorn.access"):  # An earlier server may have configured them.
        logger = logging.getLogger(name)
        logger.handlers[:] = []
        logger.setLevel(logging.NOTSET)
        logger.propagate = True


def log_request(metrics: Metrics | None, scope: Scope, status: int, seconds: float) -> None:
    """Count and log a request by its route: unlike a path, a route contains no secret."""
    route = getattr(scope.get("route"), "path", UNMATCHED_ROUTE)
    method = scope["method"] if scope["method"] in METHODS else "other"
    if metrics is not None:
        metrics.requests.labels(route, method, str(status)).inc()
        metrics.seconds.labels(route).observe(seconds)
    log_event(
        logging.INFO,
        "http_request",
        method=method,
        route=route,
        status=status,
        duration_ms=round(seconds * 1000, 2),
        address=address_of(scope),
    )


SUMMARY_EVERY_S = 1.0
ADDRESSES_COUNTED_MAX = 1_000  # Further addresses of the same second are counted as "others".


class WarningCounter:
    """Logs the first malformed input at once and sums up the rest once a second."""

    def __init__(self) -> None:
        self._counts: Counter[tuple[str, str]] = Counter()
        self._next_summary: asyncio.Handle | None = None

    def count(self, reason: str, address: str) -> None:
        key = (reason, address)
        if key not in self._counts and len(self._counts) >= ADDRESSES_COUNTED_MAX:
            key = (reason, "others")
        self._counts[key] += 1
        if self._next_summary is None:
            self._log_summary()

    def _log_summary(self) -> None:
        """Log the most frequent input with its address, and how many addresses there were."""
        self._next_summary = None
        if not self._counts:
            return
        ((reason, address), _), count = self._counts.most_common(1)[0], self._counts.total()
        addresses = len({address for _, address in self._counts})
        self._counts.clear()
        log_event(
            logging.WARNING,
            "malformed_input",
            reason=reason,
            address=address,
            count=count,
            addresses=addresses,
        )
        self._next_summary = asyncio.get_running_loop().call_later(
            SUMMARY_EVERY_S, self._log_summary
        )


class CountingLogger(logging.LoggerAdapter[logging.Logger]):
    """Uvicorn's logger for one connection: counts warnings and passes on the rest."""

    def __init__(self, logger: logging.Logger, counter: WarningCounter, address: str) -> None:
        super().__init__(logger, {})
        self._counter, self._address = counter, address

    @property
    def level(self) -> int:
        return self.logger.level

    def process(
        self, msg: Any, kwargs: MutableMapping[str, Any]
    ) -> tuple[Any, MutableMapping[str, Any]]:
        return msg, kwargs

    def warning(self, msg: object, *args: object, **_: Any) -> None:
        self._counter.count(str(msg) % args if args else str(msg), self._address)

    def exception(self, msg: object, *args: object, exc_info: Any = True, **more: Any) -> None:
        if str(msg).startswith("Invalid UTF-8"):  # The sender's fault, not a bug.
            self.warning(msg)
        else:
            super().exception(msg, *args, exc_info=exc_info, **more)
