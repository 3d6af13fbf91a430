"""Sentences that code says by itself, where a key of the catalogues should stand."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path

from pitbook import errors

SOURCE = Path(__file__).resolve().parents[2] / "src" / "pitbook"
NOES = {"Refusal": 1, "Problem": 1}  # By what is made, which of its arguments is the message.
TREE = tuple(name for name, one in vars(errors).items() if isinstance(one, type))
ERRORS = ("Error", *TREE)  # As the names of errors end.
# Raised to programmers and to pydantic, whose messages `sheets.wording` translates.
MISUSE = {"AssertionError", "PydanticCustomError", "PydanticKnownError", "ValueError"}
WORDS = re.compile("[a-z]{2,} [a-z]{2,}")
SQL = re.compile(r"\b(CREATE|SELECT)\b")
COMMENT = ": "  # How a line of an event stream begins that clients ignore.
PROGRAM = "pitbook \0"  # The program's name and its version.
# By what prints, how many of its arguments are text: what comes behind is a style or a hint.
PRINTS = {"print": 9, "tell": 9, "plain": 1, "BadParameter": 1}
SPOKEN = re.compile("[A-Za-z]{2,}[,;:]? [a-z]{2,}|[a-z]{2,} \0|\0 [a-z]{2,}")  # \0: a value.
FOUND = {"Finding": 2, "error": 0, "misnamed": 0, "_error": 0}  # The same of findings.


def literal_noes(*packages: str, only: tuple[str, ...] = ()) -> Iterator[str]:
    """Every refusal and error of some packages whose message is written where it is made."""
    for package in packages:
        for path in sorted((SOURCE / package).rglob("*.py")):
            name = path.relative_to(SOURCE).as_posix()
            for line, made in _of_module(path):
                if not only or made in only:
                    yield f"{name}:{line}"


@cache
def _of_module(path: Path) -> tuple[tuple[int, str], ...]:
    return tuple(literals_in(ast.parse(path.read_text(encoding="utf-8"))))


def literal_findings(*packages: str) -> Iterator[str]:
    """Every finding of some packages whose message is written where it is made."""
    for package in packages:
        for path in sorted((SOURCE / package).rglob("*.py")):
            module = ast.parse(path.read_text(encoding="utf-8"))
            texts = dict(_texts(module.body))
            for function in (one for one in ast.walk(module) if isinstance(one, ast.FunctionDef)):
                known = texts | dict(_texts(list(ast.walk(function))))
                for call in (one for one in ast.walk(function) if isinstance(one, ast.Call)):
                    at = FOUND.get(_named(call), len(call.args))
                    if len(call.args) > at and _is_text(call.args[at], known):
                        yield f"{path.relative_to(SOURCE).as_posix()}:{call.lineno}"


def literal_prints(*packages: str) -> Iterator[str]:
    """Every print of some packages, and every misuse, whose words are written where it is made."""
    for package in packages:
        for path in sorted((SOURCE / package).rglob("*.py")):
            module = ast.parse(path.read_text(encoding="utf-8"))
            for call in (one for one in ast.walk(module) if isinstance(one, ast.Call)):
                if any(_has_words(one) for one in call.args[: PRINTS.get(_called(call), 0)]):
                    yield f"{path.relative_to(SOURCE).as_posix()}:{call.lineno}"


def _called(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else _named(call)


def _has_words(given: ast.expr) -> bool:
    """Whether a text within has words of its own; a key has none."""
    found = [one for one in ast.walk(given) if isinstance(one, ast.JoinedStr)]
    plain = [one for one in ast.walk(given) if isinstance(one, ast.Constant)]
    texts = ["".join(map(_text, one.values)) for one in found] + [_text(one) for one in plain]
    return any(SPOKEN.search(one.removeprefix("pitbook: ")) for one in texts if one != PROGRAM)


def _text(part: ast.expr) -> str:
    is_text = isinstance(part, ast.Constant) and isinstance(part.value, str)
    return str(part.value) if is_text else "\0"  # type: ignore[attr-defined]


def literal_reasons(*packages: str) -> Iterator[str]:
    """Every module of some packages with a function that returns its own words, or None."""
    return _with_such("str | None:", _returns_words, packages)


def literal_tellings(*packages: str) -> Iterator[str]:
    """Every module of some packages with a function that yields sentences of its own."""
    return _with_such("Iterator[str]:", _yields_words, packages)


def _with_such(
    mark: str, is_such: Callable[[ast.AST], bool], packages: Iterable[str]
) -> Iterator[str]:
    for package in packages:
        for path in sorted((SOURCE / package).rglob("*.py")):
            text = path.read_text(encoding="utf-8")
            if mark in text and any(map(is_such, ast.walk(ast.parse(text)))):
                yield path.relative_to(SOURCE).as_posix()


def _yields_words(function: ast.AST) -> bool:
    if not isinstance(function, ast.FunctionDef) or not function.returns:
        return False
    if ast.unparse(function.returns) != "Iterator[str]":
        return False
    return _have_words(one.value for one in ast.walk(function) if isinstance(one, ast.Yield))


def _returns_words(function: ast.AST) -> bool:
    if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef) or not function.returns:
        return False
    if not {"str", "None"} <= set(ast.unparse(function.returns).split(" | ")):
        return False
    return _have_words(one.value for one in ast.walk(function) if isinstance(one, ast.Return))


def _have_words(given: Iterable[ast.expr | None]) -> bool:
    parts = [part for one in given if one is not None for part in ast.walk(one)]
    constants = [part.value for part in parts if isinstance(part, ast.Constant)]
    texts = [text for text in constants if isinstance(text, str)]
    if any(map(SQL.search, texts)):
        return False
    return any(WORDS.search(text) and not text.startswith(COMMENT) for text in texts)


def literals_in(module: ast.Module) -> Iterator[tuple[int, str]]:
    """The line of each, and what is made there."""
    texts = dict(_texts(module.body))
    for part in ast.walk(module):
        if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef):
            known = texts | dict(_texts(list(ast.walk(part))))
            yield from ((one.lineno, _named(one)) for one in _calls(part) if _is_said(one, known))


def _texts(nodes: list[ast.stmt] | list[ast.AST]) -> Iterator[tuple[str, ast.expr]]:
    """Names that are set to a text."""
    for node in nodes:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            yield node.targets[0].id, node.value


def _calls(function: ast.AST) -> Iterator[ast.Call]:
    """The calls that make a no: refusals, problems, and whatever error is raised or handed over."""
    for node in ast.walk(function):
        if not isinstance(node, ast.Call) or _named(node) in MISUSE:
            continue
        if _named(node) in NOES or _named(node).endswith(ERRORS):
            yield node


def _named(call: ast.Call) -> str:
    return call.func.id if isinstance(call.func, ast.Name) else ""


def _is_said(call: ast.Call, texts: dict[str, ast.expr]) -> bool:
    at = NOES.get(_named(call), 0)
    return len(call.args) > at and _is_text(call.args[at], texts)


def _is_text(given: ast.expr, texts: dict[str, ast.expr]) -> bool:
    if isinstance(given, ast.Name):
        found = texts.get(given.id)
        return found is not None and not isinstance(found, ast.Name) and _is_text(found, texts)
    if isinstance(given, ast.IfExp):
        return _is_text(given.body, texts) or _is_text(given.orelse, texts)
    if isinstance(given, ast.JoinedStr):
        return any(isinstance(one, ast.Constant) for one in given.values)
    if isinstance(given, ast.BinOp):
        return _is_text(given.left, texts) or _is_text(given.right, texts)
    if isinstance(given, ast.Call) and isinstance(given.func, ast.Attribute):
        return given.func.attr in ("format", "join") and _is_text(given.func.value, texts)
    return isinstance(given, ast.Constant) and isinstance(given.value, str)
