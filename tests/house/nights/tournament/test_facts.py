"""Facts as the ledger stores them: JSON that loads as written."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.house.nights.tournament.step_lines import NOON, T, enter_players, schedule

from pitbook.errors import RoundError
from pitbook.house.nights.tournament import facts
from pitbook.house.nights.tournament.commands import RoomSeat
from pitbook.house.nights.tournament.state import apply
from pitbook.money import Cents

EACH: tuple[facts.Fact, ...] = (
    facts.TournamentCreated(T, schedule()),
    facts.Announced(T, "eve", "It costs $50."),
    facts.Sold(T, "re-buy", "ann", Cents(5000), Cents(1), Cents(100_000)),
    facts.Refunded(T, "ann", Cents(5000), Cents(1000), Cents(100_000)),
    facts.SeatsDrawn(T, (RoomSeat("ann", 1, 2), RoomSeat("bob", 2, 1)), (1, 0, 0, 3)),
    facts.Started(T),
    facts.ClockStarted(T, NOON),
    facts.ClockPaused(T, NOON),
    facts.ClockResumed(T, NOON),
    facts.LevelBegun(T, NOON, 2),
    facts.BreakBegun(T, NOON, 15),
    facts.RoundBegun(T, 3),
    facts.ChipsCounted(T, 3, (("ann", Cents(0)), ("bob", Cents(1))), False),
    facts.Eliminated(T, ("ann", "bob"), 4, (("ann", Cents(7)),), (1,)),
    facts.Moved(T, (RoomSeat("ann", 1, 2),), None),
    facts.Moved(T, (), 4),
    facts.PrizesPosted(T, (Cents(10), Cents(5)), (), ()),
    facts.Finished(T, "divided", "OMS-15", (("ann",), ("bob", "cal")), (), (), NOON),
    facts.PaidOut(T, "ann", Cents(12_345)),
    facts.Interrupted(T, NOON, "power failure", (1, 2)),
    facts.HandRuled(T, 1, False, True, ("ann",), "OMS-15"),
    facts.Voided(T, "why", "OMS-14", (("ann", Cents(5000)),), Cents(0)),
    facts.CheckedIn(T, "ann", NOON, "ben"),
    facts.TicketRotated(T, "ann", NOON, "olga", "lost"),
    facts.TicketRevoked(T, "ann", NOON, "olga", ""),
    facts.TicketOpened(T, "ann", NOON, 7, "5f60"),
    facts.Finished(T, "played", None, (("ann",),), (), (), NOON),
    facts.FirstCard(T, 3),
    facts.Stopped(T, NOON, "power", (1, 3)),
    facts.Resumed(T, NOON),
    facts.Resumed(T, NOON, True),
    facts.ClockAdjusted(T, NOON, -60),
    facts.MessagePosted(T, NOON, "Dinner is served", 10),
    facts.Registered(T, ("ann", "bob")),
    facts.Unregistered(T, "ann"),
    facts.Undone(T, 7, ""),
)
KEPT = [
    "tournament-was-set-up",
    "tournament-announced",
    "tournament-sold",
    "tournament-refunded",
    "tournament-checked-in",
    "tournament-ticket-rotated",
    "tournament-ticket-revoked",
    "tournament-ticket-opened",
    "tournament-seats-drawn",
    "tournament-started",
    "tournament-clock-started",
    "tournament-clock-paused",
    "tournament-clock-resumed",
    "tournament-level-begun",
    "tournament-clock-adjusted",
    "tournament-message",
    "tournament-registered",
    "tournament-unregistered",
    "tournament-break-begun",
    "tournament-round-begun",
    "tournament-first-card",
    "tournament-chips-counted",
    "tournament-eliminated",
    "tournament-moved",
    "tournament-prizes-posted",
    "tournament-finished",
    "tournament-paid-out",
    "tournament-interrupted",
    "tournament-stopped",
    "tournament-gone-on",
    "tournament-hand-ruled",
    "tournament-voided",
    "tournament-undone",
]


@pytest.mark.parametrize("fact", EACH, ids=lambda fact: type(fact).__name__)
def test_fact_survives_a_round_trip_through_json(fact: facts.Fact) -> None:
    document = json.loads(json.dumps(facts.dump(fact)))
    assert facts.load(document) == fact
    assert type(facts.load(document)) is type(fact)


def test_stored_fact_names_do_not_change() -> None:
    assert list(facts.KINDS) == KEPT
    assert {type(fact) for fact in EACH} == set(facts.KINDS.values())


def test_money_is_stored_in_dollars() -> None:
    assert facts.dump(facts.PaidOut(T, "ann", Cents(12_345))) == {
        "fact": "tournament-paid-out",
        "tournament": T,
        "player": "ann",
        "amount": "123.45",
    }


@pytest.mark.parametrize(
    "changed",
    [
        {"fact": "tournament-other"},
        {"fact": None},
        {"amount": 12},
        {"amount": "-1.00"},
        {"player": None},
        {"player": 7},
        {"more": 1},
    ],
)
def test_invalid_fact_is_not_loaded(changed: dict[str, Any]) -> None:
    document = facts.dump(facts.PaidOut(T, "ann", Cents(1))) | changed
    with pytest.raises(RoundError):
        facts.load(document)


@pytest.mark.parametrize(
    ("number", "changed"),
    [
        (0, {"schedule": {}}),
        (2, {"what": "tip"}),
        (4, {"seats": [["ann", 1]]}),
        (4, {"seats": [["ann", 1, 2, 3]]}),
        (4, {"drawn": "12"}),
        (6, {"at": "noon"}),
        (6, {"at": 12}),
        (12, {"in_book": 1}),
        (12, {"counts": [["ann", "1.00", "2.00"]]}),
    ],
)
def test_fields_of_the_wrong_type_are_refused(number: int, changed: dict[str, Any]) -> None:
    with pytest.raises(RoundError, match="cannot be read"):
        facts.load(facts.dump(EACH[number]) | changed)


def test_fact_without_a_field_is_refused() -> None:
    document = facts.dump(EACH[-1])
    del document["why"]
    with pytest.raises(RoundError, match="exactly these fields: tournament, of, why"):
        facts.load(document)


def test_impossible_facts_are_refused() -> None:
    with pytest.raises(RoundError, match="no tournament"):
        apply(None, facts.Started(T))
    with pytest.raises(RoundError, match="no player 'zoe'"):
        apply(enter_players("ann").t, facts.PaidOut(T, "zoe", Cents(1)))
    with pytest.raises(RoundError, match="never started"):
        apply(enter_players("ann").t, facts.ClockPaused(T, NOON))


def test_a_fact_without_one_of_its_fields_is_refused() -> None:
    document = facts.dump(facts.Finished(T, "played", None, (("ann",),), (), (), NOON))
    del document["drawn"]
    with pytest.raises(RoundError, match="exactly these fields"):
        facts.load(document)
