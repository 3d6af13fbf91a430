"""One person plays under one name, and excluded players cannot bet."""

from __future__ import annotations

from datetime import timedelta

import pytest
from tests.house.table.kit import DEALER, START, Live

from pitbook import load
from pitbook.house.people.roster import Exclusion, Fact, NameAdded, apply_events
from pitbook.house.table.commands import CloseBetting, Decide, Leave, PutWager, Rebet, Sit, Undo
from pitbook.money import Cents
from pitbook.rules.refusals import Code

CMS = load("catfish-bend/mississippi-stud")


def apply_facts(live: Live, *facts: Fact) -> None:
    live.env.roster = apply_events(live.env.roster, facts)


def exclude(live: Live, name: str) -> None:
    until, at = START.date().isoformat(), START.isoformat()
    apply_facts(live, Exclusion(name, until, "UTC", "asked", "sue", at))


def test_staff_seat_the_recorded_person() -> None:
    live = Live(CMS, "typed")
    apply_facts(live, NameAdded("zoe"))
    live.do(DEALER, Sit(1, "ZOE"))
    assert live.state.seats == {1: "zoe"}
    assert "mixes" in live.no(DEALER, Sit(2, "z\u043ee")).message
    assert 'looks like "zoe"' in live.no(DEALER, Sit(2, "Zoë")).message


@pytest.mark.parametrize(("kind", "by"), [("house", "zoe"), ("typed", DEALER), ("practice", "zoe")])
def test_excluded_person_cannot_sit(kind: str, by: object) -> None:
    live = Live(CMS, kind, owner="zoe" if kind == "practice" else "")
    exclude(live, "Zoe")
    refused = live.no(by, Sit(1) if by == "zoe" else Sit(1, "zoe"))  # type: ignore[arg-type]
    assert refused.code is Code.EXCLUDED
    live.env.time += timedelta(days=1)
    live.do(by, Sit(1) if by == "zoe" else Sit(1, "zoe"))  # type: ignore[arg-type]


def test_excluded_player_finishes_the_hand_and_cannot_bet() -> None:
    live = Live(CMS).seat(1, "zoe", ante=500).do("zoe", CloseBetting())
    exclude(live, "zoe")
    while live.round.waiting:
        live.do("zoe", Decide(1, "1x"))
    assert live.round.phase == "over"
    for command in (PutWager(1, "ante", Cents(500)), Rebet(1)):
        assert live.no("zoe", command).code is Code.EXCLUDED
    live.do("zoe", Leave(1))
    live.sound()


def test_excluded_player_may_withdraw_but_not_raise() -> None:
    live = Live(CMS).seat(1, "zoe", ante=500)
    live.do("zoe", PutWager(1, "ante", Cents(1_000)), PutWager(1, "ante", Cents(500)))
    exclude(live, "zoe")
    for command in (PutWager(1, "ante", Cents(1_000)), Undo(1)):
        assert live.no("zoe", command).code is Code.EXCLUDED
    live.do("zoe", PutWager(1, "ante", Cents(0)))
    assert live.held == 0
