"""Positions of fields in a TOML text, and limits on its size and depth."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from functools import cached_property
from itertools import accumulate
from typing import Any

from pitbook.sheets.findings import FieldPath
from pitbook.text import Sentence, say

FilePlace = tuple[int, int]

QUOTED_MAX = 10_000  # Up to a hundred findings may quote the same line.
_TABLES = ("table", "table_array_element")
_KEYS = ("bare_key", "quoted_key", "dotted_key")


def quote(line: str) -> str:
    """A line without surrounding white space, shortened if very long."""
    return line.strip()[:QUOTED_MAX]


class Places:
    """The positions of keys and values in one text.

    >>> Places('min = "5"').value(("min",))
    (1, 7)
    """

    def __init__(self, text: str) -> None:
        self.lines = text.split("\n")
        self._bytes = text.encode(errors="replace")
        self._starts: dict[int, list[int]] = {}

    def key(self, path: FieldPath) -> FilePlace:
        """The position of the field's name, or of the nearest enclosing table."""
        return self._nearest(path, 0)

    def value(self, path: FieldPath) -> FilePlace:
        """The position of the field's value, or of the nearest enclosing table."""
        return self._nearest(path, 1)

    def quote_line(self, place: FilePlace) -> str:
        """The line at a position, as quoted in a finding."""
        return quote(self.lines[place[0] - 1]) if place[0] <= len(self.lines) else ""

    def _nearest(self, path: FieldPath, which: int) -> FilePlace:
        if path in self._positions:
            return self._positions[path][which]
        while path and path not in self._positions:
            path = path[:-1]
        return self._positions[path][0] if path else (1, 1)

    @cached_property
    def _positions(self) -> dict[FieldPath, tuple[FilePlace, FilePlace]]:
        import tree_sitter  # noqa: PLC0415  Only a sheet with findings needs positions.
        import tree_sitter_toml  # noqa: PLC0415

        language = tree_sitter.Language(tree_sitter_toml.language())
        root = tree_sitter.Parser(language).parse(self._bytes).root_node
        positions: dict[FieldPath, tuple[FilePlace, FilePlace]] = {}
        counts: dict[FieldPath, int] = {}
        for node in root.named_children:
            if node.type in _TABLES:
                self._table(node, positions, counts)
            elif node.type == "pair":
                self._pair(node, (), positions)
        return positions

    def _table(
        self, node: Any, positions: dict[FieldPath, Any], counts: dict[FieldPath, int]
    ) -> None:
        header = next((child for child in node.named_children if child.type in _KEYS), None)
        if header is None:
            return
        path = _resolve(tuple(self._words(header)), counts, last=node.type == "table")
        if node.type == "table_array_element":
            counts[path] = counts.get(path, -1) + 1
            path = (*path, counts[path])
        place = self._place(node)
        for depth in range(1, len(path)):
            positions.setdefault(path[:depth], (place, place))
        positions[path] = (place, place)
        for pair in node.named_children:
            if pair.type == "pair":
                self._pair(pair, path, positions)

    def _pair(self, node: Any, table: FieldPath, positions: dict[FieldPath, Any]) -> None:
        inner = [child for child in node.named_children if child.type != "comment"]
        if len(inner) != 2:
            return
        path = (*table, *self._words(inner[0]))
        for depth in range(len(table) + 1, len(path)):
            positions.setdefault(path[:depth], (self._place(inner[0]), self._place(inner[0])))
        positions[path] = (self._place(inner[0]), self._place(inner[1]))
        self._value(inner[1], path, positions)

    def _value(self, node: Any, path: FieldPath, positions: dict[FieldPath, Any]) -> None:
        if node.type == "inline_table":
            for pair in node.named_children:
                if pair.type == "pair":
                    self._pair(pair, path, positions)
        elif node.type == "array":
            items = [child for child in node.named_children if child.type != "comment"]
            for index, item in enumerate(items):
                positions[(*path, index)] = (self._place(item), self._place(item))
                self._value(item, (*path, index), positions)

    def _words(self, key: Any) -> Iterator[str]:
        if key.type == "dotted_key":
            for part in key.named_children:
                yield from self._words(part)
        elif key.type == "quoted_key":
            yield next(iter(tomllib.loads(f"{key.text.decode()} = 0")))
        else:
            yield key.text.decode()

    def _place(self, node: Any) -> FilePlace:
        row, column = node.start_point
        return row + 1, self._columns(row, column) + 1

    def _columns(self, row: int, column: int) -> int:
        """The number of characters before a byte of a line, with a cache per line."""
        if self.lines[row].isascii():
            return column
        if row not in self._starts:
            encoded = self.lines[row].encode(errors="replace")
            # Other bytes continue a character.
            starts = ((byte & 0xC0) != 0x80 for byte in encoded)
            self._starts[row] = [0, *accumulate(starts)]
        return self._starts[row][column]


def _resolve(words: tuple[str, ...], counts: dict[FieldPath, int], *, last: bool) -> FieldPath:
    """A header's path with the index of every array of tables on it."""
    path: FieldPath = ()
    for depth, word in enumerate(words, start=1):
        path = (*path, word)
        if path in counts and (last or depth < len(words)):
            path = (*path, counts[path])
    return path


CHARACTERS_MAX = 200_000
VALUES_MAX = 10_000  # The largest bundled sheet has about 600.
DEPTH_MAX = 30  # Far more than any sheet needs, far less than Python's stack holds.
DOTS_MAX = 6_000  # In all keys deeper than two names; many more take tomllib minutes.

# Strings and comments, matched from the left like a parser. An unclosed string runs to the end.
_STRINGS_AND_COMMENTS = re.compile(
    r'"""(?:[^"\\]++|\\[\s\S]|"{1,2}+(?!"))*+"{0,5}+'
    r"|'''(?:[^']++|'{1,2}+(?!'))*+'{0,5}+"
    r'|"(?:[^"\\\n]++|\\.)*+"?'
    r"|'[^'\n]*+'?"
    r"|#[^\n]*+"
)
_NO_KEY = re.compile(r"[^A-Za-z0-9_. \t-]+")
_BEFORE_VALUES = "=,[{"


def why_too_large(text: str) -> Sentence | None:
    """Why a text is too large to parse, if it is."""
    if len(text) > CHARACTERS_MAX:
        return say("findings.syntax.too-long", most=CHARACTERS_MAX)
    bare = _STRINGS_AND_COMMENTS.sub(_placeholder, text)
    if sum(map(bare.count, _BEFORE_VALUES)) > VALUES_MAX:
        return say("findings.syntax.too-many-values", most=VALUES_MAX)
    dots = _key_dots(bare)
    if max(dots, default=0) > DEPTH_MAX or sum(dots) > DOTS_MAX:
        return say("findings.syntax.too-deep")
    return None


def key_dots(text: str) -> list[int]:
    """The dots of every dotted key and header, without those in strings, comments and numbers.

    >>> key_dots('[a.b.c]'), key_dots('d."x.y".e = 1.5 # ...')
    ([2], [2])
    """
    return _key_dots(_STRINGS_AND_COMMENTS.sub(_placeholder, text))


def _key_dots(bare: str) -> list[int]:
    counts = (name.count(".") for name in _NO_KEY.split(bare))
    return [dots for dots in counts if dots > 1]  # A number has one dot, and one is not deep.


def _placeholder(match: re.Match[str]) -> str:
    return "" if match[0].startswith("#") else "q"  # A quoted part of a key is a part.
