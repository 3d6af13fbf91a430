"""Every no in one shape: a sentence, and for a refused play its code and clause."""

from __future__ import annotations

import math
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from pydantic import BaseModel, Field
from pydantic_core import ErrorDetails
from starlette.responses import JSONResponse

from pitbook.errors import Excluded, InDoubt, Overdrawn, PitbookError, RequestReused, Superseded
from pitbook.game.refusals import Refusal
from pitbook.sheets.findings import printable

__all__ = [
    "Elsewhere",
    "Error",
    "Problem",
    "Refused",
    "RefusedPlay",
    "error",
    "problem_of",
    "refused",
    "sentence",
    "worded",
]


NAME_SHOWN = 80
SENTENCE_MAX = 1_000


class Error(BaseModel):
    """Why not, in one sentence."""

    error: str = Field(examples=['there is no table "stud-9"; did you mean "stud-1"?'])


class _Refusal(BaseModel):
    code: str = Field(examples=["below-minimum"])
    message: str = Field(examples=["the ante is $5.00 at least, not $1.00"])
    clause: str | None = Field(examples=["CMS-2"])


class Refused(BaseModel):
    """A play that the rules do not allow; nothing has changed."""

    refused: _Refusal


class Problem(PitbookError):
    """A request that is answered with a status and a sentence."""

    def __init__(self, status: int, message: str, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.status, self.retry_after = status, retry_after


class Elsewhere(Problem):
    """A table that another process holds, or that nobody has taken over yet."""

    def __init__(self, table: str) -> None:
        super().__init__(
            HTTPStatus.MISDIRECTED_REQUEST,
            f'table "{table}" is not held by this process; ask again in a moment',
            retry_after=1,
        )


class RefusedPlay(Exception):
    """Carries a refusal from a route to its answer."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(str(refusal))
        self.refusal = refusal


def error(status: int, message: str, retry_after: float | None = None) -> JSONResponse:
    """A status and a sentence."""
    headers = {} if retry_after is None else {"Retry-After": str(max(1, math.ceil(retry_after)))}
    return JSONResponse({"error": sentence(message)}, status, headers)


def refused(refusal: Refusal) -> JSONResponse:
    """A refused play: 409 with code, message and clause."""
    message = sentence(refusal.message)  # It may repeat what was sent.
    told = {"code": refusal.code, "message": message, "clause": refusal.clause}
    return JSONResponse({"refused": told}, HTTPStatus.CONFLICT)


def problem_of(given: PitbookError) -> Problem:
    """Any of our errors with its status: what we cannot do now is 503, all else is the asker's."""
    if isinstance(given, Problem):
        return given
    if isinstance(given, InDoubt | Superseded):
        return Problem(HTTPStatus.SERVICE_UNAVAILABLE, str(given), retry_after=1)
    if isinstance(given, Excluded | Overdrawn | RequestReused):
        return Problem(HTTPStatus.CONFLICT, str(given))
    return Problem(HTTPStatus.BAD_REQUEST, str(given))


def sentence(message: str) -> str:
    """One line of a length to read; no terminal takes it for an order, any encoding carries it."""
    line = printable(" ".join(message.split()))
    return line if len(line) <= SENTENCE_MAX else f"{line[: SENTENCE_MAX - 3]}..."


def worded(detail: ErrorDetails | Mapping[str, Any]) -> str:
    """What pydantic found, naming the field and never repeating what was sent."""
    where = [str(step) for step in detail["loc"]]
    place, name = where[0], ".".join(where[1:])[:NAME_SHOWN]
    kind = detail["type"]
    if kind == "json_invalid":
        return f"the body is no JSON: {detail['ctx']['error']} at character {where[-1]}"
    if kind == "model_attributes_type" and not name:
        return "the body is no JSON object; send one with Content-Type: application/json"
    if kind == "missing":
        return f'"{name}" is missing in the {place}' if name else f"the {place} is missing"
    if kind == "extra_forbidden":
        return f'"{name}" is no field of the {place}'
    reason = str(detail["msg"]).removeprefix("Value error, ")
    reason = reason.replace("Input should", "it should")
    return f'"{name}" in the {place}: {reason}' if name else f"the {place}: {reason}"
