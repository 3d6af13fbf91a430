"""Refusals and errors shown to users have no literal text in code."""

from __future__ import annotations

import ast

import pytest
from tests.text.literals import (
    SOURCE,
    _has_words,
    _returns_words,
    _yields_words,
    literal_noes,
    literal_prints,
    literal_reasons,
    literal_tellings,
    literals_in,
)

PACKAGES = tuple(sorted(path.name for path in SOURCE.iterdir() if path.is_dir()))


@pytest.mark.long
def test_errors_have_no_literal_text_in_code() -> None:
    assert not list(literal_noes(*PACKAGES))


@pytest.mark.long
def test_reasons_have_no_literal_text_in_code() -> None:
    """Functions that return the reason for a refusal, or None."""
    assert not list(literal_reasons(*PACKAGES))


def test_no_yielded_sentence_is_literal() -> None:
    """Audit findings and other sentences that are yielded one by one."""
    assert not list(literal_tellings(*PACKAGES))


def test_commands_print_no_literal_text() -> None:
    assert not list(literal_prints(*PACKAGES))


@pytest.mark.parametrize(
    ("code", "finds"),
    [
        ("def why() -> str | None:\n    return 'not this seat'", True),
        ("def line() -> str | None:\n    return ': still here'", False),
        ("def findings() -> Iterator[str]:\n    yield 'not this seat'", True),
        ("def guards() -> Iterator[str]:\n    yield 'CREATE TRIGGER a', 'the table stays'", False),
    ],
)
def test_returned_literals_are_detected(code: str, finds: bool) -> None:
    (function,) = ast.parse(code).body
    assert (_returns_words(function) or _yields_words(function)) == finds


@pytest.mark.parametrize(
    ("code", "finds"),
    [("f'pitbook {version}'", False), ("f'seat {seat}'", True), ("'Wrote the file'", True)],
)
def test_printed_literals_are_detected(code: str, finds: bool) -> None:
    assert _has_words(ast.parse(code, mode="eval").body) == finds


def test_literal_sentence_is_detected() -> None:
    module = ast.parse(
        """
KNOWN = "a sentence of the module"

def one(seat, known):
    message = f"seat {seat} is taken"
    raise RoundError(message)

def two(known):
    return Refusal(Code.OVER, KNOWN if known else known), Problem(404, "no %s".format(1))

async def three(why):
    raise PeopleError("no " + why)

def fine(why, key):
    raise PeopleError(say("a.key", why=why))
    return Refusal(Code.OVER, why), refuse(Code.OVER, "a.key"), RoundError(f"{why}")
"""
    )
    lines_found = [line for line, _ in literals_in(module)]
    assert lines_found == [6, 9, 9, 12]
