"""Damaged facts are refused with a message or replayed safely."""

from __future__ import annotations

import json
import random
import zipfile
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

import pytest
from tests.golden_record.record import RECORD

from pitbook.errors import FactError, PitbookError
from pitbook.house.ledger.append_batch import CLAIMED, SNAPSHOT_STORED
from pitbook.house.ledger.fact_codec import Codec
from pitbook.house.nights import facts as of_nights
from pitbook.house.nights import state as nights
from pitbook.house.nights.tournament import facts as of_tournaments
from pitbook.house.table.apply_facts import replay
from pitbook.house.table.facts import FACTS

Json = dict[str, Any]
BACKUP = RECORD / "backup.zip"
TRIES = 150  # Of each stream.
FOLLOWING = 5  # Facts that are folded behind a damaged one.
ODD: list[Any] = [
    *(None, True, 0, -1, 1.0, 1 << 64, 10**400, float("nan"), "", "x", "-1", "\ud800", "\x00"),
    *("9" * 5_000, [], {}, [[]], [None], {"a": 1}, "2026-11-17", "2026-11-17T20:00:45", " 10.00"),
]


def streams() -> dict[str, list[Json]]:
    """The facts of each stream, without the ledger's own."""
    with zipfile.ZipFile(BACKUP) as book:
        named = [json.loads(line) for line in book.read("streams.jsonl").splitlines()]
        names = {stream_pair[0]: stream_pair[1] for stream_pair in named}
        facts_by_stream: dict[str, list[Json]] = {name: [] for name in names.values()}
        for entry in map(json.loads, book.read("entries.jsonl").splitlines()):
            facts = json.loads(entry[7])["facts"]
            facts_by_stream[names[entry[0]]] += [
                fact for fact in facts if fact["fact"] not in (SNAPSHOT_STORED, CLAIMED)
            ]
    return facts_by_stream


def damage(fact: Json, lot: random.Random) -> Json:
    """The fact with one value changed, removed or added."""
    path = lot.choice([path for path in _paths(fact) if path != ("fact",)])
    return dict(_with(fact, path, lot)) if path else {**fact, "more": lot.choice(ODD)}


def _paths(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield path
    inner = value.items() if isinstance(value, dict) else ()
    for key, child in enumerate(value) if isinstance(value, list) else inner:
        yield from _paths(child, (*path, key))


def _with(value: Any, path: tuple[Any, ...], lot: random.Random) -> Any:
    if not path:
        return lot.choice(ODD)
    changed = value.copy()
    if len(path) == 1 and lot.random() < 0.2:
        del changed[path[0]]
    else:
        changed[path[0]] = _with(changed[path[0]], path[1:], lot)
    return changed


def night_fact(stored: Json) -> Any:
    """An event's own fact, or one of its tournaments."""
    codec: Codec[Any] = of_nights.FACTS
    return (codec if stored["fact"] in codec.kinds else of_tournaments.FACTS).load(stored)


READ: dict[str, tuple[Callable[[Json], Any], Callable[..., Any]]] = {
    "table": (FACTS.load, replay),
    "night": (night_fact, nights.replay),
}


@pytest.mark.long
@pytest.mark.parametrize("kind", READ)
def test_damaged_fact_is_refused_with_a_sentence_or_valid(kind: str) -> None:
    load, fold = READ[kind]
    lot = random.Random(52)
    refused = 0
    for name, facts in streams().items():
        if not name.startswith(f"{kind}/"):
            continue
        loaded = [load(fact) for fact in facts]
        for at in (lot.randrange(1, len(facts)) for _ in range(TRIES)):
            wrong = damage(facts[at], lot)
            try:
                fact_read = load(wrong)
                state = fold(loaded[:at])
                fold([fact_read, *islice(loaded, at + 1, at + 1 + FOLLOWING)], state)
            except FactError:
                refused += 1
            except PitbookError:
                pass
            except Exception as bug:  # noqa: BLE001
                pytest.fail(f"{type(bug).__name__}: {bug} of {str(wrong)[:200]}")
    assert refused > TRIES // 3


@pytest.mark.parametrize("slip", [0, -1, 10_000, 10**400])
def test_undo_refers_to_an_existing_slip(slip: int) -> None:
    """Regression: slip 0 voided the last slip."""
    (facts,) = (night_facts for name, night_facts in streams().items() if name.startswith("night/"))
    at = next(n for n, fact in enumerate(facts) if fact["fact"] == "slip-undone")
    state = nights.replay(map(night_fact, facts[:at]))
    with pytest.raises(PitbookError, match=r"Slip .* cannot be voided"):
        nights.apply(state, night_fact({**facts[at], "slip": slip}))
