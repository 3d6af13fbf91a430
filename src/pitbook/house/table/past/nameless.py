"""A round on record without its people: seats for names, and nothing that the floor wrote."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pitbook.house.table import facts
from pitbook.house.table.commands import CLOCK
from pitbook.house.table.evolve import evolve
from pitbook.house.table.facts import Fact
from pitbook.house.table.model import TableState
from pitbook.house.table.past.records import JournalStep, RoundRecord, on_layout
from pitbook.rules.actions import VoidHand
from pitbook.rules.report import report
from pitbook.text import say

__all__ = ["nameless", "seat_names"]

UNSAID = "not told"  # Where a fact has the floor's words.
WRITTEN = ("reason", "breach", "why")  # By the floor, in its own words.
SECRET = (facts.CoachTold, facts.SeatSeed, facts.ShoeRevealed, facts.Fill)

Names = Mapping[str, str]


def seat_names(record: RoundRecord) -> dict[str, str]:
    """Everybody who sat there or played, by the first of their seats: "seat 2"."""
    seats = {seat.number: seat.player for seat in on_layout(record.state).seats}
    seats = {**record.before.seats, **seats}
    return {
        seats[number]: say("engine.place.seat", seat=number)
        for number in sorted(seats, reverse=True)
    }


def nameless(record: RoundRecord) -> RoundRecord:
    """The same round, told of seats."""
    names = seat_names(record)
    seats = {number: names[player] for number, player in record.before.seats.items()}
    before = record.before._replace(seats=seats, last={}, guests=(), shoe_players=(), owner="")
    state, steps = before, []
    for step in record.steps:
        kept = []
        for fact in (one for one in step.facts if not isinstance(one, SECRET)):
            kept.append(_without_names(fact, names, state))
            state = evolve(state, kept[-1])
        if kept:
            house = step.actor if step.actor == CLOCK.name else say("table.past.house")
            actor = names.get(step.actor, house)
            steps.append(JournalStep(step.seq, step.at, actor, tuple(kept), ()))
    return record._replace(before=before, steps=tuple(steps), revealed=None)


def _without_names(fact: Fact, names: Names, state: TableState) -> Fact:
    if isinstance(fact, facts.Settled):
        return facts.Settled(state.round_id, report(on_layout(state)))
    if isinstance(fact, facts.Acted):
        return facts.Acted(_told(fact.action, names))
    if isinstance(fact, facts.Interrupted) and fact.awaiting:
        fact = fact._replace(awaiting=tuple(names[one] for one in fact.awaiting))
    told: Fact = _told(fact, names)
    return told


def _told(one: Any, names: Names) -> Any:
    """A fact or an action with a seat for its player, and without the floor's words."""
    said = {key: value for key, value in one._asdict().items() if value is not None}
    told = {key: UNSAID for key in WRITTEN if key in said}
    if isinstance(one, VoidHand):  # Its reason is a word of the rules, not of the floor.
        del told["reason"]
    if "player" in said:
        told["player"] = names[said["player"]]
    return one._replace(**told)
