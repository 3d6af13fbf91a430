"""OMS-12: one tournament of each licensed event may allow $250, over all its nights."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from tests.house.nights.kit import EIGHT, Evening, make_command
from tests.house.nights.tournament.step_lines import schedule
from tests.house.web.conftest import fast_folder

from pitbook.house.ledger.data_folder import Folder
from pitbook.house.ledger.ledger import Ledger
from pitbook.house.nights import commands as do
from pitbook.house.nights.store import Accepted, Answer, Night
from pitbook.house.nights.tournament import commands as floor
from pitbook.rules.refusals import Code, Refusal

LARGE = schedule(higher_limit=True)


def night_of(ledger: Ledger, event: str, **changed: Any) -> Night:
    night = Night(ledger, event, clock=lambda: EIGHT)
    assert isinstance(night.give(make_command(event=event, **changed), actor="kim"), Accepted)
    return night


def set_up_large(night: Night, short_name: str = "t1") -> Answer:
    event = night.stream.removeprefix("night/")
    return night.give(floor.SetUp(f"{event}.{short_name}", LARGE), actor="kim")


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
def test_two_nights_of_one_license_and_date_are_one_event(
    evening: Evening, changed: dict[str, Any], fine: bool
) -> None:
    evening.must(floor.SetUp("gala.t1", LARGE))
    answer = set_up_large(night_of(evening.ledger, "second", **changed))
    assert isinstance(answer, Accepted) == fine
    if isinstance(answer, Refusal):
        assert (answer.code, answer.clause) == (Code.ABOVE_MAXIMUM, "OMS-12")
        assert (
            "Only one tournament per event may allow spending up to $250. gala.t1 already does."
            in answer.message
        )


def test_higher_limit_is_free_again_after_a_withdrawal(evening: Evening) -> None:
    accepted = evening.must(floor.SetUp("gala.t1", LARGE))
    second = night_of(evening.ledger, "second")
    assert isinstance(set_up_large(second), Refusal)
    number = evening.state.tournaments["gala.t1"].past[-1][0]
    evening.must(floor.Undo("gala.t1", number, "not today"))
    assert isinstance(set_up_large(second), Accepted), accepted
    assert evening.no(floor.SetUp("gala.t2", LARGE)).clause == "OMS-12"


def test_closed_night_keeps_the_higher_limit_and_a_canceled_one_does_not(
    evening: Evening,
) -> None:
    canceled = night_of(evening.ledger, "off")
    assert isinstance(set_up_large(canceled), Accepted)
    assert evening.no(floor.SetUp("gala.t1", LARGE)).clause == "OMS-12"
    assert isinstance(canceled.give(do.Close(), actor="kim"), Accepted)
    evening.must(floor.SetUp("gala.t1", LARGE))
    evening.must(do.Close())
    assert isinstance(set_up_large(night_of(evening.ledger, "second")), Refusal)


def test_correction_cannot_create_a_second_large_tournament(evening: Evening) -> None:
    evening.must(floor.SetUp("gala.t1", LARGE))
    other = night_of(evening.ledger, "second", licence="NH-2")
    assert isinstance(set_up_large(other), Accepted)
    refusal = other.give(do.Correct(licence="NH-2026-117"), actor="kim")
    assert isinstance(refusal, Refusal)
    assert "gala.t1 and second.t1 both do" in refusal.message
    assert isinstance(other.give(do.Correct(charity="Food Pantry"), actor="kim"), Accepted)


def at_once(*acts: Callable[[], Answer]) -> list[Answer]:
    """Run all functions at the same time."""
    ready = threading.Barrier(len(acts))

    def act(function: Callable[[], Answer]) -> Answer:
        ready.wait()
        return function()

    with ThreadPoolExecutor(len(acts)) as pool:
        return list(pool.map(act, acts))


def race(first: Ledger, second: Ledger) -> None:
    """Two nights set up a large tournament while a third is corrected into their event."""
    ann, bob = night_of(first, "ann"), night_of(second, "bob")
    corrected_night = night_of(first, "moved", licence="elsewhere")
    assert isinstance(set_up_large(corrected_night), Accepted)
    correct = do.Correct(licence="NH-2026-117")
    answers = at_once(
        lambda: set_up_large(ann),
        lambda: set_up_large(bob),
        lambda: corrected_night.give(correct, actor="kim"),
    )
    assert [isinstance(answer, Accepted) for answer in answers].count(True) == 1, answers


@pytest.mark.long
@pytest.mark.parametrize("time", range(3))
def test_only_one_of_several_processes_gets_the_higher_limit(tmp_path: Path, time: int) -> None:
    """Each process looks at the other's night after forcing it to look again."""
    folders = [fast_folder(tmp_path) for _ in range(2)]
    race(*(folder.ledger for folder in folders))
    for folder in folders:
        folder.close()


@pytest.mark.long
@pytest.mark.parametrize("time", range(2))
def test_only_one_of_several_postgresql_processes_gets_the_higher_limit(
    tmp_path: Path, postgres: str, time: int
) -> None:
    Folder.make(tmp_path / "house", postgres).close()
    folders = [Folder.open(tmp_path / "house", postgres) for _ in range(2)]
    race(*(folder.ledger for folder in folders))
    for folder in folders:
        folder.close()
