"""Collects the keys used in code with their fields, from calls of `say` and similar functions."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from pitbook.text.catalog import ENGLISH, load_catalog

SOURCE = Path(__file__).resolve().parents[2] / "src" / "pitbook"
# By function, which of its arguments is the key.
SAYS = {"say": 0, "plot_label": 0, "refuse": 1, "refuse_cached": 1}
OF_A_RULE = "rule_text"  # A rule's text: its parts are below.
PARTS = ("label", "subject", "says", "short", "decides", "guest")


class Said(NamedTuple):
    """A key with the fields that may fill its blanks; `whole` and `given` describe the call."""

    place: str
    key: str
    whole: str
    fields: set[str]
    given: set[str]


def said_in_code() -> Iterator[Said]:
    """Every key used, once per call."""
    for path in sorted(SOURCE.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        if any(f"{name}(" in text for name in (*SAYS, OF_A_RULE)):
            yield from _of_module(ast.parse(text), str(path.relative_to(SOURCE)))


def _of_module(module: ast.Module, name: str) -> Iterator[Said]:
    for part in ast.walk(module):
        if isinstance(part, ast.Module | ast.FunctionDef | ast.AsyncFunctionDef):
            yield from _of_function(part, name)


def _of_function(function: ast.AST, name: str) -> Iterator[Said]:
    for call in _calls(function):
        named = call.func.id if isinstance(call.func, ast.Name) else ""
        at = SAYS.get(named, 1 if named == OF_A_RULE else None)
        if at is None or len(call.args) <= at:
            continue
        place = f"{name}:{call.lineno}"
        for key in _keys(call.args[at], function, call.lineno):
            given = set(_field_names(call, function))
            if named != OF_A_RULE:
                yield Said(place, key, key, given, given)
                continue
            given -= {"at", "also"}
            for part in _parts(key):
                yield Said(place, f"{key}.{part}", key, given | {"subject", "says"}, given)


def _calls(function: ast.AST) -> Iterator[ast.Call]:
    """The calls in a function, excluding nested functions."""
    for node in ast.iter_child_nodes(function):
        if isinstance(node, ast.Call):
            yield node
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from _calls(node)


def _field_names(call: ast.Call, function: ast.AST) -> Iterator[str]:
    """The field names of a call; those of `**bet` come from the dict assigned to it."""
    for keyword in call.keywords:
        if keyword.arg is not None:
            yield keyword.arg
            continue
        assert isinstance(keyword.value, ast.Name), ast.unparse(call)
        (fields,) = _set_to(keyword.value.id, function, call.lineno)[-1:]
        assert isinstance(fields, ast.Dict), ast.unparse(call)
        yield from (ast.literal_eval(key) for key in fields.keys if key is not None)


def _keys(given: ast.expr, function: ast.AST, before: int) -> Iterator[str]:
    """The possible keys of an argument: a text, a conditional, or a name assigned one of them."""
    if isinstance(given, ast.Constant) and isinstance(given.value, str):
        yield given.value
    elif isinstance(given, ast.IfExp):
        yield from _keys(given.body, function, before)
        yield from _keys(given.orelse, function, before)
    elif isinstance(given, ast.Name):
        for value in _set_to(given.id, function, before)[-1:]:
            yield from _keys(value, function, value.lineno)


def _set_to(name: str, function: ast.AST, before: int) -> list[ast.expr]:
    expressions: list[ast.expr] = []
    for node in ast.walk(function):
        if isinstance(node, ast.Assign) and node.lineno <= before:
            expressions += _assigned_values(name, node.targets[0], node.value)
        elif isinstance(node, ast.AnnAssign) and node.value and node.lineno <= before:
            expressions += _assigned_values(name, node.target, node.value)
    return sorted(expressions, key=lambda expression: expression.lineno)


def _assigned_values(name: str, target: ast.expr, value: ast.expr) -> Iterator[ast.expr]:
    if isinstance(target, ast.Name) and target.id == name:
        yield value
    elif isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
        for target_element, value_element in zip(target.elts, value.elts, strict=False):
            yield from _assigned_values(name, target_element, value_element)


def _parts(key: str) -> list[str]:
    return [part for part in PARTS if f"{key}.{part}" in load_catalog(ENGLISH).texts]
