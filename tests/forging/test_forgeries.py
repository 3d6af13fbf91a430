"""Ten thousand forgeries by somebody without a key: found, or told as not proved."""

from __future__ import annotations

import functools
import itertools
import os
import random
import shutil
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from sqlalchemy import Engine
from tests.chaos.results import Result, result
from tests.forging import houses
from tests.forging.forger import Forger
from tests.forging.houses import Known
from tests.forging.ways import FORGERIES
from tests.lanes import examples

from pitbook.errors import LedgerError
from pitbook.house.ledger.anchors import AnchoredCheckpoint, FileAnchor
from pitbook.house.ledger.audit import BookVerdict
from pitbook.house.ledger.chain import Entry
from pitbook.house.ledger.database import connect
from pitbook.house.ledger.folder import BOOK, CHECKPOINTS, KEYS, book_url, verified
from pitbook.house.ledger.journal import Ledger
from pitbook.house.ledger.keys import fresh_keys, read_keys, write_keys
from pitbook.house.ledger.stream_kinds import audit_of

pytestmark = pytest.mark.random  # A sample in make test, all of it in make test-slow.
Work: TypeAlias = Callable[[Known, Path, int], list[str]]
SEED = "closed doors"
KINDS = len(FORGERIES) + 4  # And files that are genuine, but older or another's.
PARTS = examples(1, 20)
FORGED = examples(KINDS, 10_000) // PARTS  # Each kind once where all of them must be found.
UNPROVED = examples(KINDS // 2, 10_000) // PARTS
ANCHORED, PASSED = "with an anchor outside", "told as proved:"
STEP = 7  # From kind to kind; it has nothing in common with how many there are.


@pytest.fixture(scope="module")
def closed(tmp_path_factory: pytest.TempPathFactory) -> Known:
    return houses.house(tmp_path_factory.mktemp("closed"), signed=True)


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> Known:
    return houses.house(tmp_path_factory.mktemp("killed"), signed=False)


def read(path: Path, anchor: Path | None) -> tuple[BookVerdict | None, dict[str, list[Entry]]]:
    """What verify says of a folder, and what is in its book."""
    known: list[AnchoredCheckpoint] | None = None if anchor is None else FileAnchor(anchor).read()
    key = read_keys(path / KEYS).public
    try:
        with Ledger(engine(path), writes=False) as ledger:
            report = verified(ledger, path, key=key, anchored=known, following=audit_of)
            if report.findings:
                return report, {}
            return report, {
                stream.name: list(ledger.entries(stream.name)) for stream in ledger.streams()
            }
    except LedgerError:  # It cannot be opened at all.
        return None, {}


@functools.cache
def engine(path: Path) -> Engine:
    """Made once for all copies in one place: what is asked of them is the same."""
    return connect(book_url(path, None), read_only=True)


def is_found(verdict: BookVerdict | None) -> bool:
    return verdict is None or bool(verdict.findings)


def forgeries(known: Known, place: Path, part: int, left: int) -> Iterator[tuple[str, Path]]:
    """Copies of a house, each forged in its own way, with what was done to it."""
    luck = random.Random(f"{SEED} {part}")
    for number in itertools.count():
        kind = (part + STEP * number) % KINDS
        copy = place / "forged"
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(known.path, copy)
        before = {file.name: file.read_bytes() for file in copy.iterdir()}
        what = forged(known, copy, kind, luck)
        if before != {file.name: file.read_bytes() for file in copy.iterdir()}:
            yield f"{SEED} {part}/{number}: {what}", copy
            left -= 1
        if not left:
            return


def forged(known: Known, copy: Path, kind: int, luck: random.Random) -> str:
    """Change a copy in one way or more, by hand or by files that are genuine and older."""
    if kind >= len(FORGERIES):
        return swapped(known, copy, kind - len(FORGERIES), luck)
    forger = Forger(copy, luck)
    chosen = [FORGERIES[kind], *luck.choices(FORGERIES, k=luck.choice((0, 0, 0, 1, 2)))]
    same = (dump(forger), list(forger.signed), dict(forger.guards))
    for one in chosen:
        try:
            one(forger)
        except (IndexError, KeyError, ValueError):  # Nothing of the kind is left.
            continue
    forger.chain()
    covers = luck.random() < 0.6
    if covers:
        forger.cover()
    if (dump(forger), forger.signed, forger.guards) != same:
        forger.rechains = luck.random() < 0.95
        forger.write()
    return f"{', '.join(one.__name__ for one in chosen)}{', covered' if covers else ''}"


def swapped(known: Known, copy: Path, kind: int, luck: random.Random) -> str:
    older = luck.choice(known.earlier)
    names = ((BOOK,), (CHECKPOINTS,), (BOOK, CHECKPOINTS), (KEYS,))[kind]
    for name in names:
        if name == KEYS:
            (copy / KEYS).unlink()
            write_keys(copy / KEYS, fresh_keys())
        else:
            shutil.copy(older / name, copy / name)
    return f"{', '.join(names)} of {older.name}"


def dump(forger: Forger) -> list[Any]:
    return [str(forger.streams), str(forger.entries), str(forger.kept)]


@pytest.mark.long
def test_with_the_anchor_outside_every_forgery_is_found(closed: Known, tmp_path: Path) -> None:
    missed = in_parts(not_found, closed, tmp_path)
    told = record(f"SQLite, {ANCHORED}", FORGED, missed)
    assert told["wrong"] == 0, missed


def not_found(known: Known, place: Path, part: int) -> list[str]:
    """Which of a part's forgeries pass for the house's own book."""
    tried = forgeries(known, place, part, FORGED)
    return [what for what, copy in tried if not is_found(read(copy, known.anchor)[0])]


@pytest.mark.slow
def test_without_it_what_is_not_found_is_told_as_not_proved(killed: Known, tmp_path: Path) -> None:
    told = in_parts(not_proved, killed, tmp_path)
    passed = [what for what in told if what.startswith(PASSED)]
    assert record("SQLite, without an anchor", UNPROVED, passed)["wrong"] == 0, passed
    assert UNPROVED * PARTS / 2 > len(told) > 0


def not_proved(known: Known, place: Path, part: int) -> list[str]:
    """Which of a part's forgeries are not found: what is told of each, and whether that is so."""
    _, genuine = read(known.path, None)
    told = []
    for what, copy in forgeries(known, place, part, UNPROVED):
        verdict, entries = read(copy, None)
        if is_found(verdict):
            continue
        assert verdict is not None
        honest = proved(verdict, entries) <= proved_by_house(genuine)
        told.append(what if honest else f"{PASSED} {what}")
    return told


def in_parts(work: Work, known: Known, place: Path) -> list[str]:
    """What all parts found, several at a time where there are several."""
    places = [place / str(part) for part in range(PARTS)]
    for one in places:
        one.mkdir()
    if PARTS == 1:
        return work(known, places[0], 0)
    with ProcessPoolExecutor(os.cpu_count(), mp_context=get_context("spawn")) as pool:
        found = pool.map(work, itertools.repeat(known), places, range(PARTS))
        return [what for part in found for what in part]


def record(on: str, each: int, wrong: list[str]) -> Result:
    check = "forgery by somebody without a key"
    return result(check, on=on, count=each * PARTS, what="forgeries", wrong=wrong, seed=SEED)


def proved(verdict: BookVerdict, entries: dict[str, list[Entry]]) -> set[Entry]:
    """The entries that verify stands for; what is not among them it names."""
    open_from = {one.stream: one.seq for one in verdict.proved.open}
    return {
        entry
        for name, many in entries.items()
        for entry in many
        if entry.seq < open_from.get(name, entry.seq + 1)
    }


def proved_by_house(genuine: dict[str, list[Entry]]) -> set[Entry]:
    return {entry for many in genuine.values() for entry in many}


@pytest.mark.long
def test_genuine_houses_are_sound_and_say_how_far_they_are_proved(
    closed: Known, killed: Known
) -> None:
    verdict, entries = read(closed.path, closed.anchor)
    assert verdict is not None
    assert (verdict.findings, verdict.proved.since) == ((), 0)
    assert len(entries) == 6
    verdict, _ = read(killed.path, killed.anchor)
    assert verdict is not None
    assert verdict.findings == ()
    first = verdict.proved.first
    assert first is not None
    assert (first.stream, first.at > str(verdict.proved.at)) == ("cage", True)
    assert {one.stream for one in verdict.proved.open} == {"cage", "table/one"}


@pytest.mark.long
def test_a_house_put_back_as_it_was_is_known_by_the_anchor_alone(closed: Known) -> None:
    for older in closed.earlier:
        assert read(older, None)[0] is not None
        assert not is_found(read(older, None)[0])
        assert is_found(read(older, closed.anchor)[0])
