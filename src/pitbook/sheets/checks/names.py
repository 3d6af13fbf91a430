"""Names tell things apart: at the table, on the layout and in commands no two may be mistaken."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from pitbook.sheets.families import family_of
from pitbook.sheets.findings import FieldPath, Finding, shown
from pitbook.sheets.model import Sheet
from pitbook.sheets.values import TomlTable
from pitbook.text import say

NAME_MAX = 120  # What a layout, a rack card or a line of a terminal can hold.
LONG_TEXTS = ("note", "departs", "document", "layout")
NAMED = ("title", "venue", "jurisdiction", "low", "high", "shared", "area", "pieces", "by")
_UNSEEN = ("Cc", "Cf", "Cs", "Zl", "Zp")
_BLANK = "\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0"  # Letters and signs that leave no ink.
_JOINS = "\u200c\u200d\u00ad"  # Within words of many tongues, and within one picture.

NameAt = tuple[str, FieldPath]


def check(sheet: Sheet) -> Iterator[Finding]:
    """The findings about names and texts."""
    yield from _like_a_play(sheet)
    yield from _titles(sheet)
    yield from family_of(sheet).checks().names(sheet)
    yield from _texts(sheet, ())


def _plain(name: str) -> str:
    """A name as it looks or sounds: case, spaces and unseen characters aside."""
    seen = (one for one in unicodedata.normalize("NFKC", name) if _is_seen(one))
    return " ".join("".join(seen).casefold().split())


def _is_seen(character: str) -> bool:
    return unicodedata.category(character) not in _UNSEEN and character not in _BLANK


def error(message: str, path: FieldPath, clause: str | None) -> Finding:
    """A finding about a name."""
    return Finding("error", "name", message, path, clause)


def _like_a_play(sheet: Sheet) -> Iterator[Finding]:
    """A round file and a command must not take a wager for a play."""
    is_play = family_of(sheet).checks().is_play
    for name, path, clause in _ids(sheet):
        if is_play(name):
            message = say("findings.names.a-play", name=name)
            yield error(message, path, clause)


def _ids(sheet: Sheet) -> Iterator[tuple[str, FieldPath, str]]:
    for bet in sheet.named_bets():
        yield bet.id, (*bet.path, "id"), bet.clause
    for wager, side in sheet.side.items():
        yield wager, ("side", wager), side.clause


def _titles(sheet: Sheet) -> Iterator[Finding]:
    titles: list[NameAt] = [(sheet.main_wager.title, (sheet.main_id, "title"))]
    titles += [(bet.title, (*bet.path, "title")) for bet in sheet.named_bets()]
    titles += [(one.title, ("side", wager, "title")) for wager, one in sheet.side.items()]
    for name, path in repeated(titles):
        message = say("findings.names.two-wagers", name=shown(name))
        yield error(message, path, None)


def repeated(names: Iterable[tuple[str, FieldPath]]) -> Iterator[NameAt]:
    """Every name that one before it has already, in whatever letters."""
    taken: set[str] = set()
    for name, path in names:
        if _plain(name) in taken:
            yield name, path
        taken.add(_plain(name))


def _texts(part: Any, path: FieldPath) -> Iterator[Finding]:
    """Every text of the sheet: one can be read, and a name is no story."""
    if isinstance(part, TomlTable):
        for name, field in type(part).model_fields.items():
            yield from _texts(getattr(part, name), (*path, field.alias or name))
    elif isinstance(part, Mapping):
        for name, one in part.items():
            yield from _texts(one, (*path, name))
    elif isinstance(part, tuple) and not hasattr(part, "_fields"):
        for number, one in enumerate(part):
            yield from _texts(one, (*path, number))
    elif isinstance(part, str):
        yield from _text(part, path)


def _text(text: str, path: FieldPath) -> Iterator[Finding]:
    names = [step for step in path if isinstance(step, str)]
    field = names[-1]
    plain = text.isascii() and text.isprintable()  # Then all of it is seen.
    unseen = set() if plain else {one for one in text if not _is_seen(one)} - {*_JOINS}
    if field in LONG_TEXTS:
        unseen -= {"\n", "\t"}
    if not (text.strip() if plain else _plain(text)):
        yield error(say("findings.names.nothing-seen", field=field), path, None)
    elif unseen:
        point = f"U+{ord(min(unseen)):04X}"
        yield error(say("findings.names.unseen", field=field, point=point), path, None)
    elif field in NAMED and len(text) > NAME_MAX:
        long = {"field": field, "count": len(text), "most": NAME_MAX}
        message = say("findings.names.too-long", **long)
        yield error(message, path, None)
