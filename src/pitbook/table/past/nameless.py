"""A round on record without its people: seats for names, and nothing that the floor wrote."""

from __future__ import annotations

from collections.abc import Mapping

from pitbook.table import facts
from pitbook.table.commands import CLOCK
from pitbook.table.evolve import evolve
from pitbook.table.facts import Fact
from pitbook.table.model import TableState
from pitbook.table.past.records import Record, Step, on_layout

__all__ = ["nameless", "seat_names"]

HOUSE = "the house"
UNSAID = "not told"
WRITTEN = ("reason", "breach", "why")  # By the floor, in its own words.
SECRET = ("advice", "seat-seed", "shoe-revealed", "fill")

Names = Mapping[str, str]


def seat_names(record: Record) -> dict[str, str]:
    """Everybody who sat there or played, by the first of their seats: "seat 2"."""
    seats = {seat.number: seat.player for seat in on_layout(record.state).seats}
    seats = {**record.before.seats, **seats}
    return {seats[number]: f"seat {number}" for number in sorted(seats, reverse=True)}


def nameless(record: Record) -> Record:
    """The same round, told of seats."""
    names = seat_names(record)
    seats = {number: names[player] for number, player in record.before.seats.items()}
    before = record.before._replace(seats=seats, last={}, guests=(), shoe_players=(), owner="")
    state, steps = before, []
    for step in record.steps:
        kept = []
        for fact in (one for one in step.facts if one["fact"] not in SECRET):
            kept.append(_without_names(fact, names, state))
            state = evolve(state, kept[-1])
        if kept:
            actor = names.get(step.actor, step.actor if step.actor == CLOCK.name else HOUSE)
            steps.append(Step(step.seq, step.at, actor, tuple(kept), ()))
    return record._replace(before=before, steps=tuple(steps), revealed=None)


def _without_names(fact: Fact, names: Names, state: TableState) -> Fact:
    if fact["fact"] == "settled":
        return facts.settled(state.round_id, on_layout(state))
    if fact["fact"] == "acted":
        return {**fact, "action": _told(fact["action"], names)}
    if fact["fact"] == "interrupted" and fact["awaiting"]:
        return {**_told(fact, names), "awaiting": [names[one] for one in fact["awaiting"]]}
    return _told(fact, names)


def _told(document: Fact, names: Names) -> Fact:
    told = {key: UNSAID if key in WRITTEN else value for key, value in document.items()}
    if document.get("do") == "void-hand":  # A word of the rules, not of the floor.
        told["reason"] = document["reason"]
    return told | {"player": names[document["player"]]} if "player" in document else told
