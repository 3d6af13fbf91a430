"""How deep the keys of a TOML text go, counted before it is read: depth is what takes time."""

from __future__ import annotations

import re

__all__ = ["key_dots"]

# Strings and comments, as a reader takes them from the left; one without an end takes all the rest.
_UNREAD = re.compile(
    r'"""(?:[^"\\]++|\\[\s\S]|"{1,2}+(?!"))*+"{0,5}+'
    r"|'''(?:[^']++|'{1,2}+(?!'))*+'{0,5}+"
    r'|"(?:[^"\\\n]++|\\.)*+"?'
    r"|'[^'\n]*+'?"
    r"|#[^\n]*+"
)
_NO_KEY = re.compile(r"[^A-Za-z0-9_. \t-]+")


def key_dots(text: str) -> list[int]:
    r"""The dots of every dotted key and header, not those in strings, comments and numbers.

    >>> key_dots('[a.b.c]\nd."x.y".e = 1.5 # ...')
    [2, 2]
    """
    names = _NO_KEY.split(_UNREAD.sub(_named, text))
    found = (name.count(".") for name in names)
    return [dots for dots in found if dots > 1]  # A number has one, and one is not deep.


def _named(found: re.Match[str]) -> str:
    return "" if found[0].startswith("#") else "q"  # A quoted part of a key is a part.
