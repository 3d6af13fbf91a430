"""A round on record, step by step as somebody was allowed to see it, for those who look again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from pitbook.house.people.names import is_guest_number
from pitbook.house.table import facts
from pitbook.house.table.evolve import evolve
from pitbook.house.table.facts import FACTS, Fact
from pitbook.house.table.model import TableState
from pitbook.house.table.past.records import RoundRecord
from pitbook.house.table.past.shapes import CardShown, Step
from pitbook.house.table.past.story import fact_told
from pitbook.house.table.seen.layout import layout
from pitbook.house.table.seen.shapes import Layout
from pitbook.house.table.seen.sight import Viewer
from pitbook.rules.actions import BOARD, Action, Deal, PlaceNumber, Settle, Turn, Wager, Withdraw
from pitbook.rules.round import open_round
from pitbook.rules.stored import KINDS
from pitbook.rules.words import transcript
from pitbook.text import say

__all__ = ["steps"]

# What changes nothing that lies on the felt, or is nobody's but the staff's.
LEFT_OUT = (facts.Fill, facts.ShoeRevealed)
DEALERS = ("deal", "turn", "settle")
_WORDS = {kind: do for do, kind in KINDS.items()}


class _Key(NamedTuple):
    """What a step is; neighbours with the same key are one."""

    what: str
    seat: int | None = None
    number: int = 0


class _Part(NamedTuple):
    """A fact with the entry that it stood in, and the action that it was."""

    key: _Key
    at: str
    actor: str
    fact: Fact
    action: Action | None


def steps(record: RoundRecord, viewer: Viewer) -> Iterator[Step]:
    """One step for each thing that a player or the dealer did, with the layout after it."""
    state, seen = record.before, layout(record.before, viewer)
    for number, (key, group) in enumerate(groupby(_parts(record, viewer), lambda one: one.key), 1):
        parts, before = list(group), state
        for part in parts:
            state = evolve(state, part.fact)
        after = layout(state, viewer)
        yield {
            "n": number,
            "at": parts[0].at,
            "actor": say("table.past.dealer") if key.what in DEALERS else parts[0].actor,
            "what": key.what,
            "seat": key.seat,
            "told": _told(key, parts, before, state, viewer),
            "shown": list(_shown(seen, after)),
            "view": after,
        }
        seen = after


def _parts(record: RoundRecord, viewer: Viewer) -> Iterator[_Part]:
    number = 0
    for step in record.steps:
        for fact in step.facts:
            if isinstance(fact, LEFT_OUT) or not _is_for(fact, record, viewer):
                continue
            number += 1
            action = fact.action if isinstance(fact, facts.Acted) else None
            yield _Part(_key(fact, action, number), step.at, step.actor, fact, action)


def _is_for(fact: Fact, record: RoundRecord, viewer: Viewer) -> bool:
    """Advice is for the player who was given it."""
    if not isinstance(fact, facts.CoachTold):
        return True
    round = record.state.round
    seat = round.seat(fact.seat) if round else None
    return viewer.role == "player" and seat is not None and seat.player == viewer.name


def _key(fact: Fact, action: Action | None, number: int) -> _Key:
    if isinstance(action, Wager | Withdraw):
        return _Key("wagers", action.seat)
    if isinstance(fact, facts.Wagered | facts.Undone):
        return _Key("wagers", fact.seat)
    if isinstance(fact, facts.Settled) or isinstance(action, Settle):
        return _Key("settle")
    if isinstance(action, Deal):
        return _Key("deal")
    if isinstance(action, Turn):
        common = action.place <= BOARD
        return _Key("turn", None, number) if common else _Key("look", action.place)
    if action is not None:
        return _Key(_WORDS[type(action)], getattr(action, "seat", None), number)
    return _Key(FACTS.name(type(fact)), getattr(fact, "seat", None), number)


def _told(
    key: _Key, parts: Sequence[_Part], before: TableState, after: TableState, viewer: Viewer
) -> list[str]:
    acts = [part.action for part in parts if part.action is not None]
    if key.what == "wagers":
        return _wagers_told(key.seat, after)
    if key.what == "look" and not _sees(key.seat, after, viewer):
        return [say("table.past.looks", seat=key.seat)]
    first = parts[0].fact
    if isinstance(first, facts.Corrected) and not _sees(first.place, after, viewer):
        return [say("table.past.corrected", seat=first.place)]
    if not acts or before.round is None:
        return fact_told(first)
    return transcript(before.round, acts)


def _wagers_told(number: int | None, after: TableState) -> list[str]:
    """What lies there in the end, however often it was changed."""
    seat = after.round.seat(number) if after.round and number else None
    if seat is None or after.round is None:
        return [say("table.past.back", seat=number)]
    who = f"seat {number}" if is_guest_number(seat.player) else seat.player  # The seat says it all.
    made = [Wager(seat.number, who, wager, amount) for wager, amount in seat.stakes]
    return transcript(open_round(after.round.game), made)


def _sees(place: PlaceNumber | None, state: TableState, viewer: Viewer) -> bool:
    """Whether a viewer may see all that lies at a seat; cards in common are everybody's."""
    seats = {one["seat"]: one for one in layout(state, viewer)["seats"]}
    if place is not None and place <= BOARD:
        return True
    return place in seats and None not in seats[place].get("cards", [None])


def _shown(before: Layout, after: Layout) -> Iterator[CardShown]:
    """The cards that can be seen now and could not before."""
    lay = {one["place"]: one["cards"] for one in before["common"]}
    for one in after["common"]:
        yield from _new(one["place"], lay.get(one["place"], []), one["cards"])
    were = {one["seat"]: one.get("cards", []) for one in before["seats"]}
    for seat in after["seats"]:
        yield from _new(seat["seat"], were.get(seat["seat"], []), seat.get("cards", []))


def _new(
    place: int | str, before: list[str | None], after: list[str | None]
) -> Iterator[CardShown]:
    for number, card in enumerate(after):
        if card is not None and (number >= len(before) or before[number] is None):
            yield {"place": place, "card": card}
