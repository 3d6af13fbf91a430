"""A language's catalogue: the text of every key, read from its file once, and filled in fast."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from pitbook.wording.formats import FORMATS, Habits, Joint, listed
from pitbook.wording.templates import LISTS, Blank, Choice, Part, parsed

__all__ = ["ENGLISH", "Catalogue", "Fields", "catalogue", "languages"]

ENGLISH = "en"
FOLDER = Path(__file__).parent / "catalogues"

Fields = Mapping[str, Any]
Filled = Callable[[Fields], str]
Reworded = Callable[[Any], str]


class Catalogue:
    """The words of one language; `reworded` gives a value of a field in that language."""

    def __init__(self, document: Mapping[str, Any], reworded: Reworded = str) -> None:
        self.habits = Habits.read(document["format"])
        keys = {name: part for name, part in document.items() if name != "format"}
        self.texts = dict(_flat(keys, ""))
        self._reworded = reworded
        self._filled: dict[str, Filled] = {}

    def text(self, key: str, fields: Fields) -> str:
        """The text of a key, with its blanks filled in."""
        filled = self._filled.get(key)
        if filled is None:
            filled = self._filled[key] = self._of_parts(parsed(self.texts[key]))
        text = filled(fields)
        for apart, together in self.habits.contracted.items():
            text = text.replace(apart, together)
        return text

    def _of_parts(self, parts: tuple[Part, ...]) -> Filled:
        if all(isinstance(part, str) for part in parts):
            text = "".join(part for part in parts if isinstance(part, str))
            return lambda fields: text
        each = [part if isinstance(part, str) else self._of_part(part) for part in parts]
        if len(each) == 1 and not isinstance(each[0], str):
            return each[0]
        return lambda fields: "".join(
            [part if isinstance(part, str) else part(fields) for part in each]
        )

    def _of_part(self, part: Blank | Choice) -> Filled:
        if isinstance(part, Choice):
            return self._chosen(part)
        name, shown = part.field, self._format(part)
        return lambda fields: shown(fields[name])

    def _chosen(self, choice: Choice) -> Filled:
        name, cases = choice.field, {key: self._of_parts(one) for key, one in choice.cases.items()}
        other = cases["other"]
        if choice.kind == "select":
            return lambda fields: cases.get(str(fields[name]), other)(fields)
        one = cases.get("one", other)
        exact = {int(key[1:]): filled for key, filled in cases.items() if key.startswith("=")}
        return lambda fields: exact.get(fields[name], one if fields[name] == 1 else other)(fields)

    def _format(self, blank: Blank) -> Reworded:
        if blank.format in LISTS:
            return self._list(blank)
        if blank.format == "capital":
            return lambda value: _large(self._reworded(value))
        return self._single(blank.format)

    def _single(self, name: str) -> Reworded:
        if not name:
            return self._reworded
        shown, habits = FORMATS[name], self.habits
        return lambda value: shown(value, habits)

    def _list(self, blank: Blank) -> Reworded:
        each = self._single(blank.each)
        either = f" {self.habits.joints['or'].word} "
        between = {"comma": ", ", "spaced": " ", "either": either}.get(blank.format)
        if between is not None:
            return lambda value: between.join([each(one) for one in value])
        joint: Joint = self.habits.joints[blank.format]
        return lambda value: listed([each(one) for one in value], joint)


def languages() -> tuple[str, ...]:
    """The languages that there are catalogues of, English first."""
    found = sorted(path.stem for path in FOLDER.glob("*.toml"))
    return (ENGLISH, *(one for one in found if one != ENGLISH))


@cache
def catalogue(language: str, reworded: Reworded = str) -> Catalogue:
    """The catalogue of a language, as its file has it."""
    with (FOLDER / f"{language}.toml").open("rb") as file:
        return Catalogue(tomllib.load(file), reworded)


def _large(text: str) -> str:
    return text[:1].upper() + text[1:]


def _flat(table: Mapping[str, Any], before: str) -> Iterator[tuple[str, str]]:
    for name, part in table.items():
        if isinstance(part, str):
            yield f"{before}{name}", part
        else:
            yield from _flat(part, f"{before}{name}.")
