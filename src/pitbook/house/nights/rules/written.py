"""Fields as TOML, the way somebody would write them: plain ones, tables, lists of tables."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any


def written(fields: Mapping[str, Any]) -> str:
    """The text of a file that holds these fields, and nothing that a form does not know.

    >>> print(written({"title": "Stud", "buy_in": {"costs": "60"}}), end="")
    title = "Stud"
    <BLANKLINE>
    [buy_in]
    costs = "60"
    """
    plain: list[str] = []
    parts: list[list[str]] = []
    for key, value in _there(fields):
        if _is_tables(value):
            parts += [[f"[[{_key(key)}]]", *_lines(one)] for one in value]
        elif isinstance(value, dict):
            parts.append([f"[{_key(key)}]", *_lines(value)])
        else:
            plain.append(f"{_key(key)} = {_value(value)}")
    return "\n\n".join("\n".join(part) for part in (plain, *parts)) + "\n"


def _is_tables(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(one, dict) for one in value)


def _lines(table: Mapping[str, Any]) -> Iterable[str]:
    return (f"{_key(key)} = {_value(value)}" for key, value in _there(table))


def _there(table: Mapping[str, Any]) -> Iterable[tuple[str, Any]]:
    """TOML has no word for nothing: what is nothing is left out."""
    return ((key, value) for key, value in table.items() if value is not None)


def _key(key: str) -> str:
    bare = key.isascii() and key.replace("-", "").replace("_", "").isalnum()
    return key if bare else _text(key)


def _value(value: Any) -> str:
    if isinstance(value, dict):
        inside = ", ".join(_lines(value))
        return f"{{ {inside} }}" if inside else "{}"
    if isinstance(value, list):
        return f"[{', '.join(_value(one) for one in value if one is not None)}]"
    return _text(value) if isinstance(value, str) else json.dumps(value)


def _text(text: str) -> str:
    """As JSON has it, and so does TOML, but for one character that TOML must not hold."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
