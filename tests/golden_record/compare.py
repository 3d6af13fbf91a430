"""What differs between the record and what is answered now, place by place."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from tests.golden_record.adapter import Json
from tests.golden_record.kinds import Kind, Made, Place
from tests.golden_record.record import digest, digests_of, read

SHOWN = 300


def differences(kind: Kind, folder: Path, batch: str, name: str, made: Made) -> Iterator[str]:
    """Sentences that say where an item is not what it was; none where it is."""
    texts = read(folder, kind.name)["texts"].get(batch, {}).get(name)
    before = digests_of(folder, kind, batch, name)
    for part in {**before, **made}:
        place = Place(kind.name, batch, name, part)
        if part not in made or part not in before:
            yield f"{place}: {'gone' if part not in made else 'not on record'}"
        elif digest(made[part]) == before[part]:
            continue
        elif texts is None:
            now = json.dumps(made[part], ensure_ascii=False)
            yield f"{place}: digest {before[part]}, now {digest(made[part])}: {now[:SHOWN]}"
        else:
            yield from _told(place, texts[part], made[part], kind.grows)


def _told(place: Place, before: Json, after: Json, grows: bool) -> Iterator[str]:
    found = list(unlike(before, after, grows))
    for where, one, other in found[:3]:
        yield f"{place}{where}: was {_short(one)}, is {_short(other)}"
    if not found and not grows:
        yield f"{place}: the fields stand in another order"


def unlike(
    before: Json, after: Json, grows: bool, where: str = ""
) -> Iterator[tuple[str, Json, Json]]:
    """Where two values differ, with both; fields that are added count unless a view may grow.

    >>> list(unlike({"a": [1, 2]}, {"a": [1, 3], "b": 0}, grows=True))
    [('.a[1]', 2, 3)]
    """
    if isinstance(before, dict) and isinstance(after, dict):
        for name in {**before, **({} if grows else after)}:
            pair = before.get(name, "(nothing)"), after.get(name, "(nothing)")
            yield from unlike(*pair, grows, f"{where}.{name}")
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for number, pair in enumerate(zip(before, after, strict=True)):
            yield from unlike(*pair, grows, f"{where}[{number}]")
    elif isinstance(before, str) and isinstance(after, str) and before.count("\n") > 1:
        yield from _lines(before, after, where)
    elif before != after or _type(before) is not _type(after):
        yield where, before, after


def _type(value: Json) -> type:
    """A sentence that knows its fields is a text like any other."""
    return str if isinstance(value, str) else type(value)


def _lines(before: str, after: str, where: str) -> Iterator[tuple[str, Json, Json]]:
    """The first line of two texts that is not the same."""
    one, other = before.splitlines(), after.splitlines()
    for number in range(max(len(one), len(other))):
        pair = one[number : number + 1], other[number : number + 1]
        if pair[0] != pair[1]:
            yield f"{where}, line {number + 1}", "".join(pair[0]), "".join(pair[1])
            return


def _short(value: Json) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}..."
