"""An answer that says what it holds: mypy checks it where it is built, nobody at run time."""

from __future__ import annotations

import functools
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from pydantic_core import to_json
from starlette.responses import Response

from pitbook.house.web.network.languages import spoken
from pitbook.text.documents import translated

__all__ = ["Answer", "told_by"]

Told = TypeVar("Told")


class Answer(Response, Generic[Told]):
    """JSON as it was built; `Answer[View]` is what a route says that it answers."""

    media_type = "application/json"
    told: ClassVar[Any] = None

    def __init__(self, told: Told, status: int = HTTPStatus.OK) -> None:
        super().__init__(to_json(translated(told, spoken())), status)

    if not TYPE_CHECKING:

        def __class_getitem__(cls, told: Any) -> Any:
            """A class of its own, so that FastAPI sees a response and leaves it as it is."""
            return _answer_of(cls, told)


def told_by(answer: Any) -> Any:
    """The type that a route's return annotation tells; None where it is no Answer."""
    return answer.told if isinstance(answer, type) and issubclass(answer, Answer) else None


@functools.cache
def _answer_of(cls: type[Response], told: Any) -> type[Response]:
    return type(cls.__name__, (cls,), {"told": told})
