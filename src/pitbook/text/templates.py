"""Parses a catalogue's text with its blanks: a subset of ICU's message format.

  seat {seat} bets {amount, money}
  {cards, plural, =0 {no card} one {one card} other {{cards, number} cards}}
  {result, select, win {wins} push {pushes} other {loses}}
  {names, and} or {amounts, or, money}: a list, with a format for each element
  {says} here and {other, after, says} there: a verb that was just used is left out

An apostrophe is literal, and a brace always opens or closes a blank.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

# "both" joins all elements with "and".
LISTS = ("and", "or", "comma", "semicolon", "both", "either", "plus", "spaced")
AFTER = "after"  # Follows another field.
_PLAIN = re.compile(r"[^{}]+")
_BLANK = re.compile(r"\{\s*([a-z_]+)\s*(?:,\s*([a-z]+)\s*(?:,\s*([a-z]+)\s*)?)?\}")
_CHOICE = re.compile(r"\{\s*([a-z_]+)\s*,\s*(plural|select)\s*,\s*")
_CASE = re.compile(r"([^\s{}]+)\s*\{")
_SPACE = re.compile(r"\s*")


class Blank(NamedTuple):
    """A field to fill in, with an optional format; a list has a format for its elements."""

    field: str
    format: str = ""
    each: str = ""


class Variants(NamedTuple):
    """Texts selected by a field's value, by number or by name."""

    field: str
    kind: str
    cases: dict[str, tuple[Part, ...]]


Part = str | Blank | Variants


def parse_template(text: str) -> tuple[Part, ...]:
    """The parts of a text; raises ValueError for unbalanced braces."""
    parts, end = _message(text, 0)
    if end < len(text):
        raise ValueError(f"a brace closes nothing: {text[: end + 1]!r}")
    return parts


def blanks(parts: tuple[Part, ...]) -> Iterator[Blank | Variants]:
    """Every blank and choice of a text, including those inside choices."""
    for part in parts:
        if isinstance(part, str):
            continue
        yield part
        if isinstance(part, Variants):
            for case in part.cases.values():
                yield from blanks(case)


def _message(text: str, at: int) -> tuple[tuple[Part, ...], int]:
    """The parts from a position to the end, or to the closing brace of the enclosing blank."""
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
