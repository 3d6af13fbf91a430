"""Field types of a rule sheet: money, odds, choices with their clause, and read-only tables."""

# No `from __future__ import annotations`: Pydantic would evaluate each text again per class.

from collections.abc import Callable, ItemsView, Iterable, Iterator, KeysView, Mapping, ValuesView
from copy import copy
from types import MappingProxyType
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    Final,
    Generic,
    Literal,
    NoReturn,
    Self,
    TypeVar,
    cast,
    get_args,
)

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    GetCoreSchemaHandler,
    PlainSerializer,
    PlainValidator,
    StringConstraints,
    WithJsonSchema,
)
from pydantic_core import CoreSchema, PydanticCustomError, PydanticKnownError, core_schema

from pitbook.errors import MoneyError, SheetFrozen
from pitbook.money import Cents, Odds, dollars, money, odds
from pitbook.text import say, sentence_of

K = TypeVar("K")
V_co = TypeVar("V_co", covariant=True)


class Entries(Mapping[K, V_co]):
    """An immutable mapping whose order matters, as in a pay table.

    >>> entries = Entries({"flush": 6})
    >>> entries["flush"], entries
    (6, {'flush': 6})
    >>> entries["flush"] = 10
    Traceback (most recent call last):
    ...
    pitbook.errors.SheetFrozen: a sheet cannot be changed in place; ...
    """

    __slots__ = ("_held",)
    _held: MappingProxyType[K, V_co]

    def __init__(self, entries: Mapping[K, V_co] | Iterable[tuple[K, V_co]] = ()) -> None:
        object.__setattr__(self, "_held", MappingProxyType(dict(entries)))

    def __getitem__(self, name: K) -> V_co:
        return self._held[name]

    def __iter__(self) -> Iterator[K]:
        return iter(self._held)

    def __len__(self) -> int:
        return len(self._held)

    def __reversed__(self) -> Iterator[K]:
        return reversed(self._held)

    def keys(self) -> KeysView[K]:
        return self._held.keys()

    def values(self) -> ValuesView[V_co]:
        return self._held.values()

    def items(self) -> ItemsView[K, V_co]:
        return self._held.items()

    def __contains__(self, name: object) -> bool:
        return name in self._held

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Entries):
            return list(self._held.items()) == list(other._held.items())
        return self._held == other

    def __hash__(self) -> int:
        return hash(tuple(self._held.items()))

    def __or__(self, other: Mapping[Any, Any]) -> dict[Any, Any]:
        return {**self._held, **other}

    def __ror__(self, other: Mapping[Any, Any]) -> dict[Any, Any]:
        return {**other, **self._held}

    def __repr__(self) -> str:
        return repr(dict(self._held))

    def __reduce__(self) -> "tuple[type[Entries[K, V_co]], tuple[dict[K, V_co]]]":
        return type(self), (dict(self._held),)

    def _refuse(self, *_: Any, **__: Any) -> NoReturn:
        raise SheetFrozen

    if not TYPE_CHECKING:  # Type checkers see no mutating methods.
        __setitem__ = __delitem__ = __setattr__ = __delattr__ = __ior__ = _refuse
        update = pop = popitem = clear = setdefault = _refuse

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        names, values = get_args(source)
        read = handler.generate_schema(dict[names, values])  # type: ignore[valid-type]
        plain = core_schema.no_info_before_validator_function(_as_dict, read)
        serializer = core_schema.wrap_serializer_function_ser_schema(
            _serialize_entries, schema=read
        )
        return core_schema.no_info_after_validator_function(cls, plain, serialization=serializer)


class Sized:
    """Bounds on the number of entries, applied to the underlying dict schema."""

    def __init__(self, **bounds: int) -> None:
        self.bounds = bounds

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        schema: Any = handler(source)
        inner = schema
        while inner["type"] != "dict":
            inner = inner["schema"]
        inner.update(self.bounds)
        return cast(CoreSchema, schema)


def freeze(value: Any) -> Any:
    """An immutable copy of a value."""
    if isinstance(value, Mapping):
        return Entries({name: freeze(element) for name, element in value.items()})
    if type(value) in (list, tuple):
        return tuple(freeze(element) for element in value)
    return frozenset(value) if isinstance(value, set) else value


def _as_dict(value: Any) -> Any:
    return dict(value) if isinstance(value, Entries) else value


def _serialize_entries(value: Any, write: Any) -> Any:
    return write(dict(value))


T = TypeVar("T")

SLUG = r"[a-z0-9]+(-[a-z0-9]+)*"


class TomlTable(BaseModel):
    """A table of the sheet. Unknown fields are refused, and types are strict."""

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        strict=True,
        defer_build=True,
        validate_by_name=False,
        validate_by_alias=True,
        serialize_by_alias=True,
    )

    def __setattr__(self, name: str, value: Any) -> None:
        raise SheetFrozen

    def __delattr__(self, name: str) -> None:
        raise SheetFrozen

    @property
    def model_fields_set(self) -> frozenset[str]:  # type: ignore[override]
        """The fields that were set."""
        return frozenset(super().model_fields_set)

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """A frozen copy with unvalidated values; `pitbook.changed` validates."""
        return super().model_copy(update=_freeze_fields(update or {}), deep=deep)

    @classmethod
    def model_construct(  # type: ignore[override]
        cls, _fields_set: set[str] | None = None, **values: Any
    ) -> Self:
        """A frozen table with unvalidated values, made in code."""
        return super().model_construct(_fields_set, **_freeze_fields(values))


def _freeze_fields(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: freeze(value) for name, value in values.items()}


class BuildOnce:
    """Reuse the Pydantic schema of a type that many fields share, to load sheets faster."""

    def __init__(self, kind: Any) -> None:
        self.kind = kind
        self.schema: CoreSchema | None = None

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        if self.schema is None:
            self.schema = handler.generate_schema(self.kind)
        schema: Any = dict(self.schema)  # Pydantic adds each field's metadata in place.
        metadata = schema.get("metadata", {})
        schema["metadata"] = {name: copy(value) for name, value in metadata.items()}
        return cast(CoreSchema, schema)


_Clause = Annotated[str, StringConstraints(min_length=1, max_length=40, pattern=r"^\S(.*\S)?$")]
_Words = Annotated[str, StringConstraints(min_length=1, max_length=2000, pattern=r"\S")]
Clause = Annotated[_Clause, BuildOnce(_Clause)]
Words = Annotated[_Words, BuildOnce(_Words)]
Slug = Annotated[str, StringConstraints(pattern=f"^{SLUG}$", max_length=60)]


IN_PART: Final = "in part"


def _validate_mark(mark: Any) -> Any:
    """Validate a mark; a list becomes a tuple."""
    if mark is None or isinstance(mark, bool) or mark == IN_PART:
        return mark
    if isinstance(mark, list | tuple) and mark and all(isinstance(name, str) for name in mark):
        return tuple(mark)
    raise PydanticCustomError("mark", "no mark")


def _serialize_mark(mark: Any) -> Any:
    return list(mark) if isinstance(mark, tuple) else mark


_MARKS = [
    {"type": "boolean"},
    {"const": IN_PART},
    {"type": "array", "items": {"type": "string"}, "minItems": 1},
]
_Mark = Annotated[
    bool | Literal["in part"] | tuple[str, ...] | None,
    PlainValidator(_validate_mark),
    PlainSerializer(_serialize_mark),
    WithJsonSchema({"anyOf": _MARKS}),
]
Mark = Annotated[_Mark, BuildOnce(_Mark)]


class Rule(TomlTable):
    """A table that states a rule: its clause, and our reason if the choice is ours."""

    clause: Clause = Field(description="Where the rule comes from, as in CMS-9.")
    note: Words | None = Field(
        default=None, description="Our reason, where the document is silent or contradicts itself."
    )
    ours: Mark = Field(
        default=None,
        description="Whose choice it is: true where the document is silent and we chose, "
        '"in part" where it says half of it, or the fields that are ours, as in ["min", "max"] or '
        '["pays.flush"]. Left out: the document\'s, or ours where a GEN clause is cited.',
    )


class Choice(Rule, Generic[T]):
    """One decision of the house: { is = ..., clause = ..., note = ... }."""

    value: T = Field(alias="is", description="What the house chose.")


def choice_field(value: T, clause: str) -> Any:
    """A choice with a default for sheets that leave it out."""
    return Field(default=choice(value, clause))


def choice(value: T, clause: str) -> Choice[T]:
    """A choice made in code."""
    return Choice[Any].model_construct(value=value, clause=clause, note=None)


class Stated(Rule, Generic[T]):
    """A rule without alternatives, written like a choice."""

    value: T = Field(alias="is", description="What holds.")


def optional_field(description: str, default: Any = None) -> Any:
    """A field that is serialized only if set, so that older sheets keep their form."""
    return Field(
        default=default, description=description, exclude_if=lambda value: value == default
    )


def stated_field(value: T, clause: str) -> Any:
    """A rule that holds whether or not a sheet states it."""
    rule = Stated[Any].model_construct(value=value, clause=clause, note=None)
    return Field(default=rule, json_schema_extra=DESCRIPTIVE)


# For a field that names or describes something and has no effect.
DESCRIPTIVE: Any = {"descriptive": True}


def descriptive_field(**options: Any) -> Any:
    """A field without effect on results; the schema says so."""
    return Field(**options, json_schema_extra=DESCRIPTIVE)


def from_text(read: Callable[[str], Any], example: str) -> Callable[[Any], Any]:
    """A Pydantic validator that parses text."""

    def parse(text: Any) -> Any:
        if not isinstance(text, str):
            raise PydanticCustomError("text", "text as in {example}", {"example": example})
        try:
            return read(text)
        except MoneyError as error:
            raise PydanticCustomError("money", "{reason}", {"reason": sentence_of(error)}) from None

    return parse


def _positive_money(text: str) -> Cents:
    amount = dollars(text)
    if not amount:
        raise MoneyError(say("money.nothing", text=text))
    return amount


_Money = Annotated[
    Cents,
    BeforeValidator(from_text(_positive_money, '"10" or "10.00"')),
    PlainSerializer(money, return_type=str),
    WithJsonSchema({"type": "string", "pattern": r"^[0-9]+(\.[0-9]{2})?$", "examples": ["10"]}),
]
Money = Annotated[_Money, BuildOnce(_Money)]

_ODDS_SCHEMA = {"type": "string", "pattern": "^[0-9]+:[0-9]+$", "examples": ["500:1"]}
OddsText = Annotated[
    Odds,
    BeforeValidator(from_text(odds, '"500:1"')),
    PlainSerializer(str, return_type=str),
    WithJsonSchema(_ODDS_SCHEMA),
]


def _validate_format(value: Any) -> Any:
    if type(value) is not int or value != 1:  # Python equates true and 1.0 with 1.
        raise PydanticKnownError("literal_error", {"expected": "1"})
    return value


Format = Annotated[Literal[1], BeforeValidator(_validate_format)]

Push = Literal["push"]


def _parse_pay(text: str) -> Odds | Push:
    if text == "push":
        return "push"
    try:
        return odds(text)
    except MoneyError:
        raise MoneyError(say("money.no-pay", text=text)) from None


Pay = Annotated[
    Odds | Push,
    BeforeValidator(from_text(_parse_pay, '"3:1" or "push"')),
    PlainSerializer(str, return_type=str),
    WithJsonSchema({"type": "string", "pattern": "^([0-9]+:[0-9]+|push)$", "examples": ["3:1"]}),
]

Pays = Annotated[
    Entries[str, Pay],
    Sized(min_length=1, max_length=200),
    Field(description="Outcome = odds; what is not listed loses."),
]
Count = Annotated[int, Field(ge=1, le=52)]
Order = Annotated[tuple[T, ...], Field(strict=False)]

Direction = Literal["left-to-right", "right-to-left"]
