"""Actions and commands as JSON and back: {"do": "turn", "place": "board", "card": "Qs"}."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Generic, NamedTuple, TypeVar, get_args, get_type_hints

from pitbook.cards import card, name
from pitbook.errors import PitbookError, RoundError
from pitbook.money import dollars, money
from pitbook.rules.rounds.actions import PLACES, place_read, place_written
from pitbook.sheets.findings import printable, shown
from pitbook.text import say, sentence_of

One = TypeVar("One")
Reader = Callable[[Any], Any]
FieldCheck = Callable[[type, str, Any], None]


class Written(Generic[One]):
    """How named tuples of some kinds are written; `check` may refuse more than the types do."""

    def __init__(
        self,
        what: str,
        kinds: Mapping[str, type],
        *,
        readers: Mapping[str, Reader] | None = None,
        check: FieldCheck | None = None,
    ) -> None:
        self.what, self.kinds = what, kinds
        self.names = {kind: do for do, kind in kinds.items()}
        self._special = {**_READERS, **(readers or {})}
        self._check = check
        self._ways: dict[str, _Way] = {}

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
            fields = {"value": shown(document), "what": self.what, "known": tuple(self.kinds)}
            raise RoundError(say("engine.written.unknown", **fields))
        way = self._ways.get(do) or self._worked_out(do)
        shape = tuple(document)
        if shape not in way.shapes:
            if not way.needed <= {*shape} - {"do"} <= way.readers.keys():
                names = {"what": self.what, "do": do, "known": tuple(way.readers)}
                raise RoundError(say("engine.written.fields", **names, count=len(way.readers)))
            way.shapes.add(shape)
        readers = way.readers
        read = {key: readers[key](value) for key, value in document.items() if key != "do"}
        made: One = way.kind(**read)
        return made

    def _worked_out(self, do: str) -> _Way:
        """How one kind is read; found out once."""
        kind: Any = self.kinds[do]
        hints = get_type_hints(kind)
        readers = {key: self._reader(kind, key, hint) for key, hint in hints.items()}
        needed = frozenset(hints) - frozenset(kind._field_defaults)
        way = self._ways[do] = _Way(kind, needed, readers, set())
        return way

    def _reader(self, kind: type, key: str, hint: Any) -> Reader:
        may_be_open = type(None) in get_args(hint)
        check, reader = self._check, self._special.get(key) or _plainly(hint)

        def read(value: Any) -> Any:
            if value is None and may_be_open:
                return None
            try:
                if check is not None:
                    check(kind, key, value)
                return reader(value)
            except PitbookError as error:
                why = sentence_of(error)
                why = why if why.isprintable() else printable(why)
                raise RoundError(say("engine.written.field", field=key, why=why)) from None

        return read


class _Way(NamedTuple):
    kind: Callable[..., Any]
    needed: frozenset[str]
    readers: dict[str, Reader]
    shapes: set[tuple[str, ...]]  # The fields that were given before and are right.


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


def _plainly(hint: Any) -> Reader:
    hint = bare(hint)
    wanted = hint if hint in _PLAIN else str
    known = get_args(hint)

    def read(value: Any) -> Any:
        if type(value) is not wanted and not (wanted is str and isinstance(value, str)):
            kind = wanted.__name__
            raise RoundError(say("engine.written.must-be", value=shown(value), kind=kind))
        if known and value not in known:
            raise RoundError(say("engine.written.one-of", value=shown(value), known=known))
        return value

    return read


def _place(value: Any) -> int:
    return place_read(value if isinstance(value, str) and value in PLACES else _number(value))


_PLAIN = (int, bool, str)
_number, _text = _plainly(int), _plainly(str)
_READERS: dict[str, Reader] = {
    "amount": lambda value: dollars(_text(value)),
    "card": lambda value: card(_text(value)),
    "place": _place,
}
