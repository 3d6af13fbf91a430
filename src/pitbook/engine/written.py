"""Actions and commands as JSON and back: {"do": "turn", "place": "board", "card": "Qs"}."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Generic, NamedTuple, TypeVar, get_args, get_type_hints

from pitbook.cards import card, name
from pitbook.engine.actions import PLACES, place_read, place_written
from pitbook.errors import PitbookError, RoundError
from pitbook.money import dollars, money
from pitbook.sheets.findings import printable, shown

One = TypeVar("One")
Reader = Callable[[Any], Any]
Check = Callable[[type, str, Any], None]


class Written(Generic[One]):
    """How named tuples of some kinds are written; `check` may refuse more than the types do."""

    def __init__(
        self,
        what: str,
        kinds: Mapping[str, type],
        *,
        readers: Mapping[str, Reader] | None = None,
        check: Check | None = None,
    ) -> None:
        self.what, self.kinds = what, kinds
        self.names = {kind: do for do, kind in kinds.items()}
        self._readers = {**_READERS, **(readers or {})}
        self._check = check

    def encode(self, one: Any) -> dict[str, Any]:
        """One as JSON; what is left open is left out."""
        document = {"do": self.names[type(one)]}
        for key, value in zip(one._fields, one, strict=True):
            if value is not None:
                document[key] = _out(key, value)
        return document

    def decode(self, document: Any) -> One:
        """The one that a JSON object stands for; raises RoundError with a sentence."""
        do = document.get("do") if isinstance(document, dict) else None
        if not isinstance(do, str) or do not in self.kinds:
            known = ", ".join(self.kinds)
            raise RoundError(f'{shown(document)} is no {self.what}; "do" must be one of {known}')
        kind, fields = self.kinds[do], _fields(self.kinds[do])
        given = [key for key in document if key != "do"]
        if not fields.needed <= set(given) <= fields.hints.keys():
            known = ", ".join(fields.hints) or "none"
            raise RoundError(f'{self.what} "{do}" has the fields {known}')
        read = {key: self._in(kind, key, document[key], fields.hints[key]) for key in given}
        made: One = kind(**read)
        return made

    def _in(self, kind: type, key: str, value: Any, hint: Any) -> Any:
        if value is None and type(None) in get_args(hint):
            return None
        try:
            if self._check is not None:
                self._check(kind, key, value)
            return self._readers[key](value) if key in self._readers else _plain(value, hint)
        except PitbookError as error:
            raise RoundError(f"{key}: {printable(str(error))}") from None


class _Fields(NamedTuple):
    hints: dict[str, Any]
    needed: frozenset[str]


@cache
def _fields(kind: Any) -> _Fields:
    hints = get_type_hints(kind)
    return _Fields(hints, frozenset(hints) - frozenset(kind._field_defaults))


def _out(key: str, value: Any) -> Any:
    if key == "amount":
        return money(value)
    if key == "card" and value is not None:
        return name(value)
    if key == "place":
        return place_written(value)
    return str(value) if isinstance(value, str) else value  # A play is its text.


def bare(hint: Any) -> Any:
    """The type of a field that may be left open."""
    kinds = get_args(hint)
    return kinds[0] if type(None) in kinds else hint


def _plain(value: Any, hint: Any) -> Any:
    hint = bare(hint)
    wanted = hint if hint in _WORDS else str
    if type(value) is not wanted and not (wanted is str and isinstance(value, str)):
        raise RoundError(f"{shown(value)} must be {_WORDS[wanted]}")
    if (known := get_args(hint)) and value not in known:
        raise RoundError(f"{shown(value)} must be {' or '.join(known)}")
    return value


def _place(value: Any) -> int:
    return place_read(value if isinstance(value, str) and value in PLACES else _plain(value, int))


_WORDS: dict[Any, str] = {int: "a whole number", bool: "true or false", str: "text in quotes"}
_READERS: dict[str, Reader] = {
    "amount": lambda value: dollars(_plain(value, str)),
    "card": lambda value: card(_plain(value, str)),
    "place": _place,
}
