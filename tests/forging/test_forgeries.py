"""Ten thousand forgeries without the key: each is detected, or reported as not proved."""

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
from tests.forging.forgeries import FORGERIES
from tests.forging.houses import GenuineHouse
from tests.lanes import examples

from pitbook.errors import LedgerError
from pitbook.house.ledger.anchors import AnchoredCheckpoint, FileAnchor
from pitbook.house.ledger.audit import LedgerVerdict
from pitbook.house.ledger.data_folder import (
    CHECKPOINTS_FILE,
    KEYS_FILE,
    LEDGER_FILE,
    ledger_url,
    verify_folder,
)
from pitbook.house.ledger.database import connect
from pitbook.house.ledger.hash_chain import Entry
from pitbook.house.ledger.keys import generate_keys, read_keys, write_keys
from pitbook.house.ledger.ledger import Ledger
from pitbook.house.ledger.stream_kinds import audit_of

pytestmark = pytest.mark.random  # A sample in make test, all of it in make test-slow.
Work: TypeAlias = Callable[[GenuineHouse, Path, int], list[str]]
SEED = "closed doors"
KINDS = len(FORGERIES) + 4  # Plus files that are genuine, but older or from elsewhere.
PARTS = examples(1, 20)
FORGED = examples(KINDS, 10_000) // PARTS  # Each kind at least once if all must be found.
UNPROVED = examples(KINDS // 2, 10_000) // PARTS
ANCHORED, PASSED = "with an anchor outside", "told as proved:"
STEP = 7  # From kind to kind; coprime to the number of kinds.


@pytest.fixture(scope="module")
def closed_house(tmp_path_factory: pytest.TempPathFactory) -> GenuineHouse:
    return houses.house(tmp_path_factory.mktemp("closed"), signed=True)


@pytest.fixture(scope="module")
def killed_house(tmp_path_factory: pytest.TempPathFactory) -> GenuineHouse:
    return houses.house(tmp_path_factory.mktemp("killed"), signed=False)


def verdict_and_entries(
    path: Path, anchor: Path | None
) -> tuple[LedgerVerdict | None, dict[str, list[Entry]]]:
    """The verdict of verify on a folder, and the entries of its ledger."""
    anchored: list[AnchoredCheckpoint] | None = (
        None if anchor is None else FileAnchor(anchor).read()
    )
    key = read_keys(path / KEYS_FILE).public
    try:
        with Ledger(engine(path), writes=False) as ledger:
            report = verify_folder(ledger, path, key=key, anchored=anchored, replay_of=audit_of)
            if report.findings:
                return report, {}
            return report, {
                stream.name: list(ledger.entries(stream.name)) for stream in ledger.streams()
            }
    except LedgerError:  # It cannot be opened at all.
        return None, {}


@functools.cache
def engine(path: Path) -> Engine:
    """Cached for all copies in one place, because the same queries are sent to them."""
    return connect(ledger_url(path, None), read_only=True)


def is_found(verdict: LedgerVerdict | None) -> bool:
    return verdict is None or bool(verdict.findings)


def forgeries(
    original: GenuineHouse, place: Path, part: int, remaining: int
) -> Iterator[tuple[str, Path]]:
    """Copies of a house, each forged differently, with a description."""
    rng = random.Random(f"{SEED} {part}")
    for number in itertools.count():
        kind = (part + STEP * number) % KINDS
        copy = place / "forged"
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(original.path, copy)
        before = {file.name: file.read_bytes() for file in copy.iterdir()}
        description = forge_copy(original, copy, kind, rng)
        if before != {file.name: file.read_bytes() for file in copy.iterdir()}:
            yield f"{SEED} {part}/{number}: {description}", copy
            remaining -= 1
        if not remaining:
            return


def forge_copy(original: GenuineHouse, copy: Path, kind: int, rng: random.Random) -> str:
    """Change a copy in one or more ways, by hand or with genuine older files."""
    if kind >= len(FORGERIES):
        return swap_files(original, copy, kind - len(FORGERIES), rng)
    forger = Forger(copy, rng)
    chosen = [FORGERIES[kind], *rng.choices(FORGERIES, k=rng.choice((0, 0, 0, 1, 2)))]
    same = (dump(forger), list(forger.checkpoints), dict(forger.guards))
    for forgery in chosen:
        try:
            forgery(forger)
        except (IndexError, KeyError, ValueError):  # No such thing is left to change.
            continue
    forger.chain()
    covered = rng.random() < 0.6
    if covered:
        forger.cover_tracks()
    if (dump(forger), forger.checkpoints, forger.guards) != same:
        forger.recompute_chain = rng.random() < 0.95
        forger.write()
    return f"{', '.join(forgery.__name__ for forgery in chosen)}{', covered' if covered else ''}"


def swap_files(original: GenuineHouse, copy: Path, kind: int, rng: random.Random) -> str:
    older = rng.choice(original.earlier_states)
    names = ((LEDGER_FILE,), (CHECKPOINTS_FILE,), (LEDGER_FILE, CHECKPOINTS_FILE), (KEYS_FILE,))[
        kind
    ]
    for name in names:
        if name == KEYS_FILE:
            (copy / KEYS_FILE).unlink()
            write_keys(copy / KEYS_FILE, generate_keys())
        else:
            shutil.copy(older / name, copy / name)
    return f"{', '.join(names)} of {older.name}"


def dump(forger: Forger) -> list[Any]:
    return [str(forger.streams), str(forger.entries), str(forger.snapshots)]


@pytest.mark.long
def test_with_an_external_anchor_every_forgery_is_detected(
    closed_house: GenuineHouse, tmp_path: Path
) -> None:
    missed = in_parts(undetected_forgeries, closed_house, tmp_path)
    row = record(f"SQLite, {ANCHORED}", FORGED, missed)
    assert row["wrong"] == 0, missed


def undetected_forgeries(original: GenuineHouse, place: Path, part: int) -> list[str]:
    """The forgeries of a part that pass for the genuine ledger."""
    tried = forgeries(original, place, part, FORGED)
    return [
        description
        for description, copy in tried
        if not is_found(verdict_and_entries(copy, original.anchor)[0])
    ]


@pytest.mark.slow
def test_without_an_anchor_undetected_forgeries_are_reported_as_not_proved(
    killed_house: GenuineHouse, tmp_path: Path
) -> None:
    undetected = in_parts(unproved_forgeries, killed_house, tmp_path)
    passed = [description for description in undetected if description.startswith(PASSED)]
    assert record("SQLite, without an anchor", UNPROVED, passed)["wrong"] == 0, passed
    assert UNPROVED * PARTS / 2 > len(undetected) > 0


def unproved_forgeries(original: GenuineHouse, place: Path, part: int) -> list[str]:
    """The forgeries of a part that are not detected, marked if reported as proved."""
    _, genuine = verdict_and_entries(original.path, None)
    undetected = []
    for description, copy in forgeries(original, place, part, UNPROVED):
        verdict, entries = verdict_and_entries(copy, None)
        if is_found(verdict):
            continue
        assert verdict is not None
        is_accurate = proved_entries(verdict, entries) <= proved_by_house(genuine)
        undetected.append(description if is_accurate else f"{PASSED} {description}")
    return undetected


def in_parts(work: Work, original: GenuineHouse, place: Path) -> list[str]:
    """The results of all parts, in parallel if there are several."""
    places = [place / str(part) for part in range(PARTS)]
    for part_folder in places:
        part_folder.mkdir()
    if PARTS == 1:
        return work(original, places[0], 0)
    with ProcessPoolExecutor(os.cpu_count(), mp_context=get_context("spawn")) as pool:
        results = pool.map(work, itertools.repeat(original), places, range(PARTS))
        return [description for part in results for description in part]


def record(on: str, each: int, wrong: list[str]) -> Result:
    check = "forgery by somebody without a key"
    return result(check, on=on, count=each * PARTS, what="forgeries", wrong=wrong, seed=SEED)


def proved_entries(verdict: LedgerVerdict, entries: dict[str, list[Entry]]) -> set[Entry]:
    """The entries that verify reports as proved."""
    open_from = {start.stream: start.seq for start in verdict.proved.open}
    return {
        entry
        for name, stream_entries in entries.items()
        for entry in stream_entries
        if entry.seq < open_from.get(name, entry.seq + 1)
    }


def proved_by_house(genuine: dict[str, list[Entry]]) -> set[Entry]:
    return {entry for stream_entries in genuine.values() for entry in stream_entries}


@pytest.mark.long
def test_genuine_houses_are_intact_and_state_how_far_they_are_proved(
    closed_house: GenuineHouse, killed_house: GenuineHouse
) -> None:
    verdict, entries = verdict_and_entries(closed_house.path, closed_house.anchor)
    assert verdict is not None
    assert (verdict.findings, verdict.proved.unsigned_entries) == ((), 0)
    assert len(entries) == 6
    verdict, _ = verdict_and_entries(killed_house.path, killed_house.anchor)
    assert verdict is not None
    assert verdict.findings == ()
    first = verdict.proved.first_unsigned
    assert first is not None
    assert (first.stream, first.at > str(verdict.proved.at)) == ("cage", True)
    assert {start.stream for start in verdict.proved.open} == {"cage", "table/one"}


@pytest.mark.long
def test_only_the_anchor_detects_a_house_restored_to_an_earlier_state(
    closed_house: GenuineHouse,
) -> None:
    for older in closed_house.earlier_states:
        assert verdict_and_entries(older, None)[0] is not None
        assert not is_found(verdict_and_entries(older, None)[0])
        assert is_found(verdict_and_entries(older, closed_house.anchor)[0])
