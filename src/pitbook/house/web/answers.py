"""Every no in one shape: a sentence, and for a refused play its code and clause."""

from __future__ import annotations

import math
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, TypeVar

from pydantic import BaseModel, Field
from pydantic_core import ErrorDetails
from starlette.responses import JSONResponse

from pitbook.errors import (
    CageRefused,
    Excluded,
    ExtraMissing,
    InDoubt,
    NotNow,
    Overdrawn,
    PitbookError,
    RequestReused,
    Superseded,
)
from pitbook.house.streams.requests import reused
from pitbook.house.table.seen.offer_shapes import FieldSaid, RefusalShown
from pitbook.house.table.seen.offers import refusal_shown
from pitbook.house.web.invalid import reason
from pitbook.house.web.network.languages import spoken
from pitbook.rules.refusals import Refusal
from pitbook.sheets.findings import printable
from pitbook.text import in_language, say, sentence_of
from pitbook.text.documents import said_by

__all__ = [
    "Elsewhere",
    "Error",
    "Problem",
    "Refused",
    "RefusedPlay",
    "error",
    "error_told",
    "problem_of",
    "refusal_told",
    "refused",
    "sentence",
    "worded",
]


NAME_SHOWN = 80
SENTENCE_MAX = 1_000
KEY = "What is said, whatever the language."
FIELDS = "What the sentence is made of: amounts in cents, names, numbers."
FieldsSaid = dict[str, FieldSaid]
Told = TypeVar("Told", dict[str, Any], RefusalShown)


class Error(BaseModel):
    """Why not, in one sentence."""

    error: str = Field(examples=['there is no table "stud-9"; did you mean "stud-1"?'])
    key: str | None = Field(None, examples=["web.tables.none"], description=KEY)
    fields: FieldsSaid | None = Field(None, examples=[{"table": "stud-9"}], description=FIELDS)


class _Refusal(BaseModel):
    code: str = Field(examples=["below-minimum"])
    message: str = Field(examples=["the ante is $5.00 at least, not $1.00"])
    clause: str | None = Field(examples=["CMS-2"])
    key: str | None = Field(None, examples=["engine.wagers.below-minimum"], description=KEY)
    fields: FieldsSaid | None = Field(None, examples=[{"seat": 1}], description=FIELDS)


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
            say("web.app.elsewhere", table=table),
            retry_after=1,
        )


class RefusedPlay(Exception):
    """Carries a refusal from a route to its answer."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(str(refusal))
        self.refusal = refusal


def error(status: int, message: str, retry_after: float | None = None) -> JSONResponse:
    """A status and a sentence, in the language that is asked for."""
    headers = {} if retry_after is None else {"Retry-After": str(max(1, math.ceil(retry_after)))}
    return JSONResponse(error_told(message, spoken()), status, headers)


def error_told(message: str, language: str) -> dict[str, Any]:
    """Why not, as JSON: in words, and by its key where it has one."""
    told = {"error": sentence(in_language(message, language)), **said_by(message, language)}
    return _in_lines(told)


def refused(refusal: Refusal) -> JSONResponse:
    """A refused play: 409 with code, message and clause."""
    return JSONResponse({"refused": refusal_told(refusal, spoken())}, HTTPStatus.CONFLICT)


def refusal_told(refusal: Refusal, language: str) -> RefusalShown:
    """A refused play in a language, in one line: it may repeat what was sent."""
    told = refusal_shown(refusal, language)
    told["message"] = sentence(told["message"])
    return _in_lines(told)


def _in_lines(told: Told) -> Told:
    """The same with fields that are lines to read, too: they may repeat what was sent."""
    if "fields" in told:
        told["fields"] = {name: _line(value) for name, value in told["fields"].items()}
    return told


def _line(value: Any) -> Any:
    if isinstance(value, list):
        return [_line(one) for one in value]
    return sentence(value) if isinstance(value, str) else value


def problem_of(given: PitbookError) -> Problem:
    """Any of our errors with its status: what we cannot do now is 503, all else is the asker's."""
    if isinstance(given, Problem):
        return given
    if isinstance(given, InDoubt | NotNow | Superseded):
        return Problem(HTTPStatus.SERVICE_UNAVAILABLE, sentence_of(given), retry_after=1)
    if isinstance(given, ExtraMissing):
        return Problem(HTTPStatus.SERVICE_UNAVAILABLE, sentence_of(given))
    if isinstance(given, RequestReused):
        return Problem(HTTPStatus.CONFLICT, reused(given.request).message)
    if isinstance(given, CageRefused | Excluded | Overdrawn):
        return Problem(HTTPStatus.CONFLICT, sentence_of(given))
    return Problem(HTTPStatus.BAD_REQUEST, sentence_of(given))


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
        return say("web.invalid.no-json", why=detail["ctx"]["error"], at=where[-1])
    if kind == "model_attributes_type" and not name:
        return say("web.invalid.no-object")
    if kind == "missing" and name:
        return say("web.invalid.missing", name=name, place=place)
    if kind == "missing":
        return say("web.invalid.all-missing", place=place)
    if kind == "extra_forbidden":
        return say("web.invalid.no-field", name=name, place=place)
    if name:
        return say("web.invalid.field", name=name, place=place, reason=_reason(detail))
    return say("web.invalid.whole", place=place, reason=_reason(detail))


def _reason(detail: ErrorDetails | Mapping[str, Any]) -> str:
    """What pydantic says of a value, or what one of ours has said of it."""
    context = detail.get("ctx", {})
    if isinstance(ours := context.get("error"), ValueError):
        return sentence_of(ours)
    return reason(detail)
