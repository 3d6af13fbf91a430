"""Forged prizes and closings are found even when the transfers match."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.house.nights.kit import RULES, Evening
from tests.house.nights.tournament.step_lines import schedule

from pitbook.errors import PitbookError
from pitbook.house.ledger.accounts import Transfer
from pitbook.house.ledger.hash_chain import Entry, entry_content
from pitbook.house.nights import commands as do
from pitbook.house.nights.audit import NightAudit
from pitbook.house.nights.facts import dump, load
from pitbook.house.nights.house_rules import HouseRules
from pitbook.house.nights.state import NightState, apply, facts_in
from pitbook.house.nights.tournament import commands as floor
from pitbook.house.nights.tournament.commands import Command
from pitbook.house.nights.tournament.facts import KINDS
from pitbook.house.nights.transfers import transfers_for
from pitbook.money import Cents, dollars

T, AT = "gala.t1", "2026-11-22T02:00:00+00:00"
FOUR = ("ann", "bob", "cal", "dee")
Fact = dict[str, Any]
Change = Callable[[Fact], None]


def start_night(evening: Evening, *players: str, **changed: Any) -> None:
    evening.must(do.BringFloat(dollars("500")))
    evening.must(floor.SetUp(T, schedule(**changed)))
    for player in players:
        evening.must(floor.Enter(T, player))
    for command in (floor.Announce(T), floor.DrawSeats(T), floor.Start(T)):
        evening.must(command)


def all_of(evening: Evening, *commands: Command) -> None:
    for command in commands:
        evening.must(command)


def count_round(evening: Evening, **chips: int) -> None:
    """Begin a round at the first table and count its chips."""
    counts = tuple((player, Cents(100 * dollars_held)) for player, dollars_held in chips.items())
    all_of(evening, floor.BeginRound(T, 1), floor.CountChips(T, 1, counts))


def pay_all(evening: Evening) -> None:
    for player, entrant in evening.state.tournaments[T].players.items():
        if entrant.owed:
            evening.must(floor.PayOut(T, player))


def played_out(evening: Evening) -> None:
    """$160 for four: $80, $48 and $32; ann is first and dee last."""
    start_night(evening, *FOUR)
    all_of(evening, floor.Eliminate(T, ("dee",)), floor.Eliminate(T, ("cal",)))
    all_of(evening, floor.PostPrizes(T), floor.Eliminate(T, ("bob",)), floor.Finish(T))
    pay_all(evening)
    evening.must(do.Close())


def tie_for_last_places(evening: Evening) -> None:
    """Three players share the last places, two of them paid; odd cents are drawn."""
    start_night(evening, *FOUR, buy_in={"costs": "50", "fee": "9.99", "chips": "1000"})
    all_of(evening, floor.PostPrizes(T), floor.Eliminate(T, ("bob", "cal", "dee")))
    evening.must(floor.Finish(T))


def by_the_clock(evening: Evening) -> None:
    start_night(evening, *FOUR, ends="clock")
    evening.must(floor.StartClock(T))
    count_round(evening, ann=3000, bob=700, cal=200, dee=100)
    evening.later(minutes=60)
    evening.must(floor.Finish(T))


def chip_counted(evening: Evening) -> None:
    """An hourly tournament interrupted with two players left and one without chips."""
    start_night(evening, "ann", "bob", "cal")
    count_round(evening, ann=2000, bob=1000, cal=0)
    evening.must(floor.Interrupt(T, "no power"))
    assert evening.state.tournaments[T].status == "finished"


def divide_evenly(evening: Evening) -> None:
    start_night(evening, *FOUR, kind="multi-table")
    count_round(evening, ann=2500, bob=1500, cal=0, dee=0)
    all_of(evening, floor.Eliminate(T, ("dee",)), floor.BeginRound(T, 1))
    all_of(evening, floor.Interrupt(T, "no power"), floor.RuleHand(T, 1, readable=True))
    assert evening.state.tournaments[T].status == "finished"


def void(evening: Evening) -> None:
    start_night(evening, *FOUR, "eve", "fay", "gil", "hal", "ida", "joe", seats=12)
    count_round(evening, ann=2000, bob=0)
    evening.must(floor.Interrupt(T, "no power"))
    assert evening.state.tournaments[T].status == "void"


def undo_mistakes(evening: Evening) -> None:
    """A wrong elimination, early prizes and a premature end are undone."""
    start_night(evening, "ann", "bob", "cal")
    evening.must(floor.Refund(T, "cal"))
    tournament = evening.state.tournaments[T]
    for command in (floor.Eliminate(T, ("ann",)), floor.PostPrizes(T), floor.Finish(T)):
        evening.must(command)
    for _ in range(3):
        tournament = evening.state.tournaments[T]
        assert tournament.last is not None
        evening.must(floor.Undo(T, tournament.last[0], "an error"))
    all_of(evening, floor.Eliminate(T, ("bob",)), floor.Finish(T))
    evening.must(do.Close())


def set_up_again(evening: Evening) -> None:
    all_of(evening, floor.SetUp(T, schedule()), floor.Undo(T, 1, "another prize table"))
    start_night(evening, "ann", "bob")


def chips_sold(evening: Evening) -> None:
    """Without tables, players hold the chips that they did not redeem."""
    evening.must(do.BringFloat(dollars("500")))
    evening.sell("ann", "60")
    evening.sell("bob", "20")
    evening.must(do.Undo(evening.sell("cal", "10"), "never paid"))
    evening.redeem("ann", "25")
    evening.must(do.Close())


def at_a_table(evening: Evening) -> None:
    """Table results are in the table's stream; the night only records who can hold chips."""
    evening.must(do.BringFloat(dollars("500")))
    evening.sell("ann", "60")
    evening.admit()
    evening.round("stud-1", {"ann": -2000})
    evening.retire("stud-1")
    evening.must(do.Close())


EVENINGS = (
    *(played_out, tie_for_last_places, by_the_clock, chip_counted, divide_evenly, void),
    *(undo_mistakes, set_up_again, chips_sold, at_a_table),
)


def entries(
    place: Path, night: Callable[[Evening], None], rules: HouseRules = RULES
) -> list[Entry]:
    evening = Evening(place, rules=rules)
    try:
        night(evening)
        return list(evening.ledger.entries("night/gala"))
    finally:
        evening.close()


def audit_night(entries_of_night: list[Entry]) -> list[str]:
    replayed = NightAudit()
    return [
        f"{entry.seq}: {finding}"
        for entry in entries_of_night
        for finding in replayed.check_entry(entry)
    ]


def forge(many: list[Entry], change: Change) -> Iterator[Entry]:
    """Forged entries whose transfers follow from the forged facts where possible."""
    state, changes = NightState(), 0
    for entry in many:
        documents = [json.loads(json.dumps(dump(fact))) for fact in facts_in(entry)]
        transfers: list[Transfer] = []
        for fact in documents:
            before = json.dumps(fact)
            change(fact)
            changes += json.dumps(fact) != before
            transfers += transfers_for(state, load(fact))
            state = apply(state, load(fact))
        yield entry._replace(content=entry_content(documents, transfers))
    assert changes


@pytest.mark.long
@pytest.mark.parametrize("night", EVENINGS, ids=lambda night: night.__name__)
def test_genuine_nights_have_no_findings(tmp_path: Path, night: Callable[[Evening], None]) -> None:
    assert audit_night(entries(tmp_path, night)) == []


@pytest.mark.long
def test_genuine_nights_under_other_house_rules_have_no_findings(
    tmp_path: Path,
) -> None:
    hourly = RULES.tournaments.hourly.model_copy(update={"equal_chips": "draw"})
    changes = {"divided": "by-chips", "odd_cents": "first-entered"}
    multi_table = RULES.tournaments.multi_table.model_copy(update=changes)
    overrides = {"hourly": hourly, "multi_table": multi_table}
    tournaments = RULES.tournaments.model_copy(update=overrides)
    rules = RULES.model_copy(update={"tournaments": tournaments})
    for night in EVENINGS:
        assert audit_night(entries(tmp_path / night.__name__, night, rules)) == [], night


def on_fact(kind: str, change: Change) -> Change:
    """Apply a change to every fact of a kind."""

    def change_matching(fact: Fact) -> None:
        if fact["fact"] == kind:
            change(fact)

    return change_matching


def swap_players(first: str, second: str) -> Change:
    """Exchange the money of two players in every fact."""
    names = {first: second, second: first}

    def swap_names(fact: Fact) -> None:
        if "awards" in fact:
            fact["awards"] = [[names.get(name, name), cents] for name, cents in fact["awards"]]
        if fact["fact"] == "tournament-paid-out":
            fact["player"] = names.get(fact["player"], fact["player"])

    return swap_names


def put(**changes: Any) -> Change:
    return lambda fact: fact.update(changes)


OWED = {"tournament": T, "player": "ann", "amount": "80.00"}
FORGED: list[tuple[Callable[[Evening], None], Change]] = [
    (played_out, swap_players("ann", "dee")),  # Who won, and who went out first.
    (played_out, swap_players("ann", "bob")),
    (played_out, on_fact("tournament-prizes-posted", put(amounts=["32.00", "48.00", "80.00"]))),
    (played_out, on_fact("tournament-prizes-posted", put(awards=[["cal", "48.00"]]))),
    (played_out, on_fact("tournament-eliminated", put(place=2))),
    (played_out, on_fact("tournament-eliminated", put(players=["dee"]))),  # Out three times.
    (played_out, on_fact("tournament-eliminated", put(drawn=[0]))),
    (played_out, on_fact("tournament-finished", put(how="clock"))),
    (played_out, on_fact("tournament-finished", put(at="2026-11-22T03:00:00+00:00", groups=[]))),
    (tie_for_last_places, on_fact("tournament-eliminated", put(drawn=[]))),
    (tie_for_last_places, on_fact("tournament-eliminated", put(drawn=[9, 9]))),
    (by_the_clock, swap_players("ann", "dee")),
    (
        by_the_clock,
        on_fact("tournament-finished", put(at="2026-11-22T01:00:01+00:00")),
    ),  # Too early.
    (chip_counted, swap_players("ann", "bob")),
    (chip_counted, on_fact("tournament-finished", put(how="played"))),
    (chip_counted, on_fact("tournament-eliminated", put(players=["bob"]))),  # Who still has chips.
    (divide_evenly, swap_players("ann", "dee")),
    (
        divide_evenly,
        on_fact("tournament-finished", put(awards=[["ann", "120.00"], ["bob", "8.00"]])),
    ),
    (divide_evenly, on_fact("tournament-hand-ruled", put(completed=True))),
    (void, on_fact("tournament-voided", put(returns=[["ann", "500.00"]]))),
    (void, on_fact("tournament-voided", put(fee="0.00"))),
    (undo_mistakes, on_fact("tournament-refunded", put(paid="40.00"))),
    (chips_sold, on_fact("night-closed", put(float_returned="300.00"))),
    (chips_sold, on_fact("night-closed", put(expired={"ann": "35.00", "bob": "9.00"}))),
    (chips_sold, on_fact("night-closed", put(expired={"ann": "35.00"}))),
    (at_a_table, on_fact("night-closed", put(float_returned="480.00"))),
    (at_a_table, on_fact("night-closed", put(expired={"ann": "40.00", "eve": "1.00"}))),
    (undo_mistakes, on_fact("night-closed", put(unclaimed=[]))),
    (undo_mistakes, on_fact("night-closed", put(unclaimed=[{**OWED, "player": "bob"}]))),
]


@pytest.mark.long
@pytest.mark.parametrize(("night", "change"), FORGED)
def test_every_forged_end_is_found(
    tmp_path: Path, night: Callable[[Evening], None], change: Change
) -> None:
    many = entries(tmp_path, night)
    try:
        forged_entries = list(forge(many, change))
    except (PitbookError, KeyError):  # The forged fact cannot even be loaded.
        return
    assert audit_night(forged_entries)


ADDED: list[tuple[Callable[[Evening], None], Fact]] = [
    (played_out, {"fact": "tournament-started"}),
    (played_out, {"fact": "tournament-was-set-up", "schedule": schedule().model_dump(mode="json")}),
    (played_out, {"fact": "tournament-undone", "of": 16, "why": "it was paid to nobody"}),
    (played_out, {"fact": "tournament-paid-out", "player": "dee", "amount": "1.00"}),
    (played_out, {"fact": "tournament-interrupted", "at": AT, "why": "no power", "hands": []}),
    (by_the_clock, {"fact": "tournament-eliminated", "players": ["ann"], "place": 1}),
    (
        divide_evenly,
        {"fact": "tournament-chips-counted", "table": 1, "counts": [], "in_book": True},
    ),
    (void, {"fact": "tournament-refunded", "player": "bob", "paid": "50.00", "fee": "10.00"}),
    (chips_sold, {"fact": "night-closed", "at": AT, "expired": {}, "float_returned": "0.00"}),
]
REST: Fact = {"awards": [], "drawn": [], "chips": "0.00"}


@pytest.mark.parametrize(("night", "fact"), ADDED)
def test_fact_added_after_the_end_is_found(
    tmp_path: Path, night: Callable[[Evening], None], fact: Fact
) -> None:
    many, replayed = entries(tmp_path, night), NightAudit()
    assert [finding for entry in many for finding in replayed.check_entry(entry)] == []
    kind = KINDS.get(fact["fact"])
    if kind is not None:
        missing_fields = {
            name: REST[name] for name in kind._fields if name in REST and name not in fact
        }
        fact = {**fact, "tournament": T, **missing_fields}
    entry = many[-1]._replace(
        content=entry_content([fact], transfers_for(replayed.state, load(fact)))
    )
    assert list(replayed.check_entry(entry)) == [
        f'event "{fact["fact"]}" does not follow from the events before it'
    ]
