"""Encode typed facts as JSON for the ledger, and decode them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
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
from pitbook.house.ledger.batch import KEPT, TAKEN_OVER
from pitbook.house.ledger.chain import Entry
from pitbook.money import Cents, dollars, money
from pitbook.text import say, sentence_of

# Types and their JSON forms.


Json = dict[str, Any]
T = TypeVar("T")
Out = Callable[[Any], Any]
Into = Callable[[Any], Any]


class Form(NamedTuple):
    """How a value is written and read; an annotation, where its type alone does not say.

    `out` is None for what JSON has as it is. `into` raises TypeError, ValueError or a PitbookError.
    """

    out: Out | None
    into: Into


_LEFT_OUT, _ROW = object(), object()
LeftOut: TypeAlias = Annotated[T, _LEFT_OUT]  # Not written where it has its default.
Row: TypeAlias = Annotated[T, _ROW]  # A record that is written as a list, not as an object.


class Fields(NamedTuple):
    """A record's fields on record: `out` gives them as JSON, `into` makes the record of that."""

    names: tuple[str, ...]
    out: Callable[[Any], Json]
    into: Callable[[Mapping[str, Any]], Any]


def fields(kind: Any, head: Mapping[str, Any] | None = None) -> Fields:
    """How a named tuple is written as an object, behind a head that is always the same."""
    hints = get_type_hints(kind, include_extras=True)
    forms = {field: form(hint) for field, hint in hints.items()}
    left_out = {field for field, hint in hints.items() if _LEFT_OUT in _marks(hint)}
    defaults: Json = kind._field_defaults
    return Fields(
        tuple(hints),
        _writer(dict(head or {}), forms, {field: defaults[field] for field in left_out}),
        _reader(kind, len(head or {}), forms, defaults),
    )


def form(hint: Any) -> Form:
    """How values of a type are written and read."""
    if marks := _marks(hint):
        said = next((one for one in marks if isinstance(one, Form)), None)
        bare = hint.__origin__
        return said or (_row(bare) if _ROW in marks else form(bare))
    if hint in _LEAVES:
        return _LEAVES[hint]
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (UnionType, Union):
        return _either(inner)
    if origin is Literal:
        return Form(None, partial(_one_of, inner))
    if origin is tuple:
        return _tuple(inner)
    if origin is not None:
        return _collection(hint, origin, inner)
    return _class(hint)


def _marks(hint: Any) -> tuple[Any, ...]:
    return hint.__metadata__ if get_origin(hint) is Annotated else ()


def _writer(head: Json, forms: Mapping[str, Form], left_out: Json) -> Callable[[Any], Json]:
    plan = tuple((field, one.out) for field, one in forms.items())

    def out(record: Any) -> Json:
        kept = head.copy()
        for (field, write), value in zip(plan, record, strict=True):
            kept[field] = value if write is None else write(value)
        return kept

    def shorter(record: Any) -> Json:
        kept = out(record)
        for field, default in left_out.items():
            if getattr(record, field) == default:
                del kept[field]
        return kept

    return shorter if left_out else out


def _reader(
    kind: Any, head: int, forms: Mapping[str, Form], defaults: Json
) -> Callable[[Mapping[str, Any]], Any]:
    needed = tuple((field, one.into) for field, one in forms.items() if field not in defaults)
    others = tuple((field, forms[field].into, default) for field, default in defaults.items())
    size = head + len(needed)
    made = partial(tuple.__new__, kind)

    def into(kept: Mapping[str, Any]) -> Any:
        try:
            values = [read(kept[field]) for field, read in needed]
        except KeyError:
            if any(field not in kept for field, _ in needed):
                raise Odd(forms) from None
            raise
        spare = len(kept) - size
        for field, read, default in others:
            if field in kept:
                values.append(read(kept[field]))
                spare -= 1
            else:
                values.append(default)
        if spare:
            raise Odd(forms)
        return made(values)

    return into


class Odd(Exception):
    """Fields that are missing, or that nobody knows."""

    def __init__(self, known: Iterable[str]) -> None:
        names = list(known)
        super().__init__(
            say("streams.fields.holds", known=names) if names else say("streams.fields.holds-none")
        )


def _row(kind: Any) -> Form:
    """A record as the list of its values."""
    inner = _tuple(tuple(get_type_hints(kind, include_extras=True).values()))
    made = partial(tuple.__new__, kind)
    return Form(inner.out, lambda kept: made(inner.into(kept)))


def _class(hint: Any) -> Form:
    if hasattr(hint, "_fields"):
        return _nested(hint)
    if hasattr(hint, "__supertype__"):
        return form(hint.__supertype__)
    if issubclass(hint, dict):  # A TypedDict: free, with words for who reads it.
        return _plain(dict)
    if issubclass(hint, BaseModel):
        written = partial(hint.model_dump, mode="json", exclude_defaults=True)
        return Form(written, hint.model_validate)
    return _plain(hint)


def _nested(kind: Any) -> Form:
    """A record as an object within another."""
    _, out, read = fields(kind)

    def into(kept: Any) -> Any:
        try:
            return read(_typed(dict, kept))
        except Odd as odd:
            within = say("streams.fields.within", value=repr(kept), odd=sentence_of(odd))
            raise ValueError(within) from None

    return Form(out, into)


def _collection(hint: Any, origin: Any, inner: tuple[Any, ...]) -> Form:
    """Objects and lists; what they hold is free where it is anything."""
    assert inner[-1] is Any or inner[0] is str, f"{hint} has no form on record"
    if inner[-1] is Any:
        return _plain(list if origin is list else dict)
    out, into = form(inner[-1])

    def read(kept: Any) -> Json:
        return {name: into(one) for name, one in _typed(dict, kept).items()}

    if out is None:
        return Form(dict, read)
    return Form(lambda value: {name: out(one) for name, one in value.items()}, read)


def _tuple(inner: tuple[Any, ...]) -> Form:
    if inner[-1:] == (Ellipsis,):
        out, into = form(inner[0])
        written = list if out is None else lambda many: [out(one) for one in many]
        return Form(written, lambda kept: tuple([into(one) for one in _typed(list, kept)]))
    each = tuple(form(one) for one in inner)
    outs = tuple(one.out or _same for one in each)
    intos = tuple(one.into for one in each)
    return Form(
        lambda many: [out(one) for out, one in zip(outs, many, strict=True)],
        lambda kept: tuple(
            [into(one) for into, one in zip(intos, _typed(list, kept), strict=True)]
        ),
    )


def _either(inner: tuple[Any, ...]) -> Form:
    """A value that may be missing; or one of several plain types."""
    known = tuple(one for one in inner if one is not NoneType)
    if len(known) == 1:
        out, into = form(known[0])
    else:
        assert set(known) <= _PLAIN, f"{inner} are no plain types"
        out, into = None, partial(_any_of, known)
    if len(known) == len(inner):
        return Form(out, into)
    written = None if out is None else lambda one: None if one is None else out(one)
    return Form(written, lambda kept: None if kept is None else into(kept))


def _typed(kind: type, kept: Any) -> Any:
    if type(kept) is not kind:
        raise TypeError(say("streams.fields.type", value=repr(kept), kinds=[kind.__name__]))
    return kept


def _plain(kind: type) -> Form:
    def into(kept: Any) -> Any:  # Said once more: nothing is read more often.
        return kept if type(kept) is kind else _typed(kind, kept)

    return Form(None, into)


def _any_of(kinds: tuple[type, ...], kept: Any) -> Any:
    if type(kept) not in kinds:
        names = [kind.__name__ for kind in kinds]
        raise TypeError(say("streams.fields.type", value=repr(kept), kinds=names))
    return kept


def _one_of(known: tuple[Any, ...], kept: Any) -> Any:
    if kept not in known:
        raise ValueError(say("streams.fields.none-of", value=repr(kept), known=known))
    return kept


def _moment(kept: str) -> datetime:
    """A moment that can be held against others; one without a zone cannot."""
    if (at := datetime.fromisoformat(kept)).tzinfo is None:
        raise ValueError(say("streams.fields.no-zone", value=repr(kept)))
    return at


def _same(value: Any) -> Any:
    return value


_PLAIN = {str, int, bool, float}
_LEAVES: dict[Any, Form] = {
    Any: Form(None, _same),
    Cents: Form(money, dollars),
    Card: Form(card_name, lambda kept: card(_typed(str, kept))),
    datetime: Form(datetime.isoformat, _moment),
}


# Facts by name and format.


F = TypeVar("F")
One = TypeVar("One")
FactKind = TypeVar("FactKind", bound=type)
Kept = Mapping[str, Any]

_UNREADABLE = (PitbookError, LookupError, TypeError, ValueError)
OURS = (TAKEN_OVER, KEPT)  # Facts of the ledger's own, which stand in every stream.


class Fact(Protocol):
    """A named tuple, of one of the kinds that a stream knows."""

    def _asdict(self) -> dict[str, Any]: ...


class _Way(NamedTuple):
    name: str
    format: int | None
    out: Callable[[Any], Json]
    into: Callable[[Kept], Any]


class Codec(Generic[F]):
    """How the facts of some kinds are written and read; `of` says whose they are: "a table".

    A kind with a format writes it, and any other format is refused.
    """

    def __init__(self, of: str, kinds: Mapping[str, type[F]] | None = None) -> None:
        self._of = of
        self.kinds: dict[str, type[F]] = {}
        self._named: dict[type, tuple[str, int | None]] = {}
        self._by_name: dict[str, _Way] = {}  # Worked out when one is first met.
        self._by_kind: dict[type, _Way] = {}
        for name, kind in (kinds or {}).items():
            self.fact(name)(kind)

    def fact(self, name: str, *, in_format: int | None = None) -> Callable[[FactKind], FactKind]:
        """Make a named tuple the fact of that name."""

        def registered(kind: FactKind) -> FactKind:
            assert name not in self.kinds, f'{self._of} has two facts "{name}"'
            self.kinds[name] = kind
            self._named[kind] = name, in_format
            return kind

        return registered

    def name(self, kind: type) -> str:
        """What a kind of fact is called on record."""
        return self._named[kind][0]

    def names(self, *kinds: type) -> list[str]:
        """What facts of some kinds are called on record."""
        return [*map(self.name, kinds)]

    def dump(self, fact: F) -> Json:
        """The fact as the ledger keeps it."""
        way = self._by_kind.get(type(fact)) or self._worked_out(type(fact))
        return way.out(fact)

    def load(self, kept: Kept) -> F:
        """The fact that was kept; raises FactError for what is none."""
        name = kept.get("fact")
        way = self._by_name.get(name) if type(name) is str else None
        if way is None or way.format != kept.get("format"):
            way = self._way_of(kept)
        try:
            read: F = way.into(kept)
        except Odd as odd:
            raise FactError(say("streams.odd", name=way.name, odd=sentence_of(odd))) from None
        except _UNREADABLE as wrong:
            raise _unreadable(way.name, wrong) from None
        return read

    def body(self, fact: F) -> Json:
        """What the ledger keeps of a fact, without its name and format."""
        kept = self.dump(fact)
        del kept["fact"]
        kept.pop("format", None)
        return kept

    def dump_all(self, facts: Iterable[F]) -> list[Json]:
        """Several facts, as the ledger keeps them."""
        return [self.dump(fact) for fact in facts]

    def load_entry(self, entry: Entry) -> list[F]:
        """What an entry says; the facts of the ledger's own are left out."""
        return self.load_all(entry.facts)

    def load_all(self, kept: Iterable[Kept]) -> list[F]:
        """Several facts that were kept; those of the ledger's own are left out."""
        return [self.load(one) for one in kept if self._named_so(one) not in OURS]

    def load_kind(self, entry: Entry, kind: type[One]) -> list[One]:
        """The facts of one kind that an entry has; no other is read."""
        names = self.names(kind)
        read = (self.load(kept) for kept in entry.facts if self._named_so(kept) in names)
        return [fact for fact in read if isinstance(fact, kind)]

    def _named_so(self, kept: Kept) -> Any:
        """What a fact calls itself; raises FactError for what is no object."""
        if not isinstance(kept, Mapping):
            raise FactError(say("streams.no-object", of=self._of))
        return kept.get("fact")

    def _worked_out(self, kind: type) -> _Way:
        if kind not in self._named:
            raise FactError(say("streams.no-kind", of=self._of, kind=kind.__name__))
        name, number = self._named[kind]
        head = {"fact": name} if number is None else {"fact": name, "format": number}
        made = fields(kind, head)
        way = _Way(name, number, made.out, made.into)
        self._by_name[name] = self._by_kind[kind] = way
        return way

    def _way_of(self, kept: Kept) -> _Way:
        """How a fact is read; raises FactError if its name or format is unknown."""
        name = kept.get("fact")
        if not isinstance(name, str) or name not in self.kinds:
            raise FactError(say("streams.no-name", of=self._of, name=name))
        way = self._by_name.get(name) or self._worked_out(self.kinds[name])
        if way.format is not None and way.format != kept.get("format"):
            said = {"of": self._of, "found": kept.get("format"), "ours": way.format, "name": name}
            raise FactError(say("streams.other-format", **said))
        return way


def _unreadable(name: str, wrong: Exception) -> FactError:
    return FactError(say("streams.unreadable", name=name, why=sentence_of(wrong)))
