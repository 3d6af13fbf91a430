"""Facts of a real book, damaged one value at a time: refused with a sentence, or as good as any."""

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
from pitbook.house.ledger.batch import KEPT, TAKEN_OVER
from pitbook.house.ledger.codec import Codec
from pitbook.house.nights import facts as of_nights
from pitbook.house.nights import state as nights
from pitbook.house.nights.tournament import facts as of_tournaments
from pitbook.house.table.facts import FACTS
from pitbook.house.table.state import replay

Json = dict[str, Any]
BACKUP = RECORD / "backup.zip"
TRIES = 150  # Of each stream.
FOLLOWING = 5  # Facts that are folded behind a damaged one.
ODD: list[Any] = [
    *(None, True, 0, -1, 1.0, 1 << 64, 10**400, float("nan"), "", "x", "-1", "\ud800", "\x00"),
    *("9" * 5_000, [], {}, [[]], [None], {"a": 1}, "2026-11-17", "2026-11-17T20:00:45", " 10.00"),
]


def streams() -> dict[str, list[Json]]:
    """The facts of each stream of the book, the ledger's own left out."""
    with zipfile.ZipFile(BACKUP) as book:
        named = [json.loads(line) for line in book.read("streams.jsonl").splitlines()]
        names = {one[0]: one[1] for one in named}
        found: dict[str, list[Json]] = {name: [] for name in names.values()}
        for entry in map(json.loads, book.read("entries.jsonl").splitlines()):
            facts = json.loads(entry[7])["facts"]
            found[names[entry[0]]] += [
                one for one in facts if one["fact"] not in (KEPT, TAKEN_OVER)
            ]
    return found


def damaged(fact: Json, lot: random.Random) -> Json:
    """The fact with one value, somewhere in it, that is odd, missing or too much."""
    path = lot.choice([one for one in _paths(fact) if one != ("fact",)])
    return dict(_with(fact, path, lot)) if path else {**fact, "more": lot.choice(ODD)}


def _paths(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield path
    inner = value.items() if isinstance(value, dict) else ()
    for key, one in enumerate(value) if isinstance(value, list) else inner:
        yield from _paths(one, (*path, key))


def _with(value: Any, path: tuple[Any, ...], lot: random.Random) -> Any:
    if not path:
        return lot.choice(ODD)
    made = value.copy()
    if len(path) == 1 and lot.random() < 0.2:
        del made[path[0]]
    else:
        made[path[0]] = _with(made[path[0]], path[1:], lot)
    return made


def night_fact(kept: Json) -> Any:
    """A night's own fact, or one of its tournaments."""
    own: Codec[Any] = of_nights.FACTS
    return (own if kept["fact"] in own.kinds else of_tournaments.FACTS).load(kept)


READ: dict[str, tuple[Callable[[Json], Any], Callable[..., Any]]] = {
    "table": (FACTS.load, replay),
    "night": (night_fact, nights.folded),
}


@pytest.mark.long
@pytest.mark.parametrize("kind", READ)
def test_a_damaged_fact_is_refused_with_a_sentence_or_folded(kind: str) -> None:
    load, fold = READ[kind]
    lot = random.Random(52)
    refused = 0
    for name, facts in streams().items():
        if not name.startswith(f"{kind}/"):
            continue
        loaded = [load(one) for one in facts]
        for at in (lot.randrange(1, len(facts)) for _ in range(TRIES)):
            wrong = damaged(facts[at], lot)
            try:
                found = load(wrong)
                state = fold(loaded[:at])
                fold([found, *islice(loaded, at + 1, at + 1 + FOLLOWING)], state)
            except FactError:
                refused += 1
            except PitbookError:
                pass
            except Exception as bug:  # noqa: BLE001
                pytest.fail(f"{type(bug).__name__}: {bug} of {str(wrong)[:200]}")
    assert refused > TRIES // 3


@pytest.mark.parametrize("slip", [0, -1, 10_000, 10**400])
def test_an_undo_names_a_slip_that_was_passed(slip: int) -> None:
    """Slip 0 once undid the last one."""
    (facts,) = (one for name, one in streams().items() if name.startswith("night/"))
    at = next(n for n, one in enumerate(facts) if one["fact"] == "slip-undone")
    state = nights.folded(map(night_fact, facts[:at]))
    with pytest.raises(PitbookError, match=r"no slip .* can be undone"):
        nights.evolve(state, night_fact({**facts[at], "slip": slip}))
