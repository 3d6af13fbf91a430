"""Facts as the ledger keeps them and back, by their own types: one way for every stream.

A fact is a named tuple with a name on record:

    TABLE: Codec[Fact] = Codec("a table")

    @TABLE.fact("sat")
    class Sat(NamedTuple):
        seat: int
        player: str
        given: Cents  # Dollars, as text.

    TABLE.dump(Sat(1, "Ann", Cents(500)))  # {"fact": "sat", "seat": 1, ...}
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from pitbook.errors import FactError, PitbookError
from pitbook.house.ledger.batch import KEPT, TAKEN_OVER
from pitbook.house.ledger.chain import Entry
from pitbook.house.streams.fields import Json, Odd, fields
from pitbook.text import say, sentence_of

F = TypeVar("F")
One = TypeVar("One")
FactKind = TypeVar("FactKind", bound=type)
Kept = Mapping[str, Any]
Upcasts = Mapping[tuple[str, int], Callable[[Json], Json]]

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

    A kind with a format writes it. What was written in an older one, or under a name that is gone,
    is led to today's by `upcasts`: (name, format) gives a function from that JSON to the next.
    A fact without a format is of format 1.
    """

    def __init__(
        self,
        of: str,
        kinds: Mapping[str, type[F]] | None = None,
        *,
        upcasts: Upcasts | None = None,
    ) -> None:
        self._of, self._upcasts = of, dict(upcasts or {})
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
        """What facts of some kinds may be called on record, by names that are gone too."""
        return [*map(self.name, kinds), *self._gone]

    @property
    def _gone(self) -> set[str]:
        return {name for name, _ in self._upcasts if name not in self.kinds}

    def dump(self, fact: F) -> Json:
        """The fact as the ledger keeps it."""
        way = self._by_kind.get(type(fact)) or self._worked_out(type(fact))
        return way.out(fact)

    def load(self, kept: Kept) -> F:
        """The fact that was kept; raises FactError for what is none."""
        name = kept.get("fact")
        way = self._by_name.get(name) if type(name) is str else None
        if way is None or way.format != kept.get("format"):
            kept, way = self._of_today(kept)
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

    def dumped(self, facts: Iterable[F]) -> list[Json]:
        """Several facts, as the ledger keeps them."""
        return [self.dump(fact) for fact in facts]

    def told(self, entry: Entry) -> list[F]:
        """What an entry says; the facts of the ledger's own are left out."""
        return self.loaded(entry.facts)

    def loaded(self, kept: Iterable[Kept]) -> list[F]:
        """Several facts that were kept; those of the ledger's own are left out."""
        return [self.load(one) for one in kept if self._named_so(one) not in OURS]

    def of(self, entry: Entry, kind: type[One]) -> list[One]:
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

    def _of_today(self, kept: Kept) -> tuple[Kept, _Way]:
        """The fact in today's form, and how that is read."""
        while step := self._upcasts.get((str(kept.get("fact")), _number(kept))):
            kept = _led_on(step, kept)
        name = kept.get("fact")
        if not isinstance(name, str) or name not in self.kinds:
            raise FactError(say("streams.no-name", of=self._of, name=name))
        way = self._by_name.get(name) or self._worked_out(self.kinds[name])
        if way.format is not None and way.format != kept.get("format"):
            said = {"of": self._of, "found": kept.get("format"), "ours": way.format, "name": name}
            raise FactError(say("streams.other-format", **said))
        return kept, way


def _led_on(step: Callable[[Json], Json], kept: Kept) -> Json:
    """A fact in its next form; one that never had the form it says is refused as any other."""
    try:
        return step(dict(kept))
    except _UNREADABLE as wrong:
        raise _unreadable(str(kept["fact"]), wrong) from None


def _number(kept: Kept) -> int:
    """The format of a fact, 1 where it says none; 0 for what is no number."""
    said = kept.get("format", 1)
    return said if type(said) is int else 0


def _unreadable(name: str, wrong: Exception) -> FactError:
    return FactError(say("streams.unreadable", name=name, why=sentence_of(wrong)))
