"""A language's catalogue: the text of every key, read from its file once, and filled in fast."""

from __future__ import annotations

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
        self.filled: dict[str, Filled] = {}

    def text(self, key: str, fields: Fields) -> str:
        """The text of a key, with its blanks filled in."""
        return (self.filled.get(key) or self._made(key))(fields)

    def _made(self, key: str) -> Filled:
        filled = self._of_parts(parsed(self.texts[key]))
        if self.habits.contracted:
            filled = self._contracted(filled)
        self.filled[key] = filled
        return filled

    def _contracted(self, filled: Filled) -> Filled:
        pairs = tuple(self.habits.contracted.items())

        def together(fields: Fields) -> str:
            text = filled(fields)
            for apart, one in pairs:
                text = text.replace(apart, one)
            return text

        return together

    def _of_parts(self, parts: tuple[Part, ...]) -> Filled:
        """A function that fills in the blanks, compiled for them: half the time of a loop."""
        text = "".join([_percent(part) if isinstance(part, str) else "%s" for part in parts])
        known: dict[str, Any] = {"text": text}
        blanks = [part for part in parts if not isinstance(part, str)]
        values = [self._value(part, known) for part in blanks]
        if not values:
            whole = text % ()
            return lambda fields: whole
        source = f"lambda fields: text % ({', '.join(values)},)"
        filled: Filled = eval(source, known)  # noqa: S307  Of names that a template allows alone.
        return filled

    def _value(self, part: Blank | Choice, known: dict[str, Any]) -> str:
        """How the value of a blank is written in Python; what it calls is made known."""
        name = f"show_{len(known)}"
        if isinstance(part, Choice):
            known[name] = self._chosen(part)
            return f"{name}(fields)"
        show = self._format(part)
        if show is str:
            return f"fields[{part.field!r}]"
        known[name] = show
        return f"{name}(fields[{part.field!r}])"

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
        return FORMATS[name](self.habits)

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
    import tomllib  # noqa: PLC0415  Who says nothing need not wait for it.

    with (FOLDER / f"{language}.toml").open("rb") as file:
        return Catalogue(tomllib.load(file), reworded)


def _percent(text: str) -> str:
    return text.replace("%", "%%")


def _large(text: str) -> str:
    return text[:1].upper() + text[1:]


def _flat(table: Mapping[str, Any], before: str) -> Iterator[tuple[str, str]]:
    for name, part in table.items():
        if isinstance(part, str):
            yield f"{before}{name}", part
        else:
            yield from _flat(part, f"{before}{name}.")
