"""A language's catalog: the text of every key, read once and compiled for fast formatting.

The first word of a key names its area, and each area has a file: "table.betting.closed" is in
catalogs/en/table.toml. An area is read when one of its keys is first used. A text has blanks, in
a subset of ICU's message format:

  seat {seat} bets {amount, money} {cards, plural, =0 {no card} one {one card} other {{cards,
  number} cards}} {result, select, win {wins} push {pushes} other {loses}} {names, and} or {amounts,
  or, money}: a list, with a format for each element {says} here and {other, after, says} there: a
  verb that was just used is left out {why, sentence} {remedy, sentence}: each with a capital and a
  period, if it has none {name}: {why, ended}: with a period at its end, if it has none {why,
  phrase} ({clause}): without the period at its end

An apostrophe is literal, and a brace always opens or closes a placeholder.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache, cached_property
from pathlib import Path
from typing import Any, NamedTuple

from pitbook.text.formats import DOLLAR, FORMATS, Conjunction, Conventions, list_text

# "both" joins all elements with "and".
LISTS = ("and", "or", "comma", "semicolon", "both", "either", "plus", "spaced")
AFTER = "after"  # Follows another field.
_PLAIN = re.compile(r"[^{}]+")
_PLACEHOLDER = re.compile(r"\{\s*([a-z_]+)\s*(?:,\s*([a-z]+)\s*(?:,\s*([a-z]+)\s*)?)?\}")
_CHOICE = re.compile(r"\{\s*([a-z_]+)\s*,\s*(plural|select)\s*,\s*")
_CASE = re.compile(r"([^\s{}]+)\s*\{")
_WHITESPACE = re.compile(r"\s*")


class Placeholder(NamedTuple):
    """A field to fill in, with an optional format; a list has a format for its elements."""

    field: str
    format: str = ""
    each: str = ""


class Variants(NamedTuple):
    """Texts selected by a field's value, by number or by name."""

    field: str
    kind: str
    cases: dict[str, tuple[Part, ...]]


Part = str | Placeholder | Variants


def parse_template(text: str) -> tuple[Part, ...]:
    """The parts of a text; raises ValueError for unbalanced braces."""
    parts, end = _parse_parts(text, 0)
    if end < len(text):
        raise ValueError(f"unmatched closing brace: {text[: end + 1]!r}")
    return parts


def placeholders(parts: tuple[Part, ...]) -> Iterator[Placeholder | Variants]:
    """Every placeholder and choice of a text, including those inside choices."""
    for part in parts:
        if isinstance(part, str):
            continue
        yield part
        if isinstance(part, Variants):
            for case in part.cases.values():
                yield from placeholders(case)


def _parse_parts(text: str, at: int) -> tuple[tuple[Part, ...], int]:
    """The parts from a position to the end, or to the closing brace of the enclosing choice."""
    parts: list[Part] = []
    while at < len(text) and text[at] != "}":
        if plain := _PLAIN.match(text, at):
            parts.append(plain[0])
            at = plain.end()
        elif placeholder := _PLACEHOLDER.match(text, at):
            parts.append(Placeholder(placeholder[1], placeholder[2] or "", placeholder[3] or ""))
            at = placeholder.end()
        elif choice := _CHOICE.match(text, at):
            cases, at = _cases(text, choice.end())
            parts.append(Variants(choice[1], choice[2], cases))
        else:
            raise ValueError(f"not a valid placeholder: {text[at:]!r}")
    return tuple(parts), at


def _cases(text: str, at: int) -> tuple[dict[str, tuple[Part, ...]], int]:
    cases: dict[str, tuple[Part, ...]] = {}
    while case := _CASE.match(text, at):
        parts, end = _parse_parts(text, case.end())
        if text[end : end + 1] != "}":
            raise ValueError(f"a case is not closed: {text[case.start() :]!r}")
        cases[case[1]] = parts
        at = _after_space(text, end + 1)
    if "other" not in cases or text[at : at + 1] != "}":
        raise ValueError(f'a choice ends with "other" and a brace: {text!r}')
    return cases, at + 1


def _after_space(text: str, at: int) -> int:
    space = _WHITESPACE.match(text, at)
    assert space is not None
    return space.end()


# Catalogs -----------------------------------------------------------------------------------------


ENGLISH = "en"
FOLDER = Path(__file__).parent / "catalogs"
FORMAT_AREA = "format"  # Not a message area: how the language writes money, days and lists.

SentenceFields = Mapping[str, Any]
Formatter = Callable[[SentenceFields], str]
ValueFormatter = Callable[[Any], str]


class Catalog:
    """The messages of one language; `format_value` renders a field's value in that language."""

    def __init__(
        self, areas: Mapping[str, Any], format_value: ValueFormatter = str, currency: str = DOLLAR
    ) -> None:
        self.conventions = Conventions.read(areas[FORMAT_AREA], currency)
        self._areas = areas
        self._read: dict[str, dict[str, str]] = {}
        self._format_value = (
            _protect(format_value) if self.conventions.contractions else format_value
        )
        self.formatters: dict[str, Formatter] = {}
        # The same object if the language has no contractions; then a formatted text is final.
        self.plain_formatters: dict[str, Formatter] = (
            {} if self.conventions.contractions else self.formatters
        )

    @cached_property
    def texts(self) -> dict[str, str]:
        """Every key with its text; reads all areas."""
        all_texts: dict[str, str] = {}
        for name in self._areas:
            all_texts |= self.area(name)
        return all_texts

    def area(self, name: str) -> dict[str, str]:
        """The keys of an area with their texts; empty for an unknown area."""
        if name not in self._read:
            is_area = name != FORMAT_AREA and name in self._areas
            keys = {name: self._areas[name]} if is_area else {}
            self._read[name] = dict(_flatten(keys, ""))
        return self._read[name]

    def __contains__(self, key: str) -> bool:
        return key in self.formatters or key in self.area(_area(key))

    def text(self, key: str, fields: SentenceFields) -> str:
        """The text of a key with its placeholders filled in."""
        text = self.part(key, fields)
        return _remove_marks(text) if self.conventions.contractions else text

    def part(self, key: str, fields: SentenceFields) -> str:
        """Like `text`, for use inside another text: marks that protect names are kept."""
        return (self.formatters.get(key) or self._compile(key))(fields)

    def _compile(self, key: str) -> Formatter:
        formatter = self._compile_parts(parse_template(self.area(_area(key))[key]))
        if self.conventions.contractions:
            formatter = self._with_contractions(formatter)
        self.formatters[key] = formatter
        return formatter

    def _with_contractions(self, formatter: Formatter) -> Formatter:
        pairs = tuple(self.conventions.contractions.items())

        def contract(fields: SentenceFields) -> str:
            text = formatter(fields)
            for word_pair, contraction in pairs:
                text = text.replace(word_pair, contraction)
            return text

        return contract

    def _compile_parts(self, parts: tuple[Part, ...]) -> Formatter:
        """A function that fills in the placeholders, compiled because it takes half the time of
        a loop.
        """
        text = "".join([_escape_percent(part) if isinstance(part, str) else "%s" for part in parts])
        namespace: dict[str, Any] = {"text": text}
        variable_parts = [part for part in parts if not isinstance(part, str)]
        values = [self._value(part, namespace) for part in variable_parts]
        if not values:
            constant = text % ()
            return lambda fields: constant
        source = f"lambda fields: text % ({', '.join(values)},)"
        formatter: Formatter = eval(source, namespace)  # noqa: S307  The source contains only names that a template allows.
        return formatter

    def _value(self, part: Placeholder | Variants, namespace: dict[str, Any]) -> str:
        """The Python expression for a placeholder's value; adds what it calls to the namespace."""
        name = f"show_{len(namespace)}"
        if isinstance(part, Variants):
            namespace[name] = self._compile_choice(part)
            return f"{name}(fields)"
        if part.format == AFTER:
            namespace[name] = lambda value, previous: _without_repeated_word(
                self._format_value(value), self._format_value(previous)
            )
            return f"{name}(fields[{part.field!r}], fields[{part.each!r}])"
        show = self._format_of(part)
        if show is str:
            return f"fields[{part.field!r}]"
        namespace[name] = show
        return f"{name}(fields[{part.field!r}])"

    def _compile_choice(self, choice: Variants) -> Formatter:
        name, cases = (
            choice.field,
            {key: self._compile_parts(case) for key, case in choice.cases.items()},
        )
        other = cases["other"]
        if choice.kind == "select":
            return lambda fields: cases.get(str(fields[name]), other)(fields)
        singular = cases.get("one", other)
        exact = {int(key[1:]): formatter for key, formatter in cases.items() if key.startswith("=")}
        return lambda fields: exact.get(fields[name], singular if fields[name] == 1 else other)(
            fields
        )

    def _format_of(self, placeholder: Placeholder) -> ValueFormatter:
        if placeholder.format in LISTS:
            return self._list(placeholder)
        if placeholder.format == "capital":
            return lambda value: _capitalize(self._format_value(value))
        if placeholder.format == "sentence":
            return self._as_sentence
        if placeholder.format == "ended":
            return lambda value: _with_final_period(self._format_value(value))
        if placeholder.format == "phrase":
            return lambda value: self._format_value(value).removesuffix(".")
        return self._single(placeholder.format)

    def _as_sentence(self, value: Any) -> str:
        """A value as a sentence; names and ids at its start get no capital."""
        text = _with_final_period(self._format_value(value))
        key = getattr(value, "key", "")
        template = self.area(_area(key)).get(key, "")
        starts_with_a_name = not template or _PLACEHOLDER.match(template) is not None
        return text if starts_with_a_name else _capitalize(text)

    def _single(self, name: str) -> ValueFormatter:
        if not name:
            return self._format_value
        formatter = FORMATS[name](self.conventions)
        return (
            _protect(formatter) if name == "quoted" and self.conventions.contractions else formatter
        )

    def _list(self, placeholder: Placeholder) -> ValueFormatter:
        each = self._single(placeholder.each)
        either, both = (f" {self.conventions.conjunctions[word].word} " for word in ("or", "and"))
        joints = {"comma": ", ", "semicolon": "; ", "spaced": " ", "plus": " + "}
        joints |= {"either": either, "both": both}
        between = joints.get(placeholder.format)
        if between is not None:
            return lambda value: between.join([each(element) for element in value])
        joint: Conjunction = self.conventions.conjunctions[placeholder.format]
        return lambda value: list_text([each(element) for element in value], joint)


class TextAreas(Mapping[str, Any]):
    """The areas of a language, each read from the file of its name."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._names = sorted(path.stem for path in folder.glob("*.toml"))
        self._tables: dict[str, Any] = {}

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def __getitem__(self, name: str) -> Any:
        if name not in self._tables:
            import tomllib  # noqa: PLC0415  Not needed if no message is used.

            with (self._folder / f"{name}.toml").open("rb") as file:
                self._tables[name] = tomllib.load(file)[name]
        return self._tables[name]


@cache
def languages() -> tuple[str, ...]:
    """The languages that have catalogs, English first."""
    names = sorted(path.parent.name for path in FOLDER.glob(f"*/{FORMAT_AREA}.toml"))
    return (ENGLISH, *(name for name in names if name != ENGLISH))


@cache
def load_catalog(
    language: str, format_value: ValueFormatter = str, currency: str = DOLLAR
) -> Catalog:
    """The catalog of a language with money in a currency."""
    return Catalog(areas(language), format_value, currency)


@cache
def areas(language: str) -> TextAreas:
    """The areas of a language; their files are read only once."""
    return TextAreas(FOLDER / language)


@cache
def currency_signs() -> tuple[str, ...]:
    """The signs of all currencies, which may stand before an amount."""
    currencies = areas(ENGLISH)[FORMAT_AREA]["currencies"].values()
    return tuple(currency["sign"] for currency in currencies if currency["sign"])


def _area(key: str) -> str:
    return key.partition(".")[0]


# Contractions apply to our own words, but names and notes stay as written. Until a text is
# complete, spaces and ends of names are marked with characters that no name may contain.
_SPACE_MARK, _END_MARK = "\ufdd0", "\ufdd1"


def _protect(format_value: ValueFormatter) -> ValueFormatter:
    def protect_spaces(value: Any) -> str:
        text = format_value(value)
        return f"{text.replace(' ', _SPACE_MARK)}{_END_MARK}" if type(value) is str else text

    return protect_spaces


def _remove_marks(text: str) -> str:
    return text.replace(_SPACE_MARK, " ").replace(_END_MARK, "")


def _escape_percent(text: str) -> str:
    return text.replace("%", "%%")


def _without_repeated_word(text: str, previous: str) -> str:
    """A text without its first word if the previous text begins with the same word."""
    first, _, rest = text.partition(" ")
    return rest if rest and previous.startswith(f"{first} ") else text


def _capitalize(text: str) -> str:
    return text[:1].upper() + text[1:]


def _with_final_period(text: str) -> str:
    return text if text.endswith((".", "!", "?", "…")) else f"{text}."


def _flatten(table: Mapping[str, Any], before: str) -> Iterator[tuple[str, str]]:
    for name, part in table.items():
        if isinstance(part, str):
            yield f"{before}{name}", part
        else:
            yield from _flatten(part, f"{before}{name}.")
