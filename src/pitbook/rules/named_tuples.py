"""Faster copies of named tuples."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

AnyRecord = TypeVar("AnyRecord", bound=tuple[Any, ...])


def fast_replace(record: type[AnyRecord]) -> type[AnyRecord]:
    """Give a NamedTuple a `_replace` that copies all fields at once, not one by one."""
    indexes = {name: index for index, name in enumerate(record._fields)}  # type: ignore[attr-defined]
    new_tuple = tuple.__new__

    def replace(self: AnyRecord, /, **changes: Any) -> AnyRecord:
        values = list(self)
        for name, value in changes.items():
            if name not in indexes:
                raise ValueError(f"Got unexpected field names: {[name]!r}")
            values[indexes[name]] = value
        return new_tuple(record, values)

    record._replace = replace  # type: ignore[attr-defined]
    return record


def replacer(record: type[AnyRecord], *fields: str) -> Callable[..., AnyRecord]:
    """A function that copies a record with just these fields changed, in this order.

    Compiled like a NamedTuple's constructor: it takes half the time of `_replace`. A plain tuple,
    `self[:]`, unpacks faster than a record.
    """
    names: tuple[str, ...] = record._fields  # type: ignore[attr-defined]
    assert set(fields) <= set(names), fields
    old = ", ".join(f"_{name}" for name in names)
    new = ", ".join(name if name in fields else f"_{name}" for name in names)
    signature = ", ".join(fields)
    body = (
        f"def changed(self, {signature}):\n    {old} = self[:]\n    return make(record, ({new},))\n"
    )
    namespace: dict[str, Any] = {"make": tuple.__new__, "record": record}
    exec(compile(body, f"<{record.__name__} changing {signature}>", "exec"), namespace)  # noqa: S102
    changed: Callable[..., AnyRecord] = namespace["changed"]
    return changed
