"""The log: text on a terminal, JSON in a file or on request."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator
from typing import Literal

import pytest

from pitbook.house.web import logs


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def _put_back() -> Iterator[None]:
    yield
    for name in ("pitbook", "uvicorn"):
        logging.getLogger(name).handlers[:] = []
        logging.getLogger(name).propagate = True


def log_lines(stream: io.StringIO, form: Literal["auto", "json", "text"] = "auto") -> list[str]:
    logs.configure_logging("info", stream, form)
    logs.log_event(logging.INFO, "server_started", address="http://127.0.0.1:8710", tables=2)
    logging.getLogger("uvicorn.error").info("Application startup complete.")
    logs.log_event(
        logging.INFO,
        "http_request",
        method="GET",
        route="/",
        status=200,
        duration_ms=1.5,
        address="::1",
    )
    logs.log_event(
        logging.INFO,
        "http_request",
        method="PUT",
        route="/x",
        status=500,
        duration_ms=2.5,
        address="::1",
    )
    logs.log_event(logging.WARNING, "sign_in_failed", address="192.168.0.7")
    logs.log_event(logging.WARNING, "two\nlines", odd="\x1b[31m")
    logs.log_event(logging.INFO, "server_stopped")
    return stream.getvalue().splitlines()


def test_terminal_log_shows_what_matters() -> None:
    lines = log_lines(Terminal())
    messages = [line.split("  ", 1)[1] for line in lines]
    assert messages == [
        "event=http_request method=PUT route=/x status=500 duration_ms=2.5 address=::1",
        "event=sign_in_failed address=192.168.0.7",
        'event="two\\nlines" odd=\\x1b[31m',
        "event=server_stopped",
    ]
    assert all(len(line.split("  ")[0]) == len("21:04:05") for line in lines)


@pytest.mark.parametrize(
    ("stream", "form"), [(io.StringIO(), "auto"), (Terminal(), "json")], ids=["file", "flag"]
)
def test_file_and_flag_get_json(stream: io.StringIO, form: Literal["auto", "json"]) -> None:
    documents = [json.loads(line) for line in log_lines(stream, form)]
    assert documents[0]["event"] == "server_started"
    assert len(documents) == 7


def test_text_format_can_be_chosen_for_a_file() -> None:
    assert "event=server_stopped" in log_lines(io.StringIO(), "text")[-1]


def test_a_traceback_is_shown_below_its_line() -> None:
    stream = Terminal()
    logs.configure_logging("info", stream)
    try:
        raise ValueError("of ours")
    except ValueError:
        logs.log.exception("boom")
    assert "ValueError: of ours" in stream.getvalue()
