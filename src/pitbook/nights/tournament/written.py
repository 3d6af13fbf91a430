"""Facts as plain JSON and back, by their own types: money as dollars in text, moments in ISO."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

from pydantic import BaseModel, ValidationError

from pitbook.errors import PitbookError, RoundError
from pitbook.money import Cents, dollars, money

__all__ = ["Json", "read", "written"]

Json = dict[str, Any]
T = TypeVar("T")


def written(fact: Any) -> Json:
    """The fields of a named tuple as JSON has them."""
    return {name: _out(hint, getattr(fact, name)) for name, hint in _hints(type(fact)).items()}


def read(kinds: Mapping[str, type[T]], kept: Mapping[str, Any]) -> T:
    """The named tuple that was written; raises RoundError for what is none."""
    name = kept.get("fact")
    if not isinstance(name, str) or name not in kinds:
        raise RoundError(f'a tournament knows no fact "{name}"')
    hints = _hints(kinds[name])
    known = kinds[name]
    needed = hints.keys() - getattr(known, "_field_defaults", {}).keys()
    if not needed <= kept.keys() - {"fact"} <= hints.keys():
        raise RoundError(f'a fact "{name}" holds {", ".join(hints)} and nothing else')
    try:
        fields = {field: _in(hint, kept[field]) for field, hint in hints.items() if field in kept}
    except (PitbookError, TypeError, ValueError, ValidationError) as wrong:
        raise RoundError(f'a fact "{name}" that cannot be read: {wrong}') from None
    return known(**fields)


def _hints(kind: Any) -> dict[str, Any]:
    return _hints_of(kind)


@cache
def _hints_of(kind: Any) -> dict[str, Any]:
    return get_type_hints(kind)


def _out(hint: Any, value: Any) -> Any:
    if value is None:
        return None
    if hint is Cents:
        return money(value)
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json", exclude_defaults=True)
    if isinstance(value, tuple):
        return [_out(inner, one) for inner, one in _paired(hint, value)]
    return value


def _in(hint: Any, kept: Any) -> Any:
    if get_origin(hint) is UnionType:
        if kept is None and NoneType in get_args(hint):
            return None
        hint = next(one for one in get_args(hint) if one is not NoneType)
    if hint is Cents:
        return dollars(kept)
    if hint is datetime:
        return datetime.fromisoformat(kept)
    if isinstance(hint, type) and issubclass(hint, BaseModel):
        return hint.model_validate(kept)
    if _is_tuple(hint):
        return _tuple(hint, kept)
    return _plain(hint, kept)


def _tuple(hint: Any, kept: Any) -> Any:
    if not isinstance(kept, list):
        raise TypeError(f"{kept!r} is no list")
    read = tuple(_in(inner, one) for inner, one in _paired(hint, kept))
    return hint(*read) if hasattr(hint, "_fields") else read


def _plain(hint: Any, kept: Any) -> Any:
    if get_origin(hint) is Literal:
        if kept not in get_args(hint):
            raise ValueError(f"{kept!r} is none of {', '.join(get_args(hint))}")
    elif type(kept) is not hint:
        raise TypeError(f"{kept!r} is no {hint.__name__}")
    return kept


def _is_tuple(hint: Any) -> bool:
    return get_origin(hint) is tuple or hasattr(hint, "_fields")


def _paired(hint: Any, values: Any) -> Any:
    """Each value with the type that it has there."""
    if hasattr(hint, "_fields"):
        return zip(_hints(hint).values(), values, strict=True)
    inner = get_args(hint)
    if inner[-1] is Ellipsis:
        return ((inner[0], one) for one in values)
    return zip(inner, values, strict=True)
