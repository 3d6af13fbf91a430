"""Answers in JSON, and every error and refused play as one sentence with its status."""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from pydantic import BaseModel, Field
from pydantic_core import ErrorDetails, to_json
from starlette.responses import JSONResponse, Response

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
from pitbook.house.ledger.stream_writer import refuse_reused_id
from pitbook.house.table.offers import render_refusal as refusal_shown
from pitbook.house.table.view_types import FieldSaid, RefusalShown
from pitbook.house.web.languages import current_language
from pitbook.house.web.validation import validation_reason
from pitbook.rules.refusals import Refusal
from pitbook.sheets.findings import printable
from pitbook.text import in_language, say, sentence_of
from pitbook.text.documents import said_by, translated

NAME_SHOWN = 80
SENTENCE_MAX = 1_000
KEY_DESCRIPTION = "What is said, whatever the language."
FIELDS_DESCRIPTION = "What the sentence is made of: amounts in cents, names, numbers."
MessageFields = dict[str, FieldSaid]
ErrorBody = TypeVar("ErrorBody", dict[str, Any], RefusalShown)


class Error(BaseModel):
    """Why not, in one sentence."""

    error: str = Field(examples=['there is no table "stud-9"; did you mean "stud-1"?'])
    key: str | None = Field(None, examples=["web.tables.none"], description=KEY_DESCRIPTION)
    fields: MessageFields | None = Field(
        None, examples=[{"table": "stud-9"}], description=FIELDS_DESCRIPTION
    )


class _Refusal(BaseModel):
    code: str = Field(examples=["below-minimum"])
    message: str = Field(examples=["the ante is $5.00 at least, not $1.00"])
    clause: str | None = Field(examples=["CMS-2"])
    key: str | None = Field(
        None, examples=["engine.wagers.below-minimum"], description=KEY_DESCRIPTION
    )
    fields: MessageFields | None = Field(
        None, examples=[{"seat": 1}], description=FIELDS_DESCRIPTION
    )


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


def error_response(status: int, message: str, retry_after: float | None = None) -> JSONResponse:
    """A status and a sentence, in the language that is asked for."""
    headers = {} if retry_after is None else {"Retry-After": str(max(1, math.ceil(retry_after)))}
    return JSONResponse(render_error(message, current_language()), status, headers)


def render_error(message: str, language: str) -> dict[str, Any]:
    """Why not, as JSON: in words, and by its key where it has one."""
    told = {"error": one_line(in_language(message, language)), **said_by(message, language)}
    return _with_one_line_fields(told)


def refused_response(refusal: Refusal) -> JSONResponse:
    """A refused play: 409 with code, message and clause."""
    return JSONResponse(
        {"refused": render_refusal(refusal, current_language())}, HTTPStatus.CONFLICT
    )


def render_refusal(refusal: Refusal, language: str) -> RefusalShown:
    """A refused play in a language, in one line: it may repeat what was sent."""
    told = refusal_shown(refusal, language)
    told["message"] = one_line(told["message"])
    return _with_one_line_fields(told)


def _with_one_line_fields(told: ErrorBody) -> ErrorBody:
    """The same with fields that are lines to read, too: they may repeat what was sent."""
    if "fields" in told:
        told["fields"] = {name: _one_line_value(value) for name, value in told["fields"].items()}
    return told


def _one_line_value(value: Any) -> Any:
    if isinstance(value, list):
        return [_one_line_value(one) for one in value]
    return one_line(value) if isinstance(value, str) else value


def to_problem(given: PitbookError) -> Problem:
    """Any of our errors with its status: what we cannot do now is 503, all else is the asker's."""
    if isinstance(given, Problem):
        return given
    if isinstance(given, InDoubt | NotNow | Superseded):
        return Problem(HTTPStatus.SERVICE_UNAVAILABLE, sentence_of(given), retry_after=1)
    if isinstance(given, ExtraMissing):
        return Problem(HTTPStatus.SERVICE_UNAVAILABLE, sentence_of(given))
    if isinstance(given, RequestReused):
        return Problem(HTTPStatus.CONFLICT, refuse_reused_id(given.request).message)
    if isinstance(given, CageRefused | Excluded | Overdrawn):
        return Problem(HTTPStatus.CONFLICT, sentence_of(given))
    return Problem(HTTPStatus.BAD_REQUEST, sentence_of(given))


def one_line(message: str) -> str:
    """One line of a length to read; no terminal takes it for an order, any encoding carries it."""
    line = printable(" ".join(message.split()))
    return line if len(line) <= SENTENCE_MAX else f"{line[: SENTENCE_MAX - 3]}..."


def describe_invalid(detail: ErrorDetails | Mapping[str, Any]) -> str:
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
        return say("web.invalid.field", name=name, place=place, reason=_invalid_reason(detail))
    return say("web.invalid.whole", place=place, reason=_invalid_reason(detail))


def _invalid_reason(detail: ErrorDetails | Mapping[str, Any]) -> str:
    """What pydantic says of a value, or what one of ours has said of it."""
    context = detail.get("ctx", {})
    if isinstance(ours := context.get("error"), ValueError):
        return sentence_of(ours)
    return validation_reason(detail)


Content = TypeVar("Content")


class Answer(Response, Generic[Content]):
    """JSON as it was built; `Answer[View]` is what a route says that it answers."""

    media_type = "application/json"
    told: ClassVar[Any] = None

    def __init__(self, told: Content, status: int = HTTPStatus.OK) -> None:
        super().__init__(to_json(translated(told, current_language())), status)

    if not TYPE_CHECKING:

        def __class_getitem__(cls, told: Any) -> Any:
            """A class of its own, so that FastAPI sees a response and leaves it as it is."""
            return _answer_class(cls, told)


def content_type_of(answer: Any) -> Any:
    """The type that a route's return annotation tells; None where it is no Answer."""
    return answer.told if isinstance(answer, type) and issubclass(answer, Answer) else None


@functools.cache
def _answer_class(cls: type[Response], told: Any) -> type[Response]:
    return type(cls.__name__, (cls,), {"told": told})
