"""Two processes at one door: one person enters once, whichever spelling comes first (OMS-12)."""

from __future__ import annotations

import threading

import pytest
from tests.house.nights.kit import EIGHT, EVENT, make_command
from tests.house.nights.tournament.step_lines import schedule
from tests.house.people.conftest import (  # noqa: F401  Fixtures.
    empty_book,
    ledger_url,
    postgres_url,
    sqlite_url,
)

from pitbook.house.ledger.ledger import Ledger
from pitbook.house.nights import commands as do
from pitbook.house.nights.store import Accepted, Night
from pitbook.house.nights.tournament import commands as floor

T = "gala.t1"
COSTS = {"costs": "100", "fee": "10", "chips": "1000"}


def night_of(ledger: Ledger) -> Night:
    return Night(ledger, EVENT, clock=lambda: EIGHT, draw=lambda _: 0)


@pytest.mark.long
@pytest.mark.parametrize("names", [("zoe", "Zoe", "ZOE"), ("Zoe", "Zoë", "сосо", "coco")])
def test_oms_12_two_processes_admit_a_person_once(
    ledger_url: str,  # noqa: F811
    names: tuple[str, ...],
) -> None:
    with Ledger.open(ledger_url) as ledger:
        night = night_of(ledger)
        for command in (make_command(), do.Open(), floor.SetUp(T, schedule(buy_in=COSTS))):
            assert isinstance(night.give(command, actor="kim"), Accepted)
        threads = [threading.Thread(target=_enter, args=(ledger_url, name)) for name in names]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        entered = night.refresh().tournaments[T].players
        distinct_people = {"o" if name in ("сосо", "coco") else "z" for name in entered}
        assert len(entered) == len(distinct_people)
        assert all(player.spent == 10_000 for player in entered.values())


def _enter(url: str, name: str) -> None:
    with Ledger.open(url) as ledger:
        night_of(ledger).give(floor.Enter(T, name), actor="kim")
