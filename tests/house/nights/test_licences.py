"""OMS-12: one tournament of each licensed event may allow $250, over all nights made of it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from tests.house.nights.kit import EIGHT, Evening, making
from tests.house.nights.tournament.evening import schedule
from tests.house.web.conftest import fast_folder

from pitbook.house.ledger.folder import Folder
from pitbook.house.ledger.journal import Ledger
from pitbook.house.nights import commands as do
from pitbook.house.nights.store import Accepted, Answer, Night
from pitbook.house.nights.tournament import commands as floor
from pitbook.rules.refusals import Code, Refusal

LARGE = schedule(higher_limit=True)


def night_of(ledger: Ledger, event: str, **changed: Any) -> Night:
    night = Night(ledger, event, clock=lambda: EIGHT)
    assert isinstance(night.give(making(event=event, **changed), actor="kim"), Accepted)
    return night


def large(night: Night, own: str = "t1") -> Answer:
    event = night.stream.removeprefix("night/")
    return night.give(floor.SetUp(f"{event}.{own}", LARGE), actor="kim")


@pytest.mark.parametrize(
    ("changed", "fine"),
    [
        ({}, False),
        ({"licence": "  nh-2026-117"}, False),
        ({"licence": "NH-2026-118"}, True),
        ({"gaming_date": "2026-11-22"}, True),
        ({"rehearsal": True}, True),
    ],
)
def test_two_nights_of_one_licence_and_date_are_one_event(
    evening: Evening, changed: dict[str, Any], fine: bool
) -> None:
    evening.must(floor.SetUp("gala.t1", LARGE))
    answer = large(night_of(evening.ledger, "second", **changed))
    assert isinstance(answer, Accepted) == fine
    if isinstance(answer, Refusal):
        assert (answer.code, answer.clause) == (Code.ABOVE_MAXIMUM, "OMS-12")
        assert "one tournament of an event may allow $250: gala.t1 does" in answer.message


def test_it_is_free_again_when_the_tournament_is_withdrawn(evening: Evening) -> None:
    accepted = evening.must(floor.SetUp("gala.t1", LARGE))
    second = night_of(evening.ledger, "second")
    assert isinstance(large(second), Refusal)
    number = evening.state.tournaments["gala.t1"].past[-1][0]
    evening.must(floor.Undo("gala.t1", number, "not today"))
    assert isinstance(large(second), Accepted), accepted
    assert evening.no(floor.SetUp("gala.t2", LARGE)).clause == "OMS-12"


def test_a_night_that_closed_keeps_it_and_one_that_was_called_off_does_not(
    evening: Evening,
) -> None:
    off = night_of(evening.ledger, "off")
    assert isinstance(large(off), Accepted)
    assert evening.no(floor.SetUp("gala.t1", LARGE)).clause == "OMS-12"
    assert isinstance(off.give(do.Close(), actor="kim"), Accepted)
    evening.must(floor.SetUp("gala.t1", LARGE))
    evening.must(do.Close())
    assert isinstance(large(night_of(evening.ledger, "second")), Refusal)


def test_no_correction_leads_to_a_second_one(evening: Evening) -> None:
    evening.must(floor.SetUp("gala.t1", LARGE))
    other = night_of(evening.ledger, "second", licence="NH-2")
    assert isinstance(large(other), Accepted)
    refusal = other.give(do.Correct(licence="NH-2026-117"), actor="kim")
    assert isinstance(refusal, Refusal)
    assert "gala.t1 does, and so does second.t1" in refusal.message
    assert isinstance(other.give(do.Correct(charity="Food Pantry"), actor="kim"), Accepted)


def at_once(*acts: Callable[[], Answer]) -> list[Answer]:
    """All of them, begun at the same moment."""
    ready = threading.Barrier(len(acts))

    def act(one: Callable[[], Answer]) -> Answer:
        ready.wait()
        return one()

    with ThreadPoolExecutor(len(acts)) as pool:
        return list(pool.map(act, acts))


def race(first: Ledger, second: Ledger) -> None:
    """Two nights set a large tournament up while a third, which has one, becomes their event."""
    ann, bob = night_of(first, "ann"), night_of(second, "bob")
    moved = night_of(first, "moved", licence="elsewhere")
    assert isinstance(large(moved), Accepted)
    correct = do.Correct(licence="NH-2026-117")
    answers = at_once(
        lambda: large(ann), lambda: large(bob), lambda: moved.give(correct, actor="kim")
    )
    assert [isinstance(one, Accepted) for one in answers].count(True) == 1, answers


@pytest.mark.long
@pytest.mark.parametrize("time", range(3))
def test_of_several_processes_at_once_one_has_it(tmp_path: Path, time: int) -> None:
    """Each looks at the other's night after it has made the other look again."""
    folders = [fast_folder(tmp_path) for _ in range(2)]
    race(*(one.ledger for one in folders))
    for folder in folders:
        folder.close()


@pytest.mark.long
@pytest.mark.parametrize("time", range(2))
def test_of_several_processes_on_postgresql_one_has_it(
    tmp_path: Path, postgres: str, time: int
) -> None:
    Folder.make(tmp_path / "house", postgres).close()
    folders = [Folder.open(tmp_path / "house", postgres) for _ in range(2)]
    race(*(one.ledger for one in folders))
    for folder in folders:
        folder.close()
