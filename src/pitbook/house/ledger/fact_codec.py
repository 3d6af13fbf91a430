"""Encode typed facts as JSON for the ledger, and decode them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from functools import partial
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Generic,
    Literal,
    NamedTuple,
    Protocol,
    TypeAlias,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from pydantic import BaseModel

from pitbook.cards import Card, card
from pitbook.cards import name as card_name
from pitbook.errors import FactError, PitbookError
from pitbook.house.ledger.append_batch import CLAIMED, SNAPSHOT_STORED
from pitbook.house.ledger.hash_chain import Entry
from pitbook.money import Cents, dollars, money
from pitbook.text import say, sentence_of

# Types and their JSON forms.


Json = dict[str, Any]
T = TypeVar("T")
Encode = Callable[[Any], Any]
Decode = Callable[[Any], Any]


class JsonForm(NamedTuple):
    """How a value is encoded and decoded; used as an annotation if the type alone does not say.

    `out` is None for JSON's own types. `into` raises TypeError, ValueError or a PitbookError.
    """

    out: Encode | None
    into: Decode


_OMIT_DEFAULT, _ROW = object(), object()
OmitDefault: TypeAlias = Annotated[T, _OMIT_DEFAULT]  # Omitted if it has its default.
Row: TypeAlias = Annotated[T, _ROW]  # A record written as a list instead of an object.


class StoredAs(NamedTuple):
    """Annotates a field that is stored under another name than it has in code."""

    name: str


class Fields(NamedTuple):
    """A record's stored fields: `out` encodes the record, `into` decodes it."""

    names: tuple[str, ...]
    out: Callable[[Any], Json]
    into: Callable[[Mapping[str, Any]], Any]


def record_fields(kind: Any, head: Mapping[str, Any] | None = None) -> Fields:
    """How a named tuple is encoded as an object that starts with `head`."""
    hints = get_type_hints(kind, include_extras=True)
    stored_names = {field: _stored_name(field, hint) for field, hint in hints.items()}
    forms = {stored_names[field]: json_form(hint) for field, hint in hints.items()}
    left_out = [field for field, hint in hints.items() if _OMIT_DEFAULT in _annotations(hint)]
    defaults: Json = kind._field_defaults
    return Fields(
        tuple(forms),
        _make_writer(
            dict(head or {}),
            forms,
            [(field, stored_names[field], defaults[field]) for field in left_out],
        ),
        _make_reader(
            kind,
            len(head or {}),
            forms,
            {stored_names[field]: default for field, default in defaults.items()},
        ),
    )


def _stored_name(field: str, hint: Any) -> str:
    marks = (mark for mark in _annotations(hint) if isinstance(mark, StoredAs))
    return next((mark.name for mark in marks), field)


def json_form(hint: Any) -> JsonForm:
    """How values of a type are encoded and decoded."""
    if marks := _annotations(hint):
        declared = next((mark for mark in marks if isinstance(mark, JsonForm)), None)
        bare = hint.__origin__
        return declared or (_row_form(bare) if _ROW in marks else json_form(bare))
    if hint in _LEAF_FORMS:
        return _LEAF_FORMS[hint]
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (UnionType, Union):
        return _union_form(inner)
    if origin is Literal:
        return JsonForm(None, partial(_check_one_of, inner))
    if origin is tuple:
        return _tuple_form(inner)
    if origin is not None:
        return _collection_form(hint, origin, inner)
    return _class_form(hint)


def _annotations(hint: Any) -> tuple[Any, ...]:
    return hint.__metadata__ if get_origin(hint) is Annotated else ()


def _make_writer(
    head: Json, forms: Mapping[str, JsonForm], left_out: Sequence[tuple[str, str, Any]]
) -> Callable[[Any], Json]:
    plan = tuple((field, field_form.out) for field, field_form in forms.items())

    def encode(record: Any) -> Json:
        document = head.copy()
        for (field, write), value in zip(plan, record, strict=True):
            document[field] = value if write is None else write(value)
        return document

    def encode_short(record: Any) -> Json:
        document = encode(record)
        for field, stored_name, default in left_out:
            if getattr(record, field) == default:
                del document[stored_name]
        return document

    return encode_short if left_out else encode


def _make_reader(
    kind: Any, head: int, forms: Mapping[str, JsonForm], defaults: Json
) -> Callable[[Mapping[str, Any]], Any]:
    needed = tuple(
        (field, field_form.into) for field, field_form in forms.items() if field not in defaults
    )
    others = tuple((field, forms[field].into, default) for field, default in defaults.items())
    size = head + len(needed)
    make_record = partial(tuple.__new__, kind)

    def decode(document: Mapping[str, Any]) -> Any:
        try:
            values = [read(document[field]) for field, read in needed]
        except KeyError:
            if any(field not in document for field, _ in needed):
                raise WrongFields(forms) from None
            raise
        extra_fields = len(document) - size
        for field, read, default in others:
            if field in document:
                values.append(read(document[field]))
                extra_fields -= 1
            else:
                values.append(default)
        if extra_fields:
            raise WrongFields(forms)
        return make_record(values)

    return decode


class WrongFields(Exception):
    """The wrong set of fields."""

    def __init__(self, expected: Iterable[str]) -> None:
        names = list(expected)
        super().__init__(
            say("streams.fields.holds", known=names) if names else say("streams.fields.holds-none")
        )


def _row_form(kind: Any) -> JsonForm:
    """A record as the list of its values."""
    inner = _tuple_form(tuple(get_type_hints(kind, include_extras=True).values()))
    make_record = partial(tuple.__new__, kind)
    return JsonForm(inner.out, lambda values: make_record(inner.into(values)))


def _class_form(hint: Any) -> JsonForm:
    if hasattr(hint, "_fields"):
        return _nested_form(hint)
    if hasattr(hint, "__supertype__"):
        return json_form(hint.__supertype__)
    if issubclass(hint, BaseModel):
        encode = partial(hint.model_dump, mode="json", exclude_defaults=True)
        return JsonForm(encode, hint.model_validate)
    return _plain_form(hint)


def _nested_form(kind: Any) -> JsonForm:
    """A record as an object within another."""
    _, out, read = record_fields(kind)

    def decode(document: Any) -> Any:
        try:
            return read(_check_type(dict, document))
        except WrongFields as error:
            message = say("streams.fields.within", value=repr(document), odd=sentence_of(error))
            raise ValueError(message) from None

    return JsonForm(out, decode)


def _collection_form(hint: Any, origin: Any, inner: tuple[Any, ...]) -> JsonForm:
    """Objects and lists; their values are unchecked if the hint is Any."""
    assert inner[-1] is Any or inner[0] is str, f"{hint} has no form on record"
    if inner[-1] is Any:
        return _plain_form(list if origin is list else dict)
    encode, decode = json_form(inner[-1])

    def read(document: Any) -> Json:
        return {name: decode(value) for name, value in _check_type(dict, document).items()}

    if encode is None:
        return JsonForm(dict, read)
    return JsonForm(lambda values: {name: encode(value) for name, value in values.items()}, read)


def _tuple_form(inner: tuple[Any, ...]) -> JsonForm:
    if inner[-1:] == (Ellipsis,):
        encode, decode = json_form(inner[0])
        encode_all = list if encode is None else lambda values: [encode(value) for value in values]
        return JsonForm(
            encode_all,
            lambda document: tuple([decode(value) for value in _check_type(list, document)]),
        )
    forms = tuple(json_form(hint) for hint in inner)
    outs = tuple(element.out or _identity for element in forms)
    intos = tuple(element.into for element in forms)
    return JsonForm(
        lambda values: [out(value) for out, value in zip(outs, values, strict=True)],
        lambda document: tuple(
            [into(value) for into, value in zip(intos, _check_type(list, document), strict=True)]
        ),
    )


def _union_form(inner: tuple[Any, ...]) -> JsonForm:
    """An optional value, or one of several plain types."""
    kinds = tuple(kind for kind in inner if kind is not NoneType)
    if len(kinds) == 1:
        encode, decode = json_form(kinds[0])
    else:
        assert set(kinds) <= _PLAIN, f"{inner} are no plain types"
        encode, decode = None, partial(_check_any_of, kinds)
    if len(kinds) == len(inner):
        return JsonForm(encode, decode)
    encode_optional = (
        None if encode is None else lambda value: None if value is None else encode(value)
    )
    return JsonForm(encode_optional, lambda value: None if value is None else decode(value))


def _check_type(kind: type, value: Any) -> Any:
    if type(value) is not kind:
        raise TypeError(say("streams.fields.type", value=repr(value), kinds=[kind.__name__]))
    return value


def _plain_form(kind: type) -> JsonForm:
    def decode(value: Any) -> Any:  # Repeated here for speed: no function is called more often.
        return value if type(value) is kind else _check_type(kind, value)

    return JsonForm(None, decode)


def _check_any_of(kinds: tuple[type, ...], value: Any) -> Any:
    if type(value) not in kinds:
        names = [kind.__name__ for kind in kinds]
        raise TypeError(say("streams.fields.type", value=repr(value), kinds=names))
    return value


def _check_one_of(choices: tuple[Any, ...], value: Any) -> Any:
    if value not in choices:
        raise ValueError(say("streams.fields.none-of", value=repr(value), known=choices))
    return value


def _parse_datetime(text: str) -> datetime:
    """A datetime with a time zone, so that it can be compared."""
    if (at := datetime.fromisoformat(text)).tzinfo is None:
        raise ValueError(say("streams.fields.no-zone", value=repr(text)))
    return at


def _identity(value: Any) -> Any:
    return value


_PLAIN = {str, int, bool, float}
_LEAF_FORMS: dict[Any, JsonForm] = {
    Any: JsonForm(None, _identity),
    Cents: JsonForm(money, dollars),
    Card: JsonForm(card_name, lambda text: card(_check_type(str, text))),
    datetime: JsonForm(datetime.isoformat, _parse_datetime),
}


# Facts by name and format.


F = TypeVar("F")
One = TypeVar("One")
FactKind = TypeVar("FactKind", bound=type)
StoredFact = Mapping[str, Any]

_UNREADABLE = (PitbookError, LookupError, TypeError, ValueError)
LEDGER_FACTS = (CLAIMED, SNAPSHOT_STORED)  # The ledger's own facts, present in every stream.


class Fact(Protocol):
    """A named tuple, of one of a stream's fact kinds."""

    def _asdict(self) -> dict[str, Any]: ...


class _FactForm(NamedTuple):
    name: str
    format: int | None
    out: Callable[[Any], Json]
    into: Callable[[StoredFact], Any]


class Codec(Generic[F]):
    """Encodes and decodes a stream's facts; `owner` names the stream in errors, such as "a table".

    A kind with a format writes it, and any other format is refused.
    """

    def __init__(self, owner: str, kinds: Mapping[str, type[F]] | None = None) -> None:
        self._owner = owner
        self.kinds: dict[str, type[F]] = {}
        self._names: dict[type, tuple[str, int | None]] = {}
        self._by_name: dict[str, _FactForm] = {}  # Built on first use.
        self._by_kind: dict[type, _FactForm] = {}
        for name, kind in (kinds or {}).items():
            self.fact(name)(kind)

    def fact(self, name: str, *, in_format: int | None = None) -> Callable[[FactKind], FactKind]:
        """Register a named tuple as the fact of that name."""

        def register(kind: FactKind) -> FactKind:
            assert name not in self.kinds, f'{self._owner} has two facts "{name}"'
            self.kinds[name] = kind
            self._names[kind] = name, in_format
            return kind

        return register

    def name(self, kind: type) -> str:
        """The recorded name of a kind of fact."""
        return self._names[kind][0]

    def names(self, *kinds: type) -> list[str]:
        """The recorded names of some kinds of facts."""
        return [*map(self.name, kinds)]

    def dump(self, fact: F) -> Json:
        """The fact as JSON."""
        fact_form = self._by_kind.get(type(fact)) or self._build_form(type(fact))
        return fact_form.out(fact)

    def load(self, stored: StoredFact) -> F:
        """Decode a fact; raises FactError if it is invalid."""
        name = stored.get("fact")
        fact_form = self._by_name.get(name) if type(name) is str else None
        if fact_form is None or fact_form.format != stored.get("format"):
            fact_form = self._form_of(stored)
        try:
            fact: F = fact_form.into(stored)
        except WrongFields as error:
            raise FactError(
                say("streams.odd", name=fact_form.name, odd=sentence_of(error))
            ) from None
        except _UNREADABLE as problem:
            raise _unreadable_fact(fact_form.name, problem) from None
        return fact

    def body(self, fact: F) -> Json:
        """The fact as JSON without its name and format."""
        document = self.dump(fact)
        del document["fact"]
        document.pop("format", None)
        return document

    def dump_all(self, facts: Iterable[F]) -> list[Json]:
        return [self.dump(fact) for fact in facts]

    def load_entry(self, entry: Entry) -> list[F]:
        """The facts in an entry, without the ledger's own."""
        return self.load_all(entry.facts)

    def load_all(self, stored_facts: Iterable[StoredFact]) -> list[F]:
        """Decode several facts, without the ledger's own."""
        return [
            self.load(stored)
            for stored in stored_facts
            if self._fact_name(stored) not in LEDGER_FACTS
        ]

    def load_kind(self, entry: Entry, kind: type[One]) -> list[One]:
        """The facts of one kind in an entry; no other is decoded."""
        names = self.names(kind)
        facts = (self.load(stored) for stored in entry.facts if self._fact_name(stored) in names)
        return [fact for fact in facts if isinstance(fact, kind)]

    def _fact_name(self, stored: StoredFact) -> Any:
        """The name in a stored fact; raises FactError if it is not an object."""
        if not isinstance(stored, Mapping):
            raise FactError(say("streams.no-object", of=self._owner))
        return stored.get("fact")

    def _build_form(self, kind: type) -> _FactForm:
        if kind not in self._names:
            raise FactError(say("streams.no-kind", of=self._owner, kind=kind.__name__))
        name, number = self._names[kind]
        head = {"fact": name} if number is None else {"fact": name, "format": number}
        record = record_fields(kind, head)
        fact_form = _FactForm(name, number, record.out, record.into)
        self._by_name[name] = self._by_kind[kind] = fact_form
        return fact_form

    def _form_of(self, stored: StoredFact) -> _FactForm:
        """How to decode a fact; raises FactError if its name or format is unknown."""
        name = stored.get("fact")
        if not isinstance(name, str) or name not in self.kinds:
            raise FactError(say("streams.no-name", of=self._owner, name=name))
        fact_form = self._by_name.get(name) or self._build_form(self.kinds[name])
        if fact_form.format is not None and fact_form.format != stored.get("format"):
            details = {
                "of": self._owner,
                "found": stored.get("format"),
                "ours": fact_form.format,
                "name": name,
            }
            raise FactError(say("streams.other-format", **details))
        return fact_form


def _unreadable_fact(name: str, error: Exception) -> FactError:
    return FactError(say("streams.unreadable", name=name, why=sentence_of(error)))
