"""Whoever forges a prize or a closing and moves the money with it is found out all the same."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.house.nights.kit import RULES, Evening
from tests.house.nights.tournament.evening import schedule

from pitbook.errors import PitbookError
from pitbook.house.ledger.accounts import Transfer
from pitbook.house.ledger.chain import Entry, content
from pitbook.house.nights import commands as do
from pitbook.house.nights.audit import NightFollowed
from pitbook.house.nights.facts import dump, load
from pitbook.house.nights.house_rules import HouseRules
from pitbook.house.nights.state import NightState, evolve, told_in
from pitbook.house.nights.tournament import commands as floor
from pitbook.house.nights.tournament.commands import Command
from pitbook.house.nights.tournament.facts import KINDS
from pitbook.house.nights.transfers import moved
from pitbook.money import Cents, dollars

T, AT = "gala.t1", "2026-11-22T02:00:00+00:00"
FOUR = ("ann", "bob", "cal", "dee")
Fact = dict[str, Any]
Change = Callable[[Fact], None]


def begun(evening: Evening, *players: str, **changed: Any) -> None:
    evening.must(do.BringFloat(dollars("500")))
    evening.must(floor.SetUp(T, schedule(**changed)))
    for player in players:
        evening.must(floor.Enter(T, player))
    for command in (floor.Announce(T), floor.DrawSeats(T), floor.Start(T)):
        evening.must(command)


def all_of(evening: Evening, *given: Command) -> None:
    for one in given:
        evening.must(one)


def counted(evening: Evening, **chips: int) -> None:
    """A round at the first table, and what its players have afterwards."""
    counts = tuple((player, Cents(100 * many)) for player, many in chips.items())
    all_of(evening, floor.BeginRound(T, 1), floor.CountChips(T, 1, counts))


def paid(evening: Evening) -> None:
    for player, one in evening.state.tournaments[T].players.items():
        if one.owed:
            evening.must(floor.PayOut(T, player))


def played(evening: Evening) -> None:
    """$160 for four: $80, $48 and $32; ann was first and dee last."""
    begun(evening, *FOUR)
    all_of(evening, floor.Eliminate(T, ("dee",)), floor.Eliminate(T, ("cal",)))
    all_of(evening, floor.PostPrizes(T), floor.Eliminate(T, ("bob",)), floor.Finish(T))
    paid(evening)
    evening.must(do.Close())


def tied(evening: Evening) -> None:
    """Three share the last places, of which two are paid: odd cents are drawn for."""
    begun(evening, *FOUR, buy_in={"costs": "50", "fee": "9.99", "chips": "1000"})
    all_of(evening, floor.PostPrizes(T), floor.Eliminate(T, ("bob", "cal", "dee")))
    evening.must(floor.Finish(T))


def by_the_clock(evening: Evening) -> None:
    begun(evening, *FOUR, ends="clock")
    evening.must(floor.StartClock(T))
    counted(evening, ann=3000, bob=700, cal=200, dee=100)
    evening.later(minutes=60)
    evening.must(floor.Finish(T))


def chip_counted(evening: Evening) -> None:
    """An hourly one is cut short with two players left, and one who has nothing."""
    begun(evening, "ann", "bob", "cal")
    counted(evening, ann=2000, bob=1000, cal=0)
    evening.must(floor.Interrupt(T, "no power"))
    assert evening.state.tournaments[T].status == "finished"


def divided(evening: Evening) -> None:
    begun(evening, *FOUR, kind="multi-table")
    counted(evening, ann=2500, bob=1500, cal=0, dee=0)
    all_of(evening, floor.Eliminate(T, ("dee",)), floor.BeginRound(T, 1))
    all_of(evening, floor.Interrupt(T, "no power"), floor.RuleHand(T, 1, readable=True))
    assert evening.state.tournaments[T].status == "finished"


def void(evening: Evening) -> None:
    begun(evening, *FOUR, "eve", "fay", "gil", "hal", "ida", "joe", seats=12)
    counted(evening, ann=2000, bob=0)
    evening.must(floor.Interrupt(T, "no power"))
    assert evening.state.tournaments[T].status == "void"


def undone(evening: Evening) -> None:
    """The wrong one was out, the prizes came too early, and its end was an error."""
    begun(evening, "ann", "bob", "cal")
    evening.must(floor.Refund(T, "cal"))
    one = evening.state.tournaments[T]
    for command in (floor.Eliminate(T, ("ann",)), floor.PostPrizes(T), floor.Finish(T)):
        evening.must(command)
    for _ in range(3):
        one = evening.state.tournaments[T]
        assert one.last is not None
        evening.must(floor.Undo(T, one.last[0], "an error"))
    all_of(evening, floor.Eliminate(T, ("bob",)), floor.Finish(T))
    evening.must(do.Close())


def set_up_again(evening: Evening) -> None:
    all_of(evening, floor.SetUp(T, schedule()), floor.Undo(T, 1, "another prize table"))
    begun(evening, "ann", "bob")


def sold(evening: Evening) -> None:
    """No table was opened, so whoever bought chips still has those that were not redeemed."""
    evening.must(do.BringFloat(dollars("500")))
    evening.sell("ann", "60")
    evening.sell("bob", "20")
    evening.must(do.Undo(evening.sell("cal", "10"), "never paid"))
    evening.redeem("ann", "25")
    evening.must(do.Close())


def at_a_table(evening: Evening) -> None:
    """What players won and lost is in the table's stream; here is who can have chips at all."""
    evening.must(do.BringFloat(dollars("500")))
    evening.sell("ann", "60")
    evening.admit()
    evening.round("stud-1", {"ann": -2000})
    evening.retire("stud-1")
    evening.must(do.Close())


EVENINGS = (
    *(played, tied, by_the_clock, chip_counted, divided, void),
    *(undone, set_up_again, sold, at_a_table),
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


def found(many: list[Entry]) -> list[str]:
    again = NightFollowed()
    return [f"{one.seq}: {told}" for one in many for told in again.follow(one)]


def forged(many: list[Entry], change: Change) -> Iterator[Entry]:
    """A forger who has read our code: transfers follow from the facts, as far as they can."""
    state, changes = NightState(), 0
    for entry in many:
        told = [json.loads(json.dumps(dump(fact))) for fact in told_in(entry)]
        made: list[Transfer] = []
        for fact in told:
            before = json.dumps(fact)
            change(fact)
            changes += json.dumps(fact) != before
            made += moved(state, load(fact))
            state = evolve(state, load(fact))
        yield entry._replace(content=content(told, made))
    assert changes


@pytest.mark.long
@pytest.mark.parametrize("night", EVENINGS, ids=lambda one: one.__name__)
def test_what_happened_follows(tmp_path: Path, night: Callable[[Evening], None]) -> None:
    assert found(entries(tmp_path, night)) == []


@pytest.mark.long
def test_so_it_does_where_equal_chips_and_odd_cents_are_as_another_house_has_it(
    tmp_path: Path,
) -> None:
    hourly = RULES.tournaments.hourly.model_copy(update={"equal_chips": "draw"})
    cut = {"divided": "by-chips", "odd_cents": "first-entered"}
    multi_table = RULES.tournaments.multi_table.model_copy(update=cut)
    told = {"hourly": hourly, "multi_table": multi_table}
    tournaments = RULES.tournaments.model_copy(update=told)
    rules = RULES.model_copy(update={"tournaments": tournaments})
    for night in EVENINGS:
        assert found(entries(tmp_path / night.__name__, night, rules)) == [], night


def on(kind: str, change: Change) -> Change:
    """A change of every fact of a kind."""

    def changed(fact: Fact) -> None:
        if fact["fact"] == kind:
            change(fact)

    return changed


def swapped(one: str, other: str) -> Change:
    """Two players take each other's money, wherever it is told."""
    names = {one: other, other: one}

    def changed(fact: Fact) -> None:
        if "awards" in fact:
            fact["awards"] = [[names.get(name, name), cents] for name, cents in fact["awards"]]
        if fact["fact"] == "tournament-paid-out":
            fact["player"] = names.get(fact["player"], fact["player"])

    return changed


def put(**told: Any) -> Change:
    return lambda fact: fact.update(told)


OWED = {"tournament": T, "player": "ann", "amount": "80.00"}
FORGED: list[tuple[Callable[[Evening], None], Change]] = [
    (played, swapped("ann", "dee")),  # Who won, and who went out first.
    (played, swapped("ann", "bob")),
    (played, on("tournament-prizes-posted", put(amounts=["32.00", "48.00", "80.00"]))),
    (played, on("tournament-prizes-posted", put(awards=[["cal", "48.00"]]))),
    (played, on("tournament-eliminated", put(place=2))),
    (played, on("tournament-eliminated", put(players=["dee"]))),  # Out three times.
    (played, on("tournament-eliminated", put(drawn=[0]))),
    (played, on("tournament-finished", put(how="clock"))),
    (played, on("tournament-finished", put(at="2026-11-22T03:00:00+00:00", groups=[]))),
    (tied, on("tournament-eliminated", put(drawn=[]))),
    (tied, on("tournament-eliminated", put(drawn=[9, 9]))),
    (by_the_clock, swapped("ann", "dee")),
    (by_the_clock, on("tournament-finished", put(at="2026-11-22T01:00:01+00:00"))),  # Too early.
    (chip_counted, swapped("ann", "bob")),
    (chip_counted, on("tournament-finished", put(how="played"))),
    (chip_counted, on("tournament-eliminated", put(players=["bob"]))),  # Who still has chips.
    (divided, swapped("ann", "dee")),
    (divided, on("tournament-finished", put(awards=[["ann", "120.00"], ["bob", "8.00"]]))),
    (divided, on("tournament-hand-ruled", put(completed=True))),
    (void, on("tournament-voided", put(returns=[["ann", "500.00"]]))),
    (void, on("tournament-voided", put(fee="0.00"))),
    (undone, on("tournament-refunded", put(paid="40.00"))),
    (sold, on("night-closed", put(float_returned="300.00"))),
    (sold, on("night-closed", put(expired={"ann": "35.00", "bob": "9.00"}))),
    (sold, on("night-closed", put(expired={"ann": "35.00"}))),
    (at_a_table, on("night-closed", put(float_returned="480.00"))),
    (at_a_table, on("night-closed", put(expired={"ann": "40.00", "eve": "1.00"}))),
    (undone, on("night-closed", put(unclaimed=[]))),
    (undone, on("night-closed", put(unclaimed=[{**OWED, "player": "bob"}]))),
]


@pytest.mark.long
@pytest.mark.parametrize(("night", "change"), FORGED)
def test_no_end_can_be_another(
    tmp_path: Path, night: Callable[[Evening], None], change: Change
) -> None:
    many = entries(tmp_path, night)
    try:
        again = list(forged(many, change))
    except (PitbookError, KeyError):  # It cannot even be told.
        return
    assert found(again)


ADDED: list[tuple[Callable[[Evening], None], Fact]] = [
    (played, {"fact": "tournament-started"}),
    (played, {"fact": "tournament-was-set-up", "schedule": schedule().model_dump(mode="json")}),
    (played, {"fact": "tournament-undone", "of": 16, "why": "it was paid to nobody"}),
    (played, {"fact": "tournament-paid-out", "player": "dee", "amount": "1.00"}),
    (played, {"fact": "tournament-interrupted", "at": AT, "why": "no power", "hands": []}),
    (by_the_clock, {"fact": "tournament-eliminated", "players": ["ann"], "place": 1}),
    (divided, {"fact": "tournament-chips-counted", "table": 1, "counts": [], "in_book": True}),
    (void, {"fact": "tournament-refunded", "player": "bob", "paid": "50.00", "fee": "10.00"}),
    (sold, {"fact": "night-closed", "at": AT, "expired": {}, "float_returned": "0.00"}),
]
REST: Fact = {"awards": [], "drawn": [], "chips": "0.00"}


@pytest.mark.parametrize(("night", "fact"), ADDED)
def test_nothing_comes_after_the_end(
    tmp_path: Path, night: Callable[[Evening], None], fact: Fact
) -> None:
    many, again = entries(tmp_path, night), NightFollowed()
    assert [told for one in many for told in again.follow(one)] == []
    kind = KINDS.get(fact["fact"])
    if kind is not None:
        rest = {name: REST[name] for name in kind._fields if name in REST and name not in fact}
        fact = {**fact, "tournament": T, **rest}
    entry = many[-1]._replace(content=content([fact], moved(again.state, load(fact))))
    assert list(again.follow(entry)) == [
        f'its fact "{fact["fact"]}" is not what the facts before it come to'
    ]
