"""A language's catalogue: the text of every key, read from its files once, and filled in fast.

The first word of a key names its area, and each area has a file: "table.betting.closed" stands in
catalogues/en/table.toml. An area is read when the first of its keys is said.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from pitbook.text.formats import DOLLAR, FORMATS, Habits, Joint, listed
from pitbook.text.templates import AFTER, LISTS, Blank, Part, Variants, parsed

ENGLISH = "en"
FOLDER = Path(__file__).parent / "catalogues"
HABITS = "format"  # No area, but how the language writes money, days and lists.

SentenceFields = Mapping[str, Any]
Filled = Callable[[SentenceFields], str]
Reworded = Callable[[Any], str]


class Catalogue:
    """The words of one language; `reworded` gives a value of a field in that language."""

    def __init__(
        self, areas: Mapping[str, Any], reworded: Reworded = str, currency: str = DOLLAR
    ) -> None:
        self.habits = Habits.read(areas[HABITS], currency)
        self._areas = areas
        self._read: dict[str, dict[str, str]] = {}
        self._reworded = _apart(reworded) if self.habits.contracted else reworded
        self.filled: dict[str, Filled] = {}
        # The same where nothing melts together, so that a text is done when it is filled in.
        self.plain: dict[str, Filled] = {} if self.habits.contracted else self.filled

    @cached_property
    def texts(self) -> dict[str, str]:
        """Every key with its text; reads all areas."""
        found: dict[str, str] = {}
        for name in self._areas:
            found |= self.area(name)
        return found

    def area(self, name: str) -> dict[str, str]:
        """The keys of an area with their texts; none where there is no such area."""
        if name not in self._read:
            known = name != HABITS and name in self._areas
            keys = {name: self._areas[name]} if known else {}
            self._read[name] = dict(_flat(keys, ""))
        return self._read[name]

    def __contains__(self, key: str) -> bool:
        return key in self.filled or key in self.area(_area(key))

    def text(self, key: str, fields: SentenceFields) -> str:
        """The text of a key, with its blanks filled in."""
        text = self.part(key, fields)
        return _bare(text) if self.habits.contracted else text

    def part(self, key: str, fields: SentenceFields) -> str:
        """The same to stand in another text: what others wrote is still marked as theirs."""
        return (self.filled.get(key) or self._made(key))(fields)

    def _made(self, key: str) -> Filled:
        filled = self._of_parts(parsed(self.area(_area(key))[key]))
        if self.habits.contracted:
            filled = self._contracted(filled)
        self.filled[key] = filled
        return filled

    def _contracted(self, filled: Filled) -> Filled:
        pairs = tuple(self.habits.contracted.items())

        def together(fields: SentenceFields) -> str:
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

    def _value(self, part: Blank | Variants, known: dict[str, Any]) -> str:
        """How the value of a blank is written in Python; what it calls is made known."""
        name = f"show_{len(known)}"
        if isinstance(part, Variants):
            known[name] = self._chosen(part)
            return f"{name}(fields)"
        if part.format == AFTER:
            known[name] = lambda value, said: _after(self._reworded(value), self._reworded(said))
            return f"{name}(fields[{part.field!r}], fields[{part.each!r}])"
        show = self._format(part)
        if show is str:
            return f"fields[{part.field!r}]"
        known[name] = show
        return f"{name}(fields[{part.field!r}])"

    def _chosen(self, choice: Variants) -> Filled:
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
        shown = FORMATS[name](self.habits)
        return _apart(shown) if name == "quoted" and self.habits.contracted else shown

    def _list(self, blank: Blank) -> Reworded:
        each = self._single(blank.each)
        either, both = (f" {self.habits.joints[one].word} " for one in ("or", "and"))
        joints = {"comma": ", ", "semicolon": "; ", "spaced": " ", "plus": " + "}
        joints |= {"either": either, "both": both}
        between = joints.get(blank.format)
        if between is not None:
            return lambda value: between.join([each(one) for one in value])
        joint: Joint = self.habits.joints[blank.format]
        return lambda value: listed([each(one) for one in value], joint)


class TextAreas(Mapping[str, Any]):
    """The areas of a language, each from the file of its name."""

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
            import tomllib  # noqa: PLC0415  Who says nothing need not wait for it.

            with (self._folder / f"{name}.toml").open("rb") as file:
                self._tables[name] = tomllib.load(file)[name]
        return self._tables[name]


@cache
def languages() -> tuple[str, ...]:
    """The languages that there are catalogues of, English first."""
    found = sorted(path.parent.name for path in FOLDER.glob(f"*/{HABITS}.toml"))
    return (ENGLISH, *(one for one in found if one != ENGLISH))


@cache
def catalogue(language: str, reworded: Reworded = str, currency: str = DOLLAR) -> Catalogue:
    """The catalogue of a language, as its files have it, where money is of a currency."""
    return Catalogue(areas(language), reworded, currency)


@cache
def areas(language: str) -> TextAreas:
    """The areas of a language, whose files are read once whoever fills in their texts."""
    return TextAreas(FOLDER / language)


@cache
def signs() -> tuple[str, ...]:
    """What may stand before an amount: the sign of each currency that there is."""
    known = areas(ENGLISH)[HABITS]["currencies"].values()
    return tuple(one["sign"] for one in known if one["sign"])


def _area(key: str) -> str:
    return key.partition(".")[0]


# Words of ours melt together where they meet; names and notes stay as they were written. Until a
# text is done their spaces and their ends are marked, by what no name may hold.
_SPACE, _END = "\ufdd0", "\ufdd1"


def _apart(shown: Reworded) -> Reworded:
    def held(value: Any) -> str:
        text = shown(value)
        return f"{text.replace(' ', _SPACE)}{_END}" if type(value) is str else text

    return held


def _bare(text: str) -> str:
    return text.replace(_SPACE, " ").replace(_END, "")


def _percent(text: str) -> str:
    return text.replace("%", "%%")


def _after(text: str, said: str) -> str:
    """A text without its first word, where one that was just said begins with it too."""
    first, _, rest = text.partition(" ")
    return rest if rest and said.startswith(f"{first} ") else text


def _large(text: str) -> str:
    return text[:1].upper() + text[1:]


def _flat(table: Mapping[str, Any], before: str) -> Iterator[tuple[str, str]]:
    for name, part in table.items():
        if isinstance(part, str):
            yield f"{before}{name}", part
        else:
            yield from _flat(part, f"{before}{name}.")
