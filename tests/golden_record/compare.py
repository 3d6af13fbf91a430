"""Differences between the record and the current answers, by place."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from tests.golden_record.adapter import Json
from tests.golden_record.kinds import ItemParts, Kind, Place
from tests.golden_record.record import digest, read, recorded_digests

SHOWN = 300


def differences(kind: Kind, folder: Path, batch: str, name: str, parts: ItemParts) -> Iterator[str]:
    """Sentences that describe how an item differs from the record."""
    texts = read(folder, kind.name)["texts"].get(batch, {}).get(name)
    recorded = recorded_digests(folder, kind, batch, name)
    for part in {**recorded, **parts}:
        place = Place(kind.name, batch, name, part)
        if part not in parts or part not in recorded:
            yield f"{place}: {'gone' if part not in parts else 'not on record'}"
        elif digest(parts[part]) == recorded[part]:
            continue
        elif texts is None:
            current = json.dumps(parts[part], ensure_ascii=False)
            yield f"{place}: digest {recorded[part]}, now {digest(parts[part])}: {current[:SHOWN]}"
        else:
            yield from _describe_differences(place, texts[part], parts[part], kind.grows)


def _describe_differences(
    place: Place, recorded: Json, current: Json, grows: bool
) -> Iterator[str]:
    differences_found = list(value_differences(recorded, current, grows))
    for path, old, new in differences_found[:3]:
        yield f"{place}{path}: was {_shorten(old)}, is {_shorten(new)}"
    if not differences_found and not grows:
        yield f"{place}: the fields stand in another order"


def value_differences(
    recorded: Json, current: Json, grows: bool, path: str = ""
) -> Iterator[tuple[str, Json, Json]]:
    """The places where two documents differ, with both values; added fields count unless it may
    grow.

    >>> list(value_differences({"a": [1, 2]}, {"a": [1, 3], "b": 0}, grows=True))
    [('.a[1]', 2, 3)]
    """
    if isinstance(recorded, dict) and isinstance(current, dict):
        for name in {**recorded, **({} if grows else current)}:
            pair = recorded.get(name, "(nothing)"), current.get(name, "(nothing)")
            yield from value_differences(*pair, grows, f"{path}.{name}")
    elif isinstance(recorded, list) and isinstance(current, list) and len(recorded) == len(current):
        for number, pair in enumerate(zip(recorded, current, strict=True)):
            yield from value_differences(*pair, grows, f"{path}[{number}]")
    elif isinstance(recorded, str) and isinstance(current, str) and recorded.count("\n") > 1:
        yield from _first_line_difference(recorded, current, path)
    elif recorded != current or _comparable_type(recorded) is not _comparable_type(current):
        yield path, recorded, current


def _comparable_type(document: Json) -> type:
    """A Sentence compares as plain text."""
    return str if isinstance(document, str) else type(document)


def _first_line_difference(
    recorded: str, current: str, path: str
) -> Iterator[tuple[str, Json, Json]]:
    """The first line that differs between two texts."""
    old_lines, new_lines = recorded.splitlines(), current.splitlines()
    for number in range(max(len(old_lines), len(new_lines))):
        pair = old_lines[number : number + 1], new_lines[number : number + 1]
        if pair[0] != pair[1]:
            yield f"{path}, line {number + 1}", "".join(pair[0]), "".join(pair[1])
            return


def _shorten(document: Json) -> str:
    text = json.dumps(document, ensure_ascii=False)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}..."
