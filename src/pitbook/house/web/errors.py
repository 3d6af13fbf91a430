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
from pitbook.house.ledger.streams import refuse_reused_id
from pitbook.house.table.offers import render_refusal as render_refused_command
from pitbook.house.table.view_types import MessageField, RefusalJson
from pitbook.house.web.languages import current_language
from pitbook.house.web.validation import validation_reason
from pitbook.rules.refusals import Refusal
from pitbook.text import in_language, say, sentence_of
from pitbook.text.sentences import sentence_json, translate_document
from pitbook.text.user_input import printable

NAME_SHOWN = 80
SENTENCE_MAX = 1_000
KEY_DESCRIPTION = "What is said, whatever the language."
FIELDS_DESCRIPTION = "What the sentence is made of: amounts in cents, names, numbers."
MessageFields = dict[str, MessageField]
ErrorBody = TypeVar("ErrorBody", dict[str, Any], RefusalJson)


class Error(BaseModel):
    """An error message."""

    error: str = Field(examples=['There is no table "stud-9". Did you mean "stud-1"?'])
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
    """A refused play. Nothing has changed."""

    refused: _Refusal


class Problem(PitbookError):
    """An error answered with a status and a message."""

    def __init__(self, status: int, message: str, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.status, self.retry_after = status, retry_after


class Elsewhere(Problem):
    """A table that another process holds, or that no process has taken over yet."""

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
    """An error response in the request's language."""
    headers = {} if retry_after is None else {"Retry-After": str(max(1, math.ceil(retry_after)))}
    return JSONResponse(render_error(message, current_language()), status, headers)


def render_error(message: str, language: str) -> dict[str, Any]:
    """An error as JSON: its message, and its key if it has one."""
    document = {
        "error": one_line(in_language(message, language)),
        **sentence_json(message, language),
    }
    return _with_one_line_fields(document)


def refused_response(refusal: Refusal) -> JSONResponse:
    """A refused play: 409 with code, message and clause."""
    return JSONResponse(
        {"refused": render_refusal(refusal, current_language())}, HTTPStatus.CONFLICT
    )


def render_refusal(refusal: Refusal, language: str) -> RefusalJson:
    """A refused play in a language, on one line: it may repeat the client's input."""
    document = render_refused_command(refusal, language)
    document["message"] = one_line(document["message"])
    return _with_one_line_fields(document)


def _with_one_line_fields(body: ErrorBody) -> ErrorBody:
    """The body with its fields on one line too: they may repeat the client's input."""
    if "fields" in body:
        body["fields"] = {name: _one_line_value(value) for name, value in body["fields"].items()}
    return body


def _one_line_value(value: Any) -> Any:
    if isinstance(value, list):
        return [_one_line_value(element) for element in value]
    return one_line(value) if isinstance(value, str) else value


def to_problem(error: PitbookError) -> Problem:
    """Any of our errors with its status: 503 if we cannot do it now, otherwise a client error."""
    if isinstance(error, Problem):
        return error
    if isinstance(error, InDoubt | NotNow | Superseded):
        return Problem(HTTPStatus.SERVICE_UNAVAILABLE, sentence_of(error), retry_after=1)
    if isinstance(error, ExtraMissing):
        return Problem(HTTPStatus.SERVICE_UNAVAILABLE, sentence_of(error))
    if isinstance(error, RequestReused):
        return Problem(HTTPStatus.CONFLICT, refuse_reused_id(error.request).message)
    if isinstance(error, CageRefused | Excluded | Overdrawn):
        return Problem(HTTPStatus.CONFLICT, sentence_of(error))
    return Problem(HTTPStatus.BAD_REQUEST, sentence_of(error))


def one_line(message: str) -> str:
    """A message on one line, cut to a readable length, without control characters."""
    text = printable(" ".join(message.split()))
    return text if len(text) <= SENTENCE_MAX else f"{text[: SENTENCE_MAX - 3]}..."


def describe_invalid(detail: ErrorDetails | Mapping[str, Any]) -> str:
    """A validation error that names the field and never repeats the input."""
    location = [str(step) for step in detail["loc"]]
    location_kind, field_name = location[0], ".".join(location[1:])[:NAME_SHOWN]
    kind = detail["type"]
    if kind == "json_invalid":
        return say("web.invalid.no-json", why=detail["ctx"]["error"], at=location[-1])
    if kind == "model_attributes_type" and not field_name:
        return say("web.invalid.no-object")
    if kind == "missing" and field_name:
        return say("web.invalid.missing", name=field_name, place=location_kind)
    if kind == "missing":
        return say("web.invalid.all-missing", place=location_kind)
    if kind == "extra_forbidden":
        return say("web.invalid.no-field", name=field_name, place=location_kind)
    if field_name:
        return say(
            "web.invalid.field",
            name=field_name,
            place=location_kind,
            reason=_invalid_reason(detail),
        )
    return say("web.invalid.whole", place=location_kind, reason=_invalid_reason(detail))


def _invalid_reason(detail: ErrorDetails | Mapping[str, Any]) -> str:
    """Why a value is invalid, in pydantic's words or ours."""
    context = detail.get("ctx", {})
    if isinstance(error := context.get("error"), ValueError):
        return sentence_of(error)
    return validation_reason(detail)


Content = TypeVar("Content")


class Answer(Response, Generic[Content]):
    """A JSON response; `Answer[View]` declares its type on a route."""

    media_type = "application/json"
    told: ClassVar[Any] = None

    def __init__(self, content: Content, status: int = HTTPStatus.OK) -> None:
        super().__init__(to_json(translate_document(content, current_language())), status)

    if not TYPE_CHECKING:

        def __class_getitem__(cls, content_type: Any) -> Any:
            """A subclass with the content type, which FastAPI accepts as a response class."""
            return _answer_class(cls, content_type)


def content_type_of(annotation: Any) -> Any:
    """The type in a route's return annotation, or None if it is not an Answer."""
    return (
        annotation.told if isinstance(annotation, type) and issubclass(annotation, Answer) else None
    )


@functools.cache
def _answer_class(cls: type[Response], content_type: Any) -> type[Response]:
    return type(cls.__name__, (cls,), {"told": content_type})
