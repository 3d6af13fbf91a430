"""A catalogue's text with its blanks: a small part of ICU's message format, read once.

    seat {seat} bets {amount, money}
    {cards, plural, =0 {no card} one {one card} other {{cards, number} cards}}
    {result, select, win {wins} push {pushes} other {loses}}
    {names, and} or {amounts, or, money}: a list, with a format for each that is in it
    {says} here and {other, after, says} there: a verb that was just said is left out

An apostrophe is an apostrophe, and a brace always opens or closes a blank.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

# "both": all with "and".
LISTS = ("and", "or", "comma", "semicolon", "both", "either", "plus", "spaced")
AFTER = "after"  # Another field was said before it.
_PLAIN = re.compile(r"[^{}]+")
_BLANK = re.compile(r"\{\s*([a-z_]+)\s*(?:,\s*([a-z]+)\s*(?:,\s*([a-z]+)\s*)?)?\}")
_CHOICE = re.compile(r"\{\s*([a-z_]+)\s*,\s*(plural|select)\s*,\s*")
_CASE = re.compile(r"([^\s{}]+)\s*\{")
_SPACE = re.compile(r"\s*")


class Blank(NamedTuple):
    """A field to fill in, as it is or in a format; a list has a format for each in it."""

    field: str
    format: str = ""
    each: str = ""


class Variants(NamedTuple):
    """Texts of which a field's value chooses one: by its number, or as it is written."""

    field: str
    kind: str
    cases: dict[str, tuple[Part, ...]]


Part = str | Blank | Variants


def parsed(text: str) -> tuple[Part, ...]:
    """The parts of a text; raises ValueError where its braces make no sense."""
    parts, end = _message(text, 0)
    if end < len(text):
        raise ValueError(f"a brace closes nothing: {text[: end + 1]!r}")
    return parts


def blanks(parts: tuple[Part, ...]) -> Iterator[Blank | Variants]:
    """Every blank and choice of a text, those within choices too."""
    for part in parts:
        if isinstance(part, str):
            continue
        yield part
        if isinstance(part, Variants):
            for case in part.cases.values():
                yield from blanks(case)


def _message(text: str, at: int) -> tuple[tuple[Part, ...], int]:
    """The parts from a place to the end, or to the brace that closes what was opened before."""
    parts: list[Part] = []
    while at < len(text) and text[at] != "}":
        if plain := _PLAIN.match(text, at):
            parts.append(plain[0])
            at = plain.end()
        elif blank := _BLANK.match(text, at):
            parts.append(Blank(blank[1], blank[2] or "", blank[3] or ""))
            at = blank.end()
        elif choice := _CHOICE.match(text, at):
            cases, at = _cases(text, choice.end())
            parts.append(Variants(choice[1], choice[2], cases))
        else:
            raise ValueError(f"a brace opens no blank: {text[at:]!r}")
    return tuple(parts), at


def _cases(text: str, at: int) -> tuple[dict[str, tuple[Part, ...]], int]:
    cases: dict[str, tuple[Part, ...]] = {}
    while case := _CASE.match(text, at):
        parts, end = _message(text, case.end())
        if text[end : end + 1] != "}":
            raise ValueError(f"a case is not closed: {text[case.start() :]!r}")
        cases[case[1]] = parts
        at = _after_space(text, end + 1)
    if "other" not in cases or text[at : at + 1] != "}":
        raise ValueError(f'a choice ends with "other" and a brace: {text!r}')
    return cases, at + 1


def _after_space(text: str, at: int) -> int:
    space = _SPACE.match(text, at)
    assert space is not None
    return space.end()
