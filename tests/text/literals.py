"""Finds messages written in code instead of in the catalogs."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path

from pitbook import errors

SOURCE = Path(__file__).resolve().parents[2] / "src" / "pitbook"
NOES = {"Refusal": 1, "Problem": 1}  # By what is made, which of its arguments is the message.
TREE = tuple(name for name, member in vars(errors).items() if isinstance(member, type))
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
    """Refusals and errors with literal messages in some packages."""
    for package in packages:
        for path in sorted((SOURCE / package).rglob("*.py")):
            name = path.relative_to(SOURCE).as_posix()
            for line, call_name in _of_module(path):
                if not only or call_name in only:
                    yield f"{name}:{line}"


@cache
def _of_module(path: Path) -> tuple[tuple[int, str], ...]:
    return tuple(literals_in(ast.parse(path.read_text(encoding="utf-8"))))


def literal_findings(*packages: str) -> Iterator[str]:
    """Findings with literal messages in some packages."""
    for package in packages:
        for path in sorted((SOURCE / package).rglob("*.py")):
            module = ast.parse(path.read_text(encoding="utf-8"))
            texts = dict(_texts(module.body))
            for function in (
                node for node in ast.walk(module) if isinstance(node, ast.FunctionDef)
            ):
                known_texts = texts | dict(_texts(list(ast.walk(function))))
                for call in (node for node in ast.walk(function) if isinstance(node, ast.Call)):
                    at = FOUND.get(_call_name(call), len(call.args))
                    if len(call.args) > at and _is_text(call.args[at], known_texts):
                        yield f"{path.relative_to(SOURCE).as_posix()}:{call.lineno}"


def literal_prints(*packages: str) -> Iterator[str]:
    """Prints and misuse errors with literal messages in some packages."""
    for package in packages:
        for path in sorted((SOURCE / package).rglob("*.py")):
            module = ast.parse(path.read_text(encoding="utf-8"))
            for call in (node for node in ast.walk(module) if isinstance(node, ast.Call)):
                if any(
                    _has_words(argument)
                    for argument in call.args[: PRINTS.get(_callee_name(call), 0)]
                ):
                    yield f"{path.relative_to(SOURCE).as_posix()}:{call.lineno}"


def _callee_name(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else _call_name(call)


def _has_words(given: ast.expr) -> bool:
    """Whether a text inside is literal; a key is not."""
    formatted = [node for node in ast.walk(given) if isinstance(node, ast.JoinedStr)]
    plain = [node for node in ast.walk(given) if isinstance(node, ast.Constant)]
    texts = ["".join(map(_text, literal.values)) for literal in formatted] + [
        _text(literal) for literal in plain
    ]
    return any(SPOKEN.search(text.removeprefix("pitbook: ")) for text in texts if text != PROGRAM)


def _text(part: ast.expr) -> str:
    is_text = isinstance(part, ast.Constant) and isinstance(part.value, str)
    return str(part.value) if is_text else "\0"  # type: ignore[attr-defined]


def literal_reasons(*packages: str) -> Iterator[str]:
    """Modules with a function that returns a literal message or None."""
    return _with_such("str | None:", _returns_words, packages)


def literal_tellings(*packages: str) -> Iterator[str]:
    """Modules with a function that yields literal sentences."""
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
    return _have_words(node.value for node in ast.walk(function) if isinstance(node, ast.Yield))


def _returns_words(function: ast.AST) -> bool:
    if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef) or not function.returns:
        return False
    if not {"str", "None"} <= set(ast.unparse(function.returns).split(" | ")):
        return False
    return _have_words(node.value for node in ast.walk(function) if isinstance(node, ast.Return))


def _have_words(given: Iterable[ast.expr | None]) -> bool:
    parts = [
        part for expression in given if expression is not None for part in ast.walk(expression)
    ]
    constants = [part.value for part in parts if isinstance(part, ast.Constant)]
    texts = [text for text in constants if isinstance(text, str)]
    if any(map(SQL.search, texts)):
        return False
    return any(WORDS.search(text) and not text.startswith(COMMENT) for text in texts)


def literals_in(module: ast.Module) -> Iterator[tuple[int, str]]:
    """The line of each literal message, and the call it belongs to."""
    texts = dict(_texts(module.body))
    for part in ast.walk(module):
        if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef):
            known_texts = texts | dict(_texts(list(ast.walk(part))))
            yield from (
                (call.lineno, _call_name(call))
                for call in _calls(part)
                if _is_said(call, known_texts)
            )


def _texts(nodes: list[ast.stmt] | list[ast.AST]) -> Iterator[tuple[str, ast.expr]]:
    """Names that are assigned a text."""
    for node in nodes:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            yield node.targets[0].id, node.value


def _calls(function: ast.AST) -> Iterator[ast.Call]:
    """The calls that report a problem: refusals, findings, and errors raised or passed on."""
    for node in ast.walk(function):
        if not isinstance(node, ast.Call) or _call_name(node) in MISUSE:
            continue
        if _call_name(node) in NOES or _call_name(node).endswith(ERRORS):
            yield node


def _call_name(call: ast.Call) -> str:
    return call.func.id if isinstance(call.func, ast.Name) else ""


def _is_said(call: ast.Call, texts: dict[str, ast.expr]) -> bool:
    at = NOES.get(_call_name(call), 0)
    return len(call.args) > at and _is_text(call.args[at], texts)


def _is_text(given: ast.expr, texts: dict[str, ast.expr]) -> bool:
    if isinstance(given, ast.Name):
        known_text = texts.get(given.id)
        return (
            known_text is not None
            and not isinstance(known_text, ast.Name)
            and _is_text(known_text, texts)
        )
    if isinstance(given, ast.IfExp):
        return _is_text(given.body, texts) or _is_text(given.orelse, texts)
    if isinstance(given, ast.JoinedStr):
        return any(isinstance(part, ast.Constant) for part in given.values)
    if isinstance(given, ast.BinOp):
        return _is_text(given.left, texts) or _is_text(given.right, texts)
    if isinstance(given, ast.Call) and isinstance(given.func, ast.Attribute):
        return given.func.attr in ("format", "join") and _is_text(given.func.value, texts)
    return isinstance(given, ast.Constant) and isinstance(given.value, str)
