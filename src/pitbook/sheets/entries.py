"""Named entries of a sheet, as pay lines and side wagers: read like a dict, written by nobody."""

from __future__ import annotations

from collections.abc import ItemsView, Iterable, Iterator, KeysView, Mapping, ValuesView
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar, cast, get_args

from pydantic import GetCoreSchemaHandler
from pydantic_core import CoreSchema, core_schema

from pitbook.errors import SheetFrozen

K = TypeVar("K")
V_co = TypeVar("V_co", covariant=True)


class Entries(Mapping[K, V_co]):
    """A mapping that cannot be changed; its order counts, as in a pay table.

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
        """The names, in their order."""
        return self._held.keys()

    def values(self) -> ValuesView[V_co]:
        """What stands beside the names."""
        return self._held.values()

    def items(self) -> ItemsView[K, V_co]:
        """Names and values."""
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

    def __reduce__(self) -> tuple[type[Entries[K, V_co]], tuple[dict[K, V_co]]]:
        return type(self), (dict(self._held),)

    def _refused(self, *_: Any, **__: Any) -> NoReturn:
        raise SheetFrozen

    if not TYPE_CHECKING:  # A reader of types knows of no way to change them.
        __setitem__ = __delitem__ = __setattr__ = __delattr__ = __ior__ = _refused
        update = pop = popitem = clear = setdefault = _refused

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        names, values = get_args(source)
        read = handler.generate_schema(dict[names, values])  # type: ignore[valid-type]
        plain = core_schema.no_info_before_validator_function(_plain, read)
        written = core_schema.wrap_serializer_function_ser_schema(_written, schema=read)
        return core_schema.no_info_after_validator_function(cls, plain, serialization=written)


class Sized:
    """How many entries there may be, told of the dict that they are read from."""

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


def firm(value: Any) -> Any:
    """A value of a sheet with no container in it that could be written to."""
    if isinstance(value, Mapping):
        return Entries({name: firm(one) for name, one in value.items()})
    if type(value) in (list, tuple):
        return tuple(firm(one) for one in value)
    return frozenset(value) if isinstance(value, set) else value


def _plain(given: Any) -> Any:
    return dict(given) if isinstance(given, Entries) else given


def _written(value: Any, write: Any) -> Any:
    return write(dict(value))
