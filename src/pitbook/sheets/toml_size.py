"""Measures a TOML text before it is parsed, because values and depth determine the time."""

from __future__ import annotations

import re

from pitbook.text import Sentence, say

CHARACTERS_MAX = 200_000
VALUES_MAX = 10_000  # The largest bundled sheet has about 600.
DEPTH_MAX = 30  # Far more than any sheet needs, far less than Python's stack holds.
DOTS_MAX = 6_000  # In all keys deeper than two names; tomllib takes minutes over many more.

# Strings and comments, matched from the left like a parser. An unclosed string runs to the end.
_UNREAD = re.compile(
    r'"""(?:[^"\\]++|\\[\s\S]|"{1,2}+(?!"))*+"{0,5}+'
    r"|'''(?:[^']++|'{1,2}+(?!'))*+'{0,5}+"
    r'|"(?:[^"\\\n]++|\\.)*+"?'
    r"|'[^'\n]*+'?"
    r"|#[^\n]*+"
)
_NO_KEY = re.compile(r"[^A-Za-z0-9_. \t-]+")
_BEFORE_VALUES = "=,[{"


def why_too_large(text: str) -> Sentence | None:
    """Why a text is not worth parsing; None if it is."""
    if len(text) > CHARACTERS_MAX:
        return say("findings.syntax.too-long", most=CHARACTERS_MAX)
    bare = _UNREAD.sub(_named, text)
    if sum(map(bare.count, _BEFORE_VALUES)) > VALUES_MAX:
        return say("findings.syntax.too-many-values", most=VALUES_MAX)
    dots = _key_dots(bare)
    if max(dots, default=0) > DEPTH_MAX or sum(dots) > DOTS_MAX:
        return say("findings.syntax.too-deep")
    return None


def key_dots(text: str) -> list[int]:
    r"""The dots of every dotted key and header, not those in strings, comments and numbers.

    >>> key_dots('[a.b.c]\nd."x.y".e = 1.5 # ...')
    [2, 2]
    """
    return _key_dots(_UNREAD.sub(_named, text))


def _key_dots(bare: str) -> list[int]:
    counts = (name.count(".") for name in _NO_KEY.split(bare))
    return [dots for dots in counts if dots > 1]  # A number has one, and one is not deep.


def _named(match: re.Match[str]) -> str:
    return "" if match[0].startswith("#") else "q"  # A quoted part of a key is a part.
