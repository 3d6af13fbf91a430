"""What a house answers, read: a command taken or refused, and any other no as ClientError."""

from __future__ import annotations

import json
import secrets
from contextlib import suppress
from typing import Any, NamedTuple

import httpx
from websockets.exceptions import InvalidStatus

from pitbook.errors import ClientError
from pitbook.text import say

Json = dict[str, Any]
LATER = (421, 429, 503)  # Not here, not so fast, not now: the same request once more.


class Accepted(NamedTuple):
    """A command that is on record."""

    seq: int
    hash: str


class Refused(NamedTuple):
    """A command that the rules do not allow; nothing has changed."""

    code: str
    message: str
    clause: str | None
    key: str | None = None  # What is said, and of what, whatever the language.
    fields: Json = {}  # noqa: RUF012  Nobody writes into it.

    @classmethod
    def read(cls, told: Json) -> Refused:
        """The refusal of an answer; what a later house may add to it is left out."""
        return cls(**{name: told[name] for name in cls._fields if name in told})


Answer = Accepted | Refused


def new_request() -> str:
    """An id that nobody has chosen before."""
    return secrets.token_hex(12)


def read(answer: httpx.Response) -> Json:
    """The object that an answer holds, or an error for what holds none."""
    with suppress(ValueError):
        if isinstance(told := answer.json(), dict):
            return told
    return {"error": say("client.status", status=answer.status_code)}


def fine(answer: httpx.Response) -> Json:
    """The same, where all is well; raises ClientError."""
    told = read(answer)
    if answer.is_success:
        return told
    error = told.get("error", told)
    raise ClientError(error if isinstance(error, str) else str(error), answer.status_code)


def turned_away(refused: InvalidStatus) -> ClientError | None:
    """What a handshake was answered with; None where it may be tried again."""
    status = refused.response.status_code
    if status in LATER:
        return None
    try:
        told = str(json.loads(refused.response.body or b"")["error"])
    except (ValueError, KeyError, TypeError):
        told = say("client.socket-refused", status=status)
    return ClientError(told, status)
